"""The solver `optimal`: its verdicts against breadth-first search, its budgets, and recorded levels."""

from __future__ import annotations

import dataclasses
import random
from typing import Any

import msgspec
import pytest

from tests.driving import driven
from tests.games.drops.boards import RULES
from tests.games.drops.brute_force import fewest, fewest_if_any, least_clicks_open
from tests.games.drops.solve.test_exact import small_level, solved_by_brute_force
from tests.games.drops.test_recorded import recorded
from winnable.contract.core import Answer, Budget, Progress, finish, replay
from winnable.games.drops.rules.level import Flash, Level, RuleName
from winnable.games.drops.rules.puzzle import Drops, State
from winnable.games.drops.solve.solver import solve_optimal

ONES = Level(("1" * 6,) * 6)
HARD = Level(("212121", "122112", "211212", "112221", "212112", "121221"))
"""Not proved within seconds."""


def solve(level: Level, budget: Budget | None = None, seed: int = 0) -> Answer:
    puzzle = Drops(level)
    result = finish(solve_optimal(puzzle, puzzle.initial(), budget or Budget(seconds=120), seed))
    check(puzzle, puzzle.initial(), result)
    return result


def check(puzzle: Drops, state: State, result: Answer) -> None:
    """What any result must be, whatever it says."""
    if result.status == "solved":
        assert puzzle.is_goal(replay(puzzle, result.actions, state))
        assert result.cost == len(result.actions)
        assert result.lower_bound is not None
        assert result.lower_bound <= len(result.actions)
        assert result.optimal == (result.lower_bound == result.cost)
    else:
        assert (result.actions, result.cost, result.optimal) == ((), None, False)


@pytest.mark.parametrize("rules", RULES)
def test_as_many_clicks_as_breadth_first_search(rules: RuleName) -> None:
    for puzzle, clicks in solved_by_brute_force(rules, 200):
        result = solve(puzzle.level)
        assert (result.status, result.cost, result.optimal) == ("solved", clicks, True), puzzle.level.board


@pytest.mark.parametrize("rules", RULES)
def test_unsolvable_exactly_when_there_are_too_few_drops(rules: RuleName) -> None:
    for puzzle, clicks in solved_by_brute_force(rules, 200):
        for drops in {0, clicks - 2, clicks - 1, clicks, clicks + 3} - {-1, -2}:
            result = solve(msgspec.structs.replace(puzzle.level, drops=drops))
            if drops < clicks:
                assert result.status == "unsolvable", (puzzle.level.board, drops)
            else:
                assert (result.cost, result.optimal) == (clicks, True), (puzzle.level.board, drops)


def test_from_a_state_within_a_game() -> None:
    puzzle = Drops(Level(("0000", "0330", "0440"), drops=9))
    state = replay(puzzle, [5, 6], puzzle.initial())
    result = finish(solve_optimal(puzzle, state, Budget(), 0))
    check(puzzle, state, result)
    assert result.cost == fewest(puzzle, state)
    empty = finish(solve_optimal(puzzle, State(bytes(12), 0), Budget(), 0))
    assert (empty.status, empty.actions, empty.cost, empty.optimal) == ("solved", (), 0, True)


def test_open_levels_are_never_judged_wrongly() -> None:
    """Where empty cells may be clicked too. `budget` is an honest answer, but not the usual one."""
    rng = random.Random(8)
    verdicts: list[str] = []
    for index in range(40):
        level = tiny_level(rng, RULES[index % 4], open=True)
        truth = fewest(Drops(level), Drops(level).initial())
        assert least_clicks_open(level.cells, level.columns) <= truth
        for drops in (None, truth - 1, truth, truth + 1):
            result = solve(msgspec.structs.replace(level, drops=drops), Budget(seconds=60, expanded=3_000))
            verdicts.append(result.status)
            if result.status == "unsolvable":
                assert drops in range(truth), (level.board, drops)
            elif result.status == "solved":
                assert result.cost is not None
                assert result.cost >= truth
                assert not result.optimal or result.cost == truth, (level.board, drops)
                assert drops is None or drops >= truth
            if result.lower_bound is not None:
                assert result.lower_bound <= truth
    assert verdicts.count("unsolvable") > 20
    assert verdicts.count("solved") > 100


def tiny_level(rng: random.Random, rules: RuleName, open: bool = False) -> Level:
    """Few clicks, so that all cells may be tried."""
    while True:
        level = small_level(rng, rules, open)
        if level.rows * level.columns <= 6 and 2 <= sum(5 - cell for cell in level.cells if cell) <= 6:
            return level


CROSSWISE = ("004444400",) * 4 + ("100000001", "010000010")


