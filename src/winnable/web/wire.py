"""HTTP and WebSockets as uvicorn has them, within the limits of the studio."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from winnable.web.limits import MAX_MESSAGE, Bucket, Limits, Scales

SLICE = 8192
"""Bytes that are read from one WebSocket before it is another one's turn: a few milliseconds' worth of the
smallest messages."""
LEAST_FRAME = 1024
"""Bytes that a part of a message counts for at the least: it may be empty."""
CLOSING_SECONDS = 2.0
"""For the other side to say goodbye."""
TOO_MANY_PINGS, TOO_BIG, TRY_LATER, MADE_ROOM = 1008, 1009, 1013, 4001
"""WebSocket close codes; what a page says of them is `closed.CODE` in the catalogues."""


class Wire:
    """What the connections of one server share."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.scales = Scales(limits.held)
        self.visitors: dict[StudioProtocol, None] = {}
        """Connections without a WebSocket."""
        self.waiting: dict[StudioProtocol, None] = {}
        """Those whose request is not complete, the longest first."""

    def make_room(self) -> None:
        """Drops visitors beyond the limit, first those whose request is not complete."""
        while len(self.visitors) > self.limits.requests:
            next(iter(self.waiting or self.visitors)).drop()


class StudioProtocol(H11Protocol):
    """Who asks has a deadline: for each request to come whole, from the connection or the answer before, and
    for the answer to be read. What we take in between is not counted."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Takes the visitor in, whose time for a request begins."""
        super().connection_made(transport)
        self._wire: Wire = cast(Any, self.config.app).wire
        self._wire.visitors[self] = self._wire.waiting[self] = None
        self._deadline: asyncio.TimerHandle | None = None
        self._expect()
        self._wire.make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """Lets the visitor go."""
        self._leave()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hands the connection on: it is no visitor any more."""
        self._leave()
        super().handle_websocket_upgrade(event)

    def data_received(self, data: bytes) -> None:
        """Takes in a part of a request, and stops the clock when all of it is there."""
        super().data_received(data)
        if self._is_busy():
            self._wire.waiting.pop(self, None)
            self._answer()

    def on_response_complete(self) -> None:
        """Waits for the next request, if it is not there yet."""
        super().on_response_complete()
        if self in self._wire.visitors:
            self._expect()
            if self._is_busy():
                self._answer()
            else:
                self._wire.waiting[self] = None

    def pause_writing(self) -> None:
        """Gives whoever asked time to read the answer."""
        super().pause_writing()
        if self in self._wire.visitors:
            self._expect()

    def resume_writing(self) -> None:
        """Stops the clock: the answer is being read."""
        super().resume_writing()
        if self._is_busy():
            self._answer()

    def send_400_response(self, msg: str) -> None:
        """Refuses what is no request, also when it turns out so while it is being answered: that answer would
        come too late, and uvicorn print a traceback."""
        if (cycle := cast(Any, self.cycle)) is not None:
            cycle.disconnected = True
            if cycle.response_started:
                self.transport.close()
                return
        super().send_400_response(msg)

    def shutdown(self) -> None:
        """Lets the last answer be read to its end, but for a moment only: uvicorn would print a traceback."""
        super().shutdown()
        self.loop.call_later(CLOSING_SECONDS, self.drop)

    def drop(self) -> None:
        """Ends the connection at once."""
        self._leave()
        self.transport.abort()  # `close` would wait for one who does not read

    def _is_busy(self) -> bool:
        return cast(Any, self.cycle) is not None and not self.cycle.response_complete

    def _expect(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self.loop.call_later(self._wire.limits.request_seconds, self.drop)

    def _answer(self) -> None:
        """It is our turn, if all of the request is there, and what we said before is read."""
        waits = cast(Any, self.cycle).more_body or self.flow.write_paused
        if self._deadline is not None and not waits:
            self._deadline.cancel()

    def _leave(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._wire.visitors.pop(self, None)
        self._wire.waiting.pop(self, None)


class StudioSocket(WebSocketsSansIOProtocol, asyncio.BufferedProtocol):
    """Reads by slices, and is weighed: what has come of a message that is not whole, and what waits."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.close_timeout = CLOSING_SECONDS
        self._wire: Wire = cast(Any, self.config.app).wire
        self._slice = bytearray(SLICE)
        self._parts = self._whole = 0
        """Bytes of the message under way, and of those that wait."""
        self._deadline: asyncio.TimerHandle | None = None
        self._pings = Bucket(self._wire.limits.pings, 10 * self._wire.limits.pings)

    def get_buffer(self, sizehint: int) -> bytearray:
        """The slice that is read into."""
        return self._slice

    def buffer_updated(self, nbytes: int) -> None:
        """Takes in what was read into the slice."""
        self.data_received(bytes(memoryview(self._slice)[:nbytes]))

    def data_received(self, data: bytes) -> None:
        """Takes in a part of a message; one that is too big, or comes too slowly, ends the connection."""
        super().data_received(data)
        unfinished = self._parts + len(self.conn.reader.buffer)
        if self._parts > MAX_MESSAGE:
            self.give_up()
        elif unfinished and self._deadline is None and not self.close_sent:
            self._deadline = self.loop.call_later(self._wire.limits.message_seconds, self.give_up)
        self._weigh()

    def connection_lost(self, exc: Exception | None) -> None:
        """Drops what has come of messages."""
        super().connection_lost(exc)
        self._empty()

    def handle_text(self, event: Frame) -> None:
        """Weighs the first part of a message, a text."""
        self._parts = max(len(event.data), LEAST_FRAME)
        super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        """Weighs the first part of a message, bytes."""
        self._parts = max(len(event.data), LEAST_FRAME)
        super().handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        """Weighs a further part of a message."""
        self._parts += max(len(event.data), LEAST_FRAME)
        super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Hands a whole message on, and stops its clock."""
        super().send_receive_event_to_app()
        self._whole, self._parts = self._whole + self._parts, 0
        self._stop_clock()

    def handle_ping(self) -> None:
        """Answers a ping; too many end the connection."""
        if self._pings.spend(1):
            self._end(TOO_MANY_PINGS, "too many pings")
        else:
            super().handle_ping()

    def keepalive_timeout(self) -> None:
        """Ends a page that answers no ping; not in the middle of its message, where it cannot, and which has
        a deadline of its own."""
        if self._deadline is None:
            super().keepalive_timeout()
        else:
            self.pong_timer = self.pending_ping_payload = None
            self.schedule_ping()

    async def run_asgi(self) -> None:
        """Runs the page to its end."""
        await super().run_asgi()
        # What a page has not read would keep the connection for ever.
        self.loop.call_later(self.close_timeout, self.transport.abort)

    async def receive(self) -> Any:
        """The next message, which weighs nothing any more when it was the last."""
        message = await super().receive()
        if self.queue.empty() and self._whole:
            self._whole = 0
            self._weigh()
        return message

    async def send(self, message: Any) -> None:
        """Sends a message of the app; that a page was refused is no fault of ours."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body"):
            self.handshake_complete = True  # refused as it was meant to be: that is nothing to print

    def give_up(self) -> None:
        """The message is too much, or too slow."""
        self._end(TOO_BIG, "the message is too big, or comes too slowly")

    def _end(self, code: int, reason: str) -> None:
        self._empty()
        if self.close_sent or self.transport.is_closing():
            return
        self.conn.fail(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.close_timer = self.loop.call_later(self.close_timeout, self.transport.abort)

    def _weigh(self) -> None:
        weight = self._whole + self._parts + len(self.conn.reader.buffer)
        self._wire.scales.weigh(self, weight, self.give_up)

    def _stop_clock(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _empty(self) -> None:
        self._stop_clock()
        self.conn.reader.buffer.clear()
        self.frames.clear()
        self._parts = self._whole = 0
        self._weigh()
