"""The bot at the arcade, against a real server. Its kernels are compiled when a test first needs them."""

import threading
import time
from typing import Any, get_args

import pytest

from tests.games.tetris.modern.page.conftest import visit
from tests.games.tetris.modern.page.test_arcade import NEARLY_FULL, O_FIRST, follow, tap
from tests.waiting import PATIENCE
from tests.web.studio_harness import Page, Studio
from winnable.contract.core import WinnableError
from winnable.games.tetris.levels import fumen
from winnable.games.tetris.modern.players import replay
from winnable.games.tetris.modern.players.bot import Bot, Plan
from winnable.games.tetris.modern.players.replay import Film
from winnable.games.tetris.modern.players.weights import STYLES, Style
from winnable.games.tetris.modern.rules.puzzle import AnyState
from winnable.games.tetris.modern.rules.state import HARD, HOLD, LEFT
from winnable.levels.files import decode


def hand_over(page: Page, **fields: Any) -> None:
    """To the bot; comes back when it plays its first frames."""
    page.send("bot", **fields)
    page.wait("frame")


def to_the_end(page: Page) -> None:
    page.wait("phase", where=lambda event: event["phase"] == "over")


def test_the_bot_plays_a_sprint_to_its_end(studio: Studio, visitor: Page) -> None:
    table = visitor.ask("start", "table", lines=4, dice=6)
    assert (table["style"], table["by_bot"]) == (None, False)
    visitor.send("speed", times=None)
    assert visitor.ask("bot", "bot", style="sprint") == {"type": "bot", "style": "sprint", "by_bot": True}
    visitor.wait("frame")
    to_the_end(visitor)
    film = decode(visitor.ask("save", "file")["content"].encode(), Film)
    state = replay.replay(film.level, film.log)
    assert (state.status, film.by_bot) == ("won", True)
    assert "under way" in visitor.ask("bot")["message"]
    assert visitor.ask("watch", "table")["by_bot"] is True
    with visit(studio) as page:
        table = page.ask("open", "table", session=table["session"])
        assert (table["phase"], table["style"], table["by_bot"]) == ("over", None, True)
        assert table["frame"] == state.frames
        assert page.ask("start", "table", lines=4)["by_bot"] is False


def test_the_bot_is_slow_when_it_is_asked_to_be(visitor: Page) -> None:
    visitor.ask("start", "table", mode="zen", dice=6)
    visitor.send("speed", times=0.25)
    visitor.send("bot")
    first = visitor.wait("frame")["frame"]
    began = time.monotonic()
    last = visitor.wait("frame", where=lambda event: event["frame"] >= first + 5)["frame"]
    assert last - first <= 15 * (time.monotonic() - began) + 8


def test_a_person_and_the_bot_take_turns(visitor: Page) -> None:
    table = visitor.ask("start", "table", mode="zen", dice=8)
    visitor.send("go")
    visitor.send("keys", held=LEFT)
    visitor.wait("frame")
    hand_over(visitor, style="marathon")
    tap(visitor, HOLD)  # the bot has the keys
    seen = follow(visitor, table, lambda seen: seen["placed"] >= 3)
    visitor.send("pause")
    visitor.wait("phase", where=lambda event: event["phase"] == "paused")
    visitor.send("go")
    visitor.wait("frame")
    event = visitor.ask("hands", "bot")
    assert (event["style"], event["by_bot"]) == (None, True)
    assert visitor.wait("phase")["phase"] == "paused"
    with pytest.raises(TimeoutError):
        visitor.next(timeout=0.3)
    film = decode(visitor.ask("save", "file")["content"].encode(), Film)
    placed = replay.replay(film.level, film.log).placed
    assert placed >= seen["placed"]
    visitor.send("go")
    tap(visitor, HARD)
    follow(visitor, {"seen": seen}, lambda seen: seen["placed"] == placed + 1)


def test_two_bots_and_a_person_play_at_once(studio: Studio, visitor: Page) -> None:
    table = visitor.ask("start", "table", mode="zen", dice=1)
    visitor.send("go")
    with visit(studio) as second, visit(studio) as third:
        for page in (second, third):
            page.ask("start", "table", mode="zen")
            page.send("speed", times=None)
            page.send("bot")
        for page in (second, third):
            page.wait("frame", where=lambda event: event["seen"].get("placed", 0) >= 5)
        tap(visitor, HARD)
        follow(visitor, table, lambda seen: seen["placed"] == 1)


def test_a_hint_says_where_the_piece_would_lie(visitor: Page) -> None:
    visitor.ask("start", "table", lines=2, dice=O_FIRST, fumen=fumen.encode([fumen.page_of([NEARLY_FULL])]))
    visitor.send("hint", style="marathon")
    hint = visitor.wait("hint")
    assert hint["placed"] == 0
    assert hint["path"][-1] == "hard"
    assert len(hint["cells"]) == 4
    assert (hint["path"][0] == "hold") == (hint["piece"] != "O")
    assert all(0 <= x < 10 and 0 <= y < 20 for x, y in hint["cells"])
    assert all(NEARLY_FULL[x] == "." for x, y in hint["cells"] if y == 0)


def plans_wait(monkeypatch: pytest.MonkeyPatch, begun: threading.Event | None = None) -> threading.Event:
    """From now on the bot plans only when this is set. begun: is set when it would plan"""
    plan, opened = Bot.plan, threading.Event()

    def wait_and_plan(bot: Bot, state: AnyState) -> Plan:
        if begun is not None:
            begun.set()
        assert opened.wait(PATIENCE)
        return plan(bot, state)

    monkeypatch.setattr(Bot, "plan", wait_and_plan)
    return opened


