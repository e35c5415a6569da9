"""Boards of triple that are proved not to be winnable, for benchmarks of what helps there."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from typing import NamedTuple

from bench.processor_budget import ProcessorBudget
from bench.triple.decide import layout_name, real_layouts
from bench.triple.recorded import recorded_boards
from winnable.contract.core import finish
from winnable.games.triple.levels.generator import Params, Shipped, generate
from winnable.games.triple.rules.level import Level
from winnable.games.triple.rules.puzzle import Triple
from winnable.games.triple.solve.solver import solve_auto
from winnable.levels.find import find_level

SECONDS = 1.0
"""Of the processor, for the verdict."""
OURS: tuple[Shipped, ...] = ("arena", "windmill", "shell", "fish", "crown", "butterfly")
"""Those of ours on which few deals can be won."""


KINDS = 14


class LostBoard(NamedTuple):
    """origin: recorded, a deal onto a real layout, or onto one of ours"""

    origin: str
    name: str
    level: Level


def lost_boards(most: int, seed: int) -> list[LostBoard]:
    """At most so many of each origin. Deals begin with this seed: one onto each layout, then with the next
    ones. Without the files of the real game, ours alone."""
    origins = _recorded(), _dealt(seed), _ours(seed)
    return [board for boards in origins for board in islice(filter(_is_lost, boards), most)]


def _is_lost(board: LostBoard) -> bool:
    return finish(solve_auto(Triple(board.level), 0, ProcessorBudget(SECONDS), 0)).status == "unsolvable"


def _recorded() -> Iterator[LostBoard]:
    for path in recorded_boards():
        yield LostBoard("recorded", path.stem, find_level(str(path)).level)


def _dealt(seed: int) -> Iterator[LostBoard]:
    paths = real_layouts()
    for deal in count(seed) if paths else ():
        for path in paths:
            level = find_level(str(path), deal).level
            yield LostBoard("real layout", f"{layout_name(path)}, deal {deal}", level)


def _ours(seed: int) -> Iterator[LostBoard]:
    for deal in count(seed):
        for layout in OURS:
            level = finish(generate(Params(layout=layout, kinds=KINDS), deal))
            yield LostBoard("our layout", f"{layout}, deal {deal}", level)
