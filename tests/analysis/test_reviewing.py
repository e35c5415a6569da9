"""The review of a game for programs: what its moves cost, against a solver that knows none of it."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import winnable
from tests.web.test_review import DETOUR, SIX, SLIP, SLIPPED, TRAP
from winnable import words
from winnable.analysis import by_outlook
from winnable.analysis.reviewing import Unit
from winnable.contract.game import Game


def needed(board: winnable.Board) -> float:
    """Moves from here at the least; infinitely many where none wins."""
    found = board.copy().solve(60, "optimal")
    assert found.status != "budget"
    return len(found.actions) if found.status == "solved" else inf


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_what_moves_cost_lies_within_the_bounds(data: st.DataObject) -> None:
    cells = data.draw(st.lists(st.integers(0, 4), min_size=6, max_size=6).filter(any))
    drops = data.draw(st.integers(3, 8))
    level = f"drops:{''.join(map(str, cells[:3]))}/{''.join(map(str, cells[3:]))},drops={drops}"
    board, fewest = winnable.load(level), list[float]()
    while True:
        fewest.append(needed(board))
        if not (legal := board.legal_moves) or board.ply == 6:
            break
        board.push(data.draw(st.sampled_from(legal)))
    glance, whole = winnable.load(level).push(*board.moves).review(0), board.review(60)
    assert not whole.is_cut
    for ply, (before, after) in enumerate(pairwise(fewest)):
        bounds = whole.moves[ply].cost
        if before == inf:
            assert bounds is None
            continue
        true = after + 1 - before
        assert bounds == (true, true), "all is known"
        low, high = glance.moves[ply].cost or (0, inf)
        assert low <= true <= high
        assert whole.moves[ply].verdict == ("lost" if after == inf else "winnable")
        assert (whole.moves[ply].turn == "lost") == (after == inf)
        if true > 0 and (better := whole.moves[ply].better):
            other = winnable.load(level).push(*board.moves[:ply], better)
            assert needed(other) == before - 1
    assert [*whole.course] == [None if figure == inf else figure for figure in fewest]


def test_a_review_says_why_a_move_mattered() -> None:
    lost = winnable.load("triple", board=TRAP).push(0, 3, 1).review()
    assert [(move.ply, move.turn) for move in lost.turning] == [(1, "lost"), (0, "narrowed")]
    assert (lost.lost, lost.standing, lost.unit) == ((1, 1), "lost", "moves")
    assert [move.cost for move in lost.moves] == [(0, 0), (inf, inf), None]
    assert lost.turning[0].better == "1:kind0@8,0,0"
    assert lost.reason
    slipped = winnable.load("triple", board=SLIP).push(*SLIPPED).review()
    assert [(move.ply, move.turn) for move in slipped.turning] == [(2, "narrowed"), (3, "lost")]
    detour = winnable.load("drops", board=SIX).push(DETOUR).review()
    assert [(move.turn, move.cost, move.value) for move in detour.turning] == [("detour", (1, 1), 6)]
    assert (detour.lost, detour.reason) == (None, None)


def test_where_nothing_can_be_won_costs_are_what_is_expected() -> None:
    scored = winnable.load("2048:rows=2,columns=2#3")
    scored.play("random")
    found = scored.review()
    assert (found.unit, found.measure, found.player) == ("score", "expected", "exact")
    for move in found.moves:
        assert move.cost is not None
        assert move.value is not None
        assert 0 <= move.cost[0] == move.cost[1] <= move.value
        assert (move.better is None) == (move.cost[0] == 0)
    shared = winnable.load("tetris:width=4,height=6#1")
    shared.play("random")
    found = shared.review()
    assert found.unit == "share"
    assert found.turning
    for move in found.turning:
        assert move.cost is not None
        assert move.value is None
        before, after = (found.course[ply] or 0 for ply in (move.ply, move.ply + 1))
        assert after == pytest.approx(before * (1 - move.cost[0]))
    aimed = winnable.load("2048", board="5500/0001/0000/0000,goal=64").push("down").review()
    assert (aimed.unit, aimed.measure) == ("chance", "chance")


GAMES_PLAYED: list[tuple[str, list[int], list[str]]] = [
    ("drops:0343/4411,drops=5", [1, 1], ["Move 2: (2,1) lost the game; better: (3,2)", "1 click more than"]),
    (f"triple:{SLIP}", [*SLIPPED], ["4/4 → 1/3; better: 6:kind1@0,8,2", "How much of the level was done:"]),
    ("2048:rows=2,columns=2#3", [3, 3, 1], ["2048:rows=2,columns=2#3, 3 moves, over"]),
    ("tetris:width=4,height=6#1", [0, 0], [" % of what was still to come; "]),
    ("drops/01-first-drops", [], ["0 clicks, playing"]),
]


@pytest.mark.parametrize(("level", "moves", "said"), GAMES_PLAYED)
def test_a_review_prints_as_sentences_in_the_readers_language(
    level: str, moves: list[int], said: list[str]
) -> None:
    found = winnable.load(level).push(*moves).review()
    for part in said:
        assert part in str(found)
    assert repr(found).startswith("<winnable.GameReview ")
    for language in words.LANGUAGES:
        with words.speaking(language):
            told = str(found)
        assert not re.search(r"\{\w|[a-z]+\.[a-z]+\.[a-z]|None", told), told
        assert len(told.splitlines()) <= 2 + len(found.turning) + 3


@pytest.mark.parametrize(
    ("unit", "cost", "value", "said"),
    [
        ("share", 1.0, None, "100 % of what"),
        ("share", 0.0123, None, "cost 1.2 % of what"),
        ("chance", 0.98, 1.0, "98 points of the chance (100 % → 2 %)"),
        ("score", 12345.6, 12345.6, "cost 12,346 in points, 100 % of what"),
        ("score", 0.25, 1.0, "cost 0.25 in points, 25 % of what"),
        ("moves", 1, 4, "cost 1 click more"),
        ("moves", 12, 40, "cost 12 clicks more"),
    ],
)
def test_what_a_move_cost_is_read_as_a_number(
    unit: Unit, cost: float, value: float | None, said: str
) -> None:
    review = winnable.load("drops", board=SIX).push(DETOUR).review()
    move = replace(review.turning[0], cost=(cost, cost), value=value)
    assert said in str(replace(review, unit=unit, turning=[move]))


def test_a_time_that_ends_says_so() -> None:
    board = winnable.load("rotate/29-chessboard")
    found = board.push(*board.legal_moves[:3]).review(0)
    assert found.is_cut
    assert "The time ended" in str(found)
    assert all(move.cost is None or move.cost[0] <= move.cost[1] for move in found.moves)


def test_long_games_have_a_short_course() -> None:
    board = winnable.load("2048:#1")
    board.play("random", most=150)
    bars = str(board.review(5)).splitlines()[-2 if board.review(0).is_cut else -1]
    assert len(bars.strip()) <= 60


def test_a_game_without_goal_and_values_has_no_review(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_outlook.ByOutlook, "weighs", False)
    assert isinstance(winnable.load_game("2048"), Game)
    with pytest.raises(winnable.WinnableError) as refused:
        winnable.load("2048:#1").review()
    assert refused.value.code == "report.none"
