# SPDX-License-Identifier: GPL-2.0-or-later
"""Does extracted text compile against the shim? If not: what is missing, and who needs it?"""
import re
import subprocess

from .extract import PREFIX, relative
from .shim import compiler_flags

STRICT = ["-fsyntax-only", "-Werror=implicit-function-declaration"]
ERROR = re.compile(r"^(.*?):(\d+):\d+: (?:fatal )?error: (.*)$")
MISSING = [re.compile(p) for p in (
    r"implicit declaration of function [‘'](\w+)", r"undeclared function [‘'](\w+)",
    r"[‘'](\w+)[’'] undeclared", r"undeclared identifier [‘'](\w+)",
    r"unknown type name [‘'](\w+)", r"no member named [‘'](\w+)",
    r"invalid application of .* incomplete type [‘'](?:struct )?(\w+)",
    r"incomplete (?:definition of )?type [‘'](?:struct )?(\w+)")]


def _symbol(message):
    for pattern in MISSING:
        m = pattern.search(message)
        if m:
            return m.group(1).removeprefix(PREFIX)
    return None


def _owner(tree, pieces, file, line):
    """Which declaration of the tree @file:@line is in."""
    for p in pieces:
        if p.file == file and p.line <= line <= p.end:
            name = p.names[0] if p.names else "text"
            return f"{name}()" if p.kind == "func" else name
    return None


def _explain(tree, top, pieces, stderr):
    """Each error as one line: the missing symbol and the function that needs it."""
    out = []
    for line in stderr.splitlines():
        m = ERROR.match(line)
        if not m:
            continue
        file, number, message = m.group(1), int(m.group(2)), m.group(3)
        owner = _owner(tree, pieces, file, number)
        where = f"{relative(tree, file).removeprefix(f'{top}/')}:{number}"
        symbol = _symbol(message)
        if symbol and owner:
            out.append(f"{symbol}, needed by {owner} ({where})")
        else:
            out.append(f"{where}: {message}")
    return list(dict.fromkeys(out)) or [stderr.strip().splitlines()[-1] if stderr.strip() else
                                        "the compiler failed without a message"]


def compiles(cc, top, arch, tree, source, pieces, first=()):
    """Errors of compiling @source, explained; none when it compiles.

    Folders in @first come before those of the shim.
    """
    run = subprocess.run(
        [*cc, *compiler_flags(top, arch, first), f"-I{source.parent}", *STRICT, str(source)],
        capture_output=True, text=True, check=False)
    return _explain(tree, top, pieces, run.stderr) if run.returncode else []
