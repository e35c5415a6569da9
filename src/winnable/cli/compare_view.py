"""The rows of `winnable compare`, and the table that it prints of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from winnable.cli.output import print_table, say
from winnable.contract.abilities import Solves
from winnable.levels.files import NamedLevel
from winnable.words import t, tn


class Standing(Struct, frozen=True):
    """One row: `compare --json` prints a list of these. Rates are shares of `games`, with a 95 % interval."""

    name: str
    """As it can be named again, with the settings that are not its defaults."""
    settings: dict[str, Any]
    """All of them."""
    kind: str
    games: int
    won: int
    """In a game of chance: whose goal was made."""
    lost: int
    """Of a player, games that it lost; of a solver, proofs that nothing wins."""
    undecided: int
    """Neither won nor lost: `cut`, or searches that another limit ended."""
    cut: int
    """Games that the clock ended before they were over: they count in none of the three means that follow."""
    win_rate: float
    ci_low: float
    ci_high: float
    mean_length: float | None
    """Actions in a game; of a solver, in its winning line. None: there is no such game."""
    mean_score: float | None
    """In games of chance, which have a score."""
    mean_completion: float | None
    """How far a player came, 0 to 1, in games that say so."""
    mean_best: float | None
    """How far a solver came where it did not decide, by `measure`."""
    measure: str | None
    mean_seconds: float
    max_seconds: float
    seed: int


def tell(rows: Sequence[Standing], named: NamedLevel, seconds: float) -> None:
    """The columns that say something about this game."""
    from winnable.contract.core import reached

    puzzle = named.game.puzzle(named.level)
    scored = not isinstance(named.game, Solves)
    aimed = not scored or reached(puzzle, puzzle.initial()) is not None
    columns = [("name", [row.name for row in rows]), ("games", [str(row.games) for row in rows])]
    if aimed:
        columns += [("made" if scored else "won", [str(row.won) for row in rows])]
    if not scored:
        columns += [("lost", [str(row.lost) for row in rows])]
    columns += [("cut", [str(row.cut) for row in rows])]
    if any(row.undecided > row.cut for row in rows):
        columns += [("open", [str(row.undecided - row.cut) for row in rows])]
    if aimed:
        columns += [
            ("share" if scored else "rate", [f"{row.win_rate:.1%}" for row in rows]),
            ("interval", [f"{row.ci_low:.1%} - {row.ci_high:.1%}" for row in rows]),
        ]
    if any(row.mean_completion is not None for row in rows):
        columns += [("completion", [_share(row.mean_completion) for row in rows])]
    measures = dict.fromkeys(row.measure for row in rows if row.measure is not None)
    for measure in measures:
        cells = [_figure(row.mean_best if row.measure == measure else None) for row in rows]
        columns += [(f"best.{measure}", cells)]
    if scored:
        columns += [("score", [_figure(row.mean_score, 1) for row in rows])]
    columns += [
        ("length", [_figure(row.mean_length, 1) for row in rows]),
        ("mean", [f"{row.mean_seconds:.3f}" for row in rows]),
        ("max", [f"{row.max_seconds:.3f}" for row in rows]),
    ]
    print_table([_title(name) for name, _ in columns], _transposed(columns))
    say(t("cli.compare.about.scores" if scored else "cli.compare.about"))
    if cut := sum(row.cut for row in rows):
        say(tn("cli.compare.cut_short", cut, games=sum(row.games for row in rows), time=f"{seconds:g}"))


def _title(column: str) -> str:
    kind, _, measure = column.partition(".")
    return t(f"cli.compare.{kind}", measure=t(f"measure.{measure}"))


def _figure(value: float | None, digits: int = 2) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}"


def _transposed(columns: Sequence[tuple[str, Sequence[str]]]) -> Iterator[Sequence[str]]:
    return zip(*(cells for _, cells in columns), strict=True)
