"""Where on a board to look: what says less than an action."""

from __future__ import annotations

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


def quarter(x: float, y: float, width: float, height: float, left: float = 0, top: float = 0) -> Area:
    """The one in which a point lies, of a board that begins at left, top."""
    right, low = x >= left + width / 2, y >= top + height / 2
    return Area(
        f"{'lower' if low else 'upper'}-{'right' if right else 'left'}",
        left=left + width / 2 if right else left,
        top=top + height / 2 if low else top,
        right=left + width if right else left + width / 2,
        bottom=top + height if low else top + height / 2,
    )
