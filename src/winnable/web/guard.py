"""Who may talk to the studio: pages that the studio itself served, and nobody for ever.

A web page elsewhere may point a browser at 127.0.0.1, under any name that it controls (DNS rebinding).
Hence the Host must be ours, and the Origin, where a browser sends one, too.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket
from uvicorn.protocols.http.h11_impl import H11Protocol

FIRST_REQUEST_SECONDS = 15.0

SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",  # after an update the browser must not run the old page
}


class Guard:
    """ASGI middleware: refuses foreign hosts and origins, adds the security headers."""

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        names = ("127.0.0.1", "localhost", "[::1]")
        self._hosts = {f"{name}:{port}" for name in names}
        if port == 80:
            self._hosts.update(names)
        self._origins = {f"http://{host}" for host in self._hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] == "http":
            send = _with_security_headers(send)
        refusal = self._refusal(scope)
        if not refusal:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            response = PlainTextResponse(refusal, 403)
            await WebSocket(scope, receive, send).send_denial_response(response)
        else:
            await PlainTextResponse(refusal, 403)(scope, receive, send)

    def _refusal(self, scope: Scope) -> str:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return "Host: this is not a name of the studio\n"
        if scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD"):
            for origin in headers.getlist("origin"):
                if origin.lower() not in self._origins:
                    return "Origin: pages from elsewhere may not use the studio\n"
        return ""


def _with_security_headers(send: Send) -> Send:
    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(SECURITY_HEADERS)
        await send(message)

    return wrapped


class StudioProtocol(H11Protocol):
    """HTTP as uvicorn has it, but a connection without a complete first request is closed in the end
    (uvicorn ends idle connections only after a first response)."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._deadline = self.loop.call_later(FIRST_REQUEST_SECONDS, self._close_if_silent)

    def connection_lost(self, exc: Exception | None) -> None:
        self._deadline.cancel()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._deadline.cancel()
        super().handle_websocket_upgrade(event)

    def send_400_response(self, msg: str) -> None:
        """Also when a request turns out to be none while it is being answered: that answer would come too
        late, and uvicorn print a traceback."""
        if (cycle := cast(Any, self.cycle)) is not None:
            cycle.disconnected = True
            if cycle.response_started:
                self.transport.close()
                return
        super().send_400_response(msg)

    def _close_if_silent(self) -> None:
        if cast(Any, self.cycle) is None:
            self.transport.close()
