"""Batches on a Dask cluster of a scheduler and three workers, each a process of its own, on loopback."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

import winnable
from tests.cli.cli_support import Run
from tests.dask_cluster import dask_cluster
from tests.executor_tasks import kill_first, note_pid_and_nap
from winnable.batches.running import Row, rows
from winnable.batches.tasks import SetTask
from winnable.contract.core import Budget
from winnable.workers.engines import InProcess, Slurm, make_engine
from winnable.workers.executor import Evaluator

pytestmark = [
    pytest.mark.skipif(not find_spec("distributed"), reason="the extra `cluster` is not installed"),
    pytest.mark.skipif(os.name != "posix", reason="signals of POSIX"),
]
ASKED = ("generate", "drops", "rows=3", "columns=3", "slack=0", "--certify", "--count", "12")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with dask_cluster(allowed=3, workers=3) as found:
        yield found


def test_levels_are_byte_for_byte_those_of_this_process(run: Run, address: str) -> None:
    whole = run(*ASKED)
    assert run(*ASKED, "--executor", address).stdout == whole.stdout
    half = "".join(run(*ASKED, "--executor", address, "--shard", f"{part}/2").stdout for part in (1, 2))
    assert half == whole.stdout


def test_a_worker_that_is_killed_in_mid_batch_loses_nothing(address: str, tmp_path: Path) -> None:
    """Workers are found by tasks that leave their names, beside the batch."""
    boards = winnable.generate("drops", rows=3, columns=3, slack=0, count=200, certify=True)
    with Evaluator(make_engine(executor=address)) as beside:
        for place in range(6):
            beside.submit(place, note_pid_and_nap, str(tmp_path), 0.2)
        stream = iter(winnable.generate("drops", rows=3, columns=3, slack=0, count=200, certify=True,
                                        executor=address))  # fmt: skip
        found = [next(stream)]
        killer = threading.Thread(target=kill_first, args=(tmp_path,))
        killer.start()
        found += stream
        killer.join()
    assert found == [*boards]


@pytest.mark.skipif(not find_spec("submitit"), reason="the extra `slurm` is not installed")
def test_jobs_of_slurm_are_many_requests_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On submitit's own cluster of this machine: Slurm is not here."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Slurm, "CHUNK", 5)
    requests = [SetTask(game="drops", seed=seed, difficulty="easy", solvable=True, params="", language="en")
                for seed in range(11)]  # fmt: skip
    there, here = (
        [row.answer for row in rows(requests, engine, Budget()) if isinstance(row, Row)]
        for engine in (Slurm("local"), InProcess())
    )
    assert there == here
    assert len([*Path("slurm").glob("*_result.pkl")]) == 3
