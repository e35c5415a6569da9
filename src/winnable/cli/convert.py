"""`winnable import` and `winnable export`: between our files and what other programs write."""

from __future__ import annotations

import click

from winnable.cli.options import (
    Command,
    board_argument,
    json_option,
    level_argument,
    number_option,
    output_option,
    seed_option,
)
from winnable.cli.output import write_output
from winnable.contract.abilities import Format, formats_of
from winnable.contract.core import WinnableError
from winnable.contract.game import Game


@click.command("import", cls=Command)
@click.argument("file")
@click.option(
    "--format", "form", metavar="NAME", help="What FILE is, where it does not tell (see `winnable games`)."
)
@seed_option("Deals a file that holds a layout only; also chance after the end of a recorded game.")
@output_option()
@json_option
def import_command(file: str, form: str | None, seed: int, output: str, as_json: bool) -> int:
    """Read FILE (`-` is stdin, `levels.jsonl#3` a line) in any format that a game knows and write it as our
    level file, or as a saved game where something was played.

    Examples:
      winnable import recorded.json --output level.json
      winnable import layout.json --seed 7 --output dealt.json
      winnable import 2048verse.txt --output saved.json
    """
    from winnable.cli.levels import file_of, one_level, read_content
    from winnable.levels.files import encode_level, named_by_content
    from winnable.play.session import Session

    found = file_of(file) if form is None else None
    content = one_level(found) if found else read_content(file)
    if form is None:
        session = Session.read(content, seed)
    else:
        game, known = _format(form, content)
        level, actions = known.read(content, seed)
        session = Session(named_by_content(game, level))
        for action in actions:
            session.act(action)
        session.go_to_ply(0)
    content = (session.save() if session.length else encode_level(session.level)) + b"\n"
    if as_json:
        write_output("-", content)
    if output != "-" or not as_json:
        write_output(output, content)
    return 0


def _format(name: str, content: bytes) -> tuple[Game, Format]:
    """Of games that have one of that name, the one that knows the content."""
    from winnable.contract.registry import loaded_games

    known = [(game, form) for game in loaded_games() for form in formats_of(game).values()]
    named = [one for one in known if one[1].name == name]
    if not named:
        names = [*dict.fromkeys(form.name for _, form in known)]
        raise WinnableError("cli.format", field="format", given=name[:40], known=names)
    return next((one for one in named if one[1].knows and one[1].knows(content)), named[0])


@click.command("export", cls=Command)
@level_argument
@board_argument
@click.option(
    "--format", "form", metavar="NAME", default="json", show_default=True,
    help="json, text (one line), svg, or a format of the game (see `winnable games`).",
)  # fmt: skip
@click.option("--schema", metavar="WHERE", help="Of json: write where its JSON Schema lies, as `$schema`.")
@number_option(
    "--at",
    "Of a game: after so many moves; else where it stands, or where a recorded one ends.",
    None,
    least=0,
)
@seed_option("Deals a LEVEL that holds a layout only.")
@output_option()
@json_option
def export_command(
    level: str,
    board: str | None,
    form: str,
    schema: str | None,
    at: int | None,
    seed: int,
    output: str,
    as_json: bool,
) -> int:
    """Write LEVEL, or the BOARD of a GAME, in another format; --json is --format json. A saved game, or one
    of another program, is written as far as it was played by formats that can say so.

    Examples:
      winnable export triple:layers=12#5 --format svg --output board.svg
      winnable export level.json --format text
      winnable export saved.json --format fumen --at 20
      winnable export drops/05-puddle --schema docs/schemas/drops-1.json
    """
    from winnable.cli.levels import load_session
    from winnable.play.exporting import exported

    form = "json" if as_json else form
    if schema is not None and form != "json":
        raise WinnableError("export.schema", field="schema", given=form)
    session = load_session(level, seed, board)
    session.go_to_ply(session.ply or session.length if at is None else at)
    write_output(output, exported(session, form, schema))
    return 0
