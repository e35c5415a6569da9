"""Options and arguments that several commands share, so that each has one name and one meaning."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from functools import wraps
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from winnable.cli.usage import said
from winnable.contract.arguments import MAX_SEED
from winnable.search.memory import LEAST_MB, for_a_search

if TYPE_CHECKING:
    from msgspec import Struct

F = TypeVar("F", bound=Callable[..., Any])


class Command(click.Command):
    """The examples at the end of its docstring stand below the options."""

    def __init__(self, *args: Any, help: str | None = None, **extra: Any) -> None:
        about, mark, examples = cleandoc(help or "").partition("Examples:\n")
        super().__init__(*args, help=about, epilog=example(mark + examples) if mark else None, **extra)


class Group(Command, click.Group):
    """Likewise, as do the commands in it."""

    command_class = Command


def _seconds(text: str | float) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= 1e9:  # nan is not
        raise click.BadParameter(said("cli.seconds", given=str(text)[:40]))
    return seconds


json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document on stdout and nothing else."
)
solver_option = click.option(
    "--solver",
    metavar="NAME",
    help="A solver, as NAME or NAME(key=value,...) (see `winnable games`); else the game's default.",
)
with_option = click.option(
    "--with",
    "set_to",
    multiple=True,
    metavar="KEY=VALUE,...",
    help="What the method is set to: k=3,seconds=60 (see `winnable games GAME`).",
)
memory_option = click.option(
    "--memory",
    type=click.IntRange(1, 1 << 20),
    default=for_a_search,
    show_default="1024, or what WINNABLE_MEMORY leaves",
    metavar="MB",
    help="Memory that the search's own tables may take, in MiB.",
)
level_argument = click.argument("level")
board_argument = click.argument("board", required=False)
"""For the commands that also take `GAME BOARD`."""


def number_option(
    name: str, about: str, most: int | None = 1_000_000, least: int = 1, default: int | None = None
) -> Callable[[F], F]:
    """An option that is a whole number from `least` to `most`."""
    kind = click.IntRange(least, most)
    return click.option(name, type=kind, metavar="N", default=default, show_default=True, help=about)


def seed_option(about: str, default: int | None = 0) -> Callable[[F], F]:
    """The option `--seed`; about: what it decides"""
    return number_option("--seed", about, MAX_SEED, 0, default)


def time_option(default: float | None, about: str = "Seconds that the search may take.") -> Callable[[F], F]:
    """The option `--time`, as `seconds`."""
    return click.option(
        "--time", "seconds", type=_seconds, metavar="SECONDS", default=default, show_default=True, help=about
    )


def optional_time_option(about: str) -> Callable[[F], F]:
    """The option `--time`; without a limit where it is not given."""
    return time_option(None, about)


def output_option(
    default: str | None = "-", about: str = "File to write; `-` is stdout."
) -> Callable[[F], F]:
    """The option `--output`; a file that cannot be written is refused before the work."""
    return click.option(
        "--output",
        "-o",
        default=default,
        metavar="FILE",
        callback=writable,
        help=about,
        show_default=bool(default),
    )


def writable(ctx: click.Context, param: click.Parameter, path: str | None) -> str | None:
    """Before the work and not after it."""
    if path is None or path == "-":
        return path
    from winnable.levels.find import OF_MAPS

    if "\0" in path:
        raise click.BadParameter(said("cli.null"))
    if ctx.info_name != "export" and path.endswith(OF_MAPS):
        raise click.BadParameter(said("cli.suffix", field=path[:200]))
    folder = Path(path).parent
    if not folder.is_dir():
        raise click.BadParameter(said("cli.folder", field=str(folder)[:200]))
    if os.path.isdir(path):
        raise click.BadParameter(said("file.EISDIR", field=path[:200]))
    is_there = os.path.exists(path)
    if is_there and not os.access(path, os.W_OK):  # its folder may let it be replaced all the same
        raise click.BadParameter(said("file.EACCES", field=path[:200]))
    if (os.path.isfile(path) or not is_there) and not os.access(folder, os.W_OK | os.X_OK):
        raise click.BadParameter(said("file.EACCES", field=str(folder)[:200]))
    return path


def studio_options(command: F) -> F:
    """The options of the studio."""
    port = number_option("--port", "Port of the studio; else the first free from 8000.", 65535, 0)
    no_open = click.option("--no-open", is_flag=True, help="Do not open a browser.")
    memory = click.option(
        "--memory",
        type=click.IntRange(LEAST_MB, 1 << 20),
        metavar="MB",
        help="Memory that the studio may take in all, in MiB; else WINNABLE_MEMORY, or half of the machine's "
        "up to 4096.",
    )
    return port(no_open(memory(command)))


def gathered(kind: type[Struct], name: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Options that belong together reach the command as one value: those that `kind` has fields for, as
    `name`. Stands nearest to the function."""

    def decorate(command: Callable[..., int]) -> Callable[..., int]:
        @wraps(command)
        def call(*args: Any, **values: Any) -> int:
            given = values.keys() & kind.__struct_fields__
            values[name] = kind(**{field: values.pop(field) for field in given})
            return command(*args, **values)

        return call

    return decorate


def example(text: str) -> str:
    """Stands below the options in a command's help."""
    return f"\b\n{text}"


def not_nan(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    """The value of an option, unless it is nan, which a range lets through. Raises BadParameter."""
    if value is not None and math.isnan(value):  # which a range lets through
        raise click.BadParameter(said("params.number", given="'nan'"), ctx, param)
    return value
