"""Where output goes: results to stdout, everything else to stderr, files whole or not at all."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from winnable import words
from winnable.contract.errors import WinnableError, printable, unusable

STDOUT, STDERR = 1, 2


def say(text: str = "", err: bool = False) -> None:
    """A result for a person. What a file, a reply or a name brings along must not control the terminal."""
    click.echo(printable(text, kept="\n\t"), err=err)


def note(text: str) -> None:
    """Says on stderr what is not the result, so that it never mixes with it."""
    with suppress(OSError):  # where nobody can read it, it is no reason to stop
        click.echo(f"winnable: {one_line(text)}", err=True)


def say_error(text: str) -> None:
    """Says on stderr why the program failed."""
    note(words.t("cli.error", text=text))


def end_notes() -> None:
    """Ends stderr with the program, whose exit code stays what it is where nobody could read the notes."""
    try:
        sys.stderr.flush()
    except OSError:
        drop(STDERR)


def drop(number: int) -> None:
    """Drops what is left in the buffer of this file, which cannot be written: it would fail again at the
    end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), number)


def one_line(text: str) -> str:
    """Printable characters only: a file's content must not control the terminal."""
    return printable(" ".join(text.split()))


def emit_json(document: Any) -> None:
    """One JSON document in one line on stdout."""
    click.echo(json_line(document))


def json_line(document: Any) -> bytes:
    """One JSON document in one line."""
    import msgspec

    try:
        return msgspec.json.encode(document)
    except UnicodeEncodeError:  # a file's name that is no text: escaped, so that Python reads the same name
        return json.dumps(msgspec.to_builtins(document)).encode()


def write_output(path: str, *parts: bytes) -> None:
    """All parts, one after the other, to the file, or to stdout for `-`. Raises WinnableError."""
    if path == "-":
        content = b"".join(parts)
        click.echo(content, nl=not content.endswith(b"\n"))
        return
    from winnable.levels.files import write_file

    target = Path(path)
    try:
        if target.exists() and not target.is_file():  # a device or a pipe must not be replaced by a file
            with target.open("wb") as file:
                file.writelines(parts)
        else:
            write_file(target, *parts)
    except WinnableError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        raise unusable(path, error) from None


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """The first column is text, the others are figures. Rows are never folded: pipes get them whole."""
    from rich.cells import cell_len

    table = [[*map(printable, row)] for row in (columns, *rows)]
    widths = [max(cell_len(row[index]) for row in table) for index in range(len(columns))]
    for row in [table[0], ["-" * width for width in widths], *table[1:]]:
        cells = [
            padded(text, width, right=bool(index))
            for index, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        say("  ".join(cells).rstrip())


def padded(text: str, width: int, right: bool = False) -> str:
    """Fills the text up to so many columns of a terminal, of which a Chinese character takes two."""
    from rich.cells import cell_len

    room = " " * (width - cell_len(text))
    return room + text if right else text + room


def short_name(name: str) -> str:
    """The part of an action's name that one needs to type. `5:kind0@8,8,2` also says what there is to see."""
    return name.partition(":")[0]


def seconds_text(seconds: float) -> str:
    """`0.123 s`, `12.3 s`, `1,234 s`."""
    return f"{seconds:.3f} s" if seconds < 1 else f"{seconds:.1f} s" if seconds < 100 else f"{seconds:,.0f} s"


def bytes_text(size: float) -> str:
    """`285 MB`, `1.3 GB`."""
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= scale:
            return f"{size / scale:{'.1f' if size < 10 * scale else '.0f'}} {unit}"
    return f"{size:.0f} B"
