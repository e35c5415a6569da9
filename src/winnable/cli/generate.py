"""`winnable generate`: levels made by seeds, as many and as hard as asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from msgspec import Struct

from winnable import __version__
from winnable.cli.makers import Difficulty, dealer, parse_difficulty, to_order
from winnable.cli.options import (
    example,
    gathered,
    json_option,
    memory_option,
    output_option,
    seed_option,
    solver_option,
    time_option,
)
from winnable.cli.output import note, write_output
from winnable.contract.abilities import Tightens, solvers_of
from winnable.contract.core import MAX_SEED, Budget, Solver, SolveResult, WinnableError
from winnable.contract.errors import GaveUp
from winnable.words import language, t, tn

if TYPE_CHECKING:
    from winnable.cli.work import Work
    from winnable.contract.game import Game
    from winnable.contract.methods import Chosen

_TRIES = 20
"""With --certify or --distinct: seeds tried for each level that is asked for."""


class Wanted(Struct, frozen=True):
    """Which levels are kept, and how many; see the options of these names."""

    count: int
    certify: bool
    tight: bool
    difficulty: Difficulty | None
    by: str
    distinct: bool

    @property
    def tries(self) -> int:
        """How many seeds."""
        picky = self.certify or self.distinct or self.difficulty or self.tight
        return self.count * (_TRIES if picky else 1)

    @property
    def needs_line(self) -> bool:
        return self.certify or (self.tight and self.difficulty is None)


class Solving(NamedTuple):
    """by: None where nothing is to be decided."""

    by: Chosen[Solver] | None
    seconds: float
    memory: int


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
@gathered(Wanted, "wanted")
def generate_command(
    game: str,
    params: tuple[str, ...],
    settings: tuple[str, ...],
    layout: str | None,
    seed: int,
    wanted: Wanted,
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
    from winnable.contract.registry import load_game
    from winnable.levels.identity import parse_params

    made_for = load_game(game)
    values = parse_params(made_for, ",".join((*params, *settings)))
    generate = made_for.generate if layout is None else dealer(made_for, layout)
    if wanted.difficulty is not None:
        generate = to_order(made_for, generate, wanted.by, wanted.difficulty)
    if wanted.tight and not isinstance(made_for, Tightens):
        raise WinnableError("cli.tight", field="tight", game=made_for.name)
    decides = bool(solver or wanted.certify or wanted.tight)
    decided_by = chosen_method("solver", solvers_of(made_for), solver, (), made_for) if decides else None
    with Work(t("cli.work.generating"), wanted.count) as work:
        maker = _Maker(work, made_for, wanted, Solving(decided_by, seconds, memory))
        maker.make(lambda seed, budget: generate(values, seed, budget), seed)
    levels = maker.levels
    if not levels and work.interrupted:
        raise click.Abort
    write_all(levels, wanted.count, output, as_json)
    if len(levels) == wanted.count:
        return 0
    key = "cli.generate.interrupted" if work.interrupted else "cli.generate.only"
    note(t(key, made=len(levels), wanted=wanted.count))
    return 1 if maker.statuses == {"unsolvable"} and not work.interrupted else 3


class _Maker:
    """Goes from seed to seed and keeps what is wanted.

    levels:   encoded: many thousands take far less memory so
    statuses: what came of those that were looked into
    """

    def __init__(self, work: Work, game: Game, wanted: Wanted, solving: Solving) -> None:
        self._work, self._game, self._wanted, self._solving = work, game, wanted, solving
        self.levels: list[bytes] = []
        self.statuses: set[str] = set()
        self._pictures: set[str] = set()

    def make(self, generate: Callable[[int, Budget], Any], first: int) -> None:
        from winnable.levels.files import encode_level

        seconds = self._solving.seconds if self._wanted.needs_line else inf
        for seed in range(first, min(first + self._wanted.tries, MAX_SEED + 1)):
            if self._work.interrupted or len(self.levels) == self._wanted.count:
                break
            try:
                level = generate(seed, self._work.budget(seconds))
            except GaveUp as error:
                if not self._work.interrupted:
                    note(t("cli.generate.seed", seed=seed, reason=error.said(language())))
                self.statuses.add("budget")
                continue
            picture = self._picture(level)
            kept = None if picture in self._pictures else self._kept(level, seed)
            if kept is not None:
                self.levels.append(encode_level(kept))
                self._pictures |= {picture} if picture else set()
                self._work.advance(t("cli.generate.at", seed=seed))

    def _picture(self, level: Any) -> str:
        from winnable.levels.identity import picture_id

        return picture_id(self._game, level) if self._wanted.distinct else ""

    def _kept(self, level: Any, seed: int) -> Any:
        """The level, with a line in it where one is wanted; None: it is not what is wanted."""
        if self._wanted.needs_line and self._solving.by:
            result = self._decide(self._solving.by, level, seed)
            self.statuses.add(result.status)
            if result.status != "solved":
                return None
            level = certified(level, self._solving.by.label, result)
        if self._wanted.tight and self._solving.by and isinstance(self._game, Tightens):
            self.statuses.add("solved")
            if self._decide(self._solving.by, self._game.tighter(level), seed).status != "unsolvable":
                return None
        return level

    def _decide(self, by: Chosen[Solver], level: Any, seed: int) -> SolveResult:
        puzzle = self._game.puzzle(level)
        seconds, memory = self._solving.seconds, self._solving.memory
        return self._work.solve(by.method, puzzle, puzzle.initial(), seconds, seed, memory)


def certified(level: Any, solver: str, result: SolveResult) -> Any:
    """The level with the solver's line in it."""
    from msgspec.structs import replace

    from winnable.contract.provenance import Certificate

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
