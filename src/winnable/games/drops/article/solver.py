"""The article's four solvers of drops, by name and with the limits that it set: `bfs`, `a`, `a-star`,
`genetic`.

They stand beside our own solver for comparison. As in the article they look for a line without looking at
what is left: one for which that does not last is not `solved`, but the best at the limit `supply`, with the
drops that it takes at the beginning. Where no line is at all, none is with a tank.

The three searches take a state, test it, then make all its children; a state that is reached again by fewer
clicks is taken anew. They end after their seconds, `bfs` and `a-star` also at a depth: the article asks for
one below 5, so their lines have at most 4 clicks. A search that meets a limit returns `budget`, with what was
proved on the way as lower bound and the board with the fewest drops as the best.

What is least is taken first (f in the article, with g the clicks so far; of equals, the older state):

- `bfs`: g. Its line is optimal.
- `a`: k g + h, where h is minus 5 for each empty cell, minus its drops for each other, and plus 3 for each
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

from collections.abc import Sequence
from dataclasses import replace

from winnable.contract.core import Action, Answer, Best, Budget, Limit, Search, finish, replay
from winnable.games.drops.article.genetic import Population
from winnable.games.drops.article.kernels import A_STAR, BREADTH_FIRST, A
from winnable.games.drops.article.search import UNLIMITED, TreeSearch, question_of
from winnable.games.drops.article.settings import Evolution, Weighted, WithinDepth
from winnable.games.drops.rules.level import Level
from winnable.games.drops.rules.puzzle import Drops, State, tank_needed
from winnable.games.drops.solve.lines import play_once
from winnable.search.meter import Meter


def solve_bfs(
    puzzle: Drops, state: State, budget: Budget, seed: int, settings: WithinDepth
) -> Search[Answer]:
    """Breadth-first search; its line is the shortest."""
    return _search("bfs", BREADTH_FIRST, puzzle, state, budget, settings, admissible=True)


def solve_a(puzzle: Drops, state: State, budget: Budget, seed: int, settings: Weighted) -> Search[Answer]:
    """The article's algorithm A; it proves nothing but `unsolvable`."""
    return _search("a", A, puzzle, state, budget, settings, admissible=False)


def solve_a_star(
    puzzle: Drops, state: State, budget: Budget, seed: int, settings: WithinDepth
) -> Search[Answer]:
    """The article's A*; its line is the shortest unless the level is `open`."""
    return _search("a-star", A_STAR, puzzle, state, budget, settings, admissible=not puzzle.level.open)


def solve_genetic(
    puzzle: Drops, state: State, budget: Budget, seed: int, settings: Evolution
) -> Search[Answer]:
    """The article's genetic algorithm: 500 sequences of 50 clicks, 200 generations, the shortest line of all.

    Fitness, for n cells: 4 n minus the drops that stay; for a sequence that clears the board after l clicks
    4 n + 4 (50 - l). The article leaves some things open. Here genes are drawn from all cells. One that
    names an empty cell makes no click and is not counted, unless the level is `open`; none is made on a
    cleared board. When no better sequence is possible, by `bounds.explain`, it ends.

    One sequence counts as one expanded node, one gene as one generated. When the budget ends first, the best
    line so far counts.
    """
    meter = Meter(budget)
    if (settled := meter.settled(puzzle, state)) is not None:
        return settled
    population = Population(puzzle, state, seed, settings)
    limit = Limit("generations", settings.generations) if (yield from population.run(meter)) else None
    line = population.line()
    yield from play_once(puzzle, state, line, meter)
    if puzzle.is_goal(replay(puzzle, line, state._replace(left=None))):
        found = yield from _found(puzzle, state, meter, line, None)
        over = population.genetic.generation >= settings.generations
        return replace(found, limit=limit) if found.status == "solved" and over else found
    return meter.result("budget", limit=limit, best=_best(puzzle, state, line))


def _search(
    name: str,
    method: int,
    puzzle: Drops,
    state: State,
    budget: Budget,
    settings: WithinDepth | Weighted,
    *,
    admissible: bool,
) -> Search[Answer]:
    """Runs a tree search that does not look at what is left."""
    meter = Meter(budget.part(most=settings.seconds))
    if (settled := meter.settled(puzzle, state)) is not None:
        return settled
    k, depth = (settings.k, UNLIMITED) if isinstance(settings, Weighted) else (1, settings.depth)
    blind = state._replace(left=None)
    search = TreeSearch(puzzle, blind, question_of(puzzle, blind, method, k, depth))
    if (yield from search.run(meter, name)):
        line = search.line()
        yield from play_once(puzzle, state, line, meter)
        return (yield from _found(puzzle, state, meter, line, len(line) if admissible else None))
    if search.is_exhausted:
        return meter.result("unsolvable")
    driest = search.line((yield from search.driest(meter, name)))
    yield from play_once(puzzle, state, driest, meter)
    limit = Limit("depth", depth)
    if search.least_rank is not None:
        spent = budget.limit(meter.expanded), meter.budget.limit(meter.expanded)
        limit = spent[0] or spent[1] or meter.memory_limit
    bound = _bound(search, depth, admissible)
    return meter.result("budget", lower_bound=bound, limit=limit, best=_best(puzzle, state, driest))


def _bound(search: TreeSearch, depth: int, admissible: bool) -> int | None:
    """What the states that wait or were cut say of every line; None: nothing.

    Each line goes through one of them. Through one that was cut, it takes more than `depth` clicks.
    """
    waiting, cut = search.least_rank, search.least_rank_cut
    through_cut = None if cut is None else max(depth + 1, cut)
    if not admissible:
        return depth + 1 if waiting is None and cut is not None else None
    return min((rank for rank in (waiting, through_cut) if rank is not None), default=None)


def _found(
    puzzle: Drops, state: State, meter: Meter, line: tuple[Action, ...], bound: int | None
) -> Search[Answer]:
    """Solved by the line, if the drops last for it."""
    needed = tank_needed(puzzle, state, line)
    if state.left is None or needed <= state.left:
        return (yield from meter.solved(puzzle, state, line, bound))
    yield from meter.check(puzzle, state._replace(left=None), line)
    best = Best(line, "tank-needed", needed, state.left)
    return meter.result("budget", lower_bound=bound, limit=Limit("supply", state.left), best=best)


def _best(puzzle: Drops, state: State, line: Sequence[Action]) -> Best:
    """Of a line that does not clear the board, or for which the drops do not last: the point, as far as they
    do, where the fewest rest on the board."""
    fewest, length = sum(state.cells), 0
    for done, click in enumerate(line, 1):
        if state.left == 0:
            break
        state = puzzle.apply(state, click)
        if sum(state.cells) < fewest:
            fewest, length = sum(state.cells), done
    return Best(tuple(line[:length]), "drops-left", fewest, 0)


def warm() -> None:
    """Compiles every kernel."""
    puzzle = Drops(Level(board=("41",)))
    state, few = puzzle.initial(), Budget(expanded=500)
    finish(solve_bfs(puzzle, state, few, 0, WithinDepth()))
    finish(solve_a(puzzle, state, few, 0, Weighted()))
    finish(solve_a_star(puzzle, state, few, 0, WithinDepth()))
    finish(solve_genetic(puzzle, state, few, 0, Evolution()))
    search = TreeSearch(puzzle, state, question_of(puzzle, state, A))
    finish(search.enlarge(Meter(Budget()), "a"))
