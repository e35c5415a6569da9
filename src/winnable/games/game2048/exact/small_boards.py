"""Small boards for the passes: of at most 10 cells, up to symmetry, for a score or a goal."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from winnable.games.game2048.exact import kernels
from winnable.games.game2048.exact.passes import Values
from winnable.games.game2048.exact.small_kernels import lines, shape
from winnable.inert.arrays import F64, U64, np

Aim: TypeAlias = Literal["score", "goal"]

NO_GOAL: Final = 15
"""An exponent that no tile reaches."""


class Problem(NamedTuple):
    """A board that lies, how new tiles come, and what is wanted.

    fours: percent
    goal:  exponent of the tile that ends the game, or NO_GOAL
    aim:   the highest score in the mean, or the highest chance to reach the goal
    """

    rows: int
    columns: int
    fours: int
    goal: int
    aim: Aim


class SmallBoards:
    """Of a problem, as small_kernels.py packs them, the least of their images."""

    def __init__(self, problem: Problem) -> None:
        self.fours = problem.fours
        self._problem, self._shape = problem, shape(problem.rows, problem.columns)
        self._tables = self._shape, lines(problem.columns, 4), lines(problem.rows, 4 * problem.columns)

    def with_new_tile(self, boards: U64, exponent: int) -> U64:
        found = np.empty(boards.size * self._problem.rows * self._problem.columns, np.uint64)
        return found[: kernels.with_new_tile(boards, exponent, self._shape, found)]

    def afterstates(self, states: U64) -> U64:
        found = np.empty(4 * states.size, np.uint64)
        return found[: kernels.afterstates(states, self._problem.goal, *self._tables, found)]

    def worths(self, boards: U64, following: Values, later: Values) -> F64:
        found = np.empty(boards.size)
        kernels.worth_of_afterstates(
            boards, self._problem.fours / 100, self._problem.aim == "score", self._problem.goal,
            *self._tables, following.slots, following.worths, later.slots, later.worths,
            found,
        )  # fmt: skip
        return found
