"""Who answers a page that a game brings, and where it is open (see `abilities.Pages`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct


class Connection(Protocol):
    """A page that is open somewhere. Its methods are called on the event loop and return at once."""

    @property
    def is_busy(self) -> bool:
        """Whether something is under way for it: then no other page gets its place."""
        ...

    def receive(self, message: str | bytes) -> None:
        """Whatever it says; raises nothing."""
        ...

    def close(self) -> None:
        """It is gone."""
        ...


class Host(Protocol):
    """Whoever answers a page, wherever it is open."""

    def enter(self, send: Callable[[Struct], None]) -> Connection:
        """Lets a page in, on the event loop. send: an event, as JSON; it may be called as long as the page is
        open, there too."""
        ...
