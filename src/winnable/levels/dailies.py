"""Daily levels that were made ahead, for games whose generator has to prove something: today's opens at once,
also where nothing is compiled yet. They are what `game.generate` makes; other days are left to it."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import Raw, Struct

from winnable.contract.core import WinnableError
from winnable.contract.provenance import Provenance, unchecked_replace
from winnable.levels.files import decode, read_beside
from winnable.levels.identity import Identity

FILE = "dailies.json"
"""In the game's folder, as `scripts/make_dailies.py` writes it."""

log = logging.getLogger("winnable")


class Dailies(Struct, frozen=True):
    """provenance: of all levels, but for the seed; levels: by their seeds, without provenance"""

    provenance: Provenance
    levels: Mapping[str, Raw]


def made_ahead(identity: Identity) -> Any | None:
    """The level, where it is a daily one and there."""
    game, params, seed = identity
    kept = _dailies(game.name) if params == game.daily else None
    if kept is None or (content := kept.levels.get(str(seed))) is None:
        return None
    try:
        level = decode(bytes(content), game.level_type, str(seed))
    except WinnableError as error:
        log.error("%s", error)
        return None
    return unchecked_replace(level, provenance=msgspec.structs.replace(kept.provenance, seed=seed))


@cache
def _dailies(game: str) -> Dailies | None:
    return read_beside(game, FILE, Dailies)
