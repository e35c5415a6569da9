"""Left and right: delayed auto shift (DAS) and auto repeat rate (ARR), frame by frame."""

from __future__ import annotations

from winnable.games.tetris.modern.rules.level import WIDTH, Handling
from winnable.games.tetris.modern.rules.state import LEFT, RIGHT

_BOTH = LEFT | RIGHT


def steer(direction: int, charge: int, keys: int, pressed: int) -> tuple[int, int]:
    """The direction in which the piece is steered in this frame (-1, 0, 1), and for how many frames before
    it.


    The key pressed last wins; when it is released, the other one counts as pressed anew. Both pressed in the
    same frame: neither.
    """
    held = keys & _BOTH
    if not held:
        return 0, 0
    if held == _BOTH:
        new = pressed & _BOTH
        now = direction if not new else {LEFT: -1, RIGHT: 1, _BOTH: 0}[new]
    else:
        now = -1 if held == LEFT else 1
    return now, charge + 1 if now == direction else 0


def columns(handling: Handling, charge: int) -> int:
    """The columns that a piece goes that has been steered for `charge` frames before this one."""
    if charge == 0:
        return 1
    if charge < handling.das:
        return 0
    if handling.arr == 0:
        return WIDTH
    return int((charge - handling.das) % handling.arr == 0)
