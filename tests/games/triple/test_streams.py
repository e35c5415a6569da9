"""Searches of triple driven step by step, in one thread and by no clock; and dropped in the middle."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from itertools import islice, pairwise
from typing import Any

import pytest

from tests.driving import driven, drop
from tests.games.triple.naive_triple import random_level
from winnable.contract.core import Answer, Budget, Progress, collected, finish, searching
from winnable.games.triple.game import GAME
from winnable.games.triple.levels.generator import Params, generate
from winnable.games.triple.measure.traps import find_forced, find_traps
from winnable.games.triple.measure.tray import smallest_tray
from winnable.games.triple.players.fair_players import make_player
from winnable.games.triple.rules.puzzle import Triple
from winnable.games.triple.solve import breadth_search, kernel_search, live, solver
from winnable.games.triple.solve.breadth_search import BreadthSearch
from winnable.games.triple.solve.live import LiveSolver, SolverAfter
from winnable.games.triple.solve.plan import find_plan, make_plan, plan_of
from winnable.search.meter import Meter

MEMORY = 64 << 20
MOST_NODES = 900
"""Of the first slice, the longest one here."""
EASY = finish(generate(Params(layers=4, sets=2, kinds=6, side=4), 0))
LOST = finish(generate(Params(layers=14, sets=4, slots=4), 1))
TOOLS = finish(generate(Params(layers=14, sets=4, slots=4, variant="tools"), 1))


@pytest.fixture
def short(no_clock: None) -> None:
    solver.warm()


def hard() -> Triple:
    """No search decides it soon."""
    return Triple(finish(generate(Params(layers=26, slots=4), 0)))


def solvers(puzzle: Any) -> Iterator[tuple[str, Callable[[Budget], Any]]]:
    every = {**GAME.solvers, "live": GAME.live_solver(puzzle), "after": GAME.solver_after(puzzle, 0)}
    for name, solve in every.items():
        yield name, lambda budget, solve=solve: solve(puzzle, puzzle.initial(), budget, 0)
    yield "first", lambda budget: GAME.first(puzzle, puzzle.initial(), budget, 0)


@pytest.mark.usefixtures("short")
def test_solvers_tell_of_themselves_the_more_often_the_more_they_do() -> None:
    for name, solve in solvers(hard()):
        times: list[int] = []
        for nodes in (1_000, 4_000):
            told: list[int] = []
            driven(solve(Budget(expanded=nodes)), lambda progress, told=told: told.append(progress.expanded))
            assert max(after - before for before, after in pairwise(told)) <= MOST_NODES, name
            times.append(len(told))
        assert nodes // MOST_NODES < times[0] < times[1], name


@pytest.mark.usefixtures("short")
def test_with_tools_likewise() -> None:
    """Each position without tools is counted anew, and its search ends by a clock: so it is cancelled."""
    for name, solve in solvers(GAME.puzzle(TOOLS)):
        budget = Budget(expanded=4_000)
        search, told = searching(solve(budget)), list[Progress]()
        for progress in islice(search, 100):
            told.append(progress)
        budget.cancel()
        assert finish(search).status == "budget", name
        assert len(told) == 100, name


@pytest.mark.usefixtures("short")
def test_a_solver_that_is_dropped_leaves_no_thread_and_the_next_one_works() -> None:
    for name, solve in solvers(hard()):
        drop(lambda solve=solve: searching(solve(Budget())), (1, 7, 60))
        assert finish(solve(Budget(expanded=500))).status == "budget", name


def test_lanes_that_are_dropped_leave_no_thread() -> None:
    puzzle, threads = hard(), threading.active_count()
    for steps in (1, 2, 20):
        staged = solver.StagedSolve(puzzle, 0, Budget(threads=2), 0)
        lanes = solver._in_lanes(staged)  # pyright: ignore[reportPrivateUsage]
        assert len([*islice(lanes, steps)]) == steps
        lanes.close()
        assert threading.active_count() == threads


@pytest.mark.usefixtures("short")
def test_a_search_is_ended_by_its_budget_between_two_steps() -> None:
    for name, solve in solvers(hard()):
        budget = Budget()
        search = searching(solve(budget))
        assert len([*islice(search, 20)]) == 20, name
        budget.cancel()
        found = finish(search)
        assert (found.status, found.limit and found.limit.kind) == ("budget", "cancelled"), name


def test_what_a_dropped_search_saw_counts_for_the_next_position() -> None:
    puzzle, solve, seen = Triple(LOST), LiveSolver(), list[int]()
    for state in (0, 0, 1 << puzzle.legal_actions(0)[0]):
        search = solve(puzzle, state, Budget(), 0)
        assert any(progress.stage == "breadth.backward" for progress in search)
        assert any(progress.stage != "breadth.backward" for progress in search)
        search.close()
        assert solve.left is not None
        seen.append(solve.left[1].positions)
    assert min(seen) > 1
    assert finish(solve(puzzle, 0, Budget(), 0)).status == "unsolvable"


def test_two_searches_of_a_live_solver_take_turns_in_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "PATIENCE", 0.0)
    puzzle, solve = Triple(LOST), LiveSolver()
    going = [solve(puzzle, 0, Budget(), 0) for _ in range(2)]
    found: list[Answer] = []
    while going:
        for search in tuple(going):
            try:
                next(search)
            except StopIteration as end:
                going.remove(search)
                found.append(end.value)
    assert [result.status for result in found] == ["unsolvable"] * 2


def test_a_dropped_search_after_a_position_leaves_what_others_share() -> None:
    puzzle, solve = Triple(LOST), SolverAfter(0)
    state = 1 << puzzle.legal_actions(0)[0]
    for steps in (3, 30, 100):
        dropped = solve(puzzle, state, Budget(), 0)
        assert len([*islice(dropped, steps)]) == steps
        dropped.close()
    assert finish(solve(puzzle, state, Budget(), 0)).status == "unsolvable"


def line() -> tuple[int, ...]:
    return finish(solver.solve_auto(Triple(EASY), 0, Budget(), 0)).actions


SEARCHES: dict[str, Callable[[], Any]] = {
    "refute": lambda: GAME.refute(Triple(LOST), 0, Budget()),
    "reason": lambda: GAME.reason(Triple(LOST), 0, Budget()),
    "measure": lambda: collected(GAME.measure(EASY, Budget(), 0)),
    "rate": lambda: GAME.rate(EASY, Budget(), 0),
    "traps": lambda: find_traps(Triple(EASY), line(), 5, Budget(), 0),
    "forced": lambda: find_forced(Triple(EASY), line(), Budget(), 0),
    "tray": lambda: smallest_tray(EASY, Budget()),
    "fewest-swaps": lambda: GAME.repairs["fewest-swaps"](LOST, 0, Budget()),
    "de-repair": lambda: GAME.repairs["de-repair"](finish(generate(Params(layers=20), 1)), 5, Budget()),
    "level, repaired": lambda: generate(Params(layers=20, method="de-repair"), 1),
    "level of 10,200 tiles": lambda: generate(Params(layers=340, sets=170, kinds=20, method="backwards"), 1),
    "level that grows": lambda: generate(Params(layout="grown", method="backwards"), 1),
    "level to order": lambda: GAME.to_order(EASY, "careful", 0.3, 1, Budget()),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_other_searches_are_driven_and_dropped(name: str) -> None:
    told: list[Progress] = []
    dropped = SEARCHES[name]()
    next(dropped)
    dropped.close()
    found = driven(SEARCHES[name](), told.append)
    assert found is not None or name == "reason"
    assert told


@pytest.mark.parametrize(("name", "least"), [("sampling-4", 4), ("sampling-16", 16), ("foresight", 8)])
def test_slow_players_tell_of_each_deal(name: str, least: int) -> None:
    puzzle = Triple(EASY)
    player, told, state = make_player(name, puzzle, 3), list[Progress](), 0
    for _ in range(5):
        dropped = searching(player.choose(state))
        next(dropped, None)
        dropped.close()
        action = driven(player.choose(state), told.append)
        assert action in puzzle.legal_actions(state)
        state = puzzle.apply(state, action)
    assert len(told) >= least


@pytest.mark.parametrize("seed", range(5))
def test_wherever_a_table_or_a_beam_pauses_it_comes_to_the_same(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(breadth_search, "FIRST_ROWS", 1)
    rng = random.Random(seed)
    for _ in range(20):
        puzzle, found = Triple(random_level(rng, 24)), list[Any]()
        for parts in (1 << 20, 3):
            for name in ("CLEARED", "ENTERED", "ADDED", "RELEASED", "LOOKED_AT"):
                monkeypatch.setattr(breadth_search, name, parts * 64)
            for name in ("FIRST_EFFORT", "MOVED"):
                monkeypatch.setattr(kernel_search, name, parts)
            found.append(searched(puzzle))
        assert found[0] == found[1]


def searched(puzzle: Triple) -> Any:
    plan, counts = make_plan(puzzle), Meter(Budget())
    search = BreadthSearch(plan, plan.backward, 0)
    outcome = finish(search.run(counts, 100, MEMORY))
    if outcome == "stopped":
        width = search.width(search.depth)
        starts = search.paths(search.depth)
        assert (starts[width // 2 :] == search.paths(search.depth, width // 2)).all()
        staged = solver.StagedSolve(puzzle, 0, Budget(), 0)
        beam = finish(staged.beam(60, solver.BACKWARD_WEIGHTS[0], backward=True, starts=starts))
        state = sum(1 << tile for tile in puzzle.legal_actions(0)[:1])
        dropped = search.go_on_from(state, counts)
        next(dropped, None)
        dropped.close()
        went_on = finish(search.go_on_from(state, counts))
        outcome = finish(search.run(counts, 10**9, MEMORY))
        return outcome, went_on, search.positions, counts.expanded, counts.generated, beam and beam.actions
    return outcome, search.positions, counts.expanded, counts.generated


def test_a_plan_is_made_step_by_step() -> None:
    told, puzzle = list[Progress](), hard()
    plan = driven(find_plan(puzzle, Meter(Budget())), told.append)
    assert plan is plan_of(puzzle)
    assert len(told) > 2
