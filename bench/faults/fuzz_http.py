"""Fuzzing of addresses, handed to the app as the server does it, and of raw bytes sent to a server."""

from __future__ import annotations

import asyncio
import contextlib
import select
import socket
import threading
from collections.abc import Generator, Sequence
from functools import cached_property
from random import Random
from typing import Any
from urllib.parse import unquote_to_bytes

from bench.faults.fuzz_examine import Fault, Overdue
from bench.faults.fuzz_mutation import changed_bytes, changed_text
from bench.faults.fuzz_sockets import Complaints, Loop
from bench.faults.fuzz_targets import Told, dice_of

PORT = 8000
ANSWER_SECONDS, WHOLE_SECONDS, FIRST_SECONDS = 100.0, 0.5, 0.004
PATHS = (
    "/", "/arcade", "/pictures/drops.svg", "/pictures/2048.svg", "/static/app.js", "/static/icon.svg",
    "/locales/en.json", "/locales/zh-CN.json", "/ws", "/ws/arcade", "/static/", "/static/desk/../app.js",
    "/#triple:layers=12#5", "/?game=drops&level=012/340", "/static/%2e%2e/%2e%2e/core.py", "//evil.example/",
    "/static/..%5c..%5cserver.py", "/pictures/../../etc/passwd", "/static/\0",
    "/locales/..%2f..%2fetc/passwd", "/boards.css", "/boards/drops.js", "/games/drops/board.js",
    "/games/drops/../game.py", "/arcade/main.js", "/arcade/..%2f..%2fgame.py", "/%2e%2e/game.py",
)  # fmt: skip
SECRETS = (b"root:", b'"""', b"import ")
"""Of files that nothing may serve: the system's, and our own sources."""
SCRIPTS = b"text/javascript", b"text/css"
"""They may hold such words, too."""


