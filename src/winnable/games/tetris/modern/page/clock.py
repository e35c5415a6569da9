"""The arcade's clock: which frames of a game are due."""

from __future__ import annotations

from winnable.games.tetris.modern.rules.gravity import FRAMES_A_SECOND

CATCH_UP = 6
"""Frames. What a server that was busy owes beyond them is forgiven: the game pauses for that long."""
AT_ONCE = 100
"""Frames in each sixtieth of a second when a game goes as fast as it can; then others have their turn."""


class Clock:
    """Says how many frames are due. now: seconds of the event loop's clock. speed: None: as fast as it can"""

    def __init__(self, now: float, speed: float | None) -> None:
        self._flat_out = speed is None
        speed = 1.0 if speed is None else speed
        self._began, self._rate, self._played = now, FRAMES_A_SECOND * speed, 0
        self.catch_up = int(CATCH_UP * max(1.0, speed))

    def owed(self, now: float) -> int:
        """The number of frames that are due; -1: the game is a frame ahead. What is too much is forgiven."""
        if self._flat_out:
            self._began, self._played = now, 0
            return AT_ONCE
        owed = int((now - self._began) * self._rate) - self._played
        if owed > self.catch_up:
            self._began += (owed - self.catch_up) / self._rate
            owed = self.catch_up
        return owed

    def played(self) -> None:
        """Count one frame as played."""
        self._played += 1

    def due(self, ahead: int) -> float:
        """The time when the next frame may be played that runs so many frames ahead."""
        if self._flat_out:
            return self._began + 1 / FRAMES_A_SECOND
        return self._began + (self._played + 1 - ahead) / self._rate
