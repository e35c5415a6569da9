"""Replays at the arcade, against a real server."""

import json
import threading
import time
from typing import Any

import pytest
from msgspec.json import encode

from tests.games.tetris.modern.page.conftest import visit
from tests.games.tetris.modern.page.test_arcade import line_sprint, tap
from tests.waiting import PATIENCE
from tests.web.studio_harness import Page, Studio
from winnable.contract.core import Search
from winnable.games.tetris.modern.page import arcade
from winnable.games.tetris.modern.page.cabinet import Play
from winnable.games.tetris.modern.page.protocol import Film
from winnable.games.tetris.modern.players import replay
from winnable.games.tetris.modern.rules.level import Handling, Level
from winnable.games.tetris.modern.rules.puzzle import Modern
from winnable.games.tetris.modern.rules.state import HARD, LEFT
from winnable.levels.files import decode
from winnable.store.database import KeptSession


def test_a_replay_is_the_same_game(visitor: Page) -> None:
    line_sprint(visitor)
    visitor.send("go")
    tap(visitor, LEFT)
    tap(visitor, HARD)
    visitor.wait("frame", where=lambda event: event["seen"].get("placed") == 1)
    visitor.send("pause")
    file = visitor.ask("save", "file")
    film = decode(file["content"].encode(), Film)
    state = replay.replay(film.level, film.log)
    assert state.placed == 1
    assert file["name"].endswith(".replay.json")

    table = visitor.ask("watch", "table")
    assert (table["frame"], table["length"]) == (0, film.log.frames)
    visitor.send("speed", times=16)
    visitor.send("go")
    seen = dict(table["seen"])
    while (event := visitor.wait("frame", "phase")) != {"type": "phase", "phase": "over"}:
        seen |= event.get("seen", {})
    expected = json.loads(json.dumps(Modern(film.level).observe(state).rows))
    assert seen["rows"] == expected
    assert visitor.ask("leave", "table")["frame"] == film.log.frames


def test_a_replay_file_is_shown_to_somebody_else(studio: Studio) -> None:
    with visit(studio) as page:
        line_sprint(page)
        page.send("go")
        tap(page, HARD)
        page.wait("phase", where=lambda event: event["phase"] == "over")
        content = page.ask("save", "file")["content"]
    with visit(studio) as page:
        table = page.ask("load", "table", content=content)
        assert table["phase"] == "paused"
        page.send("go")
        assert page.wait("phase", where=lambda event: event["phase"] != "playing")["phase"] == "over"
        tap(page, LEFT)
        again = page.ask("watch", "table")  # the same film, and not the game that lies behind it
        assert (again["frame"], again["length"]) == (0, table["length"])
        assert page.ask("leave", "table")["frame"] == 0


def test_the_page_knows_the_last_frame(visitor: Page) -> None:
    film = Film(Level(), replay.Log(Handling(), ((8, 0),)))
    visitor.ask("load", "table", content=encode(film).decode())
    visitor.send("go")
    frames = list[int]()
    while (event := visitor.wait("frame", "phase")) != {"type": "phase", "phase": "over"}:
        frames += [event["frame"]] if event["type"] == "frame" else []
    assert frames[-1] == 8


def test_a_replay_is_not_covered_by_a_game_that_comes_late(
    studio: Studio, visitor: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    level, log = Level(mode="zen"), replay.Log(Handling())
    kept = KeptSession(
        "c" * 32, "arcade:zen#0", encode(level), replay.encode(log).encode(), 0, "playing", time.time()
    )
    studio.store.replace(kept)
    opened, restored = threading.Event(), arcade.restored

    def wait_and_restore(*arguments: Any) -> Search[Play]:
        assert opened.wait(PATIENCE)
        return restored(*arguments)

    monkeypatch.setattr(arcade, "restored", wait_and_restore)
    visitor.send("open", session=kept.id)
    assert visitor.ask("load", "table", content=encode(Film(level, log)).decode())["length"] == 0
    opened.set()
    with pytest.raises(TimeoutError):
        visitor.next(timeout=0.3)
