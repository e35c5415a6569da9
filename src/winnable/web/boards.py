"""How a game's board gets onto the page: drawn by a module of the game, else as its picture with a button for
each action (boards/picture.js). Its styles are in `/boards.css` with those of the others."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from winnable.contract.core import action_name
from winnable.contract.registry import GAMES
from winnable.play.session import Session
from winnable.web.pages import PageFiles

PAGE = "page"
"""The folder beside a game's `game.py` that is served, with `board.js` and `board.css` in it."""
MOST_BUTTONS = 200


class Picture(Struct, frozen=True):
    """actions: the first MOST_BUTTONS of the legal ones, each with its name"""

    svg: str
    actions: list[tuple[int, str]]


@cache
def module_of(name: str) -> str:
    """The address of the module that draws the game; "": it has none."""
    folder = _folder(name)
    return f"/games/{name}/board.js" if folder and (folder / "board.js").is_file() else ""


def view_of(session: Session) -> Any:
    """The board as the game's module draws it, or a Picture."""
    if module_of(session.game.name):
        return session.view
    puzzle, state = session.puzzle, session.state
    legal = puzzle.legal_actions(state)[:MOST_BUTTONS]
    return Picture(
        session.game.svg(puzzle, state), [(action, action_name(puzzle, action)) for action in legal]
    )


def routes() -> list[BaseRoute]:
    """`/boards/GAME.js` leads to the module that draws the game."""
    return [
        Route("/boards.css", _styles),
        Route("/boards/{game}.js", _board),
        *(
            Mount(f"/games/{name}", PageFiles(directory=folder))
            for name in GAMES
            if (folder := _folder(name))
        ),
    ]


def _folder(name: str) -> Path | None:
    """Of what the game's page is made of; None: its picture is all there is."""
    folder = GAMES[name].folder
    return folder / PAGE if folder and (folder / PAGE).is_dir() else None


def _styles(_: Request) -> Response:
    """Of all boards: the page asks once, and none is seen without its own."""
    sheets = [folder / "board.css" for folder in map(_folder, GAMES) if folder]
    content = "".join(sheet.read_text("utf-8") for sheet in sheets if sheet.is_file())
    return Response(content, media_type="text/css")


async def _board(request: Request) -> Response:
    name: str = request.path_params["game"]
    if name not in GAMES:
        return PlainTextResponse("no such game\n", 404)
    return RedirectResponse(module_of(name) or "/static/boards/picture.js")
