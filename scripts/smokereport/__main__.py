# SPDX-License-Identifier: GPL-2.0-or-later
"""Print what came of a smoke run and write it for machines. Exits as scripts/smoke does."""

import argparse
import sys
from pathlib import Path

from smokereport import junit, sarif, table
from smokereport.findings import all_findings
from smokereport.jobs import read_jobs


def _arguments():
    parser = argparse.ArgumentParser(prog="smokereport", description=__doc__)
    parser.add_argument("--top", type=Path, required=True, help="top of the repository")
    parser.add_argument("--out", type=Path, required=True, help="folder of the jobs")
    parser.add_argument("--ci", type=Path, required=True, help="folder for machines to read")
    parser.add_argument("--seed", default="1", help="to be named in the result")
    parser.add_argument("--min", type=int, default=1, help="non-trivial judgements of a row")
    parser.add_argument("--phase", action="append", default=[], help="name and time, to print")
    return parser.parse_args()


def main():
    args = _arguments()
    top = args.top.resolve()
    jobs = read_jobs(args.out)
    troubles = [job for job in jobs if job.status == "trouble"]
    findings = all_findings(jobs, args.ci, top, args.min)

    for finding in findings:
        if finding.kind != "minimum":
            table.print_finding(finding)
    table.print_rows(jobs)
    print()
    table.print_drivers(jobs)
    table.print_codecs(jobs)
    print()
    if args.phase:
        print("time: " + "; ".join(args.phase))
    junit.write(args.ci / "junit.xml", jobs, findings)
    sarif.write(args.ci / "ptediff.sarif", top, findings)
    table.print_verdict(top, findings, troubles, args.seed)
    return 1 if findings else 2 if troubles else 0


if __name__ == "__main__":
    sys.exit(main())
