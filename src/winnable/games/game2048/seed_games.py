"""Whole games of the seed article's player, by kernels: for measuring it."""

from __future__ import annotations

from typing import NamedTuple

from winnable.dice_kernels import new_dice
from winnable.games.game2048 import kernels, seed_kernels


class Game(NamedTuple):
    """How a game went."""

    largest: int
    """Exponent of its largest tile."""
    score: int
    moves: int


def play(sums: bool, depth: int, fours: int, goal: int, seed: int) -> Game:
    """A game on 4 × 4 with `fours` percent of fours, until a tile of exponent `goal` is made. sums: the
    article's search, else expectimax."""
    dice = new_dice(seed)
    largest, score, moves = seed_kernels.play(sums, depth, fours, goal, kernels.slides(), dice)
    return Game(int(largest), int(score), moves)


def warm() -> None:
    """Compiles what `play` uses."""
    for sums in (True, False):
        play(sums, 1, 10, 3, 0)
