# SPDX-License-Identifier: GPL-2.0-or-later
"""The canary: what is known to be wrong has to be found again and again, by each engine, through
all that a finding goes through: engine, file, `ptediff bucket`.
"""
import time

from .engines import all_engines
from .plan import Folder, Plan
from .turns import last_words

MOST_RUNS = {"random": 20000, "afl": 200000}
LIBFUZZER_RUNS = 400000


def canary(chores, engine, n):
    """Does @engine still find it? One record."""
    plan, place = chores.plan, Folder(chores.scratch("canary"))
    for name in ("bin", "seeds"):
        (place / name).symlink_to(chores.folder / name)
    place.make()
    runs = MOST_RUNS.get(engine, LIBFUZZER_RUNS)
    driver = all_engines(place, Plan(runs=runs, seed=plan.seed, op=plan.op, judged=plan.canary,
                                     memory=plan.memory))[engine]
    sl = driver.new_slice("canary-1", n)
    (sl.folder / "found").mkdir(parents=True)
    began = time.monotonic()
    env = driver.environment(sl) | {"AFL_BENCH_UNTIL_CRASH": "1"}
    _, out, err = chores.run([place.bin / "cputime", sl.folder / "time", *driver.command(sl)], env)
    if driver.has_result:
        sl.result.write_text(out)
    sl.log.write_text(err or out)
    signature = signature_of(chores, place, driver.found(sl.worker))
    return [{"type": "canary", "engine": engine, "found": bool(signature), "signature": signature,
             "execs": driver.executions(sl), "seconds": round(time.monotonic() - began, 1),
             "why": "" if signature else last_words(sl.log)}], []


def signature_of(chores, place, files):
    """What `ptediff bucket` says of them."""
    if not files:
        return ""
    chores.run([place.bin / "ptediff", "bucket", "--quiet", "--budget", "1", "--impl",
                chores.plan.canary, "--out", place / "buckets", *files])
    for scenario in sorted((place / "buckets").glob("*/min.pte")):
        for line in scenario.read_text().splitlines():
            if line.startswith("expect "):
                return line.split()[1]
    return ""
