"""Solvers and players of others are offered everywhere, and what they claim is not said to be proved."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from importlib import metadata
from typing import Any

import msgspec
import pytest

import winnable
from winnable.contract import guests
from winnable.contract.abilities import players_of, solvers_of
from winnable.contract.budget import Best
from winnable.contract.core import (
    Action,
    Answer,
    Budget,
    IllegalAction,
    Limit,
    Progress,
    Search,
    WinnableError,
    finish,
)
from winnable.contract.methods import Settable
from winnable.contract.registry import load_game
from winnable.play.playing import whole_game
from winnable.search.depth_first import depth_first_search

LEVEL = "drops/01-first-drops"


def readable(puzzle: Any, state: Any, budget: Budget, seed: int) -> Search[Answer]:
    return depth_first_search(puzzle, state, budget)


def never(puzzle: Any, state: Any, budget: Budget, seed: int) -> Answer:
    return Answer("unsolvable", lower_bound=99)


class First:
    """Takes the first legal action."""

    def __init__(self, puzzle: Any, seed: int) -> None:
        self._puzzle = puzzle

    def choose(self, state: Any) -> Action:
        return self._puzzle.legal_actions(state)[0]


def test_a_solver_is_named_like_one_of_the_games() -> None:
    winnable.register("drops", "readable", solver=readable)
    board = winnable.load(LEVEL)
    found = board.solve(solver="readable")
    assert found.status == "solved"
    assert board.push(*found.moves).standing == "won"
    assert [*solvers_of(load_game("drops"))][-1] == "readable"
    assert "readable" not in solvers_of(load_game("triple"))


def test_bounds_that_it_says_count_for_nothing() -> None:
    def sure(puzzle: Any, state: Any, budget: Budget, seed: int) -> Answer:
        found = finish(readable(puzzle, state, budget, seed))
        return replace(found, lower_bound=found.cost, optimal=True, cost=1)

    winnable.register("drops", "sure", solver=sure)
    found = winnable.solve(LEVEL, solver="sure")
    assert (found.cost, found.lower_bound, found.optimal) == (len(found.moves), None, False)


def test_that_nothing_wins_is_its_claim() -> None:
    winnable.register("drops", "never", solver=never)
    board = winnable.load("drops:rows=4,columns=4,slack=none#3")
    found = board.solve(solver="never")
    assert (found.status, found.limit, found.lower_bound) == ("budget", Limit("claim"), None)
    assert board.verdict(30) == "winnable", "nothing was learned of it"


def test_the_claim_is_refused_where_a_line_is_known() -> None:
    winnable.register("drops", "never", solver=never)
    board = winnable.load(LEVEL)
    board.verdict(30)
    with pytest.raises(WinnableError, match="a line of"):
        board.solve(solver="never")


class Unsaid(Exception):
    def __str__(self) -> str:
        raise ZeroDivisionError


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Answer("solved", ()), "does not win"),
        (Answer("solved", (10**6,)), "does not win"),
        (7, "not a Answer"),
        (ZeroDivisionError("no"), "ZeroDivisionError"),
        (Unsaid(), "Unsaid"),
        (Answer("won"), "status"),  # type: ignore[arg-type]
        (Answer("solved", iter([1])), "list_iterator"),  # type: ignore[arg-type]
        (Answer("budget", limit="time"), "limit"),  # type: ignore[arg-type]
        (Answer("budget", generated="many"), "generated"),  # type: ignore[arg-type]
        (Answer("budget", best="none"), "best"),  # type: ignore[arg-type]
        (Answer("budget", best=Best((10**6,), "left", 1.0)), "not on a board"),
    ],
)
def test_what_it_does_wrong_is_said_with_its_name(answer: Any, said: str) -> None:
    def wrong(puzzle: Any, state: Any, budget: Budget, seed: int) -> Any:
        if isinstance(answer, Exception):
            raise answer
        return answer

    winnable.register("drops", "wrong", solver=wrong)
    with pytest.raises(WinnableError, match=f"wrong.*{said}"):
        winnable.solve(LEVEL, solver="wrong")


def test_one_that_is_a_generator_is_driven_whatever_it_yields() -> None:
    def steps(puzzle: Any, state: Any, budget: Budget, seed: int) -> Generator[Any, None, Answer]:
        yield "what is no progress"
        yield from budget.allows("mine", 1, 1)
        return finish(readable(puzzle, state, budget, seed))

    guest = guests.Guest("steps", steps)
    puzzle = winnable.load(LEVEL)._session.puzzle  # pyright: ignore[reportPrivateUsage]
    told = [*guest(puzzle, puzzle.initial(), Budget(), 0)]
    assert {type(one) for one in told} == {Progress}
    assert {one.stage for one in told} == {"steps", "mine"}


@pytest.mark.parametrize("told", [None, Progress(None, "a", None, "b")])  # type: ignore[arg-type]
def test_one_that_goes_on_after_its_budget_is_left(told: Any) -> None:
    def endless(puzzle: Any, state: Any, budget: Budget, seed: int) -> Generator[Any]:
        while True:
            yield told

    puzzle = winnable.load(LEVEL)._session.puzzle  # pyright: ignore[reportPrivateUsage]
    search = guests.Guest("endless", endless)(puzzle, puzzle.initial(), Budget(0.01), 0)
    assert next(search).stage == "endless"
    assert finish(search) == Answer("budget", limit=Limit("time", 0.01))


def test_its_numbers_may_be_those_of_numpy() -> None:
    np = pytest.importorskip("numpy")

    def arrays(puzzle: Any, state: Any, budget: Budget, seed: int) -> Answer:
        found = finish(readable(puzzle, state, budget, seed))
        return replace(found, actions=np.array(found.actions), expanded=np.int64(7))

    winnable.register("drops", "arrays", solver=arrays)
    found = winnable.solve(LEVEL, solver="arrays")
    assert (found.status, found.expanded, type(found.actions)) == ("solved", 7, tuple)
    assert {type(action) for action in found.actions} == {int}


def test_one_can_have_settings() -> None:
    class Depth(msgspec.Struct, frozen=True):
        depth: int = 3

    asked: list[int] = []

    def deep(puzzle: Any, state: Any, budget: Budget, seed: int, settings: Depth) -> Answer:
        asked.append(settings.depth)
        return Answer("budget", limit=Limit("depth", settings.depth))

    winnable.register("drops", "deep", solver=Settable(deep, Depth()))
    assert winnable.solve(LEVEL, solver="deep(depth=5)").limit == Limit("depth", 5)
    assert asked == [5]


def test_a_player_plays_where_one_is_named() -> None:
    winnable.register("drops", "first", player=First)
    assert [*players_of(load_game("drops"))][-1] == "first"
    puzzle = winnable.load(LEVEL)._session.puzzle  # pyright: ignore[reportPrivateUsage]
    line = whole_game(puzzle, players_of(load_game("drops"))["first"](puzzle, 0))
    assert line is not None
    assert not puzzle.legal_actions(winnable.replay(puzzle, line))


@pytest.mark.parametrize("choice", [10**6, None, "(1,1)", ZeroDivisionError("no"), IllegalAction("no")])
def test_what_a_player_does_wrong_is_said_with_its_name(choice: Any) -> None:
    class Wrong(First):
        def choose(self, state: Any) -> Any:
            if isinstance(choice, Exception):
                raise choice
            return choice

    winnable.register("drops", "wrong", player=Wrong)
    puzzle = winnable.load(LEVEL)._session.puzzle  # pyright: ignore[reportPrivateUsage]
    with pytest.raises(WinnableError, match="wrong: this player failed"):
        whole_game(puzzle, players_of(load_game("drops"))["wrong"](puzzle, 0))


@pytest.mark.parametrize(
    ("game", "name", "methods"),
    [
        ("chess", "mine", {"solver": never}),
        ("drops", "Mine!", {"solver": never}),
        ("drops", "optimal", {"solver": never}),
        ("drops", "greedy", {"player": First}),
        ("drops", "mine", {}),
        ("drops", "mine", {"solver": never, "player": First}),
        ("drops", "mine", {"solver": 7}),
    ],
)
def test_what_cannot_be_registered_is_refused(game: str, name: str, methods: dict[str, Any]) -> None:
    with pytest.raises(WinnableError):
        winnable.register(game, name, **methods)


def test_packages_bring_them_and_a_broken_one_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    points = [
        metadata.EntryPoint("drops.theirs", f"{__name__}:never", "winnable.solvers"),
        metadata.EntryPoint("drops.optimal", f"{__name__}:never", "winnable.solvers"),
        metadata.EntryPoint("drops.greedy", f"{__name__}:never", "winnable.solvers"),
        metadata.EntryPoint("drops.level", f"{__name__}:LEVEL", "winnable.solvers"),
        metadata.EntryPoint("triple.other", "no_such_module:never", "winnable.solvers"),
        metadata.EntryPoint("drops.gone", f"{__name__}:nothing_of_this_name", "winnable.solvers"),
    ]

    def found(*, group: str) -> list[metadata.EntryPoint]:
        return [point for point in points if point.group == group]

    monkeypatch.setattr(metadata, "entry_points", found)
    guests._installed.cache_clear()  # pyright: ignore[reportPrivateUsage]
    try:
        assert [*guests.solvers("drops")] == ["theirs"]
        refused = {name for name in ("optimal", "greedy", "level", "gone") if f"drops.{name}" in caplog.text}
        assert refused == {"optimal", "greedy", "level", "gone"}
        assert "triple.other" not in caplog.text, "nobody asked"
    finally:
        guests._installed.cache_clear()  # pyright: ignore[reportPrivateUsage]
