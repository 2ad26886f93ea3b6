# SPDX-License-Identifier: GPL-2.0-or-later
"""The state of a campaign as text: a line for the log, a table for people."""


def short(n):
    """12345678 as 12.3M."""
    for limit, unit in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if n >= limit:
            return f"{n / (1e3 if unit == 'k' else limit):.{2 if unit == 'G' else 1}f}{unit}"
    return str(round(n))


def clock(seconds):
    """1:02:03, with days once there are some."""
    seconds = int(seconds)
    days = f"{seconds // 86400}d " if seconds >= 86400 else ""
    return f"{days}{seconds // 3600 % 24}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def rate(n, seconds):
    """A second."""
    return short(n / seconds) if seconds > 0 else "-"


def verdict(state):
    """In a word or two."""
    count = len(state.signatures)
    parts = ["BLIND: the canary is no longer found"] if state.blind else []
    if state.disabled():
        parts.append(f"workers given up: {', '.join(state.disabled())}")
    if count:
        parts.append(f"{count} signature{'s' if count > 1 else ''}")
    return "; ".join(parts) or "clean"


def edges(state):
    """Of each engine."""
    return " ".join(f"{e}:{n}" for e, n in sorted(state.edges.items())) or "-"


def line(state):
    """For the log, every now and then."""
    return (f"execs {short(state.execs())} edges {edges(state)} "
            f"new {clock(state.up - state.gain)} ago, {verdict(state)}, "
            f"{state.usage['rss']} MiB memory, {state.usage['disk']} MiB disk")


def workers(state):
    """A row each."""
    rows = [("worker", "slices", "execs", "per CPU-s", "edges", "corpus", "MiB", "files", "bad",
             "last slice")]
    for name, w in state.workers.items():
        what = "running" if w.open else w.why or "-"
        rows.append((name, w.slices, short(w.total_execs()), rate(w.execs, w.cpu), w.edges or "-",
                     w.corpus or "-", w.rss, w.finds, w.failures, what))
    return rows


def operations(state):
    """A row for each operation: how much was judged, of how many implementations."""
    total = {}
    for name, row in state.rows().items():
        op = total.setdefault(name.split("/")[0], [0, 0, 0, 0, 0])
        op[0] += 1
        for i, column in enumerate((0, 1, 6, 7), 1):
            op[i] += row[column]
    head = ("operation", "rows", "judgements", "non-trivial", "batched", "pages")
    return [head] + [(name, n, short(judged), share(moved, judged), share(batched, judged),
                      short(pages)) for name, (n, judged, moved, batched, pages) in total.items()]


def share(part, whole):
    """In percent."""
    return f"{100 * part / whole:.1f}%" if whole else "-"


def table(rows):
    """Columns as wide as they have to be; the first and the last to the left."""
    widths = [max(len(str(row[i])) for row in rows) for i in range(len(rows[0]))]
    out = []
    for row in rows:
        cells = [str(c).ljust(w) if i in (0, len(row) - 1) else str(c).rjust(w)
                 for i, (c, w) in enumerate(zip(row, widths))]
        out.append("  ".join(cells).rstrip())
    return "\n".join(out)


def status(state, running, bad):
    """The whole picture."""
    how = "running" if running else f"stopped: {state.stopped}" if state.stopped else \
        "not running, was killed: the same command goes on"
    out = [f"campaign: {how}; {clock(state.up)}, {state.starts} starts, {verdict(state)}",
           f"execs {short(state.execs())}, edges {edges(state)}, last new one "
           f"{clock(state.up - state.gain)} ago, memory {state.usage['rss']} MiB (peak "
           f"{state.usage['peak_rss']}), disk {state.usage['disk']} MiB (peak "
           f"{state.usage['peak_disk']})", "", table(workers(state)), "", table(operations(state))]
    if state.signatures:
        rows = [("found after", "files", "records", "worker", "signature")]
        rows += [(clock(f["up"]), f["files"], f["records"] or "-", f["worker"], name)
                 for name, f in state.signatures.items()]
        out += ["", table(rows)]
    if state.canary:
        rows = [("canary", "found", "runs", "executions", "last")]
        rows += [(e, c["found"], c["runs"], short(c["execs"]),
                  c["signature"] if c["ok"] else "NOT FOUND") for e, c in state.canary.items()]
        out += ["", table(rows)]
    if state.notes:
        out += [""] + [f"{clock(up)} {text}" for up, text in state.notes[-5:]]
    if bad:
        out += [f"{bad} lines of the ledger are no records"]
    return "\n".join(out)
