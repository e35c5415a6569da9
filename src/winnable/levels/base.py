"""What the levels of all games have alike."""

from __future__ import annotations

import sys
from collections.abc import Sequence, Sized
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import asdict

from winnable.contract.core import LevelError
from winnable.contract.provenance import Certificate, Provenance, Text


class BaseLevel(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="format"
):
    """An immutable instance, which level files hold as it is. A game's own is tagged `winnable.GAME/1`."""

    schema: Annotated[str, Meta(max_length=2000)] | None = field(name="$schema", default=None)
    """Where the file's JSON Schema lies, for editors: nothing here reads it."""
    title: dict[Literal["en", "zh-CN"], Text] = {}
    provenance: Provenance | None = None
    certificate: Certificate | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), asdict(self))


def _again(kind: type[BaseLevel], values: dict[str, Any]) -> BaseLevel:
    """A level out of a pickle. A field at its default is left out of files, and is known there by being the
    same object: a text that came along is equal only."""
    for name, value in values.items():
        values[name] = sys.intern(value) if type(value) is str else value
    return kind(**values)


def check_widths(board: Sequence[Sized]) -> None:
    """All rows are as wide as the first. Raises LevelError that names the one that is not."""
    width = len(board[0])
    for index, row in enumerate(board):
        if len(row) != width:
            raise LevelError("row.cells", field=f"board[{index}]", given=len(row), width=width)
