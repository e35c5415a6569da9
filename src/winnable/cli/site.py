"""`winnable site`: the studio as a folder of files, which any web host can serve."""

from __future__ import annotations

import time
from pathlib import Path

import click

from winnable import words
from winnable.cli.options import Command, json_option
from winnable.cli.output import bytes_text, emit_json, note, say, seconds_text
from winnable.contract.registry import GAMES, load_game

games_option = click.option(
    "--games", metavar="A,B,...", help="Compile the solvers of these games only; else of all."
)


def chosen(games: str | None) -> list[str]:
    """The games that `--games` names. Raises WinnableError."""
    return [load_game(name).name for name in games.split(",")] if games else [*GAMES]


def tell(game: str) -> None:
    """Says that a game's solvers are being compiled."""
    note(words.t("cli.site.compiling", game=game))


@click.command("site", cls=Command)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@games_option
@json_option
def site_command(folder: Path, games: str | None, as_json: bool) -> int:
    """Write the studio as a static page into FOLDER: it runs in the browser, with its solvers, and offline
    after the first visit. It needs the extra `site`, and fetches Python for browsers once.

    Examples:
      winnable site public
      winnable site public --games drops,triple
      python -m http.server --directory public
    """
    from winnable.site.writing import write

    names, began = chosen(games), time.monotonic()
    written = write(folder, names, tell)
    seconds = time.monotonic() - began
    if as_json:
        emit_json({"folder": str(folder), **written._asdict(), "seconds": round(seconds, 3)})
    else:
        size, took = bytes_text(written.bytes), seconds_text(seconds)
        say(words.t("cli.site.done", n=written.files, size=size, time=took, folder=str(folder)))
    return 0
