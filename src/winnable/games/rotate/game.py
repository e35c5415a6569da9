"""What rotate hands to the shells. Nothing that compiles is imported before it is used."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from winnable.core import Budget, Solver, SolveResult
from winnable.game import Format, Game
from winnable.games.rotate import files, generator, players, svg, symmetry, text
from winnable.games.rotate.level import Level
from winnable.games.rotate.rules import Rotate


def _solver(module: str, name: str) -> Solver:
    def solve(puzzle: Any, state: Any, budget: Budget, seed: int) -> SolveResult:
        function: Solver = getattr(import_module(f"winnable.games.rotate.{module}"), name)
        return function(puzzle, state, budget, seed)

    return solve


def _warm() -> None:
    for module in ("exact", "beam"):
        import_module(f"winnable.games.rotate.{module}").warm()


def facts(level: Level) -> dict[str, Any]:
    """How large it is and how hard."""
    return text.facts(level) | import_module("winnable.games.rotate.difficulty").facts(level)


GAME = Game(
    name="rotate",
    level_type=Level,
    params_type=generator.Params,
    puzzle=Rotate,
    generate=generator.generate,
    parse_board=text.parse_board,
    format_board=text.format_board,
    render=text.render,
    facts=facts,
    picture=symmetry.picture,
    svg=svg.svg,
    solvers={
        "optimal": _solver("exact", "solve_optimal"),
        "beam": _solver("solver", "solve_beam"),
        "constructive": _solver("solver", "solve_constructive"),
        "genetic": _solver("seed_solver", "solve_genetic"),
        "improved-genetic": _solver("seed_solver", "solve_improved_genetic"),
        "pruned-search": _solver("seed_solver", "solve_pruned_search"),
    },
    proves_fewest=True,
    players=players.PLAYERS,
    notations={"side": Rotate.action_name, "radius": Rotate.radius_name},
    formats={
        "procon20": Format(
            "procon20",
            "Kosen Procon 20 (2009): size and colours, then the rows, as text",
            files.read_procon20,
            files.write_procon20,
        ),
        "procon36": Format(
            "procon36",
            "Kosen Procon 36 (2025): a match of its server, pairs of labels (JSON)",
            files.read_procon36,
            files.write_procon36,
        ),
    },
    warm=_warm,
    daily=generator.Params(),
    levels=Path(__file__).parent / "levels",
)
