# SPDX-License-Identifier: GPL-2.0-or-later
"""A group: what to lift out of a kernel tree for one operation (model/ops/<op>/tree/group.ini).

[group]		arches; over: the implementation of ours that runs on the accessors of the tree as
		tree:NAME+arch, followed by its arches if not all; adapter: the file that includes the text, if not adapter.c;
		prototypes = yes: for headers. What is only declared counts, and entry points
		may be macros
[files]		files of the tree that text may be taken from, in the order of the output
[roots]		entry points (with * at the end: all that begin so), each with the files it may be
		in, if not any; one that some eras do not have is followed by ?
[take]		names (with * at the end: all that begin so) to be taken from the tree although the
		shim has them; a value names a macro that the results of calls go through
[probes]	NAME = where REGEX: defines PD_TREE_HAVE_NAME as 1 or 0
[facts]		what is said of the tree: text = where REGEX ? when found : when not

where is "head of FUNCTION", "body of FUNCTION" or "text": the extracted text without comments.
[files x86] and [files arm64] add files for one arch. The accessors of an arch are groups too:
model/shim/arch/<arch>/tree/.
"""
import configparser
import re
from dataclasses import dataclass

from . import Trouble

WHERE = re.compile(r"(head of \w+|body of \w+|text)\s+(.*)$", re.S)


@dataclass
class Group:
    """Read from @path; @op is its operation."""
    op: str
    path: object
    adapter: object
    over: list
    prototypes: bool
    arches: list
    files: dict
    roots: list
    take: dict
    probes: dict
    facts: dict

    @property
    def inc(self):
        """The file that is written."""
        return f"{self.path.stem}.inc"

    def takes(self, name):
        """Is @name taken from the tree whatever the shim has? The macro around its calls, or ""."""
        bare = name.removeprefix("struct ")
        for pattern, around in self.take.items():
            if bare == pattern or (pattern.endswith("*") and bare.startswith(pattern[:-1])):
                return around or ""
        return None


def _split_fact(path, name, value):
    m = re.fullmatch(r"(.*)\s\?\s(.*)\s:\s(.*)", value, re.S)
    if not m:
        raise Trouble(f"{path}: {name}: expected WHERE REGEX ? WHEN FOUND : WHEN NOT")
    return m.groups()


def read_group(path):
    """Read a group file."""
    ini = configparser.ConfigParser(allow_no_value=True, delimiters=("=",), interpolation=None,
                                    inline_comment_prefixes=None)
    ini.optionxform = str
    try:
        with open(path, encoding="utf-8") as f:
            ini.read_file(f)
        arches = ini["group"]["arches"].split()
        common = list(ini["files"])
    except (configparser.Error, KeyError, AttributeError) as error:
        raise Trouble(f"{path}: {error}") from error

    def section(name):
        return dict(ini[name]) if ini.has_section(name) else {}

    probes = section("probes")
    facts = {n: _split_fact(path, n, v or "") for n, v in section("facts").items()}
    for name, value in [*probes.items(), *((n, f[0]) for n, f in facts.items())]:
        if not WHERE.match(value or ""):
            raise Trouble(f"{path}: {name}: expected 'head of F', 'body of F' or 'text', "
                          f"then a regular expression")
    return Group(
        op=path.parent.parent.name, path=path, arches=arches,
        adapter=path.parent / ini["group"].get("adapter", "adapter.c"),
        over=ini["group"].get("over", "").split(), prototypes="prototypes" in ini["group"],
        files={a: common + list(section(f"files {a}")) for a in arches},
        roots=[(n.rstrip("?").strip(), n.endswith("?"), (v or "").split())
               for n, v in section("roots").items()],
        take=section("take"), probes=probes, facts=facts)


def accessor_groups(top, arch):
    """The groups of the accessors of an arch, headers first."""
    return [read_group(top / "model/shim/arch" / arch / "tree" / f"{name}.ini")
            for name in ("accessors", "outofline")]


def all_groups(top):
    """Every group of the project, in the order of operations."""
    return [read_group(p) for p in sorted((top / "model/ops").glob("*/tree/group.ini"))]


def search(where_and_regex, pieces):
    """Does the regular expression match where it should, in the extracted @pieces?

    None when the function it is about is not among them.
    """
    where, regex = WHERE.match(where_and_regex).groups()
    kind, _, name = where.partition(" of ")
    if kind == "text":
        texts = ["\n".join(p.code for p in pieces)]
    else:
        funcs = [p for p in pieces if p.kind == "func" and name in p.names]
        texts = [p.head() if kind == "head" else p.code for p in funcs]
    return any(re.search(regex, text, re.S) for text in texts) if texts else None
