"""Rows as a table in another file: CSV, or Parquet where pyarrow is."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from winnable.contract.errors import WinnableError
from winnable.levels.files import write_file

SUFFIXES = (".csv", ".parquet")
_FORMULAS = {"=", "+", "-", "@", "\t", "\r"}


def table_at(path: Path) -> Path | None:
    """The path, where a table is wanted by its name. Raises WinnableError where it cannot be written."""
    if path.suffix not in SUFFIXES:
        return None
    if path.suffix == ".parquet":
        _pyarrow()
    return path


def write_table(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """A column for each field that any row has, as the file's name ends; a field of a field is `outer.inner`,
    what is a list is JSON. Raises WinnableError."""
    if path.suffix == ".csv":
        write_file(path, csv_of(rows))
    else:
        names, flat = _table(rows)
        write_file(path, _parquet({name: [row.get(name) for row in flat] for name in names}))


def csv_of(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """The same table as CSV."""
    names, flat = _table(rows)
    text = io.StringIO(newline="")
    table = csv.DictWriter(text, names, lineterminator="\n")
    table.writeheader()
    table.writerows({name: _harmless(value) for name, value in row.items()} for row in flat)
    return text.getvalue().encode("utf-8", "surrogateescape")


def _table(rows: Iterable[Mapping[str, Any]]) -> tuple[list[str], list[dict[str, Any]]]:
    flat = [_flat(row) for row in rows]
    return list(dict.fromkeys(name for row in flat for name in row)), flat


def _flat(row: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, dict):
            found |= _flat(value, f"{before}{name}.")  # pyright: ignore[reportUnknownArgumentType]
        elif isinstance(value, list | tuple):
            found[before + name] = msgspec.json.encode(value).decode()
        else:
            found[before + name] = value
    return found


def _harmless(value: Any) -> Any:
    """Text that a spreadsheet would take for a formula stands behind an apostrophe (OWASP, CSV Injection)."""
    return f"'{value}" if isinstance(value, str) and value[:1] in _FORMULAS else value


def _parquet(columns: Mapping[str, Sequence[Any]]) -> bytes:
    arrow, parquet = _pyarrow()
    file = io.BytesIO()
    try:
        parquet.write_table(arrow.table(columns), file)
    except (arrow.ArrowException, TypeError) as error:
        raise WinnableError("table.mixed", field="output", reason=str(error)) from None
    return file.getvalue()


def _pyarrow() -> tuple[Any, Any]:
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise WinnableError("table.parquet", field="output", reason=str(error)) from None
