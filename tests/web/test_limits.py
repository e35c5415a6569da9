"""How much the studio bears: nobody locks the others out, and who is over a limit is told so."""

from __future__ import annotations

import json
import logging
import os
import socket
import struct
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode
from websockets.sync.client import ClientConnection, connect

from bench.studio.process import talk
from tests.waiting import PATIENCE, wait_until
from tests.web import toy_game
from tests.web.studio_harness import Page, Studio, running_studio
from winnable.contract.registry import GAMES, Entry
from winnable.web import limits as limits_module
from winnable.web import peers, seats
from winnable.web.jobs import Jobs
from winnable.web.limits import Bucket, Limits, Scales
from winnable.web.seats import Guest, Seats
from winnable.web.wire import StudioSocket


def end_of(socket: ClientConnection, seconds: float = PATIENCE) -> int:
    """The code with which the studio closes it."""
    with pytest.raises(ConnectionClosed) as closed:  # noqa: PT012
        while True:
            socket.recv(timeout=seconds)
    return closed.value.rcvd.code if closed.value.rcvd else 1006


def host(studio: Studio) -> str:
    return f"127.0.0.1:{studio.port}"


def raw_socket(studio: Studio) -> socket.socket:
    """After the handshake."""
    client = socket.create_connection(("127.0.0.1", studio.port), timeout=PATIENCE)
    client.sendall(
        (
            f"GET /ws HTTP/1.1\r\nHost: {host(studio)}\r\nOrigin: http://{host(studio)}\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
        ).encode()
    )
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += client.recv(1)
    return client


def begun(size: int, sent: int) -> bytes:
    """The beginning of a frame of so many bytes."""
    return struct.pack("!BBQ", 0x81, 0x80 | 127, size) + bytes(4) + b" " * sent


# -- messages ----------------------------------------------------------------------------------------------


def test_unfinished_messages_are_bounded_in_all(tmp_path: Path) -> None:
    """Each alone is allowed. The one that holds most is closed; whoever needs little does not notice."""
    limits = Limits(held=5 * 2**20)
    with running_studio(tmp_path, limits=limits) as studio, studio.page() as page, ExitStack() as stack:
        hoarders = [stack.enter_context(raw_socket(studio)) for _ in range(8)]
        for number, hoarder in enumerate(hoarders):
            hoarder.sendall(begun(2**25, 2**20 + number * 1000))
        closed = 0
        for hoarder in hoarders:
            hoarder.settimeout(1)
            try:
                while chunk := hoarder.recv(2**20):
                    closed += b"too big" in chunk
            except TimeoutError:
                pass
        assert 3 <= closed <= 5
        assert page.new("triple/1-first-steps")["ply"] == 0
        assert page.ask("load", "error", content="x" * 2**18)["type"] == "error"


def test_a_message_has_a_deadline(tmp_path: Path) -> None:
    limits = Limits(message_seconds=0.5)
    with running_studio(tmp_path, limits=limits) as studio, studio.page() as page:
        with raw_socket(studio) as slow:
            slow.sendall(begun(1000, 10))
            seen = b""
            while chunk := slow.recv(65536):
                seen += chunk
            assert b"too slowly" in seen
        assert page.new("triple/1-first-steps")["ply"] == 0


def test_who_sends_a_long_message_answers_pings_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = StudioSocket.start_keepalive

    def often(socket: StudioSocket) -> None:
        socket.ping_interval, socket.ping_timeout = 0.1, 0.1
        begin(socket)

    monkeypatch.setattr(StudioSocket, "start_keepalive", often)
    message = Frame(Opcode.TEXT, json.dumps({"type": "load", "content": "x" * 2**18}).encode())
    with running_studio(tmp_path) as studio, studio.page() as page:
        parts = message.serialize(mask=True)
        with page.socket.protocol_mutex:
            page.socket.socket.sendall(parts[:1000])
            time.sleep(1)
            page.socket.socket.sendall(parts[1000:])
        assert page.wait("error")["request"] == "load"
        with raw_socket(studio) as mute:
            seen = b""
            while chunk := mute.recv(65536):
                seen += chunk
            assert b"keepalive" in seen


