"""Moves as pictures for notebooks: all that a page needs is in it, and it shows what was played."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import winnable
from winnable import words
from winnable.contract.registry import GAMES
from winnable.play import animation
from winnable.play.animation import Animation


def settings_of(html: str) -> dict[str, Any]:
    """What its script is called with."""
    (told,) = re.findall(r"\}\)\((\{.*\})\);</script>", html, re.DOTALL)
    return json.loads(told)


class Loads(HTMLParser):
    """What the page names elsewhere, and its elements."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elsewhere, self.tags = list[str](), list[str]()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        links = [value or "" for name, value in attrs if name in ("src", "href", "srcset", "data")]
        self.elsewhere += [link for link in links if not link.startswith("data:image/svg+xml;base64,")]


@pytest.mark.parametrize("name", GAMES)
def test_its_pictures_are_the_boards_after_each_move(name: str) -> None:
    board = winnable.load(name, seed=3)
    board.play("random", seed=1, most=4)
    shown = board.animate()
    boards = [winnable.load(name, seed=3).push(*board.moves[:ply]) for ply in range(board.ply + 1)]
    assert [*shown.frames] == [one.svg() for one in boards]
    assert len(shown) == len(boards)
    told = settings_of(shown.html())
    assert ["".join(told["parts"][part] for part in frame) for frame in told["frames"]] == [*shown.frames]
    assert [caption.rpartition(": ")[2] for caption in told["captions"][1:]] == board.moves
    assert told["delay"] == 700


def test_a_line_is_played_from_the_position_on_the_board() -> None:
    board = winnable.load("drops/05-puddle")
    line = board.line()
    assert line is not None
    board.push(line[0])
    shown = board.animate(line[1:], delay=0.1)
    assert (board.moves, len(shown), repr(shown)) == (
        line[:1],
        len(line),
        f"<winnable.Animation drops, {len(line) - 1} moves>",
    )
    assert [*shown.frames][-1] == winnable.load("drops/05-puddle").push(*line).svg()
    assert settings_of(shown.html())["captions"][-1] == f"Move {len(line) - 1} of {len(line) - 1}: {line[-1]}"
    with words.speaking("zh-CN"):
        assert settings_of(shown.html())["play"] == "播放"


def test_nothing_is_fetched_and_two_do_not_meet(tmp_path: Path) -> None:
    board = winnable.load("drops/05-puddle").push("(1,1)")
    shown = board.animate()
    first, again = (settings_of(shown._repr_html_())["id"] for _ in range(2))  # pyright: ignore[reportPrivateUsage]
    assert first != again
    shown.save(tmp_path / "game.html")
    page = (tmp_path / "game.html").read_text("utf-8")
    loads = Loads(page)
    assert loads.elsewhere == []
    assert loads.tags.count("script") == loads.tags.count("style") == loads.tags.count("img") == 1
    assert "http" not in re.sub(r'xmlns=\\?"http://www.w3.org/2000/svg\\?"', "", page)


def test_no_picture_ends_the_script() -> None:
    session = winnable.Session(winnable.find_level("drops/05-puddle"))

    def svg(puzzle: object, state: object) -> str:
        return "<svg xmlns='http://www.w3.org/2000/svg'><title>&lt;/script></title><!-- </script> --></svg>"

    shown = Animation(replace(session.game, svg=svg), session.puzzle, [session.state], [])
    assert shown.html().count("</script") == 1
    told = settings_of(shown.html())
    assert ["".join(told["parts"][part] for part in told["frames"][0])] == [*shown.frames]


@pytest.mark.parametrize(
    ("line", "delay", "said"),
    [
        (["(1,1)", "left"], 1, r"^line\[1\]: 'left' is no cell"),
        (["(1,1)"] * 9, 1, r"^line\[3\]: \(1,1\) is empty"),
        ([None], 1, r"^line\[0\]: move: None is neither"),
        ("(1,1)", 1, "^line: "),
        (5, 1, "^line: "),
        ([], "fast", "^delay: 'fast' is not a number"),
        ([], 0, "^delay: "),
        (["(1,1)"] * 3, 1, "^line: 3 moves are too many for pictures, .* 2 at the most"),
    ],
)
def test_what_cannot_be_shown_is_refused(
    line: Any, delay: Any, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if said.startswith("^line: 3"):
        monkeypatch.setattr(animation, "MOST_MOVES", 2)
    board = winnable.load("drops/05-puddle")
    with pytest.raises(winnable.WinnableError, match=said):
        board.animate(line, delay=delay)
    assert board.moves == []
