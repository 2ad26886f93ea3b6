# SPDX-License-Identifier: GPL-2.0-or-later
"""What scripts/smokereport makes of the folders that the drivers of a smoke run leave."""

import contextlib
import io
import json
import tempfile
import unittest
import xml.etree.ElementTree as ET
from pathlib import Path
from unittest import mock

from smokereport import __main__ as program
from smokereport import places

TOP = Path(__file__).resolve().parents[2]
SIGNATURE = "mremap/batched_posted_v3/dst.write/extra"


def row(arch, non_trivial, impl="batched_posted_v3"):
    return f"mremap\t{impl}\t{arch}\t10\t{non_trivial}\t0\t0\t0\t0\t3\t100\t10\t0\n"


class Smoke(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = Path(folder.name) / "smoke"
        self.ci = Path(folder.name) / "ci"
        self.ci.mkdir()

    def job(self, driver, target, status="clean", **files):
        folder = self.out / driver / target
        (folder / "found").mkdir(parents=True)
        files = {"time": "1.0 0.5 2.0\n", "runs": "10\n", "status": status + "\n", **files}
        for name, text in files.items():
            if text is not None:
                (folder / name).write_text(text)

    def bucket(self):
        folder = self.ci / "findings" / "one"
        folder.mkdir(parents=True)
        op, impl, field, relation = SIGNATURE.split("/")
        (folder / "meta.json").write_text(json.dumps({
            "signature": SIGNATURE, "operation": op, "implementation": impl, "field": field,
            "relation": relation}))
        (folder / "report.txt").write_text(
            "divergence: x\n\nrule: dst.write: per page,\n      always\n      extra: it has it.\n")

    def run_report(self, least=1):
        argv = ["smokereport", "--top", str(TOP), "--out", str(self.out), "--ci", str(self.ci),
                "--seed", "7", "--min", str(least)]
        with mock.patch("sys.argv", argv), contextlib.redirect_stdout(io.StringIO()) as out:
            status = program.main()
        junit = ET.parse(self.ci / "junit.xml")
        sarif = json.loads((self.ci / "ptediff.sarif").read_text())["runs"][0]
        return status, out.getvalue(), junit, sarif

    def test_green(self):
        self.job("libfuzzer", "mremap", rows=row("x86", 5))
        self.job("afl", "all", rows=row("x86", 5))
        status, text, junit, sarif = self.run_report()
        self.assertEqual(status, 0)
        self.assertIn("GREEN", text)
        self.assertIn("--seed 7", text)
        self.assertEqual(len(junit.findall(".//testcase")), 3)
        self.assertEqual(sarif["results"], [])

    def test_idle_driver(self):
        self.job("libfuzzer", "mremap", rows=row("x86", 5))
        self.job("afl", "all", rows=row("x86", 0))
        status, text, junit, _ = self.run_report()
        self.assertEqual(status, 1)
        self.assertIn("RED: afl: mremap/batched_posted_v3/x86 compared nothing non-trivial", text)
        self.assertEqual(len(junit.findall(".//failure")), 1)

    def test_driver_lacks_a_row(self):
        self.job("libfuzzer", "mremap", rows=row("x86", 5) + row("arm64", 5))
        self.job("afl", "all", rows=row("x86", 5))
        status, text, _, _ = self.run_report()
        self.assertEqual(status, 1)
        self.assertIn("RED: afl: no row for mremap/batched_posted_v3/arm64", text)

    def test_minimum(self):
        self.job("libfuzzer", "mremap", rows=row("x86", 5))
        self.job("afl", "all", rows=row("x86", 5))
        self.assertEqual(self.run_report(10)[0], 0)
        status, text, _, sarif = self.run_report(11)
        self.assertEqual(status, 1)
        self.assertIn("compared 10 times something that is not trivial", text)
        self.assertEqual(sarif["results"][0]["ruleId"], "smoke/minimum")

    def test_nothing(self):
        status, text, _, _ = self.run_report()
        self.assertEqual(status, 1)
        self.assertIn("RED: no driver counted anything", text)

    def test_trouble(self):
        self.job("libfuzzer", "mremap", rows=row("x86", 5))
        self.job("afl", "mremap", rows=row("x86", 5))
        (self.out / "afl/mremap/status").unlink()
        status, text, junit, _ = self.run_report()
        self.assertEqual(status, 2)
        self.assertIn("TROUBLE: afl:mremap", text)
        self.assertEqual(len(junit.findall(".//error")), 1)

    def test_divergence(self):
        log = f"Assertion failure: ptediff {SIGNATURE} FuzzerHash=01\n"
        self.job("libfuzzer", "mremap", "found", rows=row("x86", 0), log=log)
        self.job("random", "all", "found", log=f"divergence: {SIGNATURE}\n")
        self.bucket()
        status, text, junit, sarif = self.run_report(1000)
        self.assertEqual(status, 1)
        self.assertIn("found by random:all, libfuzzer:mremap", text)
        self.assertEqual(text.count("RED:"), 1)
        self.assertEqual(len(junit.findall(".//failure")), 3)
        result, = sarif["results"]
        place = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        self.assertEqual(place, "model/ops/mremap/batched_posted_v3.c")
        rule = result["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        self.assertEqual(rule, "model/ops/mremap/op.c")
        self.assertEqual(sarif["tool"]["driver"]["rules"][0]["shortDescription"]["text"],
                         "dst.write: per page, always")

    def test_crash(self):
        log = ("==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602 at pc 0x1\n"
               "    #1 0x55 in move /src/model/ops/mremap/batched.h:20\n")
        self.job("libfuzzer", "mremap", "found", rows=row("x86", 0), log=log)
        status, text, _, sarif = self.run_report()
        self.assertEqual(status, 1)
        self.assertIn("RED: ERROR: AddressSanitizer: heap-buffer-overflow\n", text)
        self.assertEqual(sarif["results"][0]["ruleId"], "smoke/crash")


class Places(unittest.TestCase):
    def line(self, place):
        file, number = place
        return (TOP / file).read_text().splitlines()[number - 1]

    def test_rule(self):
        self.assertIn('"dst.write"', self.line(places.rule(TOP, "mremap", "dst.write")))

    def test_implementations(self):
        place = places.implementation(TOP, "mremap", "batched_posted_v3")
        self.assertIn("move_ptes(", self.line(place))
        for file in (TOP / "model/ops").glob("*/*.c"):
            if file.stem not in ("op", "reference"):
                place = places.implementation(TOP, file.parent.name, file.stem)
                self.assertEqual(place[0], str(file.relative_to(TOP)))

    def test_bugs(self):
        for patch in (TOP / "model/bugs").glob("*.patch"):
            file, number = places.implementation(TOP, "", f"bug:{patch.stem}")
            self.assertTrue((TOP / file).exists(), file)
            self.assertLessEqual(number, len((TOP / file).read_text().splitlines()) + 1)


if __name__ == "__main__":
    unittest.main()
