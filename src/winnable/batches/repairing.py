"""Repairs of levels as a batch."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from winnable.batches.requests import LevelGiven, Request
from winnable.contract.abilities import repairs_of
from winnable.contract.core import Budget, LevelError, Progress, Search, WinnableError, begun
from winnable.contract.methods import choose_method
from winnable.contract.provenance import unchecked_replace
from winnable.contract.registry import load_game
from winnable.levels.certificates import line_fault
from winnable.levels.files import NamedLevel, encode_level


class Repaired(NamedTuple):
    """content: the level as a file has it; None: none was found, for a reason"""

    content: bytes | None
    reason: LevelError | None = None
    told: Progress | None = None
    """The last that the method told."""


def is_passed_over(named: NamedLevel, of_several: bool) -> bool:
    """Whether it stays as it is, as no method repairs levels of its game; one alone is refused instead."""
    return of_several and not repairs_of(named.game)


class Repair(Request, frozen=True, kw_only=True):
    """A level changed so that it can be won. named: the new one says that it was made for this request"""

    level: LevelGiven
    by: str
    seed: int
    seconds: float
    memory: int | None = None
    named: bool = False

    def answer(self, whole: Budget) -> Search[Repaired]:
        game, named = load_game(self.game), self.level.named()
        method = choose_method("method", repairs_of(game), self.by, game.name)
        budget, told = whole.part(most=self.seconds, memory_mb=self.memory), None
        steps = begun(partial(method.method, named.level, self.seed, budget))
        try:
            while True:
                told = next(steps)
                yield told
        except StopIteration as end:
            level = end.value
        except LevelError as error:
            return Repaired(None, error, told)
        claim = level.certificate
        fault = None if claim is None else line_fault(game.puzzle(level), claim.actions)
        if fault is not None:
            raise WinnableError(f"method {method.name}: {fault}")
        if self.named and level.provenance is not None:
            origin = replace(level.provenance, request=self.name)
            level = unchecked_replace(level, provenance=origin)
        return Repaired(encode_level(level), None, told)
