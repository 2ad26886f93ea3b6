# SPDX-License-Identifier: GPL-2.0-or-later
"""JUnit XML: a case for each job, and one for each implementation on each arch."""

import re
import xml.etree.ElementTree as ET

from smokereport.jobs import merge


def _clean(text):
    """XML 1.0 has no control characters but tab and newline."""
    return re.sub(r"[^\t\n\x20-\ud7ff\ue000-\ufffd]", "?", text)


def _case(suite, classname, name, seconds=0.0):
    return ET.SubElement(suite, "testcase", classname=classname, name=name,
                         time=f"{seconds:.2f}")


def _fault(case, tag, message, text):
    ET.SubElement(case, tag, message=_clean(message)).text = _clean(text)


def _finish(suite):
    for tag, count in (("tests", "testcase"), ("failures", "testcase/failure"),
                       ("errors", "testcase/error")):
        suite.set(tag, str(len(suite.findall(count))))


def _add_jobs(root, jobs, findings):
    suite = ET.SubElement(root, "testsuite", name="drivers")
    for job in jobs:
        case = _case(suite, f"smoke.{job.driver}", job.target, job.seconds)
        if job.status == "trouble":
            _fault(case, "error", "did not get to its end", job.log[-4000:])
        for finding in findings:
            if job.name in finding.found_by:
                _fault(case, "failure", finding.name, finding.text)
    _finish(suite)


def _add_rows(root, jobs, findings):
    suite = ET.SubElement(root, "testsuite", name="implementations")
    for row in merge(jobs):
        case = _case(suite, f"{row.op}.{row.impl}", row.arch)
        for finding in findings:
            broken = finding.kind == "divergence" and (finding.op, finding.impl) == row.key[:2]
            if broken or (finding.kind == "minimum" and finding.name.endswith(row.name)):
                _fault(case, "failure", finding.name, finding.text)
    _finish(suite)


def write(path, jobs, findings):
    root = ET.Element("testsuites", name="ptediff smoke")
    _add_jobs(root, jobs, findings)
    _add_rows(root, jobs, findings)
    ET.indent(root)
    ET.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)
