"""What a game without a goal promises, and what its actions cost."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from winnable.analysis.companion import Companion, Means
from winnable.analysis.costs import Cost, Review, cost_of, worst
from winnable.analysis.verdicts import Point
from winnable.contract.abilities import Foresees, ForeseesActions, Weighs
from winnable.contract.chance import Outlook, Turn, Values
from winnable.contract.core import Budget
from winnable.contract.game import Game

LOOK_SECONDS, PAUSE_SECONDS = 30.0, 0.2
"""For the outlook; and between two looks, while its score is being found out."""

Look: TypeAlias = Callable[[Budget], Outlook]


class ByOutlook(Companion):
    def __init__(self, game: Game, puzzle: Any, adviser: str) -> None:
        self.puzzle: Any = puzzle
        self._game, self._adviser = game, adviser
        self._worths: dict[Any, Outlook] = {}
        """What actions are worth in the states whose costs were asked for."""

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
        """What actions are worth, where the outlook says it."""
        return self.outlook(state, budget).values if isinstance(self._game, ForeseesActions) else ()

    def weighed(self, state: Any, budget: Budget) -> Values:
        """The same by what takes longer: the reward to come, or the share of it that each action leaves."""
        game = self._game
        return game.weigh(self.puzzle, state, budget, 0).values if isinstance(game, Weighs) else ()

    def settled(self, state: Any) -> bool:
        return not self.foresees or not self.puzzle.legal_actions(state)

    def search(self, point: Point, means: Means) -> Outlook:
        best = means.first()
        if isinstance(best, Outlook):
            means.tell(best, first=True)
        means.ready()
        end = time.monotonic() + LOOK_SECONDS
        while True:
            found = means.run(lambda: self.outlook(point.state, means.budget(LOOK_SECONDS)))
            if found.score is not None or found.risk is None or time.monotonic() > end:
                return found
            if not isinstance(best, Outlook) or best.score is None:
                means.tell(found)  # what says less than the first answer is not told
            time.sleep(PAUSE_SECONDS)

    def costs(self, point: Point, ask: Callable[[Look], Outlook | None]) -> Iterator[Cost]:
        """What the game's actions cost, from the last one to the first, where their states tell it. ask:
        carries a look out; None: its time was over before. The point's ply is nothing to it."""
        game = self._game
        assert isinstance(game, Weighs)
        for ply in reversed(range(len(point.actions))):
            state = point.states[ply]
            if state not in self._worths:
                found = ask(lambda budget, state=state: game.weigh(self.puzzle, state, budget, 0))
                if found is None:
                    return
                self._worths[state] = found
            if values := self._worths[state].values:
                yield cost_of(ply, point.actions[ply], values)

    def worth(self, state: Any) -> Outlook:
        """Of actions, in a state whose cost was told."""
        return self._worths[state]

    def are_rewards(self, point: Point, costs: Sequence[Cost]) -> bool:
        """Whether what `costs` told is in what the game counts."""
        return all(self._worths[point.states[cost.ply]].score is not None for cost in costs)

    def mistakes(self, point: Point, costs: Sequence[Cost]) -> list[int]:
        """The plies before the worst of these actions, the worst first. costs: what `costs` told"""
        return [cost.ply for cost in worst(costs, by_share=not self.are_rewards(point, costs))]

    def mistake(self, point: Point, ask: Callable[[Look], Outlook | None]) -> int | None:
        """The worst one, as far as there was time to look for it. Like `costs`."""
        return next(iter(self.mistakes(point, [*self.costs(point, ask)])), None)

    def review(self, point: Point, costs: Sequence[Cost]) -> Review:
        """Of the whole game. costs: what `costs` told"""
        course: list[float | None] = [None] * len(point.states)
        if self.are_rewards(point, costs):
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
