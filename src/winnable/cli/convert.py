"""`winnable import` and `winnable export`: between our level files and other formats."""

from __future__ import annotations

import click

from winnable.cli.options import (
    board_argument,
    example,
    json_option,
    level_argument,
    output_option,
    seed_option,
)
from winnable.cli.output import write_output
from winnable.contract.abilities import formats_of
from winnable.contract.core import WinnableError


@click.command(
    "import",
    epilog=example(
        "Examples:\n"
        "  winnable import recorded.json --output level.json\n"
        "  winnable import layout.json --seed 7 --output dealt.json"
    ),
)
@click.argument("file")
@seed_option("Deals a file that holds a layout only.")
@output_option()
@json_option
def import_command(file: str, seed: int, output: str, as_json: bool) -> int:
    """Read FILE (`-` is stdin) in any format that a game knows and write it as our level file."""
    from winnable.cli.levels import read_content
    from winnable.levels.files import encode_level, read_level

    content = encode_level(read_level(read_content(file), seed).level) + b"\n"
    if as_json:
        write_output("-", content)
    if output != "-" or not as_json:
        write_output(output, content)
    return 0


@click.command(
    "export",
    epilog=example(
        "Examples:\n"
        "  winnable export triple:layers=12#5 --format svg --output board.svg\n"
        "  winnable export level.json --format text"
    ),
)
@level_argument
@board_argument
@click.option(
    "--format", "form", metavar="NAME", default="json", show_default=True,
    help="json, text (one line), svg, or a format of the game (see `winnable games`).",
)  # fmt: skip
@seed_option("Deals a LEVEL that holds a layout only.")
@output_option()
@json_option
def export_command(level: str, board: str | None, form: str, seed: int, output: str, as_json: bool) -> int:
    """Write LEVEL, or the BOARD of a GAME, in another format; --json is --format json."""
    from winnable.cli.levels import load_level
    from winnable.levels.files import encode_level

    game, loaded, _ = load_level(level, seed, board=board)
    formats = formats_of(game)
    if as_json or form == "json":
        content = encode_level(loaded) + b"\n"
    elif form == "text":
        content = f"{game.format_board(loaded)}\n".encode()
    elif form == "svg":
        puzzle = game.puzzle(loaded)
        content = game.svg(puzzle, puzzle.initial()).encode()
    elif form in formats and (write := formats[form].write) is not None:
        content = write(loaded)
    else:
        writable = [name for name, known in formats.items() if known.write]
        raise WinnableError(
            "cli.format", field="format", given=form[:40], known=["json", "text", "svg", *writable]
        )
    write_output(output, content)
    return 0
