"""The one place that lists the games. A new game is one line here and a folder under `games/`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module

from winnable.core import WinnableError
from winnable.game import Game


@dataclass(frozen=True, slots=True)
class Entry:
    """A game as lists show it, without importing its code."""

    name: str
    title: dict[str, str]
    about: dict[str, str]
    module: str


GAMES: dict[str, Entry] = {
    entry.name: entry
    for entry in (
        Entry(
            "triple",
            {"en": "Triple", "zh-CN": "马了个马"},
            {
                "en": "Layered tile matching: three alike vanish, seven in the tray is the end",
                "zh-CN": "多层三消：三张相同即消除，槽里满七张就输了",
            },
            "winnable.games.triple.game",
        ),
        Entry(
            "drops",
            {"en": "Drops", "zh-CN": "十滴水"},
            {
                "en": "Chain reactions: one drop too many bursts a cell into four",
                "zh-CN": "连锁反应：水满了就会爆，向四周飞溅",
            },
            "winnable.games.drops.game",
        ),
        Entry(
            "tetris",
            {"en": "Tetris", "zh-CN": "俄罗斯方块"},
            {
                "en": "Place falling pieces, clear full rows, last as long as you can",
                "zh-CN": "摆放方块，消除满行，看能坚持多久",
            },
            "winnable.games.tetris.game",
        ),
        Entry(
            "rotate",
            {"en": "Rotate", "zh-CN": "平面魔方"},
            {
                "en": "Turn square blocks until each colour hangs together",
                "zh-CN": "旋转方块，让每种颜色连成一簇",
            },
            "winnable.games.rotate.game",
        ),
        Entry(
            "2048",
            {"en": "2048", "zh-CN": "2048"},
            {
                "en": "Slide equal tiles together, double them, get as far as you can",
                "zh-CN": "滑动并合并相同的数字，看能走多远",
            },
            "winnable.games.game2048.game",
        ),
    )
}


@cache
def load_game(name: str) -> Game:
    """Imports the game. Raises WinnableError for an unknown name."""
    try:
        entry = GAMES[name]
    except KeyError:
        raise WinnableError("game.unknown", field="game", given=name, known=list(GAMES)) from None
    game: Game = import_module(entry.module).GAME
    return game
