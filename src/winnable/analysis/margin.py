"""How much room a player has: how many of the legal actions still win, and how many keep the fewest actions.

Where lines differ in length both may count: a level with a limit is to be won, with as few actions as may be.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any, cast

from winnable.analysis.by_proof import ByProof, pacing
from winnable.analysis.costs import CLEARLY, NARROW, Narrowing, Room
from winnable.analysis.engine import engine
from winnable.analysis.verdicts import Point
from winnable.contract.abilities import ProvesFewest
from winnable.contract.core import Action, Answer, Budget, Progress, Search, collected
from winnable.contract.game import Game

LOOK_SECONDS = tuple(0.012 * 4**look for look in range(9))
"""For one action; those still open are asked again, for longer."""


@dataclass(frozen=True, slots=True)
class Share:
    """Of the legal actions: those that do, each by a line that the rules have replayed; and those of which it
    is not known. Of all others it is proved that they do not."""

    yes: int
    open: int


@dataclass(frozen=True, slots=True)
class Margin:
    """Of the actions that are legal in a state.

    wins:   how many still win; None: no action can lose here
    fewest: how many keep the fewest actions; None: that is not what counts here
    """

    legal: int
    wins: Share | None
    fewest: Share | None

    @property
    def is_exact(self) -> bool:
        """Whether nothing is open."""
        return all(share is None or not share.open for share in (self.wins, self.fewest))


def open_margin(known: ByProof, state: Hashable) -> Margin:
    """Where nothing was looked into."""
    game, legal = known.game, len(known.puzzle.legal_actions(state))
    proves_fewest = isinstance(game, ProvesFewest)
    nothing = Share(0, legal) if legal else None
    can_be_lost = not proves_fewest or game.can_be_lost(known.puzzle)
    return Margin(legal, nothing if can_be_lost else None, nothing if proves_fewest else None)


def margins(known: ByProof, state: Hashable, budget: Budget) -> Iterator[Progress | Margin]:
    """What is known of it without search, then after each action that was looked into with success, until all
    is known or the budget ends; nothing where the game is over.

    `known` learns what is proved on the way. Actions that lead to the same state are looked into once. How
    many keep the fewest stays open where the fewest actions of the state itself are not known."""
    yield from engine().ready(cast("Game", known.game), budget)
    count = _Count(known, state, budget)
    if not count.legal:
        return
    if not (yield from count.begin()):
        yield open_margin(known, state)
        return
    yield count.margin
    for seconds in LOOK_SECONDS:
        for after in list(count.open):
            if budget.limit(0) is not None:
                return
            if after in count.open and (yield from count.look(after, budget.part(most=seconds))):
                yield count.margin


def narrowings(
    known: ByProof, point: Point, budget: Budget, each: float = inf
) -> Iterator[Progress | Narrowing]:
    """Of the game's actions up to the last state that can still be won, from the last to the first, where the
    room before and after is known exactly; until the budget ends. The action after it is the first of them
    where it lost the game. Nothing where lines differ in length. The point's ply is nothing to it.

    each: seconds for each state at the most"""
    if isinstance(known.game, ProvesFewest):
        return
    states, after = point.states, None
    last = (yield from known.finding_verdicts(states, pacing(budget))).winnable
    if last + 1 < len(states) and known.verdict(states[last + 1]) == "lost":
        after = Room(0, len(known.puzzle.legal_actions(states[last + 1])))
    for ply in range(last, -1, -1):
        if budget.limit(0) is not None:
            return
        before = yield from _room(known, states[ply], budget.part(most=each))
        if before is not None and after is not None:
            found = Narrowing(ply, before, after)
            if after.wins and found.loss >= NARROW:
                found = replace(found, better=(yield from _roomier(known, states[ply], after, budget, each)))
            yield found
        after = before


def _roomier(
    known: ByProof, state: Hashable, than: Room, budget: Budget, each: float
) -> Search[Action | None]:
    """An action that leaves clearly more room; None: none was found."""
    for action in known.puzzle.legal_actions(state):
        after = known.puzzle.apply(state, action)
        if known.verdict(after) == "winnable":
            if budget.limit(0) is not None:
                return None
            room = yield from _room(known, after, budget.part(most=each))
            if room is not None and room.share >= than.share + CLEARLY:
                return action
    return None


def _room(known: ByProof, state: Hashable, budget: Budget) -> Search[Room | None]:
    """None: it is not known, no action can lose, or there is none."""
    found = yield from collected(margins(known, state, budget))
    if not found or (wins := found[-1].wins) is None or wins.open:
        return None
    return Room(wins.yes, found[-1].legal)


class _Count:
    """actions: by the state that they lead to; open: those of these states that are still asked about"""

    def __init__(self, known: ByProof, state: Hashable, budget: Budget) -> None:
        self._known, self._state, self._meter, game = known, state, pacing(budget), known.game
        self.legal = known.puzzle.legal_actions(state)
        self.actions: defaultdict[Any, list[Action]] = defaultdict(list)
        self.open: dict[Any, None] = {}
        self._within = game.within(known.puzzle) if isinstance(game, ProvesFewest) else None
        self._can_be_lost = not isinstance(game, ProvesFewest) or game.can_be_lost(known.puzzle)
        self._solve = known.solver_after(state)
        self._wins: dict[Any, bool] = {}
        self._keeps: dict[Any, bool] = {}

    def begin(self) -> Search[bool]:
        """Where the actions lead, and what is known without search. False: the budget ended before."""
        puzzle = self._known.puzzle
        for action in self.legal:
            if self._meter.is_due and not (yield from self._meter.allows("next")):
                return False
            self.actions[puzzle.apply(self._state, action)].append(action)
        self.open |= dict.fromkeys(self.actions)
        for actions in self.actions.values():
            if self._meter.budget.limit(0) is not None:
                break
            if self._meter.is_due:
                yield from self._meter.allows("next")
            yield from self._known.inherit(self._state, actions[0], self._meter)
        yield from self._note(self.open)
        return True

    @property
    def margin(self) -> Margin:
        return Margin(
            len(self.legal),
            self._share(self._wins) if self._can_be_lost else None,
            self._share(self._keeps) if self._within else None,
        )

    def look(self, after: Hashable, budget: Budget) -> Search[bool]:
        """Asks what is still to be asked about it; returns whether that brought anything."""
        known, fewest = self._known, self._known.fewest(self._state)
        if self._within and fewest is not None and after not in self._keeps:
            within = self._within
            found = yield from engine().run(lambda: within(after, fewest - 1, budget), budget)
            if found.status == "unsolvable":
                known.rule_out(after, fewest)
            else:
                yield from known.learning(after, found, self._meter)
        else:
            found = yield from engine().run(lambda: self._solve(known.puzzle, after, budget, 0), budget)
            yield from known.learning(after, found, self._meter)
        line = known.line(after)
        if line is not None:
            yield from self._spread((self.actions[after][0], *line))
        return (yield from self._note([after] if line is None else self.open))

    def _spread(self, line: Sequence[Action]) -> Search[None]:
        """From another line that wins: it may begin with another of its actions as well."""
        if self._known.verdict(self._state) == "unknown":
            yield from self._known.learning(self._state, Answer("solved", tuple(line)), self._meter)
        taken = {*line}
        for after in self.open:
            if self._meter.budget.limit(0) is not None:
                return
            if self.actions[after][0] in taken:
                yield from self._known.inherit(self._state, self.actions[after][0], self._meter, line)

    def _note(self, states: Iterable[Any]) -> Search[bool]:
        """What is known of these by now; whether that is more than before."""
        noted = len(self._wins) + len(self._keeps)
        for after in list(states):
            if self._meter.is_due:
                yield from self._meter.allows("next")
            if self._can_be_lost and (verdict := self._known.verdict(after)) != "unknown":
                self._wins[after] = verdict == "winnable"
            if self._within and (keeps := self._known.keeps_fewest(self._state, after)) is not None:
                self._keeps[after] = keeps
            if not self._is_open(after):
                self.open.pop(after, None)
        return len(self._wins) + len(self._keeps) > noted

    def _is_open(self, after: Hashable) -> bool:
        asked = self._within and self._known.fewest(self._state) is not None
        return (self._can_be_lost and after not in self._wins) or bool(asked and after not in self._keeps)

    def _share(self, answers: Mapping[Any, bool]) -> Share:
        told = {after: len(self.actions[after]) for after in answers}
        yes = sum(count for after, count in told.items() if answers[after])
        return Share(yes, len(self.legal) - sum(told.values()))
