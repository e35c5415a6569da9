"""Who may talk to the studio: pages that the studio itself served, in the browser of whoever started it.

A web page elsewhere may point a browser at 127.0.0.1, under any name that it controls (DNS rebinding).
Hence the Host must be ours, and so must the Origin of whatever may change something: each browser sends one,
and a program names ours to say that it means the studio. On a machine with several users a program could say
so of anybody's studio; the kernel knows better (peers.py).
"""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from winnable.web.peers import is_ours
from winnable.web.wire import Wire

SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; "
    "img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",  # after an update the browser must not run the old page
}


class Guard:
    """ASGI middleware: refuses foreign hosts and origins, adds the security headers."""

    def __init__(self, app: ASGIApp, port: int, wire: Wire) -> None:
        self._app = app
        self.wire = wire
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
            origins = headers.getlist("origin")
            if not origins or any(origin.lower() not in self._origins for origin in origins):
                return "Origin: only pages of the studio may use it, or programs that name it as theirs\n"
        if scope.get("client") and not is_ours(tuple(scope["client"]), tuple(scope["server"])):
            return "User: this is the studio of somebody else on this machine; start your own\n"
        return ""


def _with_security_headers(send: Send) -> Send:
    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(SECURITY_HEADERS)
        await send(message)

    return wrapped
