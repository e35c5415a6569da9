"""What tools are worth on boards of triple that cannot be won without."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from bench.processor_budget import ProcessorBudget
from bench.report import Row, rate_row
from bench.triple.lost import lost_boards
from winnable.contract.core import finish
from winnable.games.triple.game import GAME
from winnable.games.triple.measure.fewest_tools import FewestTools, fewest_of_each


def rows(
    games: int = 12,
    seed: int = 0,
    seconds: float = 10.0,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Row]:
    """Boards that are proved unsolvable: recorded ones of the real game, deals onto its layouts, deals onto
    ours, at most `games` of each; so many seconds of the processor for each set of tools. A row for each
    board: the fewest uses of which a line is known (-1: none is), and the fewest that are not refuted; then
    how many boards take how many uses. Lines are replayed by the rules."""
    GAME.warm()
    boards = lost_boards(games, seed)
    results: dict[tuple[str, str], list[FewestTools]] = {}
    for done, board in enumerate(boards, 1):
        each = finish(fewest_of_each(board.level, lambda: ProcessorBudget(seconds), seed))
        for name, found in each.items():
            results.setdefault((board.origin, name), []).append(found)
            uses = -1 if found.won is None else found.won
            label = f"{board.origin} {board.name}: {name}, no fewer than {found.lost + 1}"
            yield Row(label, uses, "uses", seed=seed)
        if progress is not None:
            progress(done, len(boards))
    for (origin, name), every in results.items():
        for won, number in sorted(Counter(found.won or 0 for found in every).items()):
            uses = f"{won} uses" if won else "no line known"
            yield rate_row(f"{origin}, {name}: {uses}", number, len(every), seed)
        exact = sum(found.exact for found in every)
        yield rate_row(f"{origin}, {name}: proved the fewest", exact, len(every), seed)
