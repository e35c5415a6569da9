"""2048 on boards of at most 10 cells, solved: what every state is worth to the best player there is.

A slide keeps the sum of the tiles, a new tile adds 2 or 4 to it. So boards fall into layers by their sum, and
what an afterstate is worth follows from the next two layers. Of boards that are images of each other one is
kept, and only afterstates are kept: a state is worth as much as the best of those that moves lead to.

Rewards need not be kept track of. Let `merged` of a board be the score that merging its tiles took, had all
begun as a 2: the sum of (e - 1) 2^e over its exponents e. A merge adds as much to it as to the score, a new 2
adds nothing, a new 4 adds 4. Of a board, its *worth* is `merged` and the score to come together (so rewards
are shaped by a potential: A. Y. Ng, D. Harada, S. Russell, ICML 1999):

    worth(state)      = the most that its afterstates are worth; where there is none, its `merged`
    worth(afterstate) = the mean of worth(state) over the new tiles, less 4 × the share of fours

Where the chance to reach a goal is wanted, an afterstate that has it is worth 1, a state without move 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import nan
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from winnable.contract.chance import Turn
from winnable.contract.core import Action, Budget, Search, WinnableError, finish
from winnable.games.game2048.exact.layers import Layers, Plain
from winnable.games.game2048.exact.small_boards import NO_GOAL, Aim, Problem, SmallBoards
from winnable.games.game2048.exact.symmetry import images, lying
from winnable.games.game2048.exact.table import LayerTable, fill
from winnable.games.game2048.rules.level import FOURS, Level
from winnable.games.game2048.rules.puzzle import Game2048, Seeded2048, State
from winnable.inert.arrays import F64, U64, np
from winnable.search.memory import gives_back
from winnable.store.database import data_folder

MOST_CELLS = 10
IN_MEMORY = 9
"""Boards of more cells are solved in a file only."""
AT_ONCE = 8
"""Boards of so many cells are solved, in seconds, when a player needs it."""
MOST_EXPONENT = 11
"""Of a board that games are solved from. Neither its tiles nor one that new tiles make, with all cells for
it, are larger, and of 10 such no more than 8 merge into one: so none gets to NO_GOAL."""
FIRST = 2
"""The total of the first layer of games from the beginning: two 2s."""
KEPT = 4
"""Problems whose layers stay while 2048 is played."""

_kept: dict[Problem, Layers] = {}
_begun: dict[Problem, Layers] = {}
"""Of the last search that was dropped: the next one goes on from there. At most one."""
_lock = Lock()
gives_back(_kept.clear, "2048")
gives_back(_begun.clear, "2048")


class _Part(NamedTuple):
    first: int
    """The total of the first layer."""
    layers: Layers


class Solution:
    """What states of a level are worth to its best player: the score to come in the mean, or the chance to
    reach the goal. Any thread may ask. Searches raise WinnableError, also when a budget ends."""

    def __init__(self, level: Level, problem: Problem, layers: Layers) -> None:
        """layers: of games from the beginning."""
        self.level, self.problem = level, problem
        self.states, self.afterstates = layers.states, layers.afterstates
        """How many may come up from the beginning, up to symmetry."""
        self._game = Game2048(level)
        self._beginning = _Part(FIRST, layers)
        self._elsewhere = _Part(0, Layers())

    def mean(self) -> Search[float]:
        """The mean over games from the level's start."""
        if self.level.board:
            return (yield from self.value(self.level.cells))
        parts: list[float] = []
        for chance, state in _beginnings(self._game):
            parts.append(chance * (yield from self.value(state)))
        return sum(parts)

    def value(self, state: State, budget: Budget | None = None) -> Search[float]:
        """The worth of the best play from the state on; see `values`."""
        if self.problem.aim == "goal" and self._game.is_reached(state):
            return 1.0
        return max((yield from self.values(state, budget)).values(), default=0.0)

    def best(self, state: State, budget: Budget | None = None) -> Search[Action]:
        """The first of the best actions; the state has one. See `values`."""
        values = yield from self.values(state, budget)
        return max(values, key=values.__getitem__)

    def values(self, state: State, budget: Budget | None = None) -> Search[dict[Action, float]]:
        """The worth of each legal action, its reward included. A state that cannot come up from the beginning
        is solved first, with what may follow up to afterstates that can."""
        scored = self.problem.aim == "score"
        worths: dict[Action, float] = {}
        asked: dict[Action, int] = {}
        for action in self._game.legal_actions(state):
            after, _ = self._game.afterstate(state, action)
            if self.problem.goal != NO_GOAL and self._game.is_reached(after):
                worths[action] = merged(after) if scored else 1.0
            else:
                worths[action] = nan
                asked[action] = key(after, self.level.rows, self.level.columns)
        if asked:
            found = yield from self._worths(state, list(asked.values()), budget)
            worths.update(zip(asked, found, strict=True))
        before = merged(state) if scored else 0
        return {action: worth - before for action, worth in worths.items()}

    def _worths(self, state: State, afterstates: list[int], budget: Budget | None) -> Search[list[float]]:
        """Of afterstates of the state."""
        keys, at = np.array(afterstates, np.uint64), total(state)
        if max(state) < NO_GOAL:
            for part in (self._beginning, self._elsewhere):
                found = part.layers.look_up(at - part.first, keys)
                if not np.isnan(found).any():
                    return found.tolist()
        if max(state) > MOST_EXPONENT:
            raise WinnableError("2048.tiles", field="board", most=f"{1 << MOST_EXPONENT:,}")
        if len(state) > IN_MEMORY:
            raise WinnableError("2048.beginning", field="board", cells=IN_MEMORY)
        start = np.array([key(state, self.level.rows, self.level.columns)], np.uint64)
        layers = Layers()
        known = partial(self._look_up_from, at)
        yield from fill(layers, SmallBoards(self.problem), [start], budget or Budget(), known)
        self._elsewhere = _Part(at, layers)
        return layers.look_up(0, keys).tolist()

    def _look_up_from(self, first: int, layer: int, boards: U64) -> F64:
        return self._beginning.layers.look_up(first + layer - self._beginning.first, boards)


