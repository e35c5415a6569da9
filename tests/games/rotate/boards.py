"""Levels and turns for the tests of rotate."""

from hypothesis import strategies as st

from winnable.games.rotate.level import Level, rows_of


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
    turns = draw(st.none() | st.integers(1, 9))
    return Level(rows_of(cells, columns), "pairs" if pairs else "clusters", turns)
