"""Makes levels of rotate: a finished board, taken back turn by turn, so that it can always be finished.

All chance comes from `random.Random(seed).random()`, the same on every platform.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from winnable import __version__
from winnable.contract.arguments import MAX_SEED
from winnable.contract.core import Budget, LevelError, Search
from winnable.contract.game import GaveUp, keep_to
from winnable.contract.provenance import Provenance
from winnable.games.rotate.rules.blocks import Cells, turned
from winnable.games.rotate.rules.bounds import PROVABLE
from winnable.games.rotate.rules.clusters import neighbours
from winnable.games.rotate.rules.level import MAX_COLOURS, MAX_SIDE, MIN_SIDE, Level, RuleName, rows_of
from winnable.games.rotate.rules.puzzle import Rotate

if TYPE_CHECKING:
    from winnable.games.rotate.measure.examination import Examination

Side = Annotated[int, Meta(ge=MIN_SIDE, le=MAX_SIDE)]

EXCHANGES = 200
"""Tries for each cell to exchange two cells of neighbouring colours; most of them fail."""
MOST_TURNS = 20 * MAX_SIDE**2
Turns = Annotated[int, Meta(ge=0, le=MOST_TURNS)]
MOST_BOARDS, MOST_CELLS = 400, 40_000
"""Boards made for one level whose par is asked for, and cells of all of them."""
EFFORT = 400_000_000
"""Turns that solvers may try for one level before it is given up. All three are counts, not a clock, so that
the same arguments give the same level (or error) on a slow machine."""
POLLED = 500
"""Exchanges and turns between two looks at the budget: a few milliseconds."""


class Params(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `generate` takes.

    colours:  of the rules `clusters`, with cells as equally many as may be
    scramble: turns taken back from the finished board; 0: when par is asked for, about so many; else as many
              as scatter it well, three for each cell. They are enough to finish the board, seldom the fewest
    par_min, par_max: bounds of the fewest turns (where no proof is within reach, of the fewest known); 0: any
    keys:     how many first turns are good: par - 1 more suffice. 0: any
    slack:    the level gives par + slack turns; `none`: as many as it takes
    """

    rows: Side = 5
    columns: Side = 5
    rules: RuleName = "clusters"
    colours: Annotated[int, Meta(ge=2, le=MAX_COLOURS, extra={"only": {"rules": ["clusters"]}})] = 4
    scramble: Turns = 0
    par_min: Turns = 0
    par_max: Turns = 0
    keys: Turns = 0
    slack: Literal["none", "0", "1", "2", "3", "5", "10"] = "none"

    @property
    def asks_for_par(self) -> bool:
        """Whether boards are to be solved."""
        return any((self.par_min, self.par_max, self.keys)) or self.slack != "none"


def generate(params: Params, seed: int, budget: Budget | None = None) -> Search[Level]:
    """The level of `(params, seed)`: always the same one. When its par matters it has a certificate. Raises
    LevelError, GaveUp when no board that fits is found."""
    _check(params, seed)
    rng, budget = random.Random(seed), budget or Budget()
    if params.asks_for_par:
        level = yield from _find(params, rng, budget)
    else:
        level = yield from scrambled(params, params.scramble, rng, budget)
    provenance = Provenance(
        f"rotate/{params.rules}", __version__, msgspec.to_builtins(params, str_keys=True), seed
    )
    return msgspec.structs.replace(level, provenance=provenance)


def scrambled(params: Params, turns: int, rng: random.Random, budget: Budget) -> Search[Level]:
    """A finished board taken back by so many turns drawn at random; 0: three for each cell. Raises GaveUp."""
    size = params.rows * params.columns
    if params.rules == "pairs":
        cells = yield from _dominoes(params.rows, params.columns, rng, budget)
    else:
        cells = yield from finished_board(params.rows, params.columns, params.colours, rng, budget)
    rotate = Rotate(_level(cells, params))
    for done in range(turns or 3 * size):
        if not done % POLLED:
            yield from keep_to(budget)
        block, quarters = rotate.block(int(rng.random() * rotate.num_actions))
        cells = turned(cells, params.columns, block, 4 - quarters)
    return _level(cells, params)


def _check(params: Params, seed: int) -> None:
    size = params.rows * params.columns
    if not 0 <= seed <= MAX_SEED:
        raise LevelError("params.range", field="seed", given=seed, low=0, high=MAX_SEED)
    if params.rules == "pairs" and params.colours != Params().colours:
        raise LevelError("rotate.pairs.colours", field="colours")
    if params.rules == "pairs" and size % 2:
        raise LevelError("rotate.pairs.odd", field="rows, columns", cells=size)
    if params.rules == "clusters" and params.colours > size:
        raise LevelError("rotate.colours", field="colours", given=params.colours, cells=size)
    if 0 < params.par_max < params.par_min:
        raise LevelError(
            "params.between", field="par_min", low=params.par_min, name="par_max", high=params.par_max
        )
    if params.scramble and params.par_min > params.scramble:
        raise LevelError("rotate.par", field="par_min", given=params.par_min, scramble=params.scramble)
    if params.asks_for_par and (size == 4 or (params.rules == "clusters" and params.colours == size)):
        raise LevelError("rotate.still", field="params", cells=size)
    turns = _turns_within(params)
    if params.keys > turns:
        raise LevelError("rotate.keys", field="keys", given=params.keys, turns=turns)
    far = params.par_max != 1 and params.scramble != 1
    if params.keys and far and params.rules == "clusters" and size > PROVABLE:
        raise LevelError("rotate.keys.large", field="keys", cells=size, most=PROVABLE)


