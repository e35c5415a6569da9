"""`winnable play`: a game in the terminal, or from a script: one command a line."""

from __future__ import annotations

from functools import partial

import click
from msgspec import Struct

from winnable.cli.options import (
    Command,
    board_argument,
    json_option,
    level_argument,
    seed_option,
    solver_option,
    time_option,
)
from winnable.cli.output import emit_json, say
from winnable.cli.table import Table, lines


class Ended(Struct, frozen=True, omit_defaults=True):
    """What `play --json` prints when the game ends.

    values: what each action is worth where it ended, by name, best first; in games that say so
    """

    game: str
    level_id: str
    standing: str
    actions: list[int]
    moves: list[str]
    values: dict[str, float] = {}


@click.command("play", cls=Command)
@level_argument
@board_argument
@seed_option("Chooses the game's default level; also deals a file that holds a layout only.")
@click.option(
    "--lamp",
    is_flag=True,
    help="Say after each action whether the game can still be won, or what is to come.",
)
@solver_option
@click.option("--by", metavar="NAME", help="A player (see `winnable games`) whose choices are the hints.")
@time_option(5, "Seconds for each hint and each verdict.")
@json_option
def play_command(
    level: str,
    board: str | None,
    seed: int,
    lamp: bool,
    solver: str | None,
    by: str | None,
    seconds: float,
    as_json: bool,
) -> int:
    """Play LEVEL (or a saved game, one of another program, or the BOARD of a GAME) in the terminal; `?` shows
    the keys.

    Examples:
      winnable play triple:daily --lamp
      winnable play saved.json
      printf 'hint\\nnext\\n' | winnable play triple/1-first-steps
    """
    from winnable.cli.levels import load_session

    session = load_session(level, seed, board)
    table = Table(session, solver, by, seconds, lamp, show=partial(say, err=as_json))
    table.show_board()
    for line in lines("> "):
        if not table.obey(line.strip()):
            break
    played = session.actions[: session.ply]
    if as_json:
        names = [table.name(action) for action in played]
        standing = session.standing
        emit_json(Ended(session.game.name, session.level_id, standing, played, names, table.values()))
    return 0
