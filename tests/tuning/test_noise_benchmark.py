"""`winnable bench tuning-noise` gives the published figures again."""

from __future__ import annotations

from itertools import takewhile

from winnable.benchmarks import load_benchmark
from winnable.benchmarks.report import Row


def test_ranks_for_their_cost_are_as_published() -> None:
    rows = cheap_rows(games=600)
    published = [row for row in rows if row.reference is not None]
    assert len(published) == 16
    for row in published:
        assert row.reference is not None
        assert abs(row.value - row.reference) < 0.025 + 0.03 * row.reference, row.name


def test_the_same_seed_gives_the_same_figures() -> None:
    assert cheap_rows(games=60) == cheap_rows(games=60) != cheap_rows(games=60, seed=2)


def cheap_rows(games: int, seed: int = 1) -> list[Row]:
    """Those before the splitting of games."""
    rows = load_benchmark("tuning-noise")(games=games, seed=seed)
    return list(takewhile(lambda row: "splitting" not in row.name, rows))
