# SPDX-License-Identifier: GPL-2.0-or-later
"""The page of a campaign: everything that its ledger says, on one page without scripts."""
import os
import shlex
import time
from html import escape

from .ledger import read
from .plan import Folder, Plan
from .state import NEVER, replay
from .status import clock, rate, share, short, verdict
from .style import STYLE
from .svg import chart


def code(*words):
    """A command to paste."""
    return f"<code>{escape(shlex.join(str(w) for w in words))}</code>"


def whole(text):
    """A name that no line breaks."""
    return f"<span class=whole>{escape(text)}</span>"


def table(head, rows, classes=()):
    """@rows of cells that are HTML already; cells of numbers are right-aligned."""
    out = ["<table><tr>" + "".join(f"<th>{escape(h)}</th>" for h in head) + "</tr>"]
    for row, name in zip(rows, [*classes, *[""] * len(rows)]):
        cells = "".join(f"<td class=n>{c}</td>" if str(c)[:1].isdigit() or c == "-" else
                        f"<td>{c}</td>" for c in row)
        out.append(f"<tr class='{name}'>{cells}</tr>" if name else f"<tr>{cells}</tr>")
    return "\n".join([*out, "</table>"])


def when(seconds):
    """A time of the clock."""
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(seconds))


def head(state, folder, plan):
    """How it went, in a few lines."""
    good = state.exit_code() == 0
    rows = state.rows()
    judged = sum(r[0] for r in rows.values())
    ended = "still running or killed" if not state.stopped else f"stopped: {state.stopped}"
    facts = [
        ("begun", when(state.begun)), ("ran", f"{clock(state.up)}, {state.starts} starts, {ended}"),
        ("commit", state.commit or "-"),
        ("judged", ", ".join([*(plan.impl.split(",") if plan.impl else
                                ["all that are not known wrong"]), *plan.add])),
        ("executions", short(state.execs())),
        ("judgements", f"{short(judged)} in slices that have ended, "
         f"{share(sum(r[1] for r in rows.values()), judged)} non-trivial"),
        ("memory", f"{state.usage['peak_rss']} MiB at most, {plan.memory} allowed a worker"),
        ("disk", f"{state.usage['peak_disk']} MiB at most, {plan.disk} allowed"),
        ("to go on", code("scripts/campaign", folder.path)),
    ]
    cells = "".join(f"<tr><th>{escape(k)}</th><td>{v if k == 'to go on' else escape(v)}</td></tr>"
                    for k, v in facts)
    return (f"<h1>Campaign {escape(folder.path.name)}</h1>\n"
            f"<p class='verdict {'good' if good else 'bad'}'>{escape(verdict(state))}</p>\n"
            f"<table class=facts>{cells}</table>")


def signatures(state, folder):
    """What was found, oldest first."""
    if not state.signatures:
        return "<p>None: every implementation agreed with its reference.</p>"
    rows = []
    found = sorted(state.signatures.items(), key=lambda item: item[1]["up"])
    for i, (name, f) in enumerate(found, 1):
        home = folder.findings / f["folder"]
        text = f"<b>{escape(name)}</b>"
        if f["records"]:
            text = f"<a href='findings/{escape(f['folder'])}/report.html'>{text}</a>"
            command = code(folder.bin / "ptediff", "run", home / "min.pte")
        else:
            command = code("ls", home / "files")
        rows.append((i, text, clock(f["up"]), whole(f["worker"]), f["files"], f["records"] or "-",
                     command))
    return table(("", "signature", "found after", "by", "files", "records", "see it"), rows)


def speed(series):
    """Executions a second, over at least a sixtieth of the time."""
    out, last = [], series[0] if series else None
    shortest = series[-1][0] / 60 if series else 0
    for point in series[1:]:
        passed = point[0] - last[0]
        if passed > shortest:
            out.append((point[0], max(0, point[1] - last[1]) / passed))
            last = point
    return out


