"""A pack of levels as people review it, in Markdown: what is wrong, how hard it gets, what is twice there,
what the game says of each level, and what changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from winnable.batches.reports import finding, rule_of
from winnable.batches.revisions import Change, counted
from winnable.contract.errors import printable
from winnable.contract.registry import GAMES, titles
from winnable.levels.checking import Checked
from winnable.words import has, language, t

BARS = "▁▂▃▄▅▆▇█"
MOST_BARS = 100
MOST_ROWS = 1000
"""Of a table or a list: what shows Markdown shows no more, and nobody reads it."""
_MARKUP = str.maketrans({"|": "&#124;", **{mark: f"\\{mark}" for mark in "\\`*_[]<>&~$"}})


def markdown(
    rows: Sequence[Checked], left: Sequence[str] = (), changes: Sequence[Change] | None = None
) -> bytes:
    """left: sources of levels that were not checked. changes: since another revision; None: there is none"""
    lines = [f"# {t('report.title', fine=sum(row.ok for row in rows), all=len(rows))}", ""]
    if left:
        lines += [f"**{t('report.left')}: {len(left)}**", ""]
    wrong = [row for row in rows if rule_of(row) not in (None, "like")]
    lines += _listed("wrong", [f"{_code(row.source)}: {_text(finding(row))}" for row in wrong])
    if changes is not None:
        lines += _changed(changes)
    twins = [row for row in rows if row.same_as or row.twin_of]
    lines += _listed("twins", [f"{_code(row.source)}: {_text(_like(row))}" for row in twins])
    for game in dict.fromkeys(row.game for row in rows if row.game):
        lines += _game(game, [row for row in rows if row.game == game])
    return "\n".join(lines).encode()


def fact_said(key: str, value: object) -> str:
    """What a game says of a level, in the reader's language as far as it has words for it."""
    if has(f"fact.{key}"):
        words = [t(word) if has(word := f"fact.word.{part}") else part for part in str(value).split(", ")]
        return t(f"fact.{key}", value=", ".join(words))
    return f"{value} {key}" if isinstance(value, int) else f"{key} {value}"


def rating_said(row: Checked) -> str:
    """The figure, with its interval where it has one."""
    if row.rating is None:
        return ""
    ends = ("" if end is None else f"{end:.0f}" for end in (row.rating_low, row.rating_high))
    interval = " - ".join(ends).strip()
    return f"{row.rating:.1f}" + (f" ({interval})" if interval != "-" else "")


def curve(figures: Sequence[float | None]) -> str:
    """A bar for each figure, from the least of them to the most, or for the mean of as many as share one; a
    dot where there is none."""
    step = -(-len(figures) // MOST_BARS) or 1
    shared = [
        [one for one in figures[at : at + step] if one is not None] for at in range(0, len(figures), step)
    ]
    means = [sum(some) / len(some) if some else None for some in shared]
    known = [mean for mean in means if mean is not None]
    least, most = min(known, default=0), max(known, default=0)
    wide = most - least or 1
    return "".join("·" if mean is None else BARS[round(7 * (mean - least) / wide)] for mean in means)


def _game(game: str, rows: Sequence[Checked]) -> Iterator[str]:
    yield from (f"## {_text(titles(game)[language()] if game in GAMES else game)}", "")
    rated = [row.rating for row in rows]
    if known := [figure for figure in rated if figure is not None]:
        words = Counter(row.word for row in rows if row.word)
        told = t("list.comma").join(f"{t(f'fact.word.{word}')} {count}" for word, count in words.items())
        yield f"{t('report.curve', low=f'{min(known):.1f}', high=f'{max(known):.1f}')} `{curve(rated)}`"
        yield from ("", told, "")
    lucks = [row.luck for row in rows]
    if shares := [share for share in lucks if share is not None]:
        yield t("report.luck", low=f"{min(shares):.0%}", high=f"{max(shares):.0%}") + f" `{curve(lucks)}`"
        yield ""
    columns = ["level", "verdict", "cost", "bound", "difficulty", *(["luck"] if shares else []), "facts"]
    yield _row([t(f"report.column.{column}") for column in columns])
    yield f"|---|---|{'--:|' * (len(columns) - 3)}---|"
    yield from (_row(_cells(row, bool(shares))) for row in rows[:MOST_ROWS])
    yield from ("", *_more(len(rows)))


def _cells(row: Checked, with_luck: bool) -> Iterator[str]:
    yield _code(row.source)
    if row.ok:
        yield t(f"cli.check.verdict.{row.verdict}") if row.verdict else t("report.valid")
    else:
        yield f"**{t('report.refused')}**"
    yield from ("" if figure is None else str(figure) for figure in (row.cost, row.lower_bound))
    yield rating_said(row)
    if with_luck:
        yield "" if row.luck is None else f"{row.luck:.0%}"
    facts = ((key, value) for key, value in row.facts.items() if value != 0 and key != "difficulty")
    yield _text(t("list.comma").join(fact_said(key, value) for key, value in facts))


def _changed(changes: Sequence[Change]) -> list[str]:
    counts = t("list.comma").join(f"{t(f'report.{name}')} {n}" for name, n in counted(changes).items())
    found = [f"{_code(change.source)}: {_text(said)}" for change in changes if (said := change.said())]
    return [f"## {t('report.changes')}", "", counts, "", *_items(found)]


def _like(row: Checked) -> str:
    if row.same_as is not None:
        return t("cli.check.same", source=row.same_as)
    return t("cli.check.twin", source=row.twin_of)


def _listed(what: str, items: Sequence[str]) -> list[str]:
    return [f"## {t(f'report.{what}')}", "", *_items(items)] if items else []


def _items(items: Sequence[str]) -> list[str]:
    lines = [f"- {item}" for item in items[:MOST_ROWS]]
    return [*lines, *([""] if lines else []), *_more(len(items))]


def _more(count: int) -> list[str]:
    return [t("report.more", n=count - MOST_ROWS), ""] if count > MOST_ROWS else []


def _row(cells: Sequence[str] | Iterator[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _code(text: str) -> str:
    return f"<code>{_text(text)}</code>"


def _text(text: str) -> str:
    """As it is, without any markup or control character."""
    return printable(" ".join(text.split())).translate(_MARKUP)
