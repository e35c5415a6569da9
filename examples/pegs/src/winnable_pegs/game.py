"""What peg solitaire hands to the shells."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from winnable.contract.abilities import Solves
from winnable.contract.core import Answer, Budget, LevelError, Search, Solver
from winnable.contract.game import Game
from winnable.play.playing import RandomPlayer
from winnable.search.depth_first import depth_first_search
from winnable_pegs.generator import Params, generate
from winnable_pegs.rules import SIDE, Level, Pegs

CELL = 40


def parse_board(text: str) -> Level:
    """`oo./o.x`: rows joined by `/`. Raises LevelError."""
    rows = tuple(text.strip().split("/"))
    for index, row in enumerate(rows[: SIDE + 1]):
        if not row or len(row) > SIDE or set(row) - set("ox.") or index == SIDE:
            raise LevelError("pegs.row", field=f"board[{index}]", given=row[:20], most=SIDE)
    return Level(rows)


def render(puzzle: Any, state: int) -> str:
    pegs: Pegs = puzzle
    return "\n".join(pegs.observe(state)).replace("x", " ")


def svg(puzzle: Any, state: int) -> str:
    pegs: Pegs = puzzle
    width, height = pegs.columns * CELL, pegs.rows * CELL
    holes = "".join(
        f'<circle cx="{x * CELL + CELL // 2}" cy="{y * CELL + CELL // 2}" r="{15 if sign == "o" else 5}"/>'
        for y, row in enumerate(pegs.observe(state))
        for x, sign in enumerate(row)
        if sign != "x"
    )
    shape = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {shape} role="img" fill="#8a5a2b">{holes}</svg>'


def depth_first(puzzle: Any, state: int, budget: Budget, seed: int) -> Search[Answer]:
    """Exhaustive: what it calls unsolvable is."""
    return depth_first_search(puzzle, state, budget)


class PegsGame(Game, Solves):
    solvers: ClassVar[Mapping[str, Solver]] = {"depth-first": depth_first}


GAME = PegsGame(
    name="pegs",
    level_type=Level,
    params_type=Params,
    puzzle=Pegs,
    generate=generate,
    daily=Params(),
    parse_board=parse_board,
    format_board=lambda level: "/".join(level.board),
    render=render,
    svg=svg,
    facts=lambda level, budget: {"pegs": "".join(level.board).count("o")},
    players={"random": RandomPlayer},
    levels=Path(__file__).parent / "levels",
    cover="pegs/1-plus",
    kernels={},
)
