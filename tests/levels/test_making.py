"""What makes levels keeps to its budget, whatever is asked of it."""

import gc
import random
import time
from collections.abc import Generator
from contextlib import suppress
from datetime import date
from itertools import islice, pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from tests.driving import driven, drop
from winnable.contract import clock
from winnable.contract.core import Budget, LevelError, finish, searching
from winnable.contract.errors import GaveUp
from winnable.contract.game import Game
from winnable.contract.params import describe_params, make_params
from winnable.contract.registry import GAMES, load_game
from winnable.levels.find import find_level
from winnable.levels.identity import daily, day_of

SECONDS, MOST_SECONDS = 0.2, 1.0
"""Of the processor: of the budget, and what may be taken."""
STEP_SECONDS = 0.25
"""Likewise, of one step, which is to take a fifth of it: on whatever machine, and with garbage collected."""
ORDERS = 25
"""At random, of each game."""
SLOW = {
    "drops": [
        {"filled": 32, "a_over": 7},
        {"rows": 32, "columns": 32, "density": 300, "par_min": 30},
        {"rows": 32, "columns": 32, "greedy_over": 3},
        {"keys": 1, "par_min": 20},
    ],
    "rotate": [
        {"keys": 20},
        {"rows": 64, "columns": 64},
        {"rows": 64, "columns": 64, "rules": "pairs", "scramble": 81_920},
        {"rows": 64, "columns": 64, "par_min": 100},
        {"rows": 14, "columns": 14, "rules": "pairs", "slack": "0"},
        {"rows": 5, "columns": 5, "colours": 2, "par_min": 14},
        {"rows": 13, "columns": 52, "rules": "pairs", "scramble": 1, "keys": 28},
    ],
    "triple": [
        {"layers": 1000, "side": 10, "sets": 500, "kinds": 60, "method": "backwards"},
        {"layers": 1, "side": 300, "sets": 460, "kinds": 60, "method": "backwards"},
        {"layers": 100, "side": 7, "sets": 21, "kinds": 64, "method": "de-repair"},
        {"layers": 12, "slots": 3, "method": "de-repair", "sets": 5},
        {"layout": "grown", "tiles": 399, "method": "backwards"},
    ],
    "2048": [{"rows": 8, "columns": 8, "moves": 2000}],
    "tetris": [{"garbage": 40, "height": 40}],
}


STEPS = 4
"""In which each of these is made, at the least."""


@pytest.fixture(params=list(GAMES))
def game(request: pytest.FixtureRequest) -> Game:
    return load_game(request.param)


def slow(game: Game) -> list[Any]:
    """Of what takes long what keeps to a budget."""
    orders = SLOW[game.name] if game.name != "tetris" else []
    return [make_params(game.params_type, order, game.name) for order in orders]


def orders(game: Game) -> list[Any]:
    """What takes long, and parameters at random, all of which a form lets through."""
    rng, found = (
        random.Random(20261124),
        [make_params(game.params_type, one, game.name) for one in SLOW[game.name]],
    )
    described = describe_params(game.params_type)
    while len(found) < ORDERS + len(SLOW[game.name]):
        values: dict[str, Any] = {}
        for param in described:
            if rng.random() < 0.5:
                continue
            if param.choices is not None:
                values[param.name] = rng.choice(param.choices)
                continue
            assert param.minimum is not None
            assert param.maximum is not None
            far = (param.maximum - param.minimum + 1) ** rng.random() - 1  # small ones more often than large
            values[param.name] = param.minimum + int(far) // param.step * param.step
        whole = {param.name: values.get(param.name, param.default) for param in described}
        for param in described:
            if any(whole[other] not in allowed for other, allowed in param.only.items()):
                values.pop(param.name, None)
        found.append(make_params(game.params_type, values, game.name))
    return found


def test_making_keeps_to_its_budget(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that runs only while this thread is at work, whatever else the machine does."""
    monkeypatch.setattr(clock, "time", SimpleNamespace(monotonic=time.thread_time))
    for params in orders(game):
        for last in (False, True):
            began = time.thread_time()
            with suppress(LevelError):
                finish(game.generate(params, 1, Budget(SECONDS)))
            took = time.thread_time() - began
            if took < MOST_SECONDS:
                break
            assert not last, (took, params)  # the first time it may have been the kernels


def test_a_cancelled_budget_makes_nothing_that_takes_long(game: Game) -> None:
    budget = Budget()
    budget.cancel()
    for params in slow(game):
        with pytest.raises(GaveUp):
            finish(game.generate(params, 1, budget))


@pytest.fixture
def frozen() -> Generator[None]:
    """No step is to pay for a look through all that the tests before have left in memory."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("frozen")
def test_what_takes_long_is_made_step_by_step(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "time", SimpleNamespace(monotonic=time.thread_time))
    for params in slow(game):
        for last in (False, False, True):
            making, ends = game.generate(params, 1, Budget(1)), [time.thread_time()]
            with suppress(GaveUp):
                driven(making, lambda _, ends=ends: ends.append(time.thread_time()))
            ends.append(time.thread_time())
            longest = max(later - sooner for sooner, later in pairwise(ends))
            if longest < STEP_SECONDS:
                break
            assert not last, (longest, params)
        assert len(ends) > STEPS, params


def test_what_is_cancelled_or_dropped_half_made_is_ended(game: Game) -> None:
    for params in slow(game):
        budget = Budget()
        making = searching(game.generate(params, 1, budget))
        assert len([*islice(making, STEPS)]) == STEPS
        budget.cancel()
        with pytest.raises(GaveUp):
            finish(making)
        drop(lambda params=params: searching(game.generate(params, 1)), (1, STEPS))


@pytest.mark.parametrize("name", ["rotate/22-confetti", "drops/07-butterfly"])
def test_facts_keep_to_a_budget(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "time", SimpleNamespace(monotonic=time.thread_time))
    game, level, _ = find_level(name)
    whole = game.facts(level, Budget())
    began = time.thread_time()
    game.facts(level, Budget(SECONDS))
    assert time.thread_time() - began < MOST_SECONDS
    spent = Budget()
    spent.cancel()
    fewer = game.facts(level, spent)
    assert len(fewer) < len(whole)
    assert fewer["rows"] == whole["rows"]


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("rotate", {"rows": 4, "columns": 4, "keys": 2}),
        ("rotate", {"rows": 3, "columns": 4, "rules": "pairs", "slack": "1"}),
        ("rotate", {"rows": 6, "columns": 6, "slack": "2"}),
        ("drops", {"a_over": 2, "par_min": 4}),
        ("triple", {"layers": 6, "sets": 2, "method": "de-repair"}),
    ],
)
def test_a_budget_changes_no_level(name: str, order: dict[str, Any]) -> None:
    """With seconds to share out, searches would go about it differently."""
    game = load_game(name)
    params = make_params(game.params_type, order, name)
    assert finish(game.generate(params, 0, Budget(600))) == finish(game.generate(params, 0))


@pytest.mark.parametrize("name", GAMES)
def test_the_daily_level_is_known_by_its_day(name: str) -> None:
    game = load_game(name)
    assert day_of(game, str(daily(game))) == clock.today()
    made, _, _ = str(daily(game)).partition("#")
    assert day_of(game, f"{made}#20240229") == date(2024, 2, 29)
    for other in (f"{made}#20230229", f"{made}#7", f"{made}#20261125+", f"{name}/20261125"):
        assert day_of(game, other) is None
    assert day_of(load_game("drops"), "drops:rows=9#20261125") is None
