# SPDX-License-Identifier: GPL-2.0-or-later
"""The slices that run."""
import os
import shlex
import signal
import subprocess
import time

from .engines import Slice
from .limits import MARK

GRACE = 300		# seconds beyond its time until a slice is killed: a long start on a busy machine
GENTLE = 20		# the same once it was asked to end


def start(folder, sl: Slice):
    """Start a slice, in a session of its own: Ctrl-C is for the supervisor."""
    (sl.folder / "found").mkdir(parents=True, exist_ok=True)
    for old in sl.folder.glob("counters-*"):
        old.unlink()
    own = sl.engine.environment(sl)
    command = [str(c) for c in sl.engine.command(sl)]
    words = [f"{name}={value}" for name, value in own.items()] + command
    (sl.folder / "command").write_text("env " + shlex.join(words) + "\n")
    command = [folder.bin / "cputime", sl.folder / "time", *command]
    env = os.environ | {MARK: str(folder.path)} | own
    with open(sl.log, "wb") as log, open(sl.result, "wb") as result:
        sl.process = subprocess.Popen(
            command, env=env, stdin=subprocess.DEVNULL, stderr=log,
            stdout=result if sl.engine.has_result else log, start_new_session=True, cwd=sl.folder)


def poll(sl):
    """None while it runs; then its status, CPU seconds and the most memory, in MiB."""
    pid, status, usage = os.wait4(sl.process.pid, os.WNOHANG)
    if pid == 0:
        return None
    sl.process.returncode = os.waitstatus_to_exitcode(status)
    return (sl.process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024)


def ask_to_end(sl):
    """As a user would, with Ctrl-C: engines write what they have."""
    sl.ending = sl.ending or time.monotonic()
    sl.process.send_signal(signal.SIGINT)


def kill(sl):
    """At once, and whatever is in its group."""
    try:
        os.killpg(sl.process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def overdue(sl, seconds):
    """Has it outlived its time?"""
    since = sl.ending + GENTLE if sl.ending else sl.began + seconds + GRACE
    return time.monotonic() > since
