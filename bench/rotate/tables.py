"""All boards of rotate with given numbers of cells of each colour: how many take how many turns at least."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import zip_longest
from math import factorial, prod

from bench.report import Row
from winnable.contract.core import finish
from winnable.games.rotate.solve import exact
from winnable.games.rotate.solve.tables import distance_table

Published = tuple[int, ...]
SPLITS: tuple[tuple[int, int, tuple[int, ...], Published], ...] = (
    (2, 2, (2, 2), (4,)),
    (3, 3, (5, 4), (16, 52, 52, 6)),
    (3, 3, (3, 3, 3), (60, 336, 1032, 252)),
    (4, 4, (8, 8), (140, 1036, 3144, 5260, 3100, 188, 2)),
    (4, 4, (6, 5, 5), (640, 8384, 64016, 320672, 866696, 718280, 39328)),
    (4, 4, (4, 4, 4, 4), (2808, 45720, 495216, 3808176, 17395584, 32053032, 9245088, 17376)),
    (5, 5, (13, 12), (2804, 56760, 636454, 2789412, 1680029, 34841)),
    (4, 4, (2,) * 8, ()),
    (4, 4, (4, 3, 3, 3, 3), ()),
    (4, 4, (3, 3, 3, 3, 2, 2), ()),
    (4, 4, (3, 3, 2, 2, 2, 2, 2), ()),
)
"""Rows, columns, cells of each colour, and figures known before from a breadth-first search of another
program over boards as they are, without names or symmetries taken out."""


def rows(games: int = len(SPLITS), progress: Callable[[int, int], None] | None = None) -> Iterator[Row]:
    """games: how many of SPLITS, which come from small to large.

    For each: how many boards take 0, 1, 2 ... turns, colours with their names, with the known figures as
    reference; those that cannot be finished; the mean; boards kept, up to names and symmetries; processor
    time with the kernels compiled."""
    exact.warm()
    for number, (height, width, counts, published) in enumerate(SPLITS[:games], 1):
        started = time.process_time()
        table = finish(distance_table(height, width, counts))
        seconds = time.process_time() - started
        what = f"{height} × {width}, {'+'.join(map(str, counts))} cells"
        every = factorial(height * width) // prod(map(factorial, counts))
        for turns, (found, known) in enumerate(zip_longest(table.by_turns, published)):
            yield Row(f"{what}: {turns} turns", found or 0, "boards", n=every, reference=known)
        solvable = sum(table.by_turns)
        yield Row(f"{what}: cannot be finished", every - solvable, "boards", n=every)
        mean = sum(turns * found for turns, found in enumerate(table.by_turns)) / solvable
        yield Row(f"{what}: mean", mean, "turns", n=solvable)
        yield Row(f"{what}: boards kept", table.entries, "boards")
        yield Row(f"{what}: processor time", seconds, "s")
        if progress is not None:
            progress(number, min(games, len(SPLITS)))
