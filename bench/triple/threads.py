"""How much sooner the default solver of triple decides with two threads than with one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from bench.report import CheckFailed, Row, mean_row
from bench.triple.decide import dealt, layouts_needed
from winnable.contract.core import Budget, finish
from winnable.games.triple.game import GAME
from winnable.games.triple.solve.solver import solve_auto

HARD_SECONDS = 0.2
"""Deals that one thread decides sooner are left out: threads begin after the cheap attempts."""


def rows(
    games: int = 100,
    seed: int = 0,
    seconds: float = 10.0,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Row]:
    """Of `games` deals onto the real layouts (as in triple-decide) those that one thread decides in 0.2 s to
    `seconds`: the seconds by the clock with one thread and with two, by turns, and how many times as fast two
    are, as the geometric mean. Needs a machine without other work. Raises WinnableError without layouts, and
    CheckFailed where the two do not say the same."""
    GAME.warm()
    one, two, sooner = list[float](), list[float](), list[float]()
    for done, (path, deal, puzzle) in enumerate(dealt(layouts_needed(), games, seed), 1):
        alone = finish(solve_auto(puzzle, puzzle.initial(), Budget(seconds), 0))
        if alone.status != "budget" and alone.seconds >= HARD_SECONDS:
            both = finish(solve_auto(puzzle, puzzle.initial(), Budget(seconds, threads=2), 0))
            if both.status != "budget" and (both.status, both.actions) != (alone.status, alone.actions):
                raise CheckFailed(f"triple-threads: deal {deal} onto {path.stem}: two threads say otherwise")
            one.append(alone.seconds)
            two.append(both.seconds)
            sooner.append(float(np.log(alone.seconds / both.seconds)))
        if progress is not None:
            progress(done, games)
    if not one:
        return
    yield mean_row("one thread", one, "s", seed)
    yield mean_row("two threads", two, "s", seed)
    ratio = mean_row("one thread / two threads", sooner, "", seed)
    assert ratio.ci_low is not None
    assert ratio.ci_high is not None
    value, low, high = map(float, np.exp([ratio.value, ratio.ci_low, ratio.ci_high]))
    yield Row(ratio.name, value, "", low, high, len(sooner), seed)
