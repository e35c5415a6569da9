"""`winnable share`: a site on the local network, for phones."""

from __future__ import annotations

import shutil
import sys
from contextlib import suppress
from io import StringIO
from pathlib import Path

import click
import segno

from winnable import words
from winnable.cli.options import Command, json_option, number_option
from winnable.cli.output import emit_json, note, say
from winnable.cli.site import chosen, games_option, tell
from winnable.contract.core import WinnableError

MARGIN = 2
"""Modules around a code."""


@click.command("share", cls=Command)
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
@games_option
@number_option("--port", "Port of the site; else the first free from 8000.", 65535, 0)
@click.option(
    "--host", metavar="ADDRESS", help="Address of this computer (IPv4) to answer at; else all that it has."
)
@json_option
def share_command(
    folder: Path | None, games: str | None, port: int | None, host: str | None, as_json: bool
) -> int:
    """Serve the site in FOLDER, or one that is written first, on the local network; Ctrl-C ends it. Phones in
    the same network open it by the code in the terminal, and play with all solvers.

    Only the site's files are served, as they are at the beginning; what others play stays with them.

    Examples:
      winnable share
      winnable share public --port 8123
    """
    from winnable.site import sharing

    if folder is None:
        folder = sharing.kept(chosen(games), lambda: note(words.t("cli.share.writing")), tell)
    elif games:
        raise WinnableError("share.games", field="--games")
    files = sharing.read(folder)
    site = sharing.Sharing(files, port, host or sharing.EVERYWHERE)

    def ready() -> None:
        if site.is_alone:
            note(words.t("cli.share.alone", address=site.address))
        with suppress(OSError):  # a full or closed stdout is no reason not to serve
            if as_json:
                size = sum(len(file.packed or file.plain) for file in files.values())
                emit_json({"address": site.address, "folder": str(folder), "packed_bytes": size})
            else:
                if code := drawn(site.address):
                    click.secho(code, fg="bright_white", bg="black")
                say(words.t("cli.share.at", address=site.address))
            sys.stdout.flush()

    site.serve(ready)
    return 0


def drawn(address: str) -> str:
    """A QR code; empty where it cannot be shown."""
    code = segno.make(address, error="l", micro=False)
    width, _ = code.symbol_size(border=MARGIN)
    if not sys.stdout.isatty() or shutil.get_terminal_size().columns < width:
        return ""
    text = StringIO()
    code.terminal(text, border=MARGIN, compact=True)
    try:
        text.getvalue().encode(sys.stdout.encoding)
    except UnicodeError:
        return ""
    return text.getvalue().rstrip("\n")
