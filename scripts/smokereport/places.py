# SPDX-License-Identifier: GPL-2.0-or-later
"""Where in the sources a finding is: the rule that is broken, and the code that breaks it."""

import json
import re
from pathlib import Path


def _line(path, pattern):
    """The first line of @path that @pattern is found in, or 0."""
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        if re.search(pattern, line):
            return number
    return 0


def rule(top, op, field):
    """(file, line) of a row of a contract; of the contract when the row has no line of its own."""
    file = f"model/ops/{op}/op.c"
    if not (top / file).exists():
        return None
    return file, _line(top / file, f'"{re.escape(field)}"') or _line(top / file, "struct pd_row ")


def _of_bug(top, name):
    """What the patch changes: the first line that it takes away or adds to."""
    patch = top / "model/bugs" / f"{name}.patch"
    if not patch.exists():
        return None
    text = patch.read_text()
    file = re.search(r"^--- a/(\S+)", text, re.M)
    hunk = re.search(r"^@@ -(\d+).*\n((?: .*\n|\n)*)", text, re.M)
    if not file or not hunk:
        return f"model/bugs/{name}.patch", 1
    return file.group(1), int(hunk.group(1)) + hunk.group(2).count("\n")


def _of_tree(top, op, tree):
    """The entry point in the user's tree, relative to it: the last text that was extracted."""
    folder = top / "build/trees" / tree
    for arch in ("x86", "arm64"):
        group = folder / op / arch / "group.inc"
        if not group.exists():
            continue
        lines = re.findall(r'^#line (\d+) "(.*)"', group.read_text(), re.M)
        if lines:
            path = json.loads((folder / "tree.json").read_text())["path"]
            number, file = lines[-1]
            return file.removeprefix(path.rstrip("/") + "/"), int(number)
    return f"model/ops/{op}/tree/adapter.c", 1


def _of_file(top, op, impl):
    """The function that run() hands to the caller's loop, else run() itself."""
    file = f"model/ops/{op}/{impl}.c"
    path = top / file
    if not path.exists():
        return None
    text = path.read_text()
    run = re.search(r"^static long run\(.*?^}", text, re.M | re.S)
    for word in reversed(re.findall(r"\b[a-z_]\w+\b", run.group(0)) if run else []):
        number = _line(path, rf"^\w.*\b{word}\((?!.*;)")
        if number and word not in ("run", "long", "static"):
            return file, number
    return file, _line(path, r"\brun\(") or _line(path, r"^static .*\w\((?!.*;)") or 1


def implementation(top, op, impl):
    """(file, line), or None when there is no such thing."""
    top = Path(top)
    if impl.startswith("bug:"):
        return _of_bug(top, impl[4:])
    if impl.startswith("tree:"):
        return _of_tree(top, op, impl[5:].partition("~")[0])
    return _of_file(top, op, impl)
