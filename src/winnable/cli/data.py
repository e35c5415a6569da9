"""`winnable data`: all that a user has, as one file."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from winnable.cli.options import Group, json_option
from winnable.cli.output import emit_json, note, say, write_output
from winnable.cli.usage import said
from winnable.contract.core import WinnableError
from winnable.words import t


@click.group("data", cls=Group)
def data_command() -> None:
    """All your games, results, cards and tuning runs, out to one file and in from it; both take --json.

    Examples:
      winnable data export data.json.gz
      winnable data import data.json.gz
    """


@data_command.command("export")
@click.argument("file")
@json_option
def export_data_command(file: str, as_json: bool) -> int:
    """Write all there is to FILE (`-` is stdout): gzip of JSON, a record a line.

    Examples:
      winnable data export winnable-data.json.gz
    """
    from winnable import archive
    from winnable.cli.users_store import opened_store
    from winnable.store.database import data_folder

    if as_json and file == "-":
        raise click.UsageError(said("cli.stdout", field="--json"))
    with opened_store(whole=True) as store:  # a backup of what was there must not give way to what is left
        content, packed = archive.pack(store)
    if packed.passed:
        note(t("data.unread", n=packed.passed))
    if packed.is_empty and Path(file).is_file():
        raise WinnableError("data.nothing", field=file, folder=str(data_folder()))
    write_output(file, content)
    if as_json:
        emit_json(packed)
    elif file != "-":
        say(t("cli.data.out", file=file, **msgspec.structs.asdict(packed)))
    return 0


@data_command.command("import")
@click.argument("file")
@json_option
def import_data_command(file: str, as_json: bool) -> int:
    """Add what FILE has and is not here; nothing that is here is lost. What a browser remembers comes in by
    the studio's page "Played".

    Examples:
      winnable data import winnable-data.json.gz
    """
    from winnable import archive
    from winnable.cli.users_store import opened_store
    from winnable.levels.files import read_file

    content = read_file(Path(file), archive.MAX_PACKED)
    with opened_store() as store:
        found = archive.take_in(store, content)
    if as_json:
        emit_json(found)
        return 0
    say(t("cli.data.in", **msgspec.structs.asdict(found)))
    if found.left_out:
        say(t("cli.data.left_out", n=found.left_out))
    if found.passed:
        say(t("cli.data.passed", n=found.passed))
    if found.settings:
        say(t("cli.data.settings"))
    return 0
