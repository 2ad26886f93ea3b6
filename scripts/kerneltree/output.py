# SPDX-License-Identifier: GPL-2.0-or-later
"""What is written for cmake/trees.cmake to build."""

IMPL = """/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "{file}"
"""
STUB = """/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/op.h"

const struct pd_impl impl = {{
\t.unsupported = "{why}",
}};
"""


def write(path, text):
    """Write @path only when that changes it, so that nothing is compiled twice."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="latin-1") != text:
        path.write_text(text, encoding="latin-1")


def _c_string(text):
    """@text inside a C string, short enough for a line of a report."""
    text = text if len(text) < 400 else text[:400] + " ..."
    return text.replace("\\", "\\\\").replace('"', "'").replace("\n", " ")


def stub(missing):
    """An implementation that only says what is missing."""
    return STUB.format(why=_c_string("; ".join(missing)))
