"""JSON Schemas of level files, as editors and other programs take them."""

from __future__ import annotations

from inspect import cleandoc
from typing import Any, cast

import msgspec

from winnable.contract.game import Game

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def level_schema(game: Game) -> dict[str, Any]:
    """Of the game's level files. A level that it allows may still break a rule which no schema can say."""
    found = msgspec.json.schema(game.level_type)
    about = {"$schema": DIALECT, "title": f"{game.name}: a level of winnable"}
    return about | cast("dict[str, Any]", _portable(found))


def _portable(value: Any) -> Any:
    """As JSON reads it, with regular expressions as ECMA-262 has them, which JSON Schema asks for."""
    if isinstance(value, list | tuple):
        return [_portable(one) for one in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    found = {name: _portable(one) for name, one in cast("dict[str, Any]", value).items()}
    if isinstance(pattern := found.get("pattern"), str):
        found["pattern"] = pattern.replace(r"\A", "^").replace(r"\Z", "$")
    if isinstance(about := found.get("description"), str):
        found["description"] = cleandoc(about)
    return found
