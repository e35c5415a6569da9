"""How a game stands: the chance to die before the wall is calm again, and the lines that are still to come.

Both are those of a named controller that plays on. A wall is *calm* below a height that it has or exceeds a
fifth of the time (`judge.danger_levels`), and below the middle of the board. From a higher wall, the chance
to die before it is calm is found by splitting, from this wall alone. A good controller forgets a danger that
it survived, so that

    lines to come = (1 - chance to die before) × mean lines of a game from the empty board,

where those few are left out that are cleared meanwhile. Holes that a calm wall buries are not looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import NamedTuple

from winnable.contract.chance import Outlook, Turn
from winnable.contract.core import Budget, Search, WinnableError
from winnable.games.tetris.measure.long_run import CONTROLLER, LONG_RUN, Board, calm_below
from winnable.games.tetris.players import kernels
from winnable.games.tetris.players.choice_kernels import choose
from winnable.games.tetris.players.controllers import CONTROLLERS
from winnable.games.tetris.players.herd import Controlled
from winnable.games.tetris.players.shape_kernels import shape_table
from winnable.games.tetris.rules.level import Level
from winnable.games.tetris.rules.puzzle import NONE, SeededTetris, State
from winnable.inert.arrays import Bools, np
from winnable.stats.quantiles import student_975
from winnable.tuning.process import NO_CEILING, Floats, Ints, States

RUNS = 8
COPIES = (8, 32, 128, 512)
"""Of each run, round by round; the last round that the budget lets end is what counts."""
SLICE = 2000
"""So many pieces are placed, or one for each copy, between two looks at the budget."""
LOOK_SECONDS = 1.0
"""Of the clock, for one look of the studio."""
SURE = 3.69
"""-log(0.025): what is never seen in n tries has a chance of SURE / n at most, to 97.5 %."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """lines:  to come, in the mean; None while the long-run mean or the risk is not known
    low, high: 95 % interval of lines, that of the mean included; None while the mean is not known
    risk:      the chance to die before the wall is calm again, 0 when it is calm already; None: the budget
               did not last for one round
    risk_low, risk_high: 95 %, from independent runs. Where risk is None they hold too: it is no more than
               the chance to get as near to death as was looked at
    """

    lines: float | None
    low: float | None
    high: float | None
    risk: float | None
    risk_low: float
    risk_high: float


class Risk(NamedTuple):
    """A chance with its 95 % interval; None where only this is known."""

    value: float | None
    low: float
    high: float


def outlook(puzzle: SeededTetris, state: Turn[State], budget: Budget, seed: int) -> Search[Outlook]:
    """The outlook for `Foresees`: what `forecast` says, after LOOK_SECONDS at most."""
    level = puzzle.level
    if level.rules != "article":
        board = Board(level.width, level.height, CONTROLLER, level.rules)
        yield from calm_below(board)  # once; the clock starts then
    short = budget.part(1.0)
    short.seconds = min(short.seconds, LOOK_SECONDS)
    found = yield from forecast(level, state.state, short, seed)
    return Outlook(found.lines, found.low, found.high, found.risk) if found else Outlook()


def forecast(
    level: Level, state: State, budget: Budget, seed: int, controller: str = CONTROLLER
) -> Search[Forecast | None]:
    """The forecast for a state; None under the rules `article`, by which controllers are slow. 100 ms make a
    fair budget; any thread may cancel it. The same seed gives the same risk as long as the budget lets as
    many rounds end.


    The first call for a board whose mean is not known begins to find it in the background, until
    nobody plays tetris any more. Raises WinnableError for an unknown controller.
    """
    if controller not in CONTROLLERS:
        raise WinnableError("given.none", field="controller", given=controller[:40], known=list(CONTROLLERS))
    if level.rules == "article":
        return None
    board = Board(level.width, level.height, controller, level.rules)
    wall = None if state.over else with_known_pieces(board, state)
    if wall is None:
        return Forecast(0.0, 0.0, 0.0, 1.0, 1.0, 1.0)
    mean = LONG_RUN.find(board)
    risk = yield from risk_of(board, wall, budget, np.random.default_rng(seed))
    if mean is None or mean.lines is None:
        return Forecast(None, None, None, *risk)
    lines = None if risk.value is None else (1 - risk.value) * mean.lines
    return Forecast(lines, (1 - risk.high) * mean.low, (1 - risk.low) * mean.high, *risk)


def with_known_pieces(board: Board, state: State) -> States | None:
    """The wall, uint64 [width + 2], once the pieces that are seen lie where the controller sets them down;
    None when that ends the game."""
    width, height = board.width, board.height
    now, work = kernels.pack_wall(state.wall, width), kernels.new_workspace(width)
    shapes, table = shape_table(board.rules), board.herd().table
    for piece in (state.piece, state.following):
        if piece != NONE:
            action = choose(now, height, piece, shapes, table, work)
            if action == kernels.NOWHERE:
                return None
            kernels.place(now, height, piece, action, shapes)
    return now


def risk_of(board: Board, wall: States, budget: Budget, rng: np.random.Generator) -> Search[Risk]:
    """The chance to die from this wall, uint64 [width + 2], before it is calm. The next piece is unknown."""
    herd = board.herd()
    calm, at = (yield from calm_below(board)), int(herd.level(wall[None])[0])
    if at < calm:
        return Risk(0.0, 0.0, 0.0)
    climb = _Climb(herd, calm, (*range(at + 1, board.height + 1), NO_CEILING), budget, rng)
    found: Risk | None = None
    for copies in COPIES:
        risk = yield from climb.risk(wall, copies)
        if risk.value is None:
            return found or risk
        found = risk
    assert found is not None
    return found


@dataclass(slots=True)
class _Climb:
    """Splitting from one wall through `targets`, until it is lower than `calm`."""

    herd: Controlled
    calm: int
    targets: tuple[int, ...]
    budget: Budget
    rng: np.random.Generator
    _pieces: int = 0

    def risk(self, wall: States, copies: int) -> Search[Risk]:
        """By RUNS runs of so many copies each."""
        states, dead = np.tile(wall, (RUNS * copies, 1)), np.zeros(RUNS * copies, np.bool_)
        chances = np.ones(RUNS)
        for target in self.targets:
            if not (yield from self._play(states, dead, target)):
                return Risk(None, 0.0, _interval(chances).high)
            reached = (dead | (self.herd.level(states) >= target)).reshape(RUNS, copies)
            if not reached.any():
                return Risk(0.0, 0.0, min(1.0, _interval(chances).high * SURE / reached.size))
            chances *= reached.mean(axis=1)
            chosen = self._shared_out(reached)
            states, dead = states[chosen], dead[chosen]
        return _interval(chances)

    def _play(self, states: States, dead: Bools, target: int) -> Search[bool]:
        """Plays each, in place, until it reaches `target`, is calm or dies. False: the budget ended first."""
        levels = self.herd.level(states)
        going = np.flatnonzero(~dead & (levels >= self.calm) & (levels < target))
        while going.size:
            if not (yield from self.budget.allows("outlook", self._pieces, self._pieces)):
                return False
            low, high, limit = (
                np.full(going.size, bound) for bound in (self.calm, target, max(1, SLICE // going.size))
            )
            leap = self.herd.leap(states[going], low, high, limit, self.rng)
            self._pieces += int(leap.steps.sum())
            states[going], dead[going] = leap.states, leap.died
            levels = self.herd.level(leap.states)
            going = going[~leap.died & (levels >= self.calm) & (levels < target)]
        return True

    def _shared_out(self, reached: Bools) -> Ints:
        """As many copies for each run as before, of those that got on, all as often (or once more). A run in
        which none did keeps what it has, which is calm and plays no more."""
        runs, copies = reached.shape
        chosen: list[Ints] = []
        for run in range(runs):
            here = reached[run]
            kept = self.rng.permutation(np.flatnonzero(here if here.any() else ~here))
            chosen.append(run * copies + kept[np.arange(copies) % kept.size])
        return np.concatenate(chosen)


def _interval(chances: Floats) -> Risk:
    """Of the mean of independent runs, which is not 0: Student's, around its logarithm."""
    mean = float(chances.mean())
    error = float(chances.std(ddof=1)) / RUNS**0.5 / mean
    half = exp(student_975(RUNS - 1) * error)
    return Risk(mean, mean / half, min(1.0, mean * half))
