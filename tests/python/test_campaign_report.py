# SPDX-License-Identifier: GPL-2.0-or-later
"""The page and the table of a campaign, from a ledger that is kept: tests/golden/campaign-*.

After a change that is meant: PYTHONPATH=fuzz UPDATE=1 python3 tests/python/test_campaign_report.py
"""
import os
import unittest
from html.parser import HTMLParser
from pathlib import Path

from campaign.ledger import read
from campaign.plan import Folder, Plan
from campaign.report import page
from campaign.state import replay
from campaign.status import status

GOLDEN = Path(__file__).parents[1] / "golden"
VOID = {"meta"}


class Balanced(HTMLParser):
    """Every element is closed, and nothing is loaded or run."""

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        assert tag not in ("script", "link", "img", "iframe"), tag
        assert not any(name == "src" or name.startswith("on") for name, _ in attrs), attrs
        assert not any((value or "").startswith("http") for _, value in attrs), attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag


class Report(unittest.TestCase):
    """Golden files."""

    def setUp(self):
        records, bad = read(GOLDEN / "campaign-ledger.jsonl")
        self.assertEqual(bad, 0)
        self.state = replay(records)
        self.page = page(self.state, Folder("/campaign"), Plan(impl="batched_v6_18"))
        self.status = status(self.state, False, 0) + "\n"

    def test_golden(self):
        for name, text in (("report.html", self.page), ("status.txt", self.status)):
            path = GOLDEN / f"campaign-{name}"
            if os.environ.get("UPDATE"):
                path.write_text(text)
            self.assertEqual(text, path.read_text(), f"{path}: see the top of this file")

    def test_it_is_whole_and_alone(self):
        parser = Balanced()
        parser.feed(self.page)
        self.assertEqual(parser.open, [])
        self.assertNotIn("url(", self.page)

    def test_what_a_reader_has_to_see(self):
        for text in ("BLIND", "NOT FOUND", "mremap/bug:mremap-flush-short/tlb/stale",
                     "ptediff run /campaign/findings/mremap-bug-mremap-flush-short-tlb-stale/",
                     "zero_folio/batched_v7_0/x86", "sh /campaign/workers/afl-1/command",
                     "&lt;no seeds&gt;", "prefers-color-scheme: dark", "@media print"):
            self.assertIn(text, self.page)

    def test_an_empty_campaign_has_a_page(self):
        parser = Balanced()
        parser.feed(page(replay([]), Folder("/campaign"), Plan()))
        self.assertEqual(parser.open, [])


if __name__ == "__main__":
    unittest.main()
