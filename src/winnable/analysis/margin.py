"""How much room a player has: how many of the legal actions still win, and how many keep the fewest actions.

Where lines differ in length both may count: a level with a limit is to be won, with as few actions as may be.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from winnable.analysis.costs import CLEARLY, NARROW, Narrowing, Room
from winnable.analysis.verdicts import Point, Verdict
from winnable.contract.abilities import ProvesFewest, Solves
from winnable.contract.core import Action, Budget, Solver, SolveResult

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
        return all(share is None or not share.open for share in (self.wins, self.fewest))


def open_margin(known: Proves, state: Any) -> Margin:
    """Where nothing was looked into."""
    game, legal = known.game, len(known.puzzle.legal_actions(state))
    proves_fewest = isinstance(game, ProvesFewest)
    nothing = Share(0, legal) if legal else None
    can_be_lost = not proves_fewest or game.can_be_lost(known.puzzle)
    return Margin(legal, nothing if can_be_lost else None, nothing if proves_fewest else None)


class Proves(Protocol):
    """What is known of the states of one level, and learns: `ByProof`."""

    @property
    def game(self) -> Solves: ...
    @property
    def puzzle(self) -> Any: ...
    def verdict(self, state: Any) -> Verdict: ...
    def fewest(self, state: Any) -> int | None: ...
    def keeps_fewest(self, before: Any, after: Any) -> bool | None: ...
    def line(self, state: Any) -> tuple[Action, ...] | None: ...
    def inherit(self, before: Any, action: Action, line: Sequence[Action] | None = None) -> None: ...
    def learn(self, state: Any, result: SolveResult) -> None: ...
    def rule_out(self, state: Any, fewer: int) -> None: ...
    def solver_after(self, state: Any) -> Solver: ...


def margins(known: Proves, state: Any, budget: Budget) -> Iterator[Margin]:
    """What is known of it without search, then after each action that was looked into with success, until all
    is known or the budget ends; nothing where the game is over.

    `known` learns what is proved on the way. Actions that lead to the same state are looked into once. How
    many keep the fewest stays open where the fewest actions of the state itself are not known."""
    count = _Count(known, state)
    if not count.actions:
        return
    count.inherit(budget)
    yield count.margin
    for seconds in LOOK_SECONDS:
        for after in list(count.open):
            if budget.limit(0) is not None:
                return
            if after in count.open and count.look(after, budget.part(most=seconds)):
                yield count.margin


def narrowings(
    known: Proves, point: Point, last: int, budget: Callable[[], Budget | None]
) -> Iterator[Narrowing]:
    """Of the game's actions up to the state `last`, from the last to the first, where the room before and
    after is known exactly; until there is no budget for it. The action after it is the first of them where it
    lost the game. The point's ply is nothing to it."""
    states, after = point.states, None
    if last + 1 < len(states) and known.verdict(states[last + 1]) == "lost":
        after = Room(0, len(known.puzzle.legal_actions(states[last + 1])))
    for ply in range(last, -1, -1):
        if (given := budget()) is None:
            return
        before = _room(known, states[ply], given)
        if before is not None and after is not None:
            found = Narrowing(ply, before, after)
            if after.wins and found.loss >= NARROW:
                found = replace(found, better=_roomier(known, states[ply], after, budget))
            yield found
        after = before


def _roomier(known: Proves, state: Any, than: Room, budget: Callable[[], Budget | None]) -> Action | None:
    """An action that leaves clearly more room; None: none was found."""
    for action in known.puzzle.legal_actions(state):
        after = known.puzzle.apply(state, action)
        if known.verdict(after) == "winnable":
            if (given := budget()) is None:
                return None
            room = _room(known, after, given)
            if room is not None and room.share >= than.share + CLEARLY:
                return action
    return None


def _room(known: Proves, state: Any, budget: Budget) -> Room | None:
    """None: it is not known, no action can lose, or there is none."""
    margin = next(iter(deque(margins(known, state, budget), maxlen=1)), None)
    if margin is None or margin.wins is None or margin.wins.open:
        return None
    return Room(margin.wins.yes, margin.legal)


class _Count:
    """actions: by the state that they lead to; open: those of these states that are still asked about"""

    def __init__(self, known: Proves, state: Any) -> None:
        self._known, self._state, game = known, state, known.game
        self.actions: defaultdict[Any, list[Action]] = defaultdict(list)
        for action in known.puzzle.legal_actions(state):
            self.actions[known.puzzle.apply(state, action)].append(action)
        self._within = game.within(known.puzzle) if isinstance(game, ProvesFewest) else None
        self._can_be_lost = not isinstance(game, ProvesFewest) or game.can_be_lost(known.puzzle)
        self._solve = known.solver_after(state)
        self._wins: dict[Any, bool] = {}
        self._keeps: dict[Any, bool] = {}
        self.open = dict.fromkeys(self.actions)

    def inherit(self, budget: Budget) -> None:
        """What is known without search."""
        for actions in self.actions.values():
            if budget.limit(0) is None:
                self._known.inherit(self._state, actions[0])
        self._note(self.open)

    @property
    def margin(self) -> Margin:
        return Margin(
            sum(map(len, self.actions.values())),
            self._share(self._wins) if self._can_be_lost else None,
            self._share(self._keeps) if self._within else None,
        )

    def look(self, after: Any, budget: Budget) -> bool:
        """Asks what is still to be asked about it; whether that brought anything."""
        known, fewest = self._known, self._known.fewest(self._state)
        if self._within and fewest is not None and after not in self._keeps:
            found = self._within(after, fewest - 1, budget)
            if found.status == "unsolvable":
                known.rule_out(after, fewest)
            else:
                known.learn(after, found)
        else:
            known.learn(after, self._solve(known.puzzle, after, budget, 0))
        line = known.line(after)
        if line is not None:
            self._spread((self.actions[after][0], *line))
        return self._note([after] if line is None else self.open)

    def _spread(self, line: Sequence[Action]) -> None:
        """From another line that wins: it may begin with another of its actions as well."""
        if self._known.verdict(self._state) == "unknown":
            self._known.learn(self._state, SolveResult("solved", tuple(line)))
        for after in self.open:
            if self.actions[after][0] in line:
                self._known.inherit(self._state, self.actions[after][0], line)

    def _note(self, states: Iterable[Any]) -> bool:
        """What is known of these by now; whether that is more than before."""
        noted = len(self._wins) + len(self._keeps)
        for after in list(states):
            if self._can_be_lost and (verdict := self._known.verdict(after)) != "unknown":
                self._wins[after] = verdict == "winnable"
            if self._within and (keeps := self._known.keeps_fewest(self._state, after)) is not None:
                self._keeps[after] = keeps
            if not self._is_open(after):
                self.open.pop(after, None)
        return len(self._wins) + len(self._keeps) > noted

    def _is_open(self, after: Any) -> bool:
        asked = self._within and self._known.fewest(self._state) is not None
        return (self._can_be_lost and after not in self._wins) or bool(asked and after not in self._keeps)

    def _share(self, answers: Mapping[Any, bool]) -> Share:
        counts = {after: len(actions) for after, actions in self.actions.items()}
        yes = sum(count for after, count in counts.items() if answers.get(after))
        return Share(yes, sum(count for after, count in counts.items() if after not in answers))
