"""Solvers and players that are not ours: registered in a program, or brought by packages as entry points.

    winnable.register("drops", "mine", solver=my_solver)

In a package they are of the groups `winnable.solvers` and `winnable.players`, `GAME.NAME = "MODULE:OBJECT"`.
Whatever they answer, the rules have the last word: a line is replayed, and what they claim to have proved is
said to be claimed.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib import import_module
from typing import Any, TypeVar

from msgspec import ValidationError, convert, to_builtins

from winnable.contract.arguments import shown
from winnable.contract.core import (
    Action,
    Answer,
    Budget,
    IllegalAction,
    Limit,
    Player,
    Progress,
    Search,
    Solver,
    WinnableError,
    action_number,
    costs_along,
    searching,
)
from winnable.contract.methods import Settable

T = TypeVar("T")
CLAIM = Limit("claim")
STEP_SECONDS, GRACE_SECONDS = 0.01, 0.3
"""How long the rules go on in one step; how long after its budget a solver may take to answer by itself."""
log = logging.getLogger("winnable")
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,30}")
_solvers: dict[tuple[str, str], Solver] = {}
_players: dict[tuple[str, str], Callable[[Any, int], Player]] = {}


@dataclass(frozen=True, slots=True)
class Guest:
    """A solver that is not ours. What it says of bounds counts for nothing; that there is no line is a claim,
    which a limit of this kind says."""

    name: str
    solver: Callable[..., Any]

    def __call__(self, puzzle: Any, state: Any, budget: Budget, *more: Any) -> Search[Answer]:
        """Raises WinnableError that names the solver when it fails, or its line does not win."""
        with _named(self.name, "guest.failed"):
            work = partial(self.solver, puzzle, state, budget, *more)
            answered: Any = yield from _driven(work, self.name, budget)
            if not isinstance(answered, Answer):
                raise TypeError(f"not a Answer: {type(answered).__name__}")
            found = replace(_plain(answered, Answer), lower_bound=None, optimal=False, outlook=None)
            if found.status == "unsolvable":
                return replace(found, status="budget", limit=CLAIM)
            if found.status == "solved":
                steps = costs_along(puzzle, found.actions, state)
                found = replace(found, cost=sum((yield from self._checked(steps, found))))
            elif found.best is not None and (found.limit is None or found.limit.kind != "supply"):
                yield from self._checked(_played(puzzle, found.best.actions, state), found)
            return found

    def _checked(self, steps: Iterable[T], found: Answer) -> Search[list[T]]:
        """What the rules say of a line, step by step."""
        done, told = list[T](), time.monotonic()
        try:
            for step in steps:
                done.append(step)
                if time.monotonic() - told > STEP_SECONDS:
                    yield Progress("check", found.expanded, found.generated, found.seconds)
                    told = time.monotonic()
        except (AssertionError, IllegalAction) as error:
            raise WinnableError("guest.line", field=self.name, reason=str(error)) from error
        return done


@dataclass(frozen=True, slots=True)
class GuestPlayer:
    """What makes a player that is not ours."""

    name: str
    make: Callable[..., Any]

    def __call__(self, puzzle: Any, *more: Any) -> Player:
        with _named(self.name, "guest.player"):
            return _Seat(self.name, puzzle, self.make(puzzle, *more))


@dataclass(frozen=True, slots=True)
class _Seat:
    """Hears what the player chooses."""

    _name: str
    _puzzle: Any
    _player: Any

    def choose(self, state: Any) -> Search[Action]:
        """Raises WinnableError that names the player when it fails, or chooses what is not legal."""
        with _named(self._name, "guest.player"):
            action = yield from _driven(partial(self._player.choose, state), self._name)
            action = action_number("choose", action)
            if action not in self._puzzle.legal_actions(state):
                raise IllegalAction("action.here", given=action)
            return action


@contextmanager
def _named(name: str, code: str) -> Generator[None]:
    """Whatever a stranger's code raises is said with its name."""
    try:
        yield
    except IllegalAction as error:
        raise WinnableError(code, field=name, reason=str(error)) from error
    except WinnableError:
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {shown(error, str)}"
        raise WinnableError(code, field=name, reason=reason) from error


def _driven(work: Callable[[], Any], name: str, budget: Budget | None = None) -> Search[Any]:
    """What it returns. Whatever it yields is a step, so that whoever drives it need not go on; and after its
    budget it is left."""
    steps, began, over = searching(work()), time.monotonic(), 0.0
    while True:
        try:
            told: Any = next(steps)
        except StopIteration as end:
            return end.value
        try:
            yield _plain(told, Progress)
        except (TypeError, ValidationError):
            yield Progress(name, 0, 0, time.monotonic() - began)
        if budget is not None and (limit := budget.limit(0)) is not None:
            over = over or time.monotonic()
            if time.monotonic() - over > GRACE_SECONDS:
                steps.close()
                return Answer("budget", limit=limit)


