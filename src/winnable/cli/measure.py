"""`winnable measure`: how hard is this level for people?"""

from __future__ import annotations

from collections.abc import Sequence

import click
from msgspec import to_builtins

from winnable.batches.files import missing
from winnable.batches.measuring import Measure, Measured, PlayerRow, Told, seeing_players
from winnable.batches.requests import LevelGiven
from winnable.batches.revisions import named_row
from winnable.cli.batch import Batch, Rows, batch_options, rows_option
from winnable.cli.options import (
    Command,
    board_argument,
    gathered,
    json_option,
    level_argument,
    number_option,
    seed_option,
    time_option,
)
from winnable.cli.output import note, print_table, say
from winnable.contract.core import WinnableError
from winnable.words import language, t

COLUMNS = ("player", "skill", "games", "won", "rate", "interval")


@click.command("measure", cls=Command)
@level_argument
@board_argument
@click.option("--by", metavar="A,B,...", help="Players that see what a person sees; else all of the game.")
@number_option("--games", "Games for each player, as far as the time allows.", default=100)
@seed_option("Feeds the players' chance; also chooses the default level and deals a layout.")
@time_option(60, "Seconds, a quarter of them for proofs; each player plays one game at least.")
@batch_options
@rows_option
@json_option
@gathered(Batch, "batch")
def measure_command(
    level: str,
    board: str | None,
    by: str | None,
    games: int,
    seed: int,
    seconds: float,
    batch: Batch,
    output: str | None,
    as_json: bool,
) -> int:
    """Let players who see what a person sees play LEVEL (or the BOARD of a GAME) again and again, and say
    how hard it is. Of a file of several levels, each.

    The difficulty is the skill with which half of the games are won; with 400 points more, ten of eleven
    are. Beside it stands what can be proved.

    Examples:
      winnable measure triple:layers=12,sets=5,side=5#1
      winnable measure level.json --by matching,careful --games 1000 --json
      winnable measure levels.jsonl --workers auto --resume rows.jsonl
    """
    from winnable.cli.levels import keep_apart, load_levels

    keep_apart({"resume": batch.resume, "output": output}, [] if board else [level])
    levels = load_levels(level, seed, seconds, board)
    players = None if by is None else by.split(",")
    requests = [
        Measure(
            game=named.game.name,
            level=LevelGiven.of(named),
            by=seeing_players(named, players),
            games=games,
            seed=seed,
            seconds=seconds,
        )
        for named in levels
    ]
    part = batch.shard.of(len(requests))
    with Rows(batch, output, as_json, one=len(levels) == 1 and output is None, told=True) as rows:
        names = [request.name for request in requests]
        done = [name for name, _ in rows.named(names, named_row)]
        chosen = [(requests[place], levels[place].id) for place in missing(names, part, done)]
        interrupted = _measure(chosen, batch, rows)
        rows.tell("check", interrupted)
    if interrupted:
        note(t("cli.interrupted.far"))
        return 3
    return 0


def _measure(asked: Sequence[tuple[Measure, str]], batch: Batch, rows: Rows) -> bool:
    """Whether part of it is still to be done."""
    from winnable.cli.work import Work

    with Work(t("cli.work.measuring"), len(asked) if len(asked) > 1 else None) as work:
        for row in batch.rows(work, [request for request, _ in asked]):
            level_id = asked[row.number][1]
            if isinstance(told := row.answer, WinnableError):
                raise told
            if told is None:
                break
            if rows.is_told:
                if rows.count or len(asked) > 1:
                    say(f"{rows.count + 1}. {level_id}")
                _tell(told)
            rows.add_named(row.request, to_builtins(told.measured))
            work.advance(level_id)
    return work.is_cut


def _tell(told: Told) -> None:
    found = told.measured
    print_table([t(f"cli.measure.{column}") for column in COLUMNS], map(_cells, found.players))
    say(t("cli.measure.difficulty", text=_in_words(found)))
    for name, text in told.figures[language()]:
        say(t("cli.measure.figure", name=t(f"figure.{name}"), words=text))


def _in_words(found: Measured) -> str:
    if found.ci_high is None:
        return t("cli.measure.over", points=f"{found.ci_low:.0f}")
    if found.ci_low is None:
        return t("cli.measure.under", points=f"{found.ci_high:.0f}")
    return f"{found.difficulty:.0f} ({found.ci_low:.0f} - {found.ci_high:.0f})"


def _cells(row: PlayerRow) -> tuple[str, ...]:
    return (
        row.name, f"{row.skill:.0f}", str(row.games), str(row.won), f"{row.win_rate:.1%}",
        f"{row.ci_low:.1%} - {row.ci_high:.1%}",
    )  # fmt: skip
