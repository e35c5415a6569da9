"""The contract between games, searches, players and shells.

A *puzzle* is one level of a deterministic game. States are immutable, hashable values; actions are small
integers whose meaning never depends on the state; rules never draw, wait, log or roll dice by themselves.
Abilities that only some games have are small protocols of their own, found by type and never by flags.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any, Protocol, cast, runtime_checkable
from unicodedata import normalize

from winnable.contract.arguments import several, whole
from winnable.contract.budget import (
    Action,
    Answer,
    Best,
    Budget,
    Found,
    Limit,
    LimitKind,
    Progress,
    Reason,
    Search,
    Status,
    answer_of,
    begun,
    collected,
    finish,
    searching,
)
from winnable.contract.errors import IllegalAction, LevelError, WinnableError, unreadable, unusable
from winnable.contract.generics import TypeVar

__all__ = [
    "Action",
    "Aimed",
    "Answer",
    "Best",
    "Budget",
    "Completed",
    "Found",
    "IllegalAction",
    "LevelError",
    "Limit",
    "LimitKind",
    "Named",
    "Observed",
    "Player",
    "PlaysWhole",
    "Progress",
    "Puzzle",
    "Reason",
    "S",
    "Search",
    "Solver",
    "Status",
    "Stepped",
    "Traced",
    "WinnableError",
    "action_name",
    "action_number",
    "answer_of",
    "begun",
    "check_line",
    "collected",
    "completion",
    "decide",
    "finish",
    "replay",
    "searching",
    "step",
    "unreadable",
    "unusable",
    "with_moves",
]

S = TypeVar("S", bound=Hashable, default=Any)
S_contra = TypeVar("S_contra", bound=Hashable, default=Any, contravariant=True)


class Puzzle(Protocol[S]):
    """One level. `0 <= action < num_actions`, whatever the state."""

    @property
    def num_actions(self) -> int:
        """How many there are in all, legal or not."""
        ...

    def initial(self) -> S:
        """The state at the start."""
        ...

    def legal_actions(self, state: S) -> Sequence[Action]:
        """Ascending. Empty although `is_goal` is false: the game is lost."""
        ...

    def apply(self, state: S, action: Action) -> S:
        """The next state; `state` stays as it is. Raises IllegalAction."""
        ...

    def is_goal(self, state: S) -> bool:
        """Whether the game is won."""
        ...

    def cost(self, state: S, action: Action) -> int:
        """What the action costs here, 0 or more; of lines, the sum counts."""
        ...


@runtime_checkable
class Named(Protocol):
    """Actions have names that people read and type."""

    def action_name(self, action: Action) -> str: ...
    def parse_action(self, text: str) -> Action:
        """Inverse of `action_name`. Raises IllegalAction."""
        ...


def action_name(puzzle: Any, action: Action) -> str:
    """The puzzle's own name for it, else its number."""
    return puzzle.action_name(action) if isinstance(puzzle, Named) else str(action)


def with_moves(puzzle: Any, found: Answer, name: Callable[[Any, Action], str] = action_name) -> Answer:
    """The answer with its actions, and those of its `best`, as the game writes them, or as `name` does."""

    def moves(actions: Sequence[Action]) -> tuple[str, ...]:
        return tuple(name(puzzle, action) for action in actions)

    best = found.best and replace(found.best, moves=moves(found.best.actions))
    return replace(found, moves=moves(found.actions), best=best)


def parsed_action(puzzle: Any, text: str) -> Action:
    """By its name, or its number where actions have no names; a Chinese keyboard's wide characters count as
    plain ones. Raises IllegalAction."""
    text = normalize("NFKC", text).strip()
    if isinstance(puzzle, Named):
        return puzzle.parse_action(text)
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise IllegalAction("cli.action", given=text[:40])
    return int(text)


def split_actions(text: str) -> list[str]:
    """What a person wrote as several: with blanks, semicolons or ideographic commas between; commas too,
    before blanks and between brackets. To be read by `parsed_action`."""
    parts = re.split(r"[\s;、]+|(?<=\)),(?=\()", normalize("NFKC", text))
    return [action for part in parts if (action := part.strip(","))]


@runtime_checkable
class Observed(Protocol[S_contra]):
    """What a person sees of a state: hidden things stay hidden. The result encodes to JSON by msgspec."""

    def observe(self, state: S_contra) -> Any: ...


@runtime_checkable
class Traced(Protocol[S_contra]):
    """What happens between two states, step by step, for animation. Each frame encodes to JSON by msgspec."""

    def trace(self, state: S_contra, action: Action) -> Sequence[Any]:
        """The last frame shows the state that `apply` leads to. Raises IllegalAction."""
        ...


@runtime_checkable
class Stepped(Traced[S], Protocol[S]):
    """Frames and the state after them come of the same work, which may be long."""

    def step(self, state: S, action: Action) -> tuple[S, Sequence[Any]]:
        """What `apply` and `trace` return. Raises IllegalAction."""
        ...


