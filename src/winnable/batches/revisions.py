"""What changed in a pack of levels, from the check of one revision to that of another."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from posixpath import commonpath, normpath
from typing import Any, NamedTuple, cast

import msgspec

from winnable.batches.files import kept_rows
from winnable.contract.core import LevelError, unreadable
from winnable.contract.errors import printable
from winnable.levels.checking import Checked
from winnable.levels.files import decode
from winnable.words import t

_LINE = re.compile(r"(.*?)([#:][0-9]+)?", re.DOTALL)


class Change(NamedTuple):
    """A level before and after; None: it was not there, or is gone."""

    before: Checked | None
    after: Checked | None

    @property
    def source(self) -> str:
        """Where it is, or was."""
        row = self.after or self.before
        return printable(row.source) if row else ""

    def said(self) -> str:
        """What changed of it, in the reader's language; "": nothing."""
        if self.before is None or self.after is None:
            return t("report.gone" if self.after is None else "report.added")
        return t("list.comma").join(_differences(self.before, self.after))


def read_row(content: bytes) -> dict[str, Any]:
    """A row of a file. Names of files that are no text stand in it as they are in Python, as half a pair of
    UTF-16, which msgspec refuses. Raises LevelError."""
    try:
        return decode(content, dict[str, Any])
    except LevelError:
        with suppress(ValueError, RecursionError):
            if isinstance(row := json.loads(content), dict):
                return cast("dict[str, Any]", row)
        raise


def named_row(content: bytes) -> tuple[str, dict[str, Any]]:
    """With the name of its request; "": it has none. Raises LevelError."""
    row = read_row(content)
    return str(row.get("request", "")), row


def as_checked(row: dict[str, Any]) -> Checked:
    """Raises LevelError for a row of something else."""
    try:
        return msgspec.convert(row, Checked)
    except msgspec.ValidationError as error:
        raise unreadable(error) from None


def named_check(content: bytes) -> tuple[str, Checked]:
    """Likewise, of a check. Raises LevelError for a row of something else."""
    name, row = named_row(content)
    return name, as_checked(row)


def kept_checks(path: Path) -> list[Checked] | None:
    """The rows of a check that wrote them into this file; None: it is no such file. Raises WinnableError for
    a damaged one."""
    rows = list[Checked]()
    for line, content in enumerate(kept_rows(path) if path.is_file() else (), 1):
        try:
            row = read_row(content)
            if line == 1 and not {"source", "ok", "problem"} <= row.keys():
                return None
            rows.append(as_checked(row))
        except LevelError as error:
            if line == 1:
                return None
            raise error.within(f"{str(path)[:200]}:{line}") from None
    return rows or None


def changes(before: Sequence[Checked], after: Sequence[Checked]) -> list[Change]:
    """All levels of both, in the order of `after`, then those that are gone. A level is that which is the
    same, wherever it lies now; else that which lies where it did. Where no name of a file is the same, it is
    that within the folder of all."""
    old, new = [row.source for row in before], [row.source for row in after]
    if not {*old} & {*new}:
        old, new = _shortened(old), _shortened(new)
    paired = dict[int, int]()
    left = {*range(len(before))}

    def pair(old_keys: Iterable[Any], new_keys: Iterable[Any]) -> None:
        known: dict[Any, list[int]] = {}
        for place, key in enumerate(old_keys):
            if place in left and key is not None:
                known.setdefault(key, []).append(place)
        for place, key in enumerate(new_keys):
            if place not in paired and (places := known.get(key)):
                paired[place] = places.pop(0)
                left.discard(paired[place])

    old_ids, new_ids = [row.level_id for row in before], [row.level_id for row in after]
    pair(zip(old, old_ids, strict=True), zip(new, new_ids, strict=True))
    pair(old_ids, new_ids)
    pair(old, new)
    found = [Change(before[paired[n]] if n in paired else None, row) for n, row in enumerate(after)]
    return [*found, *(Change(before[place], None) for place in sorted(left))]


def _shortened(sources: Sequence[str]) -> list[str]:
    parts = [match.groups(default="") for match in map(_LINE.fullmatch, sources) if match]
    paths = [normpath(path) for path, _ in parts]
    try:
        shared = len(commonpath({*paths}))
    except ValueError:  # there are none, or some are absolute
        shared = 0
    return [
        path[shared:].lstrip("/") + line.replace("#", ":")
        for path, (_, line) in zip(paths, parts, strict=True)
    ]


def _differences(before: Checked, after: Checked) -> Iterator[str]:
    if before.level_id != after.level_id:
        yield t("report.changed")
    if before.ok != after.ok:
        yield t("report.mended" if after.ok else "report.broken")
    if before.verdict != after.verdict and before.verdict and after.verdict:
        yield _was("verdict", *(t(f"cli.check.verdict.{row.verdict}") for row in (after, before)))
    if before.cost != after.cost and before.cost is not None and after.cost is not None:
        yield _was("cost", str(after.cost), str(before.cost))
    if before.rating is not None and after.rating is not None:
        harder = after.rating - before.rating
        figure = f"{abs(harder):.{0 if abs(harder) >= 10 else 1}f}"
        if float(figure):
            yield t("report.harder" if harder > 0 else "report.easier", figure=figure)


def _was(what: str, now: str, before: str) -> str:
    return t("report.was", what=t(f"report.column.{what}"), now=now, before=before)


def counted(found: Iterable[Change]) -> Mapping[str, int]:
    """How many were added, are gone, changed, and stayed."""
    counts: dict[str, int] = {"added": 0, "gone": 0, "changed": 0, "stayed": 0}
    for change in found:
        if change.before is None or change.after is None:
            counts["gone" if change.after is None else "added"] += 1
        else:
            counts["changed" if change.said() else "stayed"] += 1
    return counts
