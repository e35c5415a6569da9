"""Reasons why positions are lost: what is found, what the check says of it and of wrong ones, and what brute
force knows."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import pytest
from msgspec import structs

from tests.games.triple.naive_triple import Naive, picked_set, random_level, random_state
from winnable.contract.abilities import MOST_MARKED
from winnable.contract.core import Budget, Reason, finish
from winnable.games.triple.game import GAME
from winnable.games.triple.game import puzzle as puzzle_of
from winnable.games.triple.levels.generator import Params, generate
from winnable.games.triple.rules.level import SIDE, Level, Tile
from winnable.games.triple.rules.puzzle import Picked, Triple
from winnable.games.triple.solve import reasons
from winnable.games.triple.solve.reasons import find_reason, reason_fault


@cache
def positions(count: int, seed: int) -> list[tuple[Triple, Picked, bool]]:
    """Positions in play, and whether they can be won."""
    rng, found = random.Random(seed), list[tuple[Triple, Picked, bool]]()
    while len(found) < count:
        puzzle = Triple(random_level(rng))
        state = random_state(rng, puzzle)
        if not puzzle.is_goal(state) and not puzzle.is_full(state):
            found.append((puzzle, state, Naive(puzzle.level).winnable(picked_set(state))))
    return found


def code(puzzle: Triple, state: Picked, reason: Reason) -> str:
    fault = reason_fault(puzzle, state, reason)
    return fault.code if fault else ""


def test_a_position_has_a_reason_only_if_it_is_lost_and_small_ones_have_one_if_they_are() -> None:
    """All that is lost here has few positions: what keeps it from a reason is that more than eight go."""
    shown = set[str]()
    for puzzle, state, winnable in positions(800, 1):
        reason = finish(find_reason(puzzle, state, Budget()))
        if winnable:
            assert reason is None, (puzzle.level, state)
        elif reason is not None:
            assert code(puzzle, state, reason) == "", (puzzle.level, state, reason)
            assert len(reason.marked) <= MOST_MARKED
            shown.add(reason.why)
        walk = finish(reasons._Counts(puzzle).walk(state, Budget()))  # pyright: ignore[reportPrivateUsage]
        assert walk is None or walk.wins == winnable, "nobody loses by making triple after triple"
        if walk is not None and not winnable and reason is None:
            assert len(reasons._Counts(puzzle).lowest(walk.region)) > MOST_MARKED  # pyright: ignore[reportPrivateUsage]
    assert shown == {"tray", "closed"}


def test_whatever_is_accepted_holds() -> None:
    """Reasons of other positions, with other tiles and other numbers, and made up ones."""
    rng, accepted, refused = random.Random(2), 0, 0
    for puzzle, state, winnable in positions(800, 1):
        left = [tile for tile in range(puzzle.num_actions) if not state >> tile & 1]
        made_up = [
            Reason("tray", marked(rng, left), {"room": rng.randrange(3), "more": rng.randrange(6)}),
            Reason("closed", marked(rng, left), {"triples": rng.randrange(3)}),
        ]
        later = puzzle.apply(state, rng.choice(puzzle.legal_actions(state)))
        for origin in (state, later):
            if (found := finish(find_reason(puzzle, origin, Budget()))) is not None:
                values = {name: n + rng.choice((-1, 1)) for name, n in found.values.items()}
                made_up += [found, replace(found, marked=marked(rng, left)), replace(found, values=values)]
        for reason in made_up:
            if reason_fault(puzzle, state, reason) is None:
                assert not winnable, (puzzle.level, state, reason)
                accepted += 1
            else:
                refused += 1
    assert accepted > 150
    assert refused > 1500


def marked(rng: random.Random, tiles: list[int]) -> tuple[int, ...]:
    return tuple(sorted(rng.sample(tiles, min(len(tiles), rng.randint(1, 4)))))


def in_a_column(*kinds: int, slots: int = 4) -> Triple:
    """The last one lies on top."""
    return Triple(Level(tuple(Tile(kind, 0, 0, layer) for layer, kind in enumerate(kinds)), slots=slots))


def test_a_tray_that_cannot_hold_what_the_nearest_triple_takes() -> None:
    """From the top a, b, a, b, a: the third a comes when a, b, a, b rest, and room is for three."""
    puzzle = in_a_column(1, 0, 1, 0, 1, 0)
    assert puzzle.kinds[5] == 0
    reason = Reason("tray", (1, 3, 5), {"room": 3, "more": 4})
    assert finish(find_reason(puzzle, 0, Budget())) == reason
    assert code(puzzle, 0, reason) == ""
    for wrong in (
        replace(reason, values={"room": 2, "more": 4}),
        replace(reason, values={"room": 3, "more": 5}),
        replace(reason, values={"room": 3}),
        replace(reason, values={}),
    ):
        assert code(puzzle, 0, wrong) == "reason.values"
    roomy = in_a_column(1, 0, 1, 0, 1, 0, slots=5)
    assert code(roomy, 0, replace(reason, values={"room": 4, "more": 4})) == "reason.escape"
    assert finish(find_reason(roomy, 0, Budget())) is None


@pytest.mark.parametrize(
    "wrong", [(), (1, 3), (3, 1, 5), (1, 3, 3, 5), (0, 2, 4), (1, 3, 6), (-1, 3, 5), (0, 1, 3, 5)]
)
def test_the_tiles_named_are_those_of_the_nearest_triple(wrong: tuple[int, ...]) -> None:
    assert reason_fault(in_a_column(1, 0, 1, 0, 1, 0), 0, Reason("tray", wrong, {"room": 3, "more": 4}))


def test_few_tiles_go_and_then_none() -> None:
    """Three a stand free beside a column that a tray of four cannot take."""
    free = tuple(Tile(2, SIDE * (1 + place), 0, 0) for place in range(3))
    column = in_a_column(1, 0, 1, 0, 1, 0).level
    puzzle = Triple(structs.replace(column, tiles=column.tiles + free))
    reason = Reason("closed", (6, 7, 8), {"triples": 1})
    assert finish(find_reason(puzzle, 0, Budget())) == reason
    assert code(puzzle, 0, reason) == ""
    assert code(puzzle, 0, replace(reason, marked=(6, 7))) == "reason.escape", "a triple is left out"
    assert code(puzzle, 0, replace(reason, marked=(5, 6, 7, 8))) == "reason.marked", "that one never goes"
    assert code(puzzle, 0, replace(reason, values={"triples": 2})) == "reason.values"
    assert code(puzzle, 0, replace(reason, why="tray")) == "reason.values"
    assert code(puzzle, 0, replace(reason, why="luck")) == "reason.why"
    gone = 0b111000000
    assert code(puzzle, gone, reason) == "reason.marked", "they are not there any more"
    roomy = Triple(structs.replace(puzzle.level, slots=5))
    assert code(roomy, 0, reason) == "reason.escape"


def test_no_reason_names_more_than_eight_tiles() -> None:
    """Nine free tiles of three kinds beside the column."""
    free = tuple(Tile(2 + place // 3, SIDE * (1 + place), 0, 0) for place in range(9))
    column = in_a_column(1, 0, 1, 0, 1, 0).level
    puzzle = Triple(structs.replace(column, tiles=column.tiles + free))
    assert finish(find_reason(puzzle, 0, Budget())) is None
    assert code(puzzle, 0, Reason("closed", tuple(range(6, 15)), {"triples": 3})) == "reason.marked"


def test_where_there_are_tools_nothing_is_said() -> None:
    level = structs.replace(
        finish(generate(Params(layers=4, sets=2, kinds=4, side=4, variant="tools"), 1)), slots=3
    )
    puzzle = puzzle_of(level)
    assert finish(GAME.reason(puzzle, puzzle.initial(), Budget())) is None
    fault = GAME.reason_fault(puzzle, puzzle.initial(), Reason("tray", (0,), {}))
    assert fault is not None


def test_a_budget_that_is_over_ends_it() -> None:
    puzzle = in_a_column(1, 0, 1, 0, 1, 0)
    assert finish(find_reason(puzzle, 0, Budget(seconds=0))) is None
