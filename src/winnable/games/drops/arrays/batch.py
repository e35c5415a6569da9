"""Batches of games of drops."""

from __future__ import annotations

from collections.abc import Sequence

from winnable.compiled.batch_kernels import KernelBatch
from winnable.contract.abilities import Terms
from winnable.contract.core import WinnableError
from winnable.games.drops.arrays import kernels
from winnable.games.drops.rules.level import Level
from winnable.games.drops.rules.puzzle import Drops
from winnable.games.drops.solve.click_kernels import to_bits
from winnable.games.drops.solve.linked_kernels import new_clicker
from winnable.inert.arrays import np


def batch(puzzles: Sequence[Drops], games: int, terms: Terms) -> KernelBatch:
    """Makes a batch of so many games. Raises WinnableError for levels with different rules of chains."""
    rows, columns, cells = puzzles[0].rows, puzzles[0].columns, puzzles[0].num_actions
    if len(names := {puzzle.level.rules for puzzle in puzzles}) > 1:
        raise WinnableError("drops.batch", field="level", rules=sorted(names))
    first = np.array([to_bits(puzzle.initial().cells) for puzzle in puzzles])
    work = kernels.Workspace(
        np.zeros((games, first.shape[1]), np.uint64),
        first,
        new_clicker(puzzles[0].level),
        np.zeros((games, rows, columns), np.int8),
        np.zeros((games, 1), np.int32),
        np.zeros((games, 1), np.int16),
    )
    shown = {"board": work.boards, "left": work.left, "bursts": work.bursts}
    rules = np.array([_figures(puzzle) for puzzle in puzzles], np.int64)
    run = kernels.begin_all, kernels.step
    return KernelBatch(run, work, rules, shown, games, cells, terms)


def _figures(puzzle: Drops) -> tuple[int, int, bool, bool]:
    level, left = puzzle.level, puzzle.initial().left
    return -1 if left is None else left, level.every or 0, level.flash is not None, level.open


def warm() -> None:
    """Compiles the kernels."""
    batch([Drops(Level(("1",)))], 1, Terms("win")).warm()
