# SPDX-License-Identifier: GPL-2.0-or-later
"""Why some combinations are never judged: reasons.ini.

A section is a reason. Its lines say for which operations (op) and for which values of kind, order,
place and flag it holds, as patterns separated by blanks; ``why`` says it. A hole is explained when
every dimension that the reason names is one of the hole's and matches.
"""

import configparser
import fnmatch
from pathlib import Path

from coveragereport.cells import DIMENSIONS


def load(path=None):
    parser = configparser.ConfigParser()
    parser.read(path or Path(__file__).with_name("reasons.ini"))
    return {name: dict(parser[name]) for name in parser.sections()}


def _matches(value, patterns):
    return any(fnmatch.fnmatchcase(value, pattern) for pattern in patterns.split())


def explain(reasons, op, hole):
    """The name of the first reason that holds, or None."""
    for name, reason in reasons.items():
        if not _matches(op, reason.get("op", "*")):
            continue
        named = [d for d in DIMENSIONS if d in reason]
        if all(d in hole and _matches(hole[d], reason[d]) for d in named):
            return name
    return None
