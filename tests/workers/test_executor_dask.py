"""The evaluator on a real Dask scheduler with two worker processes, on loopback."""

import os
import socket
import threading
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests import executor_tasks as tasks
from tests.dask_cluster import dask_cluster
from tests.waiting import PATIENCE
from winnable.contract.core import WinnableError
from winnable.workers import engines
from winnable.workers.engines import Engine, InProcess, make_engine
from winnable.workers.executor import Evaluator, TaskKillsWorker

# Not imported before a test needs it: every worker reads every file, and one of them runs this one.
pytestmark = [
    pytest.mark.skipif(not find_spec("distributed"), reason="the extra `cluster` is not installed"),
    pytest.mark.skipif(os.name != "posix", reason="signals of POSIX"),
]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Engine]:
    """Gives a task up after two deaths, so that the tests need not wait for four."""
    with dask_cluster(allowed=1) as address:
        yield make_engine(executor=address)


def test_workers_of_another_version_are_refused_and_named(
    cluster: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cluster imports what is on the disk; this process says that it is newer."""
    monkeypatch.setattr(engines, "__version__", "9.9.9")
    with pytest.raises(WinnableError) as refused:
        Evaluator(cluster)
    told = refused.value.values
    assert refused.value.code == "engine.version"
    assert told["name"].startswith("tcp://127.0.0.1:")
    assert "winnable 9.9.9" in told["ours"] != told["other"]


def test_same_values_as_in_process(cluster: Engine) -> None:
    def values(engine: Engine) -> list[Any]:
        with Evaluator(engine, ordered=True) as evaluator:
            for index in range(20):
                evaluator.submit(index, tasks.judge, (index / 3, 1.0), index)
            return list(evaluator)

    assert values(cluster) == values(InProcess())


def test_a_killed_worker_loses_nothing(cluster: Engine, tmp_path: Path) -> None:
    with Evaluator(cluster) as evaluator:
        assert evaluator.in_flight == 4
        for index in range(12):
            evaluator.submit(index, tasks.note_pid_and_nap, str(tmp_path), 0.2)
        threading.Thread(target=tasks.kill_first, args=(tmp_path,)).start()
        values, errors = tasks.drain(evaluator)
    assert not errors
    assert set(values) == set(range(12))


def test_a_task_that_always_kills_its_worker(cluster: Engine) -> None:
    with Evaluator(cluster) as evaluator:
        # Not at once: a nanny does not replace a worker that dies while it is being started: on a busy
        # machine none might be left.
        evaluator.submit("poison", tasks.die, "", 1.0)
        for index in range(6):
            evaluator.submit(index, tasks.nap, 0.05, index)
        evaluator.submit("plain", tasks.fail, "plain")
        values, errors = tasks.drain(evaluator)
    assert values == {index: index for index in range(6)}, errors
    assert isinstance(errors["poison"], TaskKillsWorker)
    assert str(errors["plain"]) == "task 'plain': ValueError: no luck"


def test_a_task_that_fills_its_workers_memory(cluster: Engine) -> None:
    with Evaluator(cluster) as evaluator:
        evaluator.submit("greedy", tasks.fill)
        for index in range(6):
            evaluator.submit(index, tasks.nap, 0.05, index)
        values, errors = tasks.drain(evaluator)
    assert values == {index: index for index in range(6)}, errors
    assert isinstance(errors["greedy"], TaskKillsWorker)


@pytest.mark.parametrize("failing", [False, True])
def test_a_value_that_is_lost_on_its_way_comes_all_the_same(
    cluster: Engine, failing: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its worker dies when the client has it and has not handed it on yet, or while it fetches it, for what
    the cluster then thinks is the last time. Under load another task's death can come so inconveniently."""
    distributed: Any = import_module("distributed")
    gather: Any = distributed.Client._gather
    fetched: set[str] = set()

    async def gather_and_lose(client: Any, futures: Any, **options: Any) -> Any:
        values = await gather(client, futures, **options)
        (future,) = futures
        if future.key not in fetched:
            fetched.add(future.key)
            if failing and len(fetched) == 1:
                raise distributed.KilledWorker(future.key, None, 1)
            future._state.lose()
        return values

    monkeypatch.setattr(distributed.Client, "_gather", gather_and_lose)
    with Evaluator(cluster) as evaluator:
        alarm = threading.Timer(PATIENCE, evaluator.cancel)
        alarm.start()
        for index in range(4):
            evaluator.submit(index, tasks.nap, 0.01, index)
        values, errors = tasks.drain(evaluator)
        alarm.cancel()
    assert (values, errors) == ({index: index for index in range(4)}, {})


@pytest.mark.parametrize("mute", [False, True])
def test_no_scheduler_there(mute: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "CONNECT_SECONDS", 1.0)
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        if mute:
            server.listen()
        with pytest.raises(WinnableError, match=r"^executor: no Dask scheduler answers at dask://127"):
            Evaluator(make_engine(executor=f"dask://127.0.0.1:{server.getsockname()[1]}"))
