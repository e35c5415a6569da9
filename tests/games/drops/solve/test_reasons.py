"""Reasons why clicks do not suffice: what is found, what the check says of it and of wrong ones, and what
brute force knows."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import pytest
from msgspec import structs

from tests.games.drops.boards import RULES
from tests.games.drops.brute_force import fewest
from tests.games.drops.solve.test_exact import small_level
from tests.games.drops.solve.test_prices import most_by_permutations
from winnable.contract.abilities import MOST_MARKED
from winnable.contract.core import Budget, Reason, finish
from winnable.games.drops.levels.text import parse_board
from winnable.games.drops.rules.level import RuleName
from winnable.games.drops.rules.puzzle import Drops, State
from winnable.games.drops.solve.reasons import find_reason, most_absorbed, reason_fault

WHYS = ("lack", "lack_all", "lack_capped", "stays")


@cache
def positions(rules: RuleName, count: int) -> list[tuple[Drops, State, int]]:
    """Small boards with the fewest clicks that empty them, and about as many left."""
    rng, found = random.Random(f"reasons {rules}"), list[tuple[Drops, State, int]]()
    while len(found) < count:
        puzzle = Drops(structs.replace(small_level(rng, rules), drops=1))
        start = puzzle.initial()
        clicks = fewest(puzzle, start._replace(left=None))
        left = max(1, clicks + rng.choice((-3, -2, -1, -1, -1, 0, 1)))
        found.append((puzzle, start._replace(left=left), clicks))
    return found


def code(puzzle: Drops, state: State, reason: Reason) -> str:
    fault = reason_fault(puzzle, state, reason)
    return fault.code if fault else ""


@pytest.mark.parametrize("rules", RULES)
def test_what_is_found_holds(rules: RuleName) -> None:
    lost = 0
    whys: list[str] = []
    for puzzle, state, clicks in positions(rules, 150):
        assert state.left is not None
        lost += clicks > state.left
        reason = finish(find_reason(puzzle, state, Budget()))
        if reason is not None:
            assert clicks > state.left, (puzzle.level, state)
            assert code(puzzle, state, reason) == ""
            assert len(reason.marked) <= MOST_MARKED
            whys.append(reason.why)
    assert lost >= len(whys) > lost * 0.8
    assert {"lack_all", "stays"} <= set(whys)


@pytest.mark.parametrize("rules", RULES)
def test_whatever_is_accepted_holds(rules: RuleName) -> None:
    """Reasons with other cells and numbers, for more clicks, and of the position after a click."""
    rng, accepted, refused = random.Random(3), 0, 0
    for puzzle, state, clicks in positions(rules, 150):
        assert state.left is not None
        for left in range(state.left, clicks + 2):
            at = state._replace(left=left)
            filled = [cell for cell, drops in enumerate(at.cells) if drops]
            cells = tuple(sorted(rng.sample(filled, rng.randint(0, min(8, len(filled))))))
            made_up = [Reason("stays", cells, {"left": left})]
            for origin in (state, at, puzzle.apply(at, rng.choice(filled))):
                found = finish(find_reason(puzzle, origin, Budget()))
                if found is None:
                    continue
                values = dict(found.values, left=left)
                made_up += [found, replace(found, values=values), replace(found, marked=cells)]
                made_up += [replace(found, why=why, values=values) for why in WHYS]
                made_up.append(replace(found, values={name: n + 1 for name, n in values.items()}))
            for reason in made_up:
                if reason_fault(puzzle, at, reason) is None:
                    assert clicks > left, (puzzle.level, at, reason)
                    accepted += 1
                else:
                    refused += 1
    assert accepted > 50
    assert refused > 500


@pytest.mark.parametrize("length", range(1, 7))
def test_no_order_of_bursts_brings_the_cells_of_a_line_more(length: int) -> None:
    rng = random.Random(length)
    for _ in range(40 if length < 6 else 5):
        weights = [rng.choice((0, 1, 2, 3, 3)) for _ in range(length)]
        assert most_absorbed(tuple(weights)) == most_by_permutations(weights)


def test_cells_far_apart_lack_what_nothing_brings() -> None:
    """Two cells of one and three drops that no row or column joins, beside a pair."""
    puzzle = Drops(parse_board("100000/000300/000044,drops=5"))
    state = puzzle.initial()
    reason = Reason("lack", (0, 9), {"lack": 6, "brought": 0, "clicks": 6, "left": 5})
    assert code(puzzle, state, reason) == ""
    enough = replace(reason, values={**reason.values, "left": 6})
    assert code(puzzle, state._replace(left=6), enough) == "reason.escape"
    for name in reason.values:
        wrong = replace(reason, values={**reason.values, name: reason.values[name] + 1})
        assert code(puzzle, state, wrong) == "reason.values"
    assert code(puzzle, state, replace(reason, marked=(0,))) == "reason.values", "too few"
    assert code(puzzle, state, replace(reason, marked=(0, 8))) == "reason.marked", "an empty cell"
    assert code(puzzle, state, replace(reason, marked=(9, 0))) == "reason.marked"
    assert code(puzzle, state, replace(reason, marked=(0, 9, 18))) == "reason.marked", "off the board"
    whole = Reason("lack_all", (), {"lack": 8, "brought": 1, "clicks": 7, "left": 5})
    assert code(puzzle, state, whole) == ""
    assert finish(find_reason(puzzle, state, Budget())) == whole
    assert code(puzzle, state, replace(reason, why="lack_all")) == "reason.marked"
    assert code(puzzle, state, replace(reason, why="thirst")) == "reason.why"


def test_cells_that_more_droplets_fly_to_than_they_lack() -> None:
    """All cells would absorb five of the droplets, and four clicks would do no more than three."""
    puzzle = Drops(parse_board("00000/40000/20000/44000/03000/00000,drops=3"))
    state = puzzle.initial()
    assert fewest(puzzle, state._replace(left=None)) == 4
    values = {"lack": 8, "brought": 4, "clicks": 4, "left": 3, "thirds": 22}
    reason = Reason("lack_capped", (5, 15), values)
    assert finish(find_reason(puzzle, state, Budget())) == reason
    assert code(puzzle, state, reason) == ""
    everything = Reason("lack_all", (), {"lack": 8, "brought": 5, "clicks": 3, "left": 3})
    assert code(puzzle, state, everything) == "reason.escape"
    for thirds in (-1, 2, 33, 23, 222):
        assert code(puzzle, state, replace(reason, values={**values, "thirds": thirds})), thirds
    without = {name: n for name, n in values.items() if name != "thirds"}
    assert code(puzzle, state, replace(reason, values=without)) == "reason.marked"
    assert code(puzzle, state, replace(reason, marked=(5, 16))), "other cells"
    assert (
        code(puzzle, state, replace(reason, values={**values, "brought": 3, "clicks": 5})) == "reason.values"
    )


def test_one_click_leaves_a_cell_over() -> None:
    puzzle = Drops(parse_board("44/02,drops=1"))
    reason = finish(find_reason(puzzle, puzzle.initial(), Budget()))
    assert reason is not None
    stays = Reason("stays", (3,), {"left": 1})
    assert code(puzzle, puzzle.initial(), stays) == ""
    assert code(puzzle, puzzle.initial(), replace(stays, marked=(0,))) == "reason.escape", "that one bursts"
    assert code(puzzle, puzzle.initial(), replace(stays, marked=())) == "reason.escape"
    assert code(puzzle, puzzle.initial(), replace(stays, values={"left": 2})) == "reason.values"
    more = puzzle.initial()._replace(left=3)
    assert code(puzzle, more, replace(stays, values={"left": 3})) == "reason.large"


@pytest.mark.parametrize("text", ["1000/0003", "1000/0003,drops=3,every=3", "1000/0003,drops=3,open"])
def test_of_tanks_empty_cells_and_clicks_without_number_nothing_is_said(text: str) -> None:
    puzzle = Drops(parse_board(text))
    state = puzzle.initial()
    assert finish(find_reason(puzzle, state, Budget())) is None
    claim = Reason("lack", (0, 7), {"lack": 6, "brought": 0, "clicks": 6, "left": 3})
    assert code(puzzle, state, claim) == "reason.escape"
