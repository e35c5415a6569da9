"""`winnable generate`: levels made by seeds, as many and as hard as asked."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import chain

import click

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
from winnable.cli.output import note, write_output
from winnable.contract.abilities import solvers_of
from winnable.contract.core import LevelError
from winnable.contract.errors import GaveUp
from winnable.contract.game import Game, Generate
from winnable.levels.making import Criteria, Difficulty, Maker, Solving, generator
from winnable.words import language, t, tn


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
    "Seconds for each seed, to make its level and as many to solve it; else 10 where a line is wanted."
)
@memory_option
@output_option()
@json_option
@gathered(Criteria, "criteria")
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
    output: str,
    as_json: bool,
) -> int:
    """Make levels of GAME: one as JSON, more as JSONL (with --json as one JSON list).

    `winnable games` shows the parameters. With --difficulty pieces are exchanged until the share is within
    3 points of what is asked, with 95 % confidence; each level has a line in it.

    Seeds are passed by whose level is not made or not solved within --time, with --distinct
    those of a picture that was made before, at most 20 for each level; exit code 3 when fewer levels than
    asked for were found, 1 when every one was proved unsolvable.

    Examples:
      winnable generate triple layers=12 --seed 5 --output level.json
      winnable generate triple layout=pagoda kinds=14 --seed 5
      winnable generate triple layers=10 sets=4 side=5 --difficulty 20% --by careful
      winnable generate triple --set slots=6 --count 100 --certify --time 5 -o levels.jsonl
    """
    from winnable.cli.work import Work
    from winnable.contract.methods import choose_method
    from winnable.contract.registry import load_game
    from winnable.levels.files import encode_level
    from winnable.levels.identity import parse_params

    made_for = load_game(game)
    values = parse_params(made_for, ",".join((*params, *settings)))
    generate = _generator(made_for, criteria, layout)
    decides = bool(solver or criteria.certify or criteria.tight)
    decided_by = choose_method("solver", solvers_of(made_for), solver, made_for.name) if decides else None
    levels = list[bytes]()  # encoded: many thousands take far less memory so
    with Work(t("cli.work.generating"), criteria.count) as work:
        maker = Maker(work, made_for, criteria, Solving(decided_by, seconds, memory), _tell_passed_by)
        with suppress(KeyboardInterrupt):  # of one that does not hear that it is to stop
            for made in maker.levels(generate, values, seed):
                levels.append(encode_level(made.level))
                work.advance(t("cli.generate.at", seed=made.seed))
    if not levels and work.interrupted:
        raise click.Abort
    write_all("generate", levels, criteria.count, output, as_json)
    if len(levels) == criteria.count:
        return 0
    key = "cli.generate.interrupted" if work.interrupted else "cli.generate.only"
    note(t(key, made=len(levels), wanted=criteria.count))
    return 1 if maker.statuses == {"unsolvable"} and not work.interrupted else 3


def _tell_passed_by(seed: int, error: GaveUp) -> None:
    note(t("cli.generate.seed", seed=seed, reason=error.said(language())))


def _generator(game: Game, criteria: Criteria, layout: str | None) -> Generate:
    from winnable.cli.levels import file_of, one_level
    from winnable.levels.find import InFile

    if layout is None:
        return generator(game, criteria)
    try:
        return generator(game, criteria, lambda: one_level(file_of(layout) or InFile(layout)))
    except LevelError as error:
        raise error.within(layout[:200]) from None


def write_all(what: str, lines: Sequence[bytes], count: int, output: str, as_json: bool) -> None:
    """Writes to the output, and with --json also to stdout. what: the command whose lines they are"""
    _write(what, lines, output if not as_json else "-", one=count == 1, as_list=as_json)
    if as_json and output != "-":
        _write(what, lines, output, one=count == 1, as_list=False)


def _write(what: str, lines: Sequence[bytes], output: str, one: bool, as_list: bool) -> None:
    """What is encoded: JSON for one, JSONL for several; or one JSON list."""
    if as_list and not one:
        write_output(output, b"[" + b",\n".join(lines) + b"]\n")
    elif lines:
        write_output(output, *chain.from_iterable((line, b"\n") for line in lines))
        if output != "-":
            note(tn(f"cli.{what}.written", len(lines), output=output))
