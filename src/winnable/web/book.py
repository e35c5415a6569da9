"""What is known about the states of one level, shared by everything in the studio that asks.

Worker threads learn while the event loop reads. Single dictionary operations are atomic, so a reader sees at
worst the beginning of a new line, which reads as "no line yet".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from winnable.abilities import ProvesFewest, Solves
from winnable.analysis import Analyst
from winnable.chance import Outlook
from winnable.core import Action, Budget, SolveResult
from winnable.game import Game


class Book(Analyst):
    """An Analyst that also spreads a verdict over the game it was found in, and knows how far the goal is.

    A line is given up only for a shorter one.
    """

    def __init__(self, game: Game, puzzle: Any) -> None:
        super().__init__(puzzle, game.companion(puzzle) if isinstance(game, Solves) else _no_goal)
        self._proves_fewest = isinstance(game, ProvesFewest)
        self._remaining: dict[Any, int] = {}
        self._fewest: dict[Any, int] = {}
        """Of states on optimal lines: the length of the rest."""
        self._generated: dict[Any, int] = {}
        """Of states about which a search proved all there is: how many states it made."""
        self._tried: set[Any] = set()
        """States whose fewest actions a whole search could not prove."""
        self.worths: dict[Any, Outlook] = {}
        """In a game without a goal: what actions are worth in the states of which a report has asked."""

    def settled(self, state: Any) -> bool:
        """Whether another search would tell nothing new: the verdict is known, and so are the fewest actions
        (or a search for them took its whole time in vain), in a game where that is a question."""
        verdict = self.verdict(state)
        if verdict != "winnable" or not self._proves_fewest:
            return verdict != "unknown"
        return self.puzzle.is_goal(state) or state in self._fewest or state in self._tried

    def ask(self, state: Any, budget: Budget) -> None:
        """Asks the solver, also about a state that is known to be winnable."""
        self.learn(state, self._solver(self.puzzle, state, budget, 0))

    def give_up(self, state: Any) -> None:
        """After a search that took its whole time."""
        self._tried.add(state)

    def learn(self, state: Any, result: SolveResult) -> None:
        if result.generated and (result.optimal or result.status == "unsolvable"):
            self._generated[state] = result.generated
        if result.status != "solved":
            super().learn(state, result)
            return
        line, states = self._joined(state, result)
        super().learn(state, SolveResult("solved", line))
        if result.optimal:
            self._fewest.update((on_line, len(line) - ply) for ply, on_line in enumerate(states))
        self._remaining.clear()  # another line may be longer or shorter

    def fewest(self, state: Any) -> int | None:
        """The length of an optimal line from there, where one is known."""
        return self._fewest.get(state)

    def generated(self, state: Any) -> int | None:
        """How many states the search made that proved the verdict, or the fewest actions; None when no search
        was about just this state."""
        return self._generated.get(state)

    def _joined(self, state: Any, result: SolveResult) -> tuple[tuple[Action, ...], list[Any]]:
        """The result's line, which goes on along the first one it meets that is no longer; and its states."""
        states = [state]
        for ply, action in enumerate(result.actions):
            known = None if result.optimal else self.remaining(states[-1])
            line = self.line(states[-1]) if known is not None else None
            if line is not None and len(line) <= len(result.actions) - ply:
                return (*result.actions[:ply], *line), states
            states.append(self.puzzle.apply(states[-1], action))
        return result.actions, states

    def remaining(self, state: Any) -> int | None:
        """The length of the line at hand. A line is walked once; then every state on it answers at once."""
        walked: list[Any] = []
        while (known := self._remaining.get(state)) is None:
            if self.puzzle.is_goal(state):
                known = 0
                break
            action = self.hint(state)
            if action is None:
                return None
            walked.append(state)
            state = self.puzzle.apply(state, action)
        self._remaining[state] = known
        for length, before in enumerate(reversed(walked), known + 1):
            self._remaining[before] = length
        return known + len(walked)

    def spread(self, states: Sequence[Any], actions: Sequence[Action], ply: int) -> None:
        """What is known of the state at `ply` of a game tells about others: from each state before a winnable
        one the game itself leads on to a win; each state after a lost one is lost."""
        verdict = self.verdict(states[ply])
        if verdict == "lost":
            for state in states[ply + 1 :]:
                self.learn(state, SolveResult("unsolvable"))
        elif verdict == "winnable":
            line = self.line(states[ply])
            if line is None:
                return
            first = next((i for i in range(ply) if self._gains(states[i], ply - i + len(line))), None)
            if first is not None:
                self.learn(states[first], SolveResult("solved", (*actions[first:ply], *line)))
            self.remaining(states[ply])

    def _gains(self, state: Any, length: int) -> bool:
        """Whether a line of this length would be news about the state."""
        known = self.remaining(state)
        return known is None or known > length


def _no_goal(puzzle: Any, state: Any, budget: Budget, seed: int) -> SolveResult:
    """For games that have no solver."""
    return SolveResult("budget")
