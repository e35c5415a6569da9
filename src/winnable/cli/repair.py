"""`winnable repair`: a level changed so that it can be won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import click

from winnable.batches.files import missing
from winnable.batches.repairing import Repair, is_passed_over
from winnable.batches.requests import LevelGiven
from winnable.cli.batch import Batch, Rows, batch_options
from winnable.cli.options import (
    Command,
    gathered,
    json_option,
    level_argument,
    memory_option,
    output_option,
    seed_option,
    time_option,
    with_option,
)
from winnable.cli.output import note
from winnable.contract.abilities import repairs_of
from winnable.contract.core import WinnableError
from winnable.contract.methods import Chosen
from winnable.levels.files import read_level
from winnable.words import language, t


@click.command("repair", cls=Command)
@level_argument
@click.option(
    "--method", metavar="NAME", help="One of the game's repairs (see `winnable games`); else the first."
)
@with_option
@seed_option("Feeds the method's chance.")
@time_option(60)
@memory_option
@batch_options
@output_option()
@json_option
@gathered(Batch, "batch")
def repair_command(
    level: str,
    method: str | None,
    set_to: tuple[str, ...],
    seed: int,
    seconds: float,
    memory: int,
    batch: Batch,
    output: str,
    as_json: bool,
) -> int:
    """Change LEVEL as little as the method can so that it can be won, and write the new level; of a file of
    several each, as JSONL.

    Exit code 3 when the method found none within its budget; 1 when a set has levels of a game that has no
    method, which are left as they are.

    Examples:
      winnable repair lost.json --output won.json
      winnable repair triple:layers=26#4 --method de-repair --with keep=always
      winnable repair lost.jsonl --workers auto --resume won.jsonl
    """
    from winnable.cli.levels import keep_apart, load_levels
    from winnable.contract.methods import choose_method

    levels = load_levels(level, seed, seconds)
    # A single level is written whole or not at all, so also in its own place.
    keep_apart({"resume": batch.resume, "output": output if len(levels) > 1 else None}, [level])
    asked, chosen = list[Repair](), list[Chosen]()
    for named in levels:
        if is_passed_over(named, len(levels) > 1):
            note(t("cli.unrepaired", level=named.id, game=named.game.name))
            continue
        chosen.append(choose_method("method", repairs_of(named.game), method, named.game.name, set_to))
        asked.append(
            Repair(
                game=named.game.name,
                level=LevelGiven.of(named),
                by=chosen[-1].label,
                seed=seed,
                seconds=seconds,
                memory=memory,
                named=len(levels) > 1,
            )
        )
    part = batch.shard.of(len(asked))
    with Rows(batch, output, as_json, one=len(levels) == 1) as rows:
        names = [request.name for request in asked]
        left = missing(names, part, [name for name, _ in rows.named(names, _named)])
        interrupted = _repair([(asked[place], chosen[place]) for place in left], batch, rows)
        rows.tell("generate", interrupted)
    return 3 if rows.count < len(part) else 1 if len(asked) < len(levels) else 0


def _named(content: bytes) -> tuple[str, bytes]:
    """A level with the name of the request that it was made for; "": for none. Raises WinnableError."""
    origin = read_level(content).level.provenance
    return (origin and origin.request) or "", content


def _repair(asked: Sequence[tuple[Repair, Chosen]], batch: Batch, rows: Rows) -> bool:
    """Whether part of it is still to be done."""
    from winnable.cli.work import Work, stage_text

    several = len(asked) > 1
    with Work(asked[0][1].label if asked else "", len(asked) if several else None) as work:
        for row in batch.rows(work, [request for request, _ in asked]):
            if isinstance(found := row.answer, WinnableError):
                raise found
            request, method = asked[row.number]
            said = f"{request.level.id}: " if several else ""
            if found.content is None:
                note(said + found.reason.said(language()))
            else:
                if found.told is not None and found.told.values:
                    note(said + stage_text(found.told))
                note(said + t("cli.repaired", method=method.label) + _how(found.content, method))
                rows.add(found.content)
            work.advance(request.level.id)
    return work.is_cut


def _how(content: bytes, method: Chosen) -> str:
    """What the method says about its repair: what it puts into the provenance, without the level before and
    what it was set to."""
    game, level, _ = read_level(content)
    if level.provenance is None or level.provenance.generator != f"{game.name}/{method.name}":
        return ""
    known = {"from", *method.settings}
    params = {name: value for name, value in level.provenance.params.items() if name not in known}
    return "".join(f"; {name.replace('_', ' ')}: {_words(value)}" for name, value in params.items())


def _words(value: Any) -> str:
    """A list is one of groups, which are joined by hyphens."""
    if not isinstance(value, list):
        return str(value)
    groups = cast("list[Sequence[Any]]", value)
    return ", ".join("-".join(map(str, group)) for group in groups) or "none"
