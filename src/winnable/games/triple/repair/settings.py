"""What the article's repair of triple can be set to. Nothing here compiles."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

Keep: TypeAlias = Literal["improving", "always"]


class RepairSettings(Struct, frozen=True):
    """Of each round's differential evolution, with the article's numbers.

    keep: which swaps stay. The article's text keeps a swap when the completion rises (`improving`); its
          program keeps the best swap of every round, even when it makes things worse (`always`). Both need
          equally many rounds, within sampling error, but `improving` leaves more of the board as it was
          (`winnable bench triple-repair`): hence the default.
    generations: after the first population; so a round plays 55 games
    """

    keep: Keep = "improving"
    population: Annotated[int, Meta(ge=4, le=10_000)] = 5
    generations: Annotated[int, Meta(ge=1, le=100_000)] = 10
    cr: Annotated[float, Meta(ge=0, le=1)] = 0.3
    f: Annotated[float, Meta(ge=0.001, le=2)] = 0.5
