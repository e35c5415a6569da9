"""What rotate hands to the shells. Nothing that compiles is imported before it is used."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from winnable.core import Budget
from winnable.game import Format, Game, lazy_solver
from winnable.games.rotate import article_settings, files, generator, players, svg, symmetry, text
from winnable.games.rotate.level import Level
from winnable.games.rotate.rules import Rotate

ARTICLE = "winnable.games.rotate.article_solver"


def _solver_kernels() -> None:
    from winnable.games.rotate import exact

    exact.warm()


def _other_kernels() -> None:
    """Of boards of pairs, and of the construction."""
    from winnable.games.rotate import solver

    solver.warm()


def _article_kernels() -> None:
    from winnable.games.rotate import article_solver

    article_solver.warm()


def facts(level: Level, budget: Budget) -> dict[str, Any]:
    """How large it is and how hard."""
    return text.facts(level) | import_module("winnable.games.rotate.difficulty").facts(level, budget)


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
        "optimal": lazy_solver("winnable.games.rotate.exact", "solve_optimal"),
        "beam": lazy_solver("winnable.games.rotate.solver", "solve_beam"),
        "constructive": lazy_solver("winnable.games.rotate.solver", "solve_constructive"),
        "genetic": lazy_solver(ARTICLE, "solve_genetic", article_settings.GeneticSettings()),
        "improved-genetic": lazy_solver(
            ARTICLE, "solve_improved_genetic", article_settings.ImprovedSettings()
        ),
        "pruned-search": lazy_solver(ARTICLE, "solve_pruned_search", article_settings.SearchSettings()),
    },
    first=lazy_solver("winnable.games.rotate.first", "first_line"),
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
    kernels={"solver": _solver_kernels, "others": _other_kernels, "article": _article_kernels},
    daily=generator.Params(),
    levels=Path(__file__).parent / "levels",
    cover="rotate/15-heart",
)
