# SPDX-License-Identifier: GPL-2.0-or-later
"""What a ledger adds up to.

Records, all with `t` (seconds since the epoch) and `up` (seconds that the campaign has run):

    start	commit, jobs, workers {name: engine}
    slice	worker, n, seed: a run of an engine begins
    sample	worker, n, execs, edges, corpus: how far it is
    end		worker, n, execs, edges, corpus, seconds, cpu, rss, why, rows: what came of it
    find	signature, worker, files, folder: once for each signature and batch of files
    canary	engine, found, execs, seconds
    merge	before, after, seconds
    usage	rss, disk: of the whole campaign, in MiB
    note	text: what a person should know
    stop	why
    state	all of the above, at the start of a rotated ledger

`rows` has, for each "op/implementation/arch", the numbers in ROW.
"""
from dataclasses import asdict, dataclass, field

ROW = ("judgements", "non-trivial", "trivial", "both refuse", "skipped", "divergences", "batched",
       "pages", "changed")
NEVER = len(ROW)	# one more: 1 when it never batches
USAGE = ("rss", "disk", "peak_rss", "peak_disk")
POINTS = 600		# of a curve
NOTES = 200


def add_rows(to, rows):
    """Add the counters of a slice to those of many."""
    for name, row in rows.items():
        old = to.setdefault(name, [0] * NEVER + [row[NEVER]])
        for i in range(NEVER):
            old[i] += row[i]
        old[NEVER] |= row[NEVER]


@dataclass
class Worker:
    """A worker, over all its slices."""
    engine: str = "?"
    slices: int = 0
    execs: int = 0
    seconds: float = 0
    cpu: float = 0
    rss: int = 0
    edges: int = 0
    corpus: int = 0
    finds: int = 0
    failures: int = 0		# slices that ended badly
    in_a_row: int = 0
    why: str = ""		# how the last slice ended
    open: dict = None		# the slice that has not ended: n, and its latest sample
    rows: dict = field(default_factory=dict)

    def total_execs(self):
        """With what the open slice has done so far."""
        return self.execs + (self.open or {}).get("execs", 0)


