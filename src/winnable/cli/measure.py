"""`winnable measure`: how hard is this level for people?"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from math import isinf
from typing import Any

import click
from msgspec import Struct

from winnable.cli.options import (
    Command,
    board_argument,
    json_option,
    level_argument,
    number_option,
    seed_option,
    time_option,
)
from winnable.cli.output import emit_json, note, print_table, say
from winnable.comparing import willing_players
from winnable.contract.abilities import Figure, Rates, skills_of
from winnable.contract.core import Budget, Found, Puzzle, WinnableError, collected
from winnable.levels.files import NamedLevel
from winnable.levels.making import skill_of
from winnable.words import t

COLUMNS = ("player", "skill", "games", "won", "rate", "interval")
PROOFS = 1 / 4
"""Of the time."""


class PlayerRow(Struct, frozen=True):
    """One player on this level; the win rate has a 95 % interval."""

    name: str
    skill: float
    games: int
    won: int
    win_rate: float
    ci_low: float
    ci_high: float


class Measured(Struct, frozen=True):
    """What `measure --json` prints; of several levels a list. difficulty is None when all or none of the
    games were won; the ends of its interval are None where it is open."""

    game: str
    level_id: str
    difficulty: float | None
    ci_low: float | None
    ci_high: float | None
    players: list[PlayerRow]
    figures: Mapping[str, Any]
    seed: int


@click.command("measure", cls=Command)
@level_argument
@board_argument
@click.option("--by", metavar="A,B,...", help="Players that see what a person sees; else all of the game.")
@number_option("--games", "Games for each player, as far as the time allows.", default=100)
@seed_option("Feeds the players' chance; also chooses the default level and deals a layout.")
@time_option(60, "Seconds, a quarter of them for proofs; each player plays one game at least.")
@json_option
def measure_command(
    level: str, board: str | None, by: str | None, games: int, seed: int, seconds: float, as_json: bool
) -> int:
    """Let players who see what a person sees play LEVEL (or the BOARD of a GAME) again and again, and say
    how hard it is. Of a file of several levels, each.

    The difficulty is the skill with which half of the games are won; with 400 points more, ten of eleven
    are. Beside it stands what can be proved.

    Examples:
      winnable measure triple:layers=12,sets=5,side=5#1
      winnable measure level.json --by matching,careful --games 1000 --json
    """
    from winnable.cli.levels import load_levels
    from winnable.cli.work import Work

    levels = load_levels(level, seed, seconds, board)
    players = [_chosen(named, by) for named in levels]
    measured = list[Measured]()
    with Work(t("cli.work.measuring")) as work:
        for named, skills in zip(levels, players, strict=True):
            figures = work.search(lambda budget, named=named: _proved(named, budget, seed), seconds * PROOFS)
            end = time.monotonic() + seconds * (1 - PROOFS)
            rows = list(_play(work, named, skills, games, seed, end))
            if not rows:
                break
            measured.append(_measured(named, rows, figures, seed))
            if not as_json:
                if len(levels) > 1:
                    say(f"{len(measured)}. {named.id}")
                _tell(rows, figures)
    if not measured:
        raise click.Abort
    if as_json:
        emit_json(measured if len(levels) > 1 else measured[0])
    if work.interrupted:
        note(t("cli.interrupted.far"))
        return 3
    return 0


def _measured(named: NamedLevel, rows: list[PlayerRow], figures: Sequence[Figure], seed: int) -> Measured:
    points, low, high = (None if isinf(end) else end for end in _difficulty(rows))
    proved = {figure.name: figure.value for figure in figures}
    return Measured(named.game.name, named.id, points, low, high, rows, proved, seed)


def _tell(rows: list[PlayerRow], figures: Sequence[Figure]) -> None:
    print_table([t(f"cli.measure.{column}") for column in COLUMNS], map(_cells, rows))
    say(t("cli.measure.difficulty", text=_in_words(*_difficulty(rows))))
    for figure in figures:
        say(t("cli.measure.figure", name=t(f"figure.{figure.name}"), words=figure.said()))


def _proved(named: NamedLevel, budget: Budget, seed: int) -> Found[list[Figure]]:
    game = named.game
    return collected(game.measure(named.level, budget, seed)) if isinstance(game, Rates) else []


def _chosen(named: NamedLevel, by: str | None) -> dict[str, float]:
    skills = skills_of(named.game)
    if not skills:
        raise WinnableError("cli.scale", field="level", game=named.game.name)
    if by is None:
        return {name: skills[name] for name in willing_players(named, skills)}
    names = list(dict.fromkeys(filter(None, by.split(","))))
    if not names:
        raise WinnableError("cli.by.none", field="by", known=list(skills))
    return {name: skill_of(named.game, name) for name in names}


def _play(
    work: Any, named: NamedLevel, skills: Mapping[str, float], games: int, seed: int, end: float
) -> Iterator[PlayerRow]:
    """Each player may use its share of the time that is left, and plays one game at least."""
    from winnable.stats.intervals import wilson_interval

    puzzle = named.game.puzzle(named.level)
    for place, (name, skill) in enumerate(skills.items()):
        now = time.monotonic()
        last = now + (end - now) / (len(skills) - place)
        played = won = 0
        while played < games and (not played or time.monotonic() < last) and not work.interrupted:
            wins = _wins(work, named, puzzle, name, seed + played)
            if wins is not None:
                won, played = won + wins, played + 1
        if played:
            yield PlayerRow(name, skill, played, won, won / played, *wilson_interval(won, played))


def _wins(work: Any, named: NamedLevel, puzzle: Puzzle, name: str, seed: int) -> bool | None:
    """None when it was interrupted. A game that was begun is played to its end, whatever the time: those that
    take long are not like the others."""
    from winnable.contract.core import replay
    from winnable.play.playing import whole_game

    line = whole_game(puzzle, named.game.players[name](puzzle, seed), lambda: work.interrupted)
    return None if line is None else puzzle.is_goal(replay(puzzle, line))


def _difficulty(rows: list[PlayerRow]) -> Any:
    from winnable.stats.skill import Played, difficulty

    return difficulty([Played(row.skill, row.won, row.games) for row in rows])


def _in_words(points: float, low: float, high: float) -> str:
    if isinf(high):
        return t("cli.measure.over", points=f"{low:.0f}")
    if isinf(low):
        return t("cli.measure.under", points=f"{high:.0f}")
    return f"{points:.0f} ({low:.0f} - {high:.0f})"


def _cells(row: PlayerRow) -> tuple[str, ...]:
    return (
        row.name, f"{row.skill:.0f}", str(row.games), str(row.won), f"{row.win_rate:.1%}",
        f"{row.ci_low:.1%} - {row.ci_high:.1%}",
    )  # fmt: skip
