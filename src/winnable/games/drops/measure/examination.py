"""What can be proved about one board within a number of chains: its par, its good first clicks, its rivals.

The same board and the same number give the same answers on every machine, unless the budget ends before.
"""

from __future__ import annotations

import random

from winnable import __version__
from winnable.contract.core import Action, Budget, Search, check_line
from winnable.contract.game import keep_to
from winnable.contract.provenance import Certificate
from winnable.games.drops.article.kernels import A
from winnable.games.drops.article.search import TreeSearch, question_of
from winnable.games.drops.article.settings import Weighted
from winnable.games.drops.rules.level import FULL, Level
from winnable.games.drops.rules.puzzle import Drops
from winnable.games.drops.solve import beam
from winnable.games.drops.solve.click_kernels import Bits, click, to_bits, to_cells
from winnable.games.drops.solve.exact import ExactSearch
from winnable.games.drops.solve.kernels import geometry_of
from winnable.games.drops.solve.linked_kernels import new_clicker
from winnable.inert.arrays import np
from winnable.search.meter import Meter

TABLE_BYTES = 64 * 2**20
LONGEST = 40
"""Components that are bound to take more clicks are not searched: it would hardly ever end in a proof."""
QUICK_GAMES, QUICK_CLICKS = 100, 10_000
RIVALS_EFFORT = 10_000_000
"""Chains times cells that each rival may take."""


class Clicks:
    """On the board of a level, without proofs."""

    def __init__(self, level: Level) -> None:
        self._cells, self._bits = level.cells, to_bits(level.cells)
        self._clicker = new_clicker(level)

    def after(self, cell: Action) -> bytes:
        """The cells after a click on one."""
        board = self._bits.copy()
        click(board, self._clicker, cell)
        return to_cells(board, len(self._cells))

    def clear_within_two(self, meter: Meter) -> Search[bool]:
        """Whether one or two clicks empty the board. The last one bursts a full cell. Raises GaveUp."""
        for first in np.flatnonzero(np.frombuffer(self._cells, np.uint8)).tolist():
            if meter.is_due:
                yield from keep_to(meter.budget)
            after = self._bits.copy()
            click(after, self._clicker, first)
            if not after.any():
                return True
            cells = np.frombuffer(to_cells(after, len(self._cells)), np.uint8)
            for second in np.flatnonzero(cells == FULL).tolist():
                board = after.copy()
                click(board, self._clicker, second)
                if not board.any():
                    return True
        return False

    def quick(self, rng: random.Random, meter: Meter) -> Search[list[Action]]:
        """The shortest line of QUICK_GAMES games by chance, or of the first that take QUICK_CLICKS together:
        each click bursts a full cell, or fills one of the fullest where there is none. Raises GaveUp."""
        best: list[Action] = []
        clicks = 0
        for _ in range(QUICK_GAMES):
            if best and clicks >= QUICK_CLICKS:
                break
            if meter.is_due:
                yield from keep_to(meter.budget)
            board, line = self._bits.copy(), list[Action]()
            while board.any() and (not best or len(line) + 1 < len(best)):
                cells = np.frombuffer(to_cells(board, len(self._cells)), np.uint8)
                fullest = np.flatnonzero(cells == cells.max())
                line.append(int(fullest[int(rng.random() * len(fullest))]))
                click(board, self._clicker, line[-1])
            clicks += len(line)
            if not board.any():
                best = line
        return best

    def greedy(self, meter: Meter) -> Search[int | None]:
        """The clicks that the player `greedy` takes to empty the board. None: it would take too long."""
        board = self._bits.copy()
        clicks, chains = 0, 0
        while board.any():
            if chains >= RIVALS_EFFORT // len(self._cells) or not (yield from meter.allows("greedy")):
                return None
            cell, tried = self._greedy_choice(board)
            click(board, self._clicker, cell)
            clicks, chains = clicks + 1, chains + tried
        return clicks

    def _greedy_choice(self, board: Bits) -> tuple[Action, int]:
        """What `players.Greedy` chooses, and how many chains were run for it."""
        cells = np.frombuffer(to_cells(board, len(self._cells)), np.uint8)
        best, most, chains = int(cells.argmax()), 0, 1
        tried: set[int] = set()
        for cell in np.flatnonzero(cells == FULL).tolist():
            if cell in tried:
                continue
            after = board.copy()
            bursts = click(after, self._clicker, cell)
            chains += 1
            left = np.frombuffer(to_cells(after, len(cells)), np.uint8)
            tried.update(np.flatnonzero((cells > 0) & (left == 0)).tolist())
            if bursts > most:
                best, most = cell, bursts
        return best, chains


