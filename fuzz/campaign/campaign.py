# SPDX-License-Identifier: GPL-2.0-or-later
"""A campaign that runs: its folder, its plan, and the one way to say that something happened."""
import fcntl
import time

from . import Trouble
from .engines import all_engines
from .ledger import Ledger, read
from .state import replay
from .status import clock


class Campaign:
    """What the parts of the supervisor share."""

    def __init__(self, folder, plan):
        self.folder, self.plan = folder, plan
        self.lock = open(folder / "lock", "w")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Trouble(f"{folder.path}: a campaign already runs there") from None
        records, self.bad = read(folder / "ledger.jsonl")
        self.state = replay(records)
        self.engines = all_engines(folder, plan)
        self.before, self.began = self.state.up, time.monotonic()
        self.due = {}
        self.ledger = Ledger(folder / "ledger.jsonl")

    def up(self):
        """Seconds that the campaign has run, breaks not counted."""
        return round(self.before + time.monotonic() - self.began, 1)

    def add(self, kind, **fields):
        """A record, on the disk and in the state."""
        record = {"type": kind, "t": round(time.time(), 1), "up": self.up()} | fields
        self.ledger.append(record)
        self.state.apply(record)

    def note(self, text):
        """For people: here and in the ledger."""
        self.say(text)
        self.add("note", text=text)

    def say(self, text):
        """To the log, as long as somebody listens."""
        try:
            print(f"{clock(self.up())} {text}", flush=True)
        except OSError:
            pass

    def every(self, what, seconds):
        """Is it time for @what again? The first time at once."""
        now = time.monotonic()
        if now < self.due.get(what, 0):
            return False
        self.due[what] = now + seconds
        return True
