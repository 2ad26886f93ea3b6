# SPDX-License-Identifier: GPL-2.0-or-later
"""The names that the shim supplies: whatever the compiler sees before the extracted text."""
import re
import subprocess

from . import Trouble
from .scan import WORD, scan


def compiler_flags(top, arch, first=()):
    """As cmake/modules.cmake compiles kernel code; folders in @first come before the shim's."""
    return ["-std=gnu11", "-D_GNU_SOURCE", *(f"-I{folder}" for folder in first),
            f"-I{top}/model/shim/arch/{arch}/include", f"-I{top}/model/shim/include", f"-I{top}"]


def preprocess(cc, top, arch, group, first=()):
    """Lines, macros among them, that the compiler sees before the extracted text."""
    include = f'#include "{group.inc}"'
    text = group.adapter.read_text(encoding="utf-8")
    if include not in text:
        raise Trouble(f"{group.adapter}: there is no line '{include}'")
    text = text[:text.index(include)]
    text += "#endif\n" * (len(re.findall(r"^#if", text, re.M)) -
                          len(re.findall(r"^#endif", text, re.M)))
    run = subprocess.run(
        [*cc, *compiler_flags(top, arch, first), "-iquote", str(group.adapter.parent), "-E", "-dD",
         "-x", "c", "-"], input=text, capture_output=True, text=True, check=False)
    if run.returncode:
        raise Trouble(f"{group.adapter}: cannot be preprocessed for {arch}:\n{run.stderr}")
    return run.stdout.splitlines()


def supplied(cc, top, arch, group, first=(), tree=None):
    """Macros, functions, types and constants visible where the adapter of @group has the text.

    Our own headers, and what was taken from @tree, are in kernel style and scanned as such; of the
    C library's, every word counts.
    """
    names, ours, own = set(), [], False
    kernel_style = (str(top), "<stdin>", *([f"{tree.path}/"] if tree else []))
    for line in preprocess(cc, top, arch, group, first):
        marker = re.match(r'#\s*\d+\s+"([^"]*)"', line)
        macro = re.match(r"#\s*(define|undef)\s+(\w+)", line)
        if marker:
            own = marker.group(1).startswith(kernel_style)
        elif macro:
            (names.add if macro.group(1) == "define" else names.discard)(macro.group(2))
        elif own:
            ours.append(line)
        else:
            names.update(WORD.findall(line))
    for decl in scan(f"headers of {group.adapter}", "\n".join(ours)):
        names.update(decl.names)
    return names