def test_a_hint_for_the_game_before_is_not_told(visitor: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = plans_wait(monkeypatch)
    visitor.ask("start", "table", mode="zen", dice=3)
    visitor.send("hint")
    visitor.ask("start", "table", mode="zen", dice=4)
    opened.set()
    with pytest.raises(TimeoutError):
        visitor.next(timeout=0.3)


def test_a_hint_for_the_piece_before_does_not_hold_up_the_next(
    visitor: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = plans_wait(monkeypatch)
    visitor.ask("start", "table", mode="zen", dice=3)
    visitor.send("go")
    visitor.send("hint")
    tap(visitor, HARD)
    visitor.wait("frame", where=lambda event: event["seen"].get("placed") == 1)
    visitor.ask("pause", "phase")
    visitor.send("hint")
    visitor.send("hint")
    visitor.ask("pause", "phase")
    opened.set()
    assert visitor.wait("hint")["placed"] == 1
    with pytest.raises(TimeoutError):
        visitor.wait("hint", timeout=0.3)


def test_a_hint_is_for_one_who_plays(visitor: Page) -> None:
    visitor.ask("start", "table", mode="zen", dice=2)
    visitor.send("go")
    tap(visitor, HARD)
    visitor.wait("frame", where=lambda event: event["seen"].get("placed") == 1)
    visitor.ask("watch", "table")
    assert "hint" in visitor.ask("hint")["message"]
    assert "under way" in visitor.ask("bot")["message"]
    visitor.ask("leave", "table")
    hand_over(visitor)
    assert "hint" in visitor.ask("hint")["message"]


def moved(page: Page, to: str) -> Any:
    page.send("advance", to=to)
    return page.wait("frame")


def test_b20_b21_the_articles_player_steps_plays_and_pauses(visitor: Page) -> None:
    table = visitor.ask("start", "table", mode="endless", rules="article", dice=7)
    assert "step" in visitor.ask("advance")["message"]
    assert visitor.ask("bot", "bot") == {"type": "bot", "style": "article", "by_bot": True}
    visitor.send("pause")
    visitor.wait("phase", where=lambda event: event["phase"] == "paused")
    before = visitor.ask("watch", "table")["seen"]["cells"]
    visitor.ask("leave", "table")
    cells = moved(visitor, "move")["seen"]["cells"]
    assert cells != before
    assert moved(visitor, "lock")["seen"]["placed"] == 1
    visitor.send("speed", times=51)
    visitor.send("go")
    seen = follow(visitor, table, lambda seen: seen["placed"] >= 5)
    assert seen["status"] == "playing"


def test_a_step_is_played_when_the_bot_was_thinking(visitor: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = threading.Event()
    opened = plans_wait(monkeypatch, begun)
    visitor.ask("start", "table", mode="zen", dice=7)
    visitor.send("bot")
    assert begun.wait(PATIENCE)
    visitor.send("pause")
    visitor.wait("phase", where=lambda event: event["phase"] == "paused")
    visitor.send("advance", to="lock")
    visitor.ask("pause", "phase")
    opened.set()
    assert visitor.wait("frame")["seen"]["placed"] == 1


def test_b24_in_the_automatic_game_the_arrows_act_on_the_piece_too(visitor: Page) -> None:
    """The same game twice: where a person presses, the piece comes to lie elsewhere, and the next one is
    the player's again."""
    rests: list[Any] = []
    for held in (0, 1, 2, 16):
        table = visitor.ask("start", "table", mode="endless", rules="article", dice=7)
        visitor.send("speed", times=1)
        visitor.send("bot")
        visitor.wait("bot")
        visitor.wait("phase", where=lambda event: event["phase"] == "playing")
        for _ in range(3 if held else 0):
            visitor.send("keys", held=held)
            visitor.send("keys", held=0)
            visitor.wait("frame")
        visitor.send("speed", times=None)
        seen = follow(visitor, table, lambda seen: seen["placed"] >= 1)
        rests.append(seen["rows"])
        if held:
            follow(visitor, table, lambda seen: seen["placed"] >= 4)
    assert sum(rows != rests[0] for rows in rests) >= 2, "at a wall one of them does nothing"


def test_b20_a_hint_in_the_articles_game(visitor: Page) -> None:
    visitor.ask("start", "table", mode="endless", rules="article", dice=7)
    visitor.send("hint")
    hint = visitor.wait("hint")
    assert len(hint["cells"]) == 4
    assert set(hint["path"]) <= {"cw", "left", "right"}
    assert "nobody" in visitor.ask("bot", by="nobody")["message"]


def test_the_board_is_valued_after_each_lock_until_it_is_enough(visitor: Page) -> None:
    visitor.ask("start", "table", mode="zen", dice=2)
    visitor.send("appraise", style="sprint")
    empty = visitor.wait("appraisal")["value"]
    visitor.send("go")
    tap(visitor, HARD)
    assert visitor.wait("appraisal")["value"] < empty <= 0
    visitor.send("appraise", style=None)
    tap(visitor, HARD)
    visitor.wait("frame", where=lambda event: event["seen"].get("placed") == 2)
    visitor.send("pause")
    while (event := visitor.next())["type"] != "phase" or event["phase"] == "playing":
        assert event["type"] != "appraisal"


def test_the_page_may_ask_for_every_style_that_there_is() -> None:
    assert get_args(Style) == STYLES


def test_a_bot_that_fails_gives_the_game_back(visitor: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    visitor.ask("start", "table", mode="zen", dice=2)
    hand_over(visitor)
    visitor.ask("hands", "bot")

    def fail(*_: object) -> None:
        raise WinnableError("no idea")

    monkeypatch.setattr(Bot, "plan", fail)
    visitor.ask("bot", "bot")
    assert visitor.wait("bot")["style"] is None
    assert "no idea" in visitor.error()
