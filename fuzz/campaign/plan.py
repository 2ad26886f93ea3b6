# SPDX-License-Identifier: GPL-2.0-or-later
"""What was asked for, and where things are in the folder of a campaign.

    plan.json		the options, so that the folder alone is enough to go on
    ledger.jsonl	what happened
    bin/		the programs that run: a rebuild of the checkout does not disturb them
    seeds/		corpus/seeds and what --corpus gave, as bytes
    corpus/		what the engines share: libFuzzer's folder, AFL++ reads it
    afl/		AFL++'s -o folder
    workers/NAME/	log and counters of the worker's slice, what it found
    inbox/		files that were found and are not yet sorted
    findings/		a folder for each signature
    known		signatures that no longer end an engine
"""
import hashlib
import json
import os
import re
from dataclasses import asdict, dataclass, field
from pathlib import Path

from . import Trouble

TOP = Path(__file__).resolve().parents[2]
MIX = "libfuzzer=2,libfuzzer-cmp=1,afl=2,random=1"
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def duration(text):
    """90, 90s, 30m, 1h, 2d in seconds."""
    m = re.fullmatch(r"(\d+)([smhd]?)", text)
    if not m:
        raise Trouble(f"'{text}': expected a duration, for example 90s, 30m, 8h or 2d")
    return int(m[1]) * UNITS[m[2] or "s"]


def parse_mix(text, engines):
    """"libfuzzer=2,random" as {worker: engine}, in the order given."""
    workers = {}
    for part in text.split(","):
        engine, _, number = part.partition("=")
        if engine not in engines or not re.fullmatch(r"\d*", number):
            raise Trouble(f"--workers: '{part}': expected ENGINE or ENGINE=N; engines are "
                          + ", ".join(engines))
        for i in range(1, int(number or 1) + 1):
            workers[f"{engine}-{i}"] = engine
    if not workers:
        raise Trouble("--workers: none")
    return workers


@dataclass
class Plan:
    """The options; those of a limit are 0 when there is none."""
    workers: dict = field(default_factory=dict)
    jobs: int = 0
    slice: int = 300		# seconds
    runs: int = 0			# executions of a slice instead
    slices: int = 0		# stop after so many
    time: int = 0			# stop after so many seconds
    idle: int = 0			# stop when so long nothing new came
    seed: int = 1
    op: str = "all"
    impl: str = ""		# to judge; empty: all that are not known wrong
    add: list = field(default_factory=list)		# bugs and trees, judged beside those
    trees: list = field(default_factory=list)		# NAME=PATH
    judged: str = ""		# both, by name; empty: all that are not known wrong
    canary: str = "batched_posted_v3"
    every: int = 600		# seconds from canary to canary
    keep: int = 5
    memory: int = 2048		# MiB, each worker
    disk: int = 4096		# MiB, the folder

    def save(self, path):
        """For the next start."""
        new = path.with_suffix(".new")
        new.write_text(json.dumps(asdict(self), indent=1) + "\n")
        os.replace(new, path)

    @staticmethod
    def load(path):
        """As it was saved, or as it is by default."""
        if not path.exists():
            return Plan()
        try:
            return Plan(**json.loads(path.read_text()))
        except (ValueError, TypeError) as error:
            raise Trouble(f"{path}: is no plan of a campaign: {error}") from None


class Folder:
    """Where things are."""

    def __init__(self, path):
        self.path = Path(path).resolve()

    def __truediv__(self, name):
        return self.path / name

    @property
    def bin(self):
        """The programs."""
        return self.path / "bin"

    @property
    def corpus(self):
        """What the engines share."""
        return self.path / "corpus"

    @property
    def findings(self):
        """What came out."""
        return self.path / "findings"

    @property
    def inbox(self):
        """Found, not yet sorted."""
        return self.path / "inbox"

    def worker(self, name):
        """A worker's own."""
        return self.path / "workers" / name

    def make(self):
        """All folders."""
        for name in ("bin", "seeds", "corpus", "afl", "workers", "inbox", "findings", "tmp"):
            (self.path / name).mkdir(parents=True, exist_ok=True)


def seed_of(plan, worker, n, bits):
    """The seed of a slice: another one each time, the same in every campaign with this seed."""
    text = f"{plan.seed}/{worker}/{n}".encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:8], "little") % ((1 << bits) - 1) + 1
