"""How much a studio bears, so that no page, and no program, is in the way of the others.

What people send: clicks of 30 bytes, boards and drawn levels of some kB, level files and saved games of at
most some MB (a game of a million actions has 7). A page that reads is a few events behind.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

MAX_MESSAGE = 64 * 2**20
"""Bytes. What `load` takes, 16 million characters, may be several times longer as JSON."""


@dataclass(frozen=True, slots=True)
class Limits:
    """pages:           WebSockets at once; see `winnable bench studio-load`
    idle_seconds:    a page that has said nothing for so long makes room for one that comes
    requests:        other connections at once; a page that loads needs 6. The one that waited longest for its
                     request makes room for one that comes
    request_seconds: for a request to come whole, the second one too, and for its answer to be read; what we
                     take between is not counted
    message_seconds: for one message to come whole
    held:            bytes of messages at once, both ways, of all pages together: those that are not whole
                     yet, or wait, or are not read. Beyond it the page that holds most is closed
    messages:        a second, from one page; who sends more waits, not the others. Twice as many are fine at
                     once
    bytes:           a second, from one page; two of the largest messages more at once are fine
    pings:           a second; no browser sends any
    """

    pages: int = 1000
    idle_seconds: float = 30.0
    requests: int = 256
    request_seconds: float = 20.0
    message_seconds: float = 60.0
    held: int = 3 * MAX_MESSAGE
    messages: float = 1000.0
    bytes: float = 8 * 2**20
    pings: float = 20.0


class Bucket:
    """What may be spent: `rate` a second, and `burst` at once."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst, self._left = rate, burst, burst
        self._at = time.monotonic()

    def spend(self, amount: float) -> float:
        """Seconds until it is made good; 0 where there was enough."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate) - amount
        self._at = now
        return max(0.0, -self._left / self._rate)


class Scales:
    """What all connections hold together. On the event loop."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._holders: dict[object, tuple[int, Callable[[], None]]] = {}
        self.total = 0

    def weigh(self, holder: object, weight: int, give_up: Callable[[], None]) -> None:
        """It holds so many bytes now. When all is too much, the heaviest one gives up, which empties it."""
        before, _ = self._holders.pop(holder, (0, None))
        self.total += weight - before
        if weight:
            self._holders[holder] = weight, give_up
        while self.total > self._most:
            heaviest = max(self._holders, key=lambda one: self._holders[one][0])
            held, put_out = self._holders.pop(heaviest)
            self.total -= held
            put_out()
