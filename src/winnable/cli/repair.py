"""`winnable repair`: a level changed so that it can be won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import click

from winnable.cli.options import (
    Command,
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
from winnable.contract.core import LevelError, WinnableError
from winnable.contract.methods import Chosen
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
@output_option()
@json_option
def repair_command(
    level: str,
    method: str | None,
    set_to: tuple[str, ...],
    seed: int,
    seconds: float,
    memory: int,
    output: str,
    as_json: bool,
) -> int:
    """Change LEVEL as little as the method can so that it can be won, and write the new level.

    Exit code 3 when the method found none within its budget.

    Examples:
      winnable repair lost.json --output won.json
      winnable repair triple:layers=26#4 --method de-repair --with keep=always
    """
    from winnable.cli.generate import write_all
    from winnable.cli.levels import load_level
    from winnable.cli.work import Work, stage_text
    from winnable.contract.methods import choose_method
    from winnable.levels.certificates import line_fault
    from winnable.levels.files import encode_level

    named = load_level(level, seed, seconds)
    repair = choose_method("method", repairs_of(named.game), method, named.game.name, set_to)
    with Work(repair.label) as work:
        try:
            repaired = work.search(lambda budget: repair.method(named.level, seed, budget), seconds, memory)
        except LevelError as error:
            note(error.said(language()))
            return 3
    claim = repaired.certificate
    fault = None if claim is None else line_fault(named.game.puzzle(repaired), claim.actions)
    if fault is not None:
        raise WinnableError(f"method {repair.name}: {fault}")
    if work.latest is not None and work.latest.values:
        note(stage_text(work.latest))
    note(t("cli.repaired", method=repair.label) + _how(repaired, f"{named.game.name}/{repair.name}", repair))
    write_all("generate", [encode_level(repaired)], 1, output, as_json)
    return 0


def _how(level: Any, generator: str, method: Chosen) -> str:
    """What the method says about its repair: what it puts into the provenance, without the level before and
    what it was set to."""
    if level.provenance is None or level.provenance.generator != generator:
        return ""
    known = {"from", *method.settings}
    params = {name: value for name, value in level.provenance.params.items() if name not in known}
    return "".join(f"; {name.replace('_', ' ')}: {_words(value)}" for name, value in params.items())


def _words(value: Any) -> str:
    """A tuple is one of groups, which are joined by hyphens."""
    if not isinstance(value, tuple):
        return str(value)
    groups = cast("tuple[Sequence[Any], ...]", value)
    return ", ".join("-".join(map(str, group)) for group in groups) or "none"
