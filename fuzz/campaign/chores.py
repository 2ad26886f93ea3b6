# SPDX-License-Identifier: GPL-2.0-or-later
"""What goes on in the background: sorting what was found (findings), minimizing corpora (corpus),
the canary. A chore is a function of a Chores and more; it returns records for the ledger, and files
that can go once the ledger has them.
"""
import os
import shutil
import signal
import subprocess

from .limits import MARK


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
