"""Calls of kernels as they happened natively, to be made once more in a browser's Python and compared.

`python -m winnable.site.recording GAME FILE` runs what the game's `kernels` name and writes a list of `Case`
down, up to MOST_CALLS of each kernel that Python calls.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, cast

import msgspec
import numpy as np

from winnable.compiled import kernel_lists
from winnable.contract.abilities import Foresees, Rates, players_of, solvers_of
from winnable.contract.core import Budget, WinnableError, finish
from winnable.contract.game import Game
from winnable.contract.registry import load_game
from winnable.levels.files import shipped_levels
from winnable.search import memory
from winnable.site.replaying import Array, Case

SECONDS, CHOICES = 1.0, 2
"""For each solver, and of each player."""
CACHED: Any = type(cache(len))
"""What a function is that keeps what it returned."""
MOST_CALLS = 12
MOST_BYTES = 4_000_000
"""Of the memory of one call: one that works on more is passed over while others are at hand."""


class _Memory:
    """The memory that the arrays of one call lie in; several may lie in one piece."""

    def __init__(self) -> None:
        self.pieces: list[Any] = []
        self._places: dict[int, int] = {}

    def array(self, array: Any) -> Array:
        whole, base = array, array.base
        while isinstance(base, np.ndarray):
            whole, base = cast("Any", base), cast("Any", base).base
        address = whole.__array_interface__["data"][0]
        if address not in self._places:
            self._places[address] = len(self.pieces)
            self.pieces.append(whole)
        start = array.__array_interface__["data"][0] - address
        return Array(self._places[address], start, array.dtype.name, array.shape)

    def content(self) -> list[bytes]:
        return [piece.tobytes() for piece in self.pieces]


def _written(value: Any, memory: _Memory) -> Any:
    if isinstance(value, np.ndarray):
        return memory.array(value)
    if isinstance(value, tuple):
        return [_written(one, memory) for one in value]  # pyright: ignore[reportUnknownVariableType]
    scalar: Any = value
    return scalar.item() if isinstance(value, np.generic) else scalar


class Recorder:
    """Stands for a kernel in the modules that call it."""

    def __init__(self, name: str, kernel: Any, cases: list[Case]) -> None:
        self.name, self.kernel, self._cases = name, kernel, cases
        self._counts = Counter[str]()

    def __call__(self, *arguments: Any) -> Any:
        types = [kernel_lists.said(self.kernel.typeof_pyval(one)) for one in arguments]
        key = str(types)
        memory = _Memory()
        written = [_written(one, memory) for one in arguments]
        if self._counts[key] == MOST_CALLS or sum(one.nbytes for one in memory.pieces) > MOST_BYTES:
            return self.kernel(*arguments)
        self._counts[key] += 1
        before = memory.content()
        result = self.kernel(*arguments)
        case = Case(self.name, types, written, before, memory.content(), _written(result, _Memory()))
        self._cases.append(case)
        return result


def recorded(name: str) -> list[Case]:
    """Calls of the game's kernels."""
    game = load_game(name)
    _use(game)  # from now on nothing is compiled, which would look for kernels where recorders stand
    cases: list[Case] = []
    for kernel in {one.name for one in kernel_lists.read(game).kernels if not one.inner}:
        _stand_in(Recorder(kernel, kernel_lists.kernel_named(kernel), cases))
    _forget(game)
    _use(game)
    return cases


def _forget(game: Game) -> None:
    """Tables that are kept, which would not be made again."""
    memory.give_back(game.name)
    for module in _ours(type(game).__module__.rpartition(".")[0]):
        for value in list(cast("dict[str, Any]", vars(module)).values()):
            if isinstance(value, CACHED):
                value.cache_clear()


def _use(game: Game) -> None:
    """All that is compiled, and whatever solves, plays and looks ahead, for a moment."""
    game.warm()
    _, level = next(shipped_levels(game))
    puzzle = game.puzzle(level)
    for solve in solvers_of(game).values():
        finish(solve(puzzle, puzzle.initial(), Budget(SECONDS), 0))
    for make in players_of(game).values():
        with suppress(WinnableError):  # some are for other levels
            player, state = make(puzzle, 0), puzzle.initial()
            for _ in range(CHOICES):
                if not puzzle.legal_actions(state):
                    break
                state = puzzle.apply(state, finish(player.choose(state)))
    budget = Budget(SECONDS)
    if isinstance(game, Rates):
        finish(game.rate(level, budget.part(), 0))
    if isinstance(game, Foresees):
        finish(game.outlook(puzzle, puzzle.initial(), budget.part(), 0))


def _stand_in(recorder: Recorder) -> None:
    name = recorder.name.partition(":")[2]
    for module in _ours():
        found: Any = getattr(module, name, None)
        if found is recorder.kernel:
            setattr(module, name, recorder)


def _ours(package: str = "winnable") -> Iterator[Any]:
    return (module for name, module in list(sys.modules.items()) if f"{name}.".startswith(f"{package}."))


if __name__ == "__main__":
    Path(sys.argv[2]).write_bytes(msgspec.msgpack.encode(recorded(sys.argv[1])))
