# SPDX-License-Identifier: GPL-2.0-or-later
"""From files that engines leave to signatures.

A file goes from its worker to inbox/ by a rename, and leaves that only when its signature is on the
disk, in findings/ and in the ledger: killed in between, the work is done again.
"""
import hashlib
import json
import os
import re
import shutil
import time
from pathlib import Path

BATCH = 64
BUDGET = "10"		# seconds to minimize a signature
QUIET = 2		# seconds since a file of a running engine was last written to

ASSERTION = re.compile(r"Assertion failure: ptediff (\S+)")
SUMMARY = re.compile(r"SUMMARY: \w+: ([\w-]+)(?: \S+ in (\w+))?")
KINDS = {"timeout-": "engine/timeout", "oom-": "engine/memory", "slow-unit-": ""}


def collect(folder, engine, worker, up, all_of_them):
    """Move what a worker has found to the inbox; how many files."""
    moved = 0
    for path in engine.found(worker):
        try:
            if not all_of_them and time.time() - path.stat().st_mtime < QUIET:
                continue
            sync(path)
            key = hashlib.sha1(f"{path}/{path.stat().st_mtime_ns}".encode()).hexdigest()[:12]
            text = ".pte" if path.suffix == ".pte" else ""
            os.rename(path, folder.inbox / f"{up:.1f}@{worker}@{key}@{kind_of(path)}{text}")
            moved += 1
        except FileNotFoundError:
            continue
    if moved:
        sync(folder.inbox)
    return moved


def kind_of(path):
    """What libFuzzer calls it, as far as it is no crash."""
    for prefix in KINDS:
        if path.name.startswith(prefix):
            return prefix
    return "hang-" if path.parent.name.startswith("hangs") else "crash-"


def origin(path):
    """When and by whom a file of the inbox was found, and its kind."""
    up, worker, _, kind = path.name.split("@")
    return float(up), worker, kind


def sync(path):
    """Wait until the disk has a file or the entries of a folder."""
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def slug(signature):
    """As a file name."""
    return re.sub(r"[^A-Za-z0-9._]", "-", signature)[:200]


def sort(chores):
    """The oldest files of the inbox: a record for each signature, and the files that are done."""
    folder = chores.folder
    files = sorted((p for p in folder.inbox.iterdir() if p.is_file()), key=lambda p: origin(p)[0])
    files = files[:BATCH]
    out = chores.scratch("buckets")
    choice = ["--impl", chores.plan.judged] if chores.plan.judged else []
    status, text, err = chores.run([folder.bin / "ptediff", "bucket", "--quiet", "--budget",
                                    BUDGET, "--out", out, *choice, *files])
    left = {Path(line.strip()) for line in text.splitlines() if line.startswith("  /")}
    if status not in (0, 1, 2) or (status == 2 and not left):
        raise OSError(f"ptediff bucket ended with {status}: {err.strip()[-200:]}")
    records = [keep(chores, bucket) for bucket in sorted(out.glob("*/meta.json"))]
    records += [r for r in (replay(chores, file) for file in files if file in left) if r]
    know(folder, [r["signature"] for r in records if r["type"] == "find"])
    return records, files


def keep(chores, meta_file):
    """A bucket into findings/, or beside the files of its signature that are there."""
    folder, meta = chores.folder, json.loads(meta_file.read_text())
    home = folder.findings / slug(meta["signature"])
    files = home / "files"
    files.mkdir(parents=True, exist_ok=True)
    for name in dict.fromkeys((meta["first"], meta["smallest"])):
        keep_file(chores, files, Path(name))
    there = home / "meta.json"
    least = json.loads(there.read_text())["records"] if there.exists() else meta["records"] + 1
    if meta["records"] < least:
        least = meta["records"]
        chores.run([folder.bin / "ptediff", "report", meta_file.parent / "min.pte", "-o",
                    meta_file.parent / "report.html"])
        for path in sorted(meta_file.parent.iterdir(), key=lambda p: p.name == "meta.json"):
            sync(path)
            os.replace(path, home / path.name)
    sync(home)
    sync(folder.findings)
    up, worker, _ = origin(Path(meta["first"]))
    return {"type": "find", "up": up, "signature": meta["signature"], "worker": worker,
            "files": meta["files"], "folder": home.name, "records": least}


def keep_file(chores, files, path):
    """A copy, as long as there are not enough."""
    if len(list(files.iterdir())) < chores.plan.keep:
        shutil.copy2(path, files / path.name)
        sync(files / path.name)


def replay(chores, path):
    """What `ptediff bucket` sees nothing in: the sanitizers' verdict, or that it shows nothing."""
    up, worker, kind = origin(path)
    folder = chores.folder
    env = {"PTEDIFF_IMPL": chores.plan.judged} if chores.plan.judged else {}
    target = next((p for p in sorted(folder.bin.glob("fuzz.*"))), None)
    if KINDS.get(kind) == "" or not target:
        return None
    if not path.stat().st_size:
        return {"type": "note", "text": f"{worker}: a finding without content: was the disk full?"}
    status, _, err = chores.run([target, path], env, seconds=60)
    signature = verdict(err) if status else KINDS.get(kind, "engine/not-reproduced")
    home = folder.findings / slug(signature)
    (home / "files").mkdir(parents=True, exist_ok=True)
    keep_file(chores, home / "files", path)
    if not (home / "report.txt").exists():
        (home / "report.txt").write_text(err or "the replay showed nothing\n")
        sync(home / "report.txt")
    sync(home)
    return {"type": "find", "up": up, "signature": signature, "worker": worker, "files": 1,
            "folder": home.name, "records": None}


def verdict(err):
    """The signature of a replay that failed."""
    m = ASSERTION.search(err)
    if m:
        return m[1]
    m = SUMMARY.search(err)
    return f"crash/{m[1]}/{m[2] or 'somewhere'}" if m else "crash/unknown"


def know(folder, signatures):
    """From now on these do not end an engine (fuzz/known.c)."""
    known = folder / "known"
    old = known.read_text().split() if known.exists() else []
    fresh = [s for s in dict.fromkeys(signatures) if s not in old]
    if fresh:
        new = folder / "known.new"
        new.write_text("".join(f"{s}\n" for s in old + fresh))
        sync(new)
        os.replace(new, known)
