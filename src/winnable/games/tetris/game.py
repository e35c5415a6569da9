"""What tetris hands to the shells. Nothing that compiles is imported before it is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path

from msgspec.structs import replace

from winnable.chance import Outlook, Turn
from winnable.core import Budget
from winnable.game import Game
from winnable.games.tetris import generator, players, svg, text
from winnable.games.tetris.level import Level
from winnable.games.tetris.rules import SeededTetris, State
from winnable.tuning.tunable import Tunable


def _tunable(module: str, name: str) -> Tunable:
    made: Tunable = import_module(f"winnable.games.tetris.{module}").TUNABLES[name]
    return made


def outlook(puzzle: SeededTetris, state: Turn[State], budget: Budget, seed: int) -> Outlook:
    """How many lines are to come in a published controller's hands."""
    seen: Outlook = import_module("winnable.games.tetris.outlook").outlook(puzzle, state, budget, seed)
    return seen


def _outlook_kernels() -> None:
    from winnable.games.tetris import herd

    herd.warm()


def _ahead_kernels() -> None:
    from winnable.games.tetris import herd

    herd.warm_ahead()


def _article_kernels() -> None:
    from winnable.games.tetris import article_tuning

    article_tuning.warm()


def _arcade_kernels() -> None:
    from winnable.games.tetris.modern import bot

    bot.warm()


def first(puzzle: SeededTetris, state: Turn[State], budget: Budget, seed: int) -> Outlook:
    """What a player gets in the next pieces."""
    seen: Outlook = import_module("winnable.games.tetris.first").first_outlook(puzzle, state, budget, seed)
    return seen


def weigh(puzzle: SeededTetris, state: Turn[State], budget: Budget, seed: int) -> Outlook:
    """Which share of the lines to come is left after each placement."""
    seen: Outlook = import_module("winnable.games.tetris.weighing").weigh(puzzle, state, budget, seed)
    return seen


TUNABLES: Mapping[str, Callable[[], Tunable]] = {
    name: partial(_tunable, module, name)
    for module, name in (
        ("tunables", "features-9"),
        ("tunables", "features-11"),
        ("tunables", "features-50"),
        ("article_tuning", "article-mean"),
        ("article_tuning", "article-min"),
        ("article_hazard", "article-hazard"),
    )
}


def _prefers(level: Level) -> str | None:
    return "article" if level.rules == "article" else None


GAME = Game(
    name="tetris",
    level_type=Level,
    params_type=generator.Params,
    puzzle=SeededTetris,
    generate=generator.generate,
    parse_board=text.parse_board,
    format_board=text.format_board,
    render=text.render,
    facts=lambda level, budget: text.facts(level),
    svg=svg.svg,
    solvers={},
    players=players.PLAYERS,
    with_dice=lambda level, seed: replace(level, dice=seed),
    tunables=TUNABLES,
    outlook=outlook,
    weigh=weigh,
    first=first,
    daily=generator.Params(),
    levels=Path(__file__).parent / "levels",
    cover="x........x/xx...xxxxx/xxxx.xxx.x/xxx.xxxxxx,height=8,dice=1",
    kernels={
        "outlook": _outlook_kernels,
        "ahead": _ahead_kernels,
        "article": _article_kernels,
        "arcade": _arcade_kernels,
    },
    prefers=_prefers,
    stages={name: "tetris/7-the-articles-game" for name in TUNABLES if name.startswith("article")},
)
