"""The article's six figures of a wall, as its text counts them and as its program does, and the score."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from winnable.games.tetris.article.player import ARTICLE_WEIGHTS, FEATURES, wall_of


class Figure(Struct, frozen=True):
    """name: of `player.FEATURES`; text, program: as the one and the other count it."""

    name: str
    text: int
    program: int
    weight: float


class Figures(Struct, frozen=True):
    """score: the weighted sum of what the program counts; the less, the better."""

    figures: tuple[Figure, ...]
    score: float


def figures(rows: Sequence[int], width: int, height: int) -> Figures:
    """The figures of a wall as it stands. rows: from the lowest, as bits; height: the board's rows."""
    wall = wall_of(rows, width, height)
    counted = [feature(wall) for feature in FEATURES.values()]
    found = zip(FEATURES, as_told(rows, width), counted, ARTICLE_WEIGHTS, strict=True)
    score = sum(value * weight for value, weight in zip(counted, ARTICLE_WEIGHTS, strict=True))
    return Figures(tuple(Figure(*one) for one in found), score)


def as_told(rows: Sequence[int], width: int) -> tuple[int, ...]:
    """The figures as the text tells them, in the order of `FEATURES`: holes, steps between neighbours, full
    rows, height, rows that lack one cell, rows that lack more. Full rows are counted, then cleared."""
    full = (1 << width) - 1
    left = [row for row in rows if row != full]
    while left and not left[-1]:
        left.pop()
    heights = [
        max((index + 1 for index, row in enumerate(left) if row >> column & 1), default=0)
        for column in range(width)
    ]
    holes = sum(heights) - sum(row.bit_count() for row in left)
    steps = sum(abs(after - before) for before, after in pairwise(heights))
    lacking = [width - row.bit_count() for row in left]
    return holes, steps, len(rows) - len(left), len(left), lacking.count(1), sum(one > 1 for one in lacking)
