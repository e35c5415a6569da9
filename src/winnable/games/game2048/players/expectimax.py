"""Boards of 4 × 4 by looking ahead over a network: what each move is worth, and players that go by it."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Any, Final

from winnable.compiled.dice_kernels import new_dice
from winnable.contract.chance import Turn
from winnable.contract.core import Action, Budget, Search, WinnableError, finish
from winnable.games.game2048.board.kernels import MAX_EXPONENT, afterstates, pack, slides
from winnable.games.game2048.exact import endgame
from winnable.games.game2048.network import kernels as network_kernels
from winnable.games.game2048.network.map import load
from winnable.games.game2048.network.network import Network, folded
from winnable.games.game2048.players import search_kernels
from winnable.games.game2048.players.search_kernels import Line
from winnable.games.game2048.rules.level import FOURS, Level
from winnable.games.game2048.rules.puzzle import Game2048, Seeded2048, State
from winnable.inert.arrays import U64, np
from winnable.search.memory import gives_back

SHIPPED = Path(__file__).parents[1] / "network" / "4x4.network"
SMALL = SHIPPED.with_name("small.network")
"""For pages without a server, which come without the other: it would take 268 MB of a browser's memory."""
PARTS: Final = 16
"""Of a bit, that kernels count in."""
MOST_BOARDS = 3_000_000
"""That the network values for a move, where lines would else go on: a tenth of a second."""
AT_ONCE = 50_000
"""Boards that a kernel values, in some 3 ms."""
SLOTS = 1 << 14
"""Of the table of transpositions."""
HOPE: Final = 0.1
"""Smaller chances count for nothing: a table knows no other way than its own, and there may be one."""
AS_GOOD: Final = 0.001
"""By so much chances may differ, and be as good: where a tile is sure to be made, it matters where."""


class Expectimax:
    """What moves of a level are worth. Not for several threads at once."""

    def __init__(self, level: Level, network: Network) -> None:
        """Raises WinnableError for a level that is not of 4 × 4 cells."""
        if not knows(level):
            raise WinnableError(
                "2048.network.board", field="rows, columns", rows=level.rows, columns=level.columns
            )
        self._game, self._network = Game2048(level), network
        self._fours = level.fours / 100
        shares = 1 - self._fours, self._fours
        self._costs = np.array([[_cost(share, cells) for share in shares] for cells in range(17)])
        self.count = np.zeros(2, np.int64)
        self._table, self._worths = np.zeros((SLOTS, 2), np.uint64), np.zeros(SLOTS, np.float32)
        self._places = np.empty((4, len(network.tuples), 8), np.uint32)

    def values(self, state: State, bits: float, most: int = MOST_BOARDS) -> Search[dict[Action, float]]:
        """Finds for each legal action the rewards that are still to come, its own included. A line goes on
        until its chance, halved with each move, is less than 2 ** -bits, but then at least to the best move
        of one ply. If the network had to value more than `most` boards, all end earlier."""
        while True:
            self.count[:] = 0, most
            found = yield from self._values(state, round(PARTS * bits))
            if bits <= 0 or self.count[0] <= most:
                return found
            bits -= 1

    def by_one_ply(self, state: State) -> dict[Action, float]:
        """The same by what the boards after a move are worth, and no look further."""
        return finish(self._values(state, None))

    def _values(self, state: State, left: int | None) -> Search[dict[Action, float]]:
        network, budget = self._network, Budget()
        known = (min(exponent, MAX_EXPONENT) for exponent in folded(state, network.fold))
        board = np.uint64(pack(tuple(known)))
        afters, rewards = afterstates(board, slides())
        found: dict[Action, float] = {}
        for action in self._game.legal_actions(state):
            after, reward = np.uint64(afters[action]), rewards[action]
            if after == board:  # as tiles beyond the largest do not merge there
                found[action] = self._game.afterstate(state, action)[1]
                continue
            if left is None:
                found[action] = float(reward) + float(network_kernels.value(after, network.net))
                continue
            found[action] = float(reward) + float((yield from self._expected(after, left, budget)))
        return found

    def _expected(self, after: Any, left: int, budget: Budget) -> Search[Any]:
        most = max(left, 0) // PARTS + 2  # as each takes a bit at least
        line = Line(
            np.zeros((most, 3), np.uint64), np.zeros((most, 3), np.int64), np.zeros((most, 3), np.float32),
            np.zeros(1, np.int64),
        )  # fmt: skip
        line.words[0, 0], line.numbers[0, 0], ended = after, left, False
        while not ended:
            ended = search_kernels.expected(
                AT_ONCE, np.float32(self._fours), self.count, self._costs, self._table, self._worths,
                self._places, self._network.net, slides(), line,
            )  # fmt: skip
            boards = int(self.count[0])
            yield from budget.allows("outlook", boards, boards)
        return line.sums[0, 0]


