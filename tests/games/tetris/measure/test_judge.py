"""What the Judge says of controllers, beside games that are played to their end."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf, isnan, log, sqrt

import numpy as np
import pytest

from bench import peers
from bench.tetris import controllers as tetris_controllers
from bench.tetris import engine as tetris_engine
from bench.tetris import judge as tetris_judge
from bench.tetris import peers as tetris_peers
from winnable.contract.core import WinnableError
from winnable.games.tetris.measure import judge
from winnable.games.tetris.measure.judge import expected_lines, herd_of
from winnable.games.tetris.players.controllers import CONTROLLERS
from winnable.games.tetris.players.shape_kernels import ControlledRules
from winnable.tuning.splitting import Splitting
from winnable.tuning.survival import survive

DT, BCTS = CONTROLLERS["dt-20"].weights, CONTROLLERS["bcts"].weights


@pytest.mark.parametrize(
    ("weights", "height", "rules"),
    [(DT, 8, "simplified"), (BCTS, 8, "simplified"), (DT, 10, "travel"), (BCTS, 10, "travel")],
    ids=["dt-20", "bcts", "dt-20 travels", "bcts travels"],
)
def test_splitting_agrees_with_playing(
    weights: dict[str, float], height: int, rules: ControlledRules, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where 1,000 games are cheap: within 3.5 standard errors of the difference."""
    herd = herd_of(10, height, weights, rules)
    played = survive(herd, np.random.default_rng(1), deaths=1000, steps=10**7)
    assert played.stopped
    monkeypatch.setattr(judge, "ENOUGH_DEATHS", 10**6)
    found = expected_lines(10, height, weights, 2, copies=1000, base_pieces=10_000, rules=rules)
    assert found.by == "splitting"
    assert found.lines is not None
    error = log(found.high / found.low) / 2 / 2.3646
    difference = log(found.lines / (played.reward / played.deaths))
    assert abs(difference) < 3.5 * sqrt(error**2 + 1 / 1000) + 8 / 300
    assert found.low < found.lines < found.high


def test_who_dies_often_is_played() -> None:
    found = expected_lines(10, 6, DT, 1)
    assert (found.by, found.deaths) == ("playing", judge.ENOUGH_DEATHS)
    assert found.lines is not None
    assert found.low < found.lines < found.high < 1.3 * found.low
    nothing = expected_lines(10, 20, {}, 1)
    assert nothing.lines is not None
    assert nothing.high < 1


def test_the_lines_of_a_game_follow_from_its_pieces() -> None:
    """A game's lines are less than 4 / width of its pieces, by the cells that lie there at the end."""
    for width in (6, 10):
        herd = herd_of(width, 10, DT)
        played = survive(herd, np.random.default_rng(3), deaths=20, steps=10**6)
        said = judge.lines_of(width, played.deaths / played.steps)
        assert 0 < said - played.reward / played.deaths <= 10


def test_the_same_seed_says_the_same_and_good_players_say_more() -> None:
    small = partial(expected_lines, copies=200, runs=4, base_pieces=5000)
    found = small(10, 14, DT, 5)
    assert found == small(10, 14, DT, 5)
    assert found != small(10, 14, DT, 6)
    assert found.lines is not None
    worse = small(10, 14, {"holes": -4, "landing_height": -1}, 5)
    travelling = small(10, 14, DT, 5, rules="travel")
    assert worse.lines is not None
    assert travelling.lines is not None
    assert 10 * worse.lines < found.lines
    assert 3 * travelling.lines < found.lines


def test_what_its_pieces_do_not_tell_it_does_not_say() -> None:
    """No game ends in so few pieces, and splitting does not get to its end: only the lower bound is known."""
    found = expected_lines(10, 20, DT, 5, copies=5000, runs=2, base_pieces=5000, most_pieces=60_000)
    assert (found.lines, found.high, found.by, found.deaths) == (None, inf, "playing", 0)
    assert 0 < found.low < 12_000 * 0.4
    assert found.pieces <= 60_000


@pytest.mark.parametrize(
    ("field", "arguments"),
    [
        ("width", {"width": 3}),
        ("height", {"height": 41}),
        ("weights", {"weights": {"hole": 1.0}}),
        ("weights", {"weights": {"holes": float("nan")}}),
        ("copies", {"copies": 0}),
        ("runs", {"runs": 1}),
        ("most_pieces", {"most_pieces": 1000}),
        ("rules", {"rules": "article"}),
    ],
)
def test_refusals_name_the_argument(field: str, arguments: dict[str, object]) -> None:
    whole: dict[str, object] = {"width": 10, "height": 10, "weights": DT, "seed": 0}
    with pytest.raises(WinnableError, match=field):
        expected_lines(**(whole | arguments))  # type: ignore[arg-type]


def test_what_splitting_saves() -> None:
    """Four runs of 1,000 pieces with a relative variance of 1/3 find a hazard of 1e-6: playing would take 3
    games of a million pieces for it."""
    gain, low, high = tetris_judge.gain_of(Splitting((0.5e-6, 0.5e-6, 1.5e-6, 1.5e-6), 4000, True))
    assert gain == pytest.approx(3e6 / 1000)
    assert low < gain < high


def test_the_benchmarks_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (
        ("CHECKED", {8: 1.0}),
        ("UNCHECKED", {9: 1.0}),
        ("TRAVEL", (9,)),
        ("BASE_PIECES", 5000),
    ):
        monkeypatch.setattr(tetris_judge, name, value)
    calls: list[tuple[int, int]] = []

    def note(done: int, total: int) -> None:
        calls.append((done, total))

    checked = list(tetris_judge.rows(games=50, seed=1, progress=note, copies=100, runs=4))
    assert calls[-1] == (9, 9)
    ratios = [row for row in checked if "by playing" in row.name]
    assert len(ratios) == 6
    assert all(row.ci_low is not None and row.ci_low < row.value < (row.ci_high or 0) for row in ratios)
    assert all(abs(row.value) < 4 for row in checked if row.unit == "z")

    few = partial(expected_lines, base_pieces=2000)
    monkeypatch.setattr(tetris_controllers, "expected_lines", few)
    strength = list(tetris_controllers.rows(games=2, seed=1, copies=20, runs=2))
    assert [row.n for row in strength[: len(CONTROLLERS)]] == [2] * len(CONTROLLERS)
    assert {row.reference for row in strength} >= {5e6, 35e6, 51e6, 650e3, 910e3}

    monkeypatch.setattr(tetris_engine, "PIECES", 500)
    monkeypatch.setattr(tetris_engine, "READABLE", 1)
    played: list[int] = []

    def start(seed: int) -> Callable[[int], None]:
        return played.append

    others = {
        "here": peers.Peer("numpy", "nothing", start, 5),
        "gone": peers.Peer("no_such_package", "nothing", start, 5),
    }
    monkeypatch.setattr(tetris_peers, "PEERS", others)
    *speeds, here, gone = tetris_engine.rows(games=1, seed=1)
    assert len(speeds) == 4 * len(CONTROLLERS)
    assert all(row.value > 0 for row in (*speeds, here))
    assert played == [1, 5]
    assert isnan(gone.value)
    assert gone.name == "gone: not installed"
    placements = 23.142857
    assert speeds[1].value == pytest.approx(speeds[0].value * placements)
