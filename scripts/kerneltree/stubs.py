# SPDX-License-Identifier: GPL-2.0-or-later
"""Blind stubs: functions of the shim that do nothing or say one thing, seen by a tree's code only.

If the shim already was that blind, nothing would change. So each has to be found, in one group at
least, or model/shim/stubs.ini says why it cannot be:

[as NAME]	LABEL = (PARAMETERS) BODY: a stub; they replace those that the type makes of NAME:
		a value of its own type, 0 and 1 of a number, its argument of what changes an entry
[silent]	NAME, or NAME LABEL, = why nothing changes
[no meaning]	names that are C, or words for other tools: no stubs
"""
import configparser
import re
import shutil

from . import Trouble
from .mutate import make_trees
from .scan import blank, scan, words
from .shim import preprocess

NUMBER = re.compile(r"(?:unsigned )?(?:int|long|short|char)(?: (?:int|long))*|_Bool|bool|u\d+|"
                    r"fpb_t|uint\d+_t")
NOISE = re.compile(r"__attribute__\s*\(\(.*?\)\)|\b(?:static|inline|extern|const|volatile)\b")
MACRO = re.compile(r"#\s*define\s+(\w+)\(([^)]*)\)\s*(?:(\w+)\((.*)\)$)?")


class Stubs:
    """What model/shim/stubs.ini says."""

    def __init__(self, path):
        ini = configparser.ConfigParser(allow_no_value=True, delimiters=("=",), interpolation=None)
        ini.optionxform = str
        try:
            with open(path, encoding="utf-8") as f:
                ini.read_file(f)
        except configparser.Error as error:
            raise Trouble(f"{path}: {error}") from error
        self.path = path
        self.made = {s.removeprefix("as "): dict(ini[s]) for s in ini.sections()
                     if s.startswith("as ")}
        self.silent = dict(ini["silent"]) if ini.has_section("silent") else {}
        self.glue = dict(ini["no meaning"]) if ini.has_section("no meaning") else {}

    def reason(self, name, label):
        """Why the stub @label of @name changes nothing, or None."""
        return self.silent.get(f"{name} {label}", self.silent.get(name))


def shim_functions(work, group, arch):
    """Name of each function or macro with parameters of our headers, and its head or None.

    A macro that only calls a function by another name has that function's.
    """
    heads, aliases, ours, own = {}, {}, [], False
    for line in preprocess(work.cc, work.top, arch, group):
        marker = re.match(r'#\s*\d+\s+"([^"]*)"', line)
        macro = MACRO.match(line)
        if marker:
            own = marker.group(1).startswith((str(work.top), "<stdin>"))
        elif own and macro:
            name, params, callee, arguments = macro.groups()
            heads[name] = None
            if callee and params.replace(" ", "") == arguments.replace(" ", ""):
                aliases[name] = callee
        elif own and not line.startswith("#"):
            ours.append(line)
    for decl in scan(f"headers of {group.adapter}", "\n".join(ours)):
        if decl.kind in ("func", "proto"):
            heads.update((name, decl.head()) for name in decl.names)
    for name, callee in aliases.items():
        if heads.get(callee):
            heads[name] = heads[callee].replace(f"{callee}(", f"{name}(")
    return heads


def used(text, heads):
    """Those of @heads that extracted @text uses and does not define."""
    own = {name for decl in scan("group.inc", text) for name in decl.names}
    return sorted((words(blank(text)) & set(heads)) - own)


def by_type(name, head):
    """Stubs of @name by label, as its type has them; none when the type does not say."""
    before, _, after = " ".join(NOISE.sub(" ", head).split()).partition(f"{name}(")
    kind, params = before.strip(), after.rpartition(")")[0].split(",")
    entries = [i for i, p in enumerate(params) if re.match(r"\s*pte_t \w", p)]
    if kind == "void":
        return {"nothing": "(...) ((void)0)"}
    if kind == "pte_t" and entries:
        names = ", ".join(f"a{i}" for i in range(len(params)))
        return {"same": f"({names}) (a{entries[0]})"}
    if NUMBER.fullmatch(kind):
        return {"0": "(...) (0)", "1": "(...) (1)"}
    if kind.endswith("*"):
        return {"NULL": f"(...) (({kind})0)"}
    return {"zero": f"(...) (({kind}){{ 0 }})"} if re.fullmatch(r"\w+", kind) else {}


def stubs_of(stubs, name, head):
    """Label and macro of each stub of @name."""
    made = stubs.made.get(name)
    if made is None and head:
        made = by_type(name, head)
    if not made and name not in stubs.silent:
        raise Trouble(f"{stubs.path}: nothing says how {name}() could be blind, or that it has "
                      "no meaning")
    return made or {}


def with_stub(text, name, macro):
    """Extracted @text that sees @macro for @name."""
    return (f'#pragma push_macro("{name}")\n#undef {name}\n#define {name}{macro}\n{text}'
            f'#undef {name}\n#pragma pop_macro("{name}")\n')


def stubs_of_group(work, stubs, group, name):
    """Function, label and macro of each stub for @group of tree @name; no macro: only a reason."""
    heads, names = {}, set()
    for inc in sorted((work.out / name / group.op).glob("*/group.inc")):
        of_arch = shim_functions(work, group, inc.parent.name)
        names.update(used(inc.read_text(encoding="latin-1"), of_arch))
        heads = {**of_arch, **{n: h for n, h in heads.items() if h}}
    for function in sorted(names - set(stubs.glue)):
        made = stubs_of(stubs, function, heads[function])
        yield from ((function, *stub) for stub in made.items() or [("-", None)])


def make_stubs(work, groups, name, out):
    """Every stub of every group that tree @name has, as trees of their own under @out, if given.

    Prints a line for each: group, tree, why it could not be made or -, the function, its label,
    and why nothing can be found or -.
    """
    if not (work.out / name / "tree.json").exists():
        raise Trouble(f"tree '{name}' is not registered")
    if out:
        shutil.rmtree(out, ignore_errors=True)
    stubs = Stubs(work.top / "model/shim/stubs.ini")
    for group in groups:
        for function, label, macro in stubs_of_group(work, stubs, group, name):
            bug, why = f"stub.{function}.{label}" if macro else "-", None
            if out and macro:
                why = make_trees(work, work.out / name / group.op, out / f"{name}~{bug}",
                                 lambda text, f=function, m=macro: with_stub(text, f, m))
            print("\t".join([group.op, bug, why or "-", function, label,
                             stubs.reason(function, label) or "-"]))
