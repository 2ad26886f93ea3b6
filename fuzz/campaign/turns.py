# SPDX-License-Identifier: GPL-2.0-or-later
"""Workers take turns: slices are begun, watched and counted here."""
import re
import shutil
import time

from . import corpus, findings, workers
from .engines import Slice, tail
from .state import GIVE_UP

BACKOFF = 5		# seconds before a worker that failed starts again, times failures
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
COMPLAINT = re.compile(r"ABORT|ERROR|error|ptediff: ")


class Turns:
    """The slices that run, and who is next."""

    def __init__(self, campaign):
        self.campaign = campaign
        self.running = {}
        self.retry = {}		# no earlier than
        self.busy = set()		# a chore needs them not to run
        self.begun = 0

    def fill(self):
        """Start slices while there are free places: who has had the least goes first."""
        c = self.campaign
        gone, now = c.state.disabled(), time.monotonic()
        idle = [w for w in c.plan.workers if w not in self.running and w not in gone
                and w not in self.busy and self.retry.get(w, 0) < now]
        idle.sort(key=lambda w: c.state.workers[w].seconds)
        for worker in idle[:max(0, c.plan.jobs - len(self.running))]:
            if self.over():
                return
            self.begin(worker)

    def over(self):
        """Were there as many as were asked for?"""
        return bool(self.campaign.plan.slices) and self.begun >= self.campaign.plan.slices

    def begin(self, worker):
        """The next slice of a worker."""
        c = self.campaign
        engine = c.engines[c.plan.workers[worker]]
        sl = engine.new_slice(worker, c.state.workers[worker].slices + 1)
        c.add("slice", worker=worker, n=sl.n, seed=sl.seed)
        workers.start(c.folder, sl)
        self.running[worker] = sl
        self.begun += 1

    def poll(self):
        """Slices that have ended, or should have."""
        for worker, sl in list(self.running.items()):
            done = workers.poll(sl)
            if done:
                del self.running[worker]
                self.end(sl, *done)
            elif workers.overdue(sl, 0 if self.campaign.plan.runs else self.campaign.plan.slice):
                self.campaign.note(f"{worker}: does not end, killed")
                sl.killed = True
                workers.kill(sl)

    def end(self, sl, status, cpu, rss):
        """What came of a slice that has ended."""
        c, engine = self.campaign, sl.engine
        got = findings.collect(c.folder, engine, sl.worker, c.up(), True)
        why, failed = ("stopped", False) if sl.ending else ("killed", True) if sl.killed else \
            engine.why(sl, status)
        if why == "found" and not got:
            why, failed = f"ended with {status} and left no file", True
        c.add("end", worker=sl.worker, n=sl.n, execs=engine.executions(sl),
              seconds=round(time.monotonic() - sl.began, 1), cpu=round(cpu, 1), rss=rss, why=why,
              failed=failed, rows=engine.rows(sl), **engine.progress(sl))
        if failed:
            self.failed(sl, why)

    def failed(self, sl, why):
        """Tell, keep the log, wait longer each time. AFL++ begins afresh."""
        c = self.campaign
        count = c.state.workers[sl.worker].in_a_row
        kept = sl.folder / "log.failed"
        shutil.copyfile(sl.log, kept)
        c.note(f"{sl.worker}: {why}: {last_words(sl.log)}")
        self.retry[sl.worker] = time.monotonic() + BACKOFF * count
        if sl.engine.name == "afl" and not sl.killed:
            instance = sl.engine.instance(sl.worker)
            corpus.salvage(c.folder, instance / "queue")
            shutil.rmtree(instance, ignore_errors=True)
        if count >= GIVE_UP:
            c.note(f"{sl.worker}: given up after {count} failures in a row; what it said is in "
                   f"{kept}")

    def collect(self):
        """What engines have found in slices that go on."""
        c = self.campaign
        for worker, sl in self.running.items():
            if sl.engine.finds_while_running:
                findings.collect(c.folder, sl.engine, worker, c.up(), False)

    def sample(self):
        """How far everybody is."""
        for worker, sl in self.running.items():
            self.campaign.add("sample", worker=worker, n=sl.n, execs=sl.engine.executions(sl),
                              **sl.engine.progress(sl))

    def finish(self):
        """End all, gently first."""
        for sl in self.running.values():
            workers.ask_to_end(sl)
        while self.running:
            time.sleep(0.1)
            self.poll()

    def kill(self):
        """End all at once."""
        for sl in self.running.values():
            workers.kill(sl)

    def recover(self):
        """After a kill: keep what had been found, count what had been done."""
        c = self.campaign
        for worker, w in c.state.workers.items():
            engine = c.engines.get(w.engine)
            if not engine:
                continue
            findings.collect(c.folder, engine, worker, c.up(), True)
            if w.open:
                sl = Slice(worker, engine, w.open["n"], 0, c.folder.worker(worker))
                c.add("end", worker=worker, n=sl.n, cpu=0, rss=0, failed=False, why="killed",
                      execs=max(engine.executions(sl), w.open["execs"]), rows=engine.rows(sl),
                      seconds=round(max(0, c.before - w.open["up"]), 1))


def last_words(log):
    """What a program said of its failure: a line about it, or the last."""
    text = ESCAPES.sub("", tail(log, 4096).decode(errors="replace"))
    lines = [line for line in text.splitlines() if line.strip(" -+[]")]
    wrong = [line for line in lines if COMPLAINT.search(line)]
    return ([*lines, *wrong] or ["no output"])[-1].strip()
