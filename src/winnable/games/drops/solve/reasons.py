"""Why the clicks that are left do not empty a board, in at most eight cells: counts that anyone can redo.

Each cell with drops bursts once, when what it lacks has come, from clicks or as droplets. A cell sends one
droplet each way, and a droplet gets past no cell that holds drops. So when a cell absorbs a droplet, all
cells between it and the sender have burst before, and the sender too: of the order in which the cells of a
line burst it follows how many droplets some of them can absorb, and of all orders, how many at the most. What
some cells lack beyond that takes clicks (`lack`; without those cells, `lack_rest`; of all cells, `lack_all`).
However droplets are timed, ordered or lost plays no part in it. (solve/price_kernels.py does the same with
weights.)

With one click or two left all that can be done is looked at: some of the marked cells stay (`stays`).

Only the readable rules are used here. All this is about boards with a number of clicks, without tanks, where
empty cells cannot be clicked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain
from typing import TypeAlias

from winnable.contract.abilities import MOST_MARKED, Reason
from winnable.contract.core import Action, Budget, LevelError
from winnable.games.drops.rules.level import FULL
from winnable.games.drops.rules.puzzle import Drops, State

Cells: TypeAlias = frozenset[Action]

LOOKED_AHEAD = 2
MOST_LOOKED_AT = 2000
"""Orders of clicks."""


def find_reason(puzzle: Drops, state: State, budget: Budget) -> Reason | None:
    """None: the position can be won, or no such reason was found within the budget."""
    if not (_is_plain(puzzle) and state.left and not puzzle.is_goal(state)):
        return None
    return _lack(puzzle, state, budget) or _stays(puzzle, state, budget)


def reason_fault(puzzle: Drops, state: State, reason: Reason) -> LevelError | None:
    """Why it does not show that the position is lost; None when it does."""
    filled = _filled(state)
    if len(reason.marked) > MOST_MARKED or reason.marked != tuple(sorted(filled.intersection(reason.marked))):
        return LevelError("reason.marked", field="marked", most=MOST_MARKED)
    if not _is_plain(puzzle) or state.left is None:
        return LevelError("reason.escape")
    if reason.why == "stays":
        return _stays_fault(puzzle, state, reason)
    if reason.why not in ("lack", "lack_rest", "lack_all"):
        return LevelError("reason.why", field="why", given=reason.why[:40])
    if bool(reason.marked) == (reason.why == "lack_all"):
        return LevelError("reason.marked", field="marked", most=MOST_MARKED)
    counted = frozenset(reason.marked) if reason.why == "lack" else filled - set(reason.marked)
    found = _values(puzzle, state, counted)
    if reason.values != found:
        return LevelError("reason.values", field="values", given=str(reason.values), found=str(found))
    return None if found["clicks"] > state.left else LevelError("reason.escape")


def _is_plain(puzzle: Drops) -> bool:
    level = puzzle.level
    return level.every is None and level.flash is None and not level.open


def _filled(state: State) -> Cells:
    return frozenset(cell for cell, drops in enumerate(state.cells) if drops)


# -- what is lacking -----------------------------------------------------------------------------------------


def _lack(puzzle: Drops, state: State, budget: Budget) -> Reason | None:
    """Goes from a few cells, and from all, to better choices, cell by cell."""
    assert state.left is not None
    filled = _filled(state)
    emptiest = sorted(filled, key=lambda cell: (state.cells[cell], cell))[:MOST_MARKED]

    def few(counted: Cells) -> bool:
        return len(counted) <= MOST_MARKED

    def most(counted: Cells) -> bool:
        return len(filled) - len(counted) <= MOST_MARKED

    starts: list[tuple[Cells, Callable[[Cells], bool]]] = [
        (frozenset(emptiest), few),
        (frozenset(), few),
        (filled, most),
    ]
    for start, fits in starts:
        for counted in _climbed(puzzle, state, start, fits, budget):
            values = _values(puzzle, state, counted)
            if values["clicks"] <= state.left:
                continue
            rest = filled - counted
            if not rest:
                return Reason("lack_all", (), values)
            if few(counted):
                return Reason("lack", tuple(sorted(counted)), values)
            return Reason("lack_rest", tuple(sorted(rest)), values)
    return None


def _climbed(
    puzzle: Drops, state: State, counted: Cells, fits: Callable[[Cells], bool], budget: Budget
) -> Iterator[Cells]:
    """Better and better choices of cells, each one cell more or less than the one before."""
    filled = _filled(state)
    best = _clicks(puzzle, state, counted)
    while True:
        yield counted
        found = counted
        for cell in sorted(filled):
            if not budget.allows("reason", len(counted), len(filled)):
                return
            other = counted ^ {cell}
            if fits(other) and (clicks := _clicks(puzzle, state, other)) > best:
                best, found = clicks, other
        if found == counted:
            return
        counted = found


def _clicks(puzzle: Drops, state: State, counted: Cells) -> int:
    return _values(puzzle, state, counted)["clicks"]


def _values(puzzle: Drops, state: State, counted: Cells) -> dict[str, int]:
    """What these cells lack, the most that chain reactions bring them, and what is left."""
    assert state.left is not None
    lack = sum(FULL + 1 - state.cells[cell] for cell in counted)
    brought = sum(
        most_absorbed(tuple(cell in counted for cell in line)) for line in _lines(state.cells, puzzle.columns)
    )
    return {"lack": lack, "brought": brought, "clicks": lack - brought, "left": state.left}


@lru_cache(1024)
def _lines(cells: bytes, columns: int) -> list[list[Action]]:
    """The cells with drops of each row and each column."""
    rows = [range(start, start + columns) for start in range(0, len(cells), columns)]
    across = [range(column, len(cells), columns) for column in range(columns)]
    return [[cell for cell in line if cells[cell]] for line in chain(rows, across)]


@lru_cache(1 << 16)
def most_absorbed(counted: tuple[bool, ...]) -> int:
    """The most droplets along one line that the counted ones of its cells absorb, of all orders in which
    these cells may burst."""

    @lru_cache(None)
    def between(first: int, end: int, before: bool, behind: bool) -> int:
        """Of what the cells from `first` on send, up to `end`. All around them burst later; before, behind:
        whether a counted one is among those on either side that a droplet can get to."""
        return max(
            (
                before
                + behind
                + between(first, last, before, behind or counted[last])
                + between(last + 1, end, before or counted[last], behind)
                for last in range(first, end)
            ),
            default=0,
        )

    return between(0, len(counted), False, False) if any(counted) else 0


# -- all that can be done ------------------------------------------------------------------------------------


def _stays(puzzle: Drops, state: State, budget: Budget) -> Reason | None:
    """Names cells that are among those left over most often."""
    assert state.left is not None
    if not _can_be_looked_at(state):
        return None
    left_over: list[Cells] = []
    for cells in _left_over(puzzle, state):
        if not budget.allows("reason", len(left_over), len(left_over)):
            return None
        left_over.append(cells)
    marked: set[Action] = set()
    while left_over and len(marked) < MOST_MARKED:
        counts = Counter(chain.from_iterable(left_over))
        if not counts:
            return None
        marked.add(min(counts, key=lambda cell: (-counts[cell], cell)))
        left_over = [cells for cells in left_over if not cells & marked]
    return None if left_over else Reason("stays", tuple(sorted(marked)), {"left": state.left})


def _stays_fault(puzzle: Drops, state: State, reason: Reason) -> LevelError | None:
    if reason.values != {"left": state.left}:
        return LevelError(
            "reason.values", field="values", given=str(reason.values), found=f"left: {state.left}"
        )
    if not _can_be_looked_at(state):
        return LevelError("reason.large")
    holds = all(cells.intersection(reason.marked) for cells in _left_over(puzzle, state))
    return None if holds else LevelError("reason.escape")


def _can_be_looked_at(state: State) -> bool:
    assert state.left is not None
    return state.left <= LOOKED_AHEAD and len(_filled(state)) ** state.left <= MOST_LOOKED_AT


def _left_over(puzzle: Drops, state: State) -> Iterator[Cells]:
    """The cells with drops, now and after whatever is clicked with all that is left. With the last drop only
    a full cell is worth a click: after all else the same cells hold drops."""
    yield _filled(state)
    for cell in puzzle.legal_actions(state):
        if state.cells[cell] == FULL or state.left != 1:
            yield from _left_over(puzzle, puzzle.apply(state, cell))
