"""What is refused comes with a code, its values and the field: the page says it in any language."""

from __future__ import annotations

from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tests.web.studio_harness import Page, Studio
from winnable.contract.core import WinnableError
from winnable.contract.registry import GAMES
from winnable.web.refusals import refusal


def test_a_parameter_out_of_range_names_its_field(page: Page) -> None:
    error = page.ask("new", "state", level="toy:start=5000#1")
    assert (error["code"], error["field"]) == ("params.range", "start")
    assert error["values"] == {"given": "5000", "low": 1, "high": 100}
    assert error["message"].startswith("start: ")


def test_what_is_given_up_is_told_by_its_code(page: Page) -> None:
    assert page.ask("act", "state", action=0)["code"] == "game.none"
    error = page.ask("open", "state", session="0" * 32)
    assert (error["code"], error["field"]) == ("kept.none", "session")


def test_without_words_there_is_the_sentence_alone() -> None:
    event = refusal("new", WinnableError("tiles: no"))
    assert (event.message, event.code, event.values, event.field) == ("tiles: no", "", {}, "")


def test_values_go_into_json() -> None:
    event = refusal("", WinnableError("autosave", reason=OSError("no room")))
    assert event.values == {"reason": "no room"}
    assert refusal("", WinnableError("autosave", reason=Path("a"))).values == {"reason": "a"}


def test_what_controls_the_order_of_what_is_read_comes_escaped() -> None:
    event = refusal("", WinnableError("autosave", field="a\u202eb", reason=["\0", "一\n\u2066"]))
    assert (event.values, event.field) == ({"reason": ["\\x00", "一\n\\u2066"]}, "a\\u202eb")


def test_nothing_is_meant_where_no_name_is_near(page: Page) -> None:
    assert page.ask("new", "state", level="#chess:e4")["values"]["near"] is None
    assert page.ask("new", "state", level="#dropps:0")["values"]["near"] == "drops"


@pytest.mark.parametrize("name", [*GAMES, "nothing"])
def test_each_game_has_a_picture_for_its_card(studio: Studio, name: str) -> None:
    address = f"http://127.0.0.1:{studio.port}/pictures/{name}.svg"
    if name == "nothing":
        with pytest.raises(HTTPError, match="404"):
            urlopen(address)
        return
    with urlopen(address) as answer:
        assert answer.headers["Content-Type"].startswith("image/svg+xml")
        assert answer.read().startswith(b"<svg")
