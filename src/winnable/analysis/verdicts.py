"""Verdicts on the states of one game, and what they tell about each other: all before a winnable state are
winnable, all after a lost one are lost."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypeAlias

from winnable.contract.core import Action

Verdict: TypeAlias = Literal["winnable", "lost", "unknown"]


class Point(NamedTuple):
    """Of a game: `states[i]` is the state after `actions[:i]`, and `states[ply]` is looked at."""

    states: Sequence[Any]
    actions: Sequence[Action]
    ply: int

    @property
    def state(self) -> Any:
        return self.states[self.ply]


@dataclass(frozen=True, slots=True)
class Blunder:
    """Among the actions `first` to `last` (indices into the game) is the one that lost it; the state before
    `first` is proved winnable, the one after `last` proved lost. Equal ends name it exactly."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Verdicts:
    """winnable: the states up to this ply are; -1: none is known to be
    lost:     those from this ply on are; None: none is known to be
    """

    winnable: int = -1
    lost: int | None = None

    def at(self, ply: int) -> Verdict:
        """On the state after so many actions."""
        if ply <= self.winnable:
            return "winnable"
        return "unknown" if self.lost is None or ply < self.lost else "lost"

    def told(self, ply: int, verdict: Verdict) -> Verdicts:
        """With one more."""
        if verdict == "winnable" and ply > self.winnable:
            return replace(self, winnable=ply)
        if verdict == "lost" and (self.lost is None or ply < self.lost):
            return replace(self, lost=ply)
        return self

    def joined(self, other: Verdicts) -> Verdicts:
        """All that both know of the same game."""
        both = self.told(other.winnable, "winnable")
        return both if other.lost is None else both.told(other.lost, "lost")

    def up_to(self, ply: int) -> Verdicts:
        """Of a game that goes another way after so many actions."""
        lost = None if self.lost is None or self.lost > ply else self.lost
        return Verdicts(min(self.winnable, ply), lost)

    def question(self, length: int, tried: Collection[int]) -> int | None:
        """The ply whose verdict would narrow the search for the blunder most, in a game of so many actions:
        its end, then by bisection between the last winnable and the first lost ply, passing by those `tried`
        in vain. None when no verdict would."""
        if self.lost is None:
            return length if self.winnable < length and length not in tried else None
        untried = [ply for ply in range(self.winnable + 1, self.lost) if ply not in tried]
        middle = self.winnable + self.lost
        return min(untried, key=lambda ply: abs(2 * ply - middle), default=None)

    @property
    def blunder(self) -> Blunder | None:
        """The action that lost the game, as narrowly as it is known. None: the game is not known to be lost,
        or its first state is not known to be winnable."""
        if self.lost is None or self.winnable < 0:
            return None
        return Blunder(self.winnable, self.lost - 1)

    @property
    def mistake(self) -> int | None:
        """The ply before the action that lost the game, where it is known exactly."""
        blunder = self.blunder
        return blunder.first if blunder is not None and blunder.first == blunder.last else None
