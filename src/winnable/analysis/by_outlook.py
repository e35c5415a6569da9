"""What a game without a goal promises, and what its actions cost."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from winnable.analysis.costs import Cost, Measure, Review, cost_of, worst
from winnable.analysis.engine import engine
from winnable.analysis.verdicts import Point, Verdict, Verdicts
from winnable.contract.abilities import Foresees, ForeseesActions, Weighs
from winnable.contract.chance import Outlook, Turn, Values
from winnable.contract.core import (
    Action,
    Answer,
    Budget,
    Progress,
    Puzzle,
    Search,
    answer_of,
    collected,
    reached,
)
from winnable.contract.game import Game
from winnable.stats.difficulty import Rating

LOOK_SECONDS, PAUSE_SECONDS = 30.0, 0.2
"""For the outlook; and between two looks, while its score is being found out."""
GLANCE_SECONDS = 0.1
"""For a first, rough chance to make a goal."""


class ByOutlook:
    """What is known of the states of one level. Nothing is proved of them: they are neither won nor lost.

    adviser: the player whose choices are the hints
    rating:  how hard the level is for a person; None: it is not known (yet)
    """

    rating: Rating | None = None

    def __init__(self, game: Game, level: Any, puzzle: Puzzle) -> None:
        self.level: Any = level
        self.puzzle: Puzzle = puzzle
        self.adviser: str = game.default_player(level)
        self._game = game
        self._worths: dict[Any, Outlook] = {}
        """What actions are worth in the states whose costs were asked for."""
        self._cut: set[Any] = set()
        """Those of these states that a limit cut short: they are asked about again."""

    def verdict(self, state: Hashable) -> Verdict:
        return "unknown"

    def verdicts(self, states: Sequence[Hashable], since: int = 0) -> Verdicts:
        return Verdicts()

    def answer(self, state: Hashable) -> Answer:
        return Answer("budget")

    def line(self, state: Hashable) -> tuple[Action, ...] | None:
        return None

    def hint(self, state: Hashable) -> Action | None:
        return None

    def fewest(self, state: Hashable) -> int | None:
        return None

    def generated(self, state: Hashable) -> int | None:
        return None

    def follow(self, before: Hashable, after: Hashable) -> None:
        pass

    @property
    def foresees(self) -> bool:
        """Whether there is an `outlook`."""
        return isinstance(self._game, Foresees)

    @property
    def weighs(self) -> bool:
        """Whether there are `costs`."""
        return isinstance(self._game, Weighs)

    def outlook(self, state: Hashable, budget: Budget) -> Search[Outlook]:
        """Empty where the game cannot say."""
        game = self._game
        if not isinstance(game, Foresees):
            return Outlook()
        look = engine().run(lambda: game.outlook(self.puzzle, state, budget, 0), budget, self._game)
        return (yield from look)

    def values(self, state: Hashable, budget: Budget) -> Search[Values]:
        """What actions are worth, where the outlook says it: with a goal to make, their chances to."""
        if not isinstance(self._game, ForeseesActions):
            return ()
        return (yield from self.outlook(state, budget)).compared

    def weighed(self, state: Hashable, budget: Budget) -> Search[Values]:
        """The same by what takes longer: the reward to come, or the share of it that each action leaves."""
        game = self._game
        if not isinstance(game, Weighs):
            return ()
        return (yield from self._weighed(game, state, budget)).compared

    def worths(self, state: Hashable, budget: Budget) -> Iterator[Progress | Values]:
        """What actions are worth: by a first answer where nothing is compiled yet, then as well as it can."""
        first = yield from engine().first(self._game, self.level, state, budget)
        if isinstance(first, Outlook) and not self.aims(state):
            yield first.compared
        yield (yield from self.values(state, budget)) or (yield from self.weighed(state, budget))

    def choices(self, state: Hashable, budget: Budget) -> Iterator[Progress | Action]:
        """What the game's player does; before it is compiled, first what one does that needs no compiler."""
        game = self._game
        first = yield from engine().first(game, self.level, state, budget)
        if isinstance(first, Outlook):
            best = max(first.compared, key=lambda one: one[1], default=None)
            by = first.by or self.adviser
            choice = (
                best[0] if best else (yield from engine().first_choice(game, self.level, state, budget, by))
            )
            if choice is not None:
                yield choice
        player = game.players[self.adviser]
        yield from answer_of(engine().run(lambda: player(self.puzzle, 0).choose(state), budget, game))

    def aims(self, state: Hashable) -> bool:
        """Whether there is a goal that is not made yet."""
        return reached(self.puzzle, state) is False

    def settled(self, state: Hashable) -> bool:
        """Whether a search would tell nothing new."""
        return not self.foresees or not self.puzzle.legal_actions(state)

    def ask(self, point: Point, budget: Budget) -> Iterator[Progress | Answer]:
        """Outlooks that get better, as far as there is time: a first one where nothing is compiled yet, then
        looks as long as the score is being found out."""
        state = point.state
        first = yield from engine().first(self._game, self.level, state, budget)
        if isinstance(first, Outlook):
            yield Answer("budget", outlook=first, first=True)
        yield from engine().ready(self._game, budget)
        if self.aims(state):
            glance = yield from self.outlook(state, budget.part(most=GLANCE_SECONDS))
            yield Answer("budget", outlook=glance)
        looking = budget.part(most=LOOK_SECONDS)
        while True:
            found = yield from self.outlook(state, budget.part(most=LOOK_SECONDS))
            is_last = found.score is not None or found.risk is None or looking.limit(0) is not None
            if is_last or not isinstance(first, Outlook) or first.score is None:
                yield Answer("budget", outlook=found)  # what says less than the first answer is not told
            if is_last:
                return
            pause = budget.part(most=PAUSE_SECONDS)
            while pause.limit(0) is None:
                time.sleep(PAUSE_SECONDS / 10)
                yield from budget.allows("outlook", 0, 0)

    def costs(self, point: Point, budget: Budget) -> Iterator[Progress | Cost]:
        """What the game's actions cost, from the last one to the first, where their states tell it; until the
        budget ends. The point's ply is nothing to it."""
        for ply in reversed(range(len(point.actions))):
            state = point.states[ply]
            if state not in self._worths or state in self._cut:
                if budget.limit(0) is not None:
                    return
                yield from self._weigh(state, budget.part())
                if budget.is_cancelled:
                    return  # what it came to is asked about again
            worth = self._worths[state]
            if worth.compared:
                games = worth.goal and worth.goal.games
                yield cost_of(ply, point.actions[ply], worth.compared, games)

    def _weigh(self, state: Hashable, budget: Budget) -> Search[None]:
        assert isinstance(self._game, Weighs)
        found = yield from self._weighed(self._game, state, budget)
        (self._cut.discard if budget.limit(0) is None else self._cut.add)(state)
        if found.compared or state not in self._worths:
            self._worths[state] = found

    def _weighed(self, game: Weighs, state: Hashable, budget: Budget) -> Search[Outlook]:
        return engine().run(lambda: game.weigh(self.puzzle, state, budget, 0), budget, self._game)

    def worth(self, state: Hashable) -> Outlook:
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

    def mistake(self, point: Point, budget: Budget) -> Search[int | None]:
        """The worst one, as far as there was time to look for it. Like `costs`."""
        costs = yield from collected(self.costs(point, budget))
        return next(iter(self.mistakes(point, costs)), None)

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
