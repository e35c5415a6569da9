"""What the article's four solvers can be set to. Defaults are the article's; it does not tell pc and pm,
these are those of the article on the rotation puzzle."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

Seconds = Annotated[float, Meta(ge=0, le=86_400)]
Chance = Annotated[float, Meta(ge=0, le=1)]


class WithinDepth(Struct, frozen=True):
    """Of `bfs` and `a-star`. depth: the most clicks of a line; the article says "less than 5"."""

    depth: Annotated[int, Meta(ge=1, le=1000)] = 4
    seconds: Seconds = 30.0


class Weighted(Struct, frozen=True):
    """Of `a`. k: what a click counts beside h, to the thousandth. 0: h alone, greedy; the larger, the nearer
    to breadth-first search, which it is on 6 × 6 cells at 200, as h differs by less there."""

    k: Annotated[float, Meta(ge=0, le=200)] = 2.0
    seconds: Seconds = 30.0


class Evolution(Struct, frozen=True):
    """Of `genetic`. genes: the clicks of a sequence; pc: the chance that two sequences are crossed; pm: that
    one gene of a sequence is redrawn."""

    population: Annotated[int, Meta(ge=2, le=10_000)] = 500
    genes: Annotated[int, Meta(ge=2, le=1000)] = 50
    generations: Annotated[int, Meta(ge=1, le=1_000_000)] = 200
    pc: Chance = 0.6
    pm: Chance = 0.15
