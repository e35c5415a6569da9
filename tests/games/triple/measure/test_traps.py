"""Traps and forced clicks, against trying everything; and what `measure` says of a level."""

import pytest
from msgspec import to_builtins

from tests.driving import told
from winnable.contract.core import Budget, finish
from winnable.games.triple.game import GAME
from winnable.games.triple.levels.generator import Params, generate
from winnable.games.triple.measure.traps import Forced, Traps, find_forced, find_traps
from winnable.games.triple.rules.level import Level, Tile
from winnable.games.triple.rules.puzzle import Picked, Triple
from winnable.games.triple.solve.solver import solve_auto, warm

TIGHT = finish(generate(Params(layers=3, sets=1, kinds=5, side=3, slots=5), 12))


@pytest.fixture(autouse=True, scope="module")
def compiled() -> None:
    """Else a verdict after one click would run out of its second."""
    warm()


def can_win(puzzle: Triple, state: Picked, known: dict[Picked, bool]) -> bool:
    if state not in known:
        known[state] = puzzle.is_goal(state) or any(
            can_win(puzzle, puzzle.apply(state, action), known) for action in puzzle.legal_actions(state)
        )
    return known[state]


def test_traps_and_forced_clicks_are_those_that_trying_everything_finds() -> None:
    puzzle, known = Triple(TIGHT), dict[Picked, bool]()
    line = finish(solve_auto(puzzle, puzzle.initial(), Budget(10), 0)).actions
    assert line
    state, clicks, lost, forced = puzzle.initial(), 0, 0, list[bool]()
    for action in line:
        others = [other for other in puzzle.legal_actions(state) if other != action]
        bad = [other for other in others if not can_win(puzzle, puzzle.apply(state, other), known)]
        clicks, lost = clicks + len(others), lost + len(bad)
        forced.append(bool(others) and len(bad) == len(others))
        state = puzzle.apply(state, action)
    assert 0 < lost < clicks
    assert sum(forced) > 0
    assert finish(find_traps(puzzle, line, 10_000, Budget(10), 0)) == Traps(clicks, lost, 0)
    rows = "".join("x" if one else " " for one in forced).split()
    assert finish(find_forced(puzzle, line, Budget(10), 0)) == Forced(
        len(line), sum(forced), max(map(len, rows))
    )


def test_a_spent_budget_ends_both() -> None:
    puzzle = Triple(TIGHT)
    line = finish(solve_auto(puzzle, puzzle.initial(), Budget(10), 0)).actions
    spent = Budget(10)
    spent.cancel()
    assert finish(find_traps(puzzle, line, 5, spent, 0)) == Traps(0, 0, 0)
    assert finish(find_forced(puzzle, line, spent, 0)) == Forced(0, 0, 0)


def test_what_is_measured_is_said() -> None:
    figures = {figure.name: figure for figure in told(GAME.measure(TIGHT, Budget(10), 0))}
    assert figures["verdict"].value == "solved"
    assert figures["smallest_tray"].said() == "5 slots"
    assert to_builtins(figures["traps"].value)["lost"] > 0
    lost = Level(tuple(Tile(place % 2, 0, 0, place) for place in range(6)), slots=3)
    words = {figure.name: figure.said() for figure in told(GAME.measure(lost, Budget(10), 0))}
    assert words == {
        "dead_tiles": "0 of 6, of kinds that lie over nothing",
        "verdict": "unsolvable",
        "fewest_tools": "move-outs 2; shuffles 1; all tools 1",
        "smallest_tray": "5 slots; it has 3",
    }
