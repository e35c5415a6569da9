"""Links to games: there and back, and what people and their programs do to them on the way."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from contextlib import suppress
from functools import cache
from urllib.parse import quote, unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from winnable.board import Board, load
from winnable.contract.core import Budget, WinnableError, finish
from winnable.levels.files import NamedLevel, named_by_content
from winnable.levels.find import find_level, find_level_or_board
from winnable.levels.identity import CHEATED
from winnable.levels.links import MOST, MOST_NUMBERS, Link, read_link, write_link
from winnable.play.links import link_of, session_on
from winnable.play.session import Session

LEVELS = ["triple:#5", "drops/05-puddle", "rotate:rows=4,columns=4,colours=3#2", "2048:#1", "tetris:#1"]
PAGE = "https://example.org/winnable/"


@cache
def level(text: str) -> NamedLevel:
    """By its name, as the page has it."""
    return finish(find_level_or_board(text, "", Budget()))


def own(named: NamedLevel) -> NamedLevel:
    """As if drawn by a person: only its board tells it."""
    return named_by_content(named.game, named.level)


def opened(text: str) -> Session:
    """As the page does it."""
    return finish(session_on(finish(find_level_or_board(text, "", Budget())), text))


def play(session: Session, choices: list[int], ply: float) -> Session:
    for choice in choices:
        if session.standing != "playing":
            break
        legal = session.puzzle.legal_actions(session.state)
        session.act(legal[choice % len(legal)])
    session.go_to_ply(round(ply * session.length))
    return session


def played(text: str = "drops/05-puddle", moves: int = 3) -> str:
    link = link_of(play(Session(level(text)), [0] * moves, 1))
    assert link is not None
    return link


@settings(max_examples=60, deadline=None)
@given(
    text=st.sampled_from(LEVELS),
    is_own=st.booleans(),
    choices=st.lists(st.integers(0, 999), max_size=30),
    ply=st.floats(0, 1),
    helped=st.booleans(),
    form=st.sampled_from(["{}", "#{}", "#level={}", PAGE + "#{}"]),
)
def test_a_link_leads_to_the_game_that_it_was_made_of(
    text: str, is_own: bool, choices: list[int], ply: float, helped: bool, form: str
) -> None:
    session = play(Session(own(level(text)) if is_own else level(text)), choices, ply)
    session.helped = helped
    link = link_of(session)
    assert link is not None
    other = opened(form.format(link))
    assert other.actions == session.actions
    assert (other.ply, other.state, other.level_id) == (session.ply, session.state, session.level_id)
    assert other.helped == (helped and bool(choices))
    assert load(PAGE + "#" + quote(link)) == Board(other)


@pytest.mark.parametrize("text", LEVELS)
@pytest.mark.parametrize("form", ["#{}", PAGE + "#{}", "file:///x/index.html#level={}"])
def test_a_link_without_moves_leads_to_its_level(text: str, form: str) -> None:
    assert find_level(form.format(text)) == find_level(text)
    assert opened(form.format(text)).actions == []


def test_a_level_that_was_made_easier_is_written_out() -> None:
    session = Session(level("drops/05-puddle"))
    easier = Session(NamedLevel(session.game, session.easier_level, session.level_id + CHEATED))
    link = link_of(play(easier, [0], 1))
    assert link is not None
    assert opened(link).level.drops == easier.level.drops > session.level.drops


@pytest.mark.parametrize("text", LEVELS)
def test_every_cut_is_refused(text: str) -> None:
    whole = "#" + played(text, 20)
    for end in range(len("#p1"), len(whole)):
        with pytest.raises(WinnableError) as refused:
            opened(whole[:end])
        assert refused.value.code == "link.damaged", whole[:end]


def test_no_other_letters_say_the_same() -> None:
    """Of the last one some bits count for nothing."""
    before, moves, level = played(moves=2).split(".")
    assert len(moves) % 4
    for last in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=":
        if last != moves[-1]:
            with pytest.raises(WinnableError):
                read_link(f"#{before}.{moves[:-1]}{last}.{level}")


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_link_of_which_one_character_is_another_is_refused(data: st.DataObject) -> None:
    whole = played()
    at = data.draw(st.integers(len("p1."), len(whole) - 1))
    other = data.draw(st.characters(codec="utf-8").filter(lambda one: one != whole[at]))
    with pytest.raises(WinnableError) as refused:
        opened(f"#{whole[:at]}{other}{whole[at + 1 :]}")
    assert refused.value.code == "link.damaged"


def made(numbers: bytes, level: str = "drops/05-puddle", version: int = 1) -> str:
    """By hand, with a sum that is right."""
    packer = zlib.compressobj(9, wbits=-15)
    packed = packer.compress(numbers) + packer.flush()
    content = zlib.crc32(level.encode(), zlib.crc32(packed)).to_bytes(4, "big") + packed
    return f"p{version}.{urlsafe_b64encode(content).decode().rstrip('=')}.{level}"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (made(b"\0\1\0", version=2), "link.version"),
        ("p7.!.what/comes.later", "link.version"),
        (made(b"\0\0", level="drops:" + "0" * MOST), "link.long"),
        (made(b"\0" * (MOST_NUMBERS + 1)), "link.damaged"),
        (made(b""), "link.damaged"),
        (made(b"\0"), "link.damaged"),
        (made(b"\0\1\x80"), "link.damaged"),
        (made(b"\0\2\0"), "link.damaged"),
        (made(b"\0\2\0\x63"), "link.move"),
        (made(b"\0\1\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f"), "link.move"),
        (made(b"\0\1\0", level="chess:e4"), "link.game"),
        (made(b"\0\1\0", level="drops/no-such"), "level.none"),
        (made(b"\0\1\0", level="<script>alert(1)</script>"), "link.game"),
        ("nosuch:012/340", "link.game"),
        ("p", "link.game"),
    ],
)
def test_what_was_made_by_hand_is_refused_by_what_is_wrong(text: str, code: str) -> None:
    with pytest.raises(WinnableError) as refused:
        opened("#" + text)
    assert refused.value.code == code


def test_what_would_be_too_long_is_no_link() -> None:
    assert write_link(Link("drops:" + "0" * MOST)) is None
    assert write_link(Link("drops/05-puddle", 0, [0] * MOST_NUMBERS)) is None


@settings(deadline=None)
@given(st.text())
def test_any_text_is_a_link_or_none_or_refused(text: str) -> None:
    for before in ("", "#", "p1.", PAGE + "#"):
        with suppress(WinnableError):
            link = read_link(before + text)
            assert link is None or link.level in unquote(before + text)


def test_boards_and_files_are_no_links() -> None:
    for text in ("#####\n#@ #", "p1.json", "p1.tar.gz", "triple:#5", "drops:012/340", "level.jsonl#3"):
        assert read_link(text) is None


def test_moves_are_packed() -> None:
    link = played("2048:#1", 30)
    assert len(urlsafe_b64decode(link.split(".")[1] + "==")) < 30
