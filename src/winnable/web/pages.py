"""The studio's pages: the main one, and those that games bring (see `abilities.Pages`)."""

from __future__ import annotations

from asyncio import to_thread
from mimetypes import guess_type
from os import stat_result
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import PathLike, StaticFiles
from starlette.types import Scope

from winnable.contract.abilities import Pages
from winnable.contract.hosts import Host
from winnable.contract.registry import GAMES, loaded_games
from winnable.web.hosts import Services

STATIC = Path(__file__).parent / "static"
ICONS = "<!-- icons -->"
"""In a page: here come the pictures that all pages have."""


class PageFiles(StaticFiles):
    """Some 60 small files make a page: each is read at once, for a thread takes longer to come than it."""

    def file_response(
        self, full_path: PathLike, stat_result: stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """Answers with the file, read at once."""
        return Response(Path(full_path).read_bytes(), status_code, media_type=guess_type(full_path)[0])


def brought() -> dict[str, Pages[Services]]:
    """Pages of games -> the game; slow the first time (it imports all games). None has the name of a game."""
    return {
        name: game
        for game in reversed(loaded_games())  # of two with one name the first has it
        if isinstance(game, Pages)
        for name in game.pages
        if name not in GAMES
    }


def host_of(page: str, services: Services) -> Host | None:
    """Who answers the page; None: nobody does, or there is none."""
    game = brought().get(page)
    return game.host(page, services) if game else None


def routes() -> list[BaseRoute]:
    """These of games come last: any name may be one."""
    return [
        Route("/", _studio),
        Mount("/static", PageFiles(directory=STATIC, check_dir=False)),
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
    name: str = request.path_params["page"]
    game = brought().get(name)
    return game.pages[name] if game else None


def _page_of_a_game(request: Request) -> Response:
    folder = _folder(request)
    return _html(folder / "index.html") if folder else PlainTextResponse("no such page\n", 404)


async def _file_of_a_page(request: Request) -> Response:
    folder = await to_thread(_folder, request)
    if folder is None:
        return PlainTextResponse("no such page\n", 404)
    return await PageFiles(directory=folder).get_response(request.path_params["path"], request.scope)
