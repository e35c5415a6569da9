"""`winnable watch`: a player or a solver plays, and the terminal shows it."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from winnable.cli.options import (
    Command,
    board_argument,
    json_option,
    level_argument,
    not_nan,
    seed_option,
    time_option,
    with_option,
)
from winnable.cli.output import emit_json, note, say
from winnable.cli.usage import said
from winnable.contract import ending
from winnable.contract.abilities import solvers_of
from winnable.contract.core import (
    Action,
    Answer,
    Best,
    Limit,
    Status,
    action_name,
    completion,
    decide,
    reached,
)
from winnable.levels.identity import is_identity
from winnable.words import t, tn

if TYPE_CHECKING:
    from winnable.play.session import Session

PAUSE_SECONDS = 1.5
"""After a game, until the next one begins."""


class Watched(Struct, frozen=True):
    """What `watch --json` prints. `status`: a solver's verdict; None for a player."""

    game: str
    level_id: str
    by: str
    """As it can be named again, with the settings that are not its defaults."""
    settings: dict[str, Any]
    """All of them."""
    standing: str
    status: Status | None
    actions: list[int]
    moves: list[str]
    seed: int
    reached: bool | None = None
    """Whether the goal of a game of chance was made; None: it has none."""
    completion: float | None = None
    """How far it came, 0 to 1, in games that say so."""
    limit: Limit | None = None
    """What ended a solver that did not decide, or the game of a player before its end."""
    best: Best | None = None
    """Of a solver that did not decide: how far it came, with the line so far."""


@click.command("watch", cls=Command)
@level_argument
@board_argument
@click.option(
    "--by", metavar="NAME", help="A player or a solver (see `winnable games`); else the first solver."
)
@with_option
@click.option(
    "--speed",
    type=click.FloatRange(0.1, 1000),
    callback=not_nan,
    metavar="N",
    default=5,
    show_default=True,
    help="Actions a second.",
)
@click.option("--again", is_flag=True, help="After the end begin anew with the next seed, until Ctrl-C.")
@seed_option("Feeds the player's chance; also chooses the default level and deals a layout.")
@time_option(60, "Seconds that a solver, or the game of a player, may take.")
@json_option
def watch_command(
    level: str,
    board: str | None,
    by: str | None,
    set_to: tuple[str, ...],
    speed: float,
    again: bool,
    seed: int,
    seconds: float,
    as_json: bool,
) -> int:
    """Let a player or solver play LEVEL (or the BOARD of a GAME) to its end.

    On a terminal the game is shown action by action, elsewhere only its end. Exit code: 0; that of `solve`
    when a solver finds no line; 3 when the time ends a player's game.

    Examples:
      winnable watch triple:layers=12#5 --by greedy
      winnable watch 2048/2-the-articles-1024 --by article --with depth=2
      winnable watch level.json --by auto --speed 20
    """
    if again and as_json:
        raise click.UsageError(said("cli.watch.again", field="--again"))
    while True:
        code, interrupted = _watch(level, board, (by, set_to), speed, seed, seconds, as_json)
        if interrupted or not again:
            return code
        if sys.stdout.isatty():
            time.sleep(PAUSE_SECONDS)
        level, seed = _next_level(level), seed + 1


def _next_level(level: str) -> str:
    """Where the name has a seed, that with the next one."""
    head, mark, seed = level.rpartition("#")
    return f"{head}{mark}{int(seed) + 1}" if mark and is_identity(level) and seed.isdecimal() else level


def _watch(
    level: str,
    board: str | None,
    by: tuple[str | None, tuple[str, ...]],
    speed: float,
    seed: int,
    seconds: float,
    as_json: bool,
) -> tuple[int, bool]:
    """One game: the exit code, and whether it was interrupted."""
    from winnable.cli.levels import load_level
    from winnable.cli.solve import EXIT_CODES
    from winnable.cli.work import Work
    from winnable.contract.methods import choose_method
    from winnable.play.playing import play_out
    from winnable.play.session import Session
    from winnable.tuning import tuned

    session = Session(load_level(level, seed, seconds, board))
    game, puzzle = session.game, session.puzzle
    name = by[0] or next(iter(solvers_of(game)), game.default_player(session.level))
    method = choose_method("by", tuned.methods(game), name, game.name, by[1])
    shown = speed if not as_json and sys.stdout.isatty() else None
    result: Answer | None = None
    with Work(method.label) as work:
        if method.name in tuned.solvers(game):
            state = session.state
            result = work.search(lambda budget: decide(method.method, puzzle, state, budget, seed), seconds)
        else:
            player = method.method(puzzle, seed)
            told = play_out(puzzle, player, work.budget(seconds))
            _act(session, (action for action in told if isinstance(action, int)), shown)
    if result is not None:
        _act(session, iter(result.actions), shown)
    if work.interrupted:
        note(t("cli.interrupted.watch"))
    status, limit = (None, None) if result is None else (result.status, result.limit)
    if result is None and session.standing == "playing" and not work.interrupted:
        limit = Limit("time", seconds)
    if as_json:
        played = session.actions
        names = [action_name(puzzle, action) for action in played]
        emit_json(
            Watched(
                game.name,
                session.level_id,
                method.label,
                method.settings,
                session.standing,
                status,
                played,
                names,
                seed,
                reached(puzzle, session.state),
                completion(puzzle, session.state),
                limit,
                result and result.best,
            )
        )
    else:
        say(game.render(puzzle, session.state))
        say(f"{method.label}: {_outcome(session, result, limit)}")
    return EXIT_CODES[status or ("budget" if limit else "solved")], work.interrupted


def _outcome(session: Session, result: Answer | None, limit: Limit | None) -> str:
    from winnable.cli.answers import best_text, limit_text

    if result is not None and result.status == "unsolvable":
        return t("cli.watch.unsolvable")
    ended = t("cli.watch.limit", limit=limit_text(limit, session.game.name)) if limit else ""
    if result is not None and result.status == "budget":
        best = t("cli.watch.best", best=best_text(result.best)) if result.best else ""
        return t("cli.watch.undecided") + ended + best
    told = tn("cli.watch.after", session.ply, standing=t(f"standing.{session.standing}"))
    if (made := reached(session.puzzle, session.state)) is not None:
        told += t("cli.watch.reached" if made else "cli.watch.missed")
    share = completion(session.puzzle, session.state)
    return (told if share is None else told + t("cli.watch.completion", share=f"{share:.1%}")) + ended


def _act(session: Session, actions: Iterator[Action], speed: float | None) -> None:
    """Plays them, where there is a speed for a person to see. Ctrl-C then jumps to the end of a line."""
    if speed is not None:
        try:
            _animate(session, actions, speed)
        except KeyboardInterrupt:
            ending.call_off()
    for action in actions:
        session.act(action)


def _animate(session: Session, actions: Iterator[Action], speed: float) -> None:
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
