"""Checks that a level cannot be won: walks a closed set of positions, by the rules alone.

That is a set that holds the first position, that no legal action leaves, and in which none is the goal. The
smallest is that of all positions that can be reached, so a certificate need not list them: it says how to
read the game, and how many there are.

Read `forward`, a position is what is picked, and picks lead on from the start to the empty board. Read
`backward`, it is what lies on the board, and tiles are put back, from the empty board to the start: a tile
when all that it lies on are back, and the tray is at each time that of a game that has come there. With
`kinds`, only tiles of these are there, as if the others vanished by themselves; each still waits for those
above it, be it by way of tiles of others. A line that wins the level wins that, too: leave the others out.

Nothing is passed over here but positions whose tray is full. No compiler, no hashes in place of positions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from winnable.contract.core import Budget, LevelError, Search, finish
from winnable.contract.provenance import ClosedSet
from winnable.games.triple.rules.puzzle import Picked, Triple, tiles_above, tiles_below, union
from winnable.inert.arrays import U64, NDArray, distinct_rows, np

MOST_TILES = 4096
"""On larger levels what waits for what would fill the memory."""
MOST_WORDS = 20_000_000
"""Positions with as many tiles done, which are kept at once, times the words of each."""
WORDS_AT_ONCE = 5_000_000
"""Of what follows, before equal positions are told."""
WORDS_IN_STEP = 200_000
"""Of positions that are looked at without a pause."""
SPREAD = 0x9E3779B97F4A7C15
"""2^64 by the golden ratio: what is multiplied by it differs in its upper half, too."""


def refutation_fault(puzzle: Triple, claim: ClosedSet, state: Picked = 0) -> LevelError | None:
    """Why `claim` does not prove that `state` cannot be won; None when it does. Takes about a microsecond for
    each position claimed."""
    return finish(find_fault(puzzle, claim, state, Budget()))


def find_fault(puzzle: Triple, claim: ClosedSet, state: Picked, budget: Budget) -> Search[LevelError | None]:
    """The same; the budget is told of it, and does not end it."""
    if puzzle.num_actions > MOST_TILES:
        return LevelError("closed.tiles", field="closed_set", most=MOST_TILES)
    kinds = set(claim.kinds) or set(puzzle.kinds)
    if not kinds <= set(puzzle.kinds):
        return LevelError("closed.kind", field="kinds", kind=min(kinds - set(puzzle.kinds)))
    tiles = [tile for tile, kind in enumerate(puzzle.kinds) if kind in kinds and not state >> tile & 1]
    if not tiles:
        return LevelError("closed.no_tile", field="kinds")
    backward = claim.reading == "backward"
    walk = _Walk(puzzle, tiles, state, backward, budget)
    sets, found, widest = np.zeros((1, walk.words), np.uint64), 1, MOST_WORDS // walk.words
    for _ in tiles:
        sets = yield from walk.following(sets, min(claim.positions - found, widest))
        found += len(sets)
        if found > claim.positions:
            return LevelError("closed.more", field="positions", claimed=claim.positions)
        if len(sets) > widest:
            return LevelError("closed.most", field="positions", most=widest)
        if len(sets) == 0:
            break
    else:
        return LevelError("closed.start" if backward else "closed.empty")
    if found == claim.positions:
        return None
    return LevelError("closed.fewer", field="positions", claimed=claim.positions, found=found)


class _Walk:
    """A position is a row of uint64, the tiles that are done as bits, 64 to a word. All positions of one call
    have as many done."""

    def __init__(
        self, puzzle: Triple, tiles: Sequence[int], state: Picked, backward: bool, budget: Budget
    ) -> None:
        self.words = _words(puzzle)
        self._budget = budget
        self._tiles, self._room = tiles, puzzle.slots - 1
        before = tiles_below(puzzle) if backward else tiles_above(puzzle)
        taking_part = bits(tiles)
        self._waits = self._packed(before[tile] & taking_part for tile in tiles)
        kinds = sorted({puzzle.kinds[tile] for tile in tiles})
        self._kinds = [kinds.index(puzzle.kinds[tile]) for tile in tiles]
        self._alike = self._packed(
            bits(tile for tile in tiles if puzzle.kinds[tile] == kind) for kind in kinds
        )
        self._resting = [0 if backward else puzzle.tray(state).count(kind) for kind in kinds]
        self._held = np.array([0, 2, 1] if backward else [0, 1, 2], np.int8)
        """In the tray, by the tiles of a kind that are done, modulo 3. Backward, the first one is one of two
        that the tray held when their triple was made."""

    def following(self, sets: U64, most: int) -> Search[U64]:
        """All positions that one more tile leads to, each once; or some of them, when there are more than
        `most`."""
        found, rows, step = [sets[:0]], 0, max(1, WORDS_IN_STEP // self.words)
        for start in range(0, len(sets), step):
            yield from self._budget.allows("closed-set", rows, rows)
            for after in self._after(sets[start : start + step]):
                found.append(after)
                rows += len(after)
                if rows > most + WORDS_AT_ONCE // self.words:
                    found = [(yield from self._distinct(found))]
                    rows = len(found[0])
                    if rows > most:
                        return found[0]
        return (yield from self._distinct(found))

    def _after(self, sets: U64) -> Iterator[U64]:
        """What each tile leads to."""
        columns = np.ascontiguousarray(sets.T)
        fits = self._kinds_that_fit(columns)
        by_some, by_all = np.bitwise_or.reduce(sets), np.bitwise_and.reduce(sets)
        for index in np.flatnonzero(~(self._waits & ~by_some).any(axis=1)).tolist():
            word, bit = self._tiles[index] // 64, np.uint64(1 << self._tiles[index] % 64)
            if by_all[word] & bit:
                continue
            able = fits[self._kinds[index]] & (columns[word] & bit == 0)
            for place in np.flatnonzero(self._waits[index] & ~by_all):
                needs = self._waits[index, place]
                able &= columns[place] & needs == needs
            after = sets.take(np.flatnonzero(able), axis=0)
            after[:, word] |= bit
            yield after

    def _distinct(self, found: Sequence[U64]) -> Search[U64]:
        """Whole rows are compared, in parts by which no two that are equal are parted."""
        sets = np.concatenate(found)
        parts = 1 + sets.size // WORDS_IN_STEP
        keys: U64 = np.zeros(len(sets), np.uint64)
        for place in range(self.words):
            keys = (keys ^ sets[:, place]) * np.uint64(SPREAD)
            keys ^= keys >> np.uint64(32)
        part_of = keys % np.uint64(parts)
        distinct: list[U64] = []
        for part in range(parts):
            yield from self._budget.allows("closed-set", len(sets), len(sets))
            rows = np.flatnonzero(part_of == part)
            distinct.append(distinct_rows(sets.take(rows, axis=0), keys[rows]))
        return np.concatenate(distinct)

    def _kinds_that_fit(self, columns: U64) -> list[NDArray[np.bool_]]:
        """For each kind in which positions one more tile of it leaves room in the tray."""
        tray = np.zeros(columns.shape[1], np.int64)
        changes: list[NDArray[np.int8]] = []
        for alike, resting in zip(self._alike, self._resting, strict=True):
            done = np.full(len(tray), resting, np.uint16)
            for place in np.flatnonzero(alike):
                done += np.bitwise_count(columns[place] & alike[place])
            held = self._held.take(done % 3)
            tray += held
            changes.append(self._held.take((done + 1) % 3) - held)
        return [tray + change <= self._room for change in changes]

    def _packed(self, rows: Iterable[Picked]) -> U64:
        content = b"".join(row.to_bytes(8 * self.words, "little") for row in rows)
        return np.frombuffer(content, "<u8").astype(np.uint64).reshape(-1, self.words)


def _words(puzzle: Triple) -> int:
    """Of a position."""
    return -(-puzzle.num_actions // 64)


def bits(tiles: Iterable[int]) -> int:
    """The tiles as a set: bit i for tile i."""
    return union(1 << tile for tile in tiles)
