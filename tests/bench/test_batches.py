"""The figures about batches that need no cluster and no kill."""

from itertools import islice

from bench.batches import rows


def test_what_batches_cost_and_that_parts_are_the_whole() -> None:
    found = {row.name: row for row in islice(rows(games=4, seed=1), 7)}
    assert [row.value for row in found.values() if row.reference is not None] == [2, 4]
    assert all(row.value > 0 for row in found.values())
    assert "levels in 4 shards as in the whole" in found
