# SPDX-License-Identifier: GPL-2.0-or-later
"""scripts/campaign: a long run of all engines on one machine, started and forgotten.

    __main__	the command line
    plan	what was asked for: workers, implementations, limits; kept in the campaign's folder
    build	the programs, and their copies in the campaign's folder
    engines	how a slice of each engine is started and what it tells
    supervisor	the loop: slices, chores, samples, limits, when to stop
    chores	what goes on in the background: findings to signatures, corpora made small, the canary
    ledger	what happened, one JSON object a line, never lost
    state	what the ledger adds up to
    limits	disk, memory, processes left behind
    status	the table
    report, svg	the page
"""


class Trouble(Exception):
    """What a user has to be told: usage or infrastructure, exit code 2."""
