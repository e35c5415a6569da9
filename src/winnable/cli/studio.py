"""`winnable studio`: the page in the browser. It is also what `winnable` alone does."""

from __future__ import annotations

import click

from winnable.cli.options import Command, studio_options


@click.command("studio", cls=Command)
@studio_options
def studio_command(port: int | None, no_open: bool, memory: int | None) -> int:
    """Serve the studio on this computer alone and open it in the browser; Ctrl-C ends it.

    Examples:
      winnable
      winnable studio --port 8123 --no-open
    """
    return open_studio(port, not no_open, memory)


def open_studio(port: int | None, open_browser: bool, memory: int | None) -> int:
    """Serves the studio until Ctrl-C; the exit code. Raises WinnableError."""
    from winnable.web.server import serve

    serve(port, open_browser=open_browser, memory_mb=memory)
    return 0