def merged(board: State) -> int:
    """The score that merging its tiles took, had all begun as a 2."""
    return sum((exponent - 1) << exponent for exponent in board if exponent)


def total(board: State) -> int:
    """Half the sum of the tiles."""
    return sum(1 << exponent for exponent in board if exponent) // 2


def key(board: State, rows: int, columns: int) -> int:
    """The least of all images of the board, lying, as `small_kernels` packs it."""
    board = lying(board, rows, columns)
    rows, columns = sorted((rows, columns))
    return min(
        sum(board[place] << 4 * cell for cell, place in enumerate(image)) for image in images(rows, columns)
    )


def problem_of(level: Level, aim: Aim | None = None) -> Problem:
    """aim: if None, the goal where it ends the game, else the score. Raises WinnableError."""
    if level.rows * level.columns > MOST_CELLS:
        raise WinnableError(
            "2048.exact", field="rows, columns", cells=MOST_CELLS, rows=level.rows, columns=level.columns
        )
    aim = aim or ("goal" if level.ends else "score")
    if aim == "score" and not level.ends:
        goal = NO_GOAL
    elif level.goal is None:
        raise WinnableError("2048.no_goal", field="goal")
    else:
        goal = min(level.goal.bit_length() - 1, NO_GOAL)
    rows, columns = sorted((level.rows, level.columns))
    return Problem(rows, columns, level.fours, goal, aim)


def solve(
    level: Level, budget: Budget | None = None, folder: Path | None = None, aim: Aim | None = None
) -> Search[Solution]:
    """Games of the level, from the beginning. Into a file of the folder, with 16 bytes for each afterstate:
    what it has already is checked and gone on with. Without a folder, in memory.

    Raises WinnableError, also when the budget ends; what the file has by then stays there."""
    problem = problem_of(level, aim)
    if folder is not None:
        return Solution(level, problem, (yield from table_of(problem, folder).make(budget or Budget())))
    if problem.rows * problem.columns > IN_MEMORY:
        raise WinnableError("2048.in_file", field="folder", cells=IN_MEMORY)
    layers = Layers()
    yield from fill(layers, SmallBoards(problem), _starts(problem), budget or Budget())
    return Solution(level, problem, layers)


