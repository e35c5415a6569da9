"""The studio's pages: the main one, and those that games bring (see `abilities.Pages`)."""

from __future__ import annotations

from asyncio import to_thread
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from winnable.contract.abilities import Pages
from winnable.contract.registry import loaded_games

STATIC = Path(__file__).parent / "static"
ICONS = "<!-- icons -->"
"""In a page: here come the pictures that all pages have."""


def routes() -> list[BaseRoute]:
    """These of games come last: any name may be one."""
    return [
        Route("/", _studio),
        Mount("/static", StaticFiles(directory=STATIC, check_dir=False)),
        Route("/{page}", _page_of_a_game),
        Route("/{page}/{path:path}", _file_of_a_page),
    ]


def _studio(_: Request) -> Response:
    return _html(STATIC / "index.html")


def _html(path: Path) -> Response:
    if not path.is_file():
        return PlainTextResponse(f"{path.name} is missing from this installation\n", 500)
    icons = (STATIC / "icons.svg").read_text("utf-8")
    return HTMLResponse(path.read_text("utf-8").replace(ICONS, icons))


def _folder(request: Request) -> Path | None:
    pages = {
        name: folder
        for game in loaded_games()
        if isinstance(game, Pages)
        for name, folder in game.pages.items()
    }
    return pages.get(request.path_params["page"])


def _page_of_a_game(request: Request) -> Response:
    folder = _folder(request)
    return _html(folder / "index.html") if folder else PlainTextResponse("no such page\n", 404)


async def _file_of_a_page(request: Request) -> Response:
    folder = await to_thread(_folder, request)
    if folder is None:
        return PlainTextResponse("no such page\n", 404)
    return await StaticFiles(directory=folder).get_response(request.path_params["path"], request.scope)
