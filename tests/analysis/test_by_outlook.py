"""The companion of a game without a goal: it foresees and weighs, and knows no verdict."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from typing import Any, ClassVar

import pytest

from tests.driving import told
from tests.kinds import of_kind
from tests.web import toy_game
from winnable.analysis import by_outlook, companion_of
from winnable.analysis.by_outlook import ByOutlook
from winnable.analysis.by_proof import ByProof
from winnable.analysis.engine import Engine
from winnable.analysis.verdicts import Point, Verdicts
from winnable.contract.abilities import Foresees, ForeseesActions
from winnable.contract.chance import Outlook
from winnable.contract.core import Answer, Budget, Progress, Search, finish
from winnable.contract.game import Game
from winnable.games.game2048.game import GAME as GAME2048
from winnable.games.tetris.game import GAME as TETRIS

LEVEL = toy_game.Level(9)
GAME = Point([9, 8, 6, 5], [0, 1, 0], 2)


@pytest.fixture
def first(monkeypatch: pytest.MonkeyPatch) -> list[Outlook]:
    """What there is without compiling, which is never done then; empty: all is compiled."""
    answers = list[Outlook]()

    def first(*_: object) -> Search[Outlook | None]:
        yield Progress("first", 0, 0, 0.0)
        return answers[0] if answers else None

    monkeypatch.setattr(Engine, "first", first)
    return answers


def outlooks(stream: Iterable[Progress | Answer]) -> list[tuple[Outlook | None, bool]]:
    return [(one.outlook, one.first) for one in told(stream)]


def companion(kind: type[Game]) -> ByOutlook:
    found = companion_of(of_kind(toy_game.GAME, kind), LEVEL, toy_game.Toy(LEVEL))
    assert isinstance(found, ByOutlook)
    return found


def foreseeing(*answers: Outlook) -> ByOutlook:
    """Says one after the other."""
    left = list(answers)

    class Foreseeing(Game, Foresees):
        def outlook(self, puzzle: Any, state: int, budget: Budget, seed: int) -> Outlook:
            return left.pop(0)

    return companion(Foreseeing)


class Weighing(Game, ForeseesActions):
    """An action is worth its number; where eight are left, nobody can tell."""

    def outlook(self, puzzle: Any, state: int, budget: Budget, seed: int) -> Outlook:
        worth = tuple((action, float(action)) for action in puzzle.legal_actions(state))
        return Outlook(values=() if state == 8 else worth)


@pytest.mark.parametrize("game", [GAME2048, TETRIS])
def test_a_game_without_a_goal_has_one_with_the_levels_own_player(game: Game) -> None:
    level = finish(game.generate(game.daily, 0))
    found = companion_of(game, level, game.puzzle(level))
    assert isinstance(found, ByOutlook)
    assert found.adviser == game.default_player(level)
    assert found.foresees
    assert found.weighs


def test_a_game_with_a_goal_has_one_that_proves() -> None:
    found = companion_of(toy_game.GAME, LEVEL, toy_game.Toy(LEVEL))
    assert isinstance(found, ByProof)
    assert found.adviser is None


def test_it_knows_no_verdict_whatever_happens() -> None:
    found = companion(Weighing)
    found.follow(9, 8)
    assert found.answer(9) == Answer("budget")
    known = (found.verdict(9), found.hint(9), found.fewest(9), found.generated(9), found.line(9))
    assert known == ("unknown", *[None] * 4)
    assert found.verdicts(GAME.states) == Verdicts()


def test_it_looks_again_until_the_score_is_known(
    monkeypatch: pytest.MonkeyPatch, first: list[Outlook]
) -> None:
    monkeypatch.setattr(by_outlook, "PAUSE_SECONDS", 0)
    risky, last = Outlook(risk=0.5), Outlook(score=7, risk=0.5)
    looks = outlooks(foreseeing(risky, risky, last).ask(GAME, Budget()))
    assert looks == [(risky, False), (risky, False), (last, False)]
    assert outlooks(foreseeing(Outlook()).ask(GAME, Budget())) == [(Outlook(), False)], "nothing more to know"
    first.append(Outlook(score=3, by="ones"))
    looks = outlooks(foreseeing(risky, last).ask(GAME, Budget()))
    assert looks == [(first[0], True), (last, False)], "what says less is not told"


def test_between_two_looks_somebody_else_may_do_something(first: list[Outlook]) -> None:
    found, budget = foreseeing(Outlook(risk=0.5), Outlook(risk=0.5)), Budget()
    steps = iter(found.ask(GAME, budget))
    while not isinstance(next(steps), Answer):
        pass
    assert isinstance(next(steps), Progress)
    budget.cancel()
    assert [one.outlook for one in told(steps)] == [Outlook(risk=0.5)], "it ends with what it has"


class Chooser:
    def __init__(self, puzzle: Any, seed: int) -> None:
        pass

    def choose(self, state: int) -> Search[int]:
        yield Progress("choosing", 1, 1, 0.0)
        return 2


def test_a_first_choice_comes_before_the_players_own(
    first: list[Outlook], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = replace(of_kind(toy_game.GAME, Weighing), players={"chooser": Chooser})
    found = companion_of(game, LEVEL, toy_game.Toy(LEVEL))
    assert isinstance(found, ByOutlook)
    assert told(found.choices(9, Budget())) == [2]
    first.append(Outlook(values=((0, 0.5), (1, 0.75))))
    assert told(found.choices(9, Budget())) == [1, 2]
    asked: list[str] = []

    def first_choice(*given: Any) -> Search[int | None]:
        asked.append(given[-1])
        yield Progress("first", 0, 0, 0.0)
        return 0 if len(asked) == 1 else None

    monkeypatch.setattr(Engine, "first_choice", first_choice)
    first[:] = [Outlook(by="ones")]
    assert told(found.choices(9, Budget())) == [0, 2]
    assert told(found.choices(9, Budget())) == [2], "it was not found in time"
    assert asked == ["ones", "ones"]


def test_first_values_come_before_the_others(first: list[Outlook]) -> None:
    best = ((0, 0.0), (1, 1.0), (2, 2.0))
    assert told(companion(Weighing).worths(9, Budget())) == [best]
    first.append(Outlook(values=((0, 0.5), (1, 0.75))))
    assert told(companion(Weighing).worths(9, Budget())) == [first[0].compared, best]


def test_what_is_over_or_cannot_be_foreseen_is_settled() -> None:
    assert not foreseeing().settled(9)
    assert foreseeing().settled(-3)
    blind = companion(Game)
    assert blind.settled(9)
    assert not blind.foresees
    assert not blind.weighs
    assert finish(blind.outlook(9, Budget())) == Outlook()


def test_values_are_those_of_an_outlook_that_compares_actions() -> None:
    assert finish(companion(Weighing).values(9, Budget())) == ((0, 0.0), (1, 1.0), (2, 2.0))
    assert finish(foreseeing().values(9, Budget())) == (), "and is not asked for them"


def test_the_chance_of_a_goal_goes_before_rewards() -> None:
    level = GAME2048.parse_board("12/20,goal=16,dice=1")
    puzzle: Any = GAME2048.puzzle(level)
    found = companion_of(GAME2048, level, puzzle)
    assert isinstance(found, ByOutlook)
    states = [puzzle.initial()]
    while legal := puzzle.legal_actions(states[-1]):
        states.append(puzzle.apply(states[-1], legal[-1]))
        if puzzle.reached(states[-1]):
            break
    actions = [
        next(a for a in puzzle.legal_actions(s) if puzzle.apply(s, a) == t) for s, t in pairwise(states)
    ]
    point = Point(states, actions, len(actions))
    costs = told(found.costs(point, Budget()))
    assert len(costs) == len(actions)
    review = found.review(point, costs)
    assert review.measure == found.measure(point, costs) == "chance"
    exact = [finish(found.outlook(state, Budget())).goal for state in states]
    assert review.course[:-1] == [goal and goal.share for goal in exact][:-1]
    assert review.course[-1] == float(bool(puzzle.reached(states[-1])))
    glance, last = told(found.ask(Point(states, actions, 0), Budget()))
    assert glance == last, "a glance, then all"
    assert last.outlook is not None
    assert last.outlook.goal is not None
    assert finish(found.values(states[0], Budget())) == last.outlook.goal.values


class Watched(Game, ForeseesActions):
    """As Weighing; where nine are left the time is over once."""

    asked: ClassVar[list[int]] = []
    cuts: ClassVar[set[int]] = set()

    def outlook(self, puzzle: Any, state: int, budget: Budget, seed: int) -> Outlook:
        self.asked.append(state)
        if state in self.cuts:
            budget.cancel()
            return Outlook()
        return finish(companion(Weighing).outlook(state, budget))


def test_costs_are_asked_for_once_and_from_the_end() -> None:
    Watched.asked, Watched.cuts = [], {9}
    found = companion(Watched)
    costs = [(cost.ply, cost.best, cost.cost) for cost in told(found.costs(GAME, Budget()))]
    assert costs == [(2, 2, 2.0)], "of the state before nothing is known, and before that the time was over"
    assert Watched.asked == [6, 8, 9]
    Watched.cuts = set()
    again = told(found.costs(GAME, Budget()))
    assert [cost.ply for cost in again] == [2, 0]
    assert Watched.asked == [6, 8, 9, 9]
    assert found.worth(6).compared == ((0, 0.0), (1, 1.0), (2, 2.0))
    assert told(companion(Watched).costs(GAME, Budget(0))) == []


class Halting(Game, ForeseesActions):
    """Has something to say before its time is over, and then more."""

    ends: ClassVar[bool] = True

    def outlook(self, puzzle: Any, state: int, budget: Budget, seed: int) -> Outlook:
        assert self.ends is not None, "it is known"
        if self.ends:
            budget.seconds = 0.0
        worth = 1.0 if budget.limit(0) else 2.0
        return Outlook(values=tuple((action, action * worth) for action in puzzle.legal_actions(state)))


def test_what_a_limit_cut_short_is_told_and_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    found = companion(Halting)
    assert [cost.cost for cost in told(found.costs(GAME, Budget()))] == [2.0, 1.0, 2.0]
    monkeypatch.setattr(Halting, "ends", False)
    assert [cost.cost for cost in told(found.costs(GAME, Budget()))] == [4.0, 2.0, 4.0]
    monkeypatch.setattr(Halting, "ends", None)
    assert [cost.cost for cost in told(found.costs(GAME, Budget()))] == [4.0, 2.0, 4.0]
