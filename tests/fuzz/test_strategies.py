"""Documents of any shape out of the words that our formats know, shrunk by hypothesis when one fails."""

from collections.abc import Callable
from typing import Any

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from winnable.contract.core import WinnableError
from winnable.contract.registry import GAMES, load_game
from winnable.games.tetris.levels import fumen
from winnable.levels.files import read_level
from winnable.levels.identity import parse_identity
from winnable.play.session import Session

WORDS = st.sampled_from(
    ["format", "tiles", "kind", "x", "y", "layer", "board", "cells", "rows", "columns", "dice", "title", "en",
     "level", "level_id", "actions", "branches", "node", "onward", "ply", "certificate", "slots", "clicks",
     "goal", "fours", *(f"winnable.{name}/1" for name in GAMES), "winnable.session/1", "winnable.session/2"]
)  # fmt: skip
VALUES = st.none() | st.booleans() | st.integers(-(2**64), 2**64) | st.floats() | st.text(max_size=8) | WORDS
DOCUMENTS = st.recursive(
    VALUES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=6),
    max_leaves=20,
)
QUIET = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def _json(document: Any) -> bytes:
    try:
        return msgspec.json.encode(document)
    except (msgspec.MsgspecError, OverflowError, UnicodeError):
        return b"{}"


def refusal(read: Callable[[], object]) -> str:
    """Why it is refused, in both languages; empty when it is not. Whatever else is raised fails the test."""
    try:
        read()
    except WinnableError as error:
        return f"{error.said('en')} {error.said('zh-CN')}"
    return ""


@QUIET
@given(st.dictionaries(WORDS, DOCUMENTS, max_size=6), st.sampled_from(sorted(GAMES)))
def test_level_files(document: dict[str, Any], game: str) -> None:
    assert refusal(lambda: read_level(_json(document)))
    refusal(lambda: read_level(_json({"format": f"winnable.{game}/1", **document})))


@QUIET
@given(st.dictionaries(WORDS, DOCUMENTS, max_size=6), st.sampled_from((1, 2)))
def test_session_files(document: dict[str, Any], version: int) -> None:
    assert refusal(lambda: Session.load(_json({"format": f"winnable.play.session/{version}", **document})))


@QUIET
@given(
    st.text(alphabet="0123456789abcXYZ./,:;=#@-[](){}x× \n\0十é", max_size=40), st.sampled_from(sorted(GAMES))
)
def test_boards_and_identities(text: str, game: str) -> None:
    refusal(lambda: load_game(game).parse_board(text))
    refusal(lambda: parse_identity(f"{game}:{text}"))


@QUIET
@given(st.text(alphabet="v1d5m@ABCDEFGHAgWQhx+/?7 ", max_size=60))
def test_fumens(text: str) -> None:
    for whole in (text, f"v115@{text}"):
        if not refusal(lambda whole=whole: fumen.decode(whole)):
            pages = fumen.decode(whole)
            assert fumen.decode(fumen.encode(pages)) == pages
