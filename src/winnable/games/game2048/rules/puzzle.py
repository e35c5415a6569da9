"""Rules of 2048 (G. Cirulli, 2014): tiles slide as far as they go; equal ones that meet merge, each at most
once in a move, those on the far side first; then a 2 or a 4 appears on an empty cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

from winnable.contract.chance import Dice, Seeded, Turn
from winnable.contract.core import Action, IllegalAction
from winnable.games.game2048.rules.level import Level

UP, RIGHT, DOWN, LEFT = range(4)
NAMES: Final = ("up", "right", "down", "left")
KEYS: Final = ("wdsa", "↑→↓←", ("\x1b[a", "\x1b[c", "\x1b[b", "\x1b[d"))
"""Other names of the moves; the last ones are what arrow keys send in a terminal."""
State: TypeAlias = tuple[int, ...]
"""The board, row-major: exponents of two, 0 is an empty cell."""


class Shift(NamedTuple):
    """Where one tile went; cells are row * columns + column."""

    origin: int
    target: int
    merged: bool
    """Whether it met an equal tile there, into which it merged."""


class Game2048:
    """One level as a `ChanceGame[State, State]`. The reward is the sum of the tiles that merging makes."""

    num_actions = 4

    def __init__(self, level: Level) -> None:
        self.level = level
        self.rows, self.columns = level.rows, level.columns
        self.goal = None if level.goal is None else level.goal.bit_length() - 1
        """As an exponent."""
        across = [[row * self.columns + column for column in range(self.columns)] for row in range(self.rows)]
        down = [list(line) for line in zip(*across, strict=True)]
        self.lines = (
            tuple(map(tuple, down)),
            tuple(tuple(line[::-1]) for line in across),
            tuple(tuple(line[::-1]) for line in down),
            tuple(map(tuple, across)),
        )
        """Of each action: the lines of cells along which tiles slide, each from its far side on."""
        self._picks = tuple(tuple(itemgetter(*line) for line in lines) for lines in self.lines)

    def initial(self, dice: Dice) -> State:
        """The level's board; where it has none, two tiles by the dice."""
        if self.level.board:
            return self.level.cells
        empty = (0,) * (self.rows * self.columns)
        return self.sample(self.sample(empty, dice), dice)

    def is_reached(self, state: State) -> bool:
        """Whether the board has the goal's tile, or a larger one."""
        return self.goal is not None and max(state) >= self.goal

    def legal_actions(self, state: State) -> Sequence[Action]:
        """The moves that change the board; none once the goal that ends the game is reached."""
        if self.level.ends and self.is_reached(state):
            return ()
        return tuple(
            action
            for action, picks in enumerate(self._picks)
            if any(slid(line)[0] != line for pick in picks for line in (pick(state),))
        )

    def afterstate(self, state: State, action: Action) -> tuple[State, int]:
        """Raises IllegalAction."""
        if not 0 <= action < len(self.lines) or (self.level.ends and self.is_reached(state)):
            raise IllegalAction("action.here", given=action)
        cells, reward = list(state), 0
        for line, pick in zip(self.lines[action], self._picks[action], strict=True):
            moved, gained = slid(pick(state))
            reward += gained
            for cell, exponent in zip(line, moved, strict=True):
                cells[cell] = exponent
        after = tuple(cells)
        if after == state:
            raise IllegalAction("action.here", given=action)
        return after, reward

    def shifts(self, state: State, action: Action) -> Sequence[Shift]:
        """Tells where each tile goes that moves or is merged into."""
        shifts: list[Shift] = []
        for line in self.lines[action]:
            place, waiting = -1, 0
            for cell in line:
                if not state[cell]:
                    continue
                merged = waiting == state[cell]
                place += not merged
                waiting = 0 if merged else state[cell]
                if line[place] != cell:
                    shifts.append(Shift(cell, line[place], merged))
        return shifts

    def outcomes(self, afterstate: State) -> Sequence[tuple[float, State]]:
        """The boards with a new tile, each with its chance."""
        empty = [cell for cell, exponent in enumerate(afterstate) if not exponent]
        fours = self.level.fours / 100
        return tuple(
            (chance / len(empty), with_tile(afterstate, cell, exponent))
            for exponent, chance in ((1, 1 - fours), (2, fours))
            if chance
            for cell in empty
        )

    def sample(self, afterstate: State, dice: Dice) -> State:
        """The board with a new tile, by the dice: first its cell, then whether it is a 4."""
        empty = [cell for cell, exponent in enumerate(afterstate) if not exponent]
        cell = empty[dice.below(len(empty))]
        return with_tile(afterstate, cell, 2 if dice.below(100) < self.level.fours else 1)


