"""What one click sets off: droplets that fly cell by cell until they are absorbed or leave the board.

A cell that holds more than 4 drops bursts: it is empty then, and one droplet flies off in each direction.
Time runs in ticks. A droplet looks at the neighbouring cell after `first` ticks and at each further one after
`further` ticks more. Where drops rest it is absorbed, and one drop more rests there, which may burst; through
empty cells it flies on. Droplets do not touch each other.

Droplets that are due at the same time are looked at from the oldest to the youngest; those of one burst in
the order that the rule set names. So when several reach a cell that bursts with the first of them, the others
either fly on through the emptied cell, or are lost (`absorb`). A burst's droplets are due in a later scan,
never in the one in which they came to be, even when `first` is 0.

Source: the rules that replay the stored solutions of 999 recorded levels (`classic`) and of 1,950 others
(`snappers`); `half` and `symmetric` are those of known clones and solvers of the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from winnable.games.drops.rules.level import FULL, RuleName

DIRECTIONS = {"U": (-1, 0), "R": (0, 1), "D": (1, 0), "L": (0, -1)}
"""Row and column step of each."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    first: int
    """Ticks to the neighbouring cell."""
    further: int
    """Ticks to each cell after that."""
    order: str
    """In which a burst's droplets line up."""
    absorb: bool = False
    """Whether a bursting cell swallows the droplets that arrive in the same tick."""


RULE_SETS: dict[RuleName, RuleSet] = {
    "classic": RuleSet(0, 1, "DURL"),
    "snappers": RuleSet(1, 1, "URDL"),
    "symmetric": RuleSet(1, 1, "URDL", absorb=True),
    "half": RuleSet(1, 2, "URLD"),
}


@dataclass(slots=True)
class _Droplet:
    row: int
    column: int
    direction: str
    due: int
    """The tick of its next step."""


@dataclass(frozen=True, slots=True)
class Flying:
    """A droplet as a frame shows it: over which cell it is and whither it goes (`U`, `R`, `D` or `L`)."""

    row: int
    column: int
    direction: str


@dataclass(frozen=True, slots=True)
class Frame:
    """The board after one scan of the droplets."""

    tick: int
    cells: bytes
    flying: tuple[Flying, ...]
    burst: tuple[int, ...]
    """The cells that burst in this scan."""
    bursts: int
    """Of the whole chain until now."""


def run_chain(cells: bytes, columns: int, clicked: int, rules: RuleSet) -> Iterator[Frame]:
    """One drop more at `clicked` and all that follows; the last frame has no droplets any more."""
    chain = _Chain(cells, columns, rules)
    chain.click(clicked)
    yield chain.frame()
    while chain.flying:
        chain.scan()
        yield chain.frame()


def end_of_chain(cells: bytes, columns: int, clicked: int, rules: RuleSet) -> Frame:
    """The last frame of `run_chain`, without the others."""
    if cells[clicked] < FULL:  # nothing bursts
        return Frame(0, cells[:clicked] + bytes((cells[clicked] + 1,)) + cells[clicked + 1 :], (), (), 0)
    chain = _Chain(cells, columns, rules)
    chain.click(clicked)
    while chain.flying:
        chain.scan()
    return chain.frame()


class _Chain:
    """flying: the droplets, oldest first. newborn: those of the bursts of the scan under way."""

    def __init__(self, cells: bytes, columns: int, rules: RuleSet) -> None:
        self.cells, self.columns, self.rules = bytearray(cells), columns, rules
        self.rows = len(cells) // columns
        self.flying: list[_Droplet] = []
        self.newborn: list[_Droplet] = []
        self.tick = self.bursts = 0
        self.burst_in_tick: list[int] = []
        self.burst_in_scan: list[int] = []

    def add_drop(self, cell: int) -> None:
        self.cells[cell] += 1
        if self.cells[cell] > FULL:
            self.cells[cell] = 0
            self.bursts += 1
            self.burst_in_tick.append(cell)
            self.burst_in_scan.append(cell)
            row, column = divmod(cell, self.columns)
            due = self.tick + self.rules.first
            self.newborn += [_Droplet(row, column, way, due) for way in self.rules.order]

    def click(self, cell: int) -> None:
        self.add_drop(cell)
        self.flying += self.newborn

    def scan(self) -> None:
        """Goes on to the next tick at which a droplet is due, and looks at all that are due then. What is
        newborn lines up behind them."""
        now = min([droplet.due for droplet in self.flying])
        if now > self.tick:
            self.tick = now
            self.burst_in_tick.clear()
        self.burst_in_scan.clear()
        self.newborn.clear()
        self.flying = [droplet for droplet in self.flying if droplet.due > now or self._flies_on(droplet)]
        self.flying += self.newborn

    def _flies_on(self, droplet: _Droplet) -> bool:
        down, right = DIRECTIONS[droplet.direction]
        row, column = droplet.row + down, droplet.column + right
        droplet.row, droplet.column = row, column
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            return False
        cell = row * self.columns + column
        if self.cells[cell] > 0:
            self.add_drop(cell)
            return False
        droplet.due = self.tick + self.rules.further
        return not (self.rules.absorb and cell in self.burst_in_tick)

    def frame(self) -> Frame:
        """What there is now."""
        return Frame(
            self.tick,
            bytes(self.cells),
            tuple(Flying(droplet.row, droplet.column, droplet.direction) for droplet in self.flying),
            tuple(self.burst_in_scan),
            self.bursts,
        )
