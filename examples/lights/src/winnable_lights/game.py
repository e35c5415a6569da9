"""What lights out hands to the shells: with how hard a level is, tasks for programs, and states as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from winnable.contract.abilities import Arrays, Field, GivesArrays, SetsTasks
from winnable.contract.core import Budget, LevelError, Solver
from winnable.contract.game import Game
from winnable.play.playing import RandomPlayer
from winnable.stats.difficulty import Rating, Word, difficulty, rating
from winnable_lights.generator import Params, generate
from winnable_lights.rules import SIDE, Level, Lights, State
from winnable_lights.solver import fewest, lines

WORDS: tuple[tuple[float, Word], ...] = ((6.5, "easy"), (9, "medium"), (11, "tricky"), (13, "hard"))


def parse_board(text: str) -> Level:
    """`oo./o.o,4`: rows joined by `/`, and the presses. Raises LevelError."""
    board, _, presses = text.strip().partition(",")
    rows = tuple(board.split("/"))
    for index, row in enumerate(rows[: SIDE + 1]):
        if not 2 <= len(row) <= SIDE or set(row) - set("o.") or index == SIDE:
            raise LevelError("lights.row", field=f"board[{index}]", given=row[:20], most=SIDE)
    if len(rows) < 2 or presses not in map(str, range(1, SIDE * SIDE + 1)):
        raise LevelError("lights.presses", field="board", most=SIDE * SIDE)
    return Level(rows, presses=int(presses))


def render(puzzle: Any, state: Any) -> str:
    view = puzzle.observe(state)
    rows = [view.cells[at : at + view.columns] for at in range(0, len(view.cells), view.columns)]
    return "\n".join(["".join(".o"[cell] for cell in row) for row in rows]) + f"\n{state.left}"


def svg(puzzle: Any, state: Any) -> str:
    view = puzzle.observe(state)
    lamps = "".join(
        f'<circle cx="{cell % view.columns + 0.5}" cy="{cell // view.columns + 0.5}" r="0.4"'
        f' fill="{"#f5c542" if lit else "#3a3f4b"}"/>'
        for cell, lit in enumerate(view.cells)
    )
    shape = f'viewBox="0 0 {view.columns} {view.rows}" width="{view.columns * 40}" height="{view.rows * 40}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {shape} role="img">{lamps}</svg>'


class LightsArrays:
    """lit: int8 [rows, columns]; left: int16 [1], presses"""

    def __init__(self, puzzle: Lights) -> None:
        self._puzzle = puzzle
        self.fields: Mapping[str, Field] = {
            "lit": Field((puzzle.rows, puzzle.columns), "int8", 0, 1),
            "left": Field((1,), "int16", 0, SIDE * SIDE),
        }

    def fill(self, state: State, into: Mapping[str, NDArray[Any]]) -> None:
        view = self._puzzle.observe(state)
        into["lit"][:] = np.reshape(view.cells, (view.rows, view.columns))
        into["left"][0] = state.left


class LightsGame(Game, SetsTasks, GivesArrays):
    solvers: ClassVar[Mapping[str, Solver]] = {"fewest": fewest}
    tasks: ClassVar = {
        "easy": ["rows=3,columns=3,par=1", "rows=3,columns=3,par=2"],
        "medium": ["rows=3,columns=3,par=3"],
        "tricky": ["rows=4,columns=4,par=3"],
        "hard": ["rows=4,columns=4,par=4"],
        "fiendish": ["rows=5,columns=5,par=4"],
    }

    def rate(self, level: Level, budget: Budget, seed: int) -> Rating | None:
        """By the fewest presses and the lamps that a shortest line may begin with; None: there is no line."""
        puzzle = Lights(level)
        found = [line for line in lines(puzzle, puzzle.initial().lit) if line is not None]
        par = min(map(len, found), default=level.presses + 1)
        if par > level.presses:
            return None
        good = {cell for line in found if len(line) == par for cell in line}
        return rating(difficulty(par, puzzle.num_actions, len(good)), WORDS)

    def tighter(self, level: Level) -> Level:
        """With one press less."""
        return msgspec.structs.replace(level, presses=max(1, level.presses - 1))

    def arrays(self, puzzle: Lights) -> Arrays:
        return LightsArrays(puzzle)


GAME = LightsGame(
    name="lights",
    level_type=Level,
    params_type=Params,
    puzzle=Lights,
    generate=generate,
    daily=Params(),
    parse_board=parse_board,
    format_board=lambda level: f"{'/'.join(level.board)},{level.presses}",
    render=render,
    svg=svg,
    facts=lambda level, budget: {"presses": level.presses},
    players={"random": RandomPlayer},
    levels=Path(__file__).parent / "levels",
    cover="lights/1-cross",
    kernels={},
)
