"""`winnable solve`: a winning line, or a proof that there is none, or an honest "the budget ran out"."""

from __future__ import annotations

import textwrap

import click
from msgspec import Struct

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
)
from winnable.cli.output import counted, emit_json, note, say, seconds_text, short_name, write_output
from winnable.core import SolveResult, Status, action_name
from winnable.provenance import ClosedSet

EXIT_CODES: dict[Status, int] = {"solved": 0, "unsolvable": 1, "budget": 3}


class Solution(Struct, frozen=True):
    """What `solve --json` prints; `verify` reads it back."""

    game: str
    level_id: str
    status: Status
    cost: int | None
    lower_bound: int | None
    optimal: bool
    actions: tuple[int, ...]
    action_names: list[str]
    solver: str
    expanded: int
    generated: int
    seconds: float
    seed: int
    closed_set: ClosedSet | None = None
    """Of an `unsolvable` one, where it is small enough to be checked by the rules."""


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
    from winnable.cli.levels import chosen, load_level_or_board
    from winnable.cli.work import Work

    named = load_level_or_board(level, board, seed)
    name, function = chosen("solver", named.game.solvers, solver, named.game)
    named_by = (
        action_name if notation is None else chosen("notation", named.game.notations, notation, named.game)[1]
    )
    puzzle = named.game.puzzle(named.level)
    with Work("solving") as work:
        result = work.solve(function, puzzle, puzzle.initial(), seconds, seed, memory)
        closed_set = None
        if result.status == "unsolvable":
            left = seconds - result.seconds
            closed_set = work.search(
                lambda budget: named.game.refute(puzzle, puzzle.initial(), budget), left, memory
            )
    if work.interrupted:
        note("interrupted: this is what was found so far")
    solution = Solution(
        named.game.name, named.id, result.status, result.cost, result.lower_bound, result.optimal,
        result.actions, [named_by(puzzle, action) for action in result.actions],
        name, result.expanded, result.generated, round(result.seconds, 6), seed,
        closed_set,
    )  # fmt: skip
    if as_json:
        emit_json(solution)
    elif output != "-":
        _tell(solution, named.id if board or level == "-" else level, short=notation is None)
    if output is not None:
        _write(output, solution, as_json)
    return EXIT_CODES[result.status]


def _write(output: str, solution: Solution, printed: bool) -> None:
    import msgspec

    if not (output == "-" and printed):
        write_output(output, msgspec.json.encode(solution) + b"\n")


def _tell(solution: Solution, label: str, short: bool) -> None:
    say(f"{label}: {verdict_text(solution)}")
    if solution.status == "solved":
        names = map(short_name, solution.action_names) if short else solution.action_names
        say(textwrap.fill(" ".join(names), 96, initial_indent="  ", subsequent_indent="  "))
    if solution.closed_set is not None:
        say(closed_set_text(solution.closed_set))
        say("  `winnable verify` walks through them by the rules alone.")
    say(
        f"Solver {solution.solver}: {solution.expanded:,} nodes expanded, {solution.generated:,} generated, "
        f"{seconds_text(solution.seconds)}."
    )


def closed_set_text(closed_set: ClosedSet) -> str:
    """One sentence."""
    how = (
        "Putting tiles back, from the empty board up,"
        if closed_set.reading == "backward"
        else "From the start"
    )
    what = f" with the kinds {', '.join(map(str, closed_set.kinds))} alone," if closed_set.kinds else ""
    return f"Proof: {how}{what} no more than {counted(closed_set.positions, 'position')} can be reached."


def verdict_text(result: Solution | SolveResult) -> str:
    """One sentence."""
    if result.status == "unsolvable":
        return "UNSOLVABLE. No line wins; the search was exhaustive."
    if result.status == "budget":
        return "UNKNOWN. Neither a winning line nor a proof was found within the budget."
    count = len(result.actions)
    steps = counted(count, "action")
    if result.cost not in (None, count):
        steps += f", cost {result.cost}"
    if result.optimal:
        steps += ", the least possible"
    elif result.lower_bound is not None and result.lower_bound != result.cost:
        steps += f" (no line costs less than {result.lower_bound})"
    return f"SOLVED in {steps}; replayed by the rules."
