# SPDX-License-Identifier: GPL-2.0-or-later
"""Bugs for trees: small textual changes to a copy of extracted text.

model/ops/<op>/tree/bugs.ini has a section for each bug, and model/shim/arch/<arch>/tree/bugs.ini
for each bug of the accessors:

what		the bug in words
op		for accessors: the operation that has to find it, if not contpte_api
in		the function to change; the whole text when not given
find, replace	a regular expression, and what takes the place of its first match
or find, or replace	tried when find does not match: another era
also find, also replace	a second change, which has to match too
"""
import configparser
import json
import re
import shutil

from . import Trouble
from .accessors import ARCHES, compiles_on
from .check import compiles
from .extract import Tree
from .output import stub, write

ACCESSORS_OP = "contpte_api"


def read_bugs(path):
    """The bugs of one group, by name."""
    ini = configparser.ConfigParser(delimiters=("=",), interpolation=None)
    ini.optionxform = str
    try:
        with open(path, encoding="utf-8") as f:
            ini.read_file(f)
    except configparser.Error as error:
        raise Trouble(f"{path}: {error}") from error
    return {name: dict(ini[name]) for name in ini.sections()}


def _region(text, function):
    """Where the definition of @function is in @text."""
    if not function:
        return 0, len(text)
    m = re.search(rf"^\w[^\n;]*\b{function}\s*\([^;{{]*\)\s*\{{\n.*?^\}}", text, re.M | re.S)
    return m.span() if m else None


def _substitute(region, find, replace):
    changed, count = re.subn(find, replace, region, count=1, flags=re.S)
    return changed if count else None


def mutate(text, bug):
    """@text with @bug; None when the place is not there."""
    span = _region(text, bug.get("in"))
    if not span:
        return None
    region = text[span[0]:span[1]]
    changed = _substitute(region, bug["find"], bug["replace"])
    if changed is None and "or find" in bug:
        changed = _substitute(region, bug["or find"], bug["or replace"])
    if changed is not None and "also find" in bug:
        changed = _substitute(changed, bug["also find"], bug["also replace"])
    return None if changed is None else text[:span[0]] + changed + text[span[1]:]


def make_trees(work, source, target, change):
    """The group @source with its text through @change, on every arch, as part of tree @target.

    Why that cannot be, or nothing.
    """
    why = _copy(work, source, target, change)
    if why:
        shutil.rmtree(target / source.name, ignore_errors=True)
    return why


def _copy(work, source, target, change):
    info = json.loads((source.parent / "tree.json").read_text())
    tree = Tree(source.parent.name, info["path"], info["version"])
    for inc in sorted(source.glob("*/group.inc")):
        text = change(inc.read_text(encoding="latin-1"))
        if text is None:
            return "not there"
        folder = target / source.name / inc.parent.name
        shutil.copytree(inc.parent, folder)
        (folder / "group.inc").write_text(text, encoding="latin-1")
        errors = compiles(work.cc, work.top, inc.parent.name, tree, folder / "impl.c", [])
        if errors:
            return "does not compile: " + errors[0]
    for stub in source.glob("*/impl.c"):
        folder = target / source.name / stub.parent.name
        if not folder.exists():
            shutil.copytree(stub.parent, folder)
    shutil.copy(source.parent / "tree.json", target / "tree.json")
    return None


def _make_accessors(work, source, target, arch, bug):
    """One bug in the accessors of an arch, under one operation; why it was not made, or nothing."""
    info = json.loads((source / "tree.json").read_text())
    tree = Tree(source.name, info["path"], info["version"])
    op = bug.get("op", ACCESSORS_OP)
    shutil.copytree(source / "shim" / arch, target / "shim" / arch)
    changed = False
    for inc in sorted((target / "shim" / arch).glob("*.inc")):
        text = mutate(inc.read_text(encoding="latin-1"), bug)
        if text is not None and not changed:
            inc.write_text(text, encoding="latin-1")
            changed = True
    if not changed:
        return "not there"
    for other in ARCHES:
        write(target / op / other / "impl.c", stub([f"this bug is one of {arch}"]))
    shutil.copy(source / op / arch / "impl.c", target / op / arch / "impl.c")
    shutil.copy(source / "tree.json", target / "tree.json")
    errors = compiles_on(work, tree, arch, target, target / op / arch / "impl.c")
    return "does not compile: " + errors[0] if errors else None


def make_accessor_bugs(work, name, out):
    """As make_bugs() for NAME+arch."""
    source = work.out / name
    for shim in sorted(source.glob("shim/*")):
        path = work.top / "model/shim/arch" / shim.name / "tree/bugs.ini"
        for slug, bug in read_bugs(path).items():
            slug = f"{shim.name}-{slug}"
            target = out / f"{name}~{slug}"
            why = _make_accessors(work, source, target, shim.name, bug)
            if why:
                shutil.rmtree(target, ignore_errors=True)
            print("\t".join([bug.get("op", ACCESSORS_OP), slug, why or "-", bug["what"]]))


def make_bugs(work, name, out):
    """Every bug of every group that tree @name has, as trees of their own under @out.

    Prints a line for each: group, bug, why it could not be made or -, what it is.
    """
    shutil.rmtree(out, ignore_errors=True)
    if list((work.out / name).glob("shim/*/*.inc")):
        make_accessor_bugs(work, name, out)
        return
    sources = sorted({p.parent.parent for p in (work.out / name).glob("*/*/group.inc")})
    if not sources:
        raise Trouble(f"tree '{name}' is not registered, or has no group that can be built")
    for source in sources:
        path = work.top / "model/ops" / source.name / "tree/bugs.ini"
        for slug, bug in (read_bugs(path) if path.exists() else {}).items():
            target = out / f"{name}~{slug}"
            why = make_trees(work, source, target, lambda text, b=bug: mutate(text, b))
            print("\t".join([source.name, slug, why or "-", bug["what"]]))