def curves(state):
    """Coverage and speed over time."""
    engines = sorted({e for p in state.series for e in p[2]})
    edges = {e: [(p[0], p[2][e]) for p in state.series if e in p[2]] for e in engines}
    found = sorted(state.signatures.values(), key=lambda f: f["up"])
    marks = [(f["up"], str(i + 1)) for i, f in enumerate(found)]
    out = ["<h2>Coverage</h2>", chart("edges over time", edges, marks),
           "<p class=dim>Edges that each engine has seen; builds differ, so their numbers cannot "
           "be compared. The last new edge or signature came after "
           f"{clock(state.gain)}.{' Vertical lines: signatures.' if marks else ''}</p>",
           "<h2>Speed</h2>",
           chart("executions a second over time", {"all": speed(state.series)}),
           "<p class=dim>Executions a second of the clock, all workers together. Those of "
           "<code>random</code> are counted when its slice ends.</p>"]
    return "\n".join(out)


def matrix(state, folder):
    """What was judged how often, by whom."""
    engines = sorted(state.rows_by_engine())
    by_engine, rows, classes = state.rows_by_engine(), [], []
    for name, row in state.rows().items():
        op, impl, arch = name.split("/")
        cells = [short(by_engine[e].get(name, [0])[0]) for e in engines]
        batched = "never" if row[NEVER] else share(row[6], row[0])
        rows.append((f"{escape(op)} <b>{escape(impl)}</b> {arch}", *cells, share(row[1], row[0]),
                     batched, short(row[7]), short(row[5]),
                     code(folder.bin / "ptediff", "random", "--op", op, "--impl", impl, "--arch",
                          arch)))
        classes.append("" if row[1] else "empty")
    note = ""
    if state.unjudged():
        note = ("<p class='verdict bad'>Nothing that moves was ever compared in "
                f"{len(state.unjudged())} rows: {escape(', '.join(state.unjudged()))}</p>")
    return note + table(("judgements of", *engines, "non-trivial", "batched", "pages", "diverged",
                         "alone"), rows, classes)


def health(state, folder):
    """Workers."""
    rows = []
    for name, w in state.workers.items():
        rows.append((whole(name), w.slices, short(w.total_execs()),
                     rate(w.execs, w.cpu), clock(w.cpu), w.edges or "-", w.corpus or "-", w.rss,
                     w.finds, w.failures, escape("running" if w.open else w.why),
                     code("sh", folder.worker(name) / "command")))
    return table(("worker", "slices", "executions", "per CPU-second", "CPU", "edges", "corpus",
                  "MiB", "files", "failures", "last slice", "that slice again"), rows)


def canaries(state, folder, plan):
    """Does everything still see what it has to?"""
    if not state.canary:
        return "<p>It was not asked yet.</p>"
    rows, classes = [], []
    for engine, c in state.canary.items():
        classes.append("" if c["ok"] else "empty")
        rows.append((f"<b>{escape(engine)}</b>", f"{c['found']} of {c['runs']}", clock(c["up"]),
                     short(c["execs"]), escape(c["signature"]) if c["ok"] else "<b>NOT FOUND</b>",
                     code(folder.bin / "ptediff", "random", "--impl", plan.canary)))
    return table(("engine", "found", "last after", "executions", "signature", "by hand"), rows,
                 classes)


def page(state, folder, plan):
    """The page."""
    notes = "".join(f"<tr><td class=n>{clock(up)}</td><td>{escape(text)}</td></tr>"
                    for up, text in state.notes)
    sections = [
        head(state, folder, plan), "<h2>Signatures</h2>", signatures(state, folder), curves(state),
        "<h2>What was judged</h2>", matrix(state, folder), "<h2>Workers</h2>",
        health(state, folder), "<h2>Canary</h2>",
        f"<p class=dim>{escape(plan.canary)} is known to be wrong; each engine has to find it "
        "again and again.</p>", canaries(state, folder, plan)]
    if notes:
        sections += ["<h2>Notes</h2>", f"<table>{notes}</table>"]
    body = "\n".join(sections)
    return (f"<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>\n<meta name=viewport "
            f"content='width=device-width'>\n<title>Campaign {escape(folder.path.name)}</title>\n"
            f"<style>\n{STYLE}</style></head>\n<body><main>\n{body}\n</main></body></html>\n")


def write(path):
    """Write DIR/report.html; its path."""
    folder = path if isinstance(path, Folder) else Folder(path)
    state = replay(read(folder / "ledger.jsonl")[0])
    new = folder / "report.new"
    new.write_text(page(state, folder, Plan.load(folder / "plan.json")))
    os.replace(new, folder / "report.html")
    return folder / "report.html"
