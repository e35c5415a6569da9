"""The smallest repair: pairs of tiles swap their kinds, as few as we find, until a line wins the level.

Where an exhaustive search proves that a board cannot be won, it has looked at the kinds of some tiles only,
its *reach*: with the same kinds there, the others swapped, no board can be won. So at least one swap takes a
tile of the reach. That no single swap does is proved swap by swap, many of them by one search.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from winnable.contract.core import Action, Budget, Search, Status
from winnable.contract.game import GaveUp
from winnable.games.triple.repair.outcome import check, repaired
from winnable.games.triple.rules.level import Level
from winnable.games.triple.rules.puzzle import Triple, members
from winnable.games.triple.solve.breadth_search import BreadthSearch
from winnable.games.triple.solve.plan import MAX_CLOSED_TILES, Plan, find_plan
from winnable.games.triple.solve.refutation import bits
from winnable.games.triple.solve.solver import solve_auto
from winnable.inert.arrays import np
from winnable.search.meter import Meter

MOST_POSITIONS = 3_000_000
"""Of the first board, where it was proved lost."""
POSITIONS = 30_000
"""Of those after a swap: most proofs take fewer, and where there are more, a line is likely."""
VERDICT_SECONDS = 0.5
"""For what is left open then."""
KEPT = 6
"""Boards of the swaps so far that get another one."""

Swap: TypeAlias = tuple[int, int]


class FewestSwaps(NamedTuple):
    """kinds: of the tiles, after the swaps; fewest: no fewer do, as far as is proved; line: wins then"""

    kinds: bytes
    swaps: tuple[Swap, ...]
    fewest: int
    line: tuple[Action, ...]


class _Verdict(NamedTuple):
    """reach: the tiles that the proof looked at, as bits; all where there is none. depth: tiles that were put
    back before it closed"""

    status: Status
    line: tuple[Action, ...]
    reach: int
    depth: int


class _Board(NamedTuple):
    kinds: bytes
    swaps: tuple[Swap, ...]
    verdict: _Verdict


def swap_repair(level: Level, seed: int, budget: Budget) -> Search[Level]:
    """`level` with as few swaps as were found, and the line that wins it, without tools, as its certificate.
    The provenance holds the swaps and how few are proved to be needed.

    The same arguments give the same level, unless the clock cuts the search. Raises GaveUp when the budget
    ends before a line is found, LevelError for boards that cannot be repaired.
    """
    found = yield from fewest_swaps(level, seed, budget)
    params, limit = {"swaps": found.swaps, "at_least": found.fewest}, ("expanded", budget)
    return repaired(level, found.kinds, found.line, "triple/fewest-swaps", "triple/auto", params, seed, limit)


def fewest_swaps(level: Level, seed: int, budget: Budget) -> Search[FewestSwaps]:
    """The repair itself. First one swap of each tile of the reach with each kind; then from the boards whose
    searches got furthest; at last, where two were needed, all single swaps, as long as the budget lasts.
    Raises like `swap_repair`."""
    check(level, seed)
    repair = _Repair(level, seed, budget)
    found = yield from repair.run()
    yield from repair.tell(found)
    return found


class _Repair:
    """verdicts: by the kinds of all tiles, one byte each"""

    _plan: Plan

    def __init__(self, level: Level, seed: int, budget: Budget) -> None:
        self._level, self._seed, self._budget = level, seed, budget
        self._puzzle = Triple(level)
        self._meter = Meter(budget)
        self._random = random.Random(seed)
        self._verdicts: dict[bytes, _Verdict] = {}

    def tell(self, found: FewestSwaps) -> Search[bool]:
        """What it came to, as the last progress."""
        return self._meter.allows("swapped", swaps=len(found.swaps), fewest=found.fewest)

    def run(self) -> Search[FewestSwaps]:
        self._plan = yield from find_plan(self._puzzle, self._meter)
        kinds = bytes(self._puzzle.kinds)
        first = yield from self._verdict(kinds, POSITIONS, float("inf"))
        if first.status == "unsolvable":  # then its reach is worth a longer search
            first = yield from self._verdict(kinds, MOST_POSITIONS, float("inf"))
        start = _Board(kinds, (), first)
        if start.verdict.status == "solved":
            return FewestSwaps(kinds, (), 0, start.verdict.line)
        boards = [start]
        while True:
            following: list[_Board] = []
            for board in boards:
                for swap in self._samples(board):
                    after = yield from self._after(board, swap)
                    if after.verdict.status == "solved":
                        return (yield from self._with_proof(start, after))
                    following.append(after)
            boards = sorted(following, key=lambda board: -board.verdict.depth)[:KEPT]

    def _with_proof(self, start: _Board, found: _Board) -> Search[FewestSwaps]:
        """`found` and how many swaps are needed; or a single swap that does, where it comes out meanwhile."""
        fewest = int(start.verdict.status == "unsolvable")
        if fewest and len(found.swaps) > 1:
            try:
                single = yield from self._single_swap(start)
                fewest, found = (1, single) if single else (2, found)
            except GaveUp:
                pass
        return FewestSwaps(found.kinds, found.swaps, fewest, found.verdict.line)

    def _samples(self, board: _Board) -> Iterator[Swap]:
        """Each tile of the reach, in random order, with one of each other kind, outside if there is one."""
        tiles = members(board.verdict.reach)
        self._random.shuffle(tiles)
        for tile in tiles:
            for kind in sorted(set(board.kinds) - {board.kinds[tile]}):
                yield tile, self._partner(board, _of_kind(board.kinds, kind))

    def _partner(self, board: _Board, partners: int) -> int:
        """One of these tiles, outside the reach if there is one."""
        return self._random.choice(members(partners & ~board.verdict.reach or partners))

    def _single_swap(self, start: _Board) -> Search[_Board | None]:
        """One that does, or None: none does. Two tiles outside the reach need not be tried. What is proved
        with one tile outside the new reach holds for all tiles of its kind outside, too. Raises GaveUp when
        there is neither line nor proof for one of them."""
        for tile in members(start.verdict.reach):
            for kind in sorted(set(start.kinds) - {start.kinds[tile]}):
                partners = _of_kind(start.kinds, kind)
                while partners:
                    other = self._partner(start, partners)
                    after = yield from self._after(start, (tile, other))
                    if after.verdict.status == "solved":
                        return after
                    if after.verdict.status == "budget":
                        raise GaveUp("triple.swaps.none", field="fewest-swaps")
                    outside = not after.verdict.reach >> other & 1
                    partners &= after.verdict.reach if outside else ~(1 << other)
        return None

    def _after(self, board: _Board, swap: Swap) -> Search[_Board]:
        kinds = bytearray(board.kinds)
        for tile, other in (swap, swap[::-1]):
            kinds[tile] = board.kinds[other]
        after = bytes(kinds)
        if after not in self._verdicts:
            self._verdicts[after] = yield from self._verdict(after, POSITIONS, VERDICT_SECONDS)
        return _Board(after, (*board.swaps, swap), self._verdicts[after])

    def _verdict(self, kinds: bytes, positions: int, seconds: float) -> Search[_Verdict]:
        """Raises GaveUp when the budget ends."""
        depth = 0
        if self._plan.tiles <= MAX_CLOSED_TILES:
            renumbered = np.unique(np.frombuffer(kinds, np.uint8), return_inverse=True)[1].astype(np.int32)
            tables = self._plan.dealt(self._plan.backward, renumbered)
            search = BreadthSearch(self._plan, tables, 0)
            outcome = yield from search.run(self._meter, positions, self._budget.memory_mb << 19)
            yield from search.release(self._meter)
            if outcome == "solved":
                return _Verdict("solved", search.line(), 0, search.depth)
            if outcome == "exhausted":
                return _Verdict("unsolvable", (), search.reach, search.depth)
            depth = search.depth
        puzzle = Triple(self._level.with_kinds(kinds), self._puzzle)
        part = self._budget.part(most=seconds)
        result = yield from solve_auto(puzzle, puzzle.initial(), part, self._seed)
        self._meter.expanded += result.expanded
        if result.status == "budget" and not (yield from self._meter.allows("fewest-swaps")):
            raise GaveUp("triple.swaps.budget", field="fewest-swaps")
        return _Verdict(result.status, result.actions, (1 << self._plan.tiles) - 1, depth)


def _of_kind(kinds: bytes, kind: int) -> int:
    return bits(tile for tile, other in enumerate(kinds) if other == kind)
