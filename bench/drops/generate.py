"""How long one level of drops takes to make, with the proof of its par."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bench.generation import generation_rows
from bench.report import Row
from winnable.contract.core import finish
from winnable.games.drops.game import GAME
from winnable.games.drops.levels.generator import Params, generate
from winnable.games.drops.measure.difficulty import facts

KINDS = {
    "any par, uniform": (Params(), 1),
    "par 3 to 6": (Params(par_min=3, par_max=6), 1),
    "par 6": (Params(par_min=6, par_max=6), 20),
    "par 3 to 6, greedy and the article's A fail by 2": (
        Params(par_min=3, par_max=6, greedy_over=2, a_over=2),
        4,
    ),
    "par 3 to 5, two good first clicks": (Params(par_min=3, par_max=5, keys=2), 40),
}
"""With how many times fewer levels each is measured."""


def rows(
    games: int = 200, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """For each kind of 6 × 6 level: milliseconds of processor time for one, levels a second, the share of
    each par, and how many are distinct pictures. Then the time of `check`'s facts about one."""
    GAME.warm()
    finish(generate(Params(par_min=2, greedy_over=1, a_over=1, keys=2), 0))  # what is compiled only when used
    yield from generation_rows(GAME, KINDS, facts, "ms", games, seed, fewer_facts=40, progress=progress)
