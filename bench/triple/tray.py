"""The smallest tray of the article's boards: how often it is known exactly, and what it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from bench.processor_budget import ProcessorBudget
from bench.report import Row, mean_row, rate_row
from winnable.contract.core import WinnableError, finish, replay
from winnable.games.triple.game import GAME
from winnable.games.triple.levels.generator import Params, generate
from winnable.games.triple.measure.tray import smallest_tray

LAYERS = range(12, 31, 3)


def rows(
    games: int = 100,
    seed: int = 0,
    seconds: float = 60.0,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Row]:
    """For each number of layers: the share of boards whose smallest tray was known after so many seconds of
    the processor, how many have which, and the seconds that it took. Lines are replayed by the rules."""
    GAME.warm()
    for done, layers in enumerate(LAYERS):
        times: list[float] = []
        sizes = Counter[int]()
        for one in range(seed, seed + games):
            level = finish(generate(Params(layers=layers), one))
            budget = ProcessorBudget(seconds)
            found = finish(smallest_tray(level, budget))
            times.append(budget.elapsed)
            if found.won is not None:
                puzzle = GAME.puzzle(GAME.level_type(level.tiles, found.won))
                if not puzzle.is_goal(replay(puzzle, found.line)):
                    raise WinnableError(f"triple-tray: {layers} layers, board {one}: a line that loses")
            if found.exact:
                sizes[found.lost + 1] += 1
            if progress is not None:
                progress(games * done + one - seed + 1, games * len(LAYERS))
        yield rate_row(f"{layers} layers: known exactly", sizes.total(), games, seed, 0.9)
        for slots, boards in sorted(sizes.items()):
            name = f"{layers} layers: boards whose smallest tray has {slots} slots"
            yield Row(name, boards, n=games, seed=seed)
        yield mean_row(f"{layers} layers: seconds for each", times, "s", seed)
