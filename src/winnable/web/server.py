"""The studio's server: a Starlette app on 127.0.0.1, for the browser of the person who started it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import mimetypes
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path
from types import FrameType
from typing import Protocol, TypeAlias

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from winnable import archive, words
from winnable.analysis.engine import engine
from winnable.contract import ending
from winnable.contract.core import WinnableError
from winnable.contract.hosts import Connection, Host
from winnable.contract.registry import GAMES
from winnable.search import memory
from winnable.store import caches
from winnable.store.database import Store, data_folder
from winnable.web import data, pages
from winnable.web.catalog import game_infos, picture
from winnable.web.guard import Guard
from winnable.web.hosts import Services, host_of
from winnable.web.hub import Hub
from winnable.web.jobs import Jobs
from winnable.web.limits import MAX_MESSAGE, Bucket, Limits
from winnable.web.outbox import Outbox
from winnable.web.seats import Guest, Seats
from winnable.web.studio import Studio
from winnable.web.wire import MADE_ROOM, TRY_LATER, StudioProtocol, StudioSocket, Wire

HOST = "127.0.0.1"
FIRST_PORT = 8000
PORTS_TRIED = 100
SWITCH_SECONDS = 0.001
"""How long a busy thread may keep the interpreter to itself. A click takes it several times; with Python's
own 5 ms it would wait too long while a worker compiles or makes a level."""
AHEAD_AFTER_SECONDS = 5.0
"""What the first game needs is compiled alone, if it comes soon."""
END_SECONDS = 8.0
"""Connections have three of them."""
FILES = 4096
"""That may be open at once, where the system lets us: each page is one."""

log = logging.getLogger("winnable.studio")


_Enter: TypeAlias = Callable[[Outbox], Connection]
_Greet: TypeAlias = Callable[[Outbox], Awaitable[None]]


class _Sockets:
    """The WebSocket endpoints: of the studio, and of the pages that games bring."""

    def __init__(self, hub: Hub, wire: Wire) -> None:
        self._hub, self._wire = hub, wire
        self._services = Services(hub.store, hub.jobs)
        self._hosts: dict[str, Host] = {}
        self._seats = Seats(wire.limits.pages, wire.limits.idle_seconds)

    async def studio(self, websocket: WebSocket) -> None:
        await self._admit(websocket, lambda outbox: Studio(self._hub, outbox.put), self._greet)

    async def page_of_a_game(self, websocket: WebSocket) -> None:
        host = await self._host(websocket.path_params["page"])
        if host is None:
            await websocket.close()
        else:
            await self._admit(websocket, lambda outbox: host.enter(outbox.put))

    async def _host(self, page: str) -> Host | None:
        if page not in self._hosts:
            try:
                host = await asyncio.to_thread(host_of, page, self._services)
            except Exception:
                log.exception("the page %s cannot be answered", page)
                return None
            if host is None:
                return None
            self._hosts.setdefault(page, host)  # two may have come at once
        return self._hosts[page]

    async def _admit(self, websocket: WebSocket, enter: _Enter, greet: _Greet | None = None) -> None:
        task = asyncio.current_task()
        assert task is not None
        made_room = False

        def put_out() -> None:
            nonlocal made_room
            made_room = True
            task.cancel()

        guest = Guest(put_out)
        try:
            if not self._seats.take(guest):
                await websocket.accept()
                await websocket.close(TRY_LATER, "too many pages are open; close some")
                return
            await websocket.accept()
            await self._talk(websocket, guest, enter, greet)
        except (WebSocketDisconnect, asyncio.CancelledError):
            if made_room:
                with contextlib.suppress(WebSocketDisconnect):
                    await websocket.close(MADE_ROOM, "another page needed the place of this idle one")
        finally:
            self._seats.leave(guest)

    async def _talk(self, websocket: WebSocket, guest: Guest, enter: _Enter, greet: _Greet | None) -> None:
        task = asyncio.current_task()
        assert task is not None
        outbox = Outbox(task.cancel, self._wire.scales)
        member = enter(outbox)
        guest.is_busy = lambda: member.is_busy
        limits = self._wire.limits
        messages, size = Bucket(limits.messages, 2 * limits.messages), Bucket(limits.bytes, 2 * MAX_MESSAGE)
        writer = asyncio.create_task(outbox.drain(websocket))
        try:
            if greet is not None:
                await greet(outbox)
            while True:
                message = await websocket.receive()
                if message["type"] == "websocket.disconnect":
                    return
                guest.speak()
                text = message.get("text")
                content = text if text is not None else message["bytes"]
                member.receive(content)
                # Also when there is nothing to wait for: now it is another one's turn.
                await asyncio.sleep(max(messages.spend(1), size.spend(len(content))))
        finally:
            outbox.close()
            member.close()
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)

    async def _greet(self, outbox: Outbox) -> None:
        await asyncio.to_thread(game_infos)
        for event in self._hub.greeting():
            outbox.put(event)


async def _picture(request: Request) -> Response:
    name: str = request.path_params["game"]
    if name not in GAMES:
        return PlainTextResponse("no such game\n", 404)
    drawn = await asyncio.to_thread(picture, name)
    return Response(drawn, media_type="image/svg+xml", headers={"Cache-Control": "no-cache"})


async def _words(request: Request) -> Response:
    """Those of all games with the others."""
    language: str = request.path_params["language"]
    if language not in words.LANGUAGES:
        return PlainTextResponse("no such language\n", 404)
    content = msgspec.json.encode(words.catalogue(language))
    return Response(content, media_type="application/json", headers={"Cache-Control": "no-cache"})


def _data(store: Store) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        if request.method != "POST":
            status, headers, body = await asyncio.to_thread(data.packed, store)
        else:
            content = bytearray()
            async for part in request.stream():
                content += part
                if len(content) > archive.MAX_PACKED:
                    break
            status, headers, body = await asyncio.to_thread(data.taken_in, store, bytes(content))
        return Response(body, status, headers)

    return answer


def make_app(
    store: Store,
    port: int,
    *,
    jobs: Jobs | None = None,
    limits: Limits | None = None,
) -> Guard:
    """The whole studio as an ASGI app that answers to 127.0.0.1, localhost and [::1] with `port`. It closes
    `store` and `jobs` at its end, and what compiles."""
    mimetypes.add_type("text/javascript", ".js")  # some Windows registries say text/plain
    hub = Hub(store, jobs or Jobs())
    wire = Wire(limits or Limits())
    sockets = _Sockets(hub, wire)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        engine().take_over(tells=False)
        yield
        hub.sets.close()
        await asyncio.to_thread(hub.tunings.close)
        hub.jobs.close()
        engine().close()
        store.close()

    app = Starlette(
        routes=[
            Route("/pictures/{game}.svg", _picture),
            Route("/locales/{language}.json", _words),
            Route("/data", _data(store), methods=["GET", "POST"]),
            WebSocketRoute("/ws", sockets.studio),
            WebSocketRoute("/ws/{page}", sockets.page_of_a_game),
            *pages.routes(),
        ],
        lifespan=lifespan,
    )
    return Guard(app, port, wire)


def bind(port: int | None = None, host: str = HOST) -> socket.socket:
    """A socket on an IPv4 address of this machine: the first free port from FIRST_PORT, or `port` (0: any).
    Raises WinnableError."""
    ports = range(FIRST_PORT, FIRST_PORT + PORTS_TRIED) if port is None else (port,)
    reason = ""
    for candidate in ports:
        # Without the protocol's number asyncio leaves Nagle's algorithm on, which costs 40 ms now and then.
        bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if sys.platform != "win32":  # there it would let two servers share the port
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind((host, candidate))
            bound.listen(512)
        except (OSError, OverflowError) as error:
            bound.close()
            reason = (error.strerror if isinstance(error, OSError) else "") or str(error)
        else:
            return bound
    raise WinnableError(
        "port.taken" if port is not None else "port.none", field="port", given=ports[0], reason=reason
    )


class Limited(Protocol):
    """An ASGI app whose connections have limits."""

    wire: Wire

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...


class StudioServer(uvicorn.Server):
    """uvicorn, quiet, with the limits of the app; `ready` is called once it answers.
    sockets: whether the app takes WebSockets, and hears of begin and end"""

    def __init__(
        self, app: Limited, ready: Callable[[], None] = lambda: None, *, sockets: bool = True
    ) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=StudioProtocol,
                ws=StudioSocket if sockets else "none",
                lifespan="on" if sockets else "off",
                ws_max_size=MAX_MESSAGE,
                ws_per_message_deflate=False,  # the page is on this machine
                log_config=None,
                log_level="error",
                access_log=False,
                server_header=False,
                proxy_headers=False,
                timeout_graceful_shutdown=3,
            )
        )
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begins to answer, and says so."""
        await super().startup(sockets)
        self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Ends the server; a signal more ends it at once."""
        super().handle_exit(sig, frame)
        ending.begin(END_SECONDS)
        if self.force_exit:  # a second Ctrl-C cancels all tasks: that they were cancelled is no news
            logging.getLogger("uvicorn.error").disabled = True


def serve(
    port: int | None = None,
    *,
    open_browser: bool = True,
    folder: Path | None = None,
    memory_mb: int | None = None,
) -> None:
    """Runs until Ctrl-C. Prints the address once the server answers. Raises WinnableError.

    port:   the first free one from FIRST_PORT when it is None
    folder: where games are kept; the user's data folder when it is None
    memory_mb: MiB that the process may take in all; see `memory.for_all_searches` for None
    """
    memory.share_one_heap()
    pool = memory.MemoryPool(memory_mb or memory.for_all_searches())
    bound = bind(port)
    actual_port: int = bound.getsockname()[1]
    url = f"http://{HOST}:{actual_port}/"
    store, jobs = Store(folder or data_folder()), Jobs(pool)
    if store.trouble:
        print(f"winnable: {store.trouble}", file=sys.stderr, flush=True)

    log.info("games are kept in %s, what is compiled in %s", store.path, caches.writable(caches.KERNELS))

    def ready() -> None:
        with contextlib.suppress(OSError):  # a full or closed stdout is no reason not to play
            print(f"winnable studio: {url} (Ctrl-C ends it)", flush=True)
        if open_browser:
            _open_browser(url)
        engine().stand_by()
        asyncio.get_running_loop().call_later(AHEAD_AFTER_SECONDS, engine().compile_ahead)

    app = make_app(store, actual_port, jobs=jobs)
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        run(StudioServer(app, ready), bound)
    finally:
        sys.setswitchinterval(before)
        store.close()
    if not jobs.join(seconds=2.0):
        # A thread inside the compiler cannot be stopped, and the interpreter must not be taken down under it.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def run(answering: StudioServer, bound: socket.socket) -> None:
    """Answers until Ctrl-C, and closes the socket."""
    _allow_files()
    try:
        with contextlib.suppress(KeyboardInterrupt):
            answering.run(sockets=[bound])
    finally:
        ending.call_off()
        bound.close()


def _allow_files() -> None:
    """Many systems give a process 1,024 or fewer at first."""
    with contextlib.suppress(ImportError, OSError, ValueError):  # there is no `resource` on Windows
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _open_browser(url: str) -> None:
    """In a thread: some browsers return late. Without a screen there is only a text browser, if any: no."""
    screen = sys.platform in ("win32", "darwin") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )
    if screen:
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()


def main() -> None:
    """`python -m winnable.web.server [--port N] [--no-open]`, for the development of the page."""
    import argparse

    parser = argparse.ArgumentParser(prog="python -m winnable.web.server")
    parser.add_argument("--port", type=int)
    parser.add_argument("--no-open", action="store_true")
    arguments = parser.parse_args()
    try:
        serve(arguments.port, open_browser=not arguments.no_open)
    except WinnableError as error:
        parser.exit(2, f"winnable: {error}\n")


if __name__ == "__main__":
    main()
