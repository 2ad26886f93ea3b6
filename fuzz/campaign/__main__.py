# SPDX-License-Identifier: GPL-2.0-or-later
"""python3 -m campaign: see scripts/campaign."""
import argparse
import fcntl
import os
import sys
import time
from pathlib import Path

from . import Trouble, limits
from .build import add_seeds, build, check, install, judged, PRESETS
from .campaign import Campaign
from .engines import NAMES
from .ledger import read
from .plan import duration, Folder, MIX, parse_mix, Plan, TOP
from .report import write
from .state import replay
from .status import status
from .supervisor import Supervisor


def number(low):
    """A whole number from @low."""
    def parse(text):
        """Or a usage error."""
        if not text.isdigit() or int(text) < low:
            raise argparse.ArgumentTypeError(f"expected a number from {low}, got '{text}'")
        return int(text)
    return parse


def seconds(text):
    """A duration."""
    try:
        return duration(text)
    except Trouble as trouble:
        raise argparse.ArgumentTypeError(str(trouble)) from None


def arguments():
    """The command line. What is not given keeps its value from the last start."""
    p = argparse.ArgumentParser(prog="campaign", add_help=False, allow_abbrev=False)
    p.add_argument("folder", metavar="DIR")
    p.add_argument("--status", action="store_true")
    p.add_argument("--watch", action="store_true")
    p.add_argument("--report", action="store_true")
    p.add_argument("--no-build", action="store_true")
    p.add_argument("--corpus", action="append", type=Path, default=[])
    p.add_argument("--workers")
    p.add_argument("-j", "--jobs", type=number(1))
    p.add_argument("--slice", type=seconds)
    p.add_argument("--runs", type=number(1))
    p.add_argument("--slices", type=number(1))
    p.add_argument("--time", type=seconds)
    p.add_argument("--idle", type=seconds)
    p.add_argument("--seed", type=number(0))
    p.add_argument("--op")
    p.add_argument("--impl")
    p.add_argument("--bug", action="append", dest="bugs")
    p.add_argument("--tree", action="append", dest="trees")
    p.add_argument("--canary")
    p.add_argument("--canary-every", type=seconds, dest="every")
    p.add_argument("--keep", type=number(1))
    p.add_argument("--memory", type=number(256))
    p.add_argument("--disk", type=number(64))
    return p.parse_args()


def take(plan, opt):
    """Options into the plan."""
    if opt.workers or not plan.workers:
        plan.workers = parse_mix(opt.workers or MIX, NAMES)
    for name in ("jobs", "slice", "runs", "slices", "time", "idle", "seed", "op", "impl", "canary",
                 "every", "keep", "memory", "disk"):
        if getattr(opt, name) is not None:
            setattr(plan, name, getattr(opt, name))
    plan.jobs = plan.jobs or os.cpu_count()
    if opt.bugs is not None or opt.trees is not None:
        plan.trees = opt.trees or []
        plan.add = [f"bug:{b}" for b in opt.bugs or []]
        plan.add += [f"tree:{t.partition('=')[0]}" for t in plan.trees]


def prepare(folder, plan, opt):
    """Programs, seeds, and whether all that is named exists."""
    presets = [p for p in PRESETS if p in plan.workers.values()]
    if not opt.no_build:
        build(plan, ["release", *presets])
    room = limits.full(folder.path)
    if room:
        raise Trouble(room)
    install(plan, folder, presets)
    plan.judged = judged(plan, folder)
    check(plan, folder)
    for path in opt.corpus:
        if not path.is_dir():
            raise Trouble(f"--corpus: {path}: no such folder")
    first = not (folder / "seeds" / "zero").exists()
    for line in add_seeds(folder, ([TOP / "corpus/seeds"] if first else []) + opt.corpus):
        print(f"not used: {line}")
    plan.save(folder / "plan.json")


def is_running(folder):
    """Does a supervisor hold the lock?"""
    try:
        with open(folder / "lock", "r") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


def show(folder, opt):
    """--status, --watch, --report; exit codes are those of the campaign."""
    if not (folder / "ledger.jsonl").exists():
        raise Trouble(f"{folder.path}: no campaign there")
    while True:
        records, bad = read(folder / "ledger.jsonl")
        state = replay(records)
        if opt.report:
            print(write(folder))
            return state.exit_code()
        text = status(state, is_running(folder), bad)
        if not opt.watch:
            print(text)
            return state.exit_code()
        print(f"\033[H\033[2J{text}", flush=True)
        time.sleep(2)


def main():
    """Exit 0 clean, 1 findings, 2 trouble."""
    opt = arguments()
    folder = Folder(opt.folder)
    try:
        if opt.status or opt.watch or opt.report:
            return show(folder, opt)
        plan = Plan.load(folder / "plan.json")
        take(plan, opt)
        folder.make()
        campaign = Campaign(folder, plan)
        prepare(folder, plan, opt)
        code = Supervisor(campaign).run()
        try:
            print(write(folder))
        except OSError as error:
            print(f"campaign: no report: {error}", file=sys.stderr)
        return code
    except (Trouble, OSError) as trouble:
        print(f"campaign: {trouble}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 2


if __name__ == "__main__":
    sys.exit(main())
