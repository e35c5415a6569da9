"""`winnable generate`: levels made by seeds, as many and as hard as asked."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from math import inf
from typing import Any

import click

from winnable import __version__
from winnable.abilities import Tightens, solvers_of
from winnable.cli.makers import Difficulty, dealer, parse_difficulty, to_order
from winnable.cli.options import (
    example,
    json_option,
    memory_option,
    output_option,
    seed_option,
    solver_option,
    time_option,
)
from winnable.cli.output import note, write_output
from winnable.core import MAX_SEED, SolveResult, WinnableError
from winnable.errors import GaveUp
from winnable.words import language, t, tn

_TRIES = 20
"""With --certify or --distinct: seeds tried for each level that is asked for."""


@click.command(
    "generate",
    epilog=example(
        "Examples:\n"
        "  winnable generate triple layers=12 --seed 5 --output level.json\n"
        "  winnable generate triple layout=pagoda kinds=14 --seed 5\n"
        "  winnable generate triple layers=10 sets=4 side=5 --difficulty 20% --by careful\n"
        "  winnable generate triple --set slots=6 --count 100 --certify --time 5 -o levels.jsonl"
    ),
)
@click.argument("game")
@click.argument("params", nargs=-1, metavar="[KEY=VALUE]...")
@click.option(
    "--set", "settings", multiple=True, metavar="KEY=VALUE", help="A parameter, as KEY=VALUE alone."
)
@click.option(
    "--layout", metavar="FILE", help="Deal onto the places of this drawing or level, where the game can."
)
@seed_option("The first level's seed; the next ones count up from it.", default=1)
@click.option(
    "--count",
    type=click.IntRange(1, 1_000_000),
    metavar="N",
    default=1,
    show_default=True,
    help="How many levels.",
)
@click.option("--certify", is_flag=True, help="Only winnable levels, each with a winning line in it.")
@click.option(
    "--tight", is_flag=True, help="Only winnable levels that a little less help would make unwinnable."
)
@click.option(
    "--difficulty",
    metavar="D",
    callback=parse_difficulty,
    help="How hard for --by: the share of its games that it wins, as 20%, or points of skill.",
)
@click.option("--by", default="careful", show_default=True, metavar="PLAYER", help="Whose games count.")
@click.option("--distinct", is_flag=True, help="No level twice, nor turned or mirrored.")
@solver_option
@time_option(10, "Seconds for each level with --certify, to make it and as many to solve it.")
@memory_option
@output_option()
@json_option
def generate_command(
    game: str,
    params: tuple[str, ...],
    settings: tuple[str, ...],
    layout: str | None,
    seed: int,
    count: int,
    certify: bool,
    tight: bool,
    difficulty: Difficulty | None,
    by: str,
    distinct: bool,
    solver: str | None,
    seconds: float,
    memory: int,
    output: str,
    as_json: bool,
) -> int:
    """Make levels of GAME: one as JSON, more as JSONL (with --json as one JSON list).

    `winnable games` shows the parameters. With --difficulty pieces are exchanged until the share is within
    3 points of what is asked, with 95 % confidence, whatever --time says; each level has a line in it.

    With --certify seeds are passed by whose level is not made or not solved within --time, with --distinct
    those of a picture that was made before, at most 20 for each level; exit code 3 when fewer levels than
    asked for were found, 1 when every one was proved unsolvable.
    """
    from winnable.cli.levels import chosen_method
    from winnable.cli.work import Work
    from winnable.levels.files import encode_level
    from winnable.levels.identity import parse_params, picture_id
    from winnable.registry import load_game

    made_for = load_game(game)
    values = parse_params(made_for, ",".join((*params, *settings)))
    generate = made_for.generate if layout is None else dealer(made_for, layout)
    if difficulty is not None:
        generate = to_order(made_for, generate, by, difficulty)
    tighter = made_for.tighter if tight and isinstance(made_for, Tightens) else None
    if tight and tighter is None:
        raise WinnableError("cli.tight", field="tight", game=made_for.name)
    certify = certify or (tight and difficulty is None)
    decides = bool(solver or certify or tight)
    decided_by = chosen_method("solver", solvers_of(made_for), solver, (), made_for) if decides else None
    tries = range(
        seed, min(seed + count * (_TRIES if certify or distinct or difficulty or tight else 1), MAX_SEED + 1)
    )
    levels: list[bytes] = []  # encoded: many thousands take far less memory so
    statuses: set[str] = set()
    pictures: set[str] = set()
    with Work(t("cli.work.generating"), count) as work:

        def decide(level: Any, level_seed: int) -> SolveResult:
            assert decided_by is not None
            puzzle = made_for.puzzle(level)
            return work.solve(decided_by.method, puzzle, puzzle.initial(), seconds, level_seed, memory)

        for level_seed in tries:
            if work.interrupted or len(levels) == count:
                break
            try:
                level = generate(values, level_seed, work.budget(seconds if certify else inf))
            except GaveUp as error:
                if not work.interrupted:
                    note(t("cli.generate.seed", seed=level_seed, reason=error.said(language())))
                statuses.add("budget")
                continue
            picture = picture_id(made_for, level) if distinct else ""
            if picture in pictures:
                continue
            if certify and decided_by:
                result = decide(level, level_seed)
                statuses.add(result.status)
                if result.status != "solved":
                    continue
                level = certified(level, decided_by.label, result)
            if tighter is not None:
                statuses.add("solved")
                if decide(tighter(level), level_seed).status != "unsolvable":
                    continue
            levels.append(encode_level(level))
            if distinct:
                pictures.add(picture)
            work.advance(t("cli.generate.at", seed=level_seed))
    if not levels and work.interrupted:
        raise click.Abort
    write_all(levels, count, output, as_json)
    if len(levels) == count:
        return 0
    key = "cli.generate.interrupted" if work.interrupted else "cli.generate.only"
    note(t(key, made=len(levels), wanted=count))
    return 1 if statuses == {"unsolvable"} and not work.interrupted else 3


def certified(level: Any, solver: str, result: SolveResult) -> Any:
    """The level with the solver's line in it."""
    from msgspec.structs import replace

    from winnable.levels.provenance import Certificate

    certificate = Certificate("solved", solver, __version__, result.actions, result.cost, result.lower_bound)
    return replace(level, certificate=certificate)


def write_all(levels: Sequence[bytes], count: int, output: str, as_json: bool) -> None:
    """To the output, and with --json also to stdout."""
    write_levels(levels, output if not as_json else "-", one=count == 1, as_list=as_json)
    if as_json and output != "-":
        write_levels(levels, output, one=count == 1, as_list=False)


def write_levels(lines: Sequence[bytes], output: str, one: bool, as_list: bool = False) -> None:
    """Encoded levels: JSON for one, JSONL for several; or one JSON list."""
    if as_list and not one:
        write_output(output, b"[" + b",\n".join(lines) + b"]\n")
    elif lines:
        write_output(output, *chain.from_iterable((line, b"\n") for line in lines))
        if output != "-":
            note(tn("cli.generate.written", len(lines), output=output))
