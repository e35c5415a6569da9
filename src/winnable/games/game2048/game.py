"""What 2048 hands to the shells. Nothing that compiles is imported before it is used."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from pathlib import Path

from msgspec.structs import replace

from winnable.chance import Outlook, Turn
from winnable.core import Budget, WinnableError
from winnable.game import Game
from winnable.games.game2048 import generator, players, svg, text
from winnable.games.game2048.article_player import ARTICLE_PLAYERS
from winnable.games.game2048.level import Level
from winnable.games.game2048.rules import Seeded2048, State
from winnable.tables import Table


def outlook(puzzle: Seeded2048, state: Turn[State], budget: Budget, seed: int) -> Outlook:
    """What each move is worth."""
    seen: Outlook = import_module("winnable.games.game2048.outlook").outlook(puzzle, state, budget, seed)
    return seen


def first(puzzle: Seeded2048, state: Turn[State], budget: Budget, seed: int) -> Outlook:
    """What a random player gets."""
    seen: Outlook = import_module("winnable.games.game2048.first").first_outlook(puzzle, state, budget, seed)
    return seen


def _tables() -> tuple[Table, ...]:
    found: tuple[Table, ...] = import_module("winnable.games.game2048.tables").tables()
    return found


def _network_kernels() -> None:
    """Of the boards that most people play: 4 × 4."""
    from winnable.games.game2048 import expectimax

    expectimax.warm()


def _unpack() -> None:
    from winnable.games.game2048 import expectimax

    with suppress(WinnableError):  # players say what is wrong with it
        expectimax.load(expectimax.network_path())


def _board_kernels() -> None:
    """Of all other boards."""
    from winnable.games.game2048 import exact, rollouts

    exact.warm()
    rollouts.warm()


def _article_kernels() -> None:
    from winnable.games.game2048 import article_games

    article_games.warm()


def _training_kernels() -> None:
    from winnable.games.game2048 import endgame, network_games

    network_games.warm()
    endgame.warm()


def _prefers(level: Level) -> str | None:
    """A game that ends with its goal is the article's."""
    return next(iter(ARTICLE_PLAYERS)) if level.ends else None


GAME = Game(
    name="2048",
    level_type=Level,
    params_type=generator.Params,
    puzzle=Seeded2048,
    generate=generator.generate,
    parse_board=text.parse_board,
    format_board=text.format_board,
    render=text.render,
    facts=lambda level, budget: text.facts(level),
    svg=svg.svg,
    solvers={},
    players=players.PLAYERS,
    with_dice=lambda level, seed: replace(level, dice=seed),
    outlook=outlook,
    first=first,
    weighs_actions=True,
    daily=generator.Params(),
    levels=Path(__file__).parent / "levels",
    cover="a631/5421/3100/1000,dice=1",
    tables=_tables,
    kernels={
        "network": _network_kernels,
        "boards": _board_kernels,
        "article": _article_kernels,
        "training": _training_kernels,
    },
    unpack=_unpack,
    prefers=_prefers,
)
