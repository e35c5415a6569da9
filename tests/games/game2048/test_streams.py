"""All that takes long goes on in steps, and may be dropped at any."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.driving import driven, leaves_nothing, most_at_once, progress_of
from winnable.contract.chance import Turn
from winnable.contract.core import Budget, Found, Progress, Search, finish, searching
from winnable.contract.methods import choose, parse_method
from winnable.contract.registry import load_game
from winnable.games.game2048.exact import passes as exact_passes
from winnable.games.game2048.exact import small as exact
from winnable.games.game2048.measure import chance, difficulty, outlook
from winnable.games.game2048.network.network import Network
from winnable.games.game2048.players import expectimax, first
from winnable.games.game2048.players.expectimax import Expectimax
from winnable.games.game2048.players.rollouts import RUNS
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import Seeded2048, State

GAME: Any = load_game("2048")
BUSY: State = (1, 2, 3, 4, 5, 6, 7, 8, 3, 2, 1, 2, 1, 0, 0, 1)
Case = tuple[Callable[[], Search[Any]], int]


def at_start(level: Level, ask: Callable[..., Found[Any]]) -> Callable[[], Search[Any]]:
    puzzle = Seeded2048(level)
    return lambda: searching(ask(puzzle, puzzle.initial(), Budget(), 1))


def chosen(level: Level, by: str, state: State | None = None) -> Callable[[], Search[Any]]:
    puzzle = Seeded2048(level)
    now = puzzle.initial() if state is None else Turn(state, 0, 0)
    make: Any = choose("by", GAME.players, parse_method(by), "2048").method
    return lambda: searching(make(puzzle, 3).choose(now))


def chances(puzzle: Seeded2048, state: Turn[State], budget: Budget, seed: int) -> Search[Any]:
    return chance.chance(puzzle, state.state, budget, seed, chance.WEIGHED)


def rated(puzzle: Seeded2048, state: Turn[State], budget: Budget, seed: int) -> Search[Any]:
    return GAME.rate(puzzle.level, budget, seed)


CASES: dict[str, Case] = {
    "exact": (at_start(Level(rows=2, columns=3), GAME.outlook), 50),
    "exact to a goal": (at_start(Level(rows=2, columns=3, goal=64), GAME.weigh), 50),
    "rollouts": (at_start(Level(rows=3, columns=4), GAME.outlook), outlook.RUNS),
    "chance by the network": (at_start(Level(goal=64), chances), chance.ROUND),
    "chance by random games": (at_start(Level(rows=3, columns=4, goal=32), GAME.outlook), outlook.RUNS),
    "first": (at_start(Level(rows=3, columns=3), GAME.first), first.COPIES),
    "rate": (at_start(Level(rows=3, columns=3), rated), difficulty.AT_ONCE),
    "level of many moves": (lambda: GAME.generate(GAME.params_type(rows=8, columns=8, moves=2000), 1), 0),
    "player exact": (chosen(Level(rows=2, columns=3), "exact"), 50),
    "player rollouts": (chosen(Level(rows=3, columns=4), "rollouts"), RUNS),
    "player search-10ms": (chosen(Level(), "search-10ms", BUSY), 100_000),
    "player article": (chosen(Level(rows=2, columns=3), "article(depth=2)"), 1),
    "player article, by kernels": (chosen(Level(), "article(depth=2)", BUSY), 1),
    "player article-expectimax": (chosen(Level(rows=2, columns=3), "article-expectimax(depth=2)"), 1),
}
"""Of each what it may have to do at the most between two steps, in what it counts."""


@pytest.fixture(autouse=True)
def _anew(no_clock: None, monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    """What is solved once is forgotten, and slices are small."""
    monkeypatch.setattr(exact, "_kept", {})
    monkeypatch.setattr(exact, "_begun", {})
    monkeypatch.setattr(exact_passes, "SLICE", 50)


@pytest.mark.parametrize("name", CASES)
def test_it_tells_as_it_goes_along(name: str) -> None:
    make, most = CASES[name]
    assert most_at_once(make()) <= most


@pytest.mark.parametrize("name", CASES)
def test_it_may_be_dropped(name: str) -> None:
    make, _ = CASES[name]
    leaves_nothing(make, (1, 2, 3), exact._kept.clear)  # pyright: ignore[reportPrivateUsage]


def test_larger_boards_take_more_steps() -> None:
    few, many = (len(progress_of(exact.solve(Level(rows=2, columns=n)))) for n in (2, 3))
    assert many > 10 * few > 10


def test_exact_play_goes_on_where_it_was_dropped() -> None:
    level, told = Level(rows=2, columns=3), list[Progress]()
    driven(exact.solve(level), told.append)
    search = exact.solution_of(level)
    for _ in range(len(told) - 10):
        next(search)
    search.close()
    rest: list[Progress] = []
    found = driven(exact.solution_of(level), rest.append)
    assert len(rest) < 20
    assert finish(found.mean()) == finish(finish(exact.solve(level)).mean())


def test_a_table_goes_on_where_it_was_dropped(tmp_path: Path) -> None:
    table = exact.table_of(exact.problem_of(Level(rows=2, columns=3)), tmp_path)
    making = table.make(Budget())
    for _ in range(100):
        next(making)
    making.close()
    assert table.state(check=True).status == "unfinished"
    assert finish(table.make(Budget())).whole
    told: list[Progress] = []
    driven(table.make(Budget()), told.append)
    assert {progress.stage for progress in told} == {"checking"}


@pytest.mark.parametrize("fours", [0, 10, 100])
@pytest.mark.parametrize("most", [2000, 10**9])
def test_where_a_look_ahead_is_cut_changes_nothing(
    fours: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor how many boards it values."""
    network = Network(((0, 1, 4, 5), (2,)))
    network.weights[:] = range(len(network.weights))
    found: list[tuple[dict[int, float], list[int], int]] = []
    for at_once in (10**9, 40):
        monkeypatch.setattr(expectimax, "AT_ONCE", at_once)
        search, told = Expectimax(Level(fours=fours), network), list[Progress]()
        values = driven(search.values(BUSY, 7, most), told.append)
        found.append((values, search.count.tolist(), len(told)))
    (whole, cut) = found
    assert whole[:2] == cut[:2]
    assert cut[2] > whole[2]
