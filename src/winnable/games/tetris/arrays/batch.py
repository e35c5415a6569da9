"""Batches of games of tetris."""

from __future__ import annotations

from collections.abc import Sequence

from winnable.compiled.batch_kernels import KernelBatch
from winnable.contract.abilities import Terms
from winnable.contract.core import WinnableError
from winnable.games.tetris.arrays import kernels
from winnable.games.tetris.players.kernels import pack_wall
from winnable.games.tetris.players.shape_kernels import shape_table
from winnable.games.tetris.rules.level import Level
from winnable.games.tetris.rules.puzzle import SeededTetris
from winnable.inert.arrays import np


def batch(puzzles: Sequence[SeededTetris], games: int, terms: Terms) -> KernelBatch:
    """Return a batch of games of the level. puzzles: one. Raises WinnableError for the article's rules."""
    (puzzle,) = puzzles
    level = puzzle.level
    if level.rules == "article":
        raise WinnableError("tetris.batch", field="level", rules=level.rules)
    width, height = level.width, level.height
    boards = np.zeros((games, height, width), np.int8)
    pieces, following = np.zeros((games, 1), np.int8), np.zeros((games, 1), np.int8)
    work = kernels.Workspace(
        np.zeros((games, width + 2), np.uint64),
        pack_wall(level.rows, width),
        shape_table(level.rules),
        boards,
        pieces,
        following,
    )
    shown = {"board": boards, "piece": pieces, "next": following}
    run = kernels.begin_all, kernels.step
    rules = kernels.Rules(height, level.preview)
    return KernelBatch(run, work, rules, shown, games, puzzle.num_actions, terms)


def warm() -> None:
    """Compiles the kernels."""
    batch([SeededTetris(Level())], 1, Terms("score")).warm()
