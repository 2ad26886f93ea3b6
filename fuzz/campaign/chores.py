# SPDX-License-Identifier: GPL-2.0-or-later
"""What goes on in the background, one at a time: sorting what was found, minimizing corpora, and
the canary. A chore returns records for the ledger.
"""
import os
import shutil
import signal
import subprocess
import time

from .engines import all_engines
from .limits import MARK
from .plan import Folder, Plan


class Chores:
    """What all chores need, and the process that the current one waits for."""

    def __init__(self, folder, plan):
        self.folder, self.plan = folder, plan
        self.process = None

    def run(self, command, env=None, seconds=600):
        """Run a program that belongs to the campaign: its status, standard output and error."""
        environment = os.environ | {MARK: str(self.folder.path)} | (env or {})
        with subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              errors="replace", start_new_session=True,
                              cwd=self.folder / "tmp") as process:
            self.process = process
            try:
                out, err = process.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                self.kill()
                out, err = process.communicate()
            self.process = None
        return process.returncode, out, err

    def kill(self):
        """End the program of the current chore."""
        process = self.process
        if process:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def scratch(self, name):
        """An empty folder."""
        path = self.folder / "tmp" / name
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(parents=True)
        return path


CANARY_RUNS = {"random": 20000, "afl": 200000}
MOST_RUNS = 400000


def canary(chores, engine, n):
    """Does @engine still find what is known to be wrong? Through all that a finding goes through."""
    plan, place = chores.plan, Folder(chores.scratch("canary"))
    for name in ("bin", "seeds"):
        (place / name).symlink_to(chores.folder / name)
    place.make()
    runs = CANARY_RUNS.get(engine, MOST_RUNS)
    driver = all_engines(place, Plan(runs=runs, seed=plan.seed, op=plan.op, impl=plan.canary,
                                     memory=plan.memory))[engine]
    sl = driver.new_slice("canary-1", n)
    (sl.folder / "found").mkdir(parents=True)
    began = time.monotonic()
    env = driver.environment(sl) | {"AFL_BENCH_UNTIL_CRASH": "1"}
    command = [chores.folder.bin / "cputime", sl.folder / "time", *driver.command(sl)]
    _, out, _ = chores.run(command, env)
    if driver.has_result:
        sl.result.write_text(out)
    found = driver.found(sl.worker)
    signature = ""
    if found:
        _, out, _ = chores.run([place.bin / "ptediff", "bucket", "--quiet", "--budget", "1",
                                "--impl", plan.canary, "--out", place / "buckets", *found])
        buckets = sorted((place / "buckets").glob("*/min.pte"))
        signature = expected(buckets[0]) if buckets else ""
    return [{"type": "canary", "engine": engine, "found": bool(signature), "signature": signature,
             "execs": driver.executions(sl), "seconds": round(time.monotonic() - began, 1)}]


def expected(scenario):
    """The signature in a saved scenario."""
    for line in scenario.read_text().splitlines():
        if line.startswith("expect "):
            return line.split()[1]
    return ""
