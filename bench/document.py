"""Rows of a benchmark as a document in Markdown: named `SECTION: ITEM: COLUMN`, they make a table for each
section, with a line for each item."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bench.report import Row


def document(command: str, rows: Iterable[Row], sections: Mapping[str, str]) -> str:
    """command:  what makes the document again
    sections: what stands above the table of each, its heading included, in their order; one without rows is
              left out
    """
    tables: dict[str, dict[str, dict[str, Row]]] = {section: {} for section in sections}
    for row in rows:
        section, item, column = row.name.split(": ", 2)
        tables[section].setdefault(item, {})[column] = row
    parts = [f"<!-- Made by `{command}`: not to be edited. -->"]
    for section, text in sections.items():
        if tables[section]:
            parts += [text.strip(), "\n".join(_lines(tables[section]))]
    return "\n\n".join(parts) + "\n"


def _lines(items: Mapping[str, Mapping[str, Row]]) -> Iterable[str]:
    columns = list(dict.fromkeys(column for cells in items.values() for column in cells))
    yield f"| | {' | '.join(columns)} |"
    yield "|---" * (len(columns) + 1) + "|"
    for item, cells in items.items():
        shown = [_cell(cells[column]) if column in cells else "" for column in columns]
        yield f"| {item} | {' | '.join(shown)} |"


def _cell(row: Row) -> str:
    sampled = row.ci_low is not None and row.ci_high is not None
    share = not row.unit and sampled
    text = _figure(row.value, share)
    if row.ci_low is not None and row.ci_high is not None:
        text += f" ({_figure(row.ci_low, share)} - {_figure(row.ci_high, share)})"
    return f"{text} {'%' if share else row.unit}".rstrip()


def _figure(value: float, share: bool) -> str:
    if share:
        return f"{100 * value:.1f}"
    return f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.3g}"
