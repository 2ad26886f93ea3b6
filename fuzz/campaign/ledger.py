# SPDX-License-Identifier: GPL-2.0-or-later
"""The ledger: what happened in a campaign, one JSON object a line, only ever added to.

A record is on the disk when append() returns. A line that was being written when the machine died
is cut off by the next writer; readers pass over whatever is no record and count it.
"""
import json
import os
from pathlib import Path

ROTATE = 16 << 20


def _parse(line):
    """The record in a line, or None."""
    try:
        record = json.loads(line)
    except ValueError:
        return None
    good = isinstance(record, dict) and isinstance(record.get("type"), str) \
        and isinstance(record.get("up"), (int, float))
    return record if good else None


def read(path):
    """The records of a ledger, and how many lines were none."""
    records, bad = [], 0
    if not Path(path).exists():
        return records, bad
    with open(path, "rb") as file:
        for line in file:
            record = _parse(line) if line.endswith(b"\n") else None
            if record is None:
                bad += 1
            else:
                records.append(record)
    return records, bad


def repair(path):
    """Cut off a last line without an end; the number of bytes that went."""
    if not Path(path).exists():
        return 0
    with open(path, "r+b") as file:
        text = file.read()
        torn = len(text) - (text.rfind(b"\n") + 1)
        if torn:
            file.truncate(len(text) - torn)
            os.fsync(file.fileno())
    return torn


class Ledger:
    """The one writer."""

    def __init__(self, path):
        self.path = Path(path)
        self.torn = repair(path)
        self.file = open(path, "ab", buffering=0)

    def append(self, record):
        """Write @record and wait until the disk has it; OSError when it has no room."""
        line = json.dumps(record, separators=(",", ":")).encode() + b"\n"
        start = os.fstat(self.file.fileno()).st_size
        try:
            if self.file.write(line) != len(line):
                raise OSError(28, "no room for a whole record", str(self.path))
            os.fsync(self.file.fileno())
        except OSError:
            os.ftruncate(self.file.fileno(), start)
            raise

    def rotate(self, summary):
        """Once it is long: begin again with @summary; the old one is kept beside it."""
        if os.fstat(self.file.fileno()).st_size < ROTATE:
            return False
        new = self.path.with_suffix(".new")
        new.unlink(missing_ok=True)
        fresh = Ledger(new)
        fresh.append(summary)
        os.replace(self.path, self.path.with_suffix(".old"))
        os.replace(new, self.path)
        self.close()
        self.file = fresh.file
        return True

    def close(self):
        """No more records."""
        self.file.close()
