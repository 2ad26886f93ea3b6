# SPDX-License-Identifier: GPL-2.0-or-later
"""Disk, memory, and processes that a killed campaign left behind."""
import os
import shutil
import signal
from pathlib import Path

MARK = "PTEDIFF_CAMPAIGN"	# in the environment of whatever a campaign starts
ROOM = 48 << 20		# below this much free space nothing is started
MIB = 1 << 20


def processes(folder):
    """Those of the campaign in @folder, the supervisor not counted."""
    mark = f"{MARK}={folder.path}\0".encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (entry / "environ").read_bytes() + b"\0":
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def end_leftovers(folder):
    """Kill what an earlier supervisor, itself killed, has started; how many there were."""
    count = 0
    while pids := processes(folder):
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
                count += 1
            except ProcessLookupError:
                pass
        for pid in pids:
            try:
                os.waitpid(pid, 0)
            except ChildProcessError:
                pass
    return count


def memory(folder):
    """MiB in use by the campaign's processes; what they share is counted once at most."""
    pages = 0
    for pid in [*processes(folder), os.getpid()]:
        try:
            _, resident, shared, *_ = Path(f"/proc/{pid}/statm").read_text().split()
            pages += int(resident) - int(shared)
        except (OSError, ValueError):
            continue
    return pages * os.sysconf("SC_PAGE_SIZE") // MIB


def disk(path):
    """MiB that a folder takes."""
    blocks = 0
    for folder, _, files in os.walk(path):
        for name in files:
            try:
                status = os.lstat(os.path.join(folder, name))
                blocks += status.st_blocks / status.st_nlink
            except OSError:
                continue
    return int(blocks * 512 / MIB)


def full(path):
    """What to tell the user when there is no room, or nothing."""
    free = shutil.disk_usage(path).free
    if free >= ROOM:
        return ""
    return f"no room: {free // MIB} MiB free below {path}, {ROOM // MIB} are needed"
