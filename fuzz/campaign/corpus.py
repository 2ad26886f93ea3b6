# SPDX-License-Identifier: GPL-2.0-or-later
"""The corpora: kept sound, and kept small with the engines' own tools."""
import hashlib
import os
import shutil
import stat
import time

from .engines import MAX_LEN

QUEUE_LIMIT = 10000		# files of an AFL++ queue before afl-cmin
VALUES_LIMIT = 10000		# of inputs kept for their values alone


def tidy(folder, name):
    """Take out of corpus/ or seeds/ whatever no engine can use; a line for each."""
    bad = []
    for entry in os.scandir(folder / name):
        try:
            mode = entry.stat(follow_symlinks=False)
            if not stat.S_ISREG(mode.st_mode):
                why = "no regular file"
            elif mode.st_size > MAX_LEN:
                why = f"longer than {MAX_LEN} bytes"
            elif mode.st_size == 0:
                why = "empty"
            else:
                with open(entry.path, "rb") as file:
                    file.read()
                continue
        except OSError as error:
            why = error.strerror
        bad.append(f"{entry.name}: {why}")
        put_aside(folder / f"{name}.bad", entry.path)
    return bad


def salvage(folder, queue):
    """What a queue that AFL++ cannot go on with holds, into corpus/."""
    for entry in os.scandir(queue) if queue.is_dir() else ():
        if not entry.is_file(follow_symlinks=False) or not 0 < entry.stat().st_size <= MAX_LEN:
            continue
        with open(entry.path, "rb") as file:
            name = hashlib.sha1(file.read()).hexdigest()
        os.replace(entry.path, folder.corpus / name)


def put_aside(aside, path):
    """Into the folder @aside, under the name that it has."""
    aside.mkdir(exist_ok=True)
    os.replace(path, aside / os.path.basename(path))


def merge(chores):
    """Only what adds coverage stays in corpus/; what AFL++ has found joins it.

    Engines go on meanwhile: files that came after the list was taken are left alone.
    """
    folder, plan = chores.folder, chores.plan
    new = chores.scratch("merged")
    values = sorted(folder.path.glob("workers/*/values"))
    listed = {path: [e.path for e in os.scandir(path)] for path in [folder.corpus, *values]}
    sources = [snapshot(chores, path, i) for i, path in
               enumerate([*listed, *sorted((folder / "afl").glob("*/queue"))])]
    began = time.monotonic()
    env = {"PTEDIFF_KNOWN": str(folder / "known")}
    if plan.judged:
        env["PTEDIFF_IMPL"] = plan.judged
    status, _, err = chores.run([folder.bin / "fuzz.libfuzzer", "-merge=1", f"-max_len={MAX_LEN}",
                                 f"-rss_limit_mb={plan.memory}", "-detect_leaks=0",
                                 f"-artifact_prefix={new}-", new, *sources], env, seconds=1800)
    for path in sources:
        shutil.rmtree(path)
    if status or not any(new.iterdir()):
        return [{"type": "note", "text": f"corpora not merged: libFuzzer ended with {status}: "
                 + (err.strip().splitlines() or ["no message"])[-1]}], []
    chosen = {e.name for e in os.scandir(new)}
    for entry in os.scandir(new):
        os.replace(entry.path, folder.corpus / entry.name)
    for path in listed[folder.corpus]:
        if os.path.basename(path) not in chosen:
            remove(path)
    for own in values:
        if len(listed[own]) > VALUES_LIMIT:
            for path in listed[own]:
                remove(path)
    shutil.rmtree(new)
    return [{"type": "merge", "before": sum(map(len, listed.values())), "after": len(chosen),
             "seconds": round(time.monotonic() - began, 1)}], []


def snapshot(chores, path, i):
    """The files of a folder that engines change meanwhile: libFuzzer ends when one is gone."""
    copy = chores.scratch(f"merge-{i}")
    for entry in os.scandir(path):
        try:
            if entry.is_file(follow_symlinks=False):
                os.link(entry.path, copy / entry.name)
        except FileNotFoundError:
            continue
    return copy


def remove(path):
    """A file, which may be gone."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass


def long_queues(folder):
    """AFL++ workers with too much in their queue."""
    return [q.parent.name for q in (folder / "afl").glob("*/queue")
            if sum(1 for _ in os.scandir(q)) > QUEUE_LIMIT]


def shorten(chores, worker):
    """afl-cmin on the queue of a worker that does not run; it starts again from what is left."""
    folder = chores.folder
    instance, new = folder / "afl" / worker, chores.scratch("cmin")
    status, _, err = chores.run(["afl-cmin", "-i", instance / "queue", "-o", new / "queue", "--",
                                 folder.bin / "fuzz.afl"],
                                {"AFL_ALLOW_TMP": "1", "PTEDIFF_KNOWN": str(folder / "known")})
    if status:
        text = f"{worker}: afl-cmin ended with {status}: {err[-200:]}"
        return [{"type": "note", "text": text}], []
    before = sum(1 for _ in os.scandir(instance / "queue"))
    os.replace(instance / "queue", new / "old")
    os.replace(new / "queue", instance / "queue")
    shutil.rmtree(new)
    after = sum(1 for _ in os.scandir(instance / "queue"))
    return [{"type": "note", "text": f"{worker}: queue of {before} made {after} by afl-cmin"}], []
