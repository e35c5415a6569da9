"""How our figures of levels stand to the tries of people: rows of tries in, a curve to pass rates out, and
which features predict levels left out."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from math import isfinite, log
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from winnable.analysis.rating import SEED, rating_of
from winnable.contract.abilities import Rates
from winnable.contract.core import Budget, LevelError, Search, WinnableError, collected
from winnable.inert.arrays import F64, np
from winnable.levels.files import NamedLevel, convert, decode, plain
from winnable.levels.identity import content_id
from winnable.play.played import first_ends
from winnable.stats.calibration import Curve, Estimate, Predicting, Tries, predicting
from winnable.stats.ranks import rank_correlation
from winnable.store.results import Result

MOST_ROWS = 100_000
LEAST_LEVELS = 3
FIGURE = "difficulty"
"""Our own, among the features: what the page, `check --rate` and the tables say."""
LUCK = "share of luck"
"""Of ratings that are from games of players alone."""
STEPS = 8
"""Points of the curve, one more with both ends."""


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """Tries of one level. seconds: of one of them, on the mean; group: who they are, with their own skill"""

    level: Annotated[str, Meta(min_length=1)]
    tries: Annotated[int, Meta(ge=1, le=10**9)]
    wins: Annotated[int, Meta(ge=0)]
    seconds: Annotated[float, Meta(ge=0)] | None = None
    group: str = ""


class Known(Struct, frozen=True):
    """A level that was tried. features: those of FIGURE's kind, by name"""

    id: str
    features: dict[str, float]


class Group(Struct, frozen=True):
    """skill: the figure of a level of which it wins half of its tries; None where that is nowhere"""

    name: str
    tries: int
    wins: int
    skill: float | None
    low: float | None
    high: float | None


class Point(Struct, frozen=True):
    """The curve of a group at a figure: the rate that is expected there with its interval, and what came
    about on levels that lie nearer to this point than to the next."""

    group: str
    figure: float
    rate: float
    low: float
    high: float
    levels: int
    tries: int
    wins: int


class Feature(Struct, frozen=True):
    """See `winnable.stats.calibration.Predicting`; ends of intervals of 95 %. seconds: the correlation of
    ranks with the seconds of a try; None where they are not known."""

    name: str
    levels: int
    ranks: float
    ranks_low: float
    ranks_high: float
    explained: float
    explained_low: float
    explained_high: float
    log_loss: float
    log_loss_alike: float
    tells: bool
    seconds: float | None


class Calibration(Struct, frozen=True):
    """levels, from_figure, to_figure: that were tried, and the figures that they have: beyond these nothing
    was seen. left_out: of which there is no figure. tenfold: by how much harder a level is at which the odds
    to win are a tenth; None where the likeliest curve does not fall, an end where the slope may be 0.
    scatter: how many times as much as by chance alone levels lie beside the curve. by_players: whether the
    figures are points of skill, by which 400 make the odds a tenth."""

    game: str
    levels: int
    left_out: list[str]
    from_figure: float
    to_figure: float
    tenfold: float | None
    tenfold_low: float | None
    tenfold_high: float | None
    scatter: float
    by_players: bool
    groups: list[Group]
    curve: list[Point]
    features: list[Feature]


def read_rows(content: bytes, name: str) -> list[tuple[int, Row]]:
    """CSV with a head, or JSONL; each row behind its line. Raises LevelError that names the line and the
    field."""
    text = plain(content)
    lines = _objects(text, name) if text.lstrip()[:1] == b"{" else _records(text, name)
    rows = list[tuple[int, Row]]()
    for at, values in lines:
        row: Row = convert(values, Row, f"{name}:{at}")
        if row.wins > row.tries:
            raise LevelError("calibrate.wins", field=f"{name}:{at}: wins", wins=row.wins, tries=row.tries)
        rows.append((at, row))
        if len(rows) > MOST_ROWS:
            raise LevelError("calibrate.rows", field=name, most=MOST_ROWS)
    if not rows:
        raise LevelError("calibrate.none", field=name)
    return rows


