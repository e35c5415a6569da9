"""The smallest repair, against brute force over all single swaps."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest

from tests.games.triple.naive_triple import Naive, random_level
from winnable.contract.core import Budget, LevelError, finish, replay
from winnable.contract.game import GaveUp
from winnable.games.triple.levels.generator import Params, generate
from winnable.games.triple.repair.fewest_swaps import fewest_swaps, swap_repair
from winnable.games.triple.rules.level import Level
from winnable.games.triple.rules.puzzle import Triple
from winnable.games.triple.solve.breadth_search import BreadthSearch
from winnable.games.triple.solve.plan import make_plan
from winnable.search.meter import Meter


def needed(level: Level) -> int:
    """0 or 1 swap, or 2: more than one."""
    if winnable(level):
        return 0
    kinds = [tile.kind for tile in level.tiles]
    for one, other in combinations(range(len(kinds)), 2):
        after = kinds.copy()
        after[one], after[other] = kinds[other], kinds[one]
        if after != kinds and winnable(level.with_kinds(after)):
            return 1
    return 2


def winnable(level: Level) -> bool:
    return Naive(level).winnable(frozenset())


def test_they_are_the_fewest() -> None:
    rng = random.Random(3)
    seen = Counter[int]()
    while min(seen[0], seen[1], seen[2]) < 4:
        level = random_level(rng, most_tiles=12)
        found = finish(fewest_swaps(level, 1, Budget()))
        assert found.fewest == needed(level)
        assert found.fewest == len(found.swaps) or (found.fewest == 2 and len(found.swaps) > 2)
        puzzle = Triple(level.with_kinds(found.kinds))
        assert puzzle.is_goal(replay(puzzle, found.line))
        kinds = [tile.kind for tile in level.tiles]
        for one, other in found.swaps:
            kinds[one], kinds[other] = kinds[other], kinds[one]
        assert tuple(kinds) == tuple(found.kinds)
        seen[found.fewest] += 1


def test_kinds_outside_the_reach_do_not_matter() -> None:
    rng = random.Random(4)
    outside = 0
    for _ in range(200):
        puzzle = Triple(random_level(rng, most_tiles=18))
        plan = make_plan(puzzle)
        for tables in (plan.forward, plan.backward):
            search = BreadthSearch(plan, tables, 0)
            if finish(search.run(Meter(Budget()), 10**9, 2**28)) == "exhausted":
                kinds = list(puzzle.kinds)
                rest = [tile for tile in range(len(kinds)) if not search.reach >> tile & 1]
                for tile, kind in zip(
                    rest, rng.sample([kinds[tile] for tile in rest], len(rest)), strict=True
                ):
                    kinds[tile] = kind
                outside += kinds != list(puzzle.kinds)
                assert not winnable(puzzle.level.with_kinds(kinds))
    assert outside > 20


def test_the_level_carries_its_line_and_where_it_came_from() -> None:
    level = finish(generate(Params(layers=6, side=3, kinds=6, sets=2, slots=3), 1))
    repaired = finish(swap_repair(level, 5, Budget(expanded=1_000_000)))
    assert repaired == finish(swap_repair(level, 5, Budget(expanded=1_000_000)))
    assert repaired.certificate is not None
    puzzle = Triple(repaired)
    assert puzzle.is_goal(replay(puzzle, repaired.certificate.actions))
    assert repaired.provenance is not None
    params = repaired.provenance.params
    assert params["from"]["seed"] == 1
    assert params["at_least"] >= 1
    changed = [
        number
        for number, (tile, other) in enumerate(zip(level.tiles, repaired.tiles, strict=True))
        if tile != other
    ]
    assert set(changed) <= {tile for swap in params["swaps"] for tile in swap}


def test_bad_input_and_spent_budgets_are_named() -> None:
    level = finish(generate(Params(layers=6, side=3, kinds=6, sets=2, slots=3), 1))
    with pytest.raises(LevelError, match="slots: with 2"):
        finish(fewest_swaps(Level(level.tiles, slots=2), 0, Budget()))
    with pytest.raises(LevelError, match=r"seed: .*not -1"):
        finish(fewest_swaps(level, -1, Budget()))
    with pytest.raises(GaveUp, match="the budget ran out"):
        finish(fewest_swaps(level, 0, Budget(seconds=0)))