def _turns_within(params: Params) -> int:
    """How many turns there are but those of the whole board, which bring nothing nearer."""
    rows, columns, pairs = params.rows, params.columns, params.rules == "pairs"
    sides = range(2, min(rows, columns) + 1, 1 if pairs else 2)
    places = [(rows - side + 1) * (columns - side + 1) for side in sides if not side == rows == columns]
    return sum(places) * (1 if pairs else 3)


def _find(params: Params, rng: random.Random, budget: Budget) -> Search[Level]:
    """Makes boards until one fits. Each is taken back by about as many turns as par may have."""
    from winnable.games.rotate.measure.examination import Examination  # it compiles: only when needed

    least, most = params.par_min or 1, params.par_max or params.par_min or 0
    most_boards = max(1, min(MOST_BOARDS, MOST_CELLS // (params.rows * params.columns)))
    boards = tried = 0
    yield from keep_to(budget)
    while boards < most_boards and tried < EFFORT and budget.limit(boards) is None:
        boards += 1
        turns = params.scramble or (least + int(rng.random() * (most - least + 3)) if most else 0)
        level = yield from scrambled(params, turns, rng, budget)
        examination = Examination(level, budget=budget.counting())
        yield from examination.solve()
        found = yield from _fitting(params, examination)
        if budget.limit(0) is not None:  # what was found then hangs on the clock
            break
        if found is not None:
            return found
        tried += examination.result.generated
    in_time = budget.limit(boards) is None
    raise GaveUp("rotate.none" if in_time else "rotate.none.budget", field="params", boards=boards)


def _fitting(params: Params, examination: Examination) -> Search[Level | None]:
    """The level with its certificate, when the board is as it is wanted. What is cheap is asked first."""
    par = examination.par
    if par is None or par < max(1, params.par_min) or (params.par_max and par > params.par_max):
        return None
    if params.keys:
        good = yield from examination.good_first_turns(params.keys + 1)
        if good is None or len(good) != params.keys:
            return None
    return msgspec.structs.replace(
        examination.level,
        turns=None if params.slack == "none" else par + int(params.slack),
        certificate=examination.certificate(),
    )


def _level(cells: Cells, params: Params) -> Level:
    return Level(rows_of(cells, params.columns), params.rules)


def finished_board(
    rows: int, columns: int, colours: int, rng: random.Random, budget: Budget | None = None
) -> Search[Cells]:
    """Each colour one cluster: stretches of a path that winds down the board. Then two cells exchange their
    colours, again and again, where both clusters stay whole. Raises GaveUp."""
    size, budget = rows * columns, budget or Budget()
    path = [
        row * columns + (column if row % 2 == 0 else columns - 1 - column)
        for row in range(rows)
        for column in range(columns)
    ]
    cells = [0] * size
    for index, place in enumerate(path):
        cells[place] = 1 + index * colours // size
    for tried in range(EXCHANGES * size):
        if not tried % POLLED:
            yield from keep_to(budget)
        place, back = int(rng.random() * size), int(rng.random() * size)
        mine, other = cells[place], cells[back]
        if mine == other or not _may_leave(cells, columns, place, other):
            continue
        cells[place] = other
        if _may_leave(cells, columns, back, mine):
            cells[back] = mine
        else:
            cells[place] = mine
    names = list(range(1, colours + 1))
    shuffle(names, rng)
    return tuple(names[cell - 1] for cell in cells)


def shuffle(items: list[int], rng: random.Random) -> None:
    """Shuffle the items in place, by `rng.random` alone, which gives the same numbers in every version of
    Python."""
    for last in range(len(items) - 1, 0, -1):
        chosen = int(rng.random() * (last + 1))
        items[last], items[chosen] = items[chosen], items[last]


def _may_leave(cells: Sequence[int], columns: int, place: int, colour: int) -> bool:
    """Whether the cell lies beside that colour, and its own neighbours of its colour hang together without it
    in the eight cells around: then both clusters stay whole."""
    size, own = len(cells), cells[place]
    beside = neighbours(place, size, columns)
    same = [near for near in beside if cells[near] == own]
    if not same or not any(cells[near] == colour for near in beside):
        return False
    row, column = divmod(place, columns)
    around = {
        far
        for far in range(max(0, place - columns - 1), min(size, place + columns + 2))
        if far != place and abs(far // columns - row) < 2 and abs(far % columns - column) < 2
    }
    reached, waiting = {same[0]}, [same[0]]
    while waiting:
        for far in neighbours(waiting.pop(), size, columns):
            if far in around and far not in reached and cells[far] == own:
                reached.add(far)
                waiting.append(far)
    return reached.issuperset(same)


def _dominoes(rows: int, columns: int, rng: random.Random, budget: Budget) -> Search[Cells]:
    """Each label on two neighbouring cells: rows or columns of dominoes, and then squares of two turn."""
    along = columns % 2 == 0
    cells = [
        (place if along else place % columns * rows + place // columns) // 2
        for place in range(rows * columns)
    ]
    for tried in range(EXCHANGES * len(cells)):
        if not tried % POLLED:
            yield from keep_to(budget)
        top, left = int(rng.random() * (rows - 1)), int(rng.random() * (columns - 1))
        one = top * columns + left
        square = [one, one + 1, one + columns, one + columns + 1]
        a, b, c, d = (cells[place] for place in square)
        if a == b and c == d:
            cells[one + 1], cells[one + columns] = c, a
        elif a == c and b == d:
            cells[one + 1], cells[one + columns] = a, d
    return tuple(cells)
