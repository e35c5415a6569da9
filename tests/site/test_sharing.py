"""A site on the network: files and nothing else, whoever asks for what, and how many."""

from __future__ import annotations

import asyncio
import gzip
import http.client
import os
import socket
import threading
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from unittest.mock import AsyncMock, Mock

import pytest
from starlette.types import Message, Scope

from tests.waiting import PATIENCE
from tests.web.studio_harness import answering
from winnable.contract.core import WinnableError
from winnable.site import sharing
from winnable.web.limits import Limits
from winnable.web.server import HOST, bind
from winnable.web.wire import StudioProtocol

SECRET = b"root:secret"
PAGE = b"<title>a page</title>"
ELSEWHERE = r"""
/.. /../secret /%2e%2e/secret /..%2fsecret /..%5csecret /..\secret /python/../../secret /%252e%252e/secret
/....//secret /./index.html //index.html /index.html/ /index.html%00 //etc/passwd /%2fetc%2fpasswd /C:/secret
/%ff%fe /%c0%ae./ /.git/config /.hidden /link /link.html /linked/secret /linked /python /python/ /INDEX.HTML
/index.html::$DATA http://elsewhere.example/index.html *
"""
LARGE = 16 * 2**20
"""Bytes: more than the system keeps of an answer that nobody reads."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("share")
    folder = root / "site"
    for name, content in {
        "index.html": PAGE,
        "service.js": b"// service",
        "python/run.mjs": b"export {};\n" * 100,
        "python/run.wasm": bytes(LARGE),
        "python/noise.zip": os.urandom(10_000),
        "kernels/drops.so": b"\0asm",
        "a b.webmanifest": b"{}",
        ".git/config": SECRET,
        ".hidden": SECRET,
        "../secret": SECRET,
        "../others/secret": SECRET,
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (folder / "link").symlink_to(root / "secret")
    (folder / "link.html").symlink_to("index.html")
    (folder / "linked").symlink_to(root / "others")
    return folder


@contextmanager
def running(folder: Path, limits: Limits = sharing.LIMITS) -> Generator[int]:
    """The port."""
    bound = bind(0)
    with answering(sharing.Shared(sharing.read(folder), limits), bound, sockets=False):
        yield bound.getsockname()[1]


@pytest.fixture(scope="module")
def port(folder: Path) -> Generator[int]:
    with running(folder) as port:
        yield port


def ask(
    port: int, path: str, method: str = "GET", body: bytes | None = None, **headers: str
) -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection(HOST, port, timeout=PATIENCE)
    try:
        connection.request(method, path, body, {name.replace("_", "-"): it for name, it in headers.items()})
        answer = connection.getresponse()
        return answer, answer.read()
    finally:
        connection.close()


def raw(port: int, content: bytes) -> bytes:
    """What is answered to these bytes until the end."""
    with socket.create_connection((HOST, port), timeout=PATIENCE) as client:
        answer = b""
        with suppress(ConnectionError):
            client.sendall(content)
            while chunk := client.recv(65536):
                answer += chunk
        return answer


def test_files_come_with_their_type_and_no_other_page_frames_them(port: int) -> None:
    answer, body = ask(port, "/")
    assert (answer.status, body) == (200, PAGE)
    assert ask(port, "/index.html?x=1")[1] == PAGE
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.headers["Content-Security-Policy"] == "frame-ancestors 'none'"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "Server" not in answer.headers
    kinds = {"python/run.mjs": "text/javascript", "python/run.wasm": "application/wasm"}
    for path, kind in kinds.items():
        assert ask(port, f"/{path}", "HEAD")[0].headers["Content-Type"].partition(";")[0] == kind
    assert ask(port, "/a%20b.webmanifest")[0].headers["Content-Type"] == "application/manifest+json"


def test_what_a_browser_has_is_not_sent_again_and_what_packs_well_is_packed(port: int) -> None:
    answer, body = ask(port, "/python/run.mjs", Accept_Encoding="br, gzip")
    assert answer.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(body) == b"export {};\n" * 100
    assert answer.headers["Vary"] == "Accept-Encoding"
    tag = answer.headers["ETag"]
    for tags in (tag, f'"x", {tag}'):
        again, nothing = ask(port, "/python/run.mjs", If_None_Match=tags)
        assert (again.status, nothing, again.headers["ETag"]) == (304, b"", tag)
    assert ask(port, "/python/run.mjs", If_None_Match='"x"')[0].status == 200
    for refusing in ("gzip;q=0", "identity", "nogzip"):
        answer, body = ask(port, "/python/run.mjs", Accept_Encoding=refusing)
        assert (answer.headers["Content-Encoding"], body) == (None, b"export {};\n" * 100)
    answer, body = ask(port, "/python/noise.zip", Accept_Encoding="gzip")
    assert "Content-Encoding" not in answer.headers
    assert len(body) == 10_000


def test_head_is_get_without_the_file(port: int) -> None:
    whole, _ = ask(port, "/python/run.wasm")
    head, nothing = ask(port, "/python/run.wasm", "HEAD")
    assert (head.status, nothing) == (200, b"")
    assert head.headers["Content-Length"] == whole.headers["Content-Length"] == str(LARGE)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT", "BREW"])
def test_nothing_but_get_and_head(port: int, method: str) -> None:
    answer, _ = ask(port, "/index.html", method, b"x" * 100)
    assert (answer.status, answer.headers["Allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize("path", [*ELSEWHERE.split(), "/" + "../" * 30 + "etc/passwd", "/a" * 5000])
def test_nothing_but_what_the_site_has(port: int, path: str) -> None:
    answer = raw(port, f"GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
    assert answer.split(b" ")[1] in (b"404", b"400"), answer[:200]
    assert SECRET not in answer
    assert b"noise" not in answer, "no folder is listed"


@pytest.mark.parametrize("host", ["evil.example", "<script>", '"\\', "[::1", "x" * 5000, "127.0.0.1:1"])
def test_any_host_may_ask_and_none_is_repeated(port: int, host: str) -> None:
    answer = raw(port, f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
    assert answer.endswith(PAGE) or answer.split(b" ")[1] == b"400"
    assert host.encode() not in answer


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 200_000 + b"\r\n\r\n",
        b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n",
        b"\0\1\2\3\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\nConnection: close\r\n\r\n",
    ],
    ids=range(6),
)
def test_requests_that_are_none(port: int, request_bytes: bytes) -> None:
    answer = raw(port, request_bytes)
    assert not answer or answer.split(b" ")[1] in (b"400", b"405", b"431"), answer[:100]
    assert ask(port, "/")[1] == PAGE


def test_there_are_no_sockets(port: int) -> None:
    answer, _ = ask(port, "/ws", Connection="close, Upgrade", Upgrade="websocket", Sec_WebSocket_Version="13",
                    Sec_WebSocket_Key="MDEyMzQ1Njc4OWFiY2RlZg==")  # fmt: skip
    assert answer.status == 404


def test_five_hundred_at_once(port: int) -> None:
    """Each keeps its connection, as browsers do."""
    with ExitStack() as stack:
        clients = [stack.enter_context(socket.create_connection((HOST, port), PATIENCE)) for _ in range(500)]
        for client in clients:
            client.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")

        def heard(client: socket.socket) -> bool:
            answer = b""
            while not answer.endswith(PAGE):
                part = client.recv(65536)
                assert part
                answer += part
            return answer.startswith(b"HTTP/1.1 200")

        with ThreadPoolExecutor(20) as threads:
            assert all(threads.map(heard, clients))


def test_who_reads_slowly_holds_up_nobody_and_gets_it_all(port: int) -> None:
    with socket.create_connection((HOST, port), PATIENCE) as slow:
        slow.sendall(b"GET /python/run.wasm HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        got = len(slow.recv(1000))
        for _ in range(20):
            assert ask(port, "/")[1] == PAGE
        while part := slow.recv(2**20):
            got += len(part)
    assert got > LARGE


def test_many_fast_readers_take_turns(folder: Path) -> None:
    """Where each reads at once what is sent, nothing else would let another one's answer begin."""
    shared, sent = sharing.Shared(sharing.read(folder)), list[int]()

    async def load(reader: int) -> None:
        async def send(message: Message) -> None:
            sent.append(reader)

        scope: Scope = {"method": "GET", "path": "/python/run.wasm", "headers": []}
        await shared(scope, AsyncMock(), send)

    async def load_all() -> None:
        await asyncio.gather(*map(load, range(3)))

    asyncio.run(load_all())
    assert {*sent[:12]} == {0, 1, 2}


