from __future__ import annotations

from random import Random

from msgspec.structs import replace

from winnable.contract.core import Budget, finish
from winnable.games.triple.measure.dead_tiles import dead_tiles
from winnable.games.triple.rules.level import SIDE, Level, Tile
from winnable.games.triple.rules.puzzle import Triple
from winnable.games.triple.solve.solver import solve_auto


def test_kinds_that_lie_over_nothing() -> None:
    over = (Tile(0, 0, 0, 0), *(Tile(1, place * SIDE, 16, 0) for place in range(3)))
    level = Level(tiles=(*over, Tile(0, 0, 0, 1), Tile(0, 24, 0, 1)), slots=7)
    assert dead_tiles(Triple(level)) == [1, 2, 3]
    assert dead_tiles(Triple(replace(level, slots=2))) == []


def test_without_them_a_level_can_be_won_exactly_if_it_can_with_them() -> None:
    """Four heaps of seven tiles of other kinds, each upon one of them; the others lie free."""
    found = {True: 0, False: 0}
    for seed in range(60):
        chance = Random(seed)
        kinds, free = chance.sample([2, 3, 4, 5] * 6, 24), chance.sample([0, 1] * 3, 6)
        bottom = [Tile(kind, 8 * place, 0, 0) for place, kind in enumerate(free)]
        heaps = [Tile(kind, 8 * (n % 4), 0, 1 + n // 4) for n, kind in enumerate(kinds)]
        level = Level(tiles=(*bottom, *heaps), slots=4)
        assert dead_tiles(Triple(level)) == [*range(6)]
        verdicts = {_wins(level), _wins(replace(level, tiles=tuple(heaps)))}
        assert len(verdicts) == 1, seed
        found[verdicts.pop()] += 1
    assert min(found.values()) >= 15, found


def _wins(level: Level) -> bool:
    puzzle = Triple(level)
    status = finish(solve_auto(puzzle, puzzle.initial(), Budget(), 0)).status
    assert status in ("solved", "unsolvable")
    return status == "solved"
