# SPDX-License-Identifier: GPL-2.0-or-later
"""The closure of a group over the files of a tree, and the text that is compiled."""
import re
from dataclasses import dataclass
from fnmatch import fnmatchcase

from . import Trouble
from .group import search
from .scan import scan, words

PREFIX = "pd_tree_"


@dataclass
class Extract:
    """What was taken: @pieces in the order of the output; @missing says why it is not whole."""
    pieces: list
    missing: list
    roots: list


class Tree:
    """A kernel tree: @name as the user calls it, @path, @version from its Makefile."""

    def __init__(self, name, path, version=None):
        self.name = name
        self.path = path
        self.version = version or self._version()
        self._scanned = {}

    def _version(self):
        """A kernel tree has a Makefile that says which release it is, and mm/."""
        try:
            makefile = self._read("Makefile")
        except OSError:
            makefile = ""
        part = {m.group(1): m.group(2) for m in
                re.finditer(r"^(VERSION|PATCHLEVEL|SUBLEVEL|EXTRAVERSION)\s*=[ \t]*(\S*)",
                            makefile, re.M)}
        if not part.get("VERSION") or not part.get("PATCHLEVEL"):
            raise Trouble(f"{self.path}: not a kernel tree: no Makefile with VERSION and "
                          "PATCHLEVEL")
        if not (self.path / "mm").is_dir():
            raise Trouble(f"{self.path}: a kernel tree without mm/")
        version = f"{part['VERSION']}.{part['PATCHLEVEL']}"
        if part.get("SUBLEVEL", "0") != "0":
            version += f".{part['SUBLEVEL']}"
        return version + part.get("EXTRAVERSION", "")

    def _read(self, file):
        with open(self.path / file, encoding="latin-1", newline="") as f:
            return f.read().replace("\r\n", "\n")

    def declarations(self, file):
        """All of @file; none when the tree has no such file."""
        if file not in self._scanned:
            try:
                text = self._read(file)
            except FileNotFoundError:
                self._scanned[file] = []
                return []
            except OSError as error:
                raise Trouble(f"{self.path / file}: {error.strerror}") from error
            self._scanned[file] = scan(str(self.path / file), text)
        return self._scanned[file]


def _index(tree, group, arch):
    """Declarations by name; a prototype alone counts for headers only."""
    by_name = {}
    for file in group.files[arch]:
        for decl in tree.declarations(file):
            for name in decl.names:
                by_name.setdefault(name, []).append(decl)
    return {name: decls for name, decls in by_name.items()
            if group.prototypes or any(d.kind != "proto" for d in decls)}


def _is_root(group, decl, name):
    """Is @decl an entry point that is written @name?"""
    if decl.kind != "func" and not (group.prototypes and decl.kind in ("macro", "proto", "var")):
        return False
    return any(fnmatchcase(n, name) for n in decl.names)


def _find_roots(tree, group, arch):
    """Declarations of the entry points, and what is not there."""
    roots, missing = [], []
    for name, optional, files in group.roots:
        found = [d for f in files or group.files[arch] for d in tree.declarations(f)
                 if _is_root(group, d, name)]
        roots += found
        if not found and not optional:
            where = " or ".join(files or group.files[arch][-1:])
            missing.append(f"no {name}{'' if group.prototypes else '()'} in {where}")
    if not roots and not missing:
        missing.append("none of its entry points: " +
                       ", ".join(f"{n}()" for n, _, _ in group.roots))
    return roots, missing


def extract(tree, group, arch, supplied):
    """Roots, and transitively whatever they use that the shim does not have."""
    files = group.files[arch]
    roots, missing = _find_roots(tree, group, arch)
    by_name = _index(tree, group, arch)
    taken, todo = set(roots), list(roots)
    while todo:
        decl = todo.pop()
        for name in words(decl.code):
            if name in supplied and group.takes(name) is None:
                continue
            for other in by_name.get(name, ()):
                if other not in taken and other.kind != "other":
                    taken.add(other)
                    todo.append(other)
    for name in {n for d in roots for n in d.names}:
        taken.update(by_name.get(name, ()))
    pieces = [d for f in dict.fromkeys([*files, *(f for r in group.roots for f in r[2])])
              for d in tree.declarations(f) if d in taken]
    return Extract(list(dict.fromkeys(pieces)), missing, roots)


def _renamed(pieces, group):
    """Functions and types that the tree's are taken of although the shim has its own."""
    return sorted({n.removeprefix("struct ") for p in pieces if p.kind != "macro"
                   for n in p.names if group.takes(n) is not None})


def _quote(path):
    return str(path).replace("\\", "\\\\").replace('"', '\\"')


def _only_tells(decl):
    """Is @decl a macro that is its own name? It tells generic headers of a function."""
    return decl.kind == "macro" and re.search(r"define\s+(\w+)\s+\1\s*$", decl.code)


def _piece(decl, group, last):
    """A declaration within its conditionals, under the user's file and line."""
    if _only_tells(decl) and group.takes(decl.names[0]) is not None:
        return []
    out = list(decl.guards)
    if decl.kind == "macro":
        out += [f"#undef {name}" for name in decl.names if group.takes(name) is not None]
    out += [f'#line {decl.line} "{_quote(decl.file)}"', decl.text]
    out += ["#endif"] * len(decl.guards)
    for name in decl.names:
        around = group.takes(name)
        if around and decl is last.get(name):
            out += [f"#undef {name}", f"#define {name}(...) {around}({PREFIX}{name}(__VA_ARGS__))"]
    return out


def roots_of(found, where):
    """The entry points as text, @where saying where each is; only the first one of many."""
    roots = list(dict.fromkeys(f"{d.names[0]}(){where(d)}" for d in found.roots))
    more = len(roots) - 1
    return ", ".join(roots) if more < 3 else f"{roots[0]} and {more} more"


def describe(tree, found):
    """One line: what an implementation made of @found mirrors."""
    roots = roots_of(found, lambda d: f" of {relative(tree, d.file)}")
    return f"Linux {tree.version} ({tree.name}), {roots}"


def relative(tree, file):
    """A file of the tree as kernel developers call it."""
    return file.removeprefix(f"{tree.path}/")


def text_of(tree, group, found):
    """The file that the adapter includes."""
    renamed = _renamed(found.pieces, group)
    last = {n: p for p in found.pieces if p.kind == "func" for n in p.names}
    out = ["/* SPDX-License-Identifier: GPL-2.0 */",
           f"/* GPL-2.0, generated from {_quote(tree.path)}, do not distribute. */",
           f'#define PD_TREE_MIRRORS "{_quote(describe(tree, found))}"']
    out += [f"#define PD_TREE_HAVE_{name} {int(bool(search(probe, found.pieces)))}"
            for name, probe in group.probes.items()]
    for name in renamed:
        out += [f"#undef {name}", f"#define {name} {PREFIX}{name}"]
    for piece in found.pieces:
        out += _piece(piece, group, last)
    types = {n.removeprefix("struct ") for p in found.pieces if p.kind == "type" for n in p.names}
    out += [f"#undef {name}" for name in renamed if name in types]
    return "\n".join(out) + "\n"


def facts_of(group, found):
    """What the extracted text says of its era."""
    return say(group.facts, found.pieces)


def say(facts, pieces):
    """Each fact as a line; not those about functions that are not there."""
    answers = [(name, search(where, pieces), yes, no) for name, (where, yes, no) in facts.items()]
    return [f"{name}: {yes if found else no}" for name, found, yes, no in answers
            if found is not None]
