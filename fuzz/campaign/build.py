# SPDX-License-Identifier: GPL-2.0-or-later
"""The programs of a campaign: built by the project's scripts, then copied to its folder."""
import hashlib
import os
import shutil
import subprocess

from . import Trouble
from .plan import TOP

PRESETS = {"libfuzzer": "libfuzzer", "libfuzzer-cmp": "libfuzzer-cmp", "afl": "afl"}
RELEASE = ("ptediff", "counters_print", "cputime", "ptediff_afl_mutator.so", "ptediff.dict")


def build(plan, presets):
    """Build @presets with the bugs and the trees of the plan."""
    run([TOP / "scripts/setup"])
    bugs = ";".join(name[4:] for name in plan.add + plan.impl.split(",") if name.startswith("bug:"))
    for preset in presets:
        if plan.trees:
            run([TOP / "scripts/kernel-tree", "--preset", preset, *plan.trees])
        targets = "fuzz ptediff" if preset == "release" else "fuzz"
        run(["bash", "-c", f"source '{TOP}/scripts/lib.sh'; build_options=(\"$1\"); "
             f"build {preset} {targets}", "campaign", f"-DPD_BUGS={bugs or 'none'}"])


def run(command):
    """Run a script of the project; its own words explain a failure."""
    status = subprocess.run(command, check=False).returncode
    if status not in (0, 125):
        raise Trouble(f"{command[0]} ended with {status}")


def install(plan, folder, presets):
    """Copy the programs: a later build does not disturb what runs."""
    release = TOP / "build/release"
    for name in RELEASE:
        put(release / name, folder.bin / name)
    for preset in presets:
        put(TOP / "build" / preset / f"fuzz_{plan.op}", folder.bin / f"fuzz.{preset}")


def put(program, to):
    """Copy one; never into a file that is running."""
    if not program.exists():
        raise Trouble(f"{program} is not built: run without --no-build")
    new = to.with_suffix(to.suffix + ".new")
    shutil.copy2(program, new)
    os.replace(new, to)


def judged(plan, folder):
    """The implementations by name: those that were asked for, or all that are not known wrong, and
    what is added to them."""
    if not plan.add:
        return plan.impl
    if plan.impl:
        return ",".join([plan.impl, *plan.add])
    lines = subprocess.run([folder.bin / "ptediff", "ops"], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    names = [line.strip() for line in lines if line.startswith("  ") and line[2] != " "
             and "(wrong)" not in line and not line.startswith(("  bug:", "  tree:"))]
    return ",".join([*dict.fromkeys(names), *plan.add])


def check(plan, folder):
    """Does everything that is to be judged exist? What ptediff says of it otherwise."""
    for names in (plan.judged, plan.canary):
        choice = ["--impl", names] if names else []
        test = subprocess.run([folder.bin / "ptediff", "random", "--print", "1", *choice],
                              capture_output=True, text=True, check=False)
        if test.returncode:
            raise Trouble(test.stderr.strip().removeprefix("ptediff: "))


def add_seeds(folder, sources):
    """Scenarios as bytes into seeds/; a line for each file that cannot be used."""
    troubles = []
    zero = folder / "seeds" / "zero"
    zero.write_bytes(bytes(8))
    for source in sources:
        for file in sorted(p for p in source.rglob("*") if not p.is_dir()):
            trouble = add_seed(folder, file)
            if trouble:
                troubles.append(f"{file}: {trouble}")
    return troubles


def add_seed(folder, file):
    """One of them, under a name made of its bytes; what is wrong with it, or nothing."""
    if not file.is_file():
        return "no regular file"
    if file.stat().st_size > 1 << 20:
        return "longer than 1 MiB"
    new = folder / "tmp" / "seed"
    made = subprocess.run([folder.bin / "ptediff", "convert", "--to", "bytes", file, new],
                          capture_output=True, text=True, check=False)
    if made.returncode:
        lines = made.stderr.strip().splitlines()
        return lines[0] if lines else f"ptediff convert ended with {made.returncode}"
    name = hashlib.sha1(new.read_bytes()).hexdigest()
    os.replace(new, folder / "seeds" / name)
    return ""
