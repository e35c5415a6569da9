"""The solver `optimal`: the fewest clicks with a proof, or a line and a lower bound when the budget ends.

Components, drops linked by common rows and columns, never touch each other, so each is solved by itself. The
exhaustive search of exact.py comes from below, the beam of beam.py from above, by turns, until they meet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from winnable.contract.core import Action, Answer, Budget, Progress, Search, finish
from winnable.games.drops.article.kernels import BREADTH_FIRST, A
from winnable.games.drops.article.search import TreeSearch, question_of
from winnable.games.drops.rules.bounds import explain
from winnable.games.drops.rules.level import FULL, Level
from winnable.games.drops.rules.puzzle import BURSTS_PER_DROP, Drops, State, lasts
from winnable.games.drops.solve import all_ones, beam
from winnable.games.drops.solve.exact import ExactSearch
from winnable.games.drops.solve.lines import play_once
from winnable.search.meter import Meter

FIRST_CHAINS = 30_000
"""What the exhaustive search may run before the beam is asked for the first time; then twice as many, and so
on."""
FIRST_STATES = 100
"""What the beam may expand in its first turn, and in each at the least."""
CHAINS_PER_STATE = 4_000
"""Of the search, for one state of the beam: in time about three to one."""
NO_LIMIT = 1 << 30


@dataclass(slots=True)
class _Part:
    """One component. lower: no fewer clicks empty it. line: the shortest known. width: of the beam to go on
    with."""

    cells: bytes
    lower: int
    line: tuple[Action, ...] | None = None
    width: int = 1

    @property
    def upper(self) -> int:
        return NO_LIMIT if self.line is None else len(self.line)

    @property
    def is_closed(self) -> bool:
        return self.upper == self.lower


class _Task:
    """The fewest clicks from one state, none of them on empty cells; more than `most` are of no use."""

    def __init__(self, puzzle: Drops, cells: bytes, budget: Budget, seed: int, most: int) -> None:
        self._puzzle, self._seed, self._most = puzzle, seed, most
        self.meter = Meter(budget)
        self.search = ExactSearch(puzzle.level, budget.memory_mb * 2**20 * 3 // 4)
        self._cells = cells
        self.parts: list[_Part] = []

    def begin(self) -> Search[None]:
        """Finds the parts, and lower bounds of them."""
        found = yield from self.search.bounded(self._cells, self.meter)
        self.parts = [_Part(part, lower) for part, lower in zip(*found, strict=True)]

    @property
    def lower(self) -> int:
        """No fewer clicks empty the board."""
        return sum(part.lower for part in self.parts)

    def line(self) -> tuple[Action, ...] | None:
        """All parts' lines, one after another."""
        if any(part.line is None for part in self.parts):
            return None
        return tuple(click for part in self.parts for click in part.line or ())

    def run(self) -> Search[None]:
        """Until every part is closed, too many clicks are needed, or the budget ends."""
        for part in self.parts:
            if (yield from self._goes_on()):
                yield from self._raise(part, self.search.prove(part.cells, self._highest(part)), FIRST_CHAINS)
        waiting = [part for part in self.parts if not part.is_closed]
        for part in waiting:
            if (yield from self._goes_on()):
                yield from self.improve(part, FIRST_CHAINS)
        for part in waiting:
            yield from self._close(part)

    def _goes_on(self) -> Search[bool]:
        return self.lower <= self._most and (yield from self.meter.allows("optimal"))

    def _highest(self, part: _Part) -> int:
        """More clicks for this part are of no use."""
        return min(part.upper - 1, self._most - self.lower + part.lower)

    def _close(self, part: _Part) -> Search[None]:
        """Proof and beam in turns."""
        proof = self.search.prove(part.cells, self._highest(part))
        chains = FIRST_CHAINS
        while not part.is_closed and (yield from self._goes_on()):
            if (yield from self._raise(part, proof, chains)):
                break
            chains *= 2
            yield from self.improve(part, chains)
            self.search.lower_highest(self._highest(part))

    def _raise(self, part: _Part, proof: Iterator[int], chains: int) -> Search[bool]:
        """Goes on with the proof for so many chains; whether it came to its end."""
        proved, ended = yield from self.search.follow(proof, self.meter, chains)
        part.lower = max(part.lower, proved)
        if ended and part.lower < part.upper and self.lower <= self._most:
            line = yield from self.search.line(part.cells, self.meter)
            part.line = part.line if line is None else tuple(line)
        return ended

    def improve(self, part: _Part, chains: int) -> Search[None]:
        """Looks for a shorter line with a beam, for a third of the work of so many chains."""
        if set(part.cells) == {1}:
            part.line = tuple(all_ones.construct(self._puzzle.rows, self._puzzle.columns))
            return
        most = max(FIRST_STATES, chains // CHAINS_PER_STATE)
        budget = replace(self.meter.budget.part(1), expanded=most)
        expanded = generated = 0
        for found in beam.rounds(
            part.cells, self._puzzle.level, budget,
            seed=self._seed, lower_bound=part.lower, first_width=part.width,
        ):  # fmt: skip
            if isinstance(found, Progress):
                yield from self.meter.allows("beam")  # its own budget ends it
                continue
            part.width = found.width
            if len(found.line) < part.upper:
                part.line = found.line
            expanded, generated = found.expanded, found.generated
        self.meter.expanded += expanded
        self.meter.generated += generated


def solve_optimal(puzzle: Drops, state: State, budget: Budget, seed: int) -> Search[Answer]:
    """The fewest clicks. What a tank that gains changes, `_tank` says.

    Where empty cells may be clicked, a line without clicks on them is a line. But what no such line can do,
    some other may: the proof against those is that they lose no fewer droplets at the least, or a
    breadth-first search.
    """
    if (settled := Meter(budget).settled(puzzle, state)) is not None:
        return settled
    if puzzle.level.flash or puzzle.level.every:
        return (yield from _tank(puzzle, state, budget, seed))
    is_open, most = puzzle.level.open, NO_LIMIT if state.left is None else state.left
    task = _Task(puzzle, state.cells, budget.part(0.5) if is_open else budget, seed, most)
    yield from task.begin()
    yield from task.run()
    lower = explain(puzzle, state).bound if is_open else task.lower
    if lower > most:
        return task.meter.result("unsolvable")
    result = yield from _by_line(puzzle, state, task.meter, task.line(), lower)
    if result.status == "solved" or not is_open:
        return result
    return (yield from _breadth_first(puzzle, state, budget, lower))


def _tank(puzzle: Drops, state: State, budget: Budget, seed: int) -> Search[Answer]:
    """The fewest clicks are a line if the tank lasts for them. When it does not, algorithm A looks for one
    for which it does, then every order of clicks is tried."""
    task = _Task(puzzle, state.cells, budget.part(0.5), seed, NO_LIMIT)
    yield from task.begin()
    if runs_dry(puzzle, state, task.lower):
        return task.meter.result("unsolvable")
    yield from task.run()
    if runs_dry(puzzle, state, task.lower):
        return task.meter.result("unsolvable")
    lower = explain(puzzle, state).bound if puzzle.level.open else task.lower
    result = yield from _by_line(puzzle, state, task.meter, task.line(), lower)
    if result.status == "solved":
        return result
    search, meter = TreeSearch(puzzle, state, question_of(puzzle, state, A)), Meter(budget.part(0.5))
    if (yield from search.run(meter, "a")):
        return (yield from _by_line(puzzle, state, meter, search.line(), lower))
    if search.is_exhausted:
        return meter.result("unsolvable")
    return (yield from _breadth_first(puzzle, state, budget, lower))


def runs_dry(puzzle: Drops, state: State, lower: int) -> bool:
    """Whether no line can be paid, in whatever order. lower: no fewer clicks do, none on empty cells.

    Without a tank that gains, that is all. With one, the first burst takes what the fullest cell lacks. Then
    each burst gives back a part of a drop. Without clicks on empty cells each cell bursts once. With e such
    clicks there are e bursts more, and at least e clicks more than the droplets lost demand (see bounds.py):
    that is never cheaper. What the last chain gives back pays for no click. In a flash game a third of a drop
    for each burst is the most, too.
    """
    if state.left is None:
        return False
    if not (puzzle.level.flash or puzzle.level.every):
        return lower > state.left
    if state.left < FULL + 1 - max(state.cells):
        return True
    every, filled = puzzle.level.every or BURSTS_PER_DROP, len(state.cells) - state.cells.count(0)
    if puzzle.level.open:
        lower = sum(group.cells - group.water + group.lost for group in explain(puzzle, state).groups)
    return every * lower > every * state.left + state.bursts + filled - 1


def _breadth_first(puzzle: Drops, state: State, budget: Budget, lower: int) -> Search[Answer]:
    """Every order of clicks. lower: no fewer will do; nor fewer than what leads to a state that waits."""
    search = TreeSearch(puzzle, state, question_of(puzzle, state, BREADTH_FIRST))
    meter = Meter(budget)
    if (yield from search.run(meter, "orders")):
        line = search.line()
        return (yield from _by_line(puzzle, state, meter, line, len(line)))
    if search.least_rank is None:
        return meter.result("unsolvable")
    limit = budget.limit(meter.expanded) or meter.memory_limit
    return meter.result("budget", lower_bound=max(lower, search.least_rank), limit=limit)


def _by_line(
    puzzle: Drops, state: State, meter: Meter, line: tuple[Action, ...] | None, lower: int
) -> Search[Answer]:
    """Solved by the line, if the drops last for it."""
    if line is not None:
        yield from play_once(puzzle, state, line, meter)
    if line is not None and lasts(puzzle, state, line):
        return (yield from meter.solved(puzzle, state, line, lower))
    return meter.result("budget", lower_bound=lower)


def warm() -> None:
    """Compiles every kernel that the solver and its beam use."""
    beam.warm()
    puzzle = Drops(Level(board=("21", "13")))
    finish(solve_optimal(puzzle, puzzle.initial(), Budget(), 0))
    ExactSearch(puzzle.level, 0).warm()
