"""`winnable compare`: players and solvers side by side on the same levels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click
import msgspec

from winnable.batches.playing import Game
from winnable.batches.playing import games as games_of
from winnable.batches.revisions import named_row
from winnable.cli.batch import Batch, Rows, batch_options, rows_option
from winnable.cli.options import (
    Command,
    gathered,
    json_option,
    optional_time_option,
    seed_option,
    with_option,
)
from winnable.cli.output import emit_json, note
from winnable.comparing import Played
from winnable.contract.core import Budget, WinnableError, finish, unreadable
from winnable.contract.methods import Chosen
from winnable.levels.files import NamedLevel
from winnable.levels.identity import MAKING_SECONDS
from winnable.words import t

if TYPE_CHECKING:
    from winnable.comparing import Ground
    from winnable.contract.game import Comparison

SECONDS, SEED = 10.0, 1


@click.command("compare", cls=Command)
@click.argument("level", metavar="GAME|LEVEL...", nargs=-1, required=True)
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
    "--preset",
    metavar="NAME",
    help="A table of GAME's article (see `winnable games GAME`); what else is given goes before it.",
)
@click.option(
    "--games",
    type=click.IntRange(1, 1_000_000),
    metavar="N",
    show_default="10; of a file of levels as many as it has",
    help="Games for each.",
)
@seed_option("Of the first level and the first game; the next ones count up from it; else 1.", default=None)
@optional_time_option("Seconds that each game may take; else 10.")
@batch_options
@rows_option
@json_option
@gathered(Batch, "batch")
def compare_command(
    level: tuple[str, ...],
    settings: tuple[str, ...],
    by: str | None,
    set_to: tuple[str, ...],
    preset: str | None,
    games: int | None,
    seed: int | None,
    seconds: float | None,
    batch: Batch,
    output: str | None,
    as_json: bool,
) -> int:
    """Let players and solvers play the same games: N new levels of GAME, or of GAME:KEY=VALUE,..., those of a
    file of levels one after the other, or LEVEL again and again. Each LEVEL has rows of its own.

    In a game of chance each game has dice of its own, the same for all. A solver wins when it finds a winning
    line, and loses when it proves that there is none. A game that --time cut short is counted as such, and
    with what it had. Ctrl-C prints the rows so far.

    Examples:
      winnable compare triple --set layers=12 --by greedy,random,auto --games 20
      winnable compare triple:layers=12 triple:layers=26 --by greedy --games 100
      winnable compare triple --preset layers
      winnable compare 2048/2-the-articles-1024 --by "article(depth=1),article(depth=2)" --games 50
      winnable compare level.json --by greedy,exact --time 30 --json
    """
    from winnable.cli.levels import keep_apart
    from winnable.comparing import new_rows, usual_games

    table = _preset(level, settings, preset)
    seed = (table.seed if table else SEED) if seed is None else seed
    seconds = seconds or (table.seconds if table else SECONDS)
    if table is not None:
        level, games = tuple(table.levels), games or table.games
        by = ",".join(table.by) if by is None and not set_to else by
    keep_apart({"resume": batch.resume, "output": output}, level)
    grounds = _grounds(level, settings, seed)
    first = grounds[0].first
    rows = new_rows(grounds, _compared(first, by, set_to), lambda one: games or usual_games(one), seed)
    with Rows(batch, output, as_json=False, told=True) as file:
        interrupted = _play([*games_of(rows, seconds, batch.is_here)], batch, file)
        file.tell("check", interrupted)
    standings = [row.standing for row in rows if row.played]
    if not standings:
        raise click.Abort
    if as_json:
        emit_json(standings)
    else:
        from winnable.cli.compare_view import tell

        tell(standings, first, seconds)
    if interrupted:
        note(t("cli.interrupted.games"))
        return 3
    return 0


def _play(games: Sequence[Game], batch: Batch, file: Rows) -> bool:
    """Plays what is not in the file. Returns whether part of it is still to be done."""
    from winnable.cli.work import Work

    names = [one.request.name for one in games]
    done = defaultdict[str, list[Played]](list)
    for name, played in file.named(names, _played):
        done[name].append(played)
    part, left = batch.shard.of(len(games)), list[Game]()
    for place, (name, one) in enumerate(zip(names, games, strict=True)):
        if done[name]:
            one.row.played.append(done[name].pop(0))
        elif place in part:
            left.append(one)
    with Work(t("cli.work.comparing"), len(games), done=len(games) - len(left)) as work:
        for row in batch.rows(work, [one.request for one in left]):
            if isinstance(row.answer, WinnableError):
                raise row.answer
            one = left[row.number]
            one.row.played.append(row.answer)
            by, level = one.row.by.label, one.row.ground.name
            given = one.request.level
            level_id = given if isinstance(given, str) else given.id
            told = {"level": level, "level_id": level_id, "by": by, "seed": one.request.seed}
            file.add_named(row.request, {**told, "played": row.answer})
            work.advance(one.row.by.label)
    return work.is_cut


def _played(content: bytes) -> tuple[str, Played]:
    """Raises LevelError for a row of something else."""
    name, row = named_row(content)
    try:
        return name, msgspec.convert(row.get("played"), Played)
    except msgspec.ValidationError as error:
        raise unreadable(error) from None


def _preset(level: Sequence[str], settings: Sequence[str], name: str | None) -> Comparison | None:
    from winnable.contract.registry import load_game

    if name is None:
        return None
    if len(level) > 1 or settings or not level[0].isalnum():
        raise WinnableError("compare.preset", field="preset")
    known = load_game(level[0]).comparisons
    if name not in known:
        code = "unknown" if known else "none"
        raise WinnableError(code, field="preset", game=level[0], given=name[:40], known=list(known))
    return known[name]


def _grounds(levels: Sequence[str], settings: Sequence[str], seed: int) -> list[Ground]:
    from winnable.cli.levels import load_levels
    from winnable.comparing import ground
    from winnable.contract.registry import GAMES
    from winnable.levels.find import is_file

    params = ",".join(settings)
    # A file of that name goes before the game.
    texts = [f"./{text}" if text in GAMES and is_file(text) else text for text in dict.fromkeys(levels)]
    found = [finish(ground(text, seed, Budget(MAKING_SECONDS), load_levels, params)) for text in texts]
    if len(names := list(dict.fromkeys(one.first.game.name for one in found))) > 1:
        raise WinnableError("compare.games", field="level", games=names)
    return found


def _compared(named: NamedLevel, by: str | None, set_to: Sequence[str]) -> list[Chosen]:
    from winnable.comparing import chosen
    from winnable.contract.methods import choose_method
    from winnable.tuning import tuned

    if not set_to:
        return chosen(named, by)
    table = tuned.methods(named.game)
    if by is None:
        raise WinnableError("compare.nobody", field="by", known=list(table))
    return [choose_method("by", table, by, named.game.name, set_to)]
