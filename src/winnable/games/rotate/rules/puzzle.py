"""Rules of rotate (平面魔方): turn square blocks until each colour is one cluster.

`clusters`: blocks of an even side, by 90, 180 or 270 degrees, each of which is one turn (Kosen Procon 20,
2009; the article). `pairs`: each label is there twice and must lie beside itself; blocks of any side from 2,
by 90 degrees clockwise (Kosen Procon 36, 2025). With `turns` given there are only so many.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from winnable.contract.core import Action, IllegalAction
from winnable.games.rotate.rules import notation
from winnable.games.rotate.rules.blocks import Block, Cells, blocks, turned
from winnable.games.rotate.rules.clusters import cluster_numbers, hang_together, largest_clusters
from winnable.games.rotate.rules.level import Level


class State(NamedTuple):
    cells: Cells
    left: int | None
    """Turns that are left; None: as many as it takes."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What a player sees: everything."""

    rows: int
    columns: int
    rules: str
    cells: tuple[int, ...]
    """Row-major."""
    clusters: tuple[int, ...]
    """The number of each cell's cluster, row-major."""
    excess: int
    """Clusters more than colours: 0 when it is won."""
    finished: tuple[int, ...]
    """Colours that are one cluster."""
    score: int
    """Cells of the largest clusters of all colours."""
    left: int | None
    par: int | None
    """The fewest turns of the whole level, when its certificate says so."""
    best: int | None
    """The turns of its certificate's line: the fewest that are known, where that is not par."""
    status: str
    """`playing`, `won` or `lost` (no turn is left)."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A block before it turns, and the board after that. The last frame of a trace has quarters 0."""

    left: int
    top: int
    side: int
    quarters: int
    cells: tuple[int, ...]


class Rotate:
    """One level as a `Puzzle[State]`, also `Named`, `Observed` and `Stepped`.

    Action `3 * block + quarters - 1` (`pairs`: `block`) turns the block of that number in `self.blocks`.
    """

    def __init__(self, level: Level) -> None:
        self.level = level
        self.rows, self.columns, self.colours = level.rows, level.columns, level.colours
        least, step = (2, 1) if level.rules == "pairs" else (2, 2)
        self.blocks = blocks(self.rows, self.columns, range(least, min(self.rows, self.columns) + 1, step))
        self.ways = 1 if level.rules == "pairs" else 3

    @cached_property
    def numbers(self) -> dict[Block, int]:
        """The number of each block in `blocks`: on a large board it takes as long as all the rest to make."""
        return {block: number for number, block in enumerate(self.blocks)}

    @property
    def num_actions(self) -> int:
        """Three turns of each block, under `pairs` one."""
        return self.ways * len(self.blocks)

    def block(self, action: Action) -> tuple[Block, int]:
        """The block that the action turns, and by how many quarters clockwise."""
        number, way = divmod(action, self.ways)
        return self.blocks[number], way + 1

    def initial(self) -> State:
        """The level's board with all of its turns."""
        return State(self.level.cells, self.level.turns)

    def legal_actions(self, state: State) -> Sequence[Action]:
        """Every turn, until the board is finished or no turn is left."""
        return [] if state.left == 0 or self.is_goal(state) else range(self.num_actions)

    def apply(self, state: State, action: Action) -> State:
        """Turn the block. Raises IllegalAction."""
        self._check(state, action)
        left = None if state.left is None else state.left - 1
        return State(turned(state.cells, self.columns, *self.block(action)), left)

    def trace(self, state: State, action: Action) -> tuple[Frame, ...]:
        """The two frames of a turn. Raises IllegalAction."""
        return self.step(state, action)[1]

    def step(self, state: State, action: Action) -> tuple[State, tuple[Frame, ...]]:
        """The state after a turn, and its two frames. Raises IllegalAction."""
        after = self.apply(state, action)
        block, quarters = self.block(action)
        return after, (Frame(*block, quarters, state.cells), Frame(*block, 0, after.cells))

    def is_goal(self, state: State) -> bool:
        """Whether each colour is one cluster."""
        return hang_together(state.cells, self.columns)

    def cost(self, state: State, action: Action) -> int:
        """Each turn costs 1."""
        return 1

    def observe(self, state: State) -> Observation:
        """Everything about the state: nothing is hidden."""
        numbers = cluster_numbers(state.cells, self.columns)
        largest, excess = largest_clusters(state.cells, numbers), max(numbers) + 1 - self.colours
        certificate = self.level.certificate
        best = certificate.cost if certificate is not None else None
        proved = certificate is not None and best == certificate.lower_bound
        return Observation(
            self.rows,
            self.columns,
            self.level.rules,
            state.cells,
            tuple(numbers),
            excess,
            tuple(colour for colour, size in largest.items() if size == state.cells.count(colour)),
            sum(largest.values()),
            state.left,
            best if proved else None,
            best,
            "playing" if excess and state.left != 0 else "lost" if excess else "won",
        )

    def action_name(self, action: Action) -> str:
        """The turn in the notation of the rules; see notation.py."""
        block, quarters = self.block(action)
        return notation.pair_name(block) if self.ways == 1 else notation.side_name(block, quarters)

    def radius_name(self, action: Action) -> str:
        """The turn with its radius, as the article's text defines it. Under `pairs` there is none: it is
        `action_name`."""
        return self.action_name(action) if self.ways == 1 else notation.radius_name(*self.block(action))

    def parse_action(self, text: str) -> Action:
        """Read the name of a turn. Raises IllegalAction."""
        if self.ways == 1:
            block, quarters = notation.parse_pair(text), 1
        else:
            block, quarters = notation.parse_turn(text)
        if block not in self.numbers:
            size = f"{self.columns} × {self.rows}"
            raise IllegalAction("rotate.block", given=text.strip()[:40], size=size)
        return self.numbers[block] * self.ways + quarters - 1

    def _check(self, state: State, action: Action) -> None:
        if not 0 <= action < self.num_actions:
            raise IllegalAction("rotate.number", given=action, turns=self.num_actions)
        if self.is_goal(state):
            raise IllegalAction("rotate.won")
        if state.left == 0:
            raise IllegalAction("rotate.left")
