"""Why a board takes so many clicks at the least: an argument that a person can check line by line.

Every cell with drops bursts exactly once, and an emptied cell stays empty. A burst takes 5 units of water and
sends 4 droplets on, so that in the end

    clicks = cells - water + droplets lost

A droplet is lost when it leaves the board (or in a cell that bursts, where the rules absorb it). Whatever
bursts last in a row or column loses a droplet at either end of it. With more cells than one, the outermost
cell at one of the ends burst earlier and has lost one more: 2 droplets for a single cell, else at least 3.
And the first burst needs what the fullest cell lacks.

Cells linked by common rows and columns are a group; no droplet goes from one group to another, so what is
true of each adds up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from winnable.contract.core import Action
from winnable.games.drops.rules.level import FULL
from winnable.games.drops.rules.puzzle import Drops, State


@dataclass(frozen=True, slots=True)
class Line:
    """A row or column with drops, and how many droplets get lost along it at the least."""

    index: int
    """From 0."""
    group: int
    cells: int
    lost: int


@dataclass(frozen=True, slots=True)
class Group:
    """Cells that are linked by common rows and columns."""

    cells: int
    water: int
    lost: int
    """The sum over its lines."""
    lacks: int
    """Drops that its fullest cell needs to burst."""
    bound: int
    """No fewer clicks empty it."""


@dataclass(frozen=True, slots=True)
class Explanation:
    groups: tuple[Group, ...]
    rows: tuple[Line, ...]
    columns: tuple[Line, ...]
    bound: int
    """No fewer clicks empty the board."""
    open: bool
    """Empty cells may be clicked: then groups can be joined, and the argument holds for the board as a whole
    (a drop on an empty cell adds one to clicks and to cells alike, and no line loses less for it)."""


def explain(puzzle: Drops, state: State) -> Explanation:
    """The argument for the state on the board. An empty board has no groups and takes no clicks."""
    columns, is_open = puzzle.columns, puzzle.level.open
    filled = [cell for cell, drops in enumerate(state.cells) if drops]
    parts = [filled] if is_open and filled else _linked(filled, columns)
    row_lines: list[Line] = []
    column_lines: list[Line] = []
    groups: list[Group] = []
    for number, part in enumerate(parts):
        rows = _lines([cell // columns for cell in part], number)
        across = _lines([cell % columns for cell in part], number)
        row_lines += rows
        column_lines += across
        groups.append(_group(state, part, sum(line.lost for line in (*rows, *across))))
    return Explanation(
        tuple(groups),
        tuple(sorted(row_lines, key=lambda line: line.index)),
        tuple(sorted(column_lines, key=lambda line: line.index)),
        sum(group.bound for group in groups),
        is_open,
    )


def _group(state: State, part: Sequence[Action], lost: int) -> Group:
    water = sum(state.cells[cell] for cell in part)
    lacks = FULL + 1 - max(state.cells[cell] for cell in part)
    return Group(len(part), water, lost, lacks, max(len(part) - water + lost, lacks))


def _lines(indices: Sequence[int], group: int) -> list[Line]:
    """indices: of the row (or column) of each cell of the group."""
    counts = {index: indices.count(index) for index in sorted(set(indices))}
    return [Line(index, group, cells, min(cells, 2) + 1) for index, cells in counts.items()]


def _linked(filled: Sequence[Action], columns: int) -> list[list[Action]]:
    """The cells by groups, in the order of their first cells."""
    parts: list[list[Action]] = []
    left = list(filled)
    while left:
        part = [left.pop(0)]
        for cell in part:
            linked = [other for other in left if _share_a_line(cell, other, columns)]
            part += linked
            left = [other for other in left if other not in linked]
        parts.append(sorted(part))
    return parts


def _share_a_line(cell: Action, other: Action, columns: int) -> bool:
    return cell // columns == other // columns or cell % columns == other % columns
