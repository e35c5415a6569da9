"""The layouts of triple that ship with it: how large they are, and how hard random deals onto them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from bench.processor_budget import ProcessorBudget
from bench.report import Row, rate_row
from winnable.contract.core import finish
from winnable.games.triple.game import GAME
from winnable.games.triple.levels.generator import SHIPPED, Params, generate
from winnable.games.triple.levels.layout import Layout, as_tiles
from winnable.games.triple.levels.layout_text import shipped_layout
from winnable.games.triple.rules.puzzle import direct_covers

KINDS = 14


def rows(
    games: int = 5,
    seed: int = 0,
    seconds: float = 5.0,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Row]:
    """For each layout its tiles, layers and tiles on the floor; of so many deals of 14 kinds with 7 slots the
    shares that are winnable and that are proved unsolvable, and of all of them those that are winnable with 7
    slots but proved not to be with 6 (*tight*); so many seconds of the processor for each verdict,
    and how many tight ones that makes in a second of the processor, all deals counted."""
    GAME.warm()
    for done, name in enumerate(SHIPPED):
        layout = shipped_layout(name)
        yield Row(f"{name}: tiles", len(layout.places))
        yield Row(f"{name}: layers", len({place.layer for place in layout.places}))
        yield Row(f"{name}: tiles on the floor", floor_tiles(layout))
        seven: list[str] = []
        tight = 0
        started = time.process_time()
        for one in range(seed, seed + games):
            seven.append(_verdict(Params(layout=name, kinds=KINDS), one, seconds))
            if seven[-1] == "solved":
                tight += _verdict(Params(layout=name, kinds=KINDS, slots=6), one, seconds) == "unsolvable"
            if progress is not None:
                progress(games * done + one - seed + 1, games * len(SHIPPED))
        yield rate_row(f"{name}: winnable", seven.count("solved"), games, seed)
        yield rate_row(f"{name}: unsolvable", seven.count("unsolvable"), games, seed)
        yield rate_row(f"{name}: tight", tight, games, seed)
        spent = time.process_time() - started
        yield Row(f"{name}: tight levels a second", tight / spent, "/s", n=games, seed=seed)


def _verdict(params: Params, seed: int, seconds: float) -> str:
    puzzle = GAME.puzzle(finish(generate(params, seed)))
    return finish(GAME.solvers["auto"](puzzle, puzzle.initial(), ProcessorBudget(seconds), 0)).status


def floor_tiles(layout: Layout) -> int:
    """How many tiles lie on no other. Where these are few, nearly everything must be gone before the last
    triples can be: the bottleneck of a layout."""
    covers, _ = finish(direct_covers(as_tiles(layout.places)))
    resting = {above for tiles in covers for above in tiles}
    return len(layout.places) - len(resting)
