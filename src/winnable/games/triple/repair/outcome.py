"""What the repairs have in common: which boards can be repaired, and what a repaired level says of itself."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from msgspec import structs, to_builtins

from winnable import __version__
from winnable.contract.arguments import MAX_SEED, whole
from winnable.contract.core import Action, Budget, LevelError
from winnable.contract.provenance import Provenance
from winnable.games.triple.rules.level import Level
from winnable.levels.certificates import line_certificate


def check(level: Level, seed: int) -> None:
    """Raises LevelError for boards that no swap can make winnable, and for what is no seed."""
    if level.slots < 3:
        raise LevelError("slots.few", field="slots", slots=level.slots, least=3)
    whole("seed", seed, 0, MAX_SEED)


def repaired(
    level: Level,
    kinds: Sequence[int],
    line: Sequence[Action],
    method: str,
    solver: str,
    params: dict[str, Any],
    seed: int,
    limit: tuple[str, Budget],
) -> Level:
    """`level` with these kinds, and the line as its certificate.

    solver: found the line
    params: of the method, for the provenance; limit: the name under which the budget's nodes stand there
    """
    given = {**params, "from": level.provenance and to_builtins(level.provenance)}
    name, budget = limit
    if budget.expanded < sys.maxsize:
        given[name] = budget.expanded
    return structs.replace(
        level.with_kinds(kinds),
        provenance=Provenance(method, __version__, given, seed),
        certificate=line_certificate(solver, line),
    )
