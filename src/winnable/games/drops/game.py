"""What drops hands to the shells. Nothing that compiles is imported before it is used."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from winnable.core import Budget
from winnable.game import Game, lazy_solver
from winnable.games.drops import bounds, generator, players, svg, symmetry, text
from winnable.games.drops.article_settings import Evolution, Weighted, WithinDepth
from winnable.games.drops.level import MAX_DROPS, TANK, Level
from winnable.games.drops.rules import Drops, State

ARTICLE = "winnable.games.drops.article_solver"


def _solver_kernels() -> None:
    from winnable.games.drops import solver

    solver.warm()


def _article_kernels() -> None:
    from winnable.games.drops import article_solver

    article_solver.warm()


def facts(level: Level, budget: Budget) -> dict[str, Any]:
    """How large it is and how hard."""
    return text.facts(level) | import_module("winnable.games.drops.difficulty").facts(level, budget)


def follow(level: Level, won: State) -> Level | None:
    """The next board of an endless game, with what is left in the tank."""
    return None if level.flash is None else generator.next_flash_board(level, won.left or 0)


def cheat(level: Level) -> Level | None:
    """Ten more drops (the article's 开挂 button)."""
    drops = TANK if level.drops is None and level.flash else level.drops
    if drops is None:
        return None
    proof = level.certificate
    if proof is not None and proof.status == "unsolvable":
        proof = None
    return msgspec.structs.replace(level, drops=min(drops + TANK, MAX_DROPS), certificate=proof)


GAME = Game(
    name="drops",
    level_type=Level,
    params_type=generator.Params,
    puzzle=Drops,
    generate=generator.generate,
    parse_board=text.parse_board,
    format_board=text.format_board,
    render=text.render,
    facts=facts,
    picture=symmetry.picture,
    svg=svg.svg,
    solvers={
        "optimal": lazy_solver("winnable.games.drops.solver", "solve_optimal"),
        "bfs": lazy_solver(ARTICLE, "solve_bfs", WithinDepth()),
        "a": lazy_solver(ARTICLE, "solve_a", Weighted()),
        "a-star": lazy_solver(ARTICLE, "solve_a_star", WithinDepth()),
        "genetic": lazy_solver(ARTICLE, "solve_genetic", Evolution()),
    },
    first=lazy_solver("winnable.games.drops.first", "first_line"),
    players=players.PLAYERS,
    kernels={"solver": _solver_kernels, "article": _article_kernels},
    follow=follow,
    cheat=cheat,
    explain=bounds.explain,
    proves_fewest=True,
    daily=generator.Params(),
    levels=Path(__file__).parent / "levels",
    cover="drops/07-butterfly",
)
