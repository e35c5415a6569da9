"""How long one level of rotate takes to make, with the proof of its par."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bench.generation import generation_rows
from bench.report import Row
from winnable.contract.core import finish
from winnable.games.rotate.game import GAME
from winnable.games.rotate.levels.generator import Params, generate
from winnable.games.rotate.measure.difficulty import facts

KINDS = {
    "any par, no certificate": (Params(), 1),
    "4 colours, any par": (Params(slack="0"), 1),
    "4 colours, par 5 to 6": (Params(par_min=5, par_max=6), 1),
    "6 colours, any par": (Params(colours=6, slack="0"), 4),
    "4 colours, par 5, one good first turn": (Params(par_min=5, par_max=5, keys=1), 4),
    "10 × 10, best known": (Params(rows=10, columns=10, slack="10"), 4),
}
"""With how many times fewer levels each is measured."""


def rows(games: int = 40, seed: int = 0, progress: Callable[[int, int], None] | None = None) -> Iterator[Row]:
    """For each kind of level: seconds of processor time for one, levels a minute, the share of each par,
    and how many are distinct pictures. Then the time of `check`'s facts about one."""
    GAME.warm()
    finish(generate(Params(par_min=2, keys=2), 0))  # what is compiled or built when first used
    yield from generation_rows(GAME, KINDS, facts, "s", games, seed, fewer_facts=10, progress=progress)
