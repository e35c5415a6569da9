"""`winnable compare`: players and solvers side by side on the same levels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from winnable.cli.options import example, json_option, seed_option, time_option, with_option
from winnable.cli.output import emit_json, note
from winnable.contract.core import Budget, WinnableError
from winnable.contract.errors import GaveUp
from winnable.contract.methods import Chosen
from winnable.levels.files import NamedLevel
from winnable.levels.identity import MAKING_SECONDS
from winnable.words import t

if TYPE_CHECKING:
    from winnable.comparing import LevelOf, Played

GAMES_EACH = 10


@click.command(
    "compare",
    epilog=example(
        "Examples:\n"
        "  winnable compare triple --set layers=12 --by greedy,random,auto --games 20\n"
        '  winnable compare 2048/2-the-articles-1024 --by "article(depth=1),article(depth=2)" --games 50\n'
        "  winnable compare level.json --by greedy,exact --time 30 --json"
    ),
)
@click.argument("level", metavar="GAME|LEVEL")
@click.option(
    "--set", "settings", multiple=True, metavar="KEY=VALUE", help="A parameter of the levels of GAME."
)
@click.option(
    "--by",
    metavar="A,B(KEY=VALUE),...",
    help="Players and solvers, with what they are set to; else all of the game.",
)
@with_option
@click.option(
    "--games",
    type=click.IntRange(1, 1_000_000),
    metavar="N",
    show_default="10; of a file of levels as many as it has",
    help="Games for each.",
)
@seed_option("Of the first level and the first game; the next ones count up from it.", default=1)
@time_option(10, "Seconds that each game may take.")
@json_option
def compare_command(
    level: str,
    settings: tuple[str, ...],
    by: str | None,
    set_to: tuple[str, ...],
    games: int | None,
    seed: int,
    seconds: float,
    as_json: bool,
) -> int:
    """Let players and solvers play the same games: N new levels of GAME, those of a file of levels one after
    the other, or LEVEL again and again.

    In a game of chance each game has dice of its own, the same for all. A solver wins when it finds a winning
    line, and loses when it proves that there is none. A game that --time cut short is counted as such, and
    with what it had. Ctrl-C prints the rows so far.
    """
    from winnable.cli.work import Work
    from winnable.comparing import play, standing
    from winnable.tuning import tuned

    level_of, several = _level_source(level, settings, seed)
    games = games or several
    first = level_of(seed, Budget(MAKING_SECONDS))
    compared = _compared(first, by, set_to)
    solving = [method.name in tuned.solvers(first.game) for method in compared]
    results: list[list[Played]] = [[] for _ in compared]
    with Work(t("cli.work.comparing"), games * len(compared)) as work:
        for game_seed in range(seed, seed + games):
            try:
                named = first if game_seed == seed else level_of(game_seed, work.budget(MAKING_SECONDS))
            except GaveUp:
                if work.interrupted:
                    break
                raise
            for method, is_solver, played in zip(compared, solving, results, strict=True):
                game = None if work.interrupted else play(work, named, method, game_seed, seconds, is_solver)
                if game is not None:
                    played.append(game)
                    work.advance(method.label)
            if work.interrupted:
                break
    rows = [
        standing(first.game, method, played, seed, is_solver)
        for method, is_solver, played in zip(compared, solving, results, strict=True)
        if played
    ]
    if not rows:
        raise click.Abort
    if as_json:
        emit_json(rows)
    else:
        from winnable.cli.compare_view import tell

        tell(rows, first, seconds)
    if work.interrupted:
        note(t("cli.interrupted.games"))
        return 3
    return 0


def _level_source(level: str, settings: Sequence[str], first: int) -> tuple[LevelOf, int]:
    """By the seed, or those of a file in turn from the seed `first` on, or always LEVEL; but for their dice.
    And how many games that is."""
    from winnable.cli.levels import load_levels
    from winnable.comparing import new_levels, these_levels
    from winnable.contract.registry import GAMES, load_game
    from winnable.levels.find import is_file

    if level in GAMES and not is_file(level):
        return new_levels(load_game(level), ",".join(settings)), GAMES_EACH
    if settings:
        raise WinnableError("compare.set", field="set")
    levels = load_levels(level)
    if len(names := list(dict.fromkeys(named.game.name for named in levels))) > 1:
        raise WinnableError("compare.games", field=level[:200], games=names)
    return these_levels(levels, first), len(levels) if len(levels) > 1 else GAMES_EACH


def _compared(named: NamedLevel, by: str | None, set_to: Sequence[str]) -> list[Chosen[Any]]:
    from winnable.comparing import chosen
    from winnable.contract.methods import choose_method
    from winnable.tuning import tuned

    if not set_to:
        return chosen(named, by)
    table = tuned.methods(named.game)
    if by is None:
        raise WinnableError("compare.nobody", field="by", known=list(table))
    return [choose_method("by", table, by, named.game.name, set_to)]
