"""`winnable tables`: files that players of a game read, and which are made here."""

from __future__ import annotations

import math
import shutil
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from winnable.cli.options import Command, json_option, optional_time_option
from winnable.cli.output import bytes_text, emit_json, note, padded, say, seconds_text
from winnable.cli.usage import said
from winnable.contract.abilities import KeepsFiles
from winnable.contract.core import WinnableError
from winnable.words import t

if TYPE_CHECKING:
    from winnable.contract.tables import Status, Table


class TableInfo(Struct, frozen=True):
    """What `--json` prints of a table. bytes: on the disk; size: so many when it is built; entries: that it
    has so far."""

    name: str
    about: str
    status: Status
    bytes: int
    size: int
    entries: int
    path: str


class Building(Struct, frozen=True):
    """What `--build --json` prints. seconds, processor: of this time, the latter of all cores; memory: bytes,
    the most that it took, None where that is not known."""

    table: TableInfo
    seconds: float
    processor: float
    memory: int | None


@click.command("tables", cls=Command)
@click.argument("game")
@click.argument("name", required=False)
@click.option("--build", is_flag=True, help="Make the table, or go on with it, or mend it.")
@click.option("--remove", is_flag=True, help="Delete the table, also an unfinished one.")
@click.option("--yes", is_flag=True, help="Build without asking.")
@optional_time_option("Stop building after so many seconds; the next time goes on.")
@json_option
@click.pass_context
def tables_command(
    ctx: click.Context,
    game: str,
    name: str | None,
    build: bool,
    remove: bool,
    yes: bool,
    seconds: float | None,
    as_json: bool,
) -> int:
    """List the tables that players of GAME read when they are there; with NAME, look at all of one.

    Exit code: 0 done; 1 the table NAME is not there, not whole or damaged; 3 stopped while building.

    Examples:
      winnable tables 2048
      winnable tables 2048 six-512
      winnable tables 2048 six-512 --build --time 600
      winnable tables 2048 exact-3x3 --remove
    """
    from winnable.contract.registry import load_game

    if build and remove:
        raise click.UsageError(said("cli.tables.both", field="--remove"), ctx)
    for option, given in (("--build", build), ("--remove", remove)):
        if given and name is None:
            raise click.UsageError(said("cli.tables.name", field=option), ctx)
    for option, given in (("--yes", yes), ("--time", seconds is not None)):
        if given and not build:
            raise click.UsageError(said("cli.tables.build", field=option), ctx)
    reader = load_game(game)
    tables = reader.tables() if isinstance(reader, KeepsFiles) else ()
    if name is None:
        _list(game, tables, as_json)
        return 0
    table = _find(game, tables, name)
    if build:
        return _build(table, yes, seconds or math.inf, as_json)
    if remove:
        _remove(table, as_json)
        return 0
    return _check(table, as_json)


def _find(game: str, tables: Sequence[Table], name: str) -> Table:
    for table in tables:
        if table.name == name:
            return table
    known = [table.name for table in tables]
    raise WinnableError("cli.table", field="name", game=game, given=name[:40], known=known)


def _list(game: str, tables: Sequence[Table], as_json: bool) -> None:
    infos = [_info(table, check=False) for table in tables]
    if as_json:
        emit_json(infos)
    elif not infos:
        note(t("cli.tables.none", game=game))
    for info in () if as_json else infos:
        _tell(info, max(len(table.name) for table in tables))


def _check(table: Table, as_json: bool) -> int:
    from winnable.cli.work import Work

    with Work(t("cli.work.checking_table", name=table.name)) as work:
        info = work.search(lambda budget: _info(table, check=True), math.inf)
    if as_json:
        emit_json(info)
    else:
        _tell(info, len(info.name))
    return 0 if info.status == "built" else 1


def _remove(table: Table, as_json: bool) -> None:
    freed = table.file.state(check=False).bytes
    table.file.remove()
    if as_json:
        emit_json(_info(table, check=False))
    else:
        say(t(f"cli.tables.{'removed' if freed else 'absent'}", name=table.name, size=bytes_text(freed)))


def _build(table: Table, yes: bool, seconds: float, as_json: bool) -> int:
    from winnable.cli.work import Work
    from winnable.contract.tables import BudgetEnded
    from winnable.search.memory import most_memory

    if not _may_build(table, yes):
        note(t("cli.tables.not_built"))
        return 2
    started, processor, ended = time.perf_counter(), time.process_time(), False
    with Work(t("cli.work.building", name=table.name)) as work:
        try:
            work.search(table.file.make, seconds)
        except BudgetEnded:
            ended = True
    took, processor = time.perf_counter() - started, time.process_time() - processor
    built = Building(_info(table, check=False), round(took, 3), round(processor, 3), most_memory())
    if as_json:
        emit_json(built)
    else:
        _tell_built(built)
    if ended:
        note(t(f"cli.tables.{'interrupted' if work.interrupted else 'time'}"))
    return 3 if ended else 0


def _tell_built(built: Building) -> None:
    table = built.table
    memory = "" if built.memory is None else t("cli.tables.memory", size=bytes_text(built.memory))
    say(
        t(
            "cli.tables.built", name=table.name, status=t(f"cli.tables.status.{table.status}"),
            entries=f"{table.entries:,}", size=bytes_text(table.bytes), time=seconds_text(built.seconds),
            processor=seconds_text(built.processor), memory=memory,
        )
    )  # fmt: skip


def _may_build(table: Table, yes: bool) -> bool:
    """Whether there is room for it, and the user wants it; one that is built is only looked at."""
    state = table.file.state(check=False)
    if state.status == "built":
        return True
    folder = table.file.path.parent
    while not folder.exists():
        folder = folder.parent
    free, needed = shutil.disk_usage(folder).free, max(0, table.size - state.bytes)
    room = t("cli.tables.room", needed=bytes_text(needed), free=bytes_text(free))
    if needed > free:
        raise WinnableError("cli.room", field=table.name, room=room, folder=folder)
    if yes:
        return True
    try:
        return click.confirm(t("cli.tables.ask", name=table.name, room=room, folder=folder), err=True)
    except click.Abort:
        if sys.stdin.isatty():
            raise
        raise click.UsageError(said("cli.tables.yes")) from None


def _info(table: Table, check: bool) -> TableInfo:
    status, size, entries = table.file.state(check)
    return TableInfo(table.name, table.about, status, size, table.size, entries, str(table.file.path))


def _tell(info: TableInfo, width: int) -> None:
    size = bytes_text(info.bytes or info.size)
    status = padded(t(f"cli.tables.status.{info.status}"), 10)
    say(f"{info.name:<{width}}  {status}  {size:>7}  {info.about}")
    say(f"{'':<{width}}  {info.path}")
