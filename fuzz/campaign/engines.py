# SPDX-License-Identifier: GPL-2.0-or-later
"""How a slice of each engine is started, and how what it did is read.

A worker is a sequence of slices: runs of an engine that end by themselves, after a time or a number
of executions. So more workers than CPUs take turns, what one found reaches the others at the latest
when their next slice begins, memory is given back, and nothing outlives a killed campaign for long.
"""
import json
import re
import struct
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from .plan import seed_of

MAX_LEN = 1024
TAIL = 64 << 10
COV = re.compile(rb"cov: (\d+) .*?corp: (\d+)/")


@dataclass
class Slice:
    """One run of an engine."""
    worker: str
    engine: object
    n: int
    seed: int
    folder: Path		# of the worker
    process: subprocess.Popen = None
    began: float = field(default_factory=time.monotonic)
    ending: float = 0		# since when it has been asked to end
    killed: bool = False		# it had to be

    @property
    def counters(self):
        """Its verdict counters."""
        return self.folder / f"counters-{self.n}"

    @property
    def log(self):
        """What it says."""
        return self.folder / "log"

    @property
    def result(self):
        """Standard output, where that is not what it says."""
        return self.folder / "result"


def executions(counters):
    """struct pd_counters_header (fuzz/fuzz.h) of a slice, without the rows."""
    try:
        with open(counters, "rb") as file:
            magic, scenarios, _ = struct.unpack("=24sQQ", file.read(40))
    except (OSError, struct.error):
        return 0
    return scenarios if magic.startswith(b"ptediff counters 1\0") else 0


def counter_rows(program, counters):
    """The rows of a counters file: "op/impl/arch" to the numbers of state.ROW and one more."""
    if not counters.exists():
        return {}
    run = subprocess.run([program, counters], capture_output=True, text=True, check=False)
    rows = {}
    for line in run.stdout.splitlines():
        op, impl, arch, *numbers = line.split("\t")
        rows[f"{op}/{impl}/{arch}"] = [int(n) for n in numbers]
    return rows


