"""A studio in a thread of the test process, and a page that talks to it."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection

from bench.studio.process import talk
from tests.waiting import PATIENCE
from winnable.store.database import Store
from winnable.web.jobs import Jobs
from winnable.web.server import Limited, StudioServer, bind, make_app

Event = dict[str, Any]


class Page:
    """One WebSocket connection; what it has not been asked about yet waits in order."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def send(self, type: str, **fields: Any) -> None:
        self.socket.send(json.dumps({"type": type, **fields}))

    def next(self, timeout: float = PATIENCE) -> Event:
        return json.loads(self.socket.recv(timeout=timeout))

    def wait(
        self, *types: str, where: Callable[[Event], bool] = lambda _: True, timeout: float = PATIENCE
    ) -> Event:
        """The next event of one of the types; those before it are passed over. TimeoutError tells them."""
        end, passed = time.monotonic() + timeout, deque[Event](maxlen=3)
        while True:
            try:
                event = self.next(max(0.0, end - time.monotonic()))
            except TimeoutError:
                raise TimeoutError(f"no {' or '.join(types)} as awaited; last came {[*passed]}") from None
            if event["type"] in types and where(event):
                return event
            passed.append(event)

    def ask(self, type: str, *answers: str, **fields: Any) -> Event:
        """Sends; the next `error` or event of the types `answers`."""
        self.send(type, **fields)
        return self.wait("error", *answers)

    def new(self, level: str, **fields: Any) -> Event:
        return self.ask("new", "state", level=level, **fields)

    def lamp(self) -> Event:
        """The next lamp that has decided."""
        return self.wait("lamp", where=lambda event: not event["searching"])

    def error(self) -> str:
        return self.wait("error")["message"]


class Studio:
    """The running server."""

    def __init__(self, port: int, jobs: Jobs, store: Store) -> None:
        self.port, self.jobs, self.store = port, jobs, store

    @contextmanager
    def page(self) -> Generator[Page]:
        """After its `hello`."""
        with talk(f"127.0.0.1:{self.port}") as socket:
            page = Page(socket)
            assert page.next()["type"] == "hello"
            yield page


@contextmanager
def running_studio(folder: Path, *, threads: bool = True, **options: Any) -> Generator[Studio]:
    """threads: drive its jobs; else its event loop does"""
    bound = bind(0)
    port: int = bound.getsockname()[1]
    jobs, store = options.pop("jobs", None) or Jobs(threads=threads), Store(folder)
    try:
        with answering(make_app(store, port, jobs=jobs, **options), bound):
            yield Studio(port, jobs, store)
    finally:
        assert jobs.join(PATIENCE), "a thread inside the compiler cannot be stopped, only waited for"


@contextmanager
def answering(app: Limited, bound: socket.socket, **options: bool) -> Generator[None]:
    """A server in a thread, which closes the socket."""
    ready = threading.Event()
    server = StudioServer(app, ready.set, **options)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
    thread.start()
    try:
        assert ready.wait(PATIENCE), "the server does not start"
        yield
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        bound.close()
        assert not thread.is_alive(), "the server does not end"
