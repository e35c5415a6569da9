"""What a person sees of a board of triple, as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from winnable.contract.abilities import Field
from winnable.games.triple.rules.level import MAX_KINDS
from winnable.games.triple.rules.puzzle import NOTHING, Triple
from winnable.games.triple.rules.tools import TOOLS, TripleWithTools
from winnable.inert.arrays import NDArray, np

GONE, COVERED, OPEN, ASIDE = range(4)
MOST_USES: Final = 1000
MOST_COORDINATE: Final = 100_000


class TripleArrays:
    """A row or an entry for each tile, by its number, which is its action.

    place: int32 [tiles, 3], where it lies at first: x to the right, y down, in eighths of a tile; its layer
    lies:  int8 [tiles], 0: no longer on the board; 1: something lies on it; 2: it can be picked unless the
           game is over; 3: the tool `move_out` laid it aside, and it can be picked
    kind:  int8 [tiles], what its face shows; -1: nothing, it is hidden or no longer there
    tray:  int8 [slots], the kinds in it as they lie, then -1
    uses:  int16 [3], only with tools: what is left of undo, move_out and shuffle
    """

    def __init__(self, puzzle: Triple | TripleWithTools) -> None:
        self._puzzle = puzzle
        tiles = puzzle.level.tiles
        self._place = np.array([(tile.x, tile.y, tile.layer) for tile in tiles], np.int32)
        self.fields: dict[str, Field] = {
            "place": Field((len(tiles), 3), "int32", 0, MOST_COORDINATE),
            "lies": Field((len(tiles),), "int8", GONE, ASIDE),
            "kind": Field((len(tiles),), "int8", NOTHING, MAX_KINDS - 1),
            "tray": Field((puzzle.slots,), "int8", NOTHING, MAX_KINDS - 1),
        }
        if isinstance(puzzle, TripleWithTools):
            self.fields["uses"] = Field((len(TOOLS),), "int16", 0, MOST_USES)

    def fill(self, state: Any, into: Mapping[str, NDArray[Any]]) -> None:
        """Writes what a person sees of the state into the arrays, see `fields`."""
        seen = self._puzzle.observe(state)
        lies, kind, tray = into["lies"], into["kind"], into["tray"]
        into["place"][:] = self._place
        lies[:], kind[:], tray[:] = GONE, NOTHING, NOTHING
        for tile in seen.tiles:
            lies[tile.tile] = OPEN if tile.open else COVERED
            kind[tile.tile] = NOTHING if tile.kind is None else tile.kind
        for tile in seen.aside:
            lies[tile.tile], kind[tile.tile] = ASIDE, tile.kind
        tray[: len(seen.tray)] = seen.tray
        if seen.tools:
            into["uses"][:] = [tool.uses for tool in seen.tools]
