"""How good a controller is, in seconds: its mean lines of a game under the rules `simplified` or `travel`.

Good controllers are too good to be watched dying: a game of the best on 10 × 20 cells takes minutes, and one
game tells hardly anything, as games last exponentially long. They are judged by multilevel splitting
(`tuning.splitting`) on the height of the wall; those that die often, by playing.

Both find the hazard, deaths per piece. A piece has 4 cells and a row `width`, so in the long run a piece
clears 4 / width lines, and a game has 4 / width / hazard. The cells that lie there at the end were not
cleared: what splitting says is too much by the rows that they would fill, fewer than `height`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf, isfinite
from typing import Literal, get_args

from winnable.contract.core import Search, WinnableError, finish
from winnable.games.tetris.players.ahead import looks_ahead
from winnable.games.tetris.players.controllers import DANGER
from winnable.games.tetris.players.features import FEATURES
from winnable.games.tetris.players.herd import Ahead, Controlled, ControlledAhead, weight_table
from winnable.games.tetris.players.shape_kernels import ControlledRules
from winnable.games.tetris.rules.level import MAX_HEIGHT, MAX_WIDTH, MIN_HEIGHT, MIN_WIDTH
from winnable.inert.arrays import np
from winnable.tuning.process import Herd, Ints, Leap, States
from winnable.tuning.splitting import SplittingPlan, common_level, split
from winnable.tuning.survival import Survival, survive

COPIES, RUNS = 4000, 8
BASE_PIECES, WARMUP = 50_000, 1000
"""Of each run."""
ENOUGH_DEATHS = 400
"""So many games tell the mean to a tenth; then splitting is not needed."""
COMMON_PIECES = 20_000
"""To see how high the wall usually is."""
MOST_PIECES = 400_000_000


@dataclass(frozen=True, slots=True)
class Strength:
    """Lines per game.

    lines:     None if the pieces that were allowed do not tell; the interval still holds
    low, high: 95 %; by playing exact for games that last exponentially long (`Survival.interval`), by
               splitting Student's from independent runs
    by:        `splitting`, or `playing` also where splitting did not come to an end or saw no death
    pieces:    that were placed for it
    deaths:    by playing: games that ended; by splitting 0, as none was played out
    """

    lines: float | None
    low: float
    high: float
    by: Literal["playing", "splitting"]
    pieces: int
    deaths: int = 0


def expected_lines(
    width: int,
    height: int,
    weights: Mapping[str, float],
    seed: int,
    copies: int = COPIES,
    runs: int = RUNS,
    most_pieces: int = MOST_PIECES,
    base_pieces: int = BASE_PIECES,
    rules: ControlledRules = "simplified",
    ahead: Ahead | None = None,
    wanted: Callable[[], bool] | None = None,
) -> Strength:
    """The mean lines of a game of a controller. weights: by the names in `features.FEATURES`. copies, runs,
    base_pieces: see `SplittingPlan`; publish nothing from fewer than 4000 copies. Never places more than
    `most_pieces`. ahead: judges the controller that looks ahead (`ahead.py`), with the next piece known or by
    the mean. wanted: asked now and then; False raises GivenUp.


    The game is played for as long as splitting's base games would take. If it is not over ENOUGH_DEATHS times
    by then, splitting follows. Raises WinnableError that names the argument.
    """
    herd = herd_of(width, height, weights, rules, ahead)
    playing: Herd = herd if wanted is None else _Interruptible(herd, wanted)
    if copies < 1 or runs < 2 or base_pieces < 1:
        raise WinnableError(f"copies, runs, base_pieces: {copies}, {runs}, {base_pieces}: at least 1, 2, 1")
    base = runs * (WARMUP + base_pieces)
    if most_pieces < 2 * base + COMMON_PIECES:
        raise WinnableError(f"most_pieces: {most_pieces} are fewer than {2 * base + COMMON_PIECES}")
    chance = [np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(3)]
    played = survive(playing, chance[0], deaths=ENOUGH_DEATHS, steps=base)
    if played.stopped:
        return by_playing(played)
    left = most_pieces - played.steps - COMMON_PIECES
    levels = finish(danger_levels(herd, chance[1]))
    plan = SplittingPlan(levels, base_pieces, left, copies, runs, WARMUP)
    found = split(playing, plan, chance[2])
    spent = played.steps + COMMON_PIECES + found.steps
    if not found.finished or found.hazard == 0:
        return by_playing(played, spent)
    low, high = (lines_of(width, hazard) for hazard in reversed(found.interval))
    return Strength(lines_of(width, found.hazard), low, high, "splitting", spent)


class GivenUp(Exception):
    """Nobody wants it any more."""


class _Interruptible:
    """A herd that plays on as long as it is wanted."""

    def __init__(self, herd: Controlled, wanted: Callable[[], bool]) -> None:
        self.start, self.level = herd.start, herd.level
        self._leap, self._wanted = herd.leap, wanted

    def leap(self, states: States, low: Ints, high: Ints, limit: Ints, rng: np.random.Generator) -> Leap:
        if not self._wanted():
            raise GivenUp
        return self._leap(states, low, high, limit, rng)


def herd_of(
    width: int,
    height: int,
    weights: Mapping[str, float],
    rules: ControlledRules = "simplified",
    ahead: Ahead | None = None,
) -> Controlled:
    """The herd of a controller with these weights. Raises WinnableError for a board that levels cannot have,
    for weights that mean nothing, and for rules under which no controller plays."""
    if rules not in get_args(ControlledRules):
        raise WinnableError("given.option", field="rules", given=rules[:40], known=get_args(ControlledRules))
    for name, value, least, most in (
        ("width", width, MIN_WIDTH, MAX_WIDTH),
        ("height", height, MIN_HEIGHT, MAX_HEIGHT),
    ):
        if not least <= value <= most:
            raise WinnableError("params.range", field=name, given=value, low=least, high=most)
    for name, weight in weights.items():
        if name.removesuffix(DANGER) not in FEATURES:
            raise WinnableError("tetris.feature", field="weights", given=name, known=list(FEATURES))
        if not isfinite(weight):
            raise WinnableError("tetris.weight", field="weights", name=name, given=weight)
    table = weight_table(weights, height)
    if ahead is None:
        return Controlled(width, height, table, rules)
    if not looks_ahead(weights):
        raise WinnableError("tetris.ahead", field="weights")
    return ControlledAhead(width, height, table, ahead, rules)


def danger_levels(
    herd: Controlled, rng: np.random.Generator, pieces: int = COMMON_PIECES
) -> Search[tuple[int, ...]]:
    """Every height from one that the wall has or exceeds a fifth of the time. Below it the wall is calm."""
    first = yield from common_level(herd, rng, steps=pieces)
    return tuple(range(min(first, herd.height), herd.height + 1))


def lines_of(width: int, hazard: float) -> float:
    """The mean lines of a game in which deaths per piece are `hazard`."""
    return 4 / width / hazard if hazard else inf


def by_playing(played: Survival, pieces: int | None = None) -> Strength:
    """The strength that a run of games tells alone. pieces: the cost, if more than its own."""
    per_piece = played.reward / played.steps
    low, high = (per_piece / hazard if hazard else inf for hazard in reversed(played.interval()))
    lines = played.reward / played.deaths if played.deaths else None
    return Strength(lines, low, high, "playing", pieces or played.steps, played.deaths)
