"""What a game without a goal promises, and what its actions cost."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from winnable.analysis.companion import Companion, Means
from winnable.analysis.costs import Cost, Measure, Review, cost_of, worst
from winnable.analysis.verdicts import Point
from winnable.contract.abilities import Foresees, ForeseesActions, Weighs
from winnable.contract.chance import Outlook, Turn, Values
from winnable.contract.core import Budget, reached
from winnable.contract.game import Game

LOOK_SECONDS, PAUSE_SECONDS = 30.0, 0.2
"""For the outlook; and between two looks, while its score is being found out."""
GLANCE_SECONDS = 0.1
"""For a first, rough chance to make a goal."""

Look: TypeAlias = Callable[[Budget], Outlook]


class ByOutlook(Companion):
    def __init__(self, game: Game, puzzle: Any, adviser: str) -> None:
        self.puzzle: Any = puzzle
        self._game, self._adviser = game, adviser
        self._worths: dict[Any, Outlook] = {}
        """What actions are worth in the states whose costs were asked for."""
        self._cut: set[Any] = set()
        """Those of these states that a limit cut short: they are asked about again."""

    @property
    def adviser(self) -> str:
        return self._adviser

    @property
    def foresees(self) -> bool:
        """Whether there is an `outlook`."""
        return isinstance(self._game, Foresees)

    @property
    def weighs(self) -> bool:
        """Whether there are `costs`."""
        return isinstance(self._game, Weighs)

    def outlook(self, state: Any, budget: Budget) -> Outlook:
        """Empty where the game cannot say."""
        game = self._game
        return game.outlook(self.puzzle, state, budget, 0) if isinstance(game, Foresees) else Outlook()

    def values(self, state: Any, budget: Budget) -> Values:
        """What actions are worth, where the outlook says it: with a goal to make, their chances to."""
        return self.outlook(state, budget).compared if isinstance(self._game, ForeseesActions) else ()

    def weighed(self, state: Any, budget: Budget) -> Values:
        """The same by what takes longer: the reward to come, or the share of it that each action leaves."""
        game = self._game
        return game.weigh(self.puzzle, state, budget, 0).compared if isinstance(game, Weighs) else ()

    def aims(self, state: Any) -> bool:
        """Whether there is a goal that is not made yet."""
        return reached(self.puzzle, state) is False

    def settled(self, state: Any) -> bool:
        return not self.foresees or not self.puzzle.legal_actions(state)

    def search(self, point: Point, means: Means) -> Outlook:
        best = means.first()
        if isinstance(best, Outlook):
            means.tell(best, first=True)
        means.ready()
        if self.aims(point.state):
            means.tell(means.run(lambda: self.outlook(point.state, means.budget(GLANCE_SECONDS))))
        while True:
            found = means.run(lambda: self.outlook(point.state, means.budget(LOOK_SECONDS)))
            if found.score is not None or found.risk is None or means.seconds > LOOK_SECONDS:
                return found
            if not isinstance(best, Outlook) or best.score is None:
                means.tell(found)  # what says less than the first answer is not told
            time.sleep(PAUSE_SECONDS)

    def costs(self, point: Point, ask: Callable[[Look], Outlook | None]) -> Iterator[Cost]:
        """What the game's actions cost, from the last one to the first, where their states tell it. ask:
        carries a look out, which may end with its time and tell less then; None: there was no time for it.
        The point's ply is nothing to it."""
        for ply in reversed(range(len(point.actions))):
            state = point.states[ply]
            if (state not in self._worths or state in self._cut) and not self._weigh(state, ask):
                return
            worth = self._worths[state]
            if worth.compared:
                games = worth.goal and worth.goal.games
                yield cost_of(ply, point.actions[ply], worth.compared, games)

    def _weigh(self, state: Any, ask: Callable[[Look], Outlook | None]) -> bool:
        """False: there was no time for it."""
        game, is_cut = self._game, False
        assert isinstance(game, Weighs)

        def look(budget: Budget) -> Outlook:
            nonlocal is_cut
            found = game.weigh(self.puzzle, state, budget, 0)
            is_cut = budget.limit(0) is not None
            return found

        if (found := ask(look)) is None:
            return False
        (self._cut.add if is_cut else self._cut.discard)(state)
        if found.compared or state not in self._worths:
            self._worths[state] = found
        return True

    def worth(self, state: Any) -> Outlook:
        """Of actions, in a state whose cost was told."""
        return self._worths[state]

    def measure(self, point: Point, costs: Sequence[Cost]) -> Measure:
        """What it is that `costs` told; `kept` also where one is a chance and another a reward."""
        worths = [self._worths[point.states[cost.ply]] for cost in costs]
        chances = [worth.goal is not None and worth.goal.share is not None for worth in worths]
        if chances and all(chances):
            return "chance"
        return "kept" if any(chances) or any(worth.score is None for worth in worths) else "expected"

    def mistakes(self, point: Point, costs: Sequence[Cost]) -> list[int]:
        """The plies before the worst of these actions, the worst first. costs: what `costs` told"""
        return [cost.ply for cost in worst(costs, by_share=self.measure(point, costs) == "kept")]

    def mistake(self, point: Point, ask: Callable[[Look], Outlook | None]) -> int | None:
        """The worst one, as far as there was time to look for it. Like `costs`."""
        return next(iter(self.mistakes(point, [*self.costs(point, ask)])), None)

    def review(self, point: Point, costs: Sequence[Cost]) -> Review:
        """Of the whole game. costs: what `costs` told"""
        course: list[float | None] = [None] * len(point.states)
        measure = self.measure(point, costs)
        if measure == "chance":
            for cost in costs:
                goal = self._worths[point.states[cost.ply]].goal
                course[cost.ply] = goal and goal.share
            if not self.aims(point.states[-1]):
                course[-1] = 1.0
            elif self.settled(point.states[-1]):
                course[-1] = 0.0
            return Review(self.mistakes(point, costs), course, measure)
        if measure == "expected":
            for cost in costs:
                state = point.states[cost.ply]
                course[cost.ply] = state.score + cost.value if isinstance(state, Turn) else None
            return Review(self.mistakes(point, costs), course, "expected")
        kept = 1.0
        for cost in sorted(costs, key=lambda cost: cost.ply):
            course[cost.ply] = kept
            kept *= 1 - cost.cost / cost.value if cost.value > 0 else 1.0
            course[cost.ply + 1] = kept
        return Review(self.mistakes(point, costs), course, "kept")
