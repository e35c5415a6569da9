"""How a game's board gets onto the page: drawn by a module of the game, else as its picture with a button for
each action (games/picture.js)."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from winnable.contract.core import action_name
from winnable.contract.registry import GAMES
from winnable.play.session import Session

OURS = Path(__file__).parent / "static" / "games"
PAGE = "page"
"""The folder beside a game's `game.py` that is served, with `board.js` in it."""
MOST_BUTTONS = 200


class Picture(Struct, frozen=True):
    """actions: the first MOST_BUTTONS of the legal ones, each with its name"""

    svg: str
    actions: list[tuple[int, str]]


@cache
def module_of(name: str) -> str:
    """The address of the module that draws the game; "": it has none."""
    if (OURS / f"{name}.js").is_file():
        return f"/static/games/{name}.js"
    folder = GAMES[name].folder
    return f"/games/{name}/board.js" if folder and (folder / PAGE / "board.js").is_file() else ""


def view_of(session: Session) -> Any:
    """What the game's module draws, or a Picture."""
    if module_of(session.game.name):
        return session.view
    puzzle, state = session.puzzle, session.state
    legal = puzzle.legal_actions(state)[:MOST_BUTTONS]
    return Picture(
        session.game.svg(puzzle, state), [(action, action_name(puzzle, action)) for action in legal]
    )


def routes() -> list[BaseRoute]:
    """`/boards/GAME.js` leads to the module that draws the game."""
    folders = {name: entry.folder for name, entry in GAMES.items()}
    return [
        Route("/boards/{game}.js", _board),
        *(
            Mount(f"/games/{name}", StaticFiles(directory=folder / PAGE))
            for name, folder in folders.items()
            if folder and (folder / PAGE).is_dir()
        ),
    ]


async def _board(request: Request) -> Response:
    name: str = request.path_params["game"]
    if name not in GAMES:
        return PlainTextResponse("no such game\n", 404)
    return RedirectResponse(module_of(name) or "/static/games/picture.js")
