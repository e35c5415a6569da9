"""How a game's board gets onto the page: drawn by a module of the game, else as its picture with a button for
each action (boards/picture.js)."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from winnable.contract.core import action_name
from winnable.contract.registry import GAMES
from winnable.play.session import Session

PAGE = "page"
"""The folder beside a game's `game.py` that is served, with `board.js` and `board.css` in it."""
MOST_BUTTONS = 200


class Picture(Struct, frozen=True):
    """actions: the first MOST_BUTTONS of the legal ones, each with its name"""

    svg: str
    actions: list[tuple[int, str]]


def folder_of(name: str) -> Path | None:
    """Of what the game's page is made of; None: its picture is all there is."""
    folder = GAMES[name].folder
    return folder / PAGE if folder and (folder / PAGE).is_dir() else None


@cache
def draws(name: str) -> bool:
    """Whether a module of the game draws it."""
    folder = folder_of(name)
    return folder is not None and (folder / "board.js").is_file()


def module_of(name: str) -> str:
    """The address of the module that draws the game."""
    return f"/games/{name}/board.js" if draws(name) else "/static/boards/picture.js"


def styles() -> str:
    """Of all boards: the page asks once, and none is seen without its own."""
    sheets = [folder / "board.css" for folder in map(folder_of, GAMES) if folder]
    return "".join(sheet.read_text("utf-8") for sheet in sheets if sheet.is_file())


def view_of(session: Session) -> Any:
    """The board as the game's module draws it, or a Picture."""
    if draws(session.game.name):
        return session.view
    puzzle, state = session.puzzle, session.state
    legal = puzzle.legal_actions(state)[:MOST_BUTTONS]
    return Picture(
        session.game.svg(puzzle, state), [(action, action_name(puzzle, action)) for action in legal]
    )
