# SPDX-License-Identifier: GPL-2.0-or-later
"""The result for people: plain lines of at most 100 columns, as a CI log shows them."""

from smokereport import places
from smokereport.jobs import DRIVERS, merge

CRASH_LINES = 60


def short(number):
    """12345678 -> 12.3M"""
    for limit, scale, unit in ((1e9, 1e9, "G"), (1e6, 1e6, "M"), (1e4, 1e3, "k")):
        if number >= limit:
            return f"{number / scale:.1f}{unit}"
    return f"{number:.0f}"


def share(part, whole):
    return f"{100 * part / whole:.1f}%" if whole else "-"


def _print_table(rows, left):
    """Columns as wide as they need to be, the first @left of them words."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [cell.ljust(width) if i < left else cell.rjust(width)
                 for i, (cell, width) in enumerate(zip(row, widths))]
        print("  ".join(cells).rstrip())


def print_rows(jobs):
    """Judgements of each implementation by driver, and what they were worth."""
    drivers = [d for d in DRIVERS[1:] if any(job.driver == d for job in jobs)]
    by_driver = {d: {row.key: row for row in merge(j for j in jobs if j.driver == d)}
                 for d in drivers}
    table = [["operation", "implementation", "arch", *drivers, "non-trivial", "batched", "pages"]]
    for row in merge(jobs):
        judged = [by_driver[d].get(row.key) for d in drivers]
        table.append([row.op, row.impl, row.arch,
                      *(short(r.judgements) if r else "-" for r in judged),
                      share(row.non_trivial, row.judgements),
                      "never" if row.never else share(row.batched, row.judgements),
                      short(row.pages)])
    if len(table) > 1:
        _print_table(table, 3)


def print_drivers(jobs):
    table = [["driver", "jobs", "runs", "CPU-seconds", "judgements/CPU-s", "pages/CPU-s"]]
    for driver in DRIVERS:
        own = [job for job in jobs if job.driver == driver]
        if not own:
            continue
        judging = [job for job in own if job.rows]
        cpu = sum(job.cpu for job in judging)
        rates = [sum(getattr(row, count) for job in judging for row in job.rows) / cpu
                 if cpu else 0 for count in ("judgements", "pages")]
        table.append([driver, str(len(own)), short(sum(job.runs for job in own)),
                      f"{sum(job.cpu for job in own):.1f}",
                      *(short(rate) if rate else "-" for rate in rates)])
    _print_table(table, 1)


def print_codecs(jobs):
    """fuzz_bytes and fuzz_text judge nothing: runs are what there is to count."""
    table = [["harness", "driver", "runs", "CPU-seconds"]]
    table += [[f"fuzz_{job.target}", job.driver, short(job.runs), f"{job.cpu:.1f}"]
              for job in jobs if job.target in ("bytes", "text")]
    if len(table) > 1:
        print()
        _print_table(table, 2)


def print_finding(finding):
    print(f"---- {finding.name}")
    if finding.found_by:
        print(f"found by {', '.join(finding.found_by)}")
    if finding.scenario:
        print(f"scenario {finding.scenario}")
    lines = finding.text.splitlines()
    print("\n" + "\n".join(lines[-CRASH_LINES:] if finding.kind == "crash" else lines))
    print()


def _where(top, finding):
    """The places of a divergence, as compilers write them."""
    found = {"code": places.implementation(top, finding.op, finding.impl),
             "rule": places.rule(top, finding.op, finding.field)}
    return "".join(f"\n     {what} {place[0]}:{place[1]}" for what, place in found.items() if place)


def print_verdict(top, findings, troubles, seed):
    for job in troubles:
        print(f"TROUBLE: {job.name}: did not get to its end, the log is in {job.folder}/log")
    for finding in findings:
        print(f"RED: {finding.text if finding.kind == 'minimum' else finding.name}" +
              (_where(top, finding) if finding.kind == "divergence" else ""))
    print(f"seed {seed}: the same again with --seed {seed}")
    if not findings and not troubles:
        print("GREEN: every implementation agrees with its reference")
