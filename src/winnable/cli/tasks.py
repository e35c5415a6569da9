"""`winnable tasks`: certified tasks as JSONL, for whoever evaluates models without Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from winnable.cli.generate import write_all
from winnable.cli.options import Command, json_option, number_option, output_option, seed_option
from winnable.words import LANGUAGES, t

if TYPE_CHECKING:
    from winnable.stats.difficulty import Word
    from winnable.tasks.task import Language


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
@json_option
def tasks_command(
    game: str,
    count: int,
    seed: int,
    difficulty: Word | None,
    solvable: bool | None,
    params: str,
    language: Language,
    output: str,
    as_json: bool,
) -> int:
    """Set tasks of GAME: levels as text, each with a proof of whether it can be won.

    One JSON object a line; with --json one JSON list. Exit code 3 when it is interrupted.

    Examples:
      winnable tasks drops --difficulty easy --count 100 --seed 1 -o tasks.jsonl
      winnable tasks triple --unsolvable --language zh-CN
    """
    import msgspec

    from winnable.cli.work import Work
    from winnable.tasks import dataset

    lines: list[bytes] = []
    with Work(t("cli.work.generating"), count) as work:
        for task in dataset(
            game, count, seed, difficulty=difficulty, solvable=solvable, params=params, language=language
        ):
            if work.interrupted:
                break
            whole = {"text": task.text, "answer": task.answer, **msgspec.to_builtins(task)}
            lines.append(msgspec.json.encode(whole))
            work.advance(t("cli.generate.at", seed=task.seed))
    if not lines:
        raise click.Abort
    write_all("tasks", lines, count, output, as_json)
    return 0 if len(lines) == count else 3
