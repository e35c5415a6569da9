"""The server: who may talk to it, what it serves, how much it bears, and that kill -9 loses nothing."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from bench.studio.process import talk
from tests.waiting import PATIENCE, wait_until
from tests.web.studio_harness import Page, Studio, running_studio
from winnable.contract.core import WinnableError
from winnable.web import outbox, server
from winnable.web.limits import Limits
from winnable.web.server import FIRST_PORT, bind
from winnable.web.wire import StudioProtocol

SOURCE = Path(__file__).parents[2] / "src"


def get(studio: Studio, path: str, method: str = "GET", **headers: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=PATIENCE)
    try:
        connection.putrequest(method, path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        response = connection.getresponse()
        response.read()
        return response
    finally:
        connection.close()


def raw(studio: Studio, content: bytes) -> bytes:
    """What the server answers to these bytes until it closes."""
    with socket.create_connection(("127.0.0.1", studio.port), timeout=PATIENCE) as client:
        client.sendall(content)
        answer = b""
        with suppress(ConnectionResetError):
            while chunk := client.recv(65536):
                answer += chunk
        return answer


def test_the_page_and_its_headers(studio: Studio) -> None:
    response = get(studio, "/")
    assert response.status == 200
    assert response.headers["Content-Type"].startswith("text/html")
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Referrer-Policy"] == "no-referrer"
    assert "default-src 'self'" in response.headers["Content-Security-Policy"]
    script = next((SOURCE / "winnable/web/static").glob("*.js"))
    response = get(studio, f"/static/{script.name}")
    assert response.status == 200
    assert response.headers["Content-Type"].startswith("text/javascript")
    assert response.headers["Cache-Control"] == "no-store"
    assert get(studio, "/nothing").status == 404
    assert get(studio, "/static/nothing.js").status == 404
    assert get(studio, "/static/").status == 404


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1:1", "127.0.0.1", "", "[::1"]
)
def test_foreign_hosts(studio: Studio, host: str) -> None:
    assert get(studio, "/", Host=host.format(port=studio.port)).status == 403


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LocalHost", "[::1]"])
def test_our_hosts(studio: Studio, host: str) -> None:
    assert get(studio, "/", Host=f"{host}:{studio.port}").status == 200


def test_origins(studio: Studio) -> None:
    ours = f"http://127.0.0.1:{studio.port}"
    assert get(studio, "/", "POST", Origin="http://evil.example").status == 403
    assert get(studio, "/", "POST").status == 403
    assert get(studio, "/", "POST", Origin=ours).status == 405
    assert get(studio, "/", "GET", Origin=ours).status == 200
    url = f"ws://127.0.0.1:{studio.port}/ws"
    for origin in ("http://evil.example", "null", f"https://127.0.0.1:{studio.port}", "http://127.0.0.1:1"):
        with (
            pytest.raises(InvalidStatus) as refused,
            connect(url, open_timeout=PATIENCE, additional_headers={"Origin": origin}),
        ):
            pass
        assert refused.value.response.status_code == 403
        assert b"Origin" in (refused.value.response.body or b"")
    with pytest.raises(InvalidStatus) as refused, connect(url, open_timeout=PATIENCE):
        pass
    assert refused.value.response.status_code == 403
    with connect(url, open_timeout=PATIENCE, additional_headers={"Origin": ours}) as client:
        assert json.loads(client.recv())["type"] == "hello"
    host = {"Host": "evil.example", "Origin": ours}
    with (
        pytest.raises((InvalidStatus, ConnectionClosed)),
        connect(url, open_timeout=PATIENCE, additional_headers=host),
    ):
        pass


@pytest.mark.parametrize(
    "path",
    [
        "/static/../server.py",
        "/static/%2e%2e/server.py",
        "/static/..%2fserver.py",
        "/static/..%5cserver.py",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/games/../../server.py",
        "/static/%00",
        "/locales/../web/server.py",
        "/../../../../etc/passwd",
        "//etc/passwd",
        "/static/" + "../" * 30 + "etc/passwd",
        "/static/" + "a" * 5000,
        "/static/%ff%fe",
    ],
)
def test_path_traversal(studio: Studio, path: str) -> None:
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\nConnection: close\r\n\r\n"
    answer = raw(studio, request.encode())
    assert answer.split(b" ")[1] in (b"404", b"400"), answer[:200]
    assert b"root:" not in answer
    assert b"import" not in answer


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"\0\1\2\3\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\nConnection: close\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET / HTTP/1.1\r\nX: " + b"x" * 200_000 + b"\r\n\r\n",
        b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\nConnection: close\r\n\r\n",
    ],
    ids=range(9),
)
def test_requests_that_are_none(studio: Studio, request_bytes: bytes) -> None:
    answer = raw(studio, request_bytes)
    assert not answer or answer.split(b" ")[1] in (b"400", b"403", b"431"), answer[:100]
    assert get(studio, "/").status == 200


def test_half_open_and_slow_connections(tmp_path: Path) -> None:
    """They wait for nothing, are closed in the end, and nobody else notices. The second request has a
    deadline like the first, also when the one before got its answer."""
    head = "GET / HTTP/1.1\r\nHost: 127"
    limits = Limits(request_seconds=1.0)
    with running_studio(tmp_path, limits=limits) as studio, studio.page() as page, ExitStack() as stack:
        whole = f"GET /nothing HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\n\r\n"
        silent = [
            stack.enter_context(socket.create_connection(("127.0.0.1", studio.port))) for _ in range(100)
        ]
        for number, client in enumerate(silent):
            client.sendall(["", head, whole + head, whole][number % 4].encode())
        assert get(studio, "/").status == 200
        assert page.new("triple/1-first-steps")["ply"] == 0
        for number, client in enumerate(silent):
            client.settimeout(PATIENCE)
            answer = b""
            while chunk := client.recv(4096):
                answer += chunk
            assert answer.startswith(b"HTTP/1.1 404") == (number % 4 >= 2)
        time.sleep(1.1)
        assert page.ask("goto", "state", ply=0)["ply"] == 0, "a WebSocket is no silent connection"


def test_a_connection_that_is_used_again_and_again_stays(tmp_path: Path) -> None:
    """For longer than one request may take."""
    with running_studio(tmp_path, limits=Limits(request_seconds=4.0)) as studio:
        connection = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=PATIENCE)
        connection.connect()
        used = connection.sock
        for _ in range(5):
            connection.request("GET", "/nothing")
            assert connection.getresponse().read()
            time.sleep(1)
        assert connection.sock is used
        connection.close()


def test_what_the_studio_takes_itself_is_not_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine with other things to do, an answer may be made in more time than clients have to ask."""
    limits = Limits(request_seconds=0.5)

    def slow(name: str) -> str:
        time.sleep(4 * limits.request_seconds)
        return "<svg/>"

    monkeypatch.setattr(server, "picture", slow)
    with running_studio(tmp_path, limits=limits) as studio:
        assert get(studio, "/pictures/drops.svg").status == 200


