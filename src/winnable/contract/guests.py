"""Solvers and players that are not ours: registered in a program, or brought by packages as entry points.

    winnable.register("drops", "mine", solver=my_solver)

In a package they are of the groups `winnable.solvers` and `winnable.players`, `GAME.NAME = "MODULE:OBJECT"`.
Whatever they answer, the rules have the last word: a line is replayed, and what they claim to have proved is
said to be claimed.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from winnable.contract.core import (
    Answer,
    IllegalAction,
    Limit,
    Player,
    Progress,
    Search,
    Solver,
    WinnableError,
    costs_along,
    searching,
)
from winnable.contract.methods import Settable

CLAIM = Limit("claim")
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

    def __call__(self, puzzle: Any, state: Any, *more: Any) -> Search[Answer]:
        """Raises WinnableError that names the solver when it fails, or its line does not win."""
        try:
            found = yield from self._searched(puzzle, state, *more)
            if found.status == "unsolvable":
                return replace(found, status="budget", limit=CLAIM, lower_bound=None)
            found = replace(found, lower_bound=None, optimal=False)
            if found.status == "solved":
                cost = 0
                for one in costs_along(puzzle, found.actions, state):
                    cost += one
                    yield Progress("check", found.expanded, found.generated, found.seconds)
                found = replace(found, cost=cost)
            return found
        except (AssertionError, IllegalAction) as error:
            raise WinnableError("guest.line", field=self.name, reason=str(error)) from error
        except WinnableError:
            raise
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise WinnableError("guest.failed", field=self.name, reason=reason) from error

    def _searched(self, *arguments: Any) -> Search[Answer]:
        steps: Search[Any] = searching(self.solver(*arguments))
        while True:
            try:
                told = next(steps)
            except StopIteration as end:
                if isinstance(end.value, Answer):
                    return end.value
                raise TypeError(f"not a Answer: {type(end.value).__name__}") from None
            if isinstance(told, Progress):  # pyright: ignore[reportUnnecessaryIsInstance]
                yield told


def register(
    game: str,
    name: str,
    *,
    solver: Solver | None = None,
    player: Callable[[Any, int], Player] | None = None,
) -> None:
    """One of the two, from now on in this process wherever a method of the game is named; a `Settable` has
    settings. player: (puzzle, seed) -> player. Raises WinnableError."""
    from winnable.contract.registry import load_game

    own = load_game(game)
    if not isinstance(name, str) or not _NAME.fullmatch(name):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise WinnableError("guest.name", field="name", given=str(name)[:40])
    if name in own.players or name in getattr(own, "solvers", {}):
        raise WinnableError("guest.taken", field="name", given=name, game=game)
    if (solver is None) == (player is None) or not callable(solver or player):
        raise WinnableError("guest.kind", field="solver")
    if solver is not None:
        _solvers[game, name] = _guest(name, solver)
        _players.pop((game, name), None)
    elif player is not None:
        _players[game, name] = player
        _solvers.pop((game, name), None)


def solvers(game: str) -> Mapping[str, Solver]:
    return _of(game, _installed("winnable.solvers"), _solvers)


def players(game: str) -> Mapping[str, Callable[[Any, int], Player]]:
    return _of(game, _installed("winnable.players"), _players)


def _guest(name: str, solver: Solver) -> Solver:
    if isinstance(solver, Settable):
        return Settable(Guest(name, solver.function), solver.settings)
    return Guest(name, solver)


def _of(game: str, *found: Mapping[tuple[str, str], Any]) -> dict[str, Any]:
    return {name: method for methods in found for (of, name), method in methods.items() if of == game}


@cache
def _installed(group: str) -> Mapping[tuple[str, str], Any]:
    """What packages bring. Of one that cannot be used it is logged why."""
    from importlib.metadata import entry_points

    found: dict[tuple[str, str], Any] = {}
    try:
        points = [*entry_points(group=group)]
    except Exception:  # the list of games has said so
        return found
    for point in points:
        game, _, name = point.name.partition(".")
        try:
            if not _NAME.fullmatch(name):
                raise WinnableError("guest.name", field=point.name, given=name[:40])
            method = point.load()
        except Exception as error:
            log.error("%s", WinnableError("guest.broken", field=point.name, reason=str(error)))
        else:
            found[game, name] = _guest(name, method) if group.endswith("solvers") else method
    return found
