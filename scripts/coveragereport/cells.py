# SPDX-License-Identifier: GPL-2.0-or-later
"""The counts, and the holes in them."""

import collections
import itertools
from pathlib import Path

DIMENSIONS = ("kind", "order", "place", "flag")


class Counts:
    """values[dimension]: all there are; entries[op][combination] and arguments[op] are counts;
    rows[(op, implementation, arch)] is the set of combinations that it was judged on."""

    def __init__(self):
        self.values = {}
        self.entries = collections.defaultdict(collections.Counter)
        self.arguments = collections.defaultdict(collections.Counter)
        self.rows = collections.defaultdict(set)

    def read(self, path):
        for line in Path(path).read_text().splitlines():
            what, *words = line.split("\t")
            if what == "values":
                self.values[words[0]] = words[1:]
                continue
            op, impl, arch, *combination, count = words
            if what == "entry":
                self.entries[op][tuple(combination)] += int(count)
                self.rows[op, impl, arch].add(tuple(combination))
            else:
                self.arguments[op][tuple(combination)] += int(count)


def _projections(combinations):
    """For each choice of dimensions, what was seen of it."""
    return {dims: {tuple(c[d] for d in dims) for c in combinations}
            for size in range(1, len(DIMENSIONS) + 1)
            for dims in itertools.combinations(range(len(DIMENSIONS)), size)}


def _parts_seen(seen, dims, values):
    return all(tuple(values[dims.index(d)] for d in part) in seen[part]
               for part in itertools.combinations(dims, len(dims) - 1))


def holes(counts, op, size):
    """(holes, number possible) of combinations of @size dimensions; a hole is a dict."""
    seen = _projections(counts.entries[op])
    found, possible = [], 0
    for dims in itertools.combinations(range(len(DIMENSIONS)), size):
        for values in itertools.product(*(counts.values[DIMENSIONS[d]] for d in dims)):
            if size > 1 and not _parts_seen(seen, dims, values):
                continue
            possible += 1
            if values not in seen[dims]:
                found.append({DIMENSIONS[d]: v for d, v in zip(dims, values)})
    return found, possible
