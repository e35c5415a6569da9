"""All that a user has as one file, under attack: read in from crafted files, killed at it, on a full disk."""

from __future__ import annotations

import gzip
import logging
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import date
from functools import cache, cached_property
from pathlib import Path
from random import Random
from typing import Any, cast

import msgspec

from bench.faults.fuzz_examine import Fault
from bench.faults.fuzz_mutation import changed_bytes, changed_json
from bench.faults.lives import Life, Tally, check, command, rehearse
from winnable import archive
from winnable.contract.core import WinnableError, finish
from winnable.contract.methods import Wanted
from winnable.contract.registry import GAMES
from winnable.levels.find import find_level
from winnable.play.deck import card_of, reviewed, session_of
from winnable.play.played import played
from winnable.play.session import Session
from winnable.store import deck, results
from winnable.store.database import KeptSession, Store
from winnable.store.results import Result
from winnable.tuning import runs
from winnable.tuning.curve import curves_svg
from winnable.tuning.tuned import weights_of

LEVELS = (
    "triple/1-first-steps", "drops/01-first-drops", "rotate/01-one-turn", "2048/3-two-by-two",
    "drops/12-drizzle",
)  # fmt: skip
LATER = 1.3
"""A life is killed within so many times as long as an undisturbed one takes."""


def fill(store: Store, rng: Random, games: int = 10) -> None:
    """Games with branches, results, cards and a run, of chance."""
    for number in range(games):
        named = find_level(LEVELS[number % len(LEVELS)])
        session = Session(named)
        for _ in range(rng.randrange(1, 9)):
            legal = session.puzzle.legal_actions(session.state)
            if rng.random() < 0.3 or not legal:
                session.go_to(rng.randrange(session.size + 1))
            else:
                session.act(rng.choice(legal))
        id = f"{rng.getrandbits(128):032x}"
        level, tree = msgspec.json.encode(named.level), msgspec.json.encode(session.saved_tree())
        when = 1e9 + number
        store.save(KeptSession(id, named.id, level, tree, session.ply, session.standing, when, seconds=2.0))
        result = Result(
            f"{rng.getrandbits(128):032x}", id, named.game.name, named.id, "toy", None, "won", False, 3, None,
            None, 1.5, when,
        )  # fmt: skip
        results.add(store, result)
        start = session.puzzle.legal_actions(session.start)
        card = card_of(named, [rng.choice(start)], when)
        deck.add(store, reviewed(card, rng.random() < 0.5, when) if rng.random() < 0.5 else card)
    run = runs.new_run(store, "triple", "beam-forward", Wanted("de", {}), 100, rng.randrange(100))
    recorder = runs.Recorder(store, run)
    weights = [rng.random() for _ in run.genes]
    recorder.save({"genes": [1.0]}, runs.Generation(3, 30, 1, 1, 2, 3, weights, weights, 5, 1, 9))
    recorder.end("stopped")


def contents(folder: Path) -> set[bytes]:
    """All records of a store. Raises StoreError where it cannot be read, or was damaged."""
    with closing(Store(folder, in_memory=False)) as store:
        if store.fault is not None:
            raise store.fault
        packed, counted = archive.pack(store)
        assert not counted.passed
        return {*gzip.decompress(packed).splitlines()[1:]}


# -- crafted -------------------------------------------------------------------------------------------------


@cache
def parents() -> list[bytes]:
    """Archives, unpacked."""
    found: list[bytes] = []
    for seed in range(4):
        with closing(Store(None)) as store:
            fill(store, Random(seed), games=len(LEVELS))
            found.append(gzip.decompress(archive.pack(store)[0]))
    return found


def made(rng: Random, parents: Sequence[bytes]) -> bytes:
    """A few lines changed, also within the JSON that their texts are."""
    lines, others = rng.choice(parents).splitlines(), rng.choice(parents).splitlines()
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(lines)) if rng.random() < 0.1 else rng.randrange(1, len(lines))
        with suppress(msgspec.MsgspecError, UnicodeError, RecursionError):
            lines[at] = _changed_line(rng, lines[at], rng.choice(others))
    return b"\n".join(lines)


def _changed_line(rng: Random, line: bytes, other: bytes) -> bytes:
    if rng.random() < 0.1:
        return changed_bytes(rng, line, other)
    record: Any = msgspec.json.decode(line)
    is_record = isinstance(record, dict)  # and no line that was changed before
    fields = cast("dict[str, Any]", record) if is_record else {}
    texts = [name for name, value in fields.items() if isinstance(value, str) and value[:1] in "{["]
    if texts and rng.random() < 0.7:
        name = rng.choice(texts)
        inner = msgspec.json.decode(record[name])
        record[name] = msgspec.json.encode(changed_json(rng, inner, inner)).decode()
        return msgspec.json.encode(record)
    return msgspec.json.encode(changed_json(rng, record, msgspec.json.decode(other)))


def use(content: bytes, rng: Random) -> None:
    """Taken in, and then everything is done with it that a user may do."""
    archive.log.setLevel(logging.ERROR)  # what is passed over is no news here
    with closing(Store(None)) as store:
        archive.take_in(store, gzip.compress(content, 1))
        _look_at(store)
        again, counted = archive.pack(store)
        if counted.passed:
            raise Fault("what was taken in does not go out")
        with closing(Store(None)) as other:
            if archive.take_in(other, again).passed:
                raise Fault("what went out does not come in again")