def test_a_message_in_very_many_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty ones: they take memory without a byte in them."""
    monkeypatch.setattr("winnable.web.wire.MAX_MESSAGE", 2**20)
    with running_studio(tmp_path) as studio, raw_socket(studio) as client:
        client.sendall(Frame(Opcode.TEXT, b"", fin=False).serialize(mask=True))
        part = Frame(Opcode.CONT, b"", fin=False).serialize(mask=True)
        client.sendall(part * 2000)
        seen = b""
        while chunk := client.recv(65536):
            seen += chunk
        assert b"too big" in seen


def test_pings_without_end(tmp_path: Path) -> None:
    with running_studio(tmp_path, limits=Limits(pings=2.0)) as studio:
        with raw_socket(studio) as client:
            client.sendall(Frame(Opcode.PING, b"").serialize(mask=True) * 100)
            seen = b""
            while chunk := client.recv(65536):
                seen += chunk
            assert b"too many pings" in seen
        with talk(host(studio)) as polite:
            assert polite.ping().wait(PATIENCE)


def test_who_sends_too_much_waits_and_the_others_do_not(tmp_path: Path) -> None:
    limits = Limits(messages=100.0)
    with running_studio(tmp_path, limits=limits) as studio, studio.page() as page, studio.page() as flood:
        page.new("triple/1-first-steps")
        began = time.monotonic()
        for _ in range(400):
            flood.socket.send('{"type":"hint"}')
        for _ in range(20):
            assert page.ask("goto", "state", ply=0)["ply"] == 0
        for _ in range(400):
            assert flood.error()
        assert time.monotonic() - began >= 1.9, "200 at once, then 100 a second"


def test_a_bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(limits_module.time, "monotonic", lambda: now)
    bucket = Bucket(rate=10, burst=5)
    assert [bucket.spend(1) for _ in range(7)] == [0, 0, 0, 0, 0, pytest.approx(0.1), pytest.approx(0.2)]
    now = 100.0
    assert bucket.spend(5) == 0
    assert bucket.spend(20) == 2


def test_the_heaviest_gives_up() -> None:
    scales, gone = Scales(100), list[str]()

    def put(name: str, weight: int) -> None:
        def give_up() -> None:
            gone.append(name)
            scales.weigh(name, 0, give_up)

        scales.weigh(name, weight, give_up)

    put("a", 40)
    put("b", 50)
    put("a", 45)
    assert (gone, scales.total) == ([], 95)
    put("c", 10)
    assert (gone, scales.total) == (["b"], 55)
    put("c", 200)
    assert (gone, scales.total) == (["b", "c"], 45)


# -- places ------------------------------------------------------------------------------------------------


def test_idle_sockets_lock_nobody_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that never said a word go first, then the one that has been idle the longest."""
    monkeypatch.setattr(seats, "GREET_SECONDS", 0.0)
    now = 0.0
    monkeypatch.setattr(seats, "time", SimpleNamespace(monotonic=lambda: now))
    limits = Limits(pages=3, idle_seconds=60.0)
    with running_studio(tmp_path, limits=limits) as studio, ExitStack() as stack:
        first, second = (Page(stack.enter_context(talk(host(studio)))) for _ in range(2))
        mute = stack.enter_context(talk(host(studio)))
        for page in (first, second):
            assert page.new("triple/1-first-steps")["ply"] == 0
        now = 61.0
        assert second.ask("goto", "state", ply=0)["ply"] == 0
        third = Page(stack.enter_context(talk(host(studio))))
        assert third.new("triple/1-first-steps")["ply"] == 0
        assert end_of(mute) == 4001
        fourth = Page(stack.enter_context(talk(host(studio))))
        assert fourth.new("triple/1-first-steps")["ply"] == 0
        assert end_of(first.socket) == 4001
        now = 120.0
        assert second.ask("goto", "state", ply=0)["ply"] == 0, "who plays stays"