def tail(path, size=TAIL):
    """The last bytes of a file."""
    try:
        with open(path, "rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - size))
            return file.read()
    except OSError:
        return b""


class Engine:
    """What engines have in common: they count into a file and leave what they find in a folder."""
    preset = ""
    bits = 31		# of a seed
    finds_while_running = False
    has_result = False

    def __init__(self, name, folder, plan):
        self.name, self.folder, self.plan = name, folder, plan

    def new_slice(self, worker, n):
        """The next slice of @worker; not yet running."""
        return Slice(worker, self, n, seed_of(self.plan, worker, n, self.bits),
                     self.folder.worker(worker))

    def program(self):
        """The fuzz target."""
        return self.folder.bin / f"fuzz.{self.preset}"

    def environment(self, sl):
        """Variables of the target."""
        env = {"PTEDIFF_COUNTERS": str(sl.counters), "PTEDIFF_KNOWN": str(self.folder / "known")}
        if self.plan.judged:
            env["PTEDIFF_IMPL"] = self.plan.judged
        return env

    def executions(self, sl):
        """How many so far."""
        return executions(sl.counters)

    def rows(self, sl):
        """What was judged."""
        return counter_rows(self.folder.bin / "counters_print", sl.counters)

    def found(self, worker):
        """Files that a worker has left."""
        return sorted(p for p in (self.folder.worker(worker) / "found").glob("*") if p.is_file())

    def progress(self, _slice):
        """Edges and corpus."""
        return {}


class LibFuzzer(Engine):
    """ASan and UBSan; with @compare also comparisons and the value profile."""
    BAD = {70: "timeout", 71: "memory", 72: "stopped"}

    def __init__(self, name, folder, plan, compare=False):
        super().__init__(name, folder, plan)
        self.preset, self.compare = name, compare

    def corpora(self, sl):
        """The first is written to. Inputs for the sake of values alone stay with their worker."""
        own = [self.folder.corpus]
        if self.compare:
            own.insert(0, sl.folder / "values")
            own[0].mkdir(exist_ok=True)
        queues = sorted((self.folder / "afl").glob("*/queue"))
        return [*own, self.folder / "seeds", *queues]

    def command(self, sl):
        """The command of a slice."""
        plan = self.plan
        bound = f"-runs={plan.runs}" if plan.runs else f"-max_total_time={plan.slice}"
        return [self.program(), bound, f"-seed={sl.seed}", f"-max_len={MAX_LEN}",
                f"-dict={self.folder.bin / 'ptediff.dict'}", "-detect_leaks=0", "-reload=1",
                "-entropic=0", "-print_funcs=0",
                "-timeout=25", f"-rss_limit_mb={plan.memory}",
                f"-use_value_profile={int(self.compare)}",
                f"-artifact_prefix={sl.folder / 'found'}/", *self.corpora(sl)]

    def why(self, _slice, status):
        """How a slice ended, and whether that is a failure."""
        if status == 0:
            return "done", False
        if status in self.BAD:
            return self.BAD[status], False
        return "found", False

    def progress(self, sl):
        m = COV.findall(tail(sl.log))
        return {"edges": int(m[-1][0]), "corpus": int(m[-1][1])} if m else {}


class Afl(Engine):
    """AFL++ with the mutator library; the first worker is the main one, which reads corpus/."""
    preset = "afl"
    finds_while_running = True

    def instance(self, worker):
        """Its folder."""
        return self.folder / "afl" / worker

    def command(self, sl):
        """The command of a slice."""
        plan, main = self.plan, sl.worker.endswith("-1")
        role = ["-M", sl.worker, "-F", self.folder.corpus] if main else ["-S", sl.worker]
        bound = ["-E", str(plan.runs)] if plan.runs else ["-V", str(plan.slice)]
        start = self.folder / "seeds"
        if (self.instance(sl.worker) / "queue").is_dir():
            start = "-"
        return ["afl-fuzz", *role, *bound, "-s", str(sl.seed), "-G", str(MAX_LEN), "-m",
                str(plan.memory), "-i", start, "-o", self.folder / "afl",
                "-x", self.folder.bin / "ptediff.dict", "--", self.program()]

    def environment(self, sl):
        mutator = str(self.folder.bin / "ptediff_afl_mutator.so")
        return super().environment(sl) | {
            "AFL_NO_UI": "1", "AFL_TRY_AFFINITY": "1", "AFL_SKIP_CPUFREQ": "1",
            "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1", "AFL_FAST_CAL": "1",
            "AFL_CUSTOM_MUTATOR_LIBRARY": mutator}

    def why(self, sl, status):
        """How a slice ended, and whether that is a failure."""
        return ("done", False) if status == 0 else (f"afl-fuzz ended with {status}", True)

    def found(self, worker):
        return sorted(p for kind in ("crashes", "hangs")
                      for p in self.instance(worker).glob(f"{kind}*/id*") if p.is_file())

    def progress(self, sl):
        stats = tail(self.instance(sl.worker) / "fuzzer_stats").decode(errors="replace")
        m = dict(re.findall(r"^(\w+) *: (\d+)$", stats, re.M))
        if "edges_found" not in m:
            return {}
        return {"edges": int(m["edges_found"]), "corpus": int(m.get("corpus_count", 0))}


class Random(Engine):
    """`ptediff random`: no engine, no corpus; the rest has to beat it. Counts come at the end."""
    bits = 63
    LONGEST = 30
    KEYS = ("judgements", "match", "match-trivial", "both-refuse", "skip", "divergence", "batched",
            "pages", "changed")
    preset = "release"
    finds_while_running = True
    has_result = True

    def command(self, sl):
        """The command of a slice."""
        plan = self.plan
        seconds = min(plan.slice, self.LONGEST)
        bound = [] if plan.runs else ["timeout", "--preserve-status", "--signal=INT", str(seconds)]
        choice = ["--op", plan.op] if plan.op != "all" else []
        choice += ["--impl", plan.judged] if plan.judged else []
        return [*bound, self.folder.bin / "ptediff", "random", "--runs", str(plan.runs),
                "--seed", str(sl.seed), "--keep-going", "--stats", "json",
                "--out", sl.folder / "found", *choice]

    def _result(self, sl):
        try:
            return json.loads(sl.result.read_bytes())
        except (OSError, ValueError):
            return {}

    def executions(self, sl):
        return self._result(sl).get("scenarios", 0)

    def rows(self, sl):
        return {f"{r['op']}/{r['impl']}/{r['arch']}": [r[k] for k in self.KEYS] + [0]
                for r in self._result(sl).get("rows", [])}

    def why(self, _slice, status):
        """How a slice ended, and whether that is a failure."""
        if status in (0, 1, 130):
            return "done", False
        return f"ptediff random ended with {status}", True


def all_engines(folder, plan):
    """Engines by name."""
    return {
        "libfuzzer": LibFuzzer("libfuzzer", folder, plan),
        "libfuzzer-cmp": LibFuzzer("libfuzzer-cmp", folder, plan, compare=True),
        "afl": Afl("afl", folder, plan),
        "random": Random("random", folder, plan),
    }


NAMES = ("libfuzzer", "libfuzzer-cmp", "afl", "random")
