"""What tetris hands to the shells. Nothing that compiles is imported before it is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path

from winnable.game import Game
from winnable.games.tetris import generator, players, svg, text
from winnable.games.tetris.level import Level
from winnable.games.tetris.rules import SeededTetris
from winnable.tuning.tunable import Tunable


def _tunable(name: str) -> Tunable:
    made: Tunable = import_module("winnable.games.tetris.seed_tuning").TUNABLES[name]
    return made


def _warm() -> None:
    for module in ("herd", "seed_tuning"):
        import_module(f"winnable.games.tetris.{module}").warm()


TUNABLES: Mapping[str, Callable[[], Tunable]] = {
    name: partial(_tunable, name) for name in ("seed-mean", "seed-min")
}

GAME = Game(
    name="tetris",
    level_type=Level,
    params_type=generator.Params,
    puzzle=SeededTetris,
    generate=generator.generate,
    parse_board=text.parse_board,
    format_board=text.format_board,
    render=text.render,
    facts=text.facts,
    svg=svg.svg,
    solvers={},
    players=players.PLAYERS,
    tunables=TUNABLES,
    daily=generator.Params(),
    levels=Path(__file__).parent / "levels",
    warm=_warm,
)
