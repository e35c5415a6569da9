"""`winnable solve`: a winning line, or a proof that there is none, or an honest "the budget ran out"."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import click

from winnable.cli.answers import Solution, best_text, closed_set_text, is_short, reason_text, verdict_text
from winnable.cli.options import (
    board_argument,
    example,
    json_option,
    level_argument,
    memory_option,
    output_option,
    seed_option,
    solver_option,
    time_option,
    with_option,
)
from winnable.cli.output import emit_json, note, say, seconds_text, short_name, write_output
from winnable.contract.abilities import Refutes, notations_of, solvers_of
from winnable.contract.core import (
    Action,
    Answer,
    Budget,
    Puzzle,
    Status,
    action_name,
    check_line,
    decide,
    finish,
    replay,
    with_moves,
)
from winnable.words import t, tn

if TYPE_CHECKING:
    from winnable.levels.files import NamedLevel

REASON_SECONDS = 3.0
EXIT_CODES: dict[Status, int] = {"solved": 0, "unsolvable": 1, "budget": 3}


@click.command(
    "solve",
    epilog=example(
        "Examples:\n"
        "  winnable solve level.json\n"
        "  winnable solve triple:layers=12#5 --time 10 --json\n"
        "  winnable solve triple 7:0@0.0,0@8.0,0@16.0"
    ),
)
@level_argument
@board_argument
@solver_option
@with_option
@time_option(60)
@click.option(
    "--notation", metavar="NAME", help="One of the game's notations for the line (see `winnable games`)."
)
@seed_option("Feeds the solver's chance; also deals a file that holds a layout only.")
@memory_option
@output_option(None, "Also write the solution as JSON to this file.")
@json_option
def solve_command(
    level: str,
    board: str | None,
    solver: str | None,
    set_to: tuple[str, ...],
    seconds: float,
    notation: str | None,
    seed: int,
    memory: int,
    output: str | None,
    as_json: bool,
) -> int:
    """Solve LEVEL, or the BOARD of a GAME in its text notation.

    Every winning line is replayed by the rules before it is printed. Exit code: 0 solved, 1 proved
    unsolvable, 3 neither within the budget.
    """
    from winnable.analysis import ByProof, companion_of
    from winnable.cli.levels import load_position
    from winnable.cli.work import Work
    from winnable.contract.methods import choose_method

    named, before = load_position(level, seed, seconds, board)
    method = choose_method("solver", solvers_of(named.game), solver, named.game.name, set_to)
    named_by, notations = action_name, notations_of(named.game)
    if notation is not None:
        named_by = choose_method("notation", notations, notation, named.game.name).method
    puzzle = named.game.puzzle(named.level)
    start = replay(puzzle, before)
    if not as_json:
        _tell_first(named, puzzle, start, named_by)
    with Work(t("cli.work.solving")) as work:
        result = work.search(
            lambda budget: decide(method.method, puzzle, start, budget, seed), seconds, memory
        )
        closed_set = None
        game = named.game
        if result.status == "unsolvable" and isinstance(game, Refutes) and not before:
            left = max(0.0, seconds - result.seconds)
            closed_set = work.search(
                lambda budget: game.refute(puzzle, puzzle.initial(), budget), left, memory
            )
        reason = None
        companion = companion_of(game, named.level, puzzle)
        if result.status == "unsolvable" and isinstance(companion, ByProof):
            companion.learn(start, result)
            reason = work.search(lambda budget: companion.reason(start, budget), REASON_SECONDS)
    if work.interrupted:
        note(t("cli.interrupted.so_far"))

    told = replace(with_moves(puzzle, result, named_by), reason=reason)
    solution = Solution(
        **{one.name: getattr(told, one.name) for one in fields(told)},
        game=game.name,
        level_id=named.id,
        solver=method.name,
        settings=method.settings,
        seed=seed,
        closed_set=closed_set,
    )
    if as_json:
        emit_json(solution)
    elif output != "-":
        _tell(solution, puzzle, named.id if board or level == "-" else level, short=notation is None)
    if output is not None:
        _write(output, solution, as_json)
    return EXIT_CODES[result.status]


def _write(output: str, solution: Solution, printed: bool) -> None:
    import msgspec

    if not (output == "-" and printed):
        write_output(output, msgspec.json.encode(solution) + b"\n")


def _tell_first(
    named: NamedLevel, puzzle: Puzzle, start: Any, named_by: Callable[[Any, Action], str]
) -> None:
    """On a machine where nothing is compiled yet that takes longer than to find a line."""
    from winnable.analysis.engine import engine

    found = finish(engine().first(named.game, named.level, start, Budget()))
    if isinstance(found, Answer) and found.status == "solved":
        check_line(puzzle, found.actions, start)
        line = " ".join(named_by(puzzle, action) for action in found.actions)
        note(tn("cli.first.winnable", len(found.actions), line=line))


def _tell(solution: Solution, puzzle: Puzzle, label: str, short: bool) -> None:
    say(f"{label}: {verdict_text(solution, solution.game)}")
    if solution.status == "solved":
        _tell_line(solution.moves, short)
    if solution.best is not None:
        if not is_short(solution.limit):
            say(best_text(solution.best))
        _tell_line(solution.best.moves, short)
    if solution.reason is not None:
        say(reason_text(puzzle, solution.reason))
    if solution.closed_set is not None:
        say(closed_set_text(solution.closed_set))
        say("  " + t("cli.verify.walks"))
    say(
        t(
            "cli.solver",
            solver=solution.solver,
            expanded=f"{solution.expanded:,}",
            generated=f"{solution.generated:,}",
            time=seconds_text(solution.seconds),
        )
    )


def _tell_line(names: Sequence[str], short: bool) -> None:
    shown = " ".join(map(short_name, names) if short else names)
    if shown:
        say(textwrap.fill(shown, 96, initial_indent="  ", subsequent_indent="  "))
