"""Levels and turns for the tests of rotate."""

import random
from collections.abc import Sequence
from pathlib import Path

from hypothesis import strategies as st

from winnable.games.rotate.rules.level import Level, RuleName, rows_of
from winnable.games.rotate.rules.puzzle import Rotate

REAL = sorted((Path(__file__).parents[4] / "shared" / "data" / "rotate").glob("*.json"))
"""Real boards of pairs. Tests skip when there are none."""


def level_of(
    cells: Sequence[int], columns: int, rules: RuleName = "clusters", turns: int | None = None
) -> Level:
    return Level(rows_of(cells, columns), rules, turns)


def shuffled(rows: int, columns: int, colours: int, rng: random.Random) -> Rotate:
    """Each colour is there."""
    cells = [*range(colours), *(rng.randrange(colours) for _ in range(rows * columns - colours))]
    rng.shuffle(cells)
    return Rotate(level_of(cells, columns))


@st.composite
def levels(draw: st.DrawFn, most: int = 8) -> Level:
    """Of both rule sets, rectangular."""
    rows, columns = draw(st.integers(2, most)), draw(st.integers(2, most))
    pairs = draw(st.booleans()) and rows * columns % 2 == 0
    if pairs:
        cells = draw(st.permutations([label for label in range(rows * columns // 2) for _ in (0, 1)]))
    else:
        cells = draw(st.lists(st.integers(0, 4), min_size=rows * columns, max_size=rows * columns))
        cells[0], cells[-1] = 0, 1
    return level_of(cells, columns, "pairs" if pairs else "clusters", draw(st.none() | st.integers(1, 9)))
