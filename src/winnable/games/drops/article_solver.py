"""The article's four solvers of drops, by name and with the limits that it set: `bfs`, `a`, `a-star`,
`genetic`.

They stand beside our own solver for comparison. The three searches take a state, test it, then make all its
children; a state that is reached again by fewer clicks is taken anew. They end after 30 seconds, `bfs` and
`a-star` also at depth 5: the article asks for a depth below 5, so their lines have at most 4 clicks. A search
that meets a limit returns `budget`. Its lower bound then says what was proved on the way, and the last stage
that it reports says which limit it was.

What is least is taken first (f in the article, with g the clicks so far; of equals, the older state):

- `bfs`: g. Its line is optimal.
- `a`: 2 g + h, where h is minus 5 for each empty cell, minus its drops for each other, and plus 3 for each
  cell that alone in its row and column holds drops. Its line is some line.
- `a-star`: g + h, where h sums 5 - min(5, drops + others) over the cells with drops; others: how many more
  cells of the same row or column hold drops.

Where only cells with drops may be clicked, the h of `a-star` never exceeds the clicks that are needed, in no
rule set. For h falls by at most 1 with a click (it is consistent), and is 0 on the empty board. A click
without a burst takes at most 1 from one term. In a chain, each cell bursts once and sends at most one droplet
to each other cell of its row or column, whatever the timing: so drops + others does not grow for a cell that
stays. A cell that droplets alone burst had drops + others >= 5, hence the term 0; the clicked one had at most
5 - 4.

Where empty cells may be clicked too, the article's claim fails: a cell that was empty passes droplets on
that h knows nothing of. On 004444400/004444400/004444400/004444400/100000001/010000010 h is 12, but 11
clicks are enough in each rule set (the test holds the line); on 010/101/010 a click in the middle lowers h
by 4. There a line of `a-star` is not called optimal, and its ranks bound nothing.
"""

from __future__ import annotations

from winnable.core import Action, Budget, SolveResult, replay
from winnable.games.drops import article_kernels
from winnable.games.drops.article_genetic import Population
from winnable.games.drops.article_search import UNLIMITED, TreeSearch, task_of
from winnable.games.drops.level import Level
from winnable.games.drops.rules import Drops, State
from winnable.jit import notice_if_compiling
from winnable.search.meter import Meter

ARTICLE_SECONDS = 30.0
ARTICLE_DEPTH = 4
"""The most clicks of a line of `bfs` and `a-star`."""
A_WEIGHT = 2
"""The article's k."""


def solve_bfs(puzzle: Drops, state: State, budget: Budget, seed: int) -> SolveResult:
    """Breadth-first search, at most 4 clicks deep and 30 seconds long; its line is optimal."""
    search = _Search("bfs", puzzle, state, budget)
    return search.run(article_kernels.BREADTH_FIRST, 1, ARTICLE_DEPTH, admissible=True)


def solve_a(puzzle: Drops, state: State, budget: Budget, seed: int) -> SolveResult:
    """The article's algorithm A, at most 30 seconds long; it proves nothing but `unsolvable`."""
    search = _Search("a", puzzle, state, budget)
    return search.run(article_kernels.A, A_WEIGHT, UNLIMITED, admissible=False)


def solve_a_star(puzzle: Drops, state: State, budget: Budget, seed: int) -> SolveResult:
    """The article's A*, at most 4 clicks deep and 30 seconds long; optimal unless the level is `open`."""
    search = _Search("a-star", puzzle, state, budget)
    return search.run(article_kernels.A_STAR, 1, ARTICLE_DEPTH, admissible=not puzzle.level.open)


def solve_genetic(puzzle: Drops, state: State, budget: Budget, seed: int) -> SolveResult:
    """The article's genetic algorithm: 500 sequences of 50 clicks, 200 generations, the shortest line of all.

    Fitness, for n cells: 4 n minus the drops that stay; for a sequence that clears the board after l clicks
    4 n + 4 (50 - l). The article leaves some things open. Here genes are drawn from all cells. One that
    names an empty cell makes no click and is not counted, unless the level is `open`; none is made on a
    cleared board or with an empty tank. The rates are those of `Genetic.drops_article`.

    One sequence counts as one expanded node, one gene as one generated. When the budget ends first, the best
    line so far counts.
    """
    notice_if_compiling()
    meter = Meter(budget)
    if (settled := meter.settled(puzzle, state)) is not None:
        return settled
    population = Population(puzzle, state, seed)
    finished = population.run(meter, "genetic")
    line = population.line()
    if line is None:
        if finished:
            meter.allows("genetic: no sequence of its 200 generations clears the board")
        return meter.result("budget")
    return _solved(puzzle, state, meter, line, None)


class _Search:
    """One run of a tree search within the article's limits."""

    def __init__(self, name: str, puzzle: Drops, state: State, budget: Budget) -> None:
        notice_if_compiling()
        part = budget.part(1)
        part.seconds = min(part.seconds, ARTICLE_SECONDS)
        self._name, self._puzzle, self._state = name, puzzle, state
        self._meter = Meter(part)

    def run(self, method: int, weight: int, depth: int, admissible: bool) -> SolveResult:
        puzzle, state, meter = self._puzzle, self._state, self._meter
        search = TreeSearch(puzzle, state, task_of(puzzle, state, method, weight, depth))
        if search.run(meter, self._name):
            line = search.line()
            return _solved(puzzle, state, meter, line, len(line) if admissible else None)
        if search.least_rank is None and not search.was_cut:
            return meter.result("unsolvable")
        if search.least_rank is None:
            meter.allows(f"{self._name}: no line of at most {depth} clicks, and it searches no deeper")
        elif meter.budget.elapsed >= ARTICLE_SECONDS:
            meter.allows(f"{self._name}: no line within its limit of {ARTICLE_SECONDS:.0f} seconds")
        return meter.result("budget", lower_bound=_bound(search, depth, admissible))


def _bound(search: TreeSearch, depth: int, admissible: bool) -> int | None:
    """What the states that wait or were cut say of every line; None: nothing.

    Each line goes through one of them. Through one that was cut, it takes more than `depth` clicks.
    """
    if not admissible:
        return depth + 1 if search.least_rank is None and search.was_cut else None
    through_cut = max(depth + 1, search.least_rank_cut)
    return through_cut if search.least_rank is None else min(search.least_rank, through_cut)


def _solved(
    puzzle: Drops, state: State, meter: Meter, line: tuple[Action, ...], bound: int | None
) -> SolveResult:
    """The readable rules have the last word on every line."""
    assert puzzle.is_goal(replay(puzzle, line, state)), "a line that does not clear the board"
    return meter.result("solved", line, len(line), bound)


def warm() -> None:
    """Compiles every kernel."""
    puzzle = Drops(Level(board=("41",)))
    state = puzzle.initial()
    for solve in (solve_bfs, solve_a, solve_a_star, solve_genetic):
        solve(puzzle, state, Budget(expanded=500), 0)
    search = TreeSearch(puzzle, state, task_of(puzzle, state, article_kernels.A, A_WEIGHT, UNLIMITED))
    search.enlarge(Meter(Budget()), "warm")
