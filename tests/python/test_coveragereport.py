# SPDX-License-Identifier: GPL-2.0-or-later
"""Holes in what was judged, and the reasons for them."""

import tempfile
import unittest
from pathlib import Path

from coveragereport import page, reasons
from coveragereport.cells import Counts, holes

VALUES = ("values\tkind\tanon\tswap\tfile\n" "values\torder\t-\t4\n" "values\tplace\tinside\n"
          "values\tflag\twrite\tyoung\n")


def counts_of(*combinations):
    counts = Counts()
    with tempfile.NamedTemporaryFile("w", suffix=".tsv") as file:
        file.write(VALUES)
        for combination in combinations:
            file.write("entry\tmremap\timpl\tx86\t" + "\t".join(combination) + "\t3\n")
        file.write("argument\tmremap\timpl\tx86\tpages\t4\tmatch\t7\n")
        file.flush()
        counts.read(file.name)
    return counts


class Holes(unittest.TestCase):
    def setUp(self):
        self.counts = counts_of(("anon", "4", "inside", "write"), ("swap", "-", "inside", "young"))

    def test_a_value_that_is_missing_is_named_once(self):
        self.assertEqual(holes(self.counts, "mremap", 1), ([{"kind": "file"}], 8))
        for hole in holes(self.counts, "mremap", 2)[0]:
            self.assertNotIn("file", hole.values())

    def test_pairs(self):
        found = holes(self.counts, "mremap", 2)[0]
        self.assertIn({"kind": "swap", "order": "4"}, found)
        self.assertIn({"kind": "swap", "flag": "write"}, found)
        self.assertNotIn({"kind": "anon", "flag": "write"}, found)

    def test_reasons(self):
        why = {"a": {"kind": "swap hw*", "order": "[0-9]", "why": "x"},
               "b": {"op": "other", "kind": "file", "why": "y"}}
        self.assertEqual(reasons.explain(why, "mremap", {"kind": "swap", "order": "4"}), "a")
        self.assertIsNone(reasons.explain(why, "mremap", {"kind": "swap", "order": "-"}))
        self.assertIsNone(reasons.explain(why, "mremap", {"kind": "swap"}))
        self.assertIsNone(reasons.explain(why, "mremap", {"kind": "file"}))
        explained, left = page.sorted_holes(self.counts, why)
        self.assertEqual(explained["a"], {"mremap": 1})
        self.assertIn((("kind", "file"),), left)

    def test_our_own_reasons(self):
        for name, reason in reasons.load().items():
            self.assertIn("why", reason, name)
            self.assertTrue(set(reason) <= {"op", "kind", "order", "place", "flag", "why"}, name)


class OurScript(unittest.TestCase):
    def test_page_has_its_marker(self):
        top = Path(__file__).resolve().parents[2]
        self.assertIn("<!-- generated", (top / "docs/coverage.md").read_text())


if __name__ == "__main__":
    unittest.main()
