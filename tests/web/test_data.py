"""All data out of the studio and in again, over HTTP."""

import gzip
import http.client
import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import PATIENCE
from tests.web.studio_harness import Studio, running_studio
from winnable import archive
from winnable.store import results


def ask(studio: Studio, method: str, body: bytes = b"", origin: bool = True) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=PATIENCE)
    headers = {"Origin": f"http://127.0.0.1:{studio.port}"} if origin else {}
    connection.request(method, "/data", body or None, headers)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, content


def refused(answer: tuple[int, bytes]) -> dict[str, Any]:
    status, content = answer
    assert status == 200
    event = json.loads(content)
    assert event["type"] == "error"
    return event


@pytest.fixture
def another(tmp_path: Path) -> Generator[Studio]:
    with running_studio(tmp_path) as running:
        yield running


def test_a_game_goes_on_in_another_studio(studio: Studio, another: Studio) -> None:
    with studio.page() as page:
        state = page.new("2048:rows=2,columns=2#3")
        session = state["session"]
        while state["standing"] == "playing":
            state = page.ask("act", "state", action=state["legal"][0])
    status, content = ask(studio, "GET")
    assert status == 200
    status, told = ask(another, "POST", content)
    assert status == 200, told
    assert json.loads(told)["games"] >= 1
    with another.page() as page:
        there = page.ask("open", "state", session=session)
        assert (there["view"], there["standing"]) == (state["view"], "over")
        assert [one["ended"] for one in page.ask("played", "played")["games"] if one["game"] == "2048"] == [1]
    assert results.every(another.store)


def test_what_is_no_data_is_refused(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    assert refused(ask(studio, "POST", b"nothing"))["code"] == "data.foreign"
    head = {"kind": "head", "format": "winnable.data/2", "version": "9", "made": 0}
    newer = refused(ask(studio, "POST", gzip.compress(json.dumps(head).encode())))
    assert (newer["code"], newer["field"]) == ("data.newer", "format")
    monkeypatch.setattr(archive, "MAX_PACKED", 1000)
    assert refused(ask(studio, "POST", b"x" * 2000))["code"] == "file.larger"


def test_a_studio_in_memory_says_so_and_is_no_backup(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    with running_studio(tmp_path / "data") as studio, studio.page() as page:
        told = page.wait("error")
        assert told["code"] == "store.memory"
        page.new("2048:rows=2,columns=2#3")
        status, content = ask(studio, "GET")
        assert (status, json.loads(content)["code"]) == (500, "data.memory")
        head = {"kind": "head", "format": "winnable.data/1", "version": "9", "made": 0}
        told = refused(ask(studio, "POST", gzip.compress(json.dumps(head).encode())))
        assert told["code"] == "data.memory"


def test_only_the_studios_own_pages_may_add(studio: Studio) -> None:
    assert ask(studio, "POST", b"nothing", origin=False)[0] == 403