def test_who_reads_nothing_is_dropped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drop, dropped = StudioProtocol.drop, threading.Event()

    def heard(connection: StudioProtocol) -> None:
        drop(connection)
        dropped.set()

    monkeypatch.setattr(StudioProtocol, "drop", heard)
    with running(folder, Limits(request_seconds=0.5)) as port, socket.create_connection((HOST, port)) as idle:
        idle.sendall(b"GET /python/run.wasm HTTP/1.1\r\nHost: a\r\n\r\n")
        assert dropped.wait(PATIENCE)


def test_half_a_request_is_not_waited_for(folder: Path) -> None:
    with running(folder, Limits(request_seconds=0.5)) as port:
        began = time.monotonic()
        assert raw(port, b"GET / HT") == b""
        assert time.monotonic() - began < PATIENCE / 2


def test_a_folder_that_is_no_site_is_refused(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "nothing"):
        with pytest.raises(WinnableError, match=r"service\.js"):
            sharing.read(folder)


def test_a_folder_with_more_than_a_site_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "MOST_MB", LARGE // 10**6)
    with pytest.raises(WinnableError, match="16 MB"):
        sharing.read(folder)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="may read everything")
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "service.js").write_text("")
    (tmp_path / "index.html").touch(mode=0o200)
    with pytest.raises(WinnableError, match=r"index\.html"):
        sharing.read(tmp_path)


def test_where_no_way_leads_out_the_name_of_the_machine_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "ELSEWHERE", ("256.0.0.1", 9))
    for named, alone in (("192.168.7.7", False), ("127.0.1.1", True)):
        monkeypatch.setattr(socket, "gethostbyname", Mock(return_value=named))
        site = sharing.Sharing({}, 0)
        site.bound.close()
        assert (site.address.startswith(f"http://{named}:"), site.is_alone) == (True, alone)


def test_a_site_is_written_once_a_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WINNABLE_CACHE", str(tmp_path))
    monkeypatch.setattr(sharing, "OURS", tmp_path / "ours")
    (tmp_path / "ours").mkdir()
    said: list[str] = []

    def write(folder: Path, games: list[str], tell: object) -> None:
        said.append("+".join(games))
        folder.mkdir()
        (folder / "service.js").touch()

    def kept(*games: str) -> Path:
        return sharing.kept(games, lambda: said.append("begin"), said.append)

    monkeypatch.setattr(sharing, "write", write)
    first = kept("drops")
    assert (kept("drops"), said) == (first, ["begin", "drops"])
    assert kept("triple") != first
    assert not first.exists()
    before = kept("triple")
    (tmp_path / "ours" / "new.py").touch()
    (tmp_path / "ours" / "new.py").write_text("x = 1")
    assert kept("triple") != before
    assert said == ["begin", "drops", "begin", "triple", "begin", "triple"]
