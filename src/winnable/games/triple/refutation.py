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

from collections.abc import Iterable

from winnable.games.triple.rules import Picked, Triple, tiles_above, tiles_below
from winnable.provenance import ClosedSet

MOST_TILES = 4096
"""On larger levels what waits for what would fill the memory."""


def refutation_fault(puzzle: Triple, claim: ClosedSet, state: Picked = 0) -> str | None:
    """Why `claim` does not prove that `state` cannot be won; None when it does. Takes some ten microseconds
    for each position claimed."""
    if puzzle.num_actions > MOST_TILES:
        return f"closed_set: only for levels of up to {MOST_TILES} tiles"
    kinds = set(claim.kinds) or set(puzzle.kinds)
    if not kinds <= set(puzzle.kinds):
        return f"kinds: {min(kinds - set(puzzle.kinds))} is not on the board"
    backward = claim.reading == "backward"
    tiles = [tile for tile, kind in enumerate(puzzle.kinds) if kind in kinds and not state >> tile & 1]
    waits = waiting(puzzle, tiles, backward)
    next_to = _next_to(waits)
    alike = {kind: bits(tile for tile in tiles if puzzle.kinds[tile] == kind) for kind in kinds}
    resting = {kind: 0 if backward else puzzle.tray(state).count(kind) for kind in kinds}
    goal = bits(tiles)
    if not goal:
        return "kinds: none of their tiles is there"
    level = {0: (bits(tile for tile in tiles if not waits[tile]), sum(resting.values()))}
    """What is done -> the tiles that can be done next, and how many rest in the tray; all of one size."""
    found = 1
    while level:
        following: dict[int, tuple[int, int]] = {}
        for done, (able, tray) in level.items():
            for tile in members(able):
                after = done | 1 << tile
                if after in following:
                    continue
                kind = puzzle.kinds[tile]
                size = tray + _change((done & alike[kind]).bit_count() + resting[kind], backward)
                if size >= puzzle.slots:
                    continue
                if after == goal:
                    return f"the {'start' if backward else 'empty board'} is reached"
                opened = bits(other for other in next_to[tile] if not waits[other] & ~after)
                following[after] = (able ^ 1 << tile | opened, size)
        found += len(following)
        if found > claim.positions:
            return f"positions: {claim.positions} are claimed, and there are more"
        level = following
    return None if found == claim.positions else f"positions: {claim.positions} are claimed, of {found}"


def waiting(puzzle: Triple, tiles: list[int], backward: bool) -> dict[int, int]:
    """For each of these tiles those of them that must be done before it, as bits."""
    before = tiles_below(puzzle) if backward else tiles_above(puzzle)
    taking_part = bits(tiles)
    return {tile: before[tile] & taking_part for tile in tiles}


def _next_to(waits: dict[int, int]) -> dict[int, list[int]]:
    """For each tile those that may be next when it is done: they wait for it, and for nothing that does."""
    next_to: dict[int, list[int]] = {tile: [] for tile in waits}
    for tile, before in waits.items():
        nearest = unseen = before  # from both ends, where on most levels the nearest are: the others follow
        while unseen:
            for other in (unseen & -unseen).bit_length() - 1, unseen.bit_length() - 1:
                nearest &= ~waits[other]
                unseen &= ~(waits[other] | 1 << other)
        for other in members(nearest):
            next_to[other].append(tile)
    return next_to


def _change(count: int, backward: bool) -> int:
    """Of the tray, by one more tile of a kind of which `count` are done. Forward, one rests until the third
    comes. Backward, the first is one of two that the tray held when their triple was made."""
    if backward:
        return 2 if count % 3 == 0 else -1
    return -2 if count % 3 == 2 else 1


def bits(tiles: Iterable[int]) -> int:
    bits = 0
    for tile in tiles:
        bits |= 1 << tile
    return bits


def members(bits: int) -> list[int]:
    members: list[int] = []
    while bits:
        lowest = bits & -bits
        members.append(lowest.bit_length() - 1)
        bits ^= lowest
    return members