def test_who_is_over_the_limit_is_told_so(tmp_path: Path) -> None:
    with running_studio(tmp_path, limits=Limits(pages=2)) as studio, ExitStack() as stack:
        for _ in range(2):
            stack.enter_context(studio.page())
        with talk(host(studio)) as one_more:
            assert end_of(one_more) == 1013


def test_a_page_that_waits_for_something_is_not_idle() -> None:
    places = Seats(1, idle_seconds=0.0)
    out: list[str] = []
    waiting = Guest(lambda: out.append("waiting"))
    waiting.speak()
    assert places.take(waiting)
    waiting.is_busy = lambda: True
    assert not places.take(Guest(lambda: None))
    waiting.is_busy = lambda: False
    assert places.take(Guest(lambda: None))
    assert out == ["waiting"]


def test_a_lamp_that_has_to_wait_is_told_as_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, closed: None
) -> None:
    """Two boards keep the searching threads; the third lamp says so, and has its verdict in the end."""
    monkeypatch.setitem(GAMES, "toy", Entry("toy", "tests.web.toy_game:GAME"))
    with running_studio(tmp_path, jobs=Jobs(busy_seconds=0.2)) as studio, ExitStack() as stack:
        pages = [stack.enter_context(studio.page()) for _ in range(3)]
        for number, page in enumerate(pages):
            page.new(f"toy:start={20 + number}#1")
        busy = pages[2].wait("lamp", where=lambda event: event["busy"])
        assert (busy["verdict"], busy["searching"]) == ("unknown", True)
        assert pages[2].ask("act", "state", action=0)["ply"] == 1, "clicks do not wait"
        toy_game.OPEN.set()
        last = pages[2].wait("lamp", where=lambda event: event["ply"] == 1 and not event["searching"])
        assert (last["verdict"], last["busy"]) == ("winnable", False)


# -- strangers ---------------------------------------------------------------------------------------------


def test_a_refused_page_prints_nothing(studio: Studio, caplog: pytest.LogCaptureFixture) -> None:
    with (
        caplog.at_level(logging.DEBUG),
        pytest.raises(InvalidStatus),
        connect(f"ws://{host(studio)}/ws", additional_headers={"Origin": "http://evil.example"}),
    ):
        pass
    with studio.page():  # the event loop has been round by then
        pass
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


@pytest.mark.skipif(
    sys.platform != "linux" or os.getuid() != 0, reason="only root can be somebody else, only Linux tells"
)
def test_another_user_of_the_machine_is_refused(studio: Studio) -> None:
    """Even one who names the right origin."""
    upgrade = (
        f"GET /ws HTTP/1.1\r\nHost: {host(studio)}\r\nOrigin: http://{host(studio)}\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
    ).encode()

    def answer(user: int) -> bytes:
        client = socket.socket()  # sockets belong to whoever made them
        os.fchown(client.fileno(), user, user)
        client.settimeout(PATIENCE)
        client.connect(("127.0.0.1", studio.port))
        client.sendall(upgrade)
        with client:
            return client.recv(4096)

    assert answer(0).startswith(b"HTTP/1.1 101")
    assert answer(12345).startswith(b"HTTP/1.1 403")


def test_a_connection_that_is_half_gone_is_nobodys() -> None:
    """Its sender has closed it: the kernel calls it root's."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        client = socket.create_connection(server.getsockname())
        taken, address = server.accept()
        with taken:
            assert peers.is_ours(address, taken.getsockname())
            client.close()
            if sys.platform == "linux":
                wait_until(lambda: not peers.is_ours(address, taken.getsockname()), "the other process")
