"""Closed sets: what the kernels find, what the rules say of it, and what brute force knows."""

from __future__ import annotations

import random
import tracemalloc
from functools import cache

import pytest

from tests.games.triple.naive_triple import Naive, picked_set, random_level, random_state
from winnable.contract.core import Budget, finish
from winnable.contract.provenance import MOST_POSITIONS, ClosedSet
from winnable.games.triple.rules.level import Level, Tile
from winnable.games.triple.rules.puzzle import Picked, Triple
from winnable.games.triple.solve import breadth_search, refutation
from winnable.games.triple.solve.breadth_search import BreadthSearch
from winnable.games.triple.solve.closed_sets import READINGS, find_closed_set
from winnable.games.triple.solve.plan import make_plan
from winnable.games.triple.solve.refutation import refutation_fault
from winnable.search.meter import Meter


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


@pytest.mark.parametrize("backward", [False, True])
def test_breadth_first_is_right(backward: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in small pieces, and with tables that must grow."""
    monkeypatch.setattr(breadth_search, "FIRST_ROWS", 1)
    monkeypatch.setattr(breadth_search, "BATCH", 0)
    for puzzle, state, winnable in positions(200, 1):
        plan = make_plan(puzzle)
        tables = plan.backward if backward else plan.forward
        whole, pieces = (BreadthSearch(plan, tables, state) for _ in range(2))
        outcome = finish(whole.run(Meter(Budget()), 10**9, 2**28))
        assert outcome == ("solved" if winnable else "exhausted"), (puzzle.level, state)
        few = whole.positions // 20 + 1
        while (piece := finish(pieces.run(Meter(Budget()), few, 2**28))) == "stopped":
            pass
        assert (piece, pieces.positions) == (outcome, whole.positions)
        if winnable:
            assert pieces.line() == whole.line()
            for action in whole.line():
                state = puzzle.apply(state, action)
            assert puzzle.is_goal(state)


def test_forward_positions_are_those_that_the_rules_reach() -> None:
    for puzzle, state, winnable in positions(100, 2):
        if winnable:
            continue
        naive = Naive(puzzle.level)
        seen = {picked_set(state)}
        waiting = list(seen)
        while waiting:
            picked = waiting.pop()
            for after in (picked | {tile} for tile in naive.moves(picked)):
                if after not in seen and not puzzle.is_full(sum(1 << tile for tile in after)):
                    seen.add(after)
                    waiting.append(after)
        assert refutation_fault(puzzle, ClosedSet("forward", len(seen)), state) is None
        for wrong in (len(seen) - 1, len(seen) + 1):
            fault = refutation_fault(puzzle, ClosedSet("forward", wrong), state)
            assert fault is not None
            assert str(fault).startswith(f"positions: {wrong} are claimed")


def test_what_cannot_be_won_has_a_closed_set_and_nothing_else_has() -> None:
    rng = random.Random(3)
    for puzzle, state, winnable in positions(100, 4):
        found = finish(find_closed_set(puzzle, state, Budget()))
        assert (found is None) == winnable, (puzzle.level, state)
        if found is not None:
            assert refutation_fault(puzzle, found, state) is None
            continue
        kinds = tuple({kind for kind in puzzle.kinds if rng.random() < 0.7} or set(puzzle.kinds))
        for reading in READINGS:
            assert refutation_fault(puzzle, ClosedSet(reading, 10**6, kinds), state) is not None


def test_kinds_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("winnable.games.triple.solve.closed_sets.FEW_POSITIONS", 1)
    smaller = 0
    for puzzle, state, winnable in positions(200, 5):
        found = None if winnable else finish(find_closed_set(puzzle, state, Budget()))
        if found is not None:
            assert refutation_fault(puzzle, found, state) is None
            smaller += bool(found.kinds)
            everything = ClosedSet(found.reading, found.positions)
            assert not found.kinds or refutation_fault(puzzle, everything, state) is not None
    assert smaller > 10


def test_a_claim_says_what_is_wrong_with_it() -> None:
    row = tuple(Tile(kind, 8 * place, 0, 0) for place, kind in enumerate((1, 1, 1, 2, 2, 2)))
    puzzle = Triple(Level(row))
    assert str(refutation_fault(puzzle, ClosedSet("backward", 100))) == "the start is reached"
    assert str(refutation_fault(puzzle, ClosedSet("forward", 100))) == "the empty board is reached"
    assert str(refutation_fault(puzzle, ClosedSet("forward", 1, (1, 3)))) == "kinds: 3 is not on the board"
    first_gone = ClosedSet("forward", 1, (1,))
    assert str(refutation_fault(puzzle, first_gone, 0b000111)) == "kinds: none of their tiles is there"


def test_claims_that_would_fill_the_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a wide board, after each position of which hundreds follow. A tenth of the memory is soon full."""
    for name in ("MOST_WORDS", "WORDS_AT_ONCE"):
        monkeypatch.setattr(refutation, name, getattr(refutation, name) // 10)
    wide = Triple(Level(tuple(Tile(place // 3, 8 * place, 0, 0) for place in range(900)), slots=7))
    most = refutation.MOST_WORDS // 15
    fault = refutation_fault(wide, ClosedSet("backward", MOST_POSITIONS))
    told = "have as many tiles done, too many to be checked at once"
    assert str(fault) == f"positions: more than {most} {told}"
    tracemalloc.start()
    fault = refutation_fault(wide, ClosedSet("backward", most))
    assert tracemalloc.get_traced_memory()[1] < 8 * 5 * (refutation.MOST_WORDS + refutation.WORDS_AT_ONCE)
    tracemalloc.stop()
    assert str(fault) == f"positions: {most} are claimed, and there are more"


def test_a_budget_that_is_spent_finds_nothing() -> None:
    cramped = Level(tuple(Tile(place % 3, 8 * place, 0, 0) for place in range(9)), slots=1)
    assert finish(find_closed_set(Triple(cramped), 0, Budget(seconds=0))) is None
    assert finish(find_closed_set(Triple(cramped), 0, Budget())) == ClosedSet("backward", 1)


def test_a_search_that_has_no_more_room_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(breadth_search, "FIRST_ROWS", 1)
    wide = Triple(Level(tuple(Tile(place // 3, 8 * place, 0, 0) for place in range(30)), slots=7))
    plan = make_plan(wide)
    search = BreadthSearch(plan, plan.backward, 0)
    assert finish(search.run(Meter(Budget()), 10**9, 0)) == "stopped"
    assert search.full
