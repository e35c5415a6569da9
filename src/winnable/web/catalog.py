"""What the page may choose from: the games with their parameters, players, solvers and shipped levels."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import date
from functools import cache
from threading import Lock
from typing import Any

import msgspec
from msgspec import inspect

from winnable.game import Game
from winnable.identity import Identity
from winnable.library import shipped_levels
from winnable.registry import GAMES, load_game
from winnable.web.protocol import GameInfo, LevelInfo, ParamInfo

log = logging.getLogger("winnable.studio")
_lock = Lock()


def game_infos() -> list[GameInfo]:
    """Of every game that can be imported; slow the first time (it imports them)."""
    with _lock:
        infos = [_describe(name) for name in GAMES]
    today = int(date.today().strftime("%Y%m%d"))
    return [
        msgspec.structs.replace(info, daily=str(Identity(game, game.daily, today)))
        for game, info in filter(None, infos)
    ]


@cache
def _describe(name: str) -> tuple[Game, GameInfo] | None:
    entry = GAMES[name]
    try:
        game = load_game(name)
        levels = [LevelInfo(level_name, dict(level.title)) for level_name, level in shipped_levels(game)]
    except Exception:  # one broken game must not take the others with it
        log.exception("%s cannot be loaded", name)
        return None
    return game, GameInfo(
        name=name,
        title=entry.title,
        about=entry.about,
        params=list(_params(game.params_type)),
        players=list(game.players),
        solvers=list(game.solvers),
        levels=levels,
        daily="",
    )


def _params(params_type: type[Any]) -> Iterator[ParamInfo]:
    described = inspect.type_info(params_type)
    assert isinstance(described, inspect.StructType)
    for field in described.fields:
        kind: Any = field.type.type if isinstance(field.type, inspect.Metadata) else field.type
        if isinstance(kind, inspect.IntType):
            low = kind.ge if kind.ge is not None or kind.gt is None else kind.gt + 1
            high = kind.le if kind.le is not None or kind.lt is None else kind.lt - 1
            yield ParamInfo(field.name, field.default, low, high)
        elif isinstance(kind, inspect.LiteralType):
            yield ParamInfo(field.name, field.default, choices=[str(choice) for choice in kind.values])
        else:
            yield ParamInfo(field.name, str(field.default))
