# SPDX-License-Identifier: GPL-2.0-or-later
"""File-scope declarations of a C file, found by their first column.

Kernel style starts every declaration at file scope in column 0 and indents what is inside, so
that no C parser is needed, and neither a configured tree. Each declaration is kept as text with
its line number and the #if, #elif and #else lines around it.
"""
import re
from dataclasses import dataclass

from . import Trouble

WORD = re.compile(r"[A-Za-z_]\w*")
DIRECTIVE = re.compile(r"\s*#\s*(\w+)")
COMMENT_OR_STRING = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.S)
ASSEMBLER = re.compile(r"""\s*\#\s*ifdef\s+__ASSEMBL(ER|Y)__[^\n]*$ |
                           \s*\#\s*ifndef\s+__ASSEMBL(ER|Y)__[^\n]*\n\s*\#\s*else""", re.X)
AGGREGATE = re.compile(r"\b(struct|union|enum)\b\s*(?:__\w+(?:\([^)]*\))?\s*)*(\w+)?[^()]*$")


@dataclass(frozen=True)
class Decl:
    """A declaration: @text as it stands at @line, @code the same without comments and strings.

    @kind is func, proto, macro, type, var or other; @names are what it declares, a tag as
    "struct name"; @guards are the conditional directives to repeat around it.
    """
    file: str
    line: int
    end: int
    kind: str
    names: tuple
    text: str
    code: str
    guards: tuple

    def head(self):
        """The signature of a function."""
        return self.code.split("{", 1)[0] if self.kind == "func" else self.code


def blank(text):
    """@text with comments, strings and character constants replaced by spaces."""
    return COMMENT_OR_STRING.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def _function_name(head):
    """The name before the parameters; macros that stand for attributes come before or after."""
    depth, found = 0, []
    for m in re.finditer(r"[()]|[A-Za-z_]\w*(?=\s*\()", head):
        if m.group() == "(":
            depth += 1
        elif m.group() == ")":
            depth -= 1
        elif depth == 0:
            found.append((m.group(), bool(WORD.search(head[:m.start()]))))
    for name, typed in found:
        if typed and name != "__attribute__":
            return name
    return None


def _declared(head):
    """Names of variables or of a typedef: the last word of each declarator."""
    pointer = re.search(r"\(\s*\*\s*(\w+)\s*(?:\[[^]]*\])?\)\s*\(", head)
    if pointer:
        return [pointer.group(1)]
    head = re.sub(r"__attribute__\s*\(\(.*?\)\)|__\w+\s*\([^()]*\)", " ", head)
    names = []
    for part in re.split(r",", head):
        words = WORD.findall(re.split(r"[=\[:]", part)[0])
        if words and (names or len(words) > 1):
            names.append(words[-1])
    return names


def _classify(code):
    """Kind and names of the declaration @code."""
    brace = code.find("{")
    head = code if brace < 0 else code[:brace]
    aggregate = AGGREGATE.search(head) if brace >= 0 and not head.rstrip().endswith("=") else None
    if aggregate:
        names = [f"struct {aggregate.group(2)}"] if aggregate.group(2) else []
        if aggregate.group(1) == "enum":
            body = code[brace + 1:code.rfind("}")]
            names += [m.group(1) for m in re.finditer(r"(?:^|,)\s*(\w+)", body)]
        after = code[code.rfind("}") + 1:].rstrip().rstrip(";")
        after = re.sub(r"__\w+(\s*\(.*\))?", " ", after)
        return "type", names + WORD.findall(after)
    if head.startswith("typedef"):
        return "type", _declared(head.rstrip().rstrip(";"))
    if brace >= 0 and not head.rstrip().endswith("="):
        name = _function_name(head)
        return ("func", [name]) if name else ("other", [])
    name = _function_name(head.split("=")[0])
    if name and "=" not in head:
        return "proto", [name]
    return "var", _declared(re.sub(r"=[^,;]*", "", head).rstrip().rstrip(";"))


