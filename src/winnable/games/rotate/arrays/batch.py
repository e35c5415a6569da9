"""Batches of games of rotate."""

from __future__ import annotations

from collections.abc import Sequence

from winnable.compiled.batch_kernels import KernelBatch
from winnable.contract.abilities import Terms
from winnable.contract.core import WinnableError
from winnable.games.rotate.arrays import kernels
from winnable.games.rotate.rules.level import Level
from winnable.games.rotate.rules.puzzle import Rotate
from winnable.games.rotate.solve.kernels import blocks_of
from winnable.inert.arrays import np


def batch(puzzles: Sequence[Rotate], games: int, terms: Terms) -> KernelBatch:
    """Return a batch of games of these levels. Raises WinnableError for levels with different rules."""
    one = puzzles[0]
    if len(names := {puzzle.level.rules for puzzle in puzzles}) > 1:
        raise WinnableError("rotate.batch", field="level", rules=sorted(names))
    first = np.array([puzzle.level.cells for puzzle in puzzles], np.int16)
    turns = [-1 if puzzle.level.turns is None else puzzle.level.turns for puzzle in puzzles]
    cells = first.shape[1]
    work = kernels.Workspace(
        np.zeros((games, cells), np.int16),
        first,
        np.array([*zip(turns, (puzzle.colours for puzzle in puzzles), strict=True)], np.int64),
        blocks_of(one),
        np.zeros(cells, np.int16),
        np.zeros((games, 1), np.int32),
    )
    rules = kernels.Rules(len(puzzles), one.columns, one.ways)
    shown = {"board": work.boards.reshape(games, one.rows, one.columns), "left": work.left}
    run = kernels.begin_all, kernels.step
    return KernelBatch(run, work, rules, shown, games, one.num_actions, terms)


def warm() -> None:
    """Compiles the kernels."""
    batch([Rotate(Level(((0, 1), (1, 0))))], 1, Terms("win")).warm()
