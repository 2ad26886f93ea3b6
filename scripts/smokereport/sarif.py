# SPDX-License-Identifier: GPL-2.0-or-later
"""SARIF 2.1.0, which code hosting sites show beside the code.

The place of a result is the implementation, the related place the row of the contract that it
breaks. Paths are relative to the top of the repository, for a kernel tree to that of the tree.
"""

import json

from smokereport import places

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def _location(place, text=None, number=None):
    file, line = place
    location = {"physicalLocation": {"artifactLocation": {"uri": file, "uriBaseId": "%SRCROOT%"},
                                     "region": {"startLine": max(line, 1)}}}
    if text:
        location["message"] = {"text": text}
        location["id"] = number
    return location


def _rule_of(finding):
    if finding.kind == "divergence":
        return f"{finding.op}/{finding.field}", finding.rule or finding.field
    if finding.kind == "minimum":
        return "smoke/minimum", "Every implementation is compared on something that is not trivial"
    return "smoke/crash", "Code under test and the harness do not crash"


def _message(finding):
    lines = [finding.name if finding.kind != "minimum" else finding.text]
    if finding.rule:
        lines.append(finding.rule)
    if finding.scenario:
        lines.append(f"Smallest scenario: {finding.scenario}")
    return "\n".join(lines)


def _result(top, finding):
    place = places.implementation(top, finding.op, finding.impl) if finding.impl else None
    if finding.kind == "crash" and finding.field:
        place = (finding.field, 1)
    result = {
        "ruleId": _rule_of(finding)[0],
        "level": "error",
        "message": {"text": _message(finding)},
        "locations": [_location(place or ("scripts/smoke", 1))],
        "partialFingerprints": {"signature/v1": finding.name},
    }
    rule = places.rule(top, finding.op, finding.field) if finding.kind == "divergence" else None
    if rule:
        result["relatedLocations"] = [_location(rule, f"The rule: {finding.field}", 1)]
    return result


def write(path, top, findings):
    rules = {}
    for finding in findings:
        name, text = _rule_of(finding)
        rules.setdefault(name, {"id": name, "shortDescription": {"text": text}})
    run = {
        "tool": {"driver": {"name": "ptediff", "rules": list(rules.values())}},
        "results": [_result(top, finding) for finding in findings],
        "columnKind": "utf16CodeUnits",
    }
    with open(path, "w", encoding="utf-8") as out:
        json.dump({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, out, indent=1)
        out.write("\n")