class Searching:
    """A player that goes by the chances of an endgame table, where one that is there gives hope; of moves
    that are as good, or of all where none does, it takes the one that is worth most."""

    def __init__(self, puzzle: Seeded2048, seed: int = 0, *, bits: float) -> None:
        """`seed` has no effect. Raises WinnableError for a level that is not of 4 × 4 cells."""
        self._level, self._search, self._bits = puzzle.level, Expectimax(puzzle.level, network()), bits

    def choose(self, state: Turn[State]) -> Search[Action]:
        """Raises WinnableError when a table is damaged."""
        best = surest(chances(self._level, state.state))
        if len(best) == 1:
            return best[0]
        values = yield from self._search.values(state.state, self._bits)
        return max(best or values, key=values.__getitem__)

    def values(self, state: Turn[State]) -> Search[dict[Action, float]]:
        """What it thinks of each legal action: what they are worth, but where a table gives hope in
        proportion to their chances, and of actions that it has no chance for at least a point less than the
        best. Raises WinnableError when a table is damaged."""
        values = yield from self._search.values(state.state, self._bits)
        if not (known := chances(self._level, state.state)):
            return values
        top, best = max(values.values()), surest(known)
        chosen, chance = max(best, key=values.__getitem__), max(known.values())
        found = {action: min(value, top - 1) for action, value in values.items()}
        found |= {action: top * known[action] / chance for action in known}
        return found | {action: top - (values[chosen] - values[action]) for action in best}


class OnePly:
    """A player that takes the move whose reward and board after it are worth most to the network, and looks
    no further: so quick that it can play on by the hundred."""

    def __init__(self, puzzle: Seeded2048, seed: int = 0, learned: Network | None = None) -> None:
        """`seed` has no effect. Raises WinnableError for a level that is not of 4 × 4 cells."""
        self._network = learned or network()
        self._search = Expectimax(puzzle.level, self._network)
        self._fours = puzzle.level.fours
        self._places = np.empty((4, len(self._network.tuples), 8), np.uint32)

    def choose(self, state: Turn[State]) -> Action:
        """The best action by one ply."""
        return self.best(state.state)

    def best(self, state: State) -> Action:
        """The action whose reward and board after it are worth most."""
        values = self._search.by_one_ply(state)
        return max(values, key=values.__getitem__)

    def makes(self, after: State, goal: int, games: int, dice: U64) -> int:
        """Plays on from a board after a move, without a tile of MAX_EXPONENT -> how many of the games make a
        tile of the exponent `goal`."""
        limit = np.uint64((MAX_EXPONENT + 1 - goal) * 0x0101010101010101)
        return network_kernels.makes(
            np.uint64(pack(after)), limit, self._fours, games, self._places, self._network.net, slides(), dice
        )


def knows(level: Level) -> bool:
    """Whether there are networks for its boards."""
    return (level.rows, level.columns) == (4, 4)


def chances(level: Level, state: State) -> dict[Action, float]:
    """The chances of actions by endgame tables that are there; none where they say nothing, or that there is
    little hope. Raises WinnableError when one is damaged."""
    found = endgame.chances(state) if level.fours == FOURS else None
    return found if found and max(found.values()) >= HOPE else {}


def surest(chances: Mapping[Action, float]) -> list[Action]:
    """The actions with the best chance, or as good as that."""
    least = max(chances.values(), default=0.0) - AS_GOOD
    return [action for action, chance in chances.items() if chance >= least]


_opened: dict[Path, Network] = {}
"""At most one."""
_lock = Lock()


def network() -> Network:
    """The network that players use. Raises WinnableError."""
    path = network_path()
    with _lock:
        if path not in _opened:
            _opened.clear()
            _opened[path] = load(path)
        return _opened[path]


gives_back(_opened.clear, "2048")


def network_path() -> Path:
    """The path of the file that WINNABLE_NETWORK names, else of the best one that ships and is there."""
    if named := os.environ.get("WINNABLE_NETWORK"):
        return Path(named)
    return SHIPPED if SHIPPED.is_file() else SMALL


def _cost(share: float, cells: int) -> int:
    """The bits, in PARTS, that a line loses by a new tile: one for the move, and as many as halve the line's
    chance down to that of just this tile, of a kind that is `share` of all, on just one of `cells` cells."""
    return round(PARTS * (1 + math.log2(max(cells, 1) / share))) if share else 0


def warm() -> None:
    """Compiles what players use."""
    small, state = Network(((0,),)), (1,) + (0,) * 15
    flags = np.zeros(1, np.uint8)
    network_kernels.change(small.weights, flags, np.zeros(0, np.int16), np.float32(1))
    search = Expectimax(Level(), small)
    finish(search.values(state, 0))
    search.by_one_ply(state)
    OnePly(Seeded2048(Level()), learned=small).makes(state, 3, 1, new_dice(0))
