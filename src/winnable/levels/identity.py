"""A level's identity: `GAME:key=value,...#SEED`, which the game's generator turns into the level again."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, NamedTuple

import msgspec

from winnable.contract import clock
from winnable.contract.abilities import SetsTasks
from winnable.contract.arguments import MAX_SEED
from winnable.contract.core import LevelError
from winnable.contract.game import Game
from winnable.contract.params import make_params, pairs_text, shortest, split_pairs
from winnable.contract.provenance import unchecked_replace
from winnable.contract.registry import GAMES, load_game

MAKING_SECONDS = 60.0
"""For the level of an identity, where nobody says how long it may take."""
CHEATED = "+"
"""Ends the id of a level that was made easier."""


class Identity(NamedTuple):
    game: Game
    params: Any
    seed: int

    def __str__(self) -> str:
        """The shortest text for it: parameters at their default are left out."""
        return f"{self.game.name}:{shortest(self.params)}#{self.seed}"


def is_identity(text: str) -> bool:
    """Whether it is meant as one; it may still be wrong."""
    return text.partition(":")[0] in GAMES and ":" in text


def parse_identity(text: str) -> Identity:
    """`GAME:daily` is the level of today, `GAME:daily#20261127` of that day. Raises LevelError that names the
    parameter."""
    name, _, rest = text.partition(":")
    params_text, hash_mark, seed_text = rest.partition("#")
    game = load_game(name)
    if rest == "daily":
        return daily(game)
    if not hash_mark:
        raise LevelError("seed.lacks", field="seed", given=text[:80], name=name, params=params_text[:60])
    if params_text == "daily":
        if (day := _day(seed_text)) is None:
            raise LevelError("daily.day", field="seed", given=seed_text[:40])
        return daily(game, day)
    return Identity(game, parse_params(game, params_text), parse_seed(seed_text))


def hint(text: str) -> str | None:
    """What was meant by a level's identity without its colon, as `drops#3`."""
    name, mark, rest = text.partition("#")
    return f"{name}:#{rest}" if mark and name in GAMES else None


def daily(game: Game, day: date | None = None) -> Identity:
    """The same level for everyone on one day, today unless told otherwise: the date is the seed."""
    return Identity(game, game.daily, int(f"{day or clock.today():%Y%m%d}"))


def day_of(game: Game, level_id: str) -> date | None:
    """The day whose daily level this is; None: it is none, as one that was made easier is none."""
    made, _, seed = level_id.partition("#")
    return _day(seed) if made == f"{game.name}:{shortest(game.daily)}" else None


def _day(text: str) -> date | None:
    """yyyymmdd"""
    if not (len(text) == len("yyyymmdd") and text.isascii() and text.isdigit()):
        return None
    try:
        return datetime.strptime(text, "%Y%m%d").date()
    except ValueError:
        return None


def parse_params(game: Game, params: str | Mapping[str, Any]) -> Any:
    """`key=value,key=value`, or a mapping -> the game's parameters. Raises LevelError."""
    return make_params(game.params_type, split_pairs(pairs_text(params), game.name), game.name)


def parse_seed(text: str) -> int:
    """The seed in decimal digits. Raises LevelError."""
    if not (text.isascii() and text.isdigit() and len(text) <= 16 and int(text) <= MAX_SEED):
        raise LevelError("seed.whole", field="seed", given=text[:40])
    return int(text)


def content_id(game: Game, level: Any) -> str:
    """`GAME@hash` of what is played: the same however the level is described, titled, made or
    certified."""
    # The levels of another package's game need not name their schema.
    schema: dict[str, Any] = {"schema": None} if hasattr(level, "schema") else {}
    played = unchecked_replace(level, title={}, provenance=None, certificate=None, **schema)
    digest = hashlib.sha256(msgspec.json.encode(played, order="sorted")).hexdigest()
    return f"{game.name}@{digest[:16]}"


def picture_id(game: Game, level: Any) -> str:
    """The same for levels that look alike to a person (see `SetsTasks`)."""
    return (isinstance(game, SetsTasks) and game.picture(level)) or content_id(game, level)
