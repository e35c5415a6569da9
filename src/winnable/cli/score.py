"""`winnable score`: what replies to tasks are worth, for whoever evaluates models without Python."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from winnable.cli.options import Command, json_option
from winnable.cli.output import emit_json, note, say, say_error
from winnable.contract.core import LevelError, WinnableError
from winnable.words import language, t

if TYPE_CHECKING:
    from winnable.tasks import Score, Task


@click.command("score", cls=Command)
@click.argument("replies")
@json_option
def score_command(replies: str, as_json: bool) -> int:
    """Say what replies are worth, from 0 to 1, which move lost the game, and why.

    REPLIES is a JSONL file, or `-` for stdin: each line a task as `winnable tasks` wrote it, with one field
    more, `reply`: the text of a model, or a list of moves, by name or number. Lines that are no such task, or
    whose task says what is not so, are named and passed over; exit code 2 then, 3 when it is interrupted.

    Examples:
      winnable score replies.jsonl
      winnable tasks drops --count 9 | jq -c '.reply = .answer' | winnable score - --json
    """
    from winnable.cli.levels import read_content
    from winnable.cli.work import Work

    lines = [(at, line) for at, line in enumerate(read_content(replies).splitlines(), 1) if line.strip()]
    if not lines:
        raise LevelError("cli.score.none", field="replies")
    known: list[Score] = []
    rows, refused = list[dict[str, Any]](), 0
    with Work(t("cli.work.scoring"), len(lines)) as work:
        for at, line in lines:
            if work.interrupted:
                note(t("cli.score.interrupted", done=len(known), all=len(lines)))
                break
            try:
                task, score = _scored(line)
            except WinnableError as error:
                refused += 1
                say_error(error.within(f"{replies[:200]}:{at}").said(language()))
                continue
            known.append(score)
            rows.append({"id": task.id, "seed": task.seed, **asdict(score)})
            if not as_json:
                say(f"{score.value:.3f}  {task.id}  {_told(score)}")
            work.advance(task.id)
    if as_json and known:
        emit_json(rows)
    elif known:
        _say_means(known, refused)
    return 2 if refused else 0 if len(known) == len(lines) else 3


def _scored(line: bytes) -> tuple[Task, Score]:
    """Raises WinnableError."""
    from msgspec import Struct

    from winnable.levels.files import decode
    from winnable.tasks.task import read_task

    class Replied(Struct):
        reply: Any

    task = read_task(line)
    return task, task.score(decode(line, Replied).reply)


def _say_means(scores: list[Score], refused: int) -> None:
    from winnable.tasks import above_chance

    count = len(scores)
    say(t("cli.score.mean", mean=f"{sum(score.value for score in scores) / count:.3f}", count=count))
    blind = sum(score.blind for score in scores) / count
    above = above_chance(scores)
    said = "–" if above is None else f"{above:.3f}"
    say(t("cli.score.above", above=said, blind=f"{blind:.3f}"))
    if refused:
        say(t("cli.score.refused", count=refused))


def _told(score: Score) -> str:
    if score.claimed:
        return t("cli.score.claimed")
    if score.won:
        return t("cli.score.won", length=score.length)
    said = [t("cli.score.length", length=score.length)]
    if score.lost_at is not None:
        said.append(t("cli.score.lost", number=score.lost_at + 1, move=score.move, better=score.better))
    said += [text for text in (score.reason, score.fault) if text]
    return t("list.comma").join(said)
