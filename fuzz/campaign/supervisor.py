# SPDX-License-Identifier: GPL-2.0-or-later
"""The loop of a campaign."""
import signal
import subprocess
import time

from . import corpus, limits
from .background import Background
from .plan import TOP
from .status import line
from .turns import Turns

TICK = 0.5
COLLECT = 5		# seconds from look to look
SAMPLE = 30


class Supervisor:
    """One run of a campaign, from start or resumption to its end."""

    def __init__(self, campaign):
        self.campaign = campaign
        self.turns = Turns(campaign)
        self.background = Background(campaign, self.turns)
        self.rss = 0		# most since the last sample
        self.why = ""		# to stop
        self.bad = False

    def stop(self, why, bad=False):
        """End soon; @bad: because of what is no finding."""
        if not self.why:
            self.why, self.bad = why, bad

    def rules(self):
        """When to stop."""
        c = self.campaign
        plan, state = c.plan, c.state
        room = limits.full(c.folder.path)
        if room:
            self.stop(room, bad=True)
        if state.usage["disk"] > plan.disk:
            self.stop(f"disk: {state.usage['disk']} MiB used, the limit is {plan.disk} (--disk)",
                      bad=True)
        if len(state.disabled()) == len(plan.workers):
            self.stop("every worker was given up", bad=True)
        if plan.time and c.up() >= plan.time:
            self.stop(f"time: {plan.time} s")
        if plan.idle and c.up() - max(state.gain, c.before) >= plan.idle:
            self.stop(f"no new edge and no new signature for {plan.idle} s")
        if self.turns.over() and not self.turns.running:
            self.stop(f"{plan.slices} slices")

    def look(self):
        """Collect, sample, measure."""
        c = self.campaign
        if c.every("collect", COLLECT):
            self.rss = max(self.rss, limits.memory(c.folder))
            self.turns.collect()
        if c.every("sample", SAMPLE):
            self.turns.sample()
            self.usage()
            c.say(line(c.state))
            c.ledger.rotate(c.state.record())

    def usage(self):
        """Memory and disk; corpora are made small before their limit is met."""
        c = self.campaign
        used = limits.disk(c.folder.path)
        c.add("usage", rss=self.rss, disk=used)
        self.rss = 0
        if used > c.plan.disk * 3 // 4:
            c.due["merge"] = c.due["queues"] = 0

    def open(self):
        """Begin, or go on."""
        c = self.campaign
        c.began = time.monotonic()	# what was built before does not count
        commit = subprocess.run(["git", "-C", TOP, "rev-parse", "--short", "HEAD"],
                                capture_output=True, text=True, check=False).stdout.strip()
        c.add("start", commit=commit, jobs=c.plan.jobs, workers=c.plan.workers)
        if c.ledger.torn or c.bad:
            c.note(f"ledger: {c.ledger.torn} bytes of a torn last line were cut off, {c.bad} "
                   "lines are no records")
        left = limits.end_leftovers(c.folder)
        if left:
            c.note(f"{left} processes of a campaign that was killed were ended")
        self.turns.recover()
        for name in ("corpus", "seeds"):
            bad = corpus.tidy(c.folder, name)
            if bad:
                c.note(f"{len(bad)} files were moved from {name}/ to {name}.bad/: "
                       + "; ".join(bad[:3]) + ("; ..." if len(bad) > 3 else ""))

    def close(self):
        """End all slices, sort what is left, say how it went."""
        c = self.campaign
        self.turns.finish()
        self.background.finish()
        limits.end_leftovers(c.folder)
        self.usage()
        c.add("stop", why=self.why)
        c.say(line(c.state))
        c.say(f"stopped: {self.why}")

    def abandon(self, error):
        """The disk is full or broken: end everything; the next start takes up what is there."""
        self.turns.kill()
        self.background.chores.kill()
        limits.end_leftovers(self.campaign.folder)
        self.campaign.say(f"{error.filename or self.campaign.folder.path}: {error.strerror}: "
                          "stopped; nothing is lost, run it again when that is mended")

    def run(self):
        """Until a rule or a signal ends it; the exit code."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda n, _: self.stop(signal.Signals(n).name))
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        try:
            self.open()
            while not self.why:
                self.rules()
                if not self.why:
                    self.turns.fill()
                self.background.next()
                time.sleep(TICK)
                self.turns.poll()
                self.look()
                self.background.take()
            self.close()
        except OSError as error:
            self.abandon(error)
            return 2
        return 2 if self.bad else self.campaign.state.exit_code()
