"""The rows of `winnable compare`, and the table that it prints of them."""

from __future__ import annotations

from collections.abc import Sequence

from winnable.cli.output import print_table, say
from winnable.comparing import MethodScore, aims, hurry
from winnable.contract.abilities import Solves
from winnable.contract.errors import shortened
from winnable.levels.files import NamedLevel
from winnable.words import t, tn


def tell(rows: Sequence[MethodScore], named: NamedLevel, seconds: float) -> None:
    """The columns that say something about this game."""
    scored, aimed = not isinstance(named.game, Solves), aims(named)
    columns = [("name", [row.name for row in rows])]
    if len({row.level for row in rows}) > 1:
        columns = [("level", [shortened(row.level) for row in rows]), *columns]
    columns += [("games", [str(row.games) for row in rows])]
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
            *_told(rows, "win_rate"),
        ]
    if any(row.mean_completion is not None for row in rows):
        columns += [("completion", [_least(row) + _share(row.mean_completion) for row in rows])]
        columns += _told(rows, "mean_completion")
    measures = dict.fromkeys(row.measure for row in rows if row.measure is not None)
    for measure in measures:
        cells = [_figure(row.mean_best if row.measure == measure else None) for row in rows]
        columns += [(f"best.{measure}", cells)]
    if scored:
        columns += [("score", [_least(row) + _figure(row.mean_score, 1) for row in rows])]
        if any(row.score_low is not None for row in rows):
            columns += [("interval", [_span(row) for row in rows])]
    columns += [
        ("length", [_least(row) + _figure(row.mean_length, 1) for row in rows]),
        *_told(rows, "mean_length"),
        ("mean", [f"{row.mean_seconds:.3f}" for row in rows]),
        *_told(rows, "mean_seconds"),
        ("max", [f"{row.max_seconds:.3f}" for row in rows]),
    ]
    rows_of_cells = zip(*(cells for _, cells in columns), strict=True)
    print_table([_title(name) for name, _ in columns], rows_of_cells)
    say(t("compare.about.scores" if scored else "compare.about"))
    if said := hurry(rows):
        cut, games = sum(row.cut for row in rows), sum(row.games for row in rows if row.cut)
        say(tn(f"compare.{said}", cut, games=games, time=f"{seconds:g}") + t("cli.compare.time"))


def _told(rows: Sequence[MethodScore], name: str) -> list[tuple[str, list[str]]]:
    """The article's figures, where it tells any."""
    say_it = _figure if name in ("mean_length", "mean_seconds") else _share
    told = [say_it(row.article.get(name)) for row in rows]
    return [("article", told)] if any(told) else []


def _title(column: str) -> str:
    kind, _, measure = column.partition(".")
    return t(f"compare.{kind}", measure=t(f"measure.{measure}"))


def _figure(value: float | None, digits: int = 2) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def _least(row: MethodScore) -> str:
    return "≥ " if row.at_least else ""


def _span(row: MethodScore) -> str:
    if row.score_low is None:
        return ""
    return f"{row.score_low:.1f} - " + ("" if row.score_high is None else f"{row.score_high:.1f}")


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}"
