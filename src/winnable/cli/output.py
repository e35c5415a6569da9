"""Where output goes: results to stdout, everything else to stderr, files whole or not at all."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from winnable.core import WinnableError


def say(text: str = "") -> None:
    """A result for a person."""
    click.echo(text)


def note(text: str) -> None:
    """What is not the result: on stderr, so that it never mixes with it."""
    click.echo(f"winnable: {one_line(text)}", err=True)


def say_error(text: str) -> None:
    note(f"error: {text}")


def one_line(text: str) -> str:
    """Printable characters only: a file's content must not control the terminal."""
    joined = " ".join(text.split())
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in joined)


def emit_json(document: Any) -> None:
    """One JSON document in one line on stdout."""
    import msgspec

    click.echo(msgspec.json.encode(document))


def write_output(path: str, content: bytes) -> None:
    """To the file, or to stdout for `-`. Raises WinnableError."""
    if path == "-":
        click.echo(content, nl=not content.endswith(b"\n"))
        return
    from winnable.library import write_file

    target = Path(path)
    try:
        if target.exists() and not target.is_file():  # a device or a pipe must not be replaced by a file
            target.write_bytes(content)
        else:
            write_file(target, content)
    except WinnableError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        raise WinnableError(f"{path[:200]}: {getattr(error, 'strerror', None) or error}") from None


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]], title: str = "") -> None:
    """The first column is text, the others are figures. Plain when stdout is no terminal."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for index, column in enumerate(columns):
        table.add_column(column, justify="right" if index else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    # A pipe has no width of its own: whole rows are worth more there than narrow ones.
    console = Console(file=sys.stdout, width=None if sys.stdout.isatty() else 160, highlight=False)
    console.print(table)


def seconds_text(seconds: float) -> str:
    return f"{seconds:.3f} s" if seconds < 1 else f"{seconds:.1f} s" if seconds < 100 else f"{seconds:,.0f} s"
