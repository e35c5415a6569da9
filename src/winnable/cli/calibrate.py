"""`winnable calibrate`: how does our difficulty stand to the tries of people?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from winnable.cli.options import Command, json_option, seed_option, time_option
from winnable.cli.output import emit_json, note, print_table, say, short_name
from winnable.contract.core import WinnableError
from winnable.contract.registry import load_game
from winnable.words import t

if TYPE_CHECKING:
    from winnable.calibrating import Calibration, Feature, Group, Known, Point, Row
    from winnable.levels.files import NamedLevel


GROUPS = ("group", "tries", "wins", "rate", "skill", "interval")
POINTS = ("group", "figure", "expected", "interval", "levels", "tries", "seen")
FEATURES = (
    "feature", "levels", "ranks", "interval", "explained", "interval", "loss", "predicts", "seconds",
)  # fmt: skip


@click.command("calibrate", cls=Command)
@click.argument("file", required=False)
@click.option(
    "--levels",
    "level_set",
    metavar="LEVELS",
    help="A set of which rows name levels, by id or by number from 1.",
)
@click.option(
    "--own", is_flag=True, help="Read your own games on this machine instead; nothing is kept or sent."
)
@click.option("--game", metavar="GAME", help="Whose games, with --own; else that of most.")
@time_option(10, "Seconds for what is told of each level.")
@seed_option("Draws which levels are left out, and the samples of intervals.")
@json_option
def calibrate_command(
    file: str | None,
    level_set: str | None,
    own: bool,
    game: str | None,
    seconds: float,
    seed: int,
    as_json: bool,
) -> int:
    """Fit the curve from our difficulty of levels to the rates at which people pass them, and say how well
    each feature of a level predicts levels left out.

    FILE is CSV with a head, or JSONL, `-` is stdin: a row has `level` (a LEVEL, or one of --levels), `tries`
    and `wins`, and may have `seconds`, of a try on the mean, and `group`, who they are: each has a skill.

    Examples:
      winnable calibrate tries.csv
      winnable calibrate tries.jsonl --levels pack.jsonl --json
      winnable calibrate --own --game triple
    """
    from winnable.calibrating import calibrated, known
    from winnable.cli.work import Work

    if own == (file is not None):
        raise WinnableError("calibrate.what", field="file")
    rows, levels = _own(game) if file is None else _tried(file, level_set)
    games = list(dict.fromkeys(named.game.name for named in levels.values()))
    if len(games) > 1:
        raise WinnableError("calibrate.games", field="level", games=games)
    told: dict[str, Known] = {}
    by_id = {named.id: named for named in levels.values()}
    with Work(t("cli.work.calibrating"), len(by_id)) as work:
        for name, named in by_id.items():
            told[name] = work.search(partial(known, named), seconds)
            if work.interrupted:
                note(t("cli.interrupted.far"))
                return 3
            work.advance(name)
    found = calibrated(rows, {text: told[named.id] for text, named in levels.items()}, games[0], seed)
    if as_json:
        emit_json(found)
    else:
        _tell(found)
    return 0


def _tried(file: str, level_set: str | None) -> tuple[Sequence[Row], Mapping[str, NamedLevel]]:
    """The rows, and the levels that they name."""
    from winnable.calibrating import read_rows
    from winnable.cli.levels import load_levels, read_content

    lines = read_rows(read_content(file), file)
    listed = load_levels(level_set) if level_set else []
    by_name = {str(number): named for number, named in enumerate(listed, 1)}
    by_name |= {f"#{number}": named for number, named in by_name.items()}
    by_name |= {named.id: named for named in listed}
    levels = dict[str, "NamedLevel"]()
    for at, row in lines:
        if row.level in levels:
            continue
        try:
            levels[row.level] = by_name.get(row.level) or _level(row.level)
        except WinnableError as error:
            where = f"{file}:{at}: level"
            raise WinnableError("calibrate.set", field=where) if listed else error.within(where) from None
    return [row for _, row in lines], levels


def _level(text: str) -> NamedLevel:
    """A LEVEL; those that ship keep their names. Raises WinnableError."""
    from winnable.cli.levels import file_of, load_level
    from winnable.levels.find import find_named

    return find_named(text) if file_of(text) is None else load_level(text)


def _own(game: str | None) -> tuple[Sequence[Row], Mapping[str, NamedLevel]]:
    """Likewise, of the games of this machine."""
    from winnable.calibrating import is_unchanged, own_rows
    from winnable.cli.users_store import opened_store
    from winnable.store import results
    from winnable.store.database import data_folder

    note(t("cli.calibrate.own", folder=str(data_folder())))
    with opened_store() as store:
        kept = results.every(store)
    played = [one.game for one in kept if one.outcome != "over"]
    game = game and load_game(game).name
    rows = own_rows(kept, game or max(dict.fromkeys(played), key=played.count, default=""))
    levels, passed = dict[str, "NamedLevel"](), list[str]()
    for text in dict.fromkeys(row.level for row in rows):
        try:
            named = _level(text)
        except WinnableError:
            passed.append(text)
            continue
        if is_unchanged(named, (one for one in kept if one.level_id == text)):
            levels[text] = named
        else:
            passed.append(text)
    if passed:
        note(t("cli.calibrate.passed", levels=", ".join(map(short_name, passed))))
    if not levels:
        raise WinnableError("calibrate.own", field="own")
    return [row for row in rows if row.level in levels], levels


def _tell(found: Calibration) -> None:
    grouped = len(found.groups) > 1
    _table(GROUPS, map(_group_cells, found.groups))
    if found.tenfold is None or found.tenfold_high is None:
        say(t("cli.calibrate.flat"))
    if found.tenfold is not None:
        say(t("cli.calibrate.tenfold", points=_end(found.tenfold), low=_end(found.tenfold_low),
              high=_end(found.tenfold_high)))  # fmt: skip
        if found.by_players:
            say(t("cli.calibrate.scale"))
    say(t("cli.calibrate.scatter", times=f"{found.scatter:.1f}"))
    say()
    start = 0 if grouped else 1
    _table(POINTS[start:], (_point_cells(one)[start:] for one in found.curve))
    say()
    timed = any(one.seconds is not None for one in found.features)
    end = None if timed else -1
    _table(FEATURES[:end], (_feature_cells(one)[:end] for one in found.features))
    if found.features:
        say(t("cli.calibrate.about", alike=f"{found.features[0].log_loss_alike:.3f}"))
    say(
        t("cli.calibrate.range", levels=found.levels, low=_end(found.from_figure), high=_end(found.to_figure))
    )
    if found.left_out:
        say(t("cli.calibrate.left_out", levels=", ".join(map(short_name, found.left_out))))


def _table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    print_table([t(f"cli.calibrate.{name}") for name in names], rows)


def _group_cells(one: Group) -> tuple[str, ...]:
    skill = t("cli.calibrate.nowhere") if one.skill is None else _end(one.skill)
    name = one.name or t("cli.calibrate.everybody")
    rate = f"{one.wins / one.tries:.1%}"
    return name, str(one.tries), str(one.wins), rate, skill, f"{_end(one.low)} - {_end(one.high)}"


def _point_cells(one: Point) -> tuple[str, ...]:
    seen = f"{one.wins / one.tries:.1%}" if one.tries else ""
    interval = f"{one.low:.1%} - {one.high:.1%}"
    return one.group, _end(one.figure), f"{one.rate:.1%}", interval, str(one.levels), str(one.tries), seen


def _feature_cells(one: Feature) -> tuple[str, ...]:
    return (
        one.name, str(one.levels), f"{one.ranks:.2f}", f"{one.ranks_low:.2f} - {one.ranks_high:.2f}",
        f"{one.explained:.1%}", f"{one.explained_low:.1%} - {one.explained_high:.1%}", f"{one.log_loss:.3f}",
        t("cli.calibrate.yes" if one.tells else "cli.calibrate.no"),
        "" if one.seconds is None else f"{one.seconds:.2f}",
    )  # fmt: skip


def _end(value: float | None) -> str:
    if value is None:
        return t("cli.calibrate.open")
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.1f}"
