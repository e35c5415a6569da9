"""Can this still be won? Verdicts, hints and the action that lost the game, for any puzzle.

What is once proved is kept: every state along a winning line is winnable, and of the states of one game all
before a winnable one are winnable and all after a lost one are lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from winnable.core import Action, Budget, IllegalAction, Puzzle, Solver, SolveResult, replay

Verdict: TypeAlias = Literal["winnable", "lost", "unknown"]


@dataclass(frozen=True, slots=True)
class Blunder:
    """Among the actions `first` to `last` (indices into the game) is the one that lost it; the state before
    `first` is proved winnable, the one after `last` proved lost. Equal ends name it exactly."""

    first: int
    last: int


class Analyst:
    """Remembers verdicts about the states of one level; one solver proves them."""

    def __init__(self, puzzle: Puzzle[Any], solver: Solver) -> None:
        self.puzzle = puzzle
        self._solver = solver
        self._lost: set[Any] = set()
        self._next: dict[Any, Action] = {}
        """A winnable state -> the next action of a winning line."""

    def verdict(self, state: Any) -> Verdict:
        """What is known, without search."""
        if state in self._next or self.puzzle.is_goal(state):
            return "winnable"
        if state in self._lost or not self.puzzle.legal_actions(state):
            return "lost"
        return "unknown"

    def line(self, state: Any) -> tuple[Action, ...] | None:
        """The winning line at hand; None when there is none."""
        actions: list[Action] = []
        while not self.puzzle.is_goal(state):
            action = self._next.get(state)
            if action is None:
                return None
            actions.append(action)
            state = self.puzzle.apply(state, action)
        return tuple(actions)

    def hint(self, state: Any) -> Action | None:
        """The next action of the line at hand."""
        return self._next.get(state)

    def learn(self, state: Any, result: SolveResult) -> None:
        """Takes over what a solver found for `state`. A line is replayed by the rules before it counts."""
        if result.status == "unsolvable":
            self._lost.add(state)
        elif result.status == "solved":
            states = [state]
            for action in result.actions:
                states.append(self.puzzle.apply(states[-1], action))
            if not self.puzzle.is_goal(states[-1]):
                raise AssertionError("a solver's line does not reach the goal")
            self._next.update(zip(states, result.actions, strict=False))

    def inherit(self, before: Any, action: Action) -> None:
        """What is known of a state, for the one after an action, without search: lost stays lost; and the
        line at hand, if it takes this action later, may win without it then. The rules say whether it does.
        """
        after = self.puzzle.apply(before, action)
        if self.verdict(after) != "unknown":
            return
        if self.verdict(before) == "lost":
            self.learn(after, SolveResult("unsolvable"))
            return
        line = self.line(before)
        if line is None or action not in line:
            return
        taken = line.index(action)
        rest = (*line[:taken], *line[taken + 1 :])
        try:
            wins = self.puzzle.is_goal(replay(self.puzzle, rest, after))
        except IllegalAction:
            return
        if wins:
            self.learn(after, SolveResult("solved", rest))

    def decide(self, state: Any, budget: Budget, seed: int = 0) -> Verdict:
        """What is known, else what the solver proves within the budget."""
        if self.verdict(state) == "unknown":
            self.learn(state, self._solver(self.puzzle, state, budget, seed))
        return self.verdict(state)

    def timeline(self, states: Sequence[Any]) -> list[Verdict]:
        """The verdicts on the states of one game, in order, without search."""
        verdicts: list[Verdict] = [self.verdict(state) for state in states]
        last_winnable = max(
            (ply for ply, verdict in enumerate(verdicts) if verdict == "winnable"), default=-1
        )
        first_lost = verdicts.index("lost") if "lost" in verdicts else len(verdicts)
        return [
            "winnable" if ply <= last_winnable else "lost" if ply >= first_lost else "unknown"
            for ply in range(len(verdicts))
        ]

    def next_to_decide(self, states: Sequence[Any], tried: set[int]) -> int | None:
        """The ply whose verdict would narrow the search for the blunder most; None when none would.

        Bisection between the last winnable and the first lost ply, passing by those `tried` in vain.
        """
        verdicts = self.timeline(states)
        if verdicts[-1] != "lost":
            return None
        low, high = _turn(verdicts)
        open_plies = [ply for ply in range(low + 1, high) if ply not in tried]
        return min(open_plies, key=lambda ply: abs(2 * ply - low - high), default=None)

    def blunder(self, states: Sequence[Any]) -> Blunder | None:
        """The action that lost the game, as narrowly as it is known. None: the game is not known to be lost,
        or its first state is not known to be winnable."""
        verdicts = self.timeline(states)
        if verdicts[-1] != "lost" or verdicts[0] != "winnable":
            return None
        low, high = _turn(verdicts)
        return Blunder(low, high - 1)

    def find_blunder(self, states: Sequence[Any], seconds_each: float) -> Blunder | None:
        """Asks the solver until `next_to_decide` has no question left."""
        tried: set[int] = set()
        while (ply := self.next_to_decide(states, tried)) is not None:
            tried.add(ply)
            self.decide(states[ply], Budget(seconds=seconds_each))
        return self.blunder(states)


def _turn(verdicts: Sequence[Verdict]) -> tuple[int, int]:
    """The last ply known winnable (-1 when none) and the first known lost."""
    low = max((ply for ply, verdict in enumerate(verdicts) if verdict == "winnable"), default=-1)
    return low, list(verdicts).index("lost")