def slide(line: Sequence[int]) -> tuple[list[int], int]:
    """A line from its far side on -> the line after the move, and the reward."""
    moved: list[int] = []
    reward, waiting = 0, 0
    for exponent in filter(None, line):
        if exponent == waiting:
            moved[-1] += 1
            reward += 1 << moved[-1]
            waiting = 0
        else:
            moved.append(exponent)
            waiting = exponent
    return moved + [0] * (len(line) - len(moved)), reward


@lru_cache(1 << 16)
def slid(line: State) -> tuple[State, int]:
    """`slide`, remembered: boards have few different lines."""
    moved, reward = slide(line)
    return tuple(moved), reward


def with_tile(board: State, cell: int, exponent: int) -> State:
    """The board with a tile of this exponent in a cell."""
    return (*board[:cell], exponent, *board[cell + 1 :])


@dataclass(frozen=True, slots=True)
class Observation:
    """What a player sees: everything but the tiles to come."""

    rows: int
    columns: int
    cells: tuple[int, ...]
    """Exponents of two, row-major, 0 is empty."""
    legal: tuple[Action, ...]
    score: int
    moves: int
    goal: int
    """Its exponent; 0: none."""
    reached: bool
    status: str
    """`playing` or `over`."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Half a move for the eye: first tiles slide and merge, then one appears."""

    cells: tuple[int, ...]
    """The board at its end."""
    shifts: tuple[Shift, ...] = ()
    reward: int = 0
    appeared: int | None = None
    """The cell of the new tile."""


class Seeded2048(Seeded[State, State]):
    """A level with its dice, as a puzzle; also `Named`, `Observed`, `Stepped` and `Aimed`."""

    game: Game2048

    def __init__(self, level: Level) -> None:
        super().__init__(Game2048(level), level.dice)
        self.level = level
        self._given = level.given_tiles

    def follow(self, afterstate: State, turn: int) -> State:
        """The board with its new tile: the level's given one where its cell is empty, else by the dice."""
        if turn <= len(self._given):
            cell, exponent = self._given[turn - 1]
            if not afterstate[cell]:
                return with_tile(afterstate, cell, exponent)
        return super().follow(afterstate, turn)

    def action_name(self, action: Action) -> str:
        """`up`, `right`, `down` or `left`."""
        return NAMES[action]

    def parse_action(self, text: str) -> Action:
        """`up`, `right`, `down`, `left`, or KEYS; raises IllegalAction."""
        given = text.strip().lower()
        for action, names in enumerate(zip(NAMES, *KEYS, strict=True)):
            if given in names:
                return action
        raise IllegalAction("2048.move", given=text[:40], known=list(NAMES))

    def observe(self, state: Turn[State]) -> Observation:
        """What a person sees of the state."""
        legal = tuple(self.legal_actions(state))
        return Observation(
            rows=self.game.rows,
            columns=self.game.columns,
            cells=state.state,
            legal=legal,
            score=state.score,
            moves=state.turn,
            goal=self.game.goal or 0,
            reached=self.game.is_reached(state.state),
            status="playing" if legal else "over",
        )

    def reached(self, state: Turn[State]) -> bool | None:
        """Whether the goal's tile is made; None: there is no goal."""
        return None if self.game.goal is None else self.game.is_reached(state.state)

    def trace(self, state: Turn[State], action: Action) -> tuple[Frame, Frame]:
        return self.step(state, action)[1]

    def step(self, state: Turn[State], action: Action) -> tuple[Turn[State], tuple[Frame, Frame]]:
        board, reward = self.game.afterstate(state.state, action)
        turn = self.apply(state, action)
        after = turn.state
        appeared = next(cell for cell, exponent in enumerate(board) if exponent != after[cell])
        slid = Frame(board, tuple(self.game.shifts(state.state, action)), reward)
        return turn, (slid, Frame(after, appeared=appeared))
