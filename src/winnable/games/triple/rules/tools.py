"""The variant `tools`: triple with the three helpers of the real game, each usable a limited number of times.

- `undo` puts the tile picked last back on the board, as long as it still lies in the tray.
- `move_out` lays the three leftmost tiles of the tray beside it (fewer if there are fewer); each can be
  picked again at any time.
- `shuffle` deals the kinds of the tiles on the board anew among these tiles.

The tray keeps tiles of one kind together, new kinds at the right end, as the real game shows it: that order
says which three are leftmost. A shuffle follows from the level's `tools.seed`, the shuffles left and the
position, so that rules stay free of chance: the same actions give the same game.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from msgspec import structs

from winnable.contract.core import Action, IllegalAction
from winnable.games.triple.rules.level import SIDE, Level
from winnable.games.triple.rules.puzzle import Observation, Picked, SeenTile, SeenTool, Triple, picked_flags

TOOLS = ("undo", "move_out", "shuffle")
MOVED_OUT = 3


class ToolsState(NamedTuple):
    """picked: tiles off the board (bit set); tray, aside: tile numbers, left to right; kinds: the kind of
    each tile, one byte a tile; uses: what is left of each of TOOLS; last: what `undo` would put back."""

    picked: Picked
    tray: tuple[int, ...]
    aside: tuple[int, ...]
    kinds: bytes
    uses: tuple[int, ...]
    last: int | None


class TripleWithTools:
    """One level with tools as a `Puzzle[ToolsState]`; the actions after the tiles' own are undo, move_out and
    shuffle, in this order."""

    def __init__(self, level: Level) -> None:
        if level.tools is None:
            raise ValueError("level.tools: the variant needs them")
        self.level = level
        self.plain = Triple(level)
        self.slots = level.slots
        self._tools = level.tools
        self._count = len(level.tiles)

    @property
    def num_actions(self) -> int:
        """How many tiles the level has, and one for each tool."""
        return self._count + len(TOOLS)

    def initial(self) -> ToolsState:
        """The full board with all uses of tools."""
        uses = (self._tools.undo, self._tools.move_out, self._tools.shuffle)
        return ToolsState(0, (), (), bytes(self.plain.kinds), uses, None)

    def legal_actions(self, state: ToolsState) -> Sequence[Action]:
        """The free tiles, also those aside, ascending; then the tools that can be used."""
        if len(state.tray) >= self.slots or self.is_goal(state):
            return []
        tiles = sorted([*self.plain.uncovered(state.picked), *state.aside])
        return tiles + [self._count + tool for tool in range(len(TOOLS)) if not self._tool_fault(state, tool)]

    def apply(self, state: ToolsState, action: Action) -> ToolsState:
        """Picks a tile or uses a tool. Raises IllegalAction."""
        if not 0 <= action < self.num_actions:
            raise IllegalAction(
                "triple.tool.number",
                given=action,
                last=self._count - 1,
                first=self._count,
                most=self.num_actions - 1,
            )
        if len(state.tray) >= self.slots:
            raise IllegalAction("triple.tool.full", given=self.action_name(action))
        if action < self._count:
            return self._pick(state, action)
        tool = action - self._count
        fault = self._tool_fault(state, tool)
        if fault:
            raise IllegalAction(fault, field=TOOLS[tool])
        used = state._replace(uses=tuple(left - (index == tool) for index, left in enumerate(state.uses)))
        return (self._undo, self._move_out, self._shuffle)[tool](used)

    def is_goal(self, state: ToolsState) -> bool:
        """Whether no tile is left on the board, in the tray or aside."""
        return self.plain.is_goal(state.picked) and not state.tray and not state.aside

    def cost(self, state: ToolsState, action: Action) -> int:
        """One for each click, tools included."""
        return 1

    def completion(self, state: ToolsState) -> float:
        """The share of all tiles that are neither on the board nor aside."""
        return (state.picked.bit_count() - len(state.aside)) / self._count

    def observe(self, state: ToolsState) -> Observation:
        """What a person sees of the state."""
        over = len(state.tray) >= self.slots
        return Observation(
            tiles=self.plain.seen_tiles(state.picked, state.kinds),
            tray=tuple(state.kinds[tile] for tile in state.tray),
            slots=self.slots,
            bounds=self.plain.bounds,
            status="won" if self.is_goal(state) else "lost" if over else "playing",
            aside=tuple(self._seen_aside(state, tile) for tile in state.aside),
            tools=tuple(
                SeenTool(name, self._count + tool, state.uses[tool]) for tool, name in enumerate(TOOLS)
            ),
        )

    def action_name(self, action: Action) -> str:
        """The tool's name, or the tile's as in the plain rules. Raises IllegalAction."""
        if self._count <= action < self.num_actions:
            return TOOLS[action - self._count]
        return self.plain.action_name(action)

    def parse_action(self, text: str) -> Action:
        """A tool by its name or number, or a tile by its number. Raises IllegalAction."""
        if text.strip() in TOOLS:
            return self._count + TOOLS.index(text.strip())
        number = text.partition(":")[0].strip()
        if number in {str(self._count + tool) for tool in range(len(TOOLS))}:
            return int(number)
        return self.plain.parse_action(text)

    def _pick(self, state: ToolsState, tile: int) -> ToolsState:
        if tile in state.aside:
            aside = tuple(other for other in state.aside if other != tile)
            return self._into_tray(state._replace(aside=aside, last=None), tile)
        picked = self.plain.apply_on_board(state.picked, tile)
        return self._into_tray(state._replace(picked=picked, last=tile), tile)

    def _into_tray(self, state: ToolsState, tile: int) -> ToolsState:
        kind = state.kinds[tile]
        alike = [place for place, other in enumerate(state.tray) if state.kinds[other] == kind]
        place = alike[-1] + 1 if alike else len(state.tray)
        tray = (*state.tray[:place], tile, *state.tray[place:])
        if len(alike) < 2:
            return state._replace(tray=tray)
        return state._replace(tray=tuple(other for other in tray if state.kinds[other] != kind), last=None)

    def _tool_fault(self, state: ToolsState, tool: int) -> str:
        """The code of why the tool cannot be used now; empty when it can."""
        if not state.uses[tool]:
            return "triple.tool.uses"
        if TOOLS[tool] == "undo" and state.last is None:
            return "triple.tool.undo"
        if TOOLS[tool] == "move_out" and not state.tray:
            return "triple.tool.empty"
        if TOOLS[tool] == "shuffle" and self._count - state.picked.bit_count() < 2:
            return "triple.tool.shuffle"
        return ""

    def _undo(self, state: ToolsState) -> ToolsState:
        assert state.last is not None
        tray = tuple(tile for tile in state.tray if tile != state.last)
        return state._replace(picked=state.picked & ~(1 << state.last), tray=tray, last=None)

    def _move_out(self, state: ToolsState) -> ToolsState:
        out, tray = state.tray[:MOVED_OUT], state.tray[MOVED_OUT:]
        last = None if state.last in out else state.last
        return state._replace(tray=tray, aside=state.aside + out, last=last)

    def _shuffle(self, state: ToolsState) -> ToolsState:
        gone = picked_flags(state.picked, self._count)
        tiles = [tile for tile in range(self._count) if not gone[tile]]
        order = _permutation(len(tiles), f"{self._tools.seed}/{state.uses[2]}/{state.picked:x}")
        kinds = bytearray(state.kinds)
        for tile, source in zip(tiles, order, strict=True):
            kinds[tile] = state.kinds[tiles[source]]
        return state._replace(kinds=bytes(kinds))

    def _seen_aside(self, state: ToolsState, tile: int) -> SeenTile:
        place = self.level.tiles[tile]
        return SeenTile(tile, state.kinds[tile], place.x, place.y, place.layer, open=True)


def plain_position(puzzle: TripleWithTools, state: ToolsState, more_slots: int = 0) -> tuple[Triple, Picked]:
    """The position without further tools: plain rules with the kinds of now, the tiles laid aside standing
    free beside the board. Tile numbers stay, so without `more_slots` a line of it is a line of `state`."""
    tiles = [
        structs.replace(tile, kind=kind) for tile, kind in zip(puzzle.level.tiles, state.kinds, strict=True)
    ]
    picked = state.picked
    for place, number in enumerate(state.aside):
        tiles[number] = structs.replace(tiles[number], x=puzzle.plain.bounds.right + place * SIDE)
        picked &= ~(1 << number)
    slots = puzzle.slots + more_slots
    return Triple(structs.replace(puzzle.level, tiles=tuple(tiles), slots=slots, tools=None)), picked


def _permutation(count: int, key: str) -> list[int]:
    """A permutation that follows from `key` alone, on every platform: indices sorted by their hash."""
    return sorted(range(count), key=lambda index: hashlib.sha256(f"{key}/{index}".encode()).digest())
