"""`winnable tasks`: certified tasks as JSONL, for whoever evaluates models without Python."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import click

from winnable.batches.tasks import SetTask
from winnable.cli.batch import Batch, Rows, batch_options
from winnable.cli.options import Command, gathered, json_option, number_option, output_option, seed_option
from winnable.contract.core import LevelError, WinnableError
from winnable.stats.difficulty import Word
from winnable.tasks.task import Language, read_task
from winnable.words import LANGUAGES, t


@click.command("tasks", cls=Command)
@click.argument("game")
@number_option("--count", "How many tasks.", default=1)
@seed_option("The first task's seed; the next ones count up from it.")
@click.option("--difficulty", metavar="WORD", help="easy, medium, tricky, hard or fiendish.")
@click.option("--solvable/--unsolvable", default=None, help="Only such ones; else about half of each.")
@click.option("--params", default="", metavar="KEY=VALUE,...", help="Of the game's generator.")
@click.option(
    "--language", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Of the text."
)
@output_option()
@batch_options
@json_option
@gathered(Batch, "batch")
def tasks_command(
    game: str,
    count: int,
    seed: int,
    difficulty: Word | None,
    solvable: bool | None,
    params: str,
    language: Language,
    batch: Batch,
    output: str,
    as_json: bool,
) -> int:
    """Set tasks of GAME: levels as text, each with a proof of whether it can be won.

    One JSON object a line; with --json one JSON list. Exit code 3 when it is interrupted.

    Examples:
      winnable tasks drops --difficulty easy --count 100 --seed 1 -o tasks.jsonl
      winnable tasks triple --unsolvable --language zh-CN
      winnable tasks rotate --count 10000 --workers auto --resume tasks.jsonl
    """
    from winnable.cli.work import Work

    asked = [
        SetTask(game=game, seed=seed + place, difficulty=difficulty, solvable=solvable, params=params,
                language=language)
        for place in batch.shard.of(count)
    ]  # fmt: skip
    with Rows(batch, output, as_json, one=count == 1) as rows:
        left = asked[rows.rest(range(len(asked)), partial(_after, asked)).start :]
        with Work(t("cli.work.generating"), len(asked), done=len(asked) - len(left)) as work:
            for row in batch.rows(work, left):
                if isinstance(row.answer, WinnableError):
                    raise row.answer
                rows.add(row.answer)
                work.advance(t("cli.generate.at", seed=asked[row.number].seed))
        rows.tell("tasks", work.interrupted)
    return 0 if rows.count == len(asked) else 3


def _after(asked: Sequence[SetTask], content: bytes, rest: range) -> range:
    """The rest after this one, which a file has. Raises WinnableError where it is not the first of them."""
    task = read_task(content)
    if not rest or (task.game, task.seed) != (asked[rest.start].game, asked[rest.start].seed):
        raise LevelError("batch.other")
    return rest[1:]
