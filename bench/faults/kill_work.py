"""What `bench kill` kills at work: commands that write a file, or that go on with --resume."""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from bench.faults.lives import Life, Tally, check, command, rehearse
from winnable.contract.core import Budget
from winnable.store.database import Store

LATER = 1.3
"""A life is killed within so many times as long as an undisturbed one takes: some come to their end."""


class _Resumed:
    """Work that is killed, goes on, is killed again, until it has come to its end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "disturbed"
        self._undisturbed = folder / "undisturbed"
        self._begun = False

    def begin(self) -> Callable[[], None]:
        raise NotImplementedError

    def go_on(self) -> Callable[[], None]:
        raise NotImplementedError

    def result(self, folder: Path) -> Any:
        """What must be the same in both folders. Raises WinnableError when there is none."""
        raise NotImplementedError

    def kept(self) -> bool:
        """Whether there is something to go on with."""
        raise NotImplementedError

    def ended(self) -> bool:
        """Whether it is known to be whole, although the process was killed then."""
        return False

    @cached_property
    def _expected(self) -> tuple[Any, float]:
        """And the seconds that it takes, with everything loaded."""
        rehearse(self.begin(), self._folder.parent / "rehearsed")
        self._undisturbed.mkdir(exist_ok=True)
        began = time.monotonic()
        code = Life(self.begin(), self._undisturbed).wait()
        assert code == 0, (self._undisturbed / "output").read_text("utf-8", "replace")[-2000:]
        return self.result(self._undisturbed), time.monotonic() - began

    def life(self, rng: Random, tally: Tally) -> None:
        expected, took = self._expected
        going_on = self._begun and self.kept()
        if not going_on:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(exist_ok=True)
        life = Life(self.go_on() if going_on else self.begin(), self._folder, rng.uniform(0.02, LATER * took))
        code = life.wait()
        tally.lives += 1
        tally.kills += life.killed
        self._begun = life.killed and not self.ended()
        if not self._begun:
            said = (self._folder / "output").read_text("utf-8", "replace")[-300:]
            same = code <= 0 and self.result(self._folder) == expected
            check(tally, same, f"exit code {code}, not as undisturbed: {said}")


class Tune(_Resumed):
    def begin(self) -> Callable[[], None]:
        return command("tune", "tetris", "article-mean", "--evaluations", "24", "--optimizer", "de",
                       "--with", "size=6")  # fmt: skip

    def go_on(self) -> Callable[[], None]:
        return command("tune", "--resume", "last")

    def kept(self) -> bool:
        return bool(self._statuses())

    def ended(self) -> bool:
        return self._statuses() == ["finished"]

    def _statuses(self) -> list[str]:
        from winnable.tuning import runs

        store = Store(self._folder)
        try:
            return [run.status for run in runs.listed(store)]
        finally:
            store.close()

    def result(self, folder: Path) -> Any:
        from winnable.tuning import runs

        store = Store(folder)
        try:
            run = runs.find(store, "last")
            course = [msgspec.structs.replace(one, seconds=0.0) for one in runs.generations(store, run.id)]
            return course, run.comparison, run.status
        finally:
            store.close()


class Train(_Resumed):
    """With a checkpoint each twentieth of a second."""

    def begin(self) -> Callable[[], None]:
        return _often("train", "2048", "--network", "012 048", "--games", "1500")

    def go_on(self) -> Callable[[], None]:
        return _often("train", "--resume", "last", "--games", "1500")

    def kept(self) -> bool:
        return any((self._folder / "2048-trainings").glob("*/settings.json"))

    def result(self, folder: Path) -> Any:
        from winnable.games.game2048.network.file import read

        newest = max((folder / "2048-trainings").glob("*/checkpoint-*.network"))
        network, coherence, progress = read(newest)
        digest = hashlib.sha256(network.weights.tobytes() + coherence.tobytes()).hexdigest()
        curve = [
            msgspec.json.decode(line) | {"seconds": 0}
            for line in (newest.parent / "curve.jsonl").read_bytes().splitlines()
        ]
        return digest, msgspec.structs.replace(progress, seconds=0.0), curve


def _often(*arguments: str) -> Callable[[], None]:
    def work() -> None:
        from winnable.games.game2048.network import training_store

        training_store.CHECKPOINT_SECONDS, training_store.CHECKPOINT_SHARE = 0.05, 1.0
        command(*arguments)()

    return work


class Tables(_Resumed):
    """The table of a small board, made as those of the command `tables`, of which the least takes long."""

    def begin(self) -> Callable[[], None]:
        return self.go_on()

    def go_on(self) -> Callable[[], None]:
        def work() -> None:
            from winnable.store.database import data_folder

            _table(data_folder()).make(Budget())

        return work

    def kept(self) -> bool:
        return True

    def result(self, folder: Path) -> Any:
        table = _table(folder)
        return table.state(check=True).status, hashlib.sha256(table.path.read_bytes()).hexdigest()


def _table(folder: Path) -> Any:
    from winnable.games.game2048.exact.small import problem_of, table_of
    from winnable.games.game2048.rules.level import Level

    return table_of(problem_of(Level(rows=2, columns=4)), folder)


class Generate:
    """A file that is written whole or not at all; there was none before, or an old one."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._file = folder, folder / "levels.jsonl"

    @cached_property
    def _expected(self) -> tuple[bytes, float]:
        rehearse(self._work, self._folder)
        began = time.monotonic()
        code = Life(self._work, self._folder).wait()
        assert code == 0
        return self._file.read_bytes(), time.monotonic() - began

    def _work(self) -> None:
        command("generate", "drops", "--count", "2000", "-o", str(self._file))()

    def life(self, rng: Random, tally: Tally) -> None:
        expected, took = self._expected
        before = rng.choice((None, b"old"))
        self._file.unlink(missing_ok=True)
        if before is not None:
            self._file.write_bytes(before)
        life = Life(self._work, self._folder, rng.uniform(0.02, LATER * took))
        life.wait()
        tally.lives += 1
        tally.kills += life.killed
        found = self._file.read_bytes() if self._file.exists() else None
        allowed = (before, expected) if life.killed else (expected,)
        check(tally, found in allowed, f"a file of {len(found or b'')} bytes")
        left = [path.name for path in self._folder.glob(".levels*")]
        for name in left:
            (self._folder / name).unlink()
