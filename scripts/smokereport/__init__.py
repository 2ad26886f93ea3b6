# SPDX-License-Identifier: GPL-2.0-or-later
"""What came of scripts/smoke, for people and for machines.

``python3 -m smokereport`` reads the folders that the jobs left (scripts/smoke.d/drivers.sh) and
prints; reading is in jobs.py, what was found in findings.py, one file for each form it takes.
"""
