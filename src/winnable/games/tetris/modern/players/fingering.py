"""A path as keys, frame by frame, tried out on the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from winnable.games.tetris.modern.players.placements import Placement
from winnable.games.tetris.modern.rules.piece import fallen
from winnable.games.tetris.modern.rules.puzzle import AnyState
from winnable.games.tetris.modern.rules.state import CCW, CW, HALF, HARD, HOLD, LEFT, RIGHT, SOFT, Rules

_KEYS = {
    "hold": (HOLD, 0),
    "cw": (CW, 1),
    "half": (HALF, 1),
    "ccw": (CCW, 1),
    "left": (LEFT, 2),
    "right": (RIGHT, 2),
    "hard": (HARD, 3),
}
"""And their order within a frame: keys that go down together act in it, so they save frames."""


class Fingers:
    """Plays taps from a state on. line: the states so far, each with the keys pressed in it"""

    def __init__(self, rules: Rules[Any], state: AnyState, grounded: bool) -> None:
        self.line: list[tuple[AnyState, int]] = []
        self.state = state
        self._rules, self._always = rules, SOFT if grounded else 0

    def play(self, path: Sequence[str]) -> bool:
        """Press the taps; False when the piece locks or the game ends before the path does. path: see
        `Plan`"""
        pressed, order = 0, -1
        if self._always and not self._sinks():
            return False
        for tap in path:
            if tap == "soft":
                if (pressed and not self._frame(pressed | SOFT)) or not self._sinks():
                    return False
                pressed, order = 0, -1
                continue
            key, place = _KEYS[tap]
            must_part = place <= order or (self._always and key != HARD)
            if pressed and (must_part or self.state.keys & key):
                if not self._frame(pressed):
                    return False
                pressed = 0
            if self.state.keys & key and not self._frame(0):
                return False
            pressed, order = pressed | key, place
        self._frame(pressed)
        return True

    def _frame(self, keys: int) -> bool:
        """Whether the piece is still in play."""
        keys |= self._always
        self.line.append((self.state, keys))
        self.state = self._rules.step(self.state, keys)
        if self._is_done():
            return False
        return self._sinks() if self._always else True

    def _sinks(self) -> bool:
        """Soft drop to the ground."""
        while fallen(self.state.rows, self.state.active, 1) is not self.state.active:
            self.line.append((self.state, SOFT))
            self.state = self._rules.step(self.state, SOFT)
            if self._is_done():
                return False
        return True

    def _is_done(self) -> bool:
        return bool(self.state.events.locked) or self.state.status != "playing"


def keys_for(
    rules: Rules[Any], state: AnyState, path: Sequence[str], placement: Placement, grounded: bool
) -> list[tuple[AnyState, int]] | None:
    """The frames of a path that ends with a hard drop; None when gravity or the lock delay would thwart it.

    Each frame is the state that it is for, and the keys.
    """
    fingers = Fingers(rules, state, grounded)
    if not fingers.play(path):
        return None
    events = fingers.state.events
    spin = "" if "t-spin" not in events.clear else "mini" if "mini" in events.clear else "full"
    if set(events.locked) != set(placement.cells) or spin != placement.spin:
        return None
    return fingers.line
