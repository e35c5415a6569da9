"""The arcade's socket, against a real server."""

import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.games.tetris.modern.page.conftest import visit
from tests.waiting import wait_until
from tests.web.studio_harness import Event, Page, Studio, running_studio
from winnable.games.tetris.levels import fumen
from winnable.games.tetris.modern.page.cabinet import Cabinet, Play
from winnable.games.tetris.modern.page.clock import CATCH_UP, Clock
from winnable.games.tetris.modern.players import replay
from winnable.games.tetris.modern.rules.level import Handling, Level
from winnable.games.tetris.modern.rules.puzzle import Modern
from winnable.games.tetris.modern.rules.state import HARD, HOLD, LEFT
from winnable.levels.files import decode
from winnable.store.database import Store
from winnable.web.events import ErrorEvent

NEARLY_FULL = "XXXX..XXXX"
"""An O that is dropped where it appears fills it."""
O_FIRST = next(dice for dice in range(100) if Modern(Level(dice=dice)).initial().active.piece == "O")


def follow(page: Page, table: Event, until: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """What a page sees: the table's view with all changes, until something holds."""
    seen = dict(table["seen"])

    def look() -> None:
        seen.update(page.wait("frame")["seen"])

    wait_until(lambda: until(seen), lambda: f"another view than {seen}", look)
    return seen


def tap(page: Page, key: int) -> None:
    page.send("keys", held=key)
    page.send("keys", held=0)


def line_sprint(page: Page) -> Event:
    board = fumen.encode([fumen.page_of([NEARLY_FULL, NEARLY_FULL])])
    return page.ask("start", "table", lines=2, dice=O_FIRST, fumen=board)


def test_a_game_waits_until_it_is_started(visitor: Page) -> None:
    table = visitor.ask("start", "table", mode="sprint", dice=5)
    assert (table["phase"], table["frame"], table["length"]) == ("paused", 0, None)
    assert table["level"] == {"mode": "sprint", "rules": "guideline", "start_level": 1, "dice": 5}
    assert len(table["seen"]["following"]) == 5
    tap(visitor, HARD)
    with pytest.raises(TimeoutError):
        visitor.next(timeout=0.2)
    assert visitor.ask("go", "phase")["phase"] == "playing"
    assert visitor.wait("frame")["frame"] > 0


def test_keys_reach_the_board_and_a_game_is_won(visitor: Page) -> None:
    table = line_sprint(visitor)
    assert table["seen"]["rows"][-2:] == [NEARLY_FULL, NEARLY_FULL]
    visitor.send("go")
    tap(visitor, HARD)
    while not (frame := visitor.wait("frame"))["events"]:
        pass
    event = frame["events"][0]
    assert event["clear"] == "double"
    assert event["cleared"] == [0, 1]
    assert event["perfect"] is True
    assert frame["seen"]["status"] == "won"
    assert frame["seen"]["lines"] == 2
    assert visitor.wait("phase")["phase"] == "over"


def test_a_key_that_is_let_go_within_a_frame_counts(visitor: Page) -> None:
    table = visitor.ask("start", "table", mode="zen", dice=O_FIRST)
    first = table["seen"]["cells"]
    visitor.send("go")
    for _ in range(4):
        tap(visitor, LEFT)
    seen = follow(visitor, table, lambda seen: min(x for x, _ in seen["cells"]) == 0)
    assert min(x for x, _ in first) == 4
    assert seen["placed"] == 0
    tap(visitor, HOLD)
    assert follow(visitor, {"seen": seen}, lambda seen: bool(seen["hold"]))["can_hold"] is False


def test_time_stands_still_in_a_pause(visitor: Page) -> None:
    visitor.ask("start", "table", mode="endless", dice=2)
    visitor.send("go")
    visitor.wait("frame")
    visitor.send("pause")
    assert visitor.wait("phase", where=lambda event: event["phase"] != "playing")["phase"] == "paused"
    with pytest.raises(TimeoutError):
        visitor.next(timeout=0.3)
    visitor.send("pause")
    assert visitor.next()["phase"] == "paused"


def test_the_clock_goes_at_sixty_frames_a_second(visitor: Page) -> None:
    """At most as fast, whatever the machine does; that it is not slower, the benchmarks say."""
    visitor.ask("start", "table", mode="zen", dice=3)
    began = time.monotonic()
    visitor.send("go")
    frame = visitor.wait("frame", where=lambda event: event["frame"] >= 40)["frame"]
    assert frame <= 60 * (time.monotonic() - began) + 2


def test_a_flood_of_keys_does_not_speed_the_game_up(visitor: Page) -> None:
    visitor.ask("start", "table", mode="zen", dice=3)
    began = time.monotonic()
    visitor.send("go")
    for number in range(400):
        visitor.send("keys", held=number % 2)
    visitor.send("pause")
    frames = [0]
    while (event := visitor.next())["type"] != "phase" or event["phase"] == "playing":
        frames += [event["frame"]] if event["type"] == "frame" else []
    assert frames[-1] <= 60 * (time.monotonic() - began) + 2


def test_a_lost_connection_pauses_and_another_goes_on(studio: Studio) -> None:
    with visit(studio) as page:
        table = page.ask("start", "table", mode="endless", dice=7)
        page.send("go")
        tap(page, HARD)
        follow(page, table, lambda seen: seen["placed"] == 1)
        tap(page, LEFT)
    with visit(studio) as page:
        again = page.ask("open", "table", session=table["session"])
        assert again["phase"] == "paused"
        assert again["seen"]["placed"] == 1
        assert again["frame"] > 0
        page.send("go")
        tap(page, HARD)
        follow(page, again, lambda seen: seen["placed"] == 2)


def test_another_page_takes_a_game_over(studio: Studio, visitor: Page) -> None:
    session = visitor.ask("start", "table", mode="zen")["session"]
    visitor.send("go")
    with visit(studio) as second:
        assert second.ask("open", "table", session=session)["phase"] == "paused"
        visitor.wait("taken")
        assert "no game yet" in visitor.ask("go")["message"]


def test_a_game_that_was_not_kept_is_taken_over_as_it_stands(studio: Studio, visitor: Page) -> None:
    table = visitor.ask("start", "table", mode="zen")
    visitor.send("go")
    tap(visitor, HARD)
    follow(visitor, table, lambda seen: seen["placed"] == 1)
    visitor.ask("pause", "phase")
    studio.store.delete(table["session"])
    with visit(studio) as second:
        assert second.ask("open", "table", session=table["session"])["seen"]["placed"] == 1
        visitor.wait("taken")


def test_a_game_survives_the_server_and_stays_out_of_the_studio(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("kept")
    with running_studio(folder) as first, visit(first) as page:
        table = page.ask(
            "start", "table", mode="marathon", start_level=3, dice=11, handling={"das": 7, "arr": 0}
        )
        page.send("go")
        tap(page, HARD)
        follow(page, table, lambda seen: seen["placed"] == 1)
        page.send("pause")
        page.wait("phase", where=lambda event: event["phase"] == "paused")
    with running_studio(folder) as second:
        kept = second.store.load(table["session"])
        state = replay.replay(decode(kept.level, Level), replay.decode(kept.actions))
        with visit(second) as page:
            again = page.ask("open", "table", session=table["session"])
            assert again["frame"] == state.frames == kept.ply
            assert again["handling"]["das"] == 7
            assert again["seen"]["score"] == state.tally.score
            assert again["level"]["mode"] == "marathon"
        with second.page() as studio_page:
            assert studio_page.ask("open", session=table["session"])["type"] == "error"
            sessions = studio_page.ask("new", "sessions", level="triple:layers=2,sets=1,kinds=4,side=3#4")
            assert [info["level_id"].split(":")[0] for info in sessions["sessions"]] == ["triple"]


def test_a_server_that_stops_keeps_the_game_under_way(tmp_path: Path) -> None:
    with ExitStack() as connections:
        with running_studio(tmp_path) as first:
            page = connections.enter_context(visit(first))
            table = page.ask("start", "table", mode="zen", dice=4)
            page.send("go")
            tap(page, HARD)
            follow(page, table, lambda seen: seen["placed"] == 1)
        with running_studio(tmp_path) as second, visit(second) as again:
            table = again.ask("open", "table", session=table["session"])
            assert table["seen"]["placed"] == 1
            assert table["phase"] == "paused"


def test_a_game_of_the_studio_is_not_opened(studio: Studio, visitor: Page) -> None:
    with studio.page() as page:
        session = page.new("triple:layers=2,sets=1,kinds=4,side=3#4")["session"]
    assert "arcade" in visitor.ask("open", "table", session=session)["message"]
    assert "not kept" in visitor.ask("open", "table", session="0" * 32)["message"]


def test_the_board_is_copied_as_fumen(visitor: Page) -> None:
    line_sprint(visitor)
    text = visitor.ask("copy", "fumen")["text"]
    assert fumen.decode(text)[0].board == (NEARLY_FULL, NEARLY_FULL)


def test_the_seed_has_its_own_rules(visitor: Page) -> None:
    table = visitor.ask("start", "table", mode="endless", rules="article", dice=3)
    assert len(table["seen"]["following"]) == 1
    visitor.send("go")
    visitor.send("keys", held=1 << 2)
    assert follow(visitor, table, lambda seen: seen["placed"] == 1)["score"] == 0


@pytest.mark.parametrize(
    "message",
    [
        "",
        "{",
        "[]",
        "null",
        '{"type": 5}',
        '{"type": "fly"}',
        '{"type": "keys"}',
        '{"type": "keys", "held": 256}',
        '{"type": "keys", "held": -1}',
        '{"type": "keys", "held": 1.5}',
        '{"type": "keys", "held": 1, "more": 1}',
        '{"type": "speed", "times": 1e9}',
        '{"type": "speed", "times": "most"}',
        '{"type": "bot", "style": "kind"}',
        '{"type": "bot", "style": null}',
        '{"type": "hands", "now": true}',
        '{"type": "hint", "style": 5}',
        '{"type": "appraise", "style": ""}',
        '{"type": "open", "session": "../../etc"}',
        '{"type": "load", "content": "[[["}',
        '{"type": "load", "content": "\\ud800"}',
        '{"type": "start", "mode": "chess"}',
        '{"type": "start", "mode": "zen", "lines": 3}',
        '{"type": "start", "lines": -3}',
        '{"type": "start", "start_level": 99}',
        '{"type": "start", "rules": "article", "mode": "zen"}',
        '{"type": "start", "dice": -1}',
        '{"type": "start", "dice": 1e300}',
        '{"type": "start", "fumen": "v110@abc"}',
        '{"type": "start", "fumen": "v115@%%"}',
        '{"type": "start", "handling": {"das": 0}}',
        '{"type": "start", "handling": {"soft": "fast"}}',
        "[" * 100_000,
    ],
)
def test_what_is_malformed_is_refused_and_nothing_changes(visitor: Page, message: str) -> None:
    table = visitor.ask("start", "table", mode="zen", dice=9)
    visitor.send("go")
    visitor.socket.send(message)
    assert visitor.wait("error")["message"]
    tap(visitor, HARD)
    assert follow(visitor, table, lambda seen: seen["placed"] == 1)["status"] == "playing"
    visitor.socket.send(b"\x00")
    assert "binary" in visitor.error()
    visitor.socket.send('{"type": "speed", "times": "fast"}')
    assert visitor.wait("error")["request"] == "speed", "as far as a message can be read"


def test_without_a_game_there_is_nothing_to_do(visitor: Page) -> None:
    requests: dict[str, dict[str, Any]] = {"keys": {"held": 1}}
    requests |= {type: {} for type in ("go", "pause", "watch", "save", "bot", "hands", "hint")}
    for type, fields in requests.items():
        assert "no game yet" in visitor.ask(type, **fields)["message"]


def test_a_game_ends_where_its_log_is_full(visitor: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "MAX_FRAMES", 20)
    session = visitor.ask("start", "table", mode="zen")["session"]
    visitor.send("go")
    assert visitor.wait("phase", where=lambda event: event["phase"] != "playing")["phase"] == "over"
    assert "log" in visitor.error()
    table = visitor.ask("open", "table", session=session)
    assert (table["phase"], table["frame"]) == ("over", 20)


def test_a_game_that_cannot_be_kept_goes_on_and_says_so_once(tmp_path: Path) -> None:
    store, told = Store(tmp_path), list[Any]()
    cabinet = Cabinet("0" * 32, Play(Level(), Handling()), store, told.append)
    cabinet.keep()
    assert not told
    store.close()
    for _ in range(3):
        cabinet.keep()
    assert [type(event) for event in told] == [ErrorEvent]
    assert "not kept" in told[0].message


def test_pages_from_elsewhere_are_refused(studio: Studio) -> None:
    with (
        pytest.raises(InvalidStatus) as refused,
        connect(f"ws://127.0.0.1:{studio.port}/ws/arcade", origin="http://example.org"),  # type: ignore[arg-type]
    ):
        pass
    assert refused.value.response.status_code == 403


def test_the_clock_runs_one_frame_ahead_and_forgives_what_is_too_much() -> None:
    clock = Clock(10.0, 1.0)
    assert clock.owed(10.0) == 0
    clock.played()
    assert clock.owed(10.001) == -1
    assert clock.due(ahead=1) == pytest.approx(10 + 1 / 60)
    assert clock.due(ahead=0) == pytest.approx(10 + 2 / 60)
    assert clock.owed(20.0) == CATCH_UP
    for _ in range(CATCH_UP):
        clock.played()
    assert clock.owed(20.0) == 0
