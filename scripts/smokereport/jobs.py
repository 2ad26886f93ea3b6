# SPDX-License-Identifier: GPL-2.0-or-later
"""The jobs of a smoke run: build/smoke/DRIVER/TARGET/, described in scripts/smoke.d/drivers.sh."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

DRIVERS = ("regressions", "random", "libfuzzer", "afl")

# The columns of counters_print behind operation, implementation and arch.
COUNTS = ("judgements", "match", "match-trivial", "both-refuse", "skip", "divergence",
          "batched", "pages", "changed", "never")


@dataclass
class Row:
    """An implementation on an arch, as one job or several judged it."""
    op: str
    impl: str
    arch: str
    judgements: int = 0
    match: int = 0
    divergence: int = 0
    batched: int = 0
    pages: int = 0
    never: bool = False

    @property
    def key(self):
        return (self.op, self.impl, self.arch)

    @property
    def name(self):
        return "/".join(self.key)

    @property
    def non_trivial(self):
        return self.match + self.divergence

    def add(self, other):
        for count in ("judgements", "match", "divergence", "batched", "pages"):
            setattr(self, count, getattr(self, count) + getattr(other, count))
        self.never |= other.never


@dataclass
class Job:
    """A driver on a target. status: clean, found, or trouble when it did not get to its end."""
    driver: str
    target: str
    folder: Path
    status: str = "trouble"
    runs: int = 0
    cpu: float = 0
    seconds: float = 0
    log: str = ""
    rows: list = field(default_factory=list)
    signatures: list = field(default_factory=list)

    @property
    def name(self):
        return f"{self.driver}:{self.target}"


def _text(path):
    return path.read_text(errors="replace") if path.exists() else ""


def _rows_of_counters(text):
    for line in text.splitlines():
        op, impl, arch, *counts = line.split("\t")
        count = dict(zip(COUNTS, map(int, counts)))
        yield Row(op, impl, arch, count["judgements"], count["match"], count["divergence"],
                  count["batched"], count["pages"], bool(count["never"]))


def _rows_of_stats(stats):
    for row in stats["rows"]:
        yield Row(row["op"], row["impl"], row["arch"], row["judgements"], row["match"],
                  row["divergence"], row["batched"], row["pages"])


def _signatures(log):
    found = re.findall(r"^Assertion failure: ptediff (\S+)", log, re.M)
    found += re.findall(r"^divergence: (\S+)$", log, re.M)
    found += re.findall(r"^(?:divergence|unexpected) +\S+  (?:expected \S+ got )?(\w+/\S+)$", log,
                        re.M)
    return list(dict.fromkeys(found))


def _numbers(text):
    return [float(word) for word in text.split()]


def read_job(folder):
    job = Job(folder.parent.name, folder.name, folder)
    job.status = _text(folder / "status").strip() or "trouble"
    job.log = _text(folder / "log")
    job.runs = int(sum(_numbers(_text(folder / "runs"))))
    user, system, job.seconds = _numbers(_text(folder / "time")) or (0, 0, 0)
    job.cpu = user + system
    job.rows = list(_rows_of_counters(_text(folder / "rows")))
    job.signatures = _signatures(job.log)
    stats = _text(folder / "stats.json")
    if stats:
        stats = json.loads(stats)
        job.runs = stats["scenarios"]
        job.rows = list(_rows_of_stats(stats))
        job.signatures += [f["signature"] for f in stats["findings"]
                           if f["signature"] not in job.signatures]
    return job


def read_jobs(out):
    """All of them, in the order in which they ran."""
    folders = [f for f in Path(out).glob("*/*") if f.parent.name in DRIVERS and f.is_dir()]
    return [read_job(f) for f in
            sorted(folders, key=lambda f: (DRIVERS.index(f.parent.name), f.name))]


def merge(jobs):
    """One row for each implementation and arch, over all jobs."""
    rows = {}
    for job in jobs:
        for row in job.rows:
            rows.setdefault(row.key, Row(*row.key)).add(row)
    return [rows[key] for key in sorted(rows)]
