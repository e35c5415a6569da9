"""`winnable bench tuning-noise` gives the published figures again."""

from __future__ import annotations

from itertools import takewhile

from winnable.benchmarks import load_benchmark
from winnable.benchmarks.report import Row


def test_ranks_for_their_cost_are_as_published() -> None:
    rows: list[Row] = list(
        takewhile(lambda row: "splitting" not in row.name, load_benchmark("tuning-noise")(games=600, seed=1))
    )
    published = [row for row in rows if row.reference is not None]
    assert len(published) == 16
    for row in published:
        assert row.reference is not None
        assert abs(row.value - row.reference) < 0.025 + 0.03 * row.reference, row.name
    assert rows == list(
        takewhile(lambda row: "splitting" not in row.name, load_benchmark("tuning-noise")(games=600, seed=1))
    )
