"""Events on their way to one page. Whoever sends never waits for a slow page."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

import msgspec
from starlette.websockets import WebSocket

from winnable.web.events import ProgressEvent
from winnable.web.limits import Scales

MAX_BYTES = 64 * 2**20
"""A page that is so far behind does not read any more."""
FEW = 8
"""Progress is old news for a page that has more than so many events to read."""


class Outbox:
    """`put` on the event loop, `drain` in a task of it."""

    def __init__(self, give_up: Callable[[], object], scales: Scales) -> None:
        """`give_up` is called when the page does not read, and all pages together hold too much."""
        self._give_up = give_up
        self._scales = scales
        self._waiting: deque[str] = deque()
        self._size = 0
        self._filled = asyncio.Event()
        self._closed = False

    def put(self, event: object) -> None:
        """Sends the event when those before it are read."""
        if self._closed or (isinstance(event, ProgressEvent) and len(self._waiting) > FEW):
            return
        text = msgspec.json.encode(event).decode()
        self._waiting.append(text)
        self._size += len(text)
        self._filled.set()
        # One event may be as large as it likes: only what piles up behind it counts.
        if self._size > MAX_BYTES and len(self._waiting) > FEW:
            self._end()
        else:
            self._weigh()

    def close(self) -> None:
        """Drops what waits, and takes nothing more."""
        self._closed = True
        self._waiting.clear()
        self._size = 0
        self._weigh()

    def _end(self) -> None:
        self.close()
        self._give_up()

    def _weigh(self) -> None:
        self._scales.weigh(self, self._size, self._end)

    async def drain(self, websocket: WebSocket) -> None:
        """Sends for ever."""
        while True:
            await self._filled.wait()
            self._filled.clear()
            while self._waiting:
                text = self._waiting.popleft()
                await websocket.send_text(text)
                if not self._closed:
                    self._size -= len(text)
                    self._weigh()
