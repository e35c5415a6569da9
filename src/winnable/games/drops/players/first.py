"""A line where nothing is compiled: that of the article's algorithm A or of a beam, whichever finds one, made
shorter for a moment."""

from __future__ import annotations

from collections.abc import Iterator

from winnable.contract.core import Action, Answer, Budget, Progress, Search
from winnable.games.drops.article.kernels import A
from winnable.games.drops.article.search import TreeSearch, question_of
from winnable.games.drops.rules.bounds import explain
from winnable.games.drops.rules.puzzle import Drops, State, lasts
from winnable.games.drops.solve import all_ones, beam
from winnable.games.drops.solve.lines import play_once
from winnable.games.drops.solve.solver import runs_dry
from winnable.search.meter import Meter

SHORTENING_SECONDS = 0.25
"""For a shorter line, once there is one."""
SHARE = 0.3
"""Of the budget, for algorithm A, where the beam may do better."""
GREEDY = 0
"""What a click counts for algorithm A: nothing, so that it goes straight on."""


def first_line(puzzle: Drops, state: State, budget: Budget, seed: int) -> Search[Answer]:
    """The first answer to a position, see `AnswersFirst`."""
    meter = Meter(budget)
    if (settled := meter.settled(puzzle, state)) is not None:
        return settled
    lower = explain(puzzle, state).bound
    if runs_dry(puzzle, state, lower):
        return meter.result("unsolvable")
    line: tuple[Action, ...] | None = None
    for found in _lines(puzzle, state, meter, lower, seed):
        if isinstance(found, Progress):
            yield found
            continue
        yield from play_once(puzzle, state, found, meter)
        if (line is None or len(found) < len(line)) and lasts(puzzle, state, found):
            line = found
    if line is None:
        return meter.result("budget", lower_bound=lower)
    return (yield from meter.solved(puzzle, state, line, lower))


def _lines(
    puzzle: Drops, state: State, meter: Meter, lower: int, seed: int
) -> Iterator[Progress | tuple[Action, ...]]:
    """That empty the board, though the drops may not last; ends soon after one for which they do."""
    if set(state.cells) == {1}:
        yield tuple(all_ones.construct(puzzle.rows, puzzle.columns))
        return
    search = TreeSearch(puzzle, state, question_of(puzzle, state, A, GREEDY))
    quick = Meter(meter.budget.part(SHARE))
    found = yield from search.run(quick, "a")
    meter.expanded, meter.generated = quick.expanded, quick.generated
    line = search.line() if found else None
    if line is not None:
        yield line
    if not (yield from meter.allows("beam")) or (line is not None and len(line) <= lower):
        return
    rest = meter.budget if line is None else meter.budget.part(most=SHORTENING_SECONDS)
    for better in beam.rounds(state.cells, puzzle.level, rest, seed=seed, lower_bound=lower):
        if isinstance(better, Progress):
            yield better
            continue
        yield better.line
        if rest is meter.budget and lasts(puzzle, state, better.line):
            rest = rest.part(most=SHORTENING_SECONDS)
        if rest.limit(0) is not None:
            break
