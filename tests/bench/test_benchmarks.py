"""Benchmark rows: the intervals are the textbook's, and every benchmark in the table runs."""

import signal
import time
from collections.abc import Iterator

import pytest

import bench
from bench import BENCHMARKS, load_benchmark
from bench.processor_budget import ProcessorBudget
from bench.report import Row, bootstrap_interval, mean_row
from bench.triple.article_table import PUBLISHED
from tests.conftest import Run
from winnable.contract.core import WinnableError, finish
from winnable.stats.intervals import wilson_interval


def test_wilsons_interval() -> None:
    """Wilson's 1927 formula by hand for 10 of 100, and the borders."""
    assert wilson_interval(10, 100) == pytest.approx((0.0552, 0.1744), abs=1e-4)
    assert wilson_interval(0, 100) == pytest.approx((0, 0.0370), abs=1e-4)
    assert wilson_interval(100, 100) == pytest.approx((0.9630, 1), abs=1e-4)
    with pytest.raises(ValueError, match="hits, n"):
        wilson_interval(1, 0)


def test_bootstrap_interval() -> None:
    low, high = bootstrap_interval([0, 1] * 200)
    assert (low, high) == pytest.approx((0.451, 0.549), abs=0.01)
    assert bootstrap_interval([3.0]) == (3, 3)
    with pytest.raises(ValueError, match="values"):
        bootstrap_interval([])
    row = mean_row("x", [1, 2, 3], "s", seed=4, reference=1.5)
    assert (row.value, row.unit, row.n, row.seed, row.reference) == (2, "s", 3, 4, 1.5)


@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_benchmark_in_the_table_can_be_loaded(name: str) -> None:
    assert callable(load_benchmark(name))
    assert BENCHMARKS[name].about


def test_the_seeds_table_follows_its_seed() -> None:
    rows = load_benchmark("triple-article-table")
    calls: list[tuple[int, int]] = []

    def note(done: int, total: int) -> None:
        calls.append((done, total))

    first = list(rows(games=2, seed=5, progress=note))
    assert first == list(rows(games=2, seed=5))
    assert all(row.n == 2 and row.ci_low is not None and row.ci_high is not None for row in first)
    assert calls[-1][0] == calls[-1][1]


def test_the_seeds_table_is_whole() -> None:
    assert list(PUBLISHED) == list(range(12, 31))
    table = load_benchmark("triple-article-table")(games=1)
    assert [row.reference for row in table] == [figure for pair in PUBLISHED.values() for figure in pair]


def test_unknown_benchmarks_are_named() -> None:
    with pytest.raises(WinnableError, match="unknown benchmark 'nothing'; `winnable bench` lists them"):
        load_benchmark("nothing")


def test_a_part_of_a_budget_of_the_processor_is_one_too(monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.process_time()
    whole = ProcessorBudget(100.0, expanded=5)
    part = whole.part(0.5)
    assert (part.expanded, finish(part.allows("stage", 4, 0))) == (5, True)
    monkeypatch.setattr(time, "process_time", lambda: now + 60)
    assert finish(whole.allows("stage", 4, 0))
    assert not finish(part.allows("stage", 4, 0))
    assert whole.part(0.5).seconds == pytest.approx(20, abs=5)
    last = whole.part(1)
    whole.cancel()
    assert not finish(last.allows("stage", 4, 0))


def test_after_ctrl_c_the_rows_so_far_come_also_where_a_process_of_the_benchmark_fails(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def benchmark(progress: object) -> Iterator[Row]:
        yield Row("first", 7.0)
        signal.raise_signal(signal.SIGINT)
        raise WinnableError("ended")

    def load(name: str) -> object:
        return benchmark

    monkeypatch.setattr(bench, "load_benchmark", load)
    assert "first" in run("bench", "any", code=3).output
