# SPDX-License-Identifier: GPL-2.0-or-later
"""Print what was judged and what never was. Exits 1 when a hole has no reason."""

import argparse
import sys

from coveragereport import page
from coveragereport import reasons as why
from coveragereport.cells import Counts


def _print(title, lines):
    print(f"\n### {title}\n")
    for line in lines:
        print(line)


def main():
    parser = argparse.ArgumentParser(prog="coveragereport", description=__doc__)
    parser.add_argument("--reasons", help="instead of reasons.ini beside the program")
    parser.add_argument("files", nargs="+", help="what --coverage wrote; counts are added up")
    args = parser.parse_args()
    counts = Counts()
    for file in args.files:
        counts.read(file)
    reasons = why.load(args.reasons)
    explained, open_holes = page.sorted_holes(counts, reasons)

    _print("Combinations that were judged", page.summary_table(counts))
    for dimension in ("kind", "order", "place", "flag"):
        _print(f"Entries by {dimension}", page.values_table(counts, dimension))
    _print("Arguments", page.arguments_table(counts))
    _print("By implementation", page.rows_table(counts))
    _print("Holes, and why", page.reasons_table(reasons, explained))
    if open_holes:
        _print("Holes without a reason", page.open_table(open_holes))
    return 1 if open_holes else 0


if __name__ == "__main__":
    sys.exit(main())
