"""What a level of any game may carry beside itself: a title, where it came from, and a proof."""

from __future__ import annotations

from copy import copy
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

L = TypeVar("L")

Text = Annotated[str, Meta(max_length=200)]
Count = Annotated[int, Meta(ge=0, le=2**53)]


class Provenance(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The generator's name and version, and the arguments that make the level again. request: of the batch
    that it was made in, where it cannot be told from the rest"""

    generator: Text
    version: Text
    params: dict[str, Any]
    seed: Count
    request: Text = ""


Reading: TypeAlias = Literal["forward", "backward"]


MOST_POSITIONS = 30_000_000
"""Of a closed set: more are not worth a certificate."""


class ClosedSet(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Why a level cannot be won: a set of positions that holds the first one, that no action leaves, and in
    which none is the goal. It is that of all positions that can be reached, so their number will do.

    reading: whether the game is read from its start, or from its end
    kinds:   the kinds of pieces that were looked at, as if there were no others; none: all
    """

    reading: Reading
    positions: Annotated[int, Meta(ge=1, le=MOST_POSITIONS)]
    kinds: Annotated[tuple[Count, ...], Meta(max_length=1000)] = ()


class Certificate(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A verdict on the level from its initial state; a `solved` one carries the line that proves it, an
    `unsolvable` one the closed set where that is small enough to be checked by the rules."""

    status: Literal["solved", "unsolvable"]
    solver: Text
    version: Text
    actions: Annotated[tuple[Count, ...], Meta(max_length=1_000_000)] = ()
    cost: Count | None = None
    lower_bound: Count | None = None
    closed_set: ClosedSet | None = None


def unchecked_replace(level: L, **changes: Any) -> L:
    """`msgspec.structs.replace`, where it is known that the level will be a good one: its checks may take
    longer than all the rest."""
    changed = copy(level)
    for name, value in changes.items():
        force_setattr(changed, name, value)  # type: ignore[arg-type]
    return changed
