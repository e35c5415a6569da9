"""How a game stands, beside many games that are played on from there."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from tests.waiting import wait_until
from winnable.contract.chance import Outlook, Turn
from winnable.contract.core import Budget, WinnableError, finish
from winnable.games.tetris.measure import outlook as module
from winnable.games.tetris.measure.long_run import LONG_RUN, Board, calm_below
from winnable.games.tetris.measure.outlook import Forecast, forecast, outlook
from winnable.games.tetris.players.controllers import CONTROLLERS
from winnable.games.tetris.players.herd import Controlled, weight_table
from winnable.games.tetris.players.kernels import U64, pack_wall
from winnable.games.tetris.players.shape_kernels import ControlledRules
from winnable.games.tetris.rules.level import Level
from winnable.games.tetris.rules.pieces import NAMES
from winnable.games.tetris.rules.puzzle import NONE, SeededTetris, State, Tetris
from winnable.tuning.process import NO_CEILING, NO_FLOOR

WALL = (
    "xx....xxxx",
    "xx.x.xxxxx",
    "xxx..xxxxx",
    "x.xxxxxxxx",
    "xxxx.xx.xx",
    "xxxxxxxx.x",
    "xxxxxxxxx.",
)
GAPLESS = tuple(["x.x.x.x.x."] * 8)
PIECE_O, PIECE_S = NAMES.index("O"), NAMES.index("S")
FAIR = Budget(expanded=60_000)
LOW = Level(height=8)


def rows_of(wall: tuple[str, ...]) -> tuple[int, ...]:
    return Level(wall=wall).rows


def played_on(
    height: int, wall: U64, games: int, calm: int, rules: ControlledRules = "simplified"
) -> tuple[int, float]:
    """How many of the games end before the wall is calm; their lines until then."""
    herd = Controlled(10, height, weight_table(CONTROLLERS["dt-20"].weights, height), rules)
    low, high = np.full(games, calm), np.full(games, NO_CEILING)
    leap = herd.leap(np.tile(wall, (games, 1)), low, high, high, np.random.default_rng(11))
    return int(leap.died.sum()), float(leap.reward.sum())


@pytest.mark.parametrize(("rules", "wall"), [("simplified", WALL), ("travel", WALL[3:])])
def test_the_risk_is_that_of_games_played_on(rules: ControlledRules, wall: tuple[str, ...]) -> None:
    """4,000 games from a wall of 7 (or 4) of 10 rows, after the piece that is known."""
    level, state = Level(height=10, rules=rules), State(rows_of(wall), PIECE_O, NONE)
    game = Tetris(level)
    after, _ = game.afterstate(state, CONTROLLERS["dt-20"].choose(game, state))
    games = 4000
    calm = finish(calm_below(Board(10, 10, "dt-20", rules)))
    died, _ = played_on(10, pack_wall(after.wall, 10), games, calm, rules)
    share = died / games
    assert 0.02 < share < 0.9, "this wall would prove nothing"
    found = finish(forecast(level, state, Budget(), 3))
    assert found is not None
    assert found.risk is not None
    error = (found.risk_high - found.risk_low) / 2 / 2.3646
    assert abs(found.risk - share) < 3.5 * sqrt(error**2 + share * (1 - share) / games)
    assert found.risk_low < found.risk < found.risk_high < 1.5 * found.risk


def test_the_lines_to_come_are_those_of_games_played_on() -> None:
    state = State(rows_of(WALL[2:]), PIECE_O, NONE)
    finish(forecast(LOW, state, Budget(), 0))
    wait_for_mean(8)
    found = finish(forecast(LOW, state, Budget(), 0))
    assert found is not None
    assert found.lines is not None
    assert found.low is not None
    assert found.high is not None
    game = Tetris(LOW)
    after, _ = game.afterstate(state, CONTROLLERS["dt-20"].choose(game, state))
    games = 400
    died, lines = played_on(8, pack_wall(after.wall, 10), games, NO_FLOOR)
    assert died == games
    mean = lines / games
    few_on_the_way = 5
    error = sqrt(((found.high - found.low) / 2 / 1.96) ** 2 + mean**2 / games)
    assert abs(found.lines - mean) < 3.5 * error + few_on_the_way
    assert found.low < found.lines < found.high
    assert found.risk_low > 0.1


def wait_for_mean(height: int) -> None:
    wait_until(lambda: LONG_RUN.find(Board(10, height, "dt-20")) is not None, "the mean of the long run")


def test_a_calm_wall_has_no_risk_and_the_mean_comes_later() -> None:
    level = Level(height=9)
    state = State((), PIECE_S, NONE)
    first = finish(forecast(level, state, Budget(), 0))
    assert first == Forecast(None, None, None, 0.0, 0.0, 0.0)
    wait_for_mean(9)
    later = finish(forecast(level, state, Budget(), 0))
    mean = LONG_RUN.find(Board(10, 9, "dt-20"))
    assert later is not None
    assert mean is not None
    assert (later.lines, later.low, later.high) == (mean.lines, mean.low, mean.high)


def test_a_budget_that_ends_leaves_what_is_known() -> None:
    level, state = Level(height=10), State(rows_of(WALL), PIECE_O, NONE)
    cancelled = Budget()
    cancelled.cancel()
    none, some, whole = (
        finish(forecast(level, state, budget, 3)) for budget in (cancelled, Budget(expanded=300), FAIR)
    )
    assert none is not None
    assert some is not None
    assert whole is not None
    assert (none.risk, none.risk_low, none.risk_high) == (None, 0.0, 1.0)
    assert (none.lines, some.risk, some.risk_low) == (None, None, 0.0)
    assert whole.risk is not None
    assert 0 < whole.risk_low < whole.risk < some.risk_high <= 1


def test_the_same_seed_gives_the_same_risk() -> None:
    level, state = Level(height=10), State(rows_of(WALL), PIECE_O, NONE)
    risks = [finish(forecast(level, state, Budget(expanded=20_000), seed)) for seed in (1, 1, 2)]
    assert all(risk is not None for risk in risks)
    assert risks[0] is not None
    assert risks[1] is not None
    assert risks[0].risk == risks[1].risk
    assert risks[2] is not None
    assert risks[0].risk != risks[2].risk


def test_the_ends_of_games() -> None:
    lost = Forecast(0.0, 0.0, 0.0, 1.0, 1.0, 1.0)
    assert finish(forecast(LOW, State((), NONE, NONE, True), FAIR, 0)) == lost
    assert finish(forecast(LOW, State(rows_of(GAPLESS), PIECE_S, NONE), FAIR, 0)) == lost
    travel = Level(height=9, rules="travel")
    blocked = State(rows_of((GAPLESS[0], *GAPLESS)), PIECE_S, NONE)
    assert finish(forecast(travel, blocked, FAIR, 0)) == lost


def test_the_next_piece_counts_where_it_is_seen() -> None:
    game, state = Tetris(LOW), State(rows_of(WALL[3:]), PIECE_S, NONE)
    after, _ = game.afterstate(state, CONTROLLERS["dt-20"].choose(game, state))
    seen = finish(forecast(Level(height=8, preview=True), state._replace(following=PIECE_O), FAIR, 0))
    alike = finish(forecast(LOW, State(after.wall, PIECE_O, NONE), FAIR, 0))
    unseen = finish(forecast(LOW, state, FAIR, 0))
    assert seen is not None
    assert alike is not None
    assert unseen is not None
    assert seen.risk == alike.risk
    assert 0 < seen.risk_low < seen.risk_high < 1
    assert seen.risk != unseen.risk


def test_a_danger_that_is_never_seen_to_kill_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """The wall is hardly above the calm; 8 times 8 copies see no death in 30 more rows."""
    monkeypatch.setattr(module, "COPIES", (8,))
    level = Level(height=38)
    calm = finish(calm_below(Board(10, 38, "dt-20")))
    state = State(tuple([rows_of(("xxxxxxxxx.",))[0]] * calm), PIECE_S, NONE)
    found = finish(forecast(level, state, Budget(), 1))
    assert found is not None
    assert found.risk_low == found.risk == 0
    assert 0 < found.risk_high < 0.1


def test_the_outlook_of_a_session() -> None:
    puzzle = SeededTetris(Level(height=10, wall=WALL))
    found = finish(outlook(puzzle, puzzle.initial(), Budget(), 0))
    assert found.risk is not None
    assert 0 < found.risk < 1
    over = Turn(State((), NONE, NONE, True), 7, 3)
    assert finish(outlook(puzzle, over, Budget(), 0)) == Outlook(0.0, 0.0, 0.0, 1.0)
    travel = SeededTetris(Level(height=10, wall=WALL, rules="travel"))
    riskier = finish(outlook(travel, travel.initial(), Budget(), 0))
    assert riskier.risk is not None
    assert found.risk < riskier.risk <= 1
    seed = SeededTetris(Level(rules="article"))
    assert finish(outlook(seed, seed.initial(), Budget(), 0)) == Outlook()


def test_where_it_knows_nothing() -> None:
    assert finish(forecast(Level(rules="article"), State((), PIECE_S, NONE), FAIR, 0)) is None
    with pytest.raises(WinnableError, match=r"controller.*best.*bcts"):
        finish(forecast(LOW, State((), PIECE_S, NONE), FAIR, 0, "best"))
