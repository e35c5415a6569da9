"""A table on stderr that changes while something long is at work; nothing where that is no terminal."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, Self

SHOWN = 8
"""Rows, at most."""


class LiveTable:
    """`tick` is called by who waits. A subclass says what is shown."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        self._live: Any = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.live import Live

            self._live = Live(self._table(), console=Console(stderr=True), auto_refresh=False)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self.tick()
            self._live.stop()

    def tick(self) -> None:
        """Shows how it is now."""
        if self._live is not None:
            self._live.update(self._table(), refresh=True)

    def _table(self) -> Any:
        from rich.table import Table

        caption = self.caption()
        table = Table(title=self.title(), caption=caption, title_justify="left", caption_justify="left")
        self.fill(table)
        return table

    def title(self) -> str:
        """The line above the table."""
        raise NotImplementedError

    def caption(self) -> str:
        """The line below the table."""
        raise NotImplementedError

    def fill(self, table: Any) -> None:
        """Columns and rows of a rich.table.Table."""
        raise NotImplementedError
