# SPDX-License-Identifier: GPL-2.0-or-later
"""The scanner, the closure of names, and the changes that make bugs."""
import unittest

from kerneltree import Trouble
from kerneltree.mutate import mutate
from kerneltree.scan import scan, words


def found(text):
    """Kind and names of every declaration."""
    return [(d.kind, *d.names) for d in scan("file.c", text)]


class Scan(unittest.TestCase):
    """Declarations by column 0."""

    def test_functions(self):
        self.assertEqual(found("static inline int f(void) { return x; }\nint g(int a)\n{\n}\n"),
                         [("func", "f"), ("func", "g")])
        self.assertEqual(found("static pte_t\nf(pte_t p)\n{\n\treturn p;\n}\n"), [("func", "f")])
        self.assertEqual(found("__printf(1, 2) void f(char *s)\n{\n}\n"), [("func", "f")])
        self.assertEqual(found("static void f(int a) __must_hold(lock)\n{\n}\n"), [("func", "f")])

    def test_prototypes_and_variables(self):
        self.assertEqual(found("int f(int a,\n\tint b);\nstatic int x = 3, *y;\nint z[4];\n"),
                         [("proto", "f"), ("var", "x", "y"), ("var", "z")])
        self.assertEqual(found("static const struct ops o = {\n\t.f = f,\n};\n"), [("var", "o")])

    def test_types(self):
        self.assertEqual(found("struct a {\n\tint (*f)(void);\n};\n"), [("type", "struct a")])
        self.assertEqual(found("enum e {\n\tA,\n\tB = 2,\n};\n"), [("type", "struct e", "A", "B")])
        self.assertEqual(found("typedef int __bitwise fpb_t;\ntypedef int (*fn)(int);\n"),
                         [("type", "fpb_t"), ("type", "fn")])

    def test_macros(self):
        self.assertEqual(found("#define A 1\n#define B(x)\t\\\n\tf(x)\nint x;\n"),
                         [("macro", "A"), ("macro", "B"), ("var", "x")])
        self.assertEqual(found("BDI_SHOW(a, b)\nint x;\n")[-1], ("var", "x"))

    def test_braces_in_comments_and_strings(self):
        text = '/* { don\'t */\nint f(void)\n{\n\treturn "}"[0] == \'{\';\n}\nint x;\n'
        self.assertEqual(found(text), [("func", "f"), ("var", "x")])

    def test_braces_under_conditionals(self):
        text = "int f(void)\n{\n#ifdef A\n\tif (a) {\n#else\n\tif (b) {\n#endif\n\t}\n}\nint x;\n"
        self.assertEqual(found(text), [("func", "f"), ("var", "x")])

    def test_guards(self):
        one, two = scan("f.c", "#ifdef A\nint x;\n#else\nint y;\n#endif\n")
        self.assertEqual(one.guards, ("#ifdef A",))
        self.assertEqual(two.guards, ("#ifdef A\n#else",))

    def test_assembly(self):
        text = "#ifndef __ASSEMBLER__\nint x;\n#else\nL = f(x)\n}\n#endif\nint y;\n"
        self.assertEqual(found(text), [("var", "x"), ("var", "y")])
        text = "#ifdef __ASSEMBLY__\nL = f(x)\n#else\nint x;\n#endif\n"
        self.assertEqual(found(text), [("var", "x")])

    def test_damage(self):
        for text in ("int f(void)\n{\n", "/* never\n", "#ifdef A\nint x;\n", "#endif\n", "}\n",
                     "int x;\0"):
            with self.assertRaises(Trouble):
                scan("f.c", text)

    def test_words(self):
        self.assertEqual(words("struct a *p = q->b.c + f(d);") - {"struct"},
                         {"struct a", "a", "p", "q", "f", "d"})


class Mutate(unittest.TestCase):
    """Bugs for extracted text."""

    TEXT = "int f(int a)\n{\n\treturn a;\n}\nint g(int a)\n{\n\treturn a;\n}\n"

    def test_in_function(self):
        bug = {"in": "g", "find": "return a", "replace": "return 0"}
        self.assertEqual(mutate(self.TEXT, bug), self.TEXT[:30] + self.TEXT[30:].replace(
            "return a", "return 0"))

    def test_not_there(self):
        self.assertIsNone(mutate(self.TEXT, {"in": "h", "find": "a", "replace": "b"}))
        self.assertIsNone(mutate(self.TEXT, {"find": "return b", "replace": "b"}))
        self.assertIsNone(mutate(self.TEXT, {"find": "return a", "replace": "return b",
                                             "also find": "q", "also replace": "r"}))

    def test_other_era(self):
        bug = {"find": "return b", "replace": "x", "or find": "return a", "or replace": "return 1"}
        self.assertIn("return 1", mutate(self.TEXT, bug))


if __name__ == "__main__":
    unittest.main()
