"""What the breadth-first search tells on its way: the positions of each depth, and where they are few."""

from __future__ import annotations

import random

import pytest

from tests.games.triple.naive_triple import Naive, picked_set, random_level, random_state
from winnable.contract.core import Budget, finish, replay
from winnable.games.triple.levels.generator import Params, generate
from winnable.games.triple.rules.puzzle import Triple
from winnable.games.triple.solve import solver
from winnable.games.triple.solve.breadth_search import BreadthSearch
from winnable.games.triple.solve.kernel_search import BeamSearch
from winnable.games.triple.solve.plan import plan_of
from winnable.games.triple.solve.solver import BACKWARD_WEIGHTS, StagedSolve
from winnable.search.meter import Meter

MEMORY = 1 << 28


def test_paths_are_games_by_the_rules_to_different_positions() -> None:
    puzzle = Triple(finish(generate(Params(layers=4, sets=2, kinds=6, side=4), 5)))
    plan = plan_of(puzzle)
    search = BreadthSearch(plan, plan.forward, 0)
    finish(search.run(Meter(Budget()), 3_000, MEMORY))
    assert search.depth > 2
    assert search.width(0) == 1
    assert search.positions == sum(search.width(depth) for depth in range(search.depth + 1))
    for depth in range(search.depth + 1):
        paths = plan.kept[search.paths(depth)].tolist()
        assert len({replay(puzzle, path) for path in paths}) == len(paths) == search.width(depth)


@pytest.mark.parametrize(
    ("widths", "after", "most", "neck"),
    [
        ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0, 99, None),  # more and more
        ([1, 9, 9, 9, 8, 8, 8, 5, 5, 5, 6, 6, 6], 0, 99, None),  # not half of what there was
        ([1, 9, 9, 9, 8, 8, 8, 4, 4, 4, 6, 6, 6], 0, 99, 9),
        ([1, 9, 9, 9, 8, 8, 8, 4, 4, 4, 6, 6, 6], 0, 3, None),
        ([1, 9, 9, 9, 8, 8, 8, 4, 4, 4, 6, 6, 6], 9, 99, None),
        ([1, 9, 9, 9, 8, 8, 8, 4, 4, 4, 4, 4, 4], 0, 99, None),  # not known yet to get more
        ([1, 9, 99, 9, 4, 60, 4, 5, 30, 8, 9, 99, 9], 0, 99, 8),  # fuller by turns
        ([1, 9, 9, 9, 4, 4, 4, 8, 8, 8, 2, 2, 2, 3, 3, 3], 0, 99, 12),  # the last of two
    ],
)
def test_a_neck_is_where_few_positions_get_more_again(
    widths: list[int], after: int, most: int, neck: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle = Triple(finish(generate(Params(layers=2, sets=1), 3)))
    search = BreadthSearch(plan_of(puzzle), plan_of(puzzle).backward, 0)
    monkeypatch.setattr(search, "width", widths.__getitem__)
    search.depth = len(widths) - 1
    assert search.neck(after, most) == neck


@pytest.mark.parametrize("backward", [False, True])
def test_a_wide_beam_from_all_positions_of_a_depth_wins_when_the_root_does(backward: bool) -> None:
    rng = random.Random(6)
    verdicts = {True: 0, False: 0}
    for _ in range(150):
        puzzle = Triple(random_level(rng))
        state = random_state(rng, puzzle)
        if puzzle.is_goal(state) or puzzle.is_full(state):
            continue
        plan = plan_of(puzzle)
        tables = plan.backward if backward else plan.forward
        search, told = BreadthSearch(plan, tables, state), "stopped"
        while told == "stopped" and search.depth < 3:
            told = finish(search.run(Meter(Budget()), 1, MEMORY))
        if told != "stopped":
            continue
        starts = search.paths(search.depth)
        beam = BeamSearch(plan, tables, state, 2_000, BACKWARD_WEIGHTS[0], 0, starts)
        winnable = Naive(puzzle.level).winnable(picked_set(state))
        verdicts[winnable] += 1
        assert finish(beam.run(Meter(Budget()))) == ("solved" if winnable else "exhausted")
        if winnable:
            assert puzzle.is_goal(replay(puzzle, beam.line(), state))
    assert min(verdicts.values()) > 20


def test_beams_from_necks_contradict_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Narrow ones, at every neck, on positions as they come in play; some of them end the search."""
    monkeypatch.setattr(solver, "FIRST_PIECE", 20)
    monkeypatch.setattr(solver, "POSITIONS_PER_BEAM", 4)
    started: list[int] = []
    paths = BreadthSearch.paths

    def counted(search: BreadthSearch, depth: int, *part: int) -> object:
        started.append(depth)
        return paths(search, depth, *part)

    monkeypatch.setattr(BreadthSearch, "paths", counted)
    rng = random.Random(7)
    from_neck = 0
    for _ in range(300):
        puzzle = Triple(random_level(rng, 27))
        state = random_state(rng, puzzle)
        if puzzle.is_goal(state) or puzzle.is_full(state):
            continue
        started.clear()
        solve = StagedSolve(puzzle, state, Budget(), 0)
        result = finish(solve.breadth_by_necks(10**6))
        assert result is not None
        winnable = Naive(puzzle.level).winnable(picked_set(state))
        assert result.status == ("solved" if winnable else "unsolvable")
        if winnable:
            assert puzzle.is_goal(replay(puzzle, result.actions, state))
        assert solve.breadth_search is not None
        from_neck += winnable and 0 < started[-1] < solve.breadth_search.depth
    assert from_neck > 3


def test_what_a_search_knows_of_an_earlier_position_is_no_neck() -> None:
    puzzle = Triple(finish(generate(Params(layers=2, sets=1), 3)))
    plan = plan_of(puzzle)
    search = BreadthSearch(plan, plan.backward, 0)
    finish(search.run(Meter(Budget()), 5_000, MEMORY))
    state = replay(puzzle, puzzle.legal_actions(0)[:2])
    assert finish(search.go_on_from(state, Meter(Budget())))
    depth = search.depth
    finish(search.run(Meter(Budget()), 5_000, MEMORY))
    assert (search.neck(0, 10**9) or depth + 1) > depth
    for path in plan.kept[search.paths(search.depth)].tolist():
        assert not any(state >> tile & 1 for tile in path)
