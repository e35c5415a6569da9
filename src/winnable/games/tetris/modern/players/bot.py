"""The bot of modern tetris: it plans once a piece, and plays the plan frame by frame with real keys."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from winnable.contract.core import Action, IllegalAction, LevelError, WinnableError
from winnable.games.tetris.modern.players.bot_kernels import EMPTY, Pose, Start, new_beam, search
from winnable.games.tetris.modern.players.fingering import Fingers, keys_for
from winnable.games.tetris.modern.players.move_kernels import (
    SPIN,
    SPINS,
    STATE,
    TURN,
    X,
    Y,
    new_tables,
    new_workspace,
    reach,
    taps_to,
)
from winnable.games.tetris.modern.players.placements import TAPS, Placement, at_rest, spin_of
from winnable.games.tetris.modern.players.value_kernels import Weights, board_value, new_sent
from winnable.games.tetris.modern.players.weights import STYLES, WEIGHTS, Style
from winnable.games.tetris.modern.rules.gravity import rows_a_frame
from winnable.games.tetris.modern.rules.level import WIDTH, Handling, Level
from winnable.games.tetris.modern.rules.piece import Active, fallen
from winnable.games.tetris.modern.rules.puzzle import AnyState, Modern
from winnable.games.tetris.modern.rules.srs import SPAWN
from winnable.games.tetris.rules.pieces import NAMES
from winnable.inert.arrays import U64, np

DEFAULT_WIDTH, DEFAULT_DEPTH = 200, 6
MOST_WIDTH, MOST_DEPTH = 2000, 7
MOST_TRIED = 40
"""First placements whose paths are tried out; then the piece is dropped where it is."""
LOST = -2e9
"""The value of a plan when every placement that was found loses."""


class Plan(NamedTuple):
    """What to do with the piece in play.

    path:  taps in order: `hold` or not, those of `placements.TAPS`, and `hard`
    keys:  the same, frame by frame
    value: of the best board found behind it, in the style's weights; comparable within one state
    """

    placement: Placement
    path: tuple[str, ...]
    value: float
    keys: tuple[Action, ...]


class Bot:
    """A `core.Player` of the puzzle `Modern`."""

    def __init__(
        self,
        level: Level,
        handling: Handling | None = None,
        style: Style = "attack",
        width: int = DEFAULT_WIDTH,
        seed: int = 0,
        depth: int = DEFAULT_DEPTH,
        weights: Weights | None = None,
    ) -> None:
        """width: boards kept in each round of the beam; depth: rounds, of a piece each; `seed` has no effect;
        weights: others than the style's. Raises LevelError, WinnableError."""
        if level.rules != "guideline":
            raise LevelError("modern.bot", field="rules", rules=level.rules)
        if style not in STYLES:
            raise WinnableError("modern.style", field="style", given=style, known=list(STYLES))
        if not 1 <= width <= MOST_WIDTH:
            raise WinnableError("params.range", field="width", given=width, low=1, high=MOST_WIDTH)
        if not 1 <= depth <= MOST_DEPTH:
            raise WinnableError("params.range", field="depth", given=depth, low=1, high=MOST_DEPTH)
        self._rules = Modern(level, handling).rules
        self._depth = depth
        self._weights = WEIGHTS[style] if weights is None else weights
        self._beam, self._work = new_beam(width), new_workspace()
        self._line: list[tuple[AnyState, int]] = []
        """The frames of the plan that are to come, the next one last."""

    def next_keys(self, state: AnyState) -> Action:
        """The keys of this frame. Plans only when the state is not the one that was planned for."""
        if not self.is_ready(state):
            self._line = self._planned(state)[1][::-1]
        return self._line.pop()[1]

    choose = next_keys

    def is_ready(self, state: AnyState) -> bool:
        """Whether the keys of this frame are planned already."""
        return bool(self._line) and self._line[-1][0] == state

    def plan(self, state: AnyState) -> Plan:
        """Plan the piece in play. Raises IllegalAction when the game has ended."""
        return self._planned(state)[0]

    def evaluate(self, state: AnyState) -> float:
        """The value of the board alone, in the style's weights: near 0 when it is empty, less when it is
        worse."""
        return float(board_value(_columns(state.rows), self._weights, self._beam.heights))

    def _planned(self, state: AnyState) -> tuple[Plan, list[tuple[AnyState, int]]]:
        if state.status != "playing":
            raise IllegalAction("modern.ended", status=state.status)
        grounded = rows_a_frame(self._rules.level(state)) > 1  # too fast to be steered in the air
        found = self._search(state, grounded)
        order = np.argsort(-self._beam.first_values[:found], kind="stable")[:MOST_TRIED]
        for first in order.tolist():
            _, swapped, piece, turn, x, y, spin = self._beam.firsts[first].tolist()
            placement = Placement(NAMES[piece], turn, x, y, SPINS[spin])
            path = self._path(state, placement, bool(swapped), grounded)
            line = keys_for(self._rules, state, path, placement, grounded)
            if line is not None:
                value = float(self._beam.first_values[first])
                return Plan(placement, path, value, tuple(keys for _, keys in line)), line
        fingers = Fingers(self._rules, state, False)
        fingers.play(("hard",))
        plan = Plan(
            at_rest(state.rows, state.active), ("hard",), LOST, tuple(keys for _, keys in fingers.line)
        )
        return plan, fingers.line

    def _search(self, state: AnyState, grounded: bool) -> int:
        active: Active = state.active
        pieces = [active.piece, *(seen.piece for seen in self._rules.following(state))]
        start = Start(
            _columns(state.rows),
            NAMES.index(state.hold) if state.hold else EMPTY,
            not state.has_held,
            np.array([NAMES.index(piece) for piece in pieces]),
            Pose(active.turn, active.x, active.y, SPINS.index(spin_of(state.rows, active))),
            state.tally.combo,
            state.tally.back_to_back,
            grounded,
        )
        return search(start, self._depth, self._weights, _tables(), _sent(), self._work, self._beam)

    def _path(self, state: AnyState, placement: Placement, swapped: bool, grounded: bool) -> tuple[str, ...]:
        rows, active = state.rows, state.active
        if swapped:
            x, y = SPAWN
            active = fallen(rows, Active(placement.piece, 0, x, y), 1)
        spin = SPINS.index(spin_of(rows, active))
        count = reach(
            _columns(rows), NAMES.index(active.piece), active.turn, active.x, active.y, spin, grounded,
            _tables(), self._work,
        )  # fmt: skip
        wanted = (placement.turn, placement.x, placement.y, SPINS.index(placement.spin))
        found = self._work.found[:count]
        index = found[:, [TURN, X, Y, SPIN]].tolist().index(list(wanted))
        taps = tuple(TAPS[tap] for tap in taps_to(self._work.came, int(found[index, STATE])))
        return (*(("hold",) if swapped else ()), *taps, "hard")


_tables, _sent = cache(new_tables), cache(new_sent)


def _columns(rows: tuple[str, ...]) -> U64:
    columns = [0] * WIDTH
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            if cell != ".":
                columns[x] |= 1 << y
    return np.array(columns, np.uint64)


def warm() -> None:
    """Compiles every kernel."""
    level = Level()
    bot, state = Bot(level, width=1), Modern(level).initial()
    bot.plan(state)
    bot.evaluate(state)
