"""The companion of a game without a goal: it foresees and weighs, and knows no verdict."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, TypeVar

import pytest

from tests.kinds import of_kind
from tests.web import toy_game
from winnable.analysis import by_outlook, companion_of
from winnable.analysis.by_outlook import ByOutlook, Look
from winnable.analysis.by_proof import ByProof
from winnable.analysis.companion import Known
from winnable.analysis.verdicts import Point, Verdicts
from winnable.contract.abilities import Foresees, ForeseesActions
from winnable.contract.chance import Outlook
from winnable.contract.core import Budget, SolveResult
from winnable.contract.game import Game
from winnable.games.game2048.game import GAME as GAME2048
from winnable.games.tetris.game import GAME as TETRIS

T = TypeVar("T")
LEVEL = toy_game.Level(9)
GAME = Point([9, 8, 6, 5], [0, 1, 0], 2)


class Given:
    """In place of a shell: what there is without compiling, and what was told."""

    def __init__(self, first: SolveResult | Outlook | None = None) -> None:
        self._first = first
        self.said: list[tuple[Outlook | None, bool]] = []

    def first(self) -> SolveResult | Outlook | None:
        return self._first

    def ready(self) -> None:
        """At once."""

    @property
    def seconds(self) -> float:
        return 0.0

    def budget(self, seconds: float) -> Budget:
        return Budget(seconds)

    def run(self, work: Callable[[], T]) -> T:
        return work()

    def tell(self, outlook: Outlook | None = None, first: bool = False) -> None:
        self.said.append((outlook, first))


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
    level = game.generate(game.daily, 0)
    found = companion_of(game, level, game.puzzle(level))
    assert isinstance(found, ByOutlook)
    assert found.adviser == game.default_player(level)
    assert found.foresees
    assert found.weighs


def test_a_game_with_a_goal_has_one_that_proves() -> None:
    found = companion_of(toy_game.GAME, LEVEL, toy_game.Toy(LEVEL))
    assert isinstance(found, ByProof)
    assert found.adviser is None


def test_it_knows_no_verdict_whatever_it_is_told() -> None:
    found = companion(Weighing)
    found.learn(9, SolveResult("solved", (0,) * 9))
    found.follow(9, 8)
    found.spread(GAME)
    assert found.known(9) == Known("unknown", None, False)
    assert (found.verdict(9), found.hint(9), found.fewest(9), found.generated(9)) == ("unknown", *[None] * 3)
    assert found.verdicts(GAME.states) == Verdicts()


def test_it_looks_again_until_the_score_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_outlook, "PAUSE_SECONDS", 0)
    risky, last = Outlook(risk=0.5), Outlook(score=7, risk=0.5)
    given = Given()
    assert foreseeing(risky, risky, last).search(GAME, given) == last
    assert given.said == [(risky, False)] * 2
    given = Given(first := Outlook(score=3, by="ones"))
    assert foreseeing(risky, last).search(GAME, given) == last
    assert given.said == [(first, True)], "what says less is not told"
    assert foreseeing(Outlook()).search(GAME, Given()) == Outlook(), "nothing more will be known"


def test_what_is_over_or_cannot_be_foreseen_is_settled() -> None:
    assert not foreseeing().settled(9)
    assert foreseeing().settled(-3)
    blind = companion(Game)
    assert blind.settled(9)
    assert not blind.foresees
    assert not blind.weighs
    assert blind.outlook(9, Budget()) == Outlook()


def test_values_are_those_of_an_outlook_that_compares_actions() -> None:
    assert companion(Weighing).values(9, Budget()) == ((0, 0.0), (1, 1.0), (2, 2.0))
    assert foreseeing().values(9, Budget()) == (), "and is not asked for them"


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
    costs = [*found.costs(point, lambda look: look(Budget()))]
    assert len(costs) == len(actions)
    review = found.review(point, costs)
    assert review.measure == found.measure(point, costs) == "chance"
    exact = [found.outlook(state, Budget()).goal for state in states]
    assert review.course[:-1] == [goal and goal.share for goal in exact][:-1]
    assert review.course[-1] == float(bool(puzzle.reached(states[-1])))
    given = Given()
    last = found.search(Point(states, actions, 0), given)
    assert last.goal is not None
    assert given.said == [(last, False)], "a glance, then all"
    assert found.values(states[0], Budget()) == last.goal.values


def test_costs_are_asked_for_once_and_from_the_end() -> None:
    found, asked = companion(Weighing), list[Outlook]()

    def ask(look: Look) -> Outlook | None:
        asked.append(look(Budget()))
        return asked[-1] if len(asked) != 3 else None

    costs = [(cost.ply, cost.best, cost.cost) for cost in found.costs(GAME, ask)]
    assert costs == [(2, 2, 2.0)], "of the state before nothing is known, and before that the time was over"
    again = list(found.costs(GAME, ask))
    assert [cost.ply for cost in again] == [2, 0]
    assert len(asked) == 4
    assert found.worth(6) == asked[0]


class Halting(Game, ForeseesActions):
    """Has something to say before its time is over, and then more."""

    def outlook(self, puzzle: Any, state: int, budget: Budget, seed: int) -> Outlook:
        worth = 1.0 if budget.limit(0) else 2.0
        return Outlook(values=tuple((action, action * worth) for action in puzzle.legal_actions(state)))


def test_what_a_limit_cut_short_is_told_and_asked_for_again() -> None:
    found, cut = companion(Halting), Budget(0)
    assert [cost.cost for cost in found.costs(GAME, lambda look: look(cut))] == [2.0, 1.0, 2.0]
    assert [cost.cost for cost in found.costs(GAME, lambda look: look(Budget()))] == [4.0, 2.0, 4.0]
    known = found.costs(GAME, lambda look: pytest.fail("it is known"))
    assert [cost.cost for cost in known] == [4.0, 2.0, 4.0]