def _objects(text: bytes, name: str) -> Iterator[tuple[int, Any]]:
    for at, line in enumerate(text.splitlines(), 1):
        if line.strip():
            yield at, decode(line, dict[str, Any], f"{name}:{at}")


def _records(text: bytes, name: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Cells that are empty are not given; so are those of a column without a head."""
    try:
        reader = csv.DictReader(StringIO(text.decode()), restkey="", strict=True)
        for record in reader:
            given = {key.strip(): cell.strip() for key, cell in record.items() if key and cell}
            yield reader.line_num, {key: cell for key, cell in given.items() if cell}
    except (UnicodeDecodeError, csv.Error) as error:
        raise LevelError("calibrate.csv", field=name, reason=str(error)) from None


def own_rows(results: Iterable[Result], game: str) -> list[Row]:
    """One's own games in the store: the first end of each, without help. What was begun and never ended is
    not kept there, so that rates are rather too high."""
    mine = first_ends(one for one in results if one.game == game and one.outcome != "over")
    alone = [one for one in mine if not one.helped]
    return [Row(one.level_id, 1, int(one.outcome == "won"), one.seconds) for one in alone]


def known(named: NamedLevel, whole: Budget) -> Search[Known]:
    """All that we tell of the level in numbers, as far as the budget allows. Raises WinnableError."""
    game, features = named.game, dict[str, float]()
    rating = yield from rating_of(named, whole.part(1 / 3))
    if rating is not None:
        features[FIGURE] = rating.figure
        features |= {} if rating.luck is None else {LUCK: rating.luck}
    features |= _numbers("", game.facts(named.level, whole.part(1 / 2)))
    if isinstance(game, Rates):
        for figure in (yield from collected(game.measure(named.level, whole, SEED))):
            features |= _numbers(figure.name, msgspec.to_builtins(figure.value))
    return Known(named.id, features)


def _numbers(name: str, value: Any) -> dict[str, float]:
    """Of a value those that are numbers, and of a mapping those in it."""
    if isinstance(value, Mapping):
        parts = [_numbers(f"{name}.{key}" if name else str(key), part) for key, part in value.items()]  # type: ignore[reportUnknownVariableType]
        return {key: number for part in parts for key, number in part.items()}
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    return {name: float(value)} if is_number else {}


def calibrated(rows: Sequence[Row], levels: Mapping[str, Known], game: str, seed: int) -> Calibration:
    """levels: by the text of the rows; several texts may mean one level. Raises WinnableError where there are
    too few levels, or nobody's skill is bounded."""
    told = {one.id: one for one in levels.values() if FIGURE in one.features}
    left_out = sorted({one.id for one in levels.values()} - told.keys())
    used = [row for row in rows if levels[row.level].id in told]
    names = list(dict.fromkeys(row.group for row in used))
    sums = dict[str, tuple[int, int]]()
    for name in names:
        mine = [row for row in used if row.group == name]
        sums[name] = sum(row.tries for row in mine), sum(row.wins for row in mine)
    telling = [name for name in names if 0 < sums[name][1] < sums[name][0]]
    if used and not telling:
        raise WinnableError("calibrate.all", field="wins")
    used = [row for row in used if row.group in telling]
    ids = list(dict.fromkeys(levels[row.level].id for row in used))
    figures = np.array([told[one].features[FIGURE] for one in ids], np.float64)
    if len(ids) < LEAST_LEVELS or not np.ptp(figures):
        raise WinnableError("calibrate.few", field="level", levels=len(ids), least=LEAST_LEVELS)
    tries = _summed(used, [ids.index(levels[row.level].id) for row in used], telling)
    curve = Curve(tries, figures)
    seconds = _seconds(used, [levels[row.level].id for row in used])
    falls = curve.slope.value > 0
    tenfold = [_tenfold(one) if falls else None for one in curve.slope]
    return Calibration(
        game,
        len(ids),
        left_out,
        float(figures.min()),
        float(figures.max()),
        tenfold[0],
        tenfold[2],
        tenfold[1],
        curve.scatter,
        any(LUCK in told[one].features for one in ids),
        [_group(name, *sums[name], curve, telling) for name in names],
        [
            point
            for number, name in enumerate(telling)
            for point in _points(name, number, curve, tries, figures)
        ],
        [*_features(tries, ids, told, seconds, seed)],
    )


def _tenfold(slope: float | None) -> float | None:
    return log(10) / slope if slope is not None and slope > 0 else None


def _summed(used: Sequence[Row], places: Sequence[int], groups: Sequence[str]) -> Tries:
    """A row for each level and group."""
    cells = dict[tuple[int, int], list[int]]()
    for row, place in zip(used, places, strict=True):
        cell = cells.setdefault((place, groups.index(row.group)), [0, 0])
        cell[0], cell[1] = cell[0] + row.tries, cell[1] + row.wins
    table = np.array([(*key, *cell) for key, cell in sorted(cells.items())], np.int64)
    return Tries(*table.T)


def _seconds(used: Sequence[Row], ids: Sequence[str]) -> dict[str, float]:
    """The mean of each level's tries whose seconds are known."""
    sums = dict[str, list[float]]()
    for row, level in zip(used, ids, strict=True):
        if row.seconds is not None:
            cell = sums.setdefault(level, [0, 0])
            cell[0], cell[1] = cell[0] + row.seconds * row.tries, cell[1] + row.tries
    return {level: total / tries for level, (total, tries) in sums.items()}


def _group(name: str, tries: int, wins: int, curve: Curve, telling: Sequence[str]) -> Group:
    if name not in telling:
        return Group(name, tries, wins, None, None, None)
    value, low, high = curve.skill(telling.index(name))
    return Group(name, tries, wins, value if isfinite(value) else None, low, high)


def _points(name: str, number: int, curve: Curve, tries: Tries, figures: F64) -> Iterator[Point]:
    least, most = float(figures.min()), float(figures.max())
    grid = [least + (most - least) * step / STEPS for step in range(STEPS + 1)]
    nearest = np.abs(figures[:, None] - np.array(grid)).argmin(axis=1)
    mine = tries.group == number
    for place, figure in enumerate(grid):
        there = mine & (nearest[tries.level] == place)
        rate, low, high = curve.rate(figure, number)
        tried, won = int(tries.tries[there].sum()), int(tries.won[there].sum())
        yield Point(
            name, figure, rate, low or 0.0, 1.0 if high is None else high, int(there.sum()), tried, won
        )


def _features(
    tries: Tries, ids: Sequence[str], told: Mapping[str, Known], seconds: Mapping[str, float], seed: int
) -> Iterator[Feature]:
    """Those that differ, on the levels that have them; ours first, then the best."""
    found = list[Feature]()
    for name in dict.fromkeys(name for one in ids for name in told[one].features):
        having = np.array([name in told[one].features for one in ids])
        some = [one for one in ids if name in told[one].features]
        values = np.array([told[one].features[name] for one in some], np.float64)
        if len(some) < LEAST_LEVELS or not np.ptp(values):
            continue
        part = tries.of(having[tries.level])
        groups = np.unique(part.group, return_inverse=True)[1]
        places = (np.cumsum(having) - 1)[part.level]
        one = predicting(part._replace(level=places, group=groups), values, seed)
        timed = [place for place, level in enumerate(some) if level in seconds]
        slow = np.array([seconds[some[place]] for place in timed], np.float64)
        alike = rank_correlation(values[timed], slow) if len(timed) >= LEAST_LEVELS else None
        found.append(_feature(name, one, alike))
    yield from sorted(found, key=lambda one: (one.name != FIGURE, -one.explained))


def _feature(name: str, found: Predicting, seconds: float | None) -> Feature:
    ranks, explained = _closed(found.ranks), _closed(found.explained)
    losses = found.log_loss, found.log_loss_alike
    return Feature(name, found.levels, *ranks, *explained, *losses, found.tells, seconds)


def _closed(found: Estimate) -> tuple[float, float, float]:
    return found.value, float(found.low or 0), float(found.high or 0)


def is_unchanged(named: NamedLevel, results: Iterable[Result]) -> bool:
    """Whether the level of that name is still the one that was played."""
    content = content_id(named.game, named.level)
    return all(one.content == content for one in results if one.level_id == named.id)
