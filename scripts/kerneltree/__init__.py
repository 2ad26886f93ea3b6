# SPDX-License-Identifier: GPL-2.0-or-later
"""Lifting functions out of a kernel tree: the Python half of scripts/kernel-tree.

scan	 file-scope declarations of a C file, by column 0
shim	 the names that the headers of model/shim/ supply
group	 model/ops/<op>/tree/group.ini: what to take, what to ask of it
extract	 closure of a group over the files of a tree, and the text that is compiled
check	 does the text compile? what is missing, and who needs it?
accessors	 the entry accessors of a tree in place of the shim's
output	 what is written for cmake to build
mutate	 small textual changes to extracted text: bugs for trees
stubs	 functions of the shim that are blind, as extracted text sees them
"""


class Trouble(Exception):
    """Something the user has to be told; ends the command with status 2."""
