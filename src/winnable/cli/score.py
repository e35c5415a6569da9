"""`winnable score`: what replies to tasks are worth, for whoever evaluates models without Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from winnable.cli.options import example, json_option
from winnable.cli.output import emit_json, note, say
from winnable.contract.core import LevelError, WinnableError
from winnable.words import t

if TYPE_CHECKING:
    from winnable.tasks import Score, Task


@click.command(
    "score",
    epilog=example(
        "Examples:\n"
        "  winnable score replies.jsonl\n"
        "  winnable tasks drops --count 9 | jq -c '.reply = .answer' | winnable score - --json"
    ),
)
@click.argument("replies")
@json_option
def score_command(replies: str, as_json: bool) -> int:
    """Say what replies are worth, from 0 to 1, which move lost the game, and why.

    REPLIES is a JSONL file, or `-` for stdin: each line a task as `winnable tasks` wrote it, with one field
    more, `reply`, the text of a model or the names of moves. Exit code 3 when it is interrupted.
    """
    from winnable.cli.levels import read_content
    from winnable.cli.work import Work

    asked = _asked(replies[:200], read_content(replies))
    known = list[dict[str, Any]]()
    with Work(t("cli.work.scoring"), len(asked)) as work:
        for task, reply in asked:
            if work.interrupted:
                note(t("cli.score.interrupted", done=len(known), all=len(asked)))
                break
            try:
                score = task.score(reply)
            except WinnableError as error:
                raise error.within(task.id[:80]) from None
            known.append(
                {"id": task.id, "seed": task.seed, **{name: getattr(score, name) for name in score.__slots__}}
            )
            if not as_json:
                say(f"{score.value:.3f}  {task.id}  {_told(score)}")
            work.advance(task.id)
    if as_json:
        emit_json(known)
    elif known:
        mean = sum(one["value"] for one in known) / len(known)
        say(t("cli.score.mean", mean=f"{mean:.3f}", count=len(known)))
    return 0 if len(known) == len(asked) else 3


def _asked(source: str, content: bytes) -> list[tuple[Task, str | list[str]]]:
    """Raises WinnableError that names the line; nothing has been scored then."""
    from msgspec import Struct

    from winnable.levels.files import decode
    from winnable.tasks.task import read_task

    class Replied(Struct):
        reply: str | list[str]

    found: list[tuple[Task, str | list[str]]] = []
    for number, line in enumerate(content.splitlines(), 1):
        if line.strip():
            try:
                found.append((read_task(line), decode(line, Replied).reply))
            except WinnableError as error:
                raise error.within(f"{source}:{number}") from None
    if not found:
        raise LevelError("cli.score.none", field="replies")
    return found


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
