"""Tables that players and judges of a game read, each a file that is made on the user's machine: what the
shells know of them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from winnable.contract.core import Budget, WinnableError

Status: TypeAlias = Literal["built", "unfinished", "damaged", "missing"]


class BudgetEnded(WinnableError):
    """The table is not whole yet; making it again goes on from there."""


class TableState(NamedTuple):
    status: Status
    bytes: int
    """On the disk."""
    entries: int
    """That there are so far."""


class TableFile(Protocol):
    """Methods raise WinnableError."""

    @property
    def path(self) -> Path: ...
    def state(self, check: bool) -> TableState:
        """check: whether all of it is looked at; else what is damaged within may be `built`."""
        ...

    def make(self, budget: Budget) -> Any:
        """Goes on with what is there, after a look at all of it. Raises BudgetEnded."""
        ...

    def remove(self) -> None: ...


class Table(NamedTuple):
    name: str
    about: str
    size: int
    """Bytes that it takes on the disk, or nearly so."""
    file: TableFile
