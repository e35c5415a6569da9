"""How long one level of rotate takes to make, with the proof of its par."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator

from winnable.benchmarks.report import Row, mean_row
from winnable.games.rotate.difficulty import facts
from winnable.games.rotate.game import GAME
from winnable.games.rotate.generator import Params, generate
from winnable.games.rotate.level import Level
from winnable.identity import picture_id

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
    generate(Params(par_min=2, keys=2), 0)  # what is compiled or built when first used
    for done, (name, (params, fewer)) in enumerate(KINDS.items(), 1):
        times: list[float] = []
        levels = [_timed(params, one, times) for one in range(seed, seed + max(2, games // fewer))]
        yield mean_row(f"{name}: time for a level", times, "s", seed)
        yield Row(f"{name}: levels", 60 * len(times) / sum(times), "a minute", n=len(times), seed=seed)
        pictures = {picture_id(GAME, level) for level in levels}
        yield Row(f"{name}: distinct pictures", len(pictures), n=len(levels), seed=seed)
        pars = Counter(level.certificate.cost for level in levels if level.certificate is not None)
        for par, count in sorted(pars.items()):
            yield Row(f"{name}: levels of par {par}", count, n=len(levels), seed=seed)
        if progress is not None:
            progress(done, len(KINDS))
    times = []
    for one in range(seed, seed + max(2, games // 10)):
        level = generate(Params(), one)
        began = time.process_time()
        facts(level)
        times.append(time.process_time() - began)
    yield mean_row("facts about a level, any par", times, "s", seed)


def _timed(params: Params, seed: int, times: list[float]) -> Level:
    began = time.process_time()
    level = generate(params, seed)
    times.append(time.process_time() - began)
    return level
