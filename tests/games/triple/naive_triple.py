"""The rules of triple once more, as slow and plain as possible: what kernels and solvers are measured by."""

from __future__ import annotations

import random
from collections import Counter

from winnable.games.triple.rules.level import SIDE, Level, Tile
from winnable.games.triple.rules.puzzle import Picked, Triple


def random_level(rng: random.Random, most_tiles: int = 24) -> Level:
    """9 to `most_tiles` tiles of up to five kinds on a half-tile grid, in any order; 3 to 7 slots."""
    triples = rng.randint(3, most_tiles // 3)
    kinds = [kind for kind in (rng.randrange(5) for _ in range(triples)) for _ in range(3)]
    rng.shuffle(kinds)
    width = rng.choice([8, 12, 16, 20])
    tiles: list[Tile] = []
    layer = tries = 0
    while len(tiles) < len(kinds):
        tries += 1
        layer += tries % 6 == 0
        tile = Tile(kinds[len(tiles)], rng.randrange(0, width + 1, 4), rng.randrange(0, width + 1, 4), layer)
        if not any(other.layer == layer and overlap(tile, other) for other in tiles):
            tiles.append(tile)
    rng.shuffle(tiles)
    return Level(tuple(tiles), slots=rng.choice([3, 3, 4, 4, 5, 6, 7]))


def random_state(rng: random.Random, puzzle: Triple) -> Picked:
    """A state somewhere in a random game: at its start, in the middle, or lost."""
    state = puzzle.initial()
    for _ in range(rng.choice([0, rng.randrange(puzzle.num_actions)])):
        actions = puzzle.legal_actions(state)
        if not actions:
            break
        state = puzzle.apply(state, rng.choice(actions))
    return state


def overlap(one: Tile, other: Tile) -> bool:
    return abs(one.x - other.x) < SIDE and abs(one.y - other.y) < SIDE


class Naive:
    """Covered by *any* overlapping tile of a higher layer, compared pair by pair; sets of tile numbers."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.above = [
            {
                number
                for number, other in enumerate(level.tiles)
                if other.layer > tile.layer and overlap(tile, other)
            }
            for tile in level.tiles
        ]

    def moves(self, picked: frozenset[int]) -> list[int]:
        counts = Counter(self.level.tiles[tile].kind for tile in picked)
        if sum(count % 3 for count in counts.values()) >= self.level.slots:
            return []
        return [tile for tile, above in enumerate(self.above) if tile not in picked and above <= picked]

    def perft(self, picked: frozenset[int], depth: int) -> int:
        if depth == 0:
            return 1
        return sum(self.perft(picked | {tile}, depth - 1) for tile in self.moves(picked))

    def winnable(self, picked: frozenset[int], lost: set[frozenset[int]] | None = None) -> bool:
        lost = set() if lost is None else lost
        if len(picked) == len(self.level.tiles):
            return True
        if picked in lost:
            return False
        if any(self.winnable(picked | {tile}, lost) for tile in self.moves(picked)):
            return True
        lost.add(picked)
        return False


def picked_set(state: Picked) -> frozenset[int]:
    return frozenset(tile for tile in range(state.bit_length()) if state >> tile & 1)
