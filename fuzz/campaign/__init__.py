# SPDX-License-Identifier: GPL-2.0-or-later
"""scripts/campaign: a long run of all engines on one machine, started and forgotten.

    __main__	the command line
    plan	what was asked for; where things are in the campaign's folder
    build	the programs, and their copies in the folder; seeds
    campaign	folder, plan, ledger and state of one that runs
    supervisor	the loop: samples, limits, when to stop
    turns, workers	slices of workers: begun, watched, counted
    engines	how a slice of each engine is started and what it tells
    background, chores	one chore at a time, beside the slices:
    findings	    from files to signatures
    corpus	    corpora kept sound and small
    canary	    is what is known to be wrong still found?
    ledger	what happened, one JSON object a line, never lost
    state	what the ledger adds up to
    limits	disk, memory, processes left behind
    status	the table
    report, svg, style	the page
"""


class Trouble(Exception):
    """What a user has to be told: usage or infrastructure, exit code 2."""