@dataclass
class State:
    """A campaign."""
    begun: float = 0		# of the clock
    now: float = 0
    up: float = 0
    starts: int = 0
    commit: str = ""
    jobs: int = 0
    running: bool = False
    stopped: str = ""
    workers: dict = field(default_factory=dict)
    edges: dict = field(default_factory=dict)		# most, for each engine
    gain: float = 0			# up of the last new edge or signature
    signatures: dict = field(default_factory=dict)
    canary: dict = field(default_factory=dict)		# by engine
    blind: bool = False
    merges: int = 0
    usage: dict = field(default_factory=lambda: dict.fromkeys(USAGE, 0))
    notes: list = field(default_factory=list)
    series: list = field(default_factory=list)	# [up, execs, {engine: edges}]
    step: float = 10			# of the series, in seconds

    def apply(self, record):
        """Take a record in; unknown ones change nothing but the time."""
        self.now = record.get("t", self.now)
        self.up = max(self.up, record["up"])
        take = getattr(self, "_" + record["type"], None)
        if take:
            take(record)

    def _state(self, r):
        workers = {n: Worker(**w) for n, w in r["state"].pop("workers").items()}
        self.__dict__.update(r["state"], workers=workers)

    def record(self):
        """All of it, for the ledger."""
        return {"type": "state", "t": self.now, "up": self.up, "state": asdict(self)}

    def _start(self, r):
        self.begun = self.begun or r["t"]
        self.starts += 1
        self.commit, self.jobs = r["commit"], r["jobs"]
        self.running, self.stopped = True, ""
        old, self.workers = self.workers, {}
        for name, engine in r["workers"].items():
            self.workers[name] = old.pop(name, None) or Worker()
            self.workers[name].engine = engine
            self.workers[name].in_a_row = 0
        self.workers.update(old)

    def worker(self, r):
        """The one that a record is about."""
        return self.workers.setdefault(r["worker"], Worker())

    def _slice(self, r):
        w = self.worker(r)
        w.slices = max(w.slices, r["n"])
        w.open = {"n": r["n"], "execs": 0, "up": r["up"]}

    def _progress(self, w, r):
        w.edges, w.corpus = r.get("edges") or w.edges, r.get("corpus") or w.corpus
        if w.edges > self.edges.get(w.engine, 0):
            self.edges[w.engine] = w.edges
            self.gain = r["up"]
        self._point(r["up"])

    def _sample(self, r):
        w = self.worker(r)
        if w.open and w.open["n"] == r["n"]:
            w.open["execs"] = max(w.open["execs"], r["execs"])
            self._progress(w, r)

    def _end(self, r):
        w = self.worker(r)
        if not w.open or w.open["n"] != r["n"]:
            return
        w.open = None
        w.execs += r["execs"]
        w.seconds += r["seconds"]
        w.cpu += r["cpu"]
        w.rss = max(w.rss, r["rss"])
        w.why = r["why"]
        w.failures += r["failed"]
        w.in_a_row = w.in_a_row + 1 if r["failed"] else 0
        add_rows(w.rows, r["rows"])
        self._progress(w, r)

    def _point(self, up):
        """A point of the curves, or the last one again; twice as far apart when there are many."""
        point = [round(up, 1), self.execs(), dict(self.edges)]
        if len(self.series) > 1 and self.series[-1][0] - self.series[-2][0] < self.step:
            self.series[-1] = point
            return
        self.series.append(point)
        if len(self.series) > POINTS:
            self.step *= 2
            self.series = self.series[:-1:2] + self.series[-1:]

    def _find(self, r):
        found = self.signatures.setdefault(r["signature"], {
            "up": r["up"], "t": r["t"], "worker": r["worker"], "engine": r["engine"],
            "files": 0, "folder": r["folder"], "records": None})
        if not found["files"]:
            self.gain = r["up"]
        found["files"] += r["files"]
        found["records"] = r.get("records") or found["records"]
        self.worker(r).finds += r["files"]

    def _canary(self, r):
        last = self.canary.setdefault(r["engine"], {"runs": 0, "found": 0})
        last["runs"] += 1
        last["found"] += r["found"]
        last.update(ok=r["found"], up=r["up"], execs=r["execs"], seconds=r["seconds"],
                    signature=r["signature"])
        self.blind = not all(c["ok"] for c in self.canary.values())

    def _merge(self, r):
        self.merges += 1

    def _usage(self, r):
        for key in ("rss", "disk"):
            self.usage[key] = r[key]
            self.usage["peak_" + key] = max(self.usage["peak_" + key], r[key])

    def _note(self, r):
        self.notes = (self.notes + [[round(r["up"], 1), r["text"]]])[-NOTES:]

    def _stop(self, r):
        self.running, self.stopped = False, r["why"]

    def execs(self):
        """Executions of all workers."""
        return sum(w.total_execs() for w in self.workers.values())

    def rows(self):
        """Counters by "op/implementation/arch"."""
        total = {}
        for w in self.workers.values():
            add_rows(total, w.rows)
        return dict(sorted(total.items()))

    def rows_by_engine(self):
        """The same for each engine."""
        total = {}
        for w in self.workers.values():
            add_rows(total.setdefault(w.engine, {}), w.rows)
        return total

    def disabled(self):
        """Workers that were given up."""
        return [n for n, w in self.workers.items() if w.in_a_row >= GIVE_UP]

    def unjudged(self):
        """Rows in which nothing that moves was ever compared."""
        return [name for name, row in self.rows().items() if not row[1]]

    def exit_code(self):
        """0 clean, 1 findings, 2 it cannot be relied upon."""
        if self.blind or self.disabled():
            return 2
        return 1 if self.signatures else 0


GIVE_UP = 5		# failures in a row


def replay(records):
    """The state that @records lead to."""
    state = State()
    for record in records:
        state.apply(record)
    return state
