"""Looking ahead: on bits as by the readable features, and better than not to look."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.tetris import ahead as tetris_ahead
from winnable.compiled.dice_kernels import draw, new_dice
from winnable.contract.chance import Turn
from winnable.contract.core import finish
from winnable.games.tetris.measure import judge
from winnable.games.tetris.measure.judge import expected_lines, herd_of
from winnable.games.tetris.players.ahead import LOOKING_AHEAD, LooksAhead
from winnable.games.tetris.players.by_name import PLAYERS
from winnable.games.tetris.players.controllers import CONTROLLERS, Controller
from winnable.games.tetris.players.features import PUBLISHED
from winnable.games.tetris.players.herd import Ahead, fast_choice
from winnable.games.tetris.rules.level import Level
from winnable.games.tetris.rules.pieces import NAMES
from winnable.games.tetris.rules.puzzle import NONE, SeededTetris, State, Tetris
from winnable.tuning.process import NO_CEILING, NO_FLOOR
from winnable.tuning.survival import survive

DT = CONTROLLERS["dt-20"].weights


@st.composite
def positions(draw: st.DrawFn, following: st.SearchStrategy[int]) -> tuple[Tetris, State]:
    """Small boards, with walls of any height, also nearly full rows."""
    width, height = draw(st.integers(4, 7)), draw(st.integers(6, 8))
    next_piece = draw(following)
    game = Tetris(Level(width=width, height=height, preview=next_piece != NONE))
    rows = st.integers(1, game.full - 1) | st.integers(0, width - 1).map(lambda gap: game.full & ~(1 << gap))
    wall = draw(st.lists(rows, max_size=height))
    return game, State(tuple(wall), draw(st.integers(0, 6)), next_piece)


WEIGHTS = st.lists(st.floats(-20, 20) | st.just(0.0), min_size=11, max_size=11)


@settings(max_examples=60)
@given(positions(st.integers(0, 6)), WEIGHTS)
def test_the_choice_with_preview_is_the_readable_one(
    position: tuple[Tetris, State], weights: list[float]
) -> None:
    player = LooksAhead(Controller("any", dict(zip(PUBLISHED, weights, strict=True)), ""))
    assert fast_choice(player)(*position) == player.choose(*position)


@settings(max_examples=15)
@given(positions(st.just(NONE)), WEIGHTS)
def test_the_choice_by_the_mean_is_the_readable_one(
    position: tuple[Tetris, State], weights: list[float]
) -> None:
    player = LooksAhead(Controller("any", dict(zip(PUBLISHED, weights, strict=True)), ""))
    assert fast_choice(player)(*position) == player.choose(*position)


@pytest.mark.parametrize("ahead", ["mean", "preview"])
def test_a_herd_plays_the_readable_players_game(ahead: Ahead) -> None:
    """Piece by piece, by the same dice, to its end."""
    width, height, player = 4, 6, LOOKING_AHEAD["dt-20-ahead"]
    game = Tetris(Level(width=width, height=height, preview=ahead == "preview"))
    herd, rng, same = (
        herd_of(width, height, DT, ahead=ahead),
        np.random.default_rng(5),
        np.random.default_rng(5),
    )
    start = herd.start(1, rng)
    anywhere = np.array([NO_CEILING])
    end = herd.leap(start, -anywhere, anywhere, np.array([150]), rng)
    herd.start(1, same)
    dice = new_dice(int(same.integers(2**63)))
    wall: tuple[int, ...] = ()
    coming, lines, pieces, over = int(start[0, -1]), 0, 0, False
    while pieces < 150 and not over:
        drawn = draw(dice, 7)
        piece, following = (coming, drawn) if ahead == "preview" else (drawn, NONE)
        state = State(wall, piece, following)
        after, cleared = game.afterstate(state, player.choose(game, state))
        wall, over, coming, pieces = after.wall, after.over, drawn, pieces + 1
        lines += cleared
    assert (bool(end.died[0]), int(end.steps[0]), int(end.reward[0])) == (over, pieces, lines)
    assert pieces > 10


def test_no_next_piece_is_left_without_a_placement_unless_it_must() -> None:
    """An O on a wall of four of six rows: the I has room only if the O fills a row, whatever the weights."""
    game = Tetris(Level(width=4, height=6, preview=True))
    wall = (0b1101, 0b1011, 0b1101, 0b0011)
    state = State(wall, NAMES.index("O"), NAMES.index("I"))
    bold = LooksAhead(Controller("bold", {"landing_height": 1, "holes": 5}, ""))

    def survives(action: int) -> bool:
        after, _ = game.afterstate(state, action)
        following = State(after.wall, state.following, NONE)
        return not after.over and not all(
            game.afterstate(following, then)[0].over for then in game.actions[state.following]
        )

    legal = game.legal_actions(state)
    assert {survives(action) for action in legal} == {True, False}, "else this would prove nothing"
    assert survives(fast_choice(bold)(game, state))
    assert not survives(bold.controller.choose(game, state))


def test_when_each_placement_ends_the_game_the_first_is_taken() -> None:
    game = Tetris(Level(width=4, height=6))
    state = State(tuple([0b0101] * 6), 3, NONE)
    for player in LOOKING_AHEAD.values():
        assert fast_choice(player)(game, state) == game.legal_actions(state)[0] == player.choose(game, state)


@pytest.mark.parametrize("rules", ["simplified", "travel", "article"])
@pytest.mark.parametrize("preview", [True, False])
def test_players_by_name_play_under_any_rules(rules: str, preview: bool) -> None:
    if preview or rules != "travel":
        level = Level(width=4, height=6, rules=rules, preview=preview, dice=3)  # type: ignore[arg-type]
        puzzle = SeededTetris(level)
        state = puzzle.initial()
        player = PLAYERS["dt-20-ahead"](puzzle, 0)
        for _ in range(3):
            action = finish(player.choose(state))
            assert action == LOOKING_AHEAD["dt-20-ahead"].choose(puzzle.game, state.state)
            state: Turn[State] = puzzle.apply(state, action)


def test_looking_ahead_pays() -> None:
    """On 8 × 6 cells, 50 games each, whose means are known to a seventh."""
    played = {
        ahead: survive(herd_of(8, 6, DT, ahead=ahead), np.random.default_rng(1), deaths=50, steps=10**6)
        for ahead in (None, "mean", "preview")
    }
    lines = [run.reward / run.deaths for run in played.values()]
    assert 1.3 * lines[0] < lines[1]
    assert 3 * lines[1] < lines[2]


def test_splitting_agrees_with_playing(monkeypatch: pytest.MonkeyPatch) -> None:
    """With preview on 6 × 6 cells, within 3.5 standard errors and the rows that lie there at the end."""
    herd = herd_of(6, 6, DT, ahead="preview")
    played = survive(herd, np.random.default_rng(1), deaths=200, steps=10**7)
    monkeypatch.setattr(judge, "ENOUGH_DEATHS", 10**6)
    found = expected_lines(6, 6, DT, 2, copies=400, base_pieces=2000, ahead="preview")
    assert found.by == "splitting"
    assert found.lines is not None
    error = log(found.high / found.low) / 2 / 2.3646
    difference = log(found.lines / (played.reward / played.deaths))
    assert abs(difference) < 3.5 * (error**2 + 1 / 200) ** 0.5 + 6 / found.lines


def test_a_herd_leaves_its_arguments_alone() -> None:
    herd, rng = herd_of(5, 8, DT, ahead="preview"), np.random.default_rng(0)
    states = herd.start(3, rng)
    before, one = states.copy(), np.ones(3, np.int64)
    leap = herd.leap(states, NO_FLOOR * one, NO_CEILING * one, one, rng)
    assert np.array_equal(states, before)
    assert (leap.steps == 1).all()
    assert (herd.level(leap.states) > 0).all()
    assert set(states[:, -1]) <= set(range(7))


def test_the_benchmark_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tetris_ahead, "CASES", ((6, None), (6, "preview")))
    monkeypatch.setattr(tetris_ahead, "SPEED_PIECES", 50)
    monkeypatch.setattr(tetris_ahead, "BASE_PIECES", 500)
    monkeypatch.setattr(tetris_ahead, "WIDTH", 6)
    calls: list[tuple[int, int]] = []

    def note(done: int, total: int) -> None:
        calls.append((done, total))

    rows = list(tetris_ahead.rows(games=2, copies=100, progress=note))
    assert calls[-1] == (6, 6)
    assert len(rows) == 2 * 6 + 9
    lines = [row for row in rows if "lines" in row.name]
    assert all(row.ci_low is not None and row.ci_low <= row.value <= (row.ci_high or 0) for row in lines)
