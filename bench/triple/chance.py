"""Whether what the page says of a person's chance is what games on the level come to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

from bench.report import Row, mean_row, rate_row
from winnable.contract.core import Budget, collected, finish
from winnable.games.triple.levels.generator import SHIPPED, Params, generate
from winnable.games.triple.levels.to_order import adjusted
from winnable.games.triple.measure.chance import PLAYER, chance
from winnable.games.triple.players.fair_players import Quick
from winnable.games.triple.rules.level import Level
from winnable.games.triple.rules.puzzle import Triple

Make: TypeAlias = "Callable[[int], Level]"

SMALL = Params(layers=6, sets=3, kinds=8, side=4)
LARGE = Params(layers=10, sets=4, side=5)
LEVELS = 40
"""Of each kind."""
MEASURED_FROM = 1_000_000
"""Seeds of the games that measure: none of the page's."""


def _dealt(params: Params, seed: int) -> Level:
    return finish(generate(params, seed))


def _ordered(params: Params, share: float, seed: int) -> Level:
    return finish(adjusted(_dealt(params, seed), PLAYER, share, seed, Budget()))


def _layout(seed: int) -> Level:
    return _dealt(Params(layout=list(SHIPPED)[seed % len(SHIPPED)], kinds=14), seed)


KINDS: dict[str, Make] = {
    "piles of 72 tiles": partial(_dealt, SMALL),
    "piles of 144 tiles": partial(_dealt, LARGE),
    "our layouts": _layout,
    "72 tiles, made to order: 80 %": partial(_ordered, SMALL, 0.8),
    "144 tiles, made to order: 20 %": partial(_ordered, LARGE, 0.2),
}


def rows(
    games: int = 10_000,
    runs: int = LEVELS,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Row]:
    """runs: levels of each kind. The page's estimate at the start of each beside so many other games by the
    same player: in how many levels the share that these win lies within the page's 95 % interval, and by how
    many points the page says more, on the mean. Last the same of all levels together. (Measured games scatter
    too: of two honest ones, 94.5 % lie within where 10,000 are measured, 90 % of 1,000.)"""
    inside, more = list[bool](), list[float]()
    for done, (kind, make) in enumerate(KINDS.items()):
        for number in range(runs):
            puzzle = Triple(make(seed + number))
            start = puzzle.initial()
            *_, told = finish(collected(chance(puzzle, start, Budget(), 0)))
            measured = sum(Quick(puzzle, PLAYER, MEASURED_FROM).play_from(start, games)) / games
            inside.append(told.low <= measured <= told.high)
            more.append(100 * (told.won / told.games - measured))
            if progress is not None:
                progress(done * runs + number + 1, len(KINDS) * runs)
        yield from _compared(kind, inside[-runs:], more[-runs:], seed)
    yield from _compared("all", inside, more, seed)


def _compared(kind: str, inside: list[bool], more: list[float], seed: int) -> Iterator[Row]:
    yield rate_row(f"{kind}: within the page's interval", sum(inside), len(inside), seed, 0.95)
    yield mean_row(f"{kind}: the page says more by", more, "points", seed, 0)
