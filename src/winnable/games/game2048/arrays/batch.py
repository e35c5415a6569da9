"""Batches of games of 2048."""

from __future__ import annotations

from collections.abc import Sequence

from winnable.compiled.batch_kernels import KernelBatch
from winnable.contract.abilities import Terms
from winnable.games.game2048.arrays import kernels
from winnable.games.game2048.board.grid_kernels import lines_of, pack
from winnable.games.game2048.board.kernels import slides
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import Seeded2048
from winnable.inert.arrays import np


def batch(puzzles: Sequence[Seeded2048], games: int, terms: Terms) -> KernelBatch:
    """puzzles: one"""
    (puzzle,) = puzzles
    level, game = puzzle.level, puzzle.game
    cells = game.rows * game.columns
    rules = kernels.Rules(level.fours, not level.board, game.goal or 0, level.ends, terms.reward == "win")
    words = slides() if (game.rows, game.columns) == (4, 4) else slides()[:0]
    work = kernels.Workspace(
        np.zeros((games, cells), np.uint8), pack(level.cells or (0,) * cells), lines_of(game), words
    )
    shown = {"board": work.boards.reshape(games, game.rows, game.columns)}
    run = kernels.begin_all, kernels.step
    return KernelBatch(run, work, rules, shown, games, kernels.ACTIONS, terms)


def warm() -> None:
    """Compiles the kernels."""
    batch([Seeded2048(Level())], 1, Terms("score")).warm()
