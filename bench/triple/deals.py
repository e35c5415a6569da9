"""How many deals of triple that can be won by construction one core makes in a second."""

from __future__ import annotations

import os
import random
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from bench.report import Row
from bench.studio.process import python_command, python_environment
from winnable.contract.core import finish
from winnable.games.triple.levels.backwards import Board, deal_backwards
from winnable.games.triple.levels.dealer import READABLE_DEALS
from winnable.games.triple.levels.generator import Params, generate, layout_board, pile_board
from winnable.games.triple.levels.layout_text import shipped_layout
from winnable.games.triple.levels.mass_deals import MassDealer
from winnable.levels.files import encode_level

T = TypeVar("T")
PILE = Params(method="backwards")
CROWN = Params(method="backwards", layout="crown", kinds=14)
DEALS = 10_000
"""For one timing."""
READABLE = 200
FIRST = READABLE_DEALS + 1
"""Deals of a command until it makes them by the kernels."""
COMMANDS = {"the whole command": (), "the whole command, --distinct": ("--distinct",)}
CERTIFIED, BY_HAND = "made and checked by the kernels", "made by the readable functions"
GOAL = 10_000
"""Deals a second, made and checked."""


def rows(games: int = 3, seed: int = 0, progress: Callable[[int, int], None] | None = None) -> Iterator[Row]:
    """For each board, all for one core and without loading and compiling: deals a second made by the kernels,
    checked by them, and both; by the readable functions; as levels with their certificates, and as JSON; by
    the whole command `generate` into a file, without and with `--distinct`, less what its first deals take.
    Last how many times as many the kernels make and check as the readable functions make, and the size of the
    file. The best of `games` timings counts, in processor time: other work only takes away."""
    boards = {
        "pile of 360 tiles": (PILE, pile_board(PILE)),
        "crown of 300 tiles": (CROWN, layout_board(shipped_layout("crown"), CROWN)),
    }
    for done, (name, (params, board)) in enumerate(boards.items(), 1):
        with TemporaryDirectory() as folder:
            path = Path(folder) / "deals.jsonl"
            speeds: dict[str, float] = {}
            for what, count, work in _works(params, board, seed):
                speeds[what] = count / _least_seconds(games, work)
                reference = GOAL if what == CERTIFIED else None
                yield Row(f"{name}: {what}", speeds[what], "/s", n=count, seed=seed, reference=reference)
            for what, options in COMMANDS.items():
                first, all_of_them = (
                    _least_seconds(games, partial(_generate, params, seed, deals, path, *options))
                    for deals in (FIRST, FIRST + DEALS)
                )
                yield Row(f"{name}: {what}", DEALS / (all_of_them - first), "/s", n=DEALS, seed=seed)
            times = speeds[CERTIFIED] / speeds[BY_HAND]
            yield Row(f"{name}: times the readable functions", times, "×", n=READABLE, seed=seed)
            size = path.stat().st_size / (FIRST + DEALS)
            yield Row(f"{name}: a level in the file", size, "bytes", n=DEALS, seed=seed)
        if progress is not None:
            progress(done, len(boards))


def _works(params: Params, board: Board, seed: int) -> Iterator[tuple[str, int, Callable[[], object]]]:
    """What is timed, and how many deals it makes."""
    mass, seeds = MassDealer(board), range(seed, seed + DEALS)
    dealt = [mass.dealt(one) for one in seeds]
    mass.wins(dealt[0])  # compiles

    def by_hand() -> None:
        for one in seeds[:READABLE]:
            finish(deal_backwards(board, random.Random(one).random))

    yield "made by the kernels", DEALS, lambda: _each(mass.dealt, seeds)
    yield "checked by the kernels", DEALS, lambda: _each(mass.wins, dealt)
    yield CERTIFIED, DEALS, lambda: _each(lambda one: mass.wins(mass.dealt(one)), seeds)
    yield BY_HAND, READABLE, by_hand
    for one in seeds[:READABLE_DEALS]:
        finish(generate(params, one))  # from now on by the kernels
    yield "as levels", DEALS, lambda: _each(lambda one: finish(generate(params, one)), seeds)
    yield "as JSON", DEALS, lambda: _each(lambda one: encode_level(finish(generate(params, one))), seeds)


def _each(function: Callable[[T], object], items: Iterable[T]) -> None:
    for item in items:
        function(item)


def _generate(params: Params, seed: int, count: int, path: Path, *options: str) -> None:
    settings = ["method=backwards", f"layout={params.layout}", f"kinds={params.kinds}"]
    asked = ["--seed", str(seed), "--count", str(count), "--output", str(path)]
    command = python_command("winnable", "generate", "triple", *settings, *asked, *options)
    subprocess.run(command, env=python_environment(), check=True, stderr=subprocess.DEVNULL)


def _least_seconds(times: int, work: Callable[[], object]) -> float:
    """Of the processor, with the processes that it waits for."""
    return min(_seconds(work) for _ in range(max(1, times)))


def _seconds(work: Callable[[], object]) -> float:
    began = _processor_clock()
    work()
    return _processor_clock() - began


def _processor_clock() -> float:
    children = os.times()
    return time.process_time() + children.children_user + children.children_system
