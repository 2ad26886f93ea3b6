# SPDX-License-Identifier: GPL-2.0-or-later
"""python3 -m kerneltree: extract and check the groups of kernel trees; see scripts/kernel-tree."""
import argparse
import json
import re
import shutil
import sys
from pathlib import Path

from . import Trouble
from .accessors import ARCHES, Accessors
from .check import compiles
from .extract import Extract, Tree, extract, facts_of, relative, roots_of, say, text_of
from .group import all_groups, read_group
from .mutate import make_bugs
from .output import IMPL, stub, write
from .shim import supplied
from .stubs import make_stubs

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


class Work:
    """What one run shares: where the project is, where trees go, the compiler."""

    def __init__(self, top, out, cc):
        self.top, self.out, self.cc = top, out, cc
        self._supplied = {}

    def supplied(self, group, arch):
        """The names that the shim supplies to the adapter of @group."""
        key = (group.op, arch)
        if key not in self._supplied:
            self._supplied[key] = supplied(self.cc, self.top, arch, group)
        return self._supplied[key]

    def add_arch(self, tree, group, arch):
        """Write the folder of a group for one arch; what was taken, and what is missing."""
        folder = self.out / tree.name / group.op / arch
        if arch in group.arches:
            found = extract(tree, group, arch, self.supplied(group, arch))
        else:
            found = Extract([], [f"this group is not for {arch}"], [])
        missing = found.missing
        if not missing:
            write(folder / group.inc, text_of(tree, group, found))
            write(folder / "impl.c", IMPL.format(file=f"model/ops/{group.op}/tree/adapter.c"))
            missing = compiles(self.cc, self.top, arch, tree, folder / "impl.c", found.pieces)
        if missing:
            (folder / "group.inc").unlink(missing_ok=True)
            write(folder / "impl.c", stub(missing))
        return found, missing

    def add_group(self, tree, group):
        """A group on every arch; prints what came of it. How many arches were built."""
        built, facts, where = 0, [], ""
        lines = []
        for arch in ARCHES:
            found, missing = self.add_arch(tree, group, arch)
            if missing:
                lines += [f"    {arch:<6} unsupported:"] + [f"        {m}" for m in missing]
                continue
            built += 1
            facts = facts_of(group, found)
            where = roots_of(found, lambda d: f" {relative(tree, d.file)}:{d.line}")
            lines.append(f"    {arch:<6} built from {len(found.pieces)} declarations")
        print(f"  {group.op}" + (f": {where}" if where else ""))
        print("\n".join([*lines, *(f"    {f}" for f in facts)]))
        return built

    def add_tree(self, tree, groups):
        """Every group of a tree; how many were built on some arch."""
        print(f"tree:{tree.name}: Linux {tree.version}, {tree.path}")
        for old in (self.out / tree.name).glob("*"):
            if old.is_dir() and old.name not in {g.op for g in groups}:
                shutil.rmtree(old)
        built = sum(bool(self.add_group(tree, g)) for g in groups)
        for line in tree_facts(tree, self.top / "scripts/kerneltree/facts.ini"):
            print(f"  {line}")
        write(self.out / tree.name / "tree.json",
              json.dumps({"path": str(tree.path), "version": tree.version}) + "\n")
        return built + Accessors(self, tree, groups).add()


def tree_facts(tree, path):
    """What depends on the era outside of any group: searched in one declaration each."""
    facts = read_group(path)
    pieces = [d for f in facts.files["x86"] for d in tree.declarations(f)]
    return say(facts.facts, pieces)


def parse_tree(arg):
    """NAME=PATH."""
    name, equals, path = arg.partition("=")
    if not equals or not path:
        raise Trouble(f"'{arg}': expected NAME=PATH")
    if not NAME.fullmatch(name):
        raise Trouble(f"'{name}': a name is made of letters, digits, '.', '_' and '-'")
    folder = Path(path)
    if not folder.is_dir():
        raise Trouble(f"{path}: no such folder")
    return Tree(name, folder.resolve())


def list_trees(out):
    """Print what is registered."""
    for info in sorted(out.glob("*/tree.json")):
        if info.parent.name.endswith("+arch"):
            continue
        tree = json.loads(info.read_text())
        groups = sorted(p.parent.parent.name for p in info.parent.glob("*/*/group.inc"))
        if list(out.glob(f"{info.parent.name}+arch/shim/*/*.inc")):
            groups.append("+arch")
        print(f"tree:{info.parent.name}  Linux {tree['version']}  {tree['path']}  "
              f"{' '.join(dict.fromkeys(groups)) or 'no group is supported'}")


def remove_tree(out, name):
    """Forget a tree."""
    if not NAME.fullmatch(name) or not (out / name / "tree.json").exists():
        raise Trouble(f"no tree '{name}' is registered")
    shutil.rmtree(out / name)
    shutil.rmtree(out / f"{name}+arch", ignore_errors=True)


def main():
    """Exit 0, 2 on trouble, 125 when no group can be built in a tree."""
    parser = argparse.ArgumentParser(prog="kerneltree")
    parser.add_argument("--top", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--remove", action="append", default=[])
    parser.add_argument("--bugs", metavar="NAME")
    parser.add_argument("--stubs", metavar="NAME")
    parser.add_argument("--bugs-out", type=Path)
    parser.add_argument("trees", nargs="*")
    opt = parser.parse_args()
    try:
        if opt.list:
            list_trees(opt.out)
        for name in opt.remove:
            remove_tree(opt.out, name)
        trees = [parse_tree(t) for t in opt.trees]
        groups = all_groups(opt.top) if trees or opt.stubs else []
        work = Work(opt.top, opt.out, opt.cc.split())
        if opt.bugs:
            make_bugs(work, opt.bugs, opt.bugs_out)
        if opt.stubs:
            make_stubs(work, groups, opt.stubs, opt.bugs_out)
        built = [work.add_tree(tree, groups) for tree in trees]
    except Trouble as trouble:
        print(f"kernel-tree: {trouble}", file=sys.stderr)
        return 2
    return 0 if all(built) else 125


if __name__ == "__main__":
    sys.exit(main())
