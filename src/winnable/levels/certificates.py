"""Whether what is claimed of a level holds, by the readable rules alone: no solver, nothing compiled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from msgspec.structs import replace

from winnable import __version__
from winnable.contract.abilities import Refutes
from winnable.contract.core import Action, Answer, IllegalAction, LevelError, Puzzle, WinnableError, replay
from winnable.contract.game import Game
from winnable.contract.provenance import Certificate

L = TypeVar("L")


def certified(level: L, solver: str, result: Answer) -> L:
    """The level with the solver's line in it."""
    certificate = Certificate("solved", solver, __version__, result.actions, result.cost, result.lower_bound)
    return replace(level, certificate=certificate)  # type: ignore[type-var]


def line_certificate(solver: str, line: Sequence[Action]) -> Certificate:
    """Claims that the line wins, and that none has fewer actions: where all lines are as long."""
    return Certificate("solved", solver, __version__, tuple(line), len(line), len(line))


def line_fault(puzzle: Puzzle, actions: Sequence[int]) -> WinnableError | None:
    """Why `actions` do not win from the start; None when they do."""
    try:
        end = replay(puzzle, actions)
    except IllegalAction as error:
        return error
    if puzzle.is_goal(end):
        return None
    return WinnableError("line.short.one" if len(actions) == 1 else "line.short", count=len(actions))


def certificate_fault(game: Game, puzzle: Puzzle, certificate: Certificate) -> WinnableError | None:
    """What is wrong with it: its line, a figure that its own line contradicts, or its closed set. Raises
    WinnableError when it claims `unsolvable` and does not say why."""
    if certificate.status == "unsolvable":
        if certificate.closed_set is None:
            raise WinnableError("closed.lacks", field="closed_set")
        if not isinstance(game, Refutes):
            return LevelError("closed.unknown", field="closed_set")
        return game.refutation_fault(puzzle, certificate.closed_set)
    if problem := line_fault(puzzle, certificate.actions):
        return problem
    cost, state = 0, puzzle.initial()
    for action in certificate.actions:
        cost += puzzle.cost(state, action)
        state = puzzle.apply(state, action)
    if certificate.cost not in (None, cost):
        return WinnableError("line.claim", field="cost", claimed=certificate.cost, cost=cost)
    if certificate.lower_bound is not None and certificate.lower_bound > cost:
        return WinnableError("line.claim", field="lower_bound", claimed=certificate.lower_bound, cost=cost)
    return None
