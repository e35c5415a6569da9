"""The studio's pages as files: the main one, those that games bring (see `abilities.Pages`), and boards."""

from __future__ import annotations

from asyncio import to_thread
from mimetypes import guess_type
from os import stat_result
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import PathLike, StaticFiles
from starlette.types import Scope

from winnable.contract.registry import GAMES
from winnable.web import boards
from winnable.web.hosts import brought

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


def routes() -> list[BaseRoute]:
    """`/boards/GAME.js` leads to the module that draws the game. Pages of games come last: any name may be
    one."""
    return [
        Route("/", _studio),
        Route("/boards.css", _styles),
        Route("/boards/{game}.js", _board),
        *(
            Mount(f"/games/{name}", PageFiles(directory=folder))
            for name in GAMES
            if (folder := boards.folder_of(name))
        ),
        Mount("/static", PageFiles(directory=STATIC, check_dir=False)),
        Route("/{page}", _page_of_a_game),
        Route("/{page}/{path:path}", _file_of_a_page),
    ]


def _studio(_: Request) -> Response:
    return _html(STATIC / "index.html")


def html(path: Path) -> str:
    """The page of this file, with the pictures that all pages have. Raises OSError."""
    return path.read_text("utf-8").replace(ICONS, (STATIC / "icons.svg").read_text("utf-8"))


def _html(path: Path) -> Response:
    try:
        return HTMLResponse(html(path))
    except OSError:
        return PlainTextResponse(f"{path.name} is missing from this installation\n", 500)


def _styles(_: Request) -> Response:
    return Response(boards.styles(), media_type="text/css")


async def _board(request: Request) -> Response:
    name: str = request.path_params["game"]
    return (
        RedirectResponse(boards.module_of(name))
        if name in GAMES
        else PlainTextResponse("no such game\n", 404)
    )


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
