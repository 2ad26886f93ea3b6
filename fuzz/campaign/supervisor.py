# SPDX-License-Identifier: GPL-2.0-or-later
"""The loop of a campaign."""
import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from . import Trouble, corpus, findings, limits, workers
from .chores import Chores, canary
from .engines import all_engines, Slice
from .ledger import Ledger, read
from .plan import TOP
from .state import GIVE_UP, replay
from .status import line

TICK = 0.5
COLLECT = 5		# seconds from look to look
SAMPLE = 30
MERGE = 1800
AGAIN = 30		# seconds after which a chore that failed is tried again
BACKOFF = 5		# seconds before a worker that failed starts again, times failures


class Supervisor:
    """One run of a campaign, from start or resumption to its end."""

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
        self.chores = Chores(folder, plan)
        self.pool = ThreadPoolExecutor(max_workers=1)
        self.chore = None
        self.running = {}
        self.retry = {}
        self.busy = set()		# workers that a chore needs not to run
        self.base, self.began = self.state.up, time.monotonic()
        self.due = {}
        self.why = ""
        self.slices, self.rss = 0, 0
        self.ledger = Ledger(folder / "ledger.jsonl")

    # ---- the ledger

    def up(self):
        """Seconds that the campaign has run, breaks not counted."""
        return round(self.base + time.monotonic() - self.began, 1)

    def add(self, kind, **fields):
        """A record, on the disk and in the state."""
        record = {"type": kind, "t": round(time.time(), 1), "up": self.up()} | fields
        self.ledger.append(record)
        self.state.apply(record)

    def note(self, text):
        """For people: here and in the ledger."""
        say(f"{line_time(self.up())} {text}")
        self.add("note", text=text)

    # ---- slices

    def begin(self, worker):
        """The next slice of a worker."""
        engine = self.engines[self.plan.workers[worker]]
        number = self.state.workers[worker].slices + 1
        sl = engine.new_slice(worker, number)
        self.add("slice", worker=worker, n=number, seed=sl.seed)
        try:
            workers.start(self.folder, sl)
        except OSError as error:
            sl.process = None
            self.end(sl, 127, 0, 0, f"cannot be started: {error}")
            return
        self.running[worker] = sl
        self.slices += 1

    def end(self, sl, status, cpu, rss, why=""):
        """What came of a slice that has ended."""
        got = findings.collect(self.folder, sl.engine, sl.worker, self.up(), True)
        reason, failed = (why, True) if why else sl.engine.why(sl, status)
        if sl.ending:
            reason, failed = "stopped", False
        elif reason == "found" and not got:
            reason, failed = f"ended with {status} and left no file", True
        self.add("end", worker=sl.worker, n=sl.n, execs=sl.engine.executions(sl),
                 seconds=round(time.monotonic() - sl.began, 1), cpu=round(cpu, 1), rss=rss,
                 why=reason, failed=failed, rows=sl.engine.rows(sl), **sl.engine.progress(sl))
        if failed:
            self.failed(sl, reason)

    def failed(self, sl, reason):
        """Tell, keep the log, wait longer each time."""
        shutil.copyfile(sl.log, sl.folder / "log.failed")
        last = sl.log.read_bytes()[-300:].decode(errors="replace").strip().splitlines()
        count = self.state.workers[sl.worker].in_a_row
        self.note(f"{sl.worker}: {reason}: {last[-1] if last else 'no output'}")
        self.retry[sl.worker] = time.monotonic() + BACKOFF * count
        if sl.engine.name == "afl" and count > 1:
            shutil.rmtree(sl.engine.instance(sl.worker), ignore_errors=True)
        if count >= GIVE_UP:
            self.note(f"{sl.worker}: given up after {count} failures in a row; its last output is "
                      f"in {sl.folder / 'log.failed'}")

    def poll(self):
        """Slices that have ended, or should have."""
        for worker, sl in list(self.running.items()):
            done = workers.poll(sl)
            if done:
                del self.running[worker]
                self.end(sl, *done)
            elif not self.plan.runs and workers.overdue(sl, self.plan.slice):
                self.note(f"{worker}: did not end in time, killed")
                workers.kill(sl)

    def fill(self):
        """Start slices while there are free places: who has had the least goes first."""
        gone = self.state.disabled()
        idle = [w for w in self.plan.workers if w not in self.running and w not in gone
                and w not in self.busy and self.retry.get(w, 0) < time.monotonic()]
        idle.sort(key=lambda w: self.state.workers[w].seconds)
        for worker in idle[:max(0, self.plan.jobs - len(self.running))]:
            if self.plan.slices and self.slices >= self.plan.slices:
                return
            self.begin(worker)

    # ---- now and then

    def every(self, what, seconds):
        """Is it time again? The first time at once."""
        now = time.monotonic()
        if now < self.due.get(what, 0):
            return False
        self.due[what] = now + seconds
        return True

    def look(self):
        """Collect, sample, watch the limits."""
        if self.every("collect", COLLECT):
            self.rss = max(self.rss, limits.memory(self.folder))
            for worker, sl in self.running.items():
                if sl.engine.finds_while_running:
                    findings.collect(self.folder, sl.engine, worker, self.up(), False)
        if self.every("sample", SAMPLE):
            for worker, sl in self.running.items():
                self.add("sample", worker=worker, n=sl.n, execs=sl.engine.executions(sl),
                         **sl.engine.progress(sl))
            self.add("usage", rss=self.rss, disk=limits.disk(self.folder.path))
            self.rss = 0
            say(line(self.state))
            self.ledger.rotate(self.state.record())
            self.watch_disk()

    def watch_disk(self):
        """Stop before the disk is full; make corpora small before the limit is met."""
        used, most = self.state.usage["disk"], self.plan.disk
        if used > most:
            self.stop(f"disk: {used} MiB used, the limit is {most} (--disk)", bad=True)
        elif used > most * 3 // 4:
            self.due["merge"] = 0

    def stop(self, why, bad=False):
        """End soon; @bad: because of what is no finding."""
        if not self.why:
            self.why, self.bad_end = why, bad

    bad_end = False

    def rules(self):
        """When to stop."""
        plan, state = self.plan, self.state
        room = limits.full(self.folder.path)
        if room:
            self.stop(room, bad=True)
        if plan.time and self.up() >= plan.time:
            self.stop(f"time: {plan.time} s")
        if plan.idle and self.up() - state.gain >= plan.idle:
            self.stop(f"no new edge and no new signature for {plan.idle} s")
        if len(state.disabled()) == len(plan.workers):
            self.stop("every worker was given up", bad=True)
        if plan.slices and self.slices >= plan.slices and not self.running:
            self.stop(f"{plan.slices} slices")

    # ---- chores

    def take_chore(self):
        """What the chore in the background has come to."""
        if not self.chore or not self.chore[1].done():
            return
        name, future = self.chore
        self.chore = None
        self.busy.clear()
        try:
            records, done = future.result()
        except (OSError, subprocess.SubprocessError, ValueError, KeyError) as error:
            self.due[name] = time.monotonic() + AGAIN
            self.note(f"{name}: {error}")
            return
        for record in records:
            self.take(record)
        for path in done:
            path.unlink(missing_ok=True)

    def take(self, record):
        """A record of a chore."""
        kind = record["type"]
        if kind == "note":
            self.note(record["text"])
            return
        if kind == "find":
            new = record["signature"] not in self.state.signatures
            self.add(**{"kind": kind, **strip(record)},
                     engine=self.state.worker(record).engine)
            if new:
                say(f"{line_time(self.up())} FOUND {record['signature']} by {record['worker']}: "
                    f"{self.folder.findings / record['folder']}")
            return
        was = self.state.blind
        self.add(**{"kind": kind, **strip(record)})
        if kind == "canary" and self.state.blind != was:
            self.note(f"BLIND: {record['engine']} no longer finds {self.plan.canary}"
                      if self.state.blind else "the canary fails again, as it has to")

    def next_chore(self):
        """The first that is due."""
        if self.chore:
            return
        engines = list(dict.fromkeys(self.plan.workers.values()))
        runs = sum(c["runs"] for c in self.state.canary.values())
        if any(self.folder.inbox.iterdir()) and self.every("sort", 0):
            self.submit("sort", findings.sort, self.chores)
        elif self.every("canary", self.plan.every / len(engines) if runs >= len(engines) else 0):
            self.submit("canary", plain(canary), self.chores, engines[runs % len(engines)], runs)
        elif (self.folder.bin / "fuzz.libfuzzer").exists() and self.up() > MERGE / 2 \
                and self.every("merge", MERGE):
            self.submit("merge", plain(corpus.merge), self.chores)
        else:
            for worker in corpus.long_queues(self.folder) if self.every("queues", 300) else []:
                if worker not in self.running:
                    self.busy.add(worker)
                    self.submit("cmin", plain(corpus.shorten), self.chores, worker)
                    return

    def submit(self, name, function, *arguments):
        """In the background."""
        self.chore = name, self.pool.submit(function, *arguments)

    # ---- beginning and end

    def recover(self):
        """After a kill: end what still runs, count what had been done, keep what had been found."""
        left = limits.end_leftovers(self.folder)
        if left:
            self.note(f"{left} processes of the campaign before were ended")
        for worker, w in self.state.workers.items():
            engine = self.engines.get(w.engine)
            if not engine:
                continue
            findings.collect(self.folder, engine, worker, self.up(), True)
            if w.open:
                sl = Slice(worker, engine, w.open["n"], 0, self.folder.worker(worker))
                execs = max(engine.executions(sl), w.open["execs"])
                self.add("end", worker=worker, n=sl.n, execs=execs, cpu=0, rss=0, failed=False,
                         seconds=round(max(0, self.base - w.open["up"]), 1), why="killed",
                         rows=engine.rows(sl))

    def open(self):
        """Begin, or go on."""
        commit = subprocess.run(["git", "-C", TOP, "rev-parse", "--short", "HEAD"],
                                capture_output=True, text=True, check=False).stdout.strip()
        self.add("start", commit=commit, jobs=self.plan.jobs, workers=self.plan.workers)
        if self.ledger.torn or self.bad:
            self.note(f"ledger: {self.ledger.torn} bytes of a torn last line cut off, "
                      f"{self.bad} lines are no records")
        self.recover()
        bad = corpus.tidy(self.folder)
        if bad:
            self.note(f"{len(bad)} files moved from corpus/ to corpus.bad/: " + "; ".join(bad[:3]))

    def close(self):
        """End all slices, sort what is left, say how it went."""
        for sl in self.running.values():
            workers.ask_to_end(sl)
        while self.running:
            time.sleep(TICK / 5)
            self.poll_ending()
        if self.chore and self.chore[0] != "sort":
            self.chores.kill()
        self.due.pop("sort", None)
        while self.chore or any(self.folder.inbox.iterdir()):
            if not self.chore:
                if not self.every("sort", 0):
                    self.note("what is in inbox/ is sorted at the next start")
                    break
                self.submit("sort", findings.sort, self.chores)
            time.sleep(TICK / 5)
            self.take_chore()
        self.pool.shutdown()
        limits.end_leftovers(self.folder)
        self.add("usage", rss=0, disk=limits.disk(self.folder.path))
        self.add("stop", why=self.why)

    def poll_ending(self):
        """Slices on their way out."""
        for worker, sl in list(self.running.items()):
            done = workers.poll(sl)
            if done:
                del self.running[worker]
                self.end(sl, *done)
            elif workers.overdue(sl, 0):
                workers.kill(sl)

    def run(self):
        """Until a rule or a signal ends it; the exit code."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda n, _: self.stop(signal.Signals(n).name))
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        try:
            self.open()
            while not self.why:
                self.rules()
                self.fill()
                self.next_chore()
                time.sleep(TICK)
                self.poll()
                self.look()
                self.take_chore()
            self.close()
        except OSError as error:
            self.abandon(error)
            return 2
        say(line(self.state))
        say(f"stopped: {self.why}")
        return 2 if self.bad_end else self.state.exit_code()

    def abandon(self, error):
        """The disk is full or broken: end everything; what is there is found at the next start."""
        for sl in self.running.values():
            workers.kill(sl)
        self.chores.kill()
        limits.end_leftovers(self.folder)
        say(f"campaign: {error}: stopped; nothing is lost, run it again when there is room")


def plain(chore):
    """A chore that has no files to remove."""
    return lambda *arguments: (chore(*arguments), [])


def strip(record):
    """The fields of a record."""
    return {k: v for k, v in record.items() if k != "type"}


def line_time(up):
    """1:02:03."""
    return f"{int(up) // 3600}:{int(up) // 60 % 60:02}:{int(up) % 60:02}"


def say(text):
    """To the log, as long as somebody listens."""
    try:
        print(text, flush=True)
    except OSError:
        pass
