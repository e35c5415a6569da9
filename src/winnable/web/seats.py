"""The places for pages, and who gets up when there are none left."""

from __future__ import annotations

import time
from collections.abc import Callable

GREET_SECONDS = 5.0
"""For a page to load and say its first word."""


class Guest:
    """A page that has a place."""

    def __init__(self, put_out: Callable[[], None]) -> None:
        self.put_out = put_out
        self.has_spoken = False
        self.is_busy: Callable[[], bool] = lambda: False
        """Whether something is under way for it: then it is not idle, though it says nothing."""
        self._heard = time.monotonic()

    def speak(self) -> None:
        """Notes that it has said something."""
        self.has_spoken, self._heard = True, time.monotonic()

    def idle_seconds(self) -> float:
        """How long it has said nothing."""
        return time.monotonic() - self._heard


class Seats:
    """All pages of a server. Who comes when every place is taken gets that of a page that has never said a
    word, else of the one that has been idle the longest; nobody who plays is put out."""

    def __init__(self, number: int, idle_seconds: float) -> None:
        self._number, self._idle_seconds = number, idle_seconds
        self._guests: dict[Guest, None] = {}

    def take(self, guest: Guest) -> bool:
        """False: there is no place."""
        if len(self._guests) >= self._number:
            other = self._idlest()
            if other is None:
                return False
            self.leave(other)
            other.put_out()
        self._guests[guest] = None
        return True

    def leave(self, guest: Guest) -> None:
        """Frees its place."""
        self._guests.pop(guest, None)

    def _idlest(self) -> Guest | None:
        idle = [
            guest
            for guest in self._guests
            if guest.idle_seconds() >= (self._idle_seconds if guest.has_spoken else GREET_SECONDS)
            and not guest.is_busy()
        ]
        return max(idle, key=lambda guest: (not guest.has_spoken, guest.idle_seconds()), default=None)
