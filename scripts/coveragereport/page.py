# SPDX-License-Identifier: GPL-2.0-or-later
"""The tables of docs/coverage.md, and the same for a terminal: Markdown."""

import collections

from coveragereport import reasons as why
from coveragereport.cells import DIMENSIONS, holes

LISTED = 2  # holes of so many dimensions are listed one by one


def short(number):
    for limit, unit in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if number >= limit:
            return f"{number / (1e3 if unit == 'k' else limit):.1f}{unit}"
    return str(number)


def _by_value(counts, op, dimension):
    position = DIMENSIONS.index(dimension)
    total = collections.Counter()
    for combination, count in counts.entries[op].items():
        total[combination[position]] += count
    return total


def values_table(counts, dimension):
    ops = sorted(counts.entries)
    yield f"| {dimension} | " + " | ".join(ops) + " |"
    yield "|---|" + "---|" * len(ops)
    totals = {op: _by_value(counts, op, dimension) for op in ops}
    for value in counts.values[dimension]:
        cells = [short(totals[op][value]) if totals[op][value] else "-" for op in ops]
        yield f"| {value} | " + " | ".join(cells) + " |"


def summary_table(counts):
    sizes = range(1, len(DIMENSIONS) + 1)
    yield "| operation | " + " | ".join(f"of {n}" for n in sizes) + " |"
    yield "|---|" + "---|" * len(sizes)
    for op in sorted(counts.entries):
        cells = []
        for size in sizes:
            found, possible = holes(counts, op, size)
            cells.append(f"{possible - len(found)} of {possible}")
        yield f"| {op} | " + " | ".join(cells) + " |"


def sorted_holes(counts, reasons):
    """({reason: {op: holes}}, the same for holes that nothing explains)."""
    explained = collections.defaultdict(collections.Counter)
    open_holes = collections.defaultdict(list)
    for op in sorted(counts.entries):
        for size in range(1, LISTED + 1):
            for hole in holes(counts, op, size)[0]:
                name = why.explain(reasons, op, hole)
                if name:
                    explained[name][op] += 1
                else:
                    open_holes[tuple(hole.items())].append(op)
    return explained, open_holes


def reasons_table(reasons, explained):
    yield "| what is never judged | why | holes |"
    yield "|---|---|---|"
    for name, reason in reasons.items():
        if explained[name]:
            what = "; ".join(f"{d}: {reason[d]}" for d in ("op", *DIMENSIONS) if d in reason)
            yield f"| {what} | {reason['why']} | {sum(explained[name].values())} |"


def open_table(open_holes):
    merged = collections.defaultdict(list)
    for hole, ops in open_holes.items():
        merged[hole[:1], len(hole), tuple(ops)].append(hole)
    yield "| what | with | operations |"
    yield "|---|---|---|"
    for (first, size, ops), group in merged.items():
        others = ", ".join(f"{d} {v}" for hole in group for d, v in hole[1:])
        yield f"| {first[0][0]} {first[0][1]} | {others if size > 1 else 'at all'} | " \
              f"{', '.join(ops)} |"


def arguments_table(counts):
    """Values of arguments by what came of them."""
    verdicts = ("match", "match-trivial", "both-refuse", "divergence")
    yield "| operation | argument | values, with judgements that were not trivial |"
    yield "|---|---|---|"
    for op in sorted(counts.arguments):
        fields = collections.defaultdict(lambda: collections.defaultdict(collections.Counter))
        for (field, value, verdict), count in counts.arguments[op].items():
            fields[field][value][verdict] += count
        for field, values in fields.items():
            cells = [f"{value}: {short(by[verdicts[0]])}" if by[verdicts[0]] else f"**{value}: 0**"
                     for value, by in values.items()]
            yield f"| {op} | {field} | {', '.join(cells)} |"


def rows_table(counts):
    """Implementations that met less than the others of their operation."""
    yield "| operation | implementation | arch | combinations |"
    yield "|---|---|---|---|"
    for (op, impl, arch), seen in sorted(counts.rows.items()):
        yield f"| {op} | {impl} | {arch} | {len(seen)} |"