def test_a_click_on_an_empty_cell_can_save_clicks() -> None:
    """Here 11 clicks do what takes 15 without: no `optimal` for the 15 in open levels, tank or not."""
    assert solve(Level(CROSSWISE)).cost == 15
    for flash in (None, Flash(1)):
        result = solve(Level(CROSSWISE, drops=20, open=True, flash=flash), Budget(seconds=5, expanded=2_000))
        assert result.status == "solved"
        assert result.lower_bound is not None
        assert result.lower_bound <= 11
        short = solve(Level(CROSSWISE, drops=11, open=True, flash=flash), Budget(seconds=5, expanded=2_000))
        assert short.status != "unsolvable"


def test_trying_every_order_keeps_what_is_proved_when_the_budget_ends() -> None:
    """The bound of lost droplets, or that no order of fewer clicks did it."""
    crosswise = Level(CROSSWISE, drops=11, open=True)
    result = solve(crosswise, Budget(expanded=2_000))
    assert result.status == "budget"
    assert result.lower_bound is not None
    assert least_clicks_open(crosswise.cells, 9) < result.lower_bound <= 11


def test_a_tank_is_judged_as_by_every_order_of_clicks() -> None:
    """Drops that chains give back count, and may be needed before the last click."""
    rng = random.Random(9)
    needed = unsolvable = 0
    for index in range(80):
        board = tiny_or_full(rng, RULES[index % 4])
        for drops in (1, 2, 3, 5):
            gains: Any = {"flash": Flash(1)} if index % 2 else {"every": index % 3 + 1}
            level = msgspec.structs.replace(board, drops=drops, open=index % 5 == 4, **gains)
            truth = fewest_if_any(Drops(level), Drops(level).initial())
            result = solve(level, Budget(seconds=60, expanded=20_000))
            if truth is None:
                assert result.status == "unsolvable", (level.board, drops)
                unsolvable += 1
            else:
                assert result.status == "solved", (level.board, drops)
                assert result.cost is not None
                assert result.cost >= truth
                assert not result.optimal or result.cost == truth, (level.board, drops)
                assert result.optimal or level.open
                needed += truth > drops
    assert needed > 3, "some could not be won without what chains give back"
    assert unsolvable > 5


def tiny_or_full(rng: random.Random, rules: RuleName) -> Level:
    """Many full cells: chains of three bursts and more."""
    while True:
        rows, columns = rng.choice(((2, 2), (2, 3), (3, 3), (1, 6), (2, 4)))
        board = tuple("".join(rng.choice("044443") for _ in range(columns)) for _ in range(rows))
        cells = [int(cell) for row in board for cell in row]
        if any(cells) and sum(5 - cell for cell in cells if cell) <= 9:
            return Level(board, rules=rules)


def test_the_budget_ends_it() -> None:
    """With what is known by then; the beam's first line is always there."""
    cancelled = Budget()
    cancelled.cancel()
    for budget in (cancelled, Budget(seconds=0), Budget(seconds=0.05), Budget(expanded=1)):
        result = solve(HARD, budget)
        assert result.status in ("solved", "budget")
        assert not result.optimal
        assert result.lower_bound is not None
        assert 12 <= result.lower_bound <= 36


def test_it_can_be_cancelled_on_the_way() -> None:
    reports: list[Progress] = []

    def stop(progress: Progress) -> None:
        reports.append(progress)
        if len(reports) == 5:
            budget.cancel()

    budget, puzzle = Budget(), Drops(HARD)
    result = driven(solve_optimal(puzzle, puzzle.initial(), budget, 0), stop)
    assert not result.optimal
    assert 5 <= len(reports) < 30, "it stops soon"
    assert [one.generated for one in reports] == sorted(one.generated for one in reports)


def test_the_same_seed_gives_the_same_answer() -> None:
    first, second = (solve(HARD, Budget(seconds=600, expanded=400), seed=3) for _ in range(2))
    assert dataclasses.replace(first, seconds=0) == dataclasses.replace(second, seconds=0)


def test_all_ones_is_proved_at_once() -> None:
    result = solve(ONES)
    assert (result.cost, result.optimal) == (36, True)


@pytest.mark.parametrize("digits", ["1", "01234", "0012", "4"])
def test_the_largest_boards_end_with_their_budget(digits: str) -> None:
    rng = random.Random(digits)
    level = Level(tuple("".join(rng.choice(digits) for _ in range(32)) for _ in range(32)))
    result = solve(level, Budget(seconds=0.5, memory_mb=256))
    assert result.status in ("solved", "budget")
    assert result.seconds < 60, "a generous limit: it must not run on"


@pytest.mark.parametrize("name", ["classic", "packs", "logged"])
def test_recorded_levels_take_no_more_than_their_budget(name: str) -> None:
    """Every 25th of them; `winnable bench drops-recorded` asks for all."""
    for entry in recorded(name)[::25]:
        rules: RuleName = "classic" if name == "classic" else "snappers"
        result = solve(Level(tuple(entry["board"].split("/")), rules=rules))
        assert result.optimal
        assert result.cost is not None
        if name == "classic":
            assert result.cost == entry["budget"]
        else:
            assert result.cost <= entry["budget" if name == "packs" else "logged_minimum"]