def test_who_reads_no_answer_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drop, dropped = StudioProtocol.drop, threading.Event()

    def heard(connection: StudioProtocol) -> None:
        drop(connection)
        dropped.set()

    monkeypatch.setattr(StudioProtocol, "drop", heard)
    with running_studio(tmp_path, limits=Limits(request_seconds=0.5)) as studio:
        client = socket.create_connection(("127.0.0.1", studio.port))
        whole = f"GET /static/tuning/tuning.js HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\n\r\n".encode()
        client.sendall(1000 * whole)  # some MB of answers: more than the system keeps
        assert dropped.wait(PATIENCE)
        client.close()


def test_who_waits_with_half_a_request_makes_room(tmp_path: Path) -> None:
    """Not for minutes: at once."""
    limits = Limits(requests=20, request_seconds=60.0)
    with running_studio(tmp_path, limits=limits) as studio, ExitStack() as stack:
        clients: list[socket.socket] = []
        for _ in range(100):
            client = socket.create_connection(("127.0.0.1", studio.port), timeout=PATIENCE)
            stack.enter_context(client)
            client.sendall(b"GET / HT")
            clients.append(client)
        assert get(studio, "/").status == 200
        for client in clients[:80]:
            with suppress(ConnectionResetError):
                assert client.recv(1) == b""
        with studio.page() as page:
            assert page.new("triple/1-first-steps")["ply"] == 0


