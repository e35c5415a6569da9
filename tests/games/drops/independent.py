"""The rules of drops once more, by another method than `chain.py`, to hold the two together.

A board is a dict from (x, y) to the drops there, without the empty cells. A burst foretells all that its four
droplets could do: one arrival for each cell of the ray, at its time, whatever lies in between. A heap gives
the arrivals by time and by rank of the droplet; what has been absorbed meanwhile is passed over.

Under `symmetric` no order matters, so there no droplet has one: each tick counts what arrives in each cell.
"""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass
from itertools import count

Cell = tuple[int, int]
Board = dict[Cell, int]

STEPS = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}
ORDERED = {
    "classic": (0, 1, "down up right left"),
    "snappers": (1, 1, "up right down left"),
    "half": (1, 2, "up right left down"),
}
"""Time to the neighbouring cell, time to each one after it, and the order of a burst's droplets."""


@dataclass(frozen=True)
class Click:
    """What one click did: the board after it, and the cells that burst."""

    board: Board
    burst: list[Cell]


def board_of(rows: tuple[str, ...]) -> Board:
    return {(x, y): int(drops) for y, row in enumerate(rows) for x, drops in enumerate(row) if drops != "0"}


def cells_of(board: Board, width: int, height: int) -> bytes:
    return bytes(board.get((x, y), 0) for y in range(height) for x in range(width))


def click(board: Board, cell: Cell, width: int, height: int, rules: str) -> Click:
    """One drop more on `cell`, which may be empty. `board` stays as it is."""
    if rules == "symmetric":
        return _click_by_counting(dict(board), cell, width, height)
    return _click_by_arrivals(dict(board), cell, width, height, rules)


def _click_by_arrivals(board: Board, clicked: Cell, width: int, height: int, rules: str) -> Click:
    near, far, order = ORDERED[rules]
    arrivals: list[tuple[int, int, Cell]] = []
    ranks, absorbed, burst = count(), set[int](), list[Cell]()

    def drop_on(cell: Cell, now: int) -> None:
        board[cell] = board.get(cell, 0) + 1
        if board[cell] < 5:
            return
        del board[cell]
        burst.append(cell)
        for way in order.split():
            rank = next(ranks)
            for step, place in enumerate(_ray(cell, way, width, height)):
                heapq.heappush(arrivals, (now + near + step * far, rank, place))

    drop_on(clicked, 0)
    while arrivals:
        now, rank, place = heapq.heappop(arrivals)
        if rank not in absorbed and place in board:
            absorbed.add(rank)
            drop_on(place, now)
    return Click(board, burst)


def _ray(cell: Cell, way: str, width: int, height: int) -> list[Cell]:
    """The cells from beside `cell` to the edge."""
    (x, y), (dx, dy) = cell, STEPS[way]
    found: list[Cell] = []
    while 0 <= (x := x + dx) < width and 0 <= (y := y + dy) < height:
        found.append((x, y))
    return found


def _click_by_counting(board: Board, clicked: Cell, width: int, height: int) -> Click:
    burst: list[Cell] = []
    arriving = Counter({(clicked, "up"): 1})
    while arriving:
        by_cell: Counter[Cell] = Counter()
        for (cell, _), number in arriving.items():
            by_cell[cell] += number
        if not burst and clicked not in board:
            board[clicked] = 0  # a click fills an empty cell, a droplet never does
        flying: Counter[tuple[Cell, str]] = Counter(
            {(cell, way): number for (cell, way), number in arriving.items() if cell not in board}
        )
        for cell, number in by_cell.items():
            if cell in board:
                board[cell] += number
                if board[cell] > 4:
                    del board[cell]
                    burst.append(cell)
                    flying.update((cell, way) for way in STEPS)
        arriving = Counter[tuple[Cell, str]]()
        for ((x, y), way), number in flying.items():
            x, y = x + STEPS[way][0], y + STEPS[way][1]
            if 0 <= x < width and 0 <= y < height:
                arriving[(x, y), way] += number
    return Click(board, burst)


@dataclass(frozen=True)
class Game:
    """A level without a tank, and how it may be played."""

    width: int
    height: int
    rules: str
    open: bool

    def choices(self, board: Board) -> list[Cell]:
        """Row by row; none on an empty board."""
        cells = [(x, y) for y in range(self.height) for x in range(self.width)]
        return [cell for cell in cells if self.open or cell in board] if board else []

    def after(self, board: Board, cell: Cell) -> Board:
        return click(board, cell, self.width, self.height, self.rules).board

    def lines(self, board: Board, depth: int) -> int:
        """Sequences of `depth` clicks, each walked by itself."""
        if depth == 0:
            return 1
        return sum(self.lines(self.after(board, cell), depth - 1) for cell in self.choices(board))

    def positions(self, board: Board, depth: int) -> int:
        """Different boards after `depth` clicks."""
        layer = [board]
        for _ in range(depth):
            after = [self.after(before, cell) for before in layer for cell in self.choices(before)]
            layer = [dict(key) for key in {frozenset(board.items()) for board in after}]
        return len(layer)
