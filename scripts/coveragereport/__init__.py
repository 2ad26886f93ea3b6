# SPDX-License-Identifier: GPL-2.0-or-later
"""Which combinations were judged, and which never: reads what ``--coverage FILE`` of ptediff wrote.

An entry that an operation met is a combination of its kind, the order of its folio, its place and
a flag (harness/judge/coverage.h). A hole is a combination that was never judged although all its
parts were: a value that is missing is named once, not in every combination with the others.
"""
