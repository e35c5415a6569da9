"""Moves and whole games of the article's player, by kernels."""

from __future__ import annotations

from typing import NamedTuple

from winnable.compiled.dice_kernels import new_dice
from winnable.games.game2048.article import kernels as article_kernels
from winnable.games.game2048.board import kernels
from winnable.games.game2048.rules.puzzle import State
from winnable.inert.arrays import U


class Game(NamedTuple):
    """How a game went."""

    largest: int
    """Exponent of its largest tile."""
    score: int
    moves: int


def worth(board: State, sums: bool, depth: int, fours: int) -> float:
    """The worth of a board of 4 × 4 after a move. sums: the article's search, else expectimax."""
    word, slides = U(kernels.pack(board)), kernels.slides()
    if sums:
        return float(article_kernels.summed(word, depth, slides))
    return float(article_kernels.expected(word, depth, fours, slides))


def play(sums: bool, depth: int, fours: int, goal: int, seed: int) -> Game:
    """A game on 4 × 4 with `fours` percent of fours, until a tile of exponent `goal` is made. sums: the
    article's search, else expectimax."""
    dice = new_dice(seed)
    largest, score, moves = article_kernels.play(sums, depth, fours, goal, kernels.slides(), dice)
    return Game(int(largest), int(score), moves)


def warm() -> None:
    """Compiles what `play` uses."""
    for sums in (True, False):
        play(sums, 1, 10, 3, 0)
        worth((1, *(0,) * 15), sums, 1, 10)