class Addresses:
    """Paths and queries, with all methods and odd headers, in process."""

    def __init__(self, share: float) -> None:
        self.share = share

    @cached_property
    def _loop(self) -> Loop:
        return Loop()

    @cached_property
    def _app(self) -> Any:
        return _app(PORT)

    def parents(self) -> Sequence[bytes]:
        return [f"GET {path}".encode() for path in PATHS]

    def make(self, rng: Random, parents: Sequence[bytes]) -> bytes:
        text, other = (rng.choice(parents).decode(errors="replace") for _ in range(2))
        method, _, path = text.partition(" ")
        if rng.random() < 0.15:
            method = rng.choice(("HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "get", "\0"))
        if rng.random() < 0.95:
            path = changed_text(rng, path, other)
        return f"{method} {path}".encode(errors="replace")

    def read(self, content: bytes) -> Told:
        method, _, path = content.partition(b" ")
        status = self._loop.run(self._answered(method.decode(errors="replace"), path, dice_of(content)))
        return Told(str(status), 1, int(status < 400))

    async def _answered(self, method: str, target: bytes, rng: Random) -> int:
        raw, _, query = target.partition(b"?")
        host = (
            b"localhost:%d" % PORT
            if rng.random() < 0.95
            else rng.choice((b"", b"evil.example", b"\xff", b"["))
        )
        headers = [(b"host", host)]
        if rng.random() < 0.1:
            headers.append(
                (b"origin", rng.choice((b"null", b"http://evil.example", b"http://localhost:8000")))
            )
        if rng.random() < 0.1:
            headers.append(
                (b"range", rng.choice((b"bytes=0-1", b"bytes=9-1", b"bytes=-1,-2", b"x", b"bytes=0-" * 99)))
            )
        if rng.random() < 0.1:
            headers.append((b"if-none-match", rng.choice((b"*", b'"', b"\xff\xfe"))))
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1",
            "method": method,
            "scheme": "http", "path": unquote_to_bytes(raw).decode(errors="replace"), "raw_path": raw,
            "query_string": query, "root_path": "", "headers": headers, "client": None,
            "server": ("127.0.0.1", PORT),
        }  # fmt: skip
        status, body, answered, asked = 0, bytearray(), dict[bytes, bytes](), 0

        async def receive() -> dict[str, Any]:
            nonlocal asked
            asked += 1
            if asked > 1:
                await asyncio.Event().wait()  # the browser stays
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            nonlocal status
            status = message.get("status", status)
            answered.update(message.get("headers", ()))
            if len(body) < 400:
                body.extend(message.get("body", b"")[:400])

        limit = asyncio.timeout(ANSWER_SECONDS)
        try:
            async with limit:
                await self._app(scope, receive, send)
        except TimeoutError:
            if limit.expired():
                raise Overdue(f"no answer in {ANSWER_SECONDS:.0f} s") from None
            raise
        location = answered.get(b"location", b"")
        if status == 0 or status >= 500:
            raise Fault(f"status {status}")
        if 300 <= status < 400 and location and not location.startswith((b"http://localhost:8000/", b"/")):
            raise Fault(f"a redirect to {location!r}")
        if (
            status == 200
            and any(secret in body[:200] for secret in SECRETS)
            and not answered.get(b"content-type", b"").startswith(SCRIPTS)
        ):
            raise Fault(f"a file that is not the page's: {bytes(body[:80])!r}")
        return status


class RawHttp:
    """Bytes on a connection to a running server, which must answer another one afterwards."""

    def __init__(self, share: float) -> None:
        self.share = share
        self._keep_open = contextlib.ExitStack()

    @cached_property
    def _server(self) -> tuple[int, Complaints]:
        port = self._keep_open.enter_context(_running())
        return port, Complaints()

    def parents(self) -> Sequence[bytes]:
        host = b"Host: @host\r\n"
        upgrade = b"Origin: http://@host\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        upgrade += b"Sec-WebSocket-Version: 13\r\n"
        upgrade += b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        frames = b"\x81\x82\0\0\0\0{}", b"\x88\x80\0\0\0\0", b"\x81\xfe\0\x80\0\0\0\0", b"\x89\x80\0\0\0\0"
        found = [b"GET %s HTTP/1.1\r\n" % path.encode() + host + b"\r\n" for path in PATHS[:8]]
        found += [
            b"GET %s HTTP/1.1\r\n" % path + host + upgrade + b"".join(frames)
            for path in (b"/ws", b"/ws/arcade")
        ]
        found.append(b"POST / HTTP/1.1\r\n" + host + b"Content-Length: 3\r\n\r\nabcGET / HTTP/1.0\r\n\r\n")
        found.append(
            b"POST / HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
        )
        found.append(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        found.append(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
        return found

    def make(self, rng: Random, parents: Sequence[bytes]) -> bytes:
        return changed_bytes(rng, rng.choice(parents), rng.choice(parents))

    def read(self, content: bytes) -> Told:
        port, complaints = self._server
        answer = _sent(port, content.replace(b"@host", b"127.0.0.1:%d" % port))
        complaints.raise_found()
        line = answer.partition(b"\r\n")[0]
        if answer and not line.startswith(b"HTTP/1."):
            raise Fault(f"no HTTP: {answer[:80]!r}")
        status = line[9:12].decode(errors="replace")
        if status.startswith("5"):
            raise Fault(f"status {status}")
        return Told(status or "closed", 1, int(status[:1] in ("1", "2", "3")))


def _sent(port: int, content: bytes) -> bytes:
    """What is answered until the server closes."""
    answer = bytearray()
    with socket.create_connection(("127.0.0.1", port), ANSWER_SECONDS) as connection:
        try:
            connection.sendall(content)
            # It does not answer any more once it has seen the end, and never to what has no end of its own.
            select.select([connection], [], [], WHOLE_SECONDS if b"\r\n\r\n" in content else FIRST_SECONDS)
            connection.shutdown(socket.SHUT_WR)
            while part := connection.recv(1 << 16):
                answer += part[: max(0, 1000 - len(answer))]
        except TimeoutError:
            raise Overdue(f"no end in {ANSWER_SECONDS:.0f} s") from None
        except OSError:
            pass  # it closed while we wrote
    return bytes(answer)


def _app(port: int) -> Any:
    from winnable.store.database import Store
    from winnable.web.server import make_app

    return make_app(Store(None), port)


@contextlib.contextmanager
def _running() -> Generator[int]:
    from winnable.web.server import StudioServer, bind

    bound = bind(0)
    port: int = bound.getsockname()[1]
    ready = threading.Event()
    server = StudioServer(_app(port), ready.set)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
    thread.start()
    if not ready.wait(30):
        raise Fault("the server did not start")
    try:
        yield port
    finally:
        server.should_exit = True
        thread.join(20)
        bound.close()
