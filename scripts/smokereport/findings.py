# SPDX-License-Identifier: GPL-2.0-or-later
"""What is wrong: divergences, crashes, and rows that compared too little."""

import dataclasses
import json
import re
from pathlib import Path

from smokereport.jobs import merge


@dataclasses.dataclass
class Finding:
    """kind: divergence, crash (of the code or of the harness's own parsers) or minimum.

    name is the signature, or what stands for one; found_by are names of jobs; scenario is the
    smallest file that shows it, from the top of the repository.
    """
    kind: str
    name: str
    op: str = ""
    impl: str = ""
    field: str = ""
    text: str = ""
    rule: str = ""
    scenario: str = ""
    found_by: list = dataclasses.field(default_factory=list)


def _rule(report, relation):
    """The paragraph "rule: ..." of a report, on one line, up to how it is broken."""
    match = re.search(r"^rule: (.*?)(?:\n\n|\Z)", report, re.M | re.S)
    text = match.group(1).split(f"\n      {relation}: ")[0] if match else ""
    return re.sub(r"\s+", " ", text)


def _relative(path, top):
    path = Path(path).resolve()
    return str(path.relative_to(top)) if path.is_relative_to(top) else str(path)


def _divergences(ci, top, jobs):
    for meta_file in sorted(Path(ci).glob("findings/*/meta.json")):
        meta = json.loads(meta_file.read_text())
        report = (meta_file.parent / "report.txt").read_text().replace(f"{top}/", "")
        yield Finding("divergence", meta["signature"], meta["operation"], meta["implementation"],
                      meta["field"], report, _rule(report, meta["relation"]),
                      _relative(meta_file.parent / "min.pte", top),
                      [job.name for job in jobs if meta["signature"] in job.signatures])


# How sanitizers begin their messages.
_MESSAGE = re.compile(r"(?:ERROR: \w+: .*|runtime error: .*|Assertion failure: .*|WARNING: \w+: .*)")


def _crash_name(log):
    """A line that is the same for the same crash: no process, no addresses."""
    match = _MESSAGE.search(log)
    name = match.group(0) if match else "the target ended"
    name = re.sub(r"^Assertion failure: ptediff (\S+).*", r"\1", name)
    return re.sub(r" on (unknown )?address.*|0x[0-9a-f]+", "", name).strip()


def _crashes(jobs, top, known):
    """Jobs that ended in something that is no divergence of the build without sanitizers."""
    found = {}
    for job in jobs:
        if job.status != "found" or known & set(job.signatures):
            continue
        name = job.signatures[0] if job.signatures else _crash_name(job.log)
        if name not in found:
            inputs = sorted((job.folder / "found").glob("*"))
            frame = re.search(r"(?:model|harness|fuzz)/[\w/]+\.[ch]", job.log)
            found[name] = Finding("crash", name, text=job.log[-6000:],
                                  scenario=_relative(inputs[0], top) if inputs else "",
                                  field=frame.group(0) if frame else "")
        found[name].found_by.append(job.name)
    return list(found.values())


def _too_little(jobs, least):
    for row in merge(jobs):
        if row.non_trivial < least:
            yield Finding("minimum", row.name, row.op, row.impl, text=(
                f"{row.name} compared {row.non_trivial} times something that is not trivial, in "
                f"{row.judgements} judgements: expected {least}"))


def _idle_drivers(jobs):
    """Of the drivers that went through, each has to compare what any other one does."""
    drivers = [d for d in dict.fromkeys(job.driver for job in jobs) if d != "regressions"]
    keys = [row.key for row in merge(jobs)]
    if not keys:
        yield Finding("minimum", "nothing", text="no driver counted anything")
    for driver in drivers:
        own = [job for job in jobs if job.driver == driver]
        if any(job.status == "found" for job in own):
            continue
        rows = {row.key: row for row in merge(own)}
        for key in keys:
            name = "/".join(key)
            if key not in rows:
                yield Finding("minimum", f"{driver}: {name}", key[0], key[1],
                              text=f"{driver}: no row for {name}")
            elif not rows[key].non_trivial:
                yield Finding("minimum", f"{driver}: {name}", key[0], key[1], text=(
                    f"{driver}: {name} compared nothing non-trivial in "
                    f"{rows[key].judgements} judgements"))


def all_findings(jobs, ci, top, least):
    divergences = list(_divergences(ci, top, jobs))
    crashes = _crashes(jobs, top, {finding.name for finding in divergences})
    findings = divergences + crashes + list(_idle_drivers(jobs))
    # What a driver found ended it: how much was compared then says nothing.
    if not any(job.status == "found" for job in jobs):
        findings += _too_little(jobs, least)
    return findings