class _Reader:
    def __init__(self, file, text):
        self.file = file
        self.lines = text.split("\n")
        self.code = blank(text).split("\n")
        self.at = 0
        self.guards = []
        self.found = []

    def damaged(self, line, what):
        return Trouble(f"{self.file}:{line + 1}: {what}: the file is damaged, or not C")

    def conditional(self, word, line):
        """Keep the stack of #if lines; each level is the directives up to here."""
        text = self.lines[line]
        while text.endswith("\\") and line + 1 < len(self.lines):
            line += 1
            text = text[:-1] + self.lines[line]
        if word in ("if", "ifdef", "ifndef"):
            self.guards.append([text])
        elif not self.guards:
            raise self.damaged(line, f"#{word} without #if")
        elif word == "endif":
            self.guards.pop()
        else:
            self.guards[-1].append(text)

    def for_assembler(self):
        """Is the text here no C? Headers that assembly includes have some."""
        return any(ASSEMBLER.match("\n".join(level)) for level in self.guards)

    def directive(self):
        start = self.at
        word = DIRECTIVE.match(self.code[start])
        word = word.group(1) if word else ""
        while self.lines[self.at].endswith("\\") and self.at + 1 < len(self.lines):
            self.at += 1
        self.at += 1
        if word in ("if", "ifdef", "ifndef", "elif", "else", "endif"):
            self.conditional(word, start)
        elif word == "define":
            name = re.search(r"define\s+(\w+)", self.code[start])
            self.keep(start, "macro", [name.group(1)] if name else [])

    def keep(self, start, kind, names):
        self.found.append(Decl(
            self.file, start + 1, self.at, kind, tuple(n for n in names if n),
            "\n".join(self.lines[start:self.at]), "\n".join(self.code[start:self.at]),
            tuple("\n".join(level) for level in self.guards)))

    def ends_here(self, code, depth):
        """Is @code, whose brackets are at @depth, a whole declaration?"""
        stripped = code.rstrip()
        if depth or not stripped:
            return False
        if stripped.endswith(";"):
            return True
        if stripped.endswith("}"):
            head = code[:code.find("{")]
            return not head.rstrip().endswith("=") and not AGGREGATE.search(head)
        if re.fullmatch(r"\w+\s*\([^{]*\)", stripped):
            following = next((c for c in self.code[self.at:] if c.strip()), "")
            return bool(following) and following[0] not in "{ \t"
        return False

    def declaration(self):
        """Lines up to the end of the declaration that starts here."""
        start, depth, levels, body = self.at, 0, [], []
        while self.at < len(self.lines):
            line = self.code[self.at]
            word = DIRECTIVE.match(line) if line.lstrip().startswith("#") else None
            self.at += 1
            if word:
                name = word.group(1)
                if name in ("if", "ifdef", "ifndef"):
                    levels.append(depth)
                elif name in ("else", "elif") and levels:
                    depth = levels[-1]
                elif name == "endif":
                    if not levels:
                        raise self.damaged(self.at - 1, "#endif inside a declaration")
                    levels.pop()
                while self.lines[self.at - 1].endswith("\\") and self.at < len(self.lines):
                    self.at += 1
                continue
            body.append(line)
            depth += sum(line.count(c) for c in "({[") - sum(line.count(c) for c in ")}]")
            if line.startswith("}") and len(body) > 1 and not levels:
                depth = 0
            if depth < 0:
                raise self.damaged(self.at - 1, "a bracket closes that was never opened")
            code = "\n".join(body)
            if not levels and self.ends_here(code, depth):
                self.keep(start, *_classify(code))
                return
        raise self.damaged(start, "this declaration never ends")

    def read(self):
        while self.at < len(self.lines):
            line = self.code[self.at]
            if line.lstrip().startswith("#"):
                self.directive()
            elif self.for_assembler():
                self.at += 1
            elif re.match(r"[A-Za-z_]", line):
                self.declaration()
            elif line.startswith("}"):
                raise self.damaged(self.at, "a bracket closes that was never opened")
            else:
                self.at += 1
        if self.guards:
            raise self.damaged(len(self.lines) - 1, f"no #endif for '{self.guards[-1][0]}'")
        return self.found


def scan(file, text):
    """All declarations of @text at file scope, in their order."""
    if "\0" in text:
        raise Trouble(f"{file}: holds zero bytes: the file is damaged, or not C")
    code = blank(text)
    if "/*" in code:
        line = code[:code.find("/*")].count("\n") + 1
        raise Trouble(f"{file}:{line}: a comment never ends: the file is damaged, or not C")
    return _Reader(file, text).read()


def words(code):
    """Names that @code may refer to; members of structures are none of them."""
    code = re.sub(r"(?:\.|->)\s*[A-Za-z_]\w*", " ", code)
    tags = re.findall(r"\b(?:struct|union|enum)\s+([A-Za-z_]\w*)", code)
    return {f"struct {tag}" for tag in tags} | set(WORD.findall(code))
