"""`winnable watch`: a player or a solver plays, and the terminal shows it."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import click
from msgspec import Struct

from winnable.cli.options import (
    board_argument,
    example,
    json_option,
    level_argument,
    not_nan,
    seed_option,
    time_option,
)
from winnable.cli.output import counted, emit_json, note, say
from winnable.core import Action, SolveResult, Status, WinnableError, action_name
from winnable.library import NamedLevel


class Watched(Struct, frozen=True):
    """What `watch --json` prints. `status`: a solver's verdict; None for a player."""

    game: str
    level_id: str
    by: str
    standing: str
    status: Status | None
    actions: list[int]
    action_names: list[str]
    seed: int


@click.command(
    "watch",
    epilog=example(
        "Examples:\n"
        "  winnable watch triple:layers=12#5 --by greedy\n"
        "  winnable watch level.json --by auto --speed 20"
    ),
)
@level_argument
@board_argument
@click.option(
    "--by", metavar="NAME", help="A player or a solver (see `winnable games`); else the first solver."
)
@click.option(
    "--speed",
    type=click.FloatRange(0.1, 1000),
    callback=not_nan,
    metavar="N",
    default=5,
    show_default=True,
    help="Actions a second.",
)
@seed_option("Feeds the player's chance; also chooses the default level and deals a layout.")
@time_option(60, "Seconds that a solver, or the game of a player, may take.")
@json_option
def watch_command(
    level: str, board: str | None, by: str | None, speed: float, seed: int, seconds: float, as_json: bool
) -> int:
    """Let a player or solver play LEVEL (or the BOARD of a GAME) to its end.

    On a terminal the game is shown action by action, elsewhere only its end. Exit code: 0, or that of `solve`
    when a solver finds no line.
    """
    from winnable import tuned
    from winnable.cli.levels import load_level_or_board
    from winnable.cli.solve import EXIT_CODES
    from winnable.cli.work import Work
    from winnable.session import Session

    session = Session(load_level_or_board(level, board, seed))
    name = by or next(iter(session.game.solvers), session.game.default_player(session.level))
    shown = speed if not as_json and sys.stdout.isatty() else None
    result: SolveResult | None = None
    with Work(f"{name} plays") as work:
        if name in (solvers := tuned.solvers(session.game)):
            result = work.solve(solvers[name], session.puzzle, session.state, seconds, seed)
        else:
            _act(session, play_out(session, session.puzzle, name, seed, work, seconds), shown)
    if result is not None:
        _act(session, iter(result.actions), shown)
    if work.interrupted:
        note("interrupted: this is how far it came")
    status = None if result is None else result.status
    if as_json:
        played = session.actions
        names = [action_name(session.puzzle, action) for action in played]
        emit_json(
            Watched(session.game.name, session.level_id, name, session.standing, status, played, names, seed)
        )
    else:
        say(session.game.render(session.puzzle, session.state))
        outcome = {"unsolvable": "proved that no line wins", "budget": "found no line in its budget"}
        words = outcome.get(status or "", f"{session.standing} after {counted(session.ply, 'action')}")
        say(f"{name}: {words}")
    return EXIT_CODES[status] if status else 0


def play_out(
    named: NamedLevel | Any, puzzle: Any, name: str, seed: int, work: Any, seconds: float
) -> Iterator[Action]:
    """The player's actions until the game ends, its seconds are over or the work is interrupted."""
    from winnable import tuned

    players = tuned.players(named.game)
    if name not in players:
        known = ", ".join([*players, *named.game.solvers])
        raise WinnableError(f"by: {named.game.name} has no {name[:40]!r}; there are: {known}")
    player = players[name](puzzle, seed)
    state, end = puzzle.initial(), time.monotonic() + seconds
    while not puzzle.is_goal(state) and puzzle.legal_actions(state):
        if work.interrupted or time.monotonic() >= end:
            return
        action = player.choose(state)
        state = puzzle.apply(state, action)
        yield action


def _act(session: Any, actions: Iterator[Action], speed: float | None) -> None:
    """Plays them, where there is a speed for a person to see. Ctrl-C then jumps to the end of a line."""
    if speed is not None:
        with suppress(KeyboardInterrupt):
            _animate(session, actions, speed)
    for action in actions:
        session.act(action)


def _animate(session: Any, actions: Iterator[Action], speed: float) -> None:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    def picture() -> Text:
        """Cut to the terminal's height, but never the last lines: they say how it stands."""
        lines = session.game.render(session.puzzle, session.state).splitlines()
        room = max(8, console.height - 1)
        if len(lines) > room:
            lines = [*lines[: room - 4], *lines[-4:]]
        return Text("\n".join(lines), no_wrap=True, overflow="crop")

    console = Console(highlight=False)
    with Live(
        picture(), console=console, auto_refresh=False, transient=True, vertical_overflow="crop"
    ) as live:
        for action in actions:
            session.act(action)
            live.update(picture(), refresh=True)
            time.sleep(1 / speed)
