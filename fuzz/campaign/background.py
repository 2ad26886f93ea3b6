# SPDX-License-Identifier: GPL-2.0-or-later
"""Chores in the background, one at a time: which is next, and what the last one came to."""
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from . import corpus, findings
from .canary import canary
from .chores import Chores

AGAIN = 30		# seconds after which a chore that failed is tried again
MERGE = 1200
QUEUES = 300


class Background:
    """The current chore."""

    def __init__(self, campaign, turns):
        self.campaign, self.turns = campaign, turns
        self.chores = Chores(campaign.folder, campaign.plan)
        self.pool = ThreadPoolExecutor(max_workers=1)
        self.name = self.future = None

    def submit(self, name, chore, *arguments):
        """Start a chore: a function that returns records, and files that are done with."""
        self.name, self.future = name, self.pool.submit(chore, self.chores, *arguments)

    def waiting(self):
        """Is there anything to sort?"""
        return any(self.campaign.folder.inbox.iterdir())

    def next(self):
        """Start the first that is due: what was found comes first."""
        if self.future:
            return
        c = self.campaign
        engines = list(dict.fromkeys(c.plan.workers.values()))
        asked = sum(canary["runs"] for canary in c.state.canary.values())
        if self.waiting() and c.every("sort", 0):
            self.submit("sort", findings.sort)
        elif c.every("canary", c.plan.every / len(engines) if asked >= len(engines) else 0):
            self.submit("canary", canary, engines[asked % len(engines)], asked)
        elif "libfuzzer" in engines and c.up() > MERGE / 4 and c.every("merge", MERGE):
            self.submit("merge", corpus.merge)
        elif "afl" in engines and c.every("queues", QUEUES):
            self.shorten()

    def shorten(self):
        """A queue that is too long, of a worker whose turn it is not."""
        for worker in corpus.long_queues(self.campaign.folder):
            if worker not in self.turns.running:
                self.turns.busy.add(worker)
                self.submit("afl-cmin", corpus.shorten, worker)
                return

    def take(self):
        """What the current chore has come to, once it has ended."""
        if not self.future or not self.future.done():
            return
        future, self.future = self.future, None
        self.turns.busy.clear()
        try:
            records, done = future.result()
        except (OSError, subprocess.SubprocessError, ValueError, KeyError) as error:
            self.campaign.due[self.name] = time.monotonic() + AGAIN
            self.campaign.note(f"{self.name}: {error}")
            return
        for record in records:
            self.record(record)
        for path in done:
            path.unlink(missing_ok=True)

    def record(self, record):
        """A record of a chore, told to people where it is news."""
        c = self.campaign
        kind = record.pop("type")
        if kind == "note":
            c.note(record["text"])
        elif kind == "find":
            if record["signature"] not in c.state.signatures:
                c.say(f"FOUND {record['signature']} by {record['worker']}: "
                      f"{c.folder.findings / record['folder']}")
            c.add("find", engine=c.state.worker(record).engine, **record)
        else:
            blind, why = c.state.blind, record.pop("why", "")
            c.add(kind, **record)
            if c.state.blind and not record.get("found", True):
                c.note(f"BLIND: {record['engine']} no longer finds {c.plan.canary}: {why}")
            elif blind and not c.state.blind:
                c.note("no longer blind: the canary is found again")

    def cancel(self):
        """End the current chore; what it would have said of that is not heard."""
        while not self.future.done():
            self.chores.kill()
            time.sleep(0.1)
        self.future = None

    def finish(self):
        """Sort what is left; what cannot be sorted now is at the next start.

        With --runs a campaign is a fixed amount of work, the current chore included.
        """
        if self.future and self.name != "sort" and not self.campaign.plan.runs:
            self.cancel()
        self.campaign.due.pop("sort", None)
        while self.future or self.waiting():
            if not self.future:
                if not self.campaign.every("sort", 0):
                    self.campaign.note("what is in inbox/ is sorted at the next start")
                    break
                self.submit("sort", findings.sort)
            time.sleep(0.1)
            self.take()
        self.pool.shutdown()
