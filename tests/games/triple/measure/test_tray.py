"""The smallest tray, against brute force."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from tests.games.triple.naive_triple import Naive, random_level
from winnable.contract.core import Budget, LevelError, finish, replay
from winnable.games.triple.measure.tray import SmallestTray, smallest_tray
from winnable.games.triple.rules.level import Tools
from winnable.games.triple.rules.puzzle import Triple


def test_it_is_the_smallest() -> None:
    rng = random.Random(0)
    sizes = set[int]()
    for _ in range(150):
        level = random_level(rng, most_tiles=15)
        found = finish(smallest_tray(level, Budget()))
        assert found.exact
        assert found.won is not None
        sizes.add(found.won)
        puzzle = Triple(replace(level, slots=found.won))
        assert puzzle.is_goal(replay(puzzle, found.line))
        assert not Naive(replace(level, slots=found.lost)).winnable(frozenset())
    assert len(sizes) > 3


def test_what_is_not_known_is_not_claimed() -> None:
    level = random_level(random.Random(1))
    assert finish(smallest_tray(level, Budget(seconds=0))) == SmallestTray(2, None)
    with pytest.raises(LevelError, match="tools"):
        finish(smallest_tray(replace(level, tools=Tools()), Budget()))