def solution_of(level: Level, folder: Path | None = None, aim: Aim | None = None) -> Search[Solution]:
    """The solution for players: of small boards found at once, of others read from the folder (None:
    `tables_folder`), and kept while 2048 is played. aim: see `problem_of`. Raises WinnableError."""
    problem = problem_of(level, aim)
    layers = _at_hand(problem, folder)
    if layers is None:
        layers = _begun.pop(problem, Layers())
        try:
            yield from fill(layers, SmallBoards(problem), _starts(problem), Budget())
        except GeneratorExit:
            _begun.clear()
            _begun[problem] = layers
            raise
        layers = _keep(problem, layers)
    return Solution(level, problem, layers)


def _at_hand(problem: Problem, folder: Path | None) -> Layers | None:
    """None: they are to be found. Raises WinnableError where that takes a table that is not there."""
    layers = _kept.get(problem)
    if layers is None and problem.rows * problem.columns > AT_ONCE:
        return _keep(problem, table_of(problem, folder or tables_folder()).open())
    return layers


def _keep(problem: Problem, layers: Layers) -> Layers:
    """Those that another search has kept meanwhile, else these."""
    with _lock:
        if problem not in _kept and len(_kept) == KEPT:
            del _kept[next(iter(_kept))]
        return _kept.setdefault(problem, layers)


class Exact:
    """The player: the best move there is, for the goal where that ends the game, else for the score. It is
    made for boards that are solved at once or were solved before; for others it raises WinnableError."""

    def __init__(self, puzzle: Seeded2048, seed: int = 0) -> None:
        """`seed` has no effect."""
        self._level, self._solution = puzzle.level, None
        _at_hand(problem_of(puzzle.level), None)

    def choose(self, state: Turn[State]) -> Search[Action]:
        """The best action; of several, the first. Raises WinnableError."""
        if self._solution is None:
            self._solution = yield from solution_of(self._level)
        return (yield from self._solution.best(state.state))


def tables_folder() -> Path:
    """The folder of the tables of small boards, in the user's data folder."""
    return data_folder() / "2048-exact"


def table_of(problem: Problem, folder: Path) -> LayerTable:
    """The problem's table, a file in this folder."""
    rows, columns, fours, goal, aim = problem
    to_goal = "" if goal == NO_GOAL else f"-to-{1 << goal}"
    original = fours == FOURS and goal == NO_GOAL
    command = f"`winnable tables 2048 exact-{rows}x{columns} --build`"
    return LayerTable(
        path=folder / f"{rows}x{columns}-fours-{fours}{to_goal}-{aim}.layers",
        title=f"winnable.2048-exact/1 {' '.join(map(str, problem))}",
        form=Plain(),
        boards=partial(SmallBoards, problem),
        starts=partial(_starts, problem),
        remedy=f"{command if original else 'winnable.games.game2048.exact.small.solve'} makes it",
    )


def warm() -> None:
    """Compiles what players and benchmarks use."""
    finish(solve(Level(rows=2, columns=2)))


def _beginnings(game: Game2048) -> Iterator[tuple[float, State]]:
    """The boards of two tiles at which games begin, with their chances; each comes twice."""
    for chance, board in game.outcomes((0,) * (game.rows * game.columns)):
        for following, state in game.outcomes(board):
            yield chance * following, state


def _starts(problem: Problem) -> list[U64]:
    """`_beginnings` by layers: the sum of the tiles is 4, 6 or 8."""
    rows, columns, fours, *_ = problem
    found: dict[int, set[int]] = {FIRST + layer: set() for layer in range(3)}
    for _, state in _beginnings(Game2048(Level(rows=rows, columns=columns, fours=fours))):
        found[total(state)].add(key(state, rows, columns))
    return [np.array(sorted(keys), np.uint64) for keys in found.values()]
