"""The harness of `winnable bench optimize-bbob`: what it counts, and that every installed contestant runs."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.tuning import bbob as optimize_bbob
from bench.tuning import bbob_functions as bbob
from bench.tuning.bbob_contestants import ENTRANTS
from bench.tuning.bbob_functions import TARGETS, BudgetUsedError, Outcome, Task, Watched
from winnable.contract.core import WinnableError

TASK = Task("JSO", 1, 1, 2, 600, 600, 3)
OURS = [name for name, entrant in ENTRANTS.items() if not entrant.package]


def outcome(hits: list[int], evaluations: int) -> Outcome:
    return Outcome(TASK, (*hits, *[None] * (len(TARGETS) - len(hits))), evaluations, 0.0)


def test_shares_and_running_times() -> None:
    solved, failed = outcome(list(range(10, 21)), 20), outcome([15], 100)
    assert bbob.share([solved, failed], 15) == (7, 22)
    assert bbob.expected_running_time([solved, failed]) == 120
    assert bbob.expected_running_time([failed]) is None


def test_without_coco_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        return None

    monkeypatch.setattr(bbob, "find_spec", missing)
    with pytest.raises(WinnableError, match=r"coco-experiment.*\.\[bench\]"):
        next(optimize_bbob.rows(games=1))


@pytest.fixture(scope="module")
def coco() -> Any:
    return pytest.importorskip("cocoex")


def test_the_watched_function(coco: Any) -> None:
    watched = Watched(TASK._replace(budget=2))
    best = np.array(coco.BareProblem("bbob", 1, 2, 1).best_parameter())
    watched(best + 0.5)  # the sphere: 0.5 from the best
    assert watched.hits == [1, 1, 1]
    watched(best)
    assert watched.hits == [1, 1, 1] + [2] * 8
    with pytest.raises(BudgetUsedError):
        watched(best)


@pytest.mark.parametrize("name", OURS)
def test_ours_reach_targets_within_their_budget(coco: Any, name: str) -> None:
    result = optimize_bbob.run_one(TASK._replace(contestant=name))
    assert result.evaluations <= 600
    assert sum(hit is not None for hit in result.hits) >= 4


def test_idle_contestants_end(coco: Any) -> None:
    idle: Callable[[Watched], None] = lambda watched: None  # noqa: E731
    assert bbob.run_task(TASK, idle).evaluations == 0


def test_rows_have_readable_names(coco: Any) -> None:
    part = optimize_bbob.PARTS[0]
    tasks = optimize_bbob.tasks_of(part, "JSO", 2, 5)
    assert len(tasks) == 48
    assert len({task.seed for task in tasks}) == 48
    outcomes = [Outcome(task, outcome([50] * 11, 50).hits, 50, 0.001) for task in tasks]
    rows = list(optimize_bbob.rows_of(part, "JSO", outcomes, 5))
    assert rows[0].name == "5-D, JSO: targets by 100D"
    assert rows[0].value == 1
    assert [row.value for row in rows if row.unit == "D"] == [10] * 6
    assert (rows[-1].unit, rows[-1].value) == ("µs", pytest.approx(20))


def test_coco_writes_what_cocopp_reads(coco: Any, tmp_path: Path) -> None:
    """A log of each run, in a folder of its own, which changes nothing."""
    part = optimize_bbob.PARTS[0]
    for instance in (1, 2):
        task = TASK._replace(instance=instance)
        logged = optimize_bbob.logged(task, part, str(tmp_path))
        assert optimize_bbob.run_one(logged).hits == optimize_bbob.run_one(task).hits
    folder = tmp_path / "5-D-JSO"
    assert sorted(run.name for run in folder.iterdir()) == ["f01-i01", "f01-i02"]
    for run in folder.iterdir():
        (about,) = run.glob("*.info")
        assert b"JSO" in about.read_bytes()  # it writes what is no text, too
        assert [*run.glob("data_f1/*.dat")]