class Examination:
    """One board, without regard to the level's `drops`, `open` and `flash`.

    most:    chains that proofs may run. Each method answers None when they, or the budget, do not suffice.
    highest: `par` is highest + 1 for a board that takes more clicks than this.
    """

    def __init__(self, level: Level, most: int, highest: int, budget: Budget | None = None) -> None:
        self.level, self.puzzle = level, Drops(Level(board=level.board, rules=level.rules))
        self._most, self._highest, self._meter = most, highest, Meter(budget or Budget())
        self._search = ExactSearch(level, TABLE_BYTES)
        self.clicks = Clicks(level)
        self._line: list[Action] = []
        self._proof: tuple[int, bool] | None = None

    @property
    def chains(self) -> int:
        """The chains that proofs have run until now."""
        return self._search.generated

    def prove(self) -> Search[int | None]:
        """Finds `par`, which is asked for after it, as are `lower_bound` and what needs a par."""
        self._line.clear()
        self._proof = yield from self._fewest(self.level.cells, self._highest, self._line)
        return self.par

    @property
    def par(self) -> int | None:
        """The fewest clicks."""
        assert self._proof is not None
        return self._proof[0] if self._proof[1] else None

    @property
    def lower_bound(self) -> int:
        """No fewer clicks will do."""
        assert self._proof is not None
        return self._proof[0]

    def good_first_clicks(self, most: int) -> Search[list[Action] | None]:
        """The cells after a click on which par - 1 clicks suffice, ascending, or `most` of them. A click that
        only adds a drop counts too. Only for a board whose par is proved."""
        assert self.par is not None
        found: list[Action] = []
        filled = [cell for cell, drops in enumerate(self.level.cells) if drops]
        # Those of a shortest line come first: they are likely to be good.
        for cell in dict.fromkeys((*self.line, *filled)):
            fewest, proved = yield from self._fewest(self.clicks.after(cell), self.par - 1)
            if not proved:
                return None
            if fewest < self.par:
                found.append(cell)
                if len(found) == most:
                    break
        return sorted(found)

    @property
    def line(self) -> tuple[Action, ...]:
        """A shortest line, for a board whose par is proved."""
        assert len(self._line) == self.par
        return tuple(self._line)

    def certificate(self) -> Certificate:
        """The certificate of a board whose par is proved."""
        check_line(self.puzzle, self.line)
        return Certificate("solved", "drops/exact", __version__, self.line, self.par, self.par)

    def greedy(self) -> Search[int | None]:
        """The clicks that the player `greedy` takes."""
        return self.clicks.greedy(self._meter)

    def a(self) -> Search[int | None]:
        """The clicks of the article's algorithm A."""
        state = self.puzzle.initial()
        search = TreeSearch(self.puzzle, state, question_of(self.puzzle, state, A, Weighted().k))
        states = max(1, RIVALS_EFFORT // len(self.level.cells) ** 2)
        meter = Meter(self._meter.budget.counting(states))
        return len(search.line()) if (yield from search.run(meter, "a")) else None

    def _fewest(
        self, cells: bytes, highest: int, line: list[Action] | None = None
    ) -> Search[tuple[int, bool]]:
        """The fewest clicks, highest + 1 when it takes more, and True; or a lower bound and False. The clicks
        are added to `line`, unless it takes too many."""
        total, proved = yield from self._search.fewest(
            cells, highest, self._meter, line, chains=self._most, longest=LONGEST
        )
        return min(total, highest + 1) if proved else total, proved


def expected_par(level: Level) -> float:
    """A guess at the fewest clicks that takes microseconds: the estimate that guides the beam."""
    cells = np.frombuffer(level.cells, np.uint8).astype(np.uint16)
    return beam.outlook(cells, geometry_of(level), np.array(beam.WEIGHTS, np.float64))[2]
