"""`winnable share`: a folder at an address, until Ctrl-C; all else is one error."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.cli.cli_support import Run, one_error
from tests.waiting import PATIENCE
from winnable.cli import share
from winnable.site import sharing


@pytest.fixture
def site(tmp_path: Path) -> str:
    folder = tmp_path / "site"
    folder.mkdir()
    for name in ("service.js", "index.html"):
        (folder / name).write_text(name)
    return str(folder)


def shared(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "winnable", "share", *arguments],
        env={**os.environ, "LC_ALL": "C"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.skipif(os.name == "nt", reason="there are no signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_answers_until_it_is_told_to_end(site: str, number: signal.Signals) -> None:
    process = shared(site, "--port", "0", "--host", "127.0.0.1", "--json")
    assert process.stdout is not None
    said = json.loads(process.stdout.readline())
    assert (said["folder"], said["packed_bytes"]) == (site, len("service.jsindex.html"))
    with urlopen(said["address"], timeout=PATIENCE) as answer:
        assert answer.read() == b"index.html"
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (0, "")
    (line,) = err.splitlines()
    assert "no network but this computer's own" in line


@pytest.mark.skipif(os.name == "nt", reason="there are no signals")
def test_it_ends_without_a_word_though_somebody_does_not_read(site: str) -> None:
    Path(site, "large.bin").write_bytes(bytes(2**24))
    process = shared(site, "--port", "0", "--json")
    assert process.stdout is not None
    port = int(json.loads(process.stdout.readline())["address"].strip("/").rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port)) as idle:
        idle.sendall(b"GET /large.bin HTTP/1.1\r\nHost: a\r\n\r\n")
        assert idle.recv(1) == b"H"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, "Traceback" in err, "Cancel" in err) == (0, False, False)


def test_a_port_in_use_is_one_error(run: Run, site: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = str(busy.getsockname()[1])
        one_error(run("share", site, "--host", "127.0.0.1", "--port", port, code=2), port)


@pytest.mark.parametrize("host", ["203.0.113.7", "no such host", "::1", "x" * 300, "é" * 100])
def test_an_address_of_another_machine_is_one_error(run: Run, site: str, host: str) -> None:
    one_error(run("share", site, "--host", host, code=2), "no address of this computer")


def test_a_folder_that_is_no_site_is_one_error(run: Run, tmp_path: Path) -> None:
    one_error(run("share", str(tmp_path), code=2), "service.js")
    one_error(run("share", "nowhere", code=2), "service.js")


def test_what_cannot_be_meant_is_refused(run: Run, site: str) -> None:
    one_error(run("share", site, "--games", "drops", code=2), "--games")
    one_error(run("share", "--games", "chess", code=2), "chess")


def test_the_code_is_drawn_where_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    address = "http://192.168.178.123:8000/"

    class Terminal:
        encoding = "utf-8"

        def isatty(self) -> bool:
            return True

    terminal, columns = Terminal(), 80
    monkeypatch.setattr(share.sys, "stdout", terminal)
    monkeypatch.setattr(share.shutil, "get_terminal_size", lambda: os.terminal_size((columns, 24)))
    lines = share.drawn(address).splitlines()
    assert len(lines) == 15, "two rows of modules in each"
    assert {len(line) for line in lines} == {29}
    assert set("".join(lines)) <= set(" ▀▄█")
    terminal.encoding = "ascii"
    assert not share.drawn(address)
    terminal.encoding, columns = "utf-8", 28
    assert not share.drawn(address)


def test_without_a_folder_a_site_is_written_first(
    run: Run, site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def kept(games: list[str], begin: Callable[[], None], tell: Callable[[str], None]) -> Path:
        begin()
        tell(games[0])
        return Path(site)

    def serve(self: sharing.Sharing, ready: Callable[[], None]) -> None:
        ready()
        self.bound.close()

    monkeypatch.setattr(sharing, "kept", kept)
    monkeypatch.setattr(sharing.Sharing, "serve", serve)
    told = run("share", "--games", "drops", "--port", "0")
    assert "no site for this version" in told.stderr
    assert "the solvers of drops" in told.stderr
    assert "http://" in told.stdout