def test_a_page_that_does_not_read(studio: Studio, page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its events wait for it, but not without end; the others go on."""
    monkeypatch.setattr(outbox, "MAX_BYTES", 1_000_000)
    page.new("toy:start=50#1")
    with talk(f"127.0.0.1:{studio.port}") as lazy:
        Page(lazy).new("triple:layers=100,sets=60#1")
        with pytest.raises(ConnectionClosed):  # noqa: PT012
            end = time.monotonic() + PATIENCE
            while time.monotonic() < end:
                lazy.send('{"type":"save"}')
    for ply in range(1, 6):
        assert page.ask("act", "state", action=0)["ply"] == ply


def test_connections_over_the_limit_are_turned_away(tmp_path: Path) -> None:
    with running_studio(tmp_path, limits=Limits(pages=3)) as studio, ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(studio.page())
        with (
            talk(f"127.0.0.1:{studio.port}") as one_more,
            pytest.raises(ConnectionClosed) as closed,
        ):
            one_more.recv(timeout=PATIENCE)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1013
        stack.close()
        with studio.page() as page:
            assert page.new("triple/1-first-steps")["ply"] == 0


def test_500_connections_opened_and_dropped_leave_nothing(studio: Studio, page: Page) -> None:
    page.new("toy:#1")
    descriptors = Path("/proc/self/fd")

    def counts() -> tuple[int, int]:
        return threading.active_count(), len(list(descriptors.iterdir())) if descriptors.is_dir() else 0

    before = counts()
    address = ("127.0.0.1", studio.port)
    upgrade = (
        f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\nOrigin: http://127.0.0.1:{studio.port}\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
    ).encode()
    for _ in range(5):
        clients = [socket.create_connection(address) for _ in range(100)]
        for number, client in enumerate(clients):
            client.sendall(upgrade[: len(upgrade) - number % 2])  # every second one never completes
        for number, client in enumerate(clients):
            if number % 4 == 0:
                client.recv(1)
            client.close()
    helpers = min(32, (os.cpu_count() or 1) + 4)  # what asyncio.to_thread keeps

    def left() -> tuple[int, int]:
        threads, files = counts()
        return max(0, threads - before[0] - helpers), max(0, files - before[1])

    wait_until(lambda: left() == (0, 0), lambda: f"the end of {left()} threads and descriptors")
    assert page.ask("act", "state", action=0)["ply"] == 1


def test_clicks_are_answered_while_solvers_run(studio: Studio, page: Page) -> None:
    """How soon says bench.studio.latency. The solver of the other page counts in Python, which
    is worse than any kernel."""
    with studio.page() as other:
        other.new("toy:#1")
        other.send("solve", solver="stuck", seconds=2 * PATIENCE)
        other.wait("progress", where=lambda event: event["expanded"] > 0)
        page.new("triple:slots=4#1")
        for _ in range(10):
            state = page.ask("goto", "state", ply=0)
            page.ask("act", "state", action=state["legal"][0])
        other.send("cancel")
        assert other.wait("result")["answer"]["limit"]["kind"] == "cancelled"


def test_ports() -> None:
    with bind(0) as taken:
        port: int = taken.getsockname()[1]
        assert taken.getsockname()[0] == "127.0.0.1"
        with pytest.raises(WinnableError, match="port"):
            bind(port)
    with bind() as first, bind() as second:
        assert FIRST_PORT <= first.getsockname()[1] < second.getsockname()[1]


# -- a real process ----------------------------------------------------------------------------------------


@contextmanager
def process(folder: Path) -> Generator[tuple[subprocess.Popen[str], str]]:
    """(process, its HOST:PORT)"""
    path = os.pathsep.join(filter(None, [str(SOURCE), os.environ.get("PYTHONPATH", "")]))
    command = [sys.executable, "-W", "error", "-m", "winnable", "studio", "--port", "0", "--no-open"]
    with subprocess.Popen(
        command,
        env={**os.environ, "WINNABLE_DATA": str(folder), "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        try:
            assert running.stdout is not None
            line = running.stdout.readline()
            assert "http://127.0.0.1:" in line, line
            port = line.split("http://127.0.0.1:")[1].partition("/")[0]
            yield running, f"127.0.0.1:{port}"
        finally:
            running.kill()


def test_kill_9_loses_nothing(tmp_path: Path) -> None:
    with process(tmp_path) as (running, host), talk(host) as client:
        page = Page(client)
        state = page.new("triple/1-first-steps")
        for _ in range(5):
            state = page.ask("act", "state", action=state["legal"][0])
        state = page.ask("goto", "state", ply=4)
        running.kill()
        running.wait()
    with process(tmp_path) as (_, host), talk(host) as client:
        page = Page(client)
        kept = page.wait("hello")["sessions"][0]
        assert (kept["session"], kept["ply"]) == (state["session"], 4)
        again = page.ask("open", "state", session=state["session"])
        assert len(again["history"]) == 5
        for_newcomers = {name: again[name] for name in ("history", "forks", "known")}
        assert again == {**state, **for_newcomers}
        assert page.ask("goto", "state", ply=5)["ply"] == 5


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("words", [[signal.SIGINT], [signal.SIGINT] * 2, [signal.SIGTERM]])
def test_ctrl_c_ends_it_cleanly(tmp_path: Path, words: list[signal.Signals]) -> None:
    with process(tmp_path) as (running, host), talk(host) as client:
        Page(client).new("triple:slots=4#1")
        for word in words:
            running.send_signal(word)
            time.sleep(0.02)
        out, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 0
    assert "Traceback" not in err
    assert not out


def test_the_start_does_without_the_compiler() -> None:
    code = (
        "import sys, winnable.web.server as s; s.game_infos();"
        "print(sorted({'numba', 'llvmlite', 'segno'} & set(sys.modules)))"
    )
    path = os.pathsep.join(filter(None, [str(SOURCE), os.environ.get("PYTHONPATH", "")]))
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    assert done.stdout.strip() == "[]"
