"""Whatever a page sends, there is one clear error, the game is untouched and the connection lives on."""

from __future__ import annotations

import json
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.web.studio_harness import Page, Studio

TILE = {"kind": 0, "x": 0, "y": 0, "layer": 0}


def still_alive(page: Page) -> None:
    """A fresh game can be played: nothing else is in the way."""
    assert page.ask("act", "state", action=0)["ply"] >= 1


@pytest.fixture
def playing(page: Page) -> Page:
    page.new("toy:start=90#1")
    page.lamp()
    page.ask("hint", "hint")  # the lamp is out: what comes now is an answer
    return page


@pytest.mark.parametrize(
    ("message", "request_type", "cause"),
    [
        ("", "", "not JSON"),
        ("{", "", "not JSON"),
        ('{"type":"act","action":', "", "not JSON"),
        ("\0\0\0", "", "not JSON"),
        ("[1,2]", "", "Expected `object`"),
        ("17", "", "Expected `object`"),
        ("{}", "", "type"),
        ('{"type":"dance"}', "dance", "dance"),
        ('{"type":7}', "", "type"),
        ('{"type":"act"}', "act", "action"),
        ('{"type":"act","action":"0"}', "act", "action"),
        ('{"type":"act","action":0.5}', "act", "action"),
        ('{"type":"act","action":NaN}', "", "not JSON"),
        ('{"type":"act","action":1e400}', "act", "range"),
        ('{"type":"act","action":99999999999999999999999999}', "act", "action"),
        ('{"type":"act","action":0,"cheat":true}', "act", "cheat"),
        ('{"type":"act","action":-1}', "act", "action -1"),
        ('{"type":"act","action":3}', "act", "action 3"),
        ('{"type":"act","action":9007199254740992}', "act", "action 9007199254740992"),
        ('{"type":"goto","ply":-1}', "goto", "ply"),
        ('{"type":"goto","ply":5}', "goto", "ply"),
        ('{"type":"open","session":"../../etc/passwd"}', "open", "session"),
        ('{"type":"open","session":"00000000000000000000000000000000"}', "open", "not kept"),
        ('{"type":"step","by":"nobody"}', "step", "nobody"),
        ('{"type":"step","by":"' + "x" * 65 + '"}', "step", "by"),
        ('{"type":"solve","solver":"nobody"}', "solve", "nobody"),
        ('{"type":"solve","solver":"auto","seconds":0}', "solve", "seconds"),
        ('{"type":"solve","solver":"auto","seconds":1e9}', "solve", "seconds"),
        ('{"type":"save","what":"everything"}', "save", "what"),
        ('{"type":"forget","session":"*"}', "forget", "session"),
        ('{"type":"new","level":"\\ud800"}', "", ""),
        ('{"a":' * 100_000, "", "nested too deeply"),
        ('{"type":"act","action":' + "[" * 100_000, "", ""),
    ],
    ids=range(33),
)
def test_messages(playing: Page, message: str, request_type: str, cause: str) -> None:
    playing.socket.send(message)
    error = playing.wait("error", "state")
    assert error["type"] == "error"
    assert error["request"] == request_type
    assert cause in error["message"]
    assert len(error["message"]) < 1000
    still_alive(playing)


def test_binary(playing: Page) -> None:
    playing.socket.send(b'{"type":"act","action":0}')
    assert "binary" in playing.error()
    still_alive(playing)


def test_without_a_game(page: Page) -> None:
    for request, fields in (("act", {"action": 0}), ("hint", {}), ("save", {}), ("report", {})):
        assert "no game yet" in page.ask(request, "state", **fields)["message"]


@pytest.mark.parametrize(
    ("level", "cause"),
    [
        ("triple:layers=1000000000#1", "layers"),
        ("triple:sets=1000000000#1", "sets"),
        ("triple:layers=1000,sets=10000,side=300#1", "cells"),
        ("triple:layers=-1#1", "layers"),
        ("triple:tiles=3#1", "tiles"),
        ("triple:layers=x#1", "layers"),
        ("triple:layers=5", "seed"),
        ("triple:#-1", "seed"),
        ("triple:#99999999999999999999999", "seed"),
        ("nogame:#1", "level"),
        ("triple/../../../../../../etc/passwd", "level"),
        ("triple/nothing", "level"),
        ("/etc/passwd", "level"),
        ("../pyproject.toml", "level"),
        ("", "level"),
        ("\0", "level"),
        ("x" * 1_000_000, "level"),
    ],
)
def test_levels_that_there_are_not(playing: Page, level: str, cause: str) -> None:
    error = playing.ask("new", "state", level=level)
    assert error["type"] == "error"
    assert cause in error["message"]
    assert len(error["message"]) < 1000
    still_alive(playing)