def _plain(told: Any, kind: type[T]) -> T:
    """Of the types that it is said to have; numpy's numbers too. Raises TypeError, ValidationError."""
    return convert(to_builtins(told, enc_hook=_number), kind)


def _number(value: Any) -> Any:
    if not callable(plain := getattr(value, "tolist", None)):
        raise TypeError(f"not expected: {type(value).__name__}")
    return plain()


def _played(puzzle: Any, actions: Sequence[Action], state: Any) -> Iterable[Any]:
    for action in actions:
        yield (state := puzzle.apply(state, action))


def register(
    game: str,
    name: str,
    *,
    solver: Solver | None = None,
    player: Callable[[Any, int], Player] | None = None,
) -> None:
    """One of the two, from now on in this process wherever a method of the game is named; a `Settable` has
    settings. player: (puzzle, seed) -> player. Raises WinnableError."""
    if (solver is None) == (player is None):
        raise WinnableError("guest.kind", field="solver")
    if solver is not None:
        _solvers[game, name] = _guest(Guest, game, name, solver)
        _players.pop((game, name), None)
    else:
        _players[game, name] = _guest(GuestPlayer, game, name, player)
        _solvers.pop((game, name), None)


def solvers(game: str) -> Mapping[str, Solver]:
    return {**_installed("winnable.solvers", game), **_registered(_solvers, game)}


def players(game: str) -> Mapping[str, Callable[[Any, int], Player]]:
    return {**_installed("winnable.players", game), **_registered(_players, game)}


def place_of(game: str, name: str, must: bool) -> str:
    """Where another process finds what is registered under this name, as `solver MODULE:OBJECT`; "": it is
    ours, or an installed package brings it. Where it cannot be found so it is "", too, or raises
    WinnableError if it must be found."""
    for kind, table in (("solver", _solvers), ("player", _players)):
        if (game, name) in table:
            guest: Any = table[game, name]
            code: Any = getattr(guest, "solver", None) or getattr(guest, "make", None)
            place = f"{getattr(code, '__module__', '')}:{getattr(code, '__qualname__', '')}"
            try:
                found = _at(place)
            except (ImportError, AttributeError, ValueError):
                found = None
            if code is not None and found is code:
                return f"{kind} {place}"
            if must:
                raise WinnableError("guest.elsewhere", field=name)
    return ""


def bring(game: str, name: str, place: str) -> None:
    """Registers what `place_of` found in another process, unless it is here. Raises WinnableError."""
    kind, _, where = place.partition(" ")
    if kind and (game, name) not in (_solvers if kind == "solver" else _players):
        try:
            code = _at(where)
        except (ImportError, AttributeError, ValueError) as error:
            raise WinnableError("guest.failed", field=name, reason=str(error)) from error
        register(game, name, **{kind: code})


def _at(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def _registered(methods: Mapping[tuple[str, str], T], game: str) -> dict[str, T]:
    return {name: method for (of, name), method in methods.items() if of == game}


def _guest(kind: Callable[[str, Any], Any], game: str, name: Any, method: Any) -> Any:
    """Raises WinnableError."""
    from winnable.contract.registry import load_game

    own = load_game(game)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise WinnableError("guest.name", field="name", given=str(name)[:40])
    if name in own.players or name in getattr(own, "solvers", {}):
        raise WinnableError("guest.taken", field="name", given=name, game=game)
    if not callable(method):
        raise WinnableError("guest.kind", field="solver")
    if isinstance(method, Settable):
        return Settable(kind(name, method.function), method.settings)
    return kind(name, method)


@cache
def _installed(group: str, game: str) -> Mapping[str, Any]:
    """What packages bring to the game. Of one that cannot be used it is logged why."""
    from importlib.metadata import entry_points

    kind = Guest if group.endswith("solvers") else GuestPlayer
    found: dict[str, Any] = {}
    try:
        points = [*entry_points(group=group)]
    except Exception:  # the list of games has said so
        return found
    for point in points:
        of, _, name = point.name.partition(".")
        if of != game:
            continue
        try:
            found[name] = _guest(kind, game, name, point.load())
        except Exception as error:
            log.error("%s", WinnableError("guest.broken", field=point.name, reason=shown(error, str)))
    return found