def _look_at(store: Store) -> None:
    from winnable.web.opening import from_store

    for entry in store.sessions(-1):
        with suppress(WinnableError):  # of a kind that is not installed
            finish(from_store(store.load(entry.id))).session.save()
    for card in deck.due(store, 1e12, GAMES):
        session_of(card)
        reviewed(card, False, 2e9)
        reviewed(card, True, 2e9)
    for run in runs.listed(store):
        msgspec.json.encode([run, run.method])
        curves_svg("run", [runs.curve(store, run)])
        with suppress(WinnableError):
            weights_of(run)
    msgspec.json.encode(played(results.every(store), GAMES, date(2026, 11, 27)))


# -- killed, and on a full disk ------------------------------------------------------------------------------


class _Disturbed:
    """`data import` into a store with games, or `data export` over an older backup."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._start = folder / "data", folder / "start"
        self._file, self._backup = folder / "all.json.gz", folder / "backup.json.gz"
        rng = Random(42)
        for place, games in (("elsewhere", 60), ("start", 12)):
            with closing(Store(folder / place)) as store:
                fill(store, rng, games)
                if place == "elsewhere":
                    self._file.write_bytes(archive.pack(store)[0])

    @cached_property
    def _expected(self) -> tuple[set[bytes], set[bytes], float]:
        """The records before and after, and the seconds that it takes."""
        before = contents(self._start)
        rehearse(command("data", "import", str(self._file)), self._fresh())
        after = contents(self._folder)
        began = time.monotonic()
        Life(command("data", "import", str(self._file)), self._fresh()).wait()
        return before, after, time.monotonic() - began

    def _fresh(self) -> Path:
        shutil.rmtree(self._folder, ignore_errors=True)
        shutil.copytree(self._start, self._folder)
        return self._folder

    def _check(self, tally: Tally, exports: bool, code: int) -> None:
        """All or nothing is there, and what the command said is so."""
        before, after, _ = self._expected
        try:
            there = contents(self._folder)
        except WinnableError as error:
            check(tally, False, f"exit code {code}: {error}")
            return
        if exports:
            whole = self._backup.read_bytes()
            with suppress(OSError, EOFError):
                kept = {*gzip.decompress(whole).splitlines()[1:]}
                check(tally, there == before and (kept == before or (whole == OLD and code != 0)), f"{code}")
                return
            check(tally, False, f"exit code {code}: a backup of {len(whole)} bytes")
        else:
            right = there == after if code == 0 else there in (before, after)
            check(tally, right, f"exit code {code}: {len(there)} of {len(before)} or {len(after)} records")
            if code > 0:
                said = (self._folder / "output").read_text("utf-8", "replace")
                check(tally, there == before and "Traceback" not in said and code == 2, said[-300:])

    def _work(self, exports: bool) -> Callable[[], None]:
        if exports:
            self._backup.write_bytes(OLD)
            return command("data", "export", str(self._backup))
        return command("data", "import", str(self._file))


OLD = gzip.compress(b'{"kind":"head","format":"winnable.data/1","version":"old","made":0}\n')


class Archives(_Disturbed):
    """Killed at random moments."""

    def life(self, rng: Random, tally: Tally) -> None:
        took, exports = self._expected[2], rng.random() < 0.25
        life = Life(self._work(exports), self._fresh(), rng.uniform(0.01, LATER * took))
        code = life.wait()
        tally.lives += 1
        tally.kills += life.killed
        self._check(tally, exports, code)
        if not exports:
            again = Life(command("data", "import", str(self._file)), self._folder)
            check(tally, again.wait() == 0 and contents(self._folder) == self._expected[1], "not made up for")


class Disk(_Disturbed):
    """On a disk that is full after so many bytes: a small one where that may be mounted, else files of that
    size at most. A life that meets its end counts as a kill."""

    def life(self, rng: Random, tally: Tally) -> None:
        self._expected  # noqa: B018
        exports = rng.random() < 0.25
        size = sum(path.stat().st_size for path in self._start.iterdir())
        room = rng.randrange(4096, 2 * size)
        with self._disk(size + room) as is_mounted:
            work = self._work(exports)
            code = Life(work if is_mounted else _limited(work, room), self._folder).wait()
            tally.lives += 1
            tally.kills += code != 0
            self._check(tally, exports, code)

    @contextmanager
    def _disk(self, size: int) -> Generator[bool]:
        """Where the data are, for what is written then. False: it may not be mounted."""
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", f"size={size >> 10}k,mode=700", "tmpfs", str(self._folder)]
        is_mounted = (
            shutil.which("mount") is not None
            and subprocess.run(mount, check=False, capture_output=True).returncode == 0
        )
        try:
            shutil.copytree(self._start, self._folder, dirs_exist_ok=True)
            yield is_mounted
        finally:
            if is_mounted:
                subprocess.run(["umount", str(self._folder)], check=True)


def _limited(work: Callable[[], None], room: int) -> Callable[[], None]:
    def limited() -> None:
        import resource

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
        work()

    return limited if os.name == "posix" else work
