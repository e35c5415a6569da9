"""What a level of any game may carry beside itself: a title, where it came from, and a proof."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

Text = Annotated[str, Meta(max_length=200)]
Count = Annotated[int, Meta(ge=0, le=2**53)]


class Provenance(Struct, frozen=True, forbid_unknown_fields=True):
    """The generator's name and version, and the arguments that make the level again."""

    generator: Text
    version: Text
    params: dict[str, Any]
    seed: Count


class Certificate(Struct, frozen=True, forbid_unknown_fields=True):
    """A verdict on the level from its initial state; a `solved` one carries the line that proves it."""

    status: Literal["solved", "unsolvable"]
    solver: Text
    version: Text
    actions: Annotated[tuple[Count, ...], Meta(max_length=1_000_000)] = ()
    cost: Count | None = None
    lower_bound: Count | None = None
