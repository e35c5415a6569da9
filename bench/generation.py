"""How long levels take to make, of any game: what the benchmarks `NAME-generate` have in common."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, TypeAlias, TypeVar

from bench.report import Row, mean_row
from winnable.contract.core import finish
from winnable.contract.game import Game
from winnable.levels.identity import picture_id

A = TypeVar("A")
B = TypeVar("B")
Kinds: TypeAlias = Mapping[str, tuple[Any, int]]
"""Name of a kind of level -> its parameters, and with how many times fewer levels it is measured."""
Unit: TypeAlias = Literal["ms", "s"]
UNITS: Mapping[Unit, tuple[int, int, str]] = {"ms": (1000, 1, "a second"), "s": (1, 60, "a minute")}
"""Unit of times -> how many of it are a second; for how many seconds a rate is, and its unit."""


def generation_rows(
    game: Game,
    kinds: Kinds,
    facts: Callable[[Any], object],
    unit: Unit,
    games: int,
    seed: int,
    fewer_facts: int,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Row]:
    """For each kind of level: the mean processor time for one, levels a second or a minute, how many are of
    each par, and how many are distinct pictures. Then the mean time of `facts` about levels of the default
    parameters, `fewer_facts` times fewer."""
    factor, rate_seconds, rate_unit = UNITS[unit]
    for done, (name, (params, fewer)) in enumerate(kinds.items(), 1):
        seeds = range(seed, seed + max(2, games // fewer))
        levels, seconds = _timed(lambda seed, params=params: finish(game.generate(params, seed)), seeds)
        n = len(levels)
        yield mean_row(f"{name}: time for a level", [factor * took for took in seconds], unit, seed)
        yield Row(f"{name}: levels", rate_seconds * n / sum(seconds), rate_unit, n=n, seed=seed)
        pictures = {picture_id(game, level) for level in levels}
        yield Row(f"{name}: distinct pictures", len(pictures), n=n, seed=seed)
        pars = Counter(level.certificate.cost for level in levels if level.certificate is not None)
        for par, count in sorted(pars.items()):
            yield Row(f"{name}: levels of par {par}", count, n=n, seed=seed)
        if progress is not None:
            progress(done, len(kinds))
    seeds = range(seed, seed + max(2, games // fewer_facts))
    _, seconds = _timed(facts, [finish(game.generate(game.params_type(), one)) for one in seeds])
    yield mean_row("facts about a level, any par", [factor * took for took in seconds], unit, seed)


def _timed(make: Callable[[A], B], arguments: Iterable[A]) -> tuple[list[B], list[float]]:
    """What is made of each, and the seconds of the processor that it took."""
    made: list[B] = []
    seconds: list[float] = []
    for argument in arguments:
        began = time.process_time()
        made.append(make(argument))
        seconds.append(time.process_time() - began)
    return made, seconds
