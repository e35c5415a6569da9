"""Where on a board to look: what says less than an action."""

from __future__ import annotations

from math import ceil, floor

from msgspec import Struct


class Area(Struct, frozen=True):
    """A part of a board, in the units in which its game draws it, from the upper left corner; None: up to the
    edge of the drawing. All None: nothing is drawn.

    name: `area.NAME` of the catalogues, to be filled with the values
    """

    name: str
    values: dict[str, int] = {}
    left: float | None = None
    top: float | None = None
    right: float | None = None
    bottom: float | None = None


def quarter(
    x: float, y: float, width: float, height: float, left: float = 0, top: float = 0, reach: float = 0
) -> Area:
    """The one in which a point lies, of a board that begins at left, top. It holds whole units, and all of
    what reaches so far from its points."""
    across, down = left + width / 2, top + height / 2
    is_right, is_lower = x >= across, y >= down
    return Area(
        f"{'lower' if is_lower else 'upper'}-{'right' if is_right else 'left'}",
        left=floor(across - reach) if is_right else left,
        top=floor(down - reach) if is_lower else top,
        right=left + width if is_right else ceil(across + reach),
        bottom=top + height if is_lower else ceil(down + reach),
    )
