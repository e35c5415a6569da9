"""`winnable generate`: levels made by seeds, as many and as hard as asked."""

from __future__ import annotations

from functools import partial

import click

from winnable.batches.making import Order
from winnable.cli.batch import Batch, Rows, batch_options
from winnable.cli.options import (
    Command,
    gathered,
    json_option,
    memory_option,
    number_option,
    optional_time_option,
    output_option,
    seed_option,
    solver_option,
)
from winnable.cli.output import note
from winnable.contract.core import LevelError, WinnableError
from winnable.levels.making import Criteria, Difficulty
from winnable.words import language, t


def _difficulty(ctx: click.Context, param: click.Parameter, text: str | None) -> Difficulty | None:
    return None if text is None else Difficulty.parse(text)


@click.command("generate", cls=Command)
@click.argument("game")
@click.argument("params", nargs=-1, metavar="[KEY=VALUE]...")
@click.option(
    "--set", "settings", multiple=True, metavar="KEY=VALUE", help="A parameter, as KEY=VALUE alone."
)
@click.option(
    "--layout", metavar="FILE", help="Deal onto the places of this drawing or level, where the game can."
)
@seed_option("The first level's seed; the next ones count up from it.", default=1)
@number_option("--count", "How many levels.", default=1)
@click.option("--certify", is_flag=True, help="Only winnable levels, each with a winning line in it.")
@click.option(
    "--tight", is_flag=True, help="Only winnable levels that a little less help would make unwinnable."
)
@click.option(
    "--difficulty",
    metavar="D",
    callback=_difficulty,
    help="How hard for --by: the share of its games that it wins, as 20%, or points of skill, up to 100 "
    "as '20 points'.",
)
@click.option("--by", default="careful", show_default=True, metavar="PLAYER", help="Whose games count.")
@click.option("--distinct", is_flag=True, help="No level twice, nor turned or mirrored.")
@solver_option
@optional_time_option(
    "Seconds for each seed, to make its level and as many again to solve it; else 10 where a line is wanted."
)
@memory_option
@output_option()
@json_option
@batch_options
@gathered(Criteria, "criteria")
@gathered(Batch, "batch")
def generate_command(
    game: str,
    params: tuple[str, ...],
    settings: tuple[str, ...],
    layout: str | None,
    seed: int,
    criteria: Criteria,
    solver: str | None,
    seconds: float | None,
    memory: int,
    batch: Batch,
    output: str,
    as_json: bool,
) -> int:
    """Make levels of GAME: one as JSON, more as JSONL (with --json as one JSON list).

    `winnable games` shows the parameters. With --difficulty pieces are exchanged until the share is within
    3 points of what is asked, with 95 % confidence; each level has a line in it.

    The level of each seed stands in its place; where it is not made or solved within --time, or is not what
    is wanted, that of the seed --count further, up to 100 of them. So parts of the levels can be made
    elsewhere (--shard 2/4): such files, one after the other, are that of the whole. Exit code 3 when fewer
    levels than asked for were found, 1 when all were proved unsolvable.

    Examples:
      winnable generate triple layers=12 --seed 5 --output level.json
      winnable generate triple layout=pagoda kinds=14 --seed 5
      winnable generate triple layers=10 sets=4 side=5 --difficulty 20% --by careful
      winnable generate triple --set slots=6 --count 100 --certify --time 5 -o levels.jsonl
      winnable generate triple layers=12 --count 1000 --certify --workers auto --resume levels.jsonl
    """
    from winnable.cli.levels import keep_apart
    from winnable.contract.registry import load_game
    from winnable.levels.identity import parse_params

    keep_apart({"resume": batch.resume, "output": output}, [] if layout is None else [layout])
    made_for = load_game(game)
    values = parse_params(made_for, ",".join((*params, *settings)))
    read = None if layout is None else partial(_layout, layout)
    try:
        order = Order(made_for, values, criteria, seed, read, solver, seconds, memory)
    except LevelError as error:
        raise (error if layout is None else error.within(layout[:200])) from None
    wanted = batch.shard.of(criteria.count)
    with Rows(batch, output, as_json, one=criteria.count == 1) as rows:
        statuses, interrupted = _make(order, wanted, batch, rows)
        rows.tell("generate", interrupted)
    if rows.count == len(wanted):
        return 0
    key = "cli.generate.interrupted" if interrupted else "cli.generate.only"
    note(t(key, made=rows.count, wanted=len(wanted)))
    return 1 if statuses == {"unsolvable"} and not interrupted else 3


def _make(order: Order, wanted: range, batch: Batch, rows: Rows) -> tuple[set[str], bool]:
    """What came of the levels that were looked into, and whether Ctrl-C ended it."""
    from winnable.cli.work import Work

    statuses, rest = set[str](), rows.rest(wanted, order.take)
    with Work(t("cli.work.generating"), len(wanted), done=len(wanted) - len(rest)) as work:
        for row in batch.rows(work, [*map(order.request, rest)], order.again):
            if isinstance(made := row.answer, WinnableError):
                raise made
            statuses |= made.statuses
            for passed, error in made.gave_up:
                note(t("cli.generate.seed", seed=passed, reason=error.said(language())))
            if made.content is not None:
                rows.add(made.content)
            work.advance(t("cli.generate.at", seed=made.seed))
    return statuses, work.interrupted


def _layout(layout: str) -> bytes:
    from winnable.cli.levels import file_of, one_level
    from winnable.levels.find import InFile

    return one_level(file_of(layout) or InFile(layout))
