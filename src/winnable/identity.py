"""A level's identity: `GAME:key=value,...#SEED`, which the game's generator turns into the level again."""

from __future__ import annotations

import hashlib
from datetime import date
from typing import Any, NamedTuple

import msgspec

from winnable.core import MAX_SEED, LevelError
from winnable.game import Game
from winnable.provenance import unchecked_replace
from winnable.registry import GAMES, load_game


class Identity(NamedTuple):
    game: Game
    params: Any
    seed: int

    def __str__(self) -> str:
        """The shortest text for it: parameters at their default are left out."""
        given: dict[str, Any] = msgspec.to_builtins(self.params)
        default: dict[str, Any] = msgspec.to_builtins(self.game.params_type())
        text = ",".join(f"{key}={value}" for key, value in given.items() if value != default[key])
        return f"{self.game.name}:{text}#{self.seed}"


def is_identity(text: str) -> bool:
    """Whether it is meant as one; it may still be wrong."""
    return text.partition(":")[0] in GAMES and ":" in text


def parse_identity(text: str) -> Identity:
    """`GAME:daily` is today's level. Raises LevelError that names the parameter."""
    name, _, rest = text.partition(":")
    params_text, hash_mark, seed_text = rest.partition("#")
    game = load_game(name)
    if rest == "daily":
        return daily(game)
    if not hash_mark:
        raise LevelError(f"seed: {text[:80]!r} lacks its seed; write {name}:{params_text[:60]}#1")
    return Identity(game, parse_params(game, params_text), parse_seed(seed_text))


def daily(game: Game) -> Identity:
    """The same level for everyone on one day: the date is the seed."""
    return Identity(game, game.daily, int(f"{date.today():%Y%m%d}"))


def parse_params(game: Game, text: str) -> Any:
    """`key=value,key=value` -> the game's parameters. Raises LevelError."""
    values: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise LevelError(f"params: {part[:40]!r} is not of the form key=value")
        if key in values:
            raise LevelError(f"params: {key} is given twice")
        values[key] = value
    return make_params(game, values)


def make_params(game: Game, values: dict[str, Any]) -> Any:
    """The game's parameters; what is missing takes its default. Raises LevelError."""
    known: tuple[str, ...] = game.params_type.__struct_fields__
    for key in values:
        if key not in known:
            raise LevelError(f"params: {game.name} has no {key[:40]!r}; there are: {', '.join(known)}")
    try:
        return msgspec.convert(values, game.params_type, strict=False)
    except msgspec.ValidationError as error:
        raise LevelError(f"params: {error}") from None


def parse_seed(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 16 and int(text) <= MAX_SEED):
        raise LevelError(f"seed: {text[:40]!r} is not a whole number from 0 to 2^53 - 1")
    return int(text)


def content_id(game: Game, level: Any) -> str:
    """`GAME@hash` of what is played: the same however the level is titled, made or certified."""
    played = unchecked_replace(level, title={}, provenance=None, certificate=None)
    digest = hashlib.sha256(msgspec.json.encode(played, order="sorted")).hexdigest()
    return f"{game.name}@{digest[:16]}"


def picture_id(game: Game, level: Any) -> str:
    """The same for levels that look alike to a person (see `Game.picture`)."""
    return content_id(game, level) if game.picture is None else game.picture(level)
