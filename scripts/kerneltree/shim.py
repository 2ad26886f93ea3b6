# SPDX-License-Identifier: GPL-2.0-or-later
"""The names that the shim supplies: whatever the compiler sees before the extracted text."""
import re
import subprocess

from . import Trouble
from .scan import WORD, scan

INCLUDE = '#include "group.inc"'


def compiler_flags(top, arch):
    """As cmake/modules.cmake compiles kernel code."""
    return ["-std=gnu11", "-D_GNU_SOURCE", f"-I{top}/model/shim/arch/{arch}/include",
            f"-I{top}/model/shim/include", f"-I{top}"]


def _preprocess(cc, top, arch, adapter):
    with open(adapter, encoding="utf-8") as f:
        text = f.read()
    if INCLUDE not in text:
        raise Trouble(f"{adapter}: there is no line '{INCLUDE}'")
    run = subprocess.run(
        [*cc, *compiler_flags(top, arch), "-iquote", str(adapter.parent), "-E", "-dD", "-x", "c",
         "-"], input=text[:text.index(INCLUDE)], capture_output=True, text=True, check=False)
    if run.returncode:
        raise Trouble(f"{adapter}: cannot be preprocessed for {arch}:\n{run.stderr}")
    return run.stdout.splitlines()


def supplied(cc, top, arch, adapter):
    """Macros, functions, types and constants visible where @adapter includes the text.

    Our own headers are in kernel style and scanned as such; of the C library's, every word counts.
    """
    names, ours, own = set(), [], False
    for line in _preprocess(cc, top, arch, adapter):
        marker = re.match(r'#\s*\d+\s+"([^"]*)"', line)
        macro = re.match(r"#\s*(define|undef)\s+(\w+)", line)
        if marker:
            own = marker.group(1).startswith((str(top), "<stdin>"))
        elif macro:
            (names.add if macro.group(1) == "define" else names.discard)(macro.group(2))
        elif own:
            ours.append(line)
        else:
            names.update(WORD.findall(line))
    for decl in scan(f"headers of {adapter}", "\n".join(ours)):
        names.update(decl.names)
    return names
