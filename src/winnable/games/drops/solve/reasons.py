"""Why the clicks that are left do not empty a board, in at most eight cells: counts that anyone can redo.

Each cell with drops bursts once, when what it lacks has come, from clicks or as droplets. A cell sends one
droplet each way, and a droplet gets past no cell that holds drops. So when a cell absorbs a droplet, all
cells between it and the sender have burst before, and the sender too: of the order in which the cells of a
line burst it follows how many droplets they can absorb, and of all orders, how many at the most. What cells
lack beyond that takes clicks. This holds of all cells (`lack_all`), and of some of them (`lack`). However
droplets are timed, ordered or lost plays no part in it.

Some cells are in the way of more droplets than they have a use for. So all cells are counted, but a drop in
one of the marked cells as less than one, in thirds: `thirds` has a digit for each (`lack_capped`). A cell
absorbs no more than it lacks, so that with any such weights the clicks are at least the sum of weights times
what cells lack less the most that the droplets' weights can come to. (price_kernels.py does the same with
finer weights, which are rounded here: thirds prove nearly all that these do.)

With one click or two left all that can be done is looked at: some of the marked cells stay (`stays`).

What is checked here is checked by the readable rules alone. All this is about boards with a number of clicks,
without tanks, where empty cells cannot be clicked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, TypeAlias

from winnable.contract.abilities import MOST_MARKED
from winnable.contract.core import Action, Budget, LevelError, Reason, Search, finish
from winnable.games.drops.rules.level import FULL, Level
from winnable.games.drops.rules.puzzle import Drops, State
from winnable.games.drops.solve.kernels import MOST_BITS, SCALE, geometry_of
from winnable.games.drops.solve.price_kernels import weigh
from winnable.inert.arrays import np

Cells: TypeAlias = frozenset[Action]
Weights: TypeAlias = Mapping[Action, int]
"""Of all cells with drops, in parts of WHOLE."""

WHOLE = 3
MOST_CELLS = 144
"""Of a board; on larger ones lines are too long to be counted soon."""
ROUNDS, AT_ONCE, MOST_CLICKS = 500, 100, 1 << 20
"""For the finer weights; rounds between two looks at the budget."""
LOOKED_AHEAD = 2
MOST_LOOKED_AT = 2000
"""Orders of clicks."""


def find_reason(puzzle: Drops, state: State, budget: Budget) -> Search[Reason | None]:
    """A reason why the position is lost. None: it can be won, or none was found within the budget."""
    if not (_is_plain(puzzle) and state.left and not puzzle.is_goal(state)):
        return None
    return (yield from _lack(puzzle, state, budget)) or (yield from _stays(puzzle, state, budget))


def reason_fault(puzzle: Drops, state: State, reason: Reason) -> LevelError | None:
    """The fault for which a reason does not show that the position is lost; None when it does."""
    filled = _filled(state)
    if len(reason.marked) > MOST_MARKED or reason.marked != tuple(sorted(filled.intersection(reason.marked))):
        return LevelError("reason.marked", field="marked", most=MOST_MARKED)
    if not _is_plain(puzzle) or state.left is None:
        return LevelError("reason.escape")
    if reason.why == "stays":
        return _stays_fault(puzzle, state, reason)
    if reason.why not in ("lack", "lack_all", "lack_capped"):
        return LevelError("reason.why", field="why", given=reason.why[:40])
    if bool(reason.marked) == (reason.why == "lack_all"):
        return LevelError("reason.marked", field="marked", most=MOST_MARKED)
    weights: dict[Action, int] = dict.fromkeys(sorted(filled), 0 if reason.why == "lack" else WHOLE)
    weights |= dict.fromkeys(reason.marked, WHOLE)
    if reason.why == "lack_capped":
        thirds = f"{reason.values.get('thirds', -1):0{len(reason.marked)}}"
        if len(thirds) != len(reason.marked) or not set(thirds) <= set("012"):
            return LevelError("reason.marked", field="thirds", most=MOST_MARKED)
        weights |= dict(zip(reason.marked, map(int, thirds), strict=True))
    found = _reason(puzzle, state, weights)
    if found is None or (found.why, found.marked) != (reason.why, reason.marked):
        return LevelError("reason.marked", field="marked", most=MOST_MARKED)
    if found != reason:
        return LevelError("reason.values", field="values", given=str(reason.values), found=str(found.values))
    return None if found.values["clicks"] > state.left else LevelError("reason.escape")


def warm() -> None:
    """Compiles what `find_reason` uses."""
    puzzle = Drops(Level(("21", "13"), drops=9))
    finish(find_reason(puzzle, puzzle.initial(), Budget()))


def _is_plain(puzzle: Drops) -> bool:
    level = puzzle.level
    limited = level.every is None and level.flash is None and not level.open
    return limited and puzzle.num_actions <= MOST_CELLS


def _filled(state: State) -> Cells:
    return frozenset(cell for cell, drops in enumerate(state.cells) if drops)


# -- what is lacking -----------------------------------------------------------------------------------------


def _lack(puzzle: Drops, state: State, budget: Budget) -> Search[Reason | None]:
    """With all cells counted, then with a few of them, then with some of them counted as less."""
    assert state.left is not None
    filled = sorted(_filled(state))
    all_of_them = dict.fromkeys(filled, WHOLE)
    if (found := _sufficient(puzzle, state, all_of_them)) is not None:
        return found
    finer = yield from _finer(puzzle, state, budget)
    if finer is not None and finer.clicks <= state.left:
        return None
    emptiest = sorted(filled, key=lambda cell: state.cells[cell])[:MOST_MARKED]
    for cells in (emptiest, ()):
        few = dict.fromkeys(filled, 0) | dict.fromkeys(cells, WHOLE)
        few = yield from _climbed(puzzle, state, few, budget, WHOLE)
        if (found := _sufficient(puzzle, state, few)) is not None:
            return found
    if finer is None:
        return None
    weights = yield from _climbed(puzzle, state, finer.weights, budget, 1)
    for cell in filled:
        without = {**weights, cell: WHOLE}
        if _units(puzzle, state, without) > WHOLE * state.left:
            weights = without
    return _sufficient(puzzle, state, weights)


class _Finer(NamedTuple):
    """The weights of price_kernels.py, rounded, and how many clicks they prove before that."""

    weights: Weights
    clicks: int


def _finer(puzzle: Drops, state: State, budget: Budget) -> Search[_Finer | None]:
    """None: the board is too large for them. They are found whatever the budget."""
    if max(puzzle.rows, puzzle.columns) > MOST_BITS:
        return None
    geometry = geometry_of(puzzle.level)
    finer = np.full(puzzle.num_actions + 1, SCALE, np.int64)
    cells = np.frombuffer(state.cells, np.uint8).astype(np.uint16)
    clicks, trial = 0, np.zeros(len(finer))
    for first in range(0, ROUNDS, AT_ONCE):
        yield from budget.allows("reason", first, first)
        clicks = weigh(cells, geometry, finer, trial, first, first + AT_ONCE, MOST_CLICKS)
    weights = {cell: round(WHOLE * int(finer[cell]) / SCALE) for cell in sorted(_filled(state))}
    return _Finer(weights, int(clicks))


def _sufficient(puzzle: Drops, state: State, weights: Weights) -> Reason | None:
    """None: they prove too little, or would mark too many cells."""
    found = _reason(puzzle, state, weights)
    return found if found is not None and found.values["clicks"] > found.values["left"] else None


def _climbed(puzzle: Drops, state: State, weights: Weights, budget: Budget, step: int) -> Search[Weights]:
    """The best that is found by changing the weight of a cell, again and again. With steps of WHOLE, no more
    than MOST_MARKED cells have any."""
    best = _units(puzzle, state, weights)
    while True:
        found = weights
        for cell in weights:
            if not (yield from budget.allows("reason", len(weights), len(weights))):
                return weights
            for weight in (weights[cell] - step, weights[cell] + step):
                other = {**weights, cell: weight}
                if not 0 <= weight <= WHOLE or (step == WHOLE and _named(other) is None):
                    continue
                if (units := _units(puzzle, state, other)) > best:
                    best, found = units, other
        if found is weights:
            return weights
        weights = found


def _named(weights: Weights) -> tuple[str, tuple[Action, ...]] | None:
    """What a reason by these weights is called, and the cells that it marks; None: too many."""
    counted = tuple(sorted(cell for cell, weight in weights.items() if weight))
    less = tuple(sorted(cell for cell, weight in weights.items() if weight < WHOLE))
    if not less:
        return "lack_all", ()
    if len(counted) <= MOST_MARKED and not set(less).intersection(counted):
        return "lack", counted
    return ("lack_capped", less) if len(less) <= MOST_MARKED else None


def _reason(puzzle: Drops, state: State, weights: Weights) -> Reason | None:
    """With what the cells lack that it is about, and the most that chain reactions bring them; None: it would
    mark too many."""
    if (named := _named(weights)) is None or state.left is None:
        return None
    why, marked = named
    lack = sum(FULL + 1 - state.cells[cell] for cell in (marked if why == "lack" else weights))
    clicks = -(-_units(puzzle, state, weights) // WHOLE)
    values = {"lack": lack, "brought": lack - clicks, "clicks": clicks, "left": state.left}
    if why == "lack_capped":
        values["thirds"] = int("".join(str(weights[cell]) for cell in marked))
    return Reason(why, marked, values)


def _units(puzzle: Drops, state: State, weights: Weights) -> int:
    """No fewer clicks empty the board, in parts of WHOLE."""
    lack = sum(weight * (FULL + 1 - state.cells[cell]) for cell, weight in weights.items())
    lines = _lines(state.cells, puzzle.columns)
    return lack - sum(most_absorbed(tuple([weights[cell] for cell in line])) for line in lines)


@lru_cache(1024)
def _lines(cells: bytes, columns: int) -> list[list[Action]]:
    """The cells with drops of each row and each column."""
    rows = [range(start, start + columns) for start in range(0, len(cells), columns)]
    across = [range(column, len(cells), columns) for column in range(columns)]
    return [[cell for cell in line if cells[cell]] for line in chain(rows, across)]


@lru_cache(1 << 16)
def most_absorbed(weights: tuple[int, ...]) -> int:
    """The most that the weights of those of a line's cells that absorb its droplets sum up to, of all orders
    in which the cells may burst."""

    @lru_cache(None)
    def between(first: int, end: int, before: int, behind: int) -> int:
        """Of what the cells from `first` on send, up to `end`. All around them burst later; before, behind:
        the heaviest that a droplet can get to on either side."""
        return max(
            (
                before
                + behind
                + between(first, last, before, max(behind, weights[last]))
                + between(last + 1, end, max(before, weights[last]), behind)
                for last in range(first, end)
            ),
            default=0,
        )

    return between(0, len(weights), 0, 0) if any(weights) else 0


# -- all that can be done ------------------------------------------------------------------------------------


def _stays(puzzle: Drops, state: State, budget: Budget) -> Search[Reason | None]:
    """Names cells that are among those left over most often."""
    assert state.left is not None
    if not _can_be_looked_at(state):
        return None
    left_over: list[Cells] = []
    for cells in _left_over(puzzle, state):
        if not (yield from budget.allows("reason", len(left_over), len(left_over))):
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
