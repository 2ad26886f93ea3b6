# SPDX-License-Identifier: GPL-2.0-or-later
"""scripts/campaign: the ledger, what it adds up to, findings, the words of engines."""
import os
import struct
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

from campaign import corpus, findings, ledger, Trouble
from campaign.engines import all_engines, executions, Slice
from campaign.plan import duration, Folder, parse_mix, Plan, seed_of
from campaign.state import GIVE_UP, replay, State
from campaign.turns import last_words


class InFolder(unittest.TestCase):
    """Tests with a folder that looks like a campaign's."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Folder(scratch.name)
        self.folder.make()


def record(kind, up=0, **fields):
    """As the supervisor writes them."""
    return {"type": kind, "t": 1000 + up, "up": up} | fields


class Ledger(InFolder):
    """Nothing that was written is lost, and nothing else is believed."""

    def setUp(self):
        super().setUp()
        self.path = self.folder / "ledger.jsonl"

    def write(self, *records):
        """Append and close."""
        log = ledger.Ledger(self.path)
        for r in records:
            log.append(r)
        log.close()
        return log

    def test_what_is_written_is_read(self):
        self.write(record("note", 1, text="a"), record("note", 2, text="b"))
        self.write(record("note", 3, text="c"))
        records, bad = ledger.read(self.path)
        self.assertEqual([r["text"] for r in records], ["a", "b", "c"])
        self.assertEqual(bad, 0)

    def test_every_torn_end_is_repaired(self):
        self.write(record("note", 1, text="a"), record("note", 2, text="b"))
        whole = self.path.read_bytes()
        first = whole.index(b"\n") + 1
        for end in range(first + 1, len(whole)):
            self.path.write_bytes(whole[:end])
            records, bad = ledger.read(self.path)
            self.assertEqual((len(records), bad), (1, 1), end)
            log = self.write(record("note", 3, text="c"))
            self.assertEqual(log.torn, end - first)
            records, bad = ledger.read(self.path)
            self.assertEqual(([r["text"] for r in records], bad), (["a", "c"], 0), end)

    def test_damage_in_the_middle_costs_its_line(self):
        self.write(record("note", 1, text="a"), record("note", 2, text="b"))
        lines = self.path.read_bytes().splitlines(True)
        for damage in (b"\0\0\0\0\n", b"[1]\n", b'{"type":3,"up":1}\n', b'{"type":"note"}\n',
                       b"\xff\xfe\n"):
            self.path.write_bytes(lines[0] + damage + lines[1])
            records, bad = ledger.read(self.path)
            self.assertEqual(([r["text"] for r in records], bad), (["a", "b"], 1), damage)

    def test_a_full_disk_leaves_whole_lines(self):
        log = ledger.Ledger(self.path)
        log.append(record("note", 1, text="a"))

        class Full:
            """A file on a full disk, with room for a few bytes."""
            def fileno(self):
                return log_file.fileno()

            def write(self, line):
                return log_file.write(line[:9])

        log_file, log.file = log.file, Full()
        with self.assertRaises(OSError):
            log.append(record("note", 2, text="b"))
        log_file.close()
        self.assertEqual(len(ledger.read(self.path)[0]), 1)
        self.assertEqual(ledger.repair(self.path), 0)

    def test_rotation_keeps_the_state(self):
        records = [record("start", commit="c", jobs=1, workers={"r": "random"}),
                   record("slice", 1, worker="r", n=1),
                   record("sample", 2, worker="r", n=1, execs=9),
                   record("find", 3, worker="r", engine="random", signature="s", files=1,
                          folder="f")]
        log = ledger.Ledger(self.path)
        for r in records:
            log.append(r)
        before = replay(records)
        self.assertFalse(log.rotate(before.record()))
        old, ledger.ROTATE = ledger.ROTATE, 10
        self.addCleanup(setattr, ledger, "ROTATE", old)
        self.assertTrue(log.rotate(before.record()))
        log.append(record("note", 9, text="after"))
        log.close()
        again = replay(ledger.read(self.path)[0])
        self.assertEqual(len(ledger.read(self.path)[0]), 2)
        self.assertEqual((again.execs(), list(again.signatures), again.workers),
                         (9, ["s"], before.workers))


class States(unittest.TestCase):
    """What records add up to."""

    START = record("start", commit="c", jobs=1, workers={"f": "libfuzzer", "r": "random"})

    def end(self, up, n, execs, **fields):
        """The end of a slice of f."""
        return record("end", up, worker="f", n=n, execs=execs, seconds=1, cpu=1, rss=1, why="done",
                      failed=False, rows={"o/i/x86": [execs, 1, 0, 0, 0, 0, 0, 0, 0, 0]}) | fields

    def test_a_slice_counts_once(self):
        state = replay([self.START, record("slice", 1, worker="f", n=1)])
        for execs in (5, 9):
            state.apply(record("sample", 2, worker="f", n=1, execs=execs))
            self.assertEqual(state.execs(), execs)
        for _ in range(2):
            state.apply(self.end(3, 1, 11))
            self.assertEqual((state.execs(), state.rows()["o/i/x86"][0]), (11, 11))
        state.apply(record("sample", 4, worker="f", n=1, execs=50))
        self.assertEqual(state.execs(), 11)

    def test_counters_go_on_after_a_kill(self):
        state = replay([self.START, record("slice", 1, worker="f", n=1), self.end(2, 1, 10),
                        record("slice", 3, worker="f", n=2),
                        record("sample", 4, worker="f", n=2, execs=7), self.START])
        self.assertEqual((state.execs(), state.workers["f"].open["n"], state.starts), (17, 2, 2))
        state.apply(self.end(5, 2, 8, why="killed"))
        self.assertEqual((state.execs(), state.workers["f"].slices), (18, 2))

    def test_exit_codes(self):
        state = replay([self.START])
        self.assertEqual(state.exit_code(), 0)
        find = record("find", 2, worker="f", engine="libfuzzer", signature="s", files=1, folder="s")
        state.apply(find)
        self.assertEqual(state.exit_code(), 1)
        canary = dict(engine="afl", execs=1, seconds=1, signature="")
        state.apply(record("canary", 3, found=False, **canary))
        self.assertTrue(state.blind)
        self.assertEqual(state.exit_code(), 2)
        state.apply(record("canary", 4, found=True, **canary))
        self.assertEqual(state.exit_code(), 1)

    def test_a_worker_is_given_up(self):
        state = replay([self.START])
        for n in range(1, GIVE_UP + 1):
            self.assertEqual(state.disabled(), [])
            state.apply(record("slice", n, worker="f", n=n))
            state.apply(self.end(n, n, 0, failed=True, why="x"))
        self.assertEqual((state.disabled(), state.exit_code()), (["f"], 2))
        state.apply(self.START)
        self.assertEqual(state.disabled(), [])

    def test_first_find_is_kept(self):
        state = replay([self.START])
        for up in (5, 9):
            state.apply(record("find", up, worker="f", engine="libfuzzer", signature="s", files=2,
                               folder="s"))
        self.assertEqual((state.signatures["s"]["up"], state.signatures["s"]["files"], state.gain),
                         (5, 4, 5))

    def test_curves_stay_short(self):
        state = replay([self.START, record("slice", 0, worker="f", n=1)])
        for up in range(20000):
            state.apply(record("sample", up * 30, worker="f", n=1, execs=up, edges=up))
        self.assertLess(len(state.series), 700)
        self.assertEqual(state.series[-1][:2], [19999 * 30, 19999])
        gaps = [b[0] - a[0] for a, b in zip(state.series, state.series[1:-1])]
        self.assertLessEqual(max(gaps), 4 * min(gaps))

    def test_unknown_records_change_nothing(self):
        before = State()
        before.apply(record("of a later version", 0))
        self.assertEqual(before.now, 1000)


class Findings(InFolder):
    """From files to signatures, without `ptediff`."""

    def test_collect(self):
        plan = Plan()
        for name, engine in all_engines(self.folder, plan).items():
            home = self.folder / "afl/w/crashes" if name == "afl" else \
                self.folder.worker("w") / "found"
            home.mkdir(parents=True, exist_ok=True)
            path = home / {"afl": "id:000000,sig:06", "random": "a.pte"}.get(name, "timeout-1")
            path.write_bytes(b"x")
            self.assertEqual(findings.collect(self.folder, engine, "w", 1.5, False), 0, name)
            self.assertEqual(findings.collect(self.folder, engine, "w", 1.5, True), 1, name)
            self.assertFalse(path.exists())
        origins = sorted(findings.origin(p) for p in self.folder.inbox.iterdir())
        self.assertEqual(origins, [(1.5, "w", "crash-"), (1.5, "w", "crash-.pte"),
                                   (1.5, "w", "timeout-"), (1.5, "w", "timeout-")])

    def test_verdicts(self):
        for text, signature in (
                ("x\nAssertion failure: ptediff mremap/a/b/wrong FuzzerHash=1\nSUMMARY: libFuzzer: "
                 "deadly signal\n", "mremap/a/b/wrong"),
                ("SUMMARY: AddressSanitizer: heap-buffer-overflow /x/y.c:3:1 in pd_load\n",
                 "crash/heap-buffer-overflow/pd_load"),
                ("SUMMARY: UndefinedBehaviorSanitizer: undefined-behavior /x.c:1:2 in \n",
                 "crash/undefined-behavior/somewhere"), ("killed\n", "crash/unknown")):
            self.assertEqual(findings.verdict(text), signature)

    def test_known_grows(self):
        findings.know(self.folder, ["a/b", "c/d"])
        findings.know(self.folder, ["c/d", "e/f"])
        self.assertEqual((self.folder / "known").read_text(), "a/b\nc/d\ne/f\n")

    def test_at_most_so_many_are_kept(self):
        chores = SimpleNamespace(plan=Plan(keep=3))
        home = self.folder / "findings"
        for i in range(9):
            path = self.folder / "tmp" / f"{i}"
            path.write_text("x")
            findings.keep_file(chores, home, path)
        self.assertEqual(len(list(home.iterdir())), 3)


class Corpora(InFolder):
    """Files that no engine can use."""

    def test_tidy(self):
        place = self.folder.corpus
        (place / "good").write_bytes(b"12345678")
        (place / "empty").touch()
        (place / "long").write_bytes(bytes(5000))
        (place / "folder").mkdir()
        (place / "link").symlink_to("nowhere")
        os.mkfifo(place / "fifo")
        bad = corpus.tidy(self.folder, "corpus")
        self.assertEqual(sorted(line.split(":")[0] for line in bad),
                         ["empty", "fifo", "folder", "link", "long"])
        self.assertEqual(os.listdir(place), ["good"])
        self.assertEqual(len(os.listdir(self.folder / "corpus.bad")), 5)
        self.assertEqual(corpus.tidy(self.folder, "corpus"), [])

    def test_salvage(self):
        queue = self.folder / "queue"
        queue.mkdir()
        for name, text in (("id:0", b"a"), ("id:1", b"a"), ("id:2", b"b"), ("id:3", b"")):
            (queue / name).write_bytes(text)
        corpus.salvage(self.folder, queue)
        corpus.salvage(self.folder, self.folder / "no queue")
        self.assertEqual(len(os.listdir(self.folder.corpus)), 2)


class Engines(InFolder):
    """What engines are asked, and say."""

    def slice(self, engine):
        """One that has its folder."""
        sl = Slice("w-1", engine, 1, 5, self.folder.worker("w-1"))
        (sl.folder / "found").mkdir(parents=True, exist_ok=True)
        return sl

    def test_executions(self):
        path = self.folder / "counters"
        self.assertEqual(executions(path), 0)
        path.write_bytes(struct.pack("=24sQQ", b"ptediff counters 1\0", 77, 0))
        self.assertEqual(executions(path), 77)
        path.write_bytes(bytes(40))
        self.assertEqual(executions(path), 0)

    def test_progress(self):
        engines = all_engines(self.folder, Plan())
        sl = self.slice(engines["libfuzzer"])
        sl.log.write_text("#8\tNEW    cov: 12 ft: 13 corp: 2/9b lim: 8\nnoise\n"
                          "#9\tREDUCE cov: 14 ft: 15 corp: 3/9b lim: 8\n")
        self.assertEqual(sl.engine.progress(sl), {"edges": 14, "corpus": 3})
        sl = self.slice(engines["afl"])
        self.assertEqual(sl.engine.progress(sl), {})
        (self.folder / "afl/w-1").mkdir()
        (self.folder / "afl/w-1/fuzzer_stats").write_text("edges_found : 14\ncorpus_count : 3\n")
        self.assertEqual(sl.engine.progress(sl), {"edges": 14, "corpus": 3})

    def test_random_without_a_result(self):
        sl = self.slice(all_engines(self.folder, Plan())["random"])
        sl.result.write_text('{ "scenarios": 5, "rows": [')
        self.assertEqual((sl.engine.executions(sl), sl.engine.rows(sl)), (0, {}))

    def test_bounds(self):
        for plan, words in ((Plan(runs=9), ("-runs=9", "-E", "9")),
                            (Plan(slice=9), ("-max_total_time=9", "-V", "--signal=INT"))):
            engines = all_engines(self.folder, plan)
            text = " ".join(str(w) for e in engines.values() for w in e.command(self.slice(e)))
            for word in words:
                self.assertIn(f" {word} ", f" {text} ")

    def test_first_afl_is_the_main_one(self):
        engine = all_engines(self.folder, Plan())["afl"]
        for worker, role in (("afl-1", "-M"), ("afl-2", "-S")):
            self.assertIn(role, engine.command(Slice(worker, engine, 1, 1, self.folder.path)))

    def test_last_words(self):
        log = self.folder / "log"
        log.write_text("a\n\x1b[1;91m[-] PROGRAM ABORT : \x1b[0mno seeds\n   Location : main()\n\n")
        self.assertEqual(last_words(log), "[-] PROGRAM ABORT : no seeds")
        log.write_text("")
        self.assertEqual(last_words(log), "no output")


class Plans(unittest.TestCase):
    """The command line."""

    def test_durations(self):
        self.assertEqual([duration(t) for t in ("90", "90s", "30m", "8h", "2d")],
                         [90, 90, 1800, 28800, 172800])
        for text in ("", "s", "1w", "-1", "1.5h"):
            with self.assertRaises(Trouble):
                duration(text)

    def test_mix(self):
        self.assertEqual(parse_mix("afl=2,random", ("afl", "random")),
                         {"afl-1": "afl", "afl-2": "afl", "random-1": "random"})
        for text in ("", "afl=x", "honggfuzz", "afl=0"):
            with self.assertRaises(Trouble):
                parse_mix(text, ("afl", "random"))

    def test_seeds(self):
        plan = Plan(seed=3)
        seeds = {seed_of(plan, w, n, 31) for w in ("a", "b") for n in range(50)}
        self.assertEqual(len(seeds), 100)
        self.assertTrue(all(0 < s < 1 << 31 for s in seeds))
        self.assertEqual(seed_of(plan, "a", 1, 31), seed_of(Plan(seed=3), "a", 1, 31))

    def test_saved(self):
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch) / "plan.json"
            Plan(time=5, add=["bug:x"]).save(path)
            self.assertEqual(Plan.load(path), Plan(time=5, add=["bug:x"]))
            path.write_text('{"nonsense": 1}')
            with self.assertRaises(Trouble):
                Plan.load(path)


if __name__ == "__main__":
    unittest.main()