def level(**changes: Any) -> str:
    tiles = [TILE | {"x": 8 * number} for number in range(3)]
    return json.dumps({"format": "winnable.triple/1", "tiles": tiles, **changes})


def tiles(*changes: dict[str, Any]) -> str:
    return level(tiles=[TILE | {"x": 8 * number} | change for number, change in enumerate(changes)])


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        ("", "JSON"),
        (level()[:-20], "JSON"),
        ("GIF89a\x01\x02", "JSON"),
        ("[" * 100_000, "no `format` field"),
        ('{"format":' * 100_000, "no `format` field"),
        ('{"format":"winnable.triple/1","tiles":' + "[" * 100_000, "nested too deeply"),
        ('{"format":"winnable.chess/1"}', "format"),
        (level(colour="red"), "colour"),
        (level(slots=0), "slots"),
        (level(slots=10**9), "slots"),
        (level(tiles=[]), "tiles"),
        (tiles({}, {}), "tiles"),
        (tiles({}, {}, {}, {}), "multiple of 3"),
        (tiles({}, {"x": 4}, {}), "overlaps"),
        (tiles({}, {"x": -8}, {}), "x"),
        (tiles({}, {"x": 10**12}, {}), "x"),
        (tiles({}, {"kind": 10**9}, {}), "kind"),
        (tiles({}, {"layer": 0.5}, {}), "layer"),
        (tiles({}, {"id": 1}, {"id": 1}), "id"),
        (level(title={"en": "x" * 10_000}), "title"),
        ('{"format":"winnable.session/1"}', "level_id"),
        (
            '{"format":"winnable.session/1","level_id":"x","level":{},"actions":[],"ply":0}',
            "format",
        ),
        (
            '{"format":"winnable.session/1","level_id":"x","actions":[0],"ply":2,"level":' + level() + "}",
            "ply",
        ),
        (
            '{"format":"winnable.session/1","level_id":"x","actions":[0,0],"ply":0,"level":' + level() + "}",
            "tile 0",
        ),
        (
            '{"format":"winnable.session/1","level_id":"x","actions":[-1],"ply":0,"level":' + level() + "}",
            "actions",
        ),
    ],
    ids=range(25),
)
def test_files_that_are_none(playing: Page, content: str, cause: str) -> None:
    error = playing.ask("load", "state", content=content)
    assert error["type"] == "error"
    assert error["request"] == "load"
    assert cause in error["message"]
    assert len(error["message"]) < 2000
    still_alive(playing)


def test_a_billion_tiles(playing: Page) -> None:
    """As many as a file of the largest size can hold; refused before they are built."""
    content = '{"format":"winnable.triple/1","tiles":[' + '{"kind":0,"x":0,"y":0,"layer":0},' * 400_000
    error = playing.ask("load", "state", content=content + '{"kind":0,"x":0,"y":0,"layer":0}]}')
    assert error["type"] == "error"
    assert "tiles" in error["message"]
    still_alive(playing)


def test_too_long_a_file(playing: Page) -> None:
    error = playing.ask("load", "state", content="x" * 16_000_001)
    assert "content" in error["message"]
    still_alive(playing)


def test_an_oversized_message_ends_its_connection_alone(studio: Studio, playing: Page) -> None:
    with studio.page() as other:
        with pytest.raises(ConnectionClosed) as closed:  # noqa: PT012
            other.socket.send("x" * (64 * 2**20 + 1))
            other.next()
        # The connection may break while the message is still on its way, before the client hears why.
        assert closed.value.rcvd is None or closed.value.rcvd.code == 1009
    still_alive(playing)


def test_text_that_is_not_utf_8_ends_its_connection_alone(studio: Studio, playing: Page) -> None:
    with studio.page() as other:
        with pytest.raises(ConnectionClosed) as closed:  # noqa: PT012
            other.socket.send(b'{"type":"\xff\xfe"}', text=True)
            other.next()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1007
    still_alive(playing)


def test_a_flood_of_requests(playing: Page) -> None:
    for _ in range(500):
        playing.send("hint")
    for _ in range(500):
        assert playing.wait("hint")["action"] == 0
    still_alive(playing)