def step(puzzle: Any, state: S, action: Action) -> tuple[S, Sequence[Any]]:
    """The next state, and the frames on the way to it; none where the puzzle has no `trace`. Raises
    IllegalAction."""
    if isinstance(puzzle, Stepped):
        return cast("Stepped[S]", puzzle).step(state, action)
    after = puzzle.apply(state, action)
    return after, cast("Traced[S]", puzzle).trace(state, action) if isinstance(puzzle, Traced) else ()


@runtime_checkable
class Aimed(Protocol[S_contra]):
    """A game of chance with something to reach on its way, such as a tile to make. `is_goal` stays false."""

    def reached(self, state: S_contra) -> bool | None:
        """None: this level asks for nothing."""
        ...


def reached(puzzle: Any, state: Hashable) -> bool | None:
    """Whether the goal of a game of chance was made; None: there is none."""
    return cast("Aimed", puzzle).reached(state) if isinstance(puzzle, Aimed) else None


@runtime_checkable
class Completed(Protocol[S_contra]):
    """How much of the level is done, from 0 to 1 at the goal."""

    def completion(self, state: S_contra) -> float: ...


def completion(puzzle: Any, state: Hashable) -> float | None:
    """None: the game does not say."""
    return cast("Completed", puzzle).completion(state) if isinstance(puzzle, Completed) else None


class Player(Protocol[S_contra]):
    """Chooses one action at a time; its chance, if any, comes from the seed that it was made with."""

    def choose(self, state: S_contra) -> Found[Action]:
        """One of the legal actions of `state`, which has at least one; by a search where it takes long."""
        ...


@runtime_checkable
class PlaysWhole(Protocol):
    """A player that plays a game from its start faster than choice by choice."""

    def play(self) -> Sequence[Action]: ...


class Solver(Protocol):
    """Decides a state, as a search that can be driven step by step. A plain function that answers at once may
    be one too; then nothing else is done meanwhile where there is one thread. Raises nothing but
    WinnableError; keeps to its budget; the same seed, the same answer (as long as the clock does not cut it).
    """

    def __call__(self, puzzle: Any, state: Any, budget: Budget, seed: int, /) -> Found[Answer]: ...


def replay(puzzle: Puzzle[S], actions: Sequence[Action], start: S | None = None) -> S:
    """The state after `actions`, by the rules. Raises IllegalAction that names the first bad step."""
    state = _begun(puzzle, start)
    for step, action in enumerate(several("actions", actions)):
        try:
            state = puzzle.apply(state, action_number("action", action))
        except IllegalAction as error:
            raise error.within(f"action {step} of {len(actions)}") from None
    return state


def line_states(puzzle: Puzzle[S], line: Sequence[Action], start: S | None = None) -> list[S]:
    """The states along a solver's line, from the start to the goal. A solver's word is not enough: the
    readable rules have the last one. Raises AssertionError when the line does not reach the goal,
    IllegalAction when it breaks the rules."""
    return [*states_along(puzzle, line, start)]


def states_along(puzzle: Puzzle[S], line: Sequence[Action], start: S | None = None) -> Iterator[S]:
    """Like `line_states`, one after the other: all at once they may be gigabytes."""
    state = _begun(puzzle, start)
    for action in several("line", line):
        yield state
        state = puzzle.apply(state, action_number("line", action))
    if not puzzle.is_goal(state):
        raise AssertionError("a solver's line does not reach the goal")
    yield state


def check_line(puzzle: Puzzle[S], line: Sequence[Action], start: S | None = None) -> int:
    """What a solver's line costs. Raises likewise."""
    return sum(costs_along(puzzle, line, start))


def decide(solver: Solver, puzzle: Puzzle[S], state: S, budget: Budget, seed: int = 0) -> Search[Answer]:
    """What a solver says of the state; a line has been replayed by the rules. Raises likewise."""
    answer = yield from searching(solver(puzzle, state, budget, seed))
    if answer.status == "solved":
        check_line(puzzle, answer.actions, state)
    return answer


def costs_along(puzzle: Puzzle[S], line: Sequence[Action], start: S | None = None) -> Iterator[int]:
    """What each action of a solver's line costs, one after the other. Raises likewise."""
    line = [*several("line", line)]
    for state, action in zip_longest(states_along(puzzle, line, start), line):
        if action is not None:
            yield puzzle.cost(state, action)


def action_number(field: str, action: Any) -> Action:
    """A plain integer of what stands for one. Raises IllegalAction."""
    try:
        return whole(field, action)
    except LevelError as error:
        raise IllegalAction("action.kind", **error.values) from None


def _begun(puzzle: Puzzle[S], start: S | None) -> S:
    """The state to start from, else the one that the puzzle begins with. Raises WinnableError for what is no
    puzzle."""
    if not callable(getattr(puzzle, "initial", None)):
        raise WinnableError("shape.kind", field="puzzle", kind="Puzzle", given=type(puzzle).__name__)
    return puzzle.initial() if start is None else start
