# SPDX-License-Identifier: GPL-2.0-or-later
"""The entry accessors of a tree in place of the shim's: tree:NAME+arch.

What model/shim/arch/<arch>/tree/ asks for goes to NAME+arch/shim/<arch>/. On top of it come the
shim and one implementation of ours for each operation: what is judged is the accessors.
"""
import json
import shutil

from .check import compiles
from .extract import extract, facts_of, text_of
from .group import accessor_groups
from .output import IMPL, stub, write
from .shim import supplied

ARCHES = ("x86", "arm64")


def _first(work, arch, out):
    """Where headers are looked for before those of the shim."""
    return (out / "shim" / arch, work.top / "model/shim/arch" / arch / "tree")


def compiles_on(work, tree, arch, out, source, pieces=()):
    """Errors of compiling @source on the accessors of @tree that are in @out."""
    return compiles(work.cc, work.top, arch, tree, source, pieces, _first(work, arch, out))


class Accessors:
    """The accessors of @tree, for the implementations that @groups name."""

    def __init__(self, work, tree, groups):
        self.work, self.tree = work, tree
        self.over = {g.op: g.over[0] for g in groups if g.over}
        self.arches = {g.op: g.over[1:] or ARCHES for g in groups if g.over}
        self.out = work.out / f"{tree.name}+arch"

    def _compiles(self, arch, source, pieces=()):
        return compiles_on(self.work, self.tree, arch, self.out, source, pieces)

    def _lift(self, arch):
        """Write the accessors of one arch; what to say of them, and what is missing."""
        pieces, facts, sources = [], [], sorted((self.work.top / "model/shim").glob("*.c"))
        for group in accessor_groups(self.work.top, arch):
            names = supplied(self.work.cc, self.work.top, arch, group,
                             _first(self.work, arch, self.out), self.tree)
            found = extract(self.tree, group, arch, names)
            if found.missing:
                return [], found.missing
            write(self.out / "shim" / arch / group.inc, text_of(self.tree, group, found))
            pieces += found.pieces
            facts += facts_of(group, found)
            sources += [group.adapter] if group.adapter.suffix == ".c" else []
        missing = next(filter(None, (self._compiles(arch, s, pieces) for s in sources)), [])
        return [f"built from {len(pieces)} declarations", *facts], missing

    def _add_op(self, op, arch, missing):
        """An implementation of ours on one arch; is it built?"""
        impl = self.out / op / arch / "impl.c"
        if arch not in self.arches[op]:
            missing = [f"{self.over[op]} is not for {arch}"]
        if not missing:
            write(impl, IMPL.format(file=f"model/ops/{op}/{self.over[op]}.c"))
            missing = self._compiles(arch, impl)
        if missing:
            write(impl, stub(missing))
        return not missing

    def _add_arch(self, arch):
        """How many operations run on the accessors of one arch; prints what came of it."""
        lines, missing = self._lift(arch)
        if missing:
            shutil.rmtree(self.out / "shim" / arch, ignore_errors=True)
            lines = ["unsupported:", *(f"    {m}" for m in missing)]
        built = [op for op in self.over if self._add_op(op, arch, missing)]
        if built:
            lines.append("under " + ", ".join(f"{op} ({self.over[op]})" for op in built))
        print(f"  {arch:<6} " + "\n         ".join(lines))
        return len(built)

    def add(self):
        """The accessors of every arch; how many operations run on some."""
        if not (self.tree.path / "arch").is_dir():
            shutil.rmtree(self.out, ignore_errors=True)
            print(f"tree:{self.tree.name}+arch: this tree has no arch/")
            return 0
        for old in self.out.glob("*"):
            if old.is_dir() and old.name not in {"shim", *self.over}:
                shutil.rmtree(old)
        print(f"tree:{self.tree.name}+arch: its entry accessors under operations of ours")
        built = sum(self._add_arch(arch) for arch in ARCHES)
        write(self.out / "tree.json", json.dumps(
            {"path": str(self.tree.path), "version": self.tree.version, "over": self.over}) + "\n")
        return built
