"""The evaluator in process and on real worker processes."""

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from tests import executor_tasks as tasks
from tests.waiting import PATIENCE, wait_until
from winnable.contract.core import WinnableError
from winnable.workers.engines import Engine, InProcess, Processes, make_engine, parse_executor
from winnable.workers.executor import ORDERED_IN_FLIGHT, Evaluator, TaskError, TaskKillsWorker

unix = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
GENOMES = [(index / 7, 1 - index / 5) for index in range(12)]


def spawn_pool(workers: int) -> Engine:
    """A pool as the standard library has it: a killed worker takes all tasks of the pool along."""
    return Engine(partial(ProcessPoolExecutor, workers, get_context("spawn")), "pool", 2 * workers)


def threads(workers: int) -> Engine:
    return Engine(partial(ThreadPoolExecutor, workers), "threads", workers)


def judge_all(engine: Engine, **options: Any) -> list[tuple[Any, Any]]:
    with Evaluator(engine, **options) as evaluator:
        for index, genome in enumerate(GENOMES):
            evaluator.submit(index, tasks.judge, genome, index)
        return list(evaluator)


def test_same_values_on_every_engine() -> None:
    here = judge_all(InProcess())
    assert here == [(index, tasks.judge(genome, index)) for index, genome in enumerate(GENOMES)]
    assert dict(judge_all(Processes(2))) == dict(here)
    assert judge_all(Processes(2), ordered=True) == here
    assert judge_all(threads(3), ordered=True) == here


def test_in_process_runs_when_asked_and_one_by_one() -> None:
    ran: list[int] = []
    before = {*threading.enumerate()}
    with Evaluator(make_engine()) as evaluator:
        assert evaluator.free == evaluator.in_flight == 1
        for index in range(3):
            evaluator.submit(index, ran.append, index)
        assert (ran, evaluator.free, evaluator.outstanding) == ([], 0, 3)
        assert next(evaluator) == (0, None)
        assert (ran, evaluator.outstanding) == ([0], 2)
        assert [task for task, _ in evaluator] == [1, 2]
        assert next(evaluator, None) is None
        evaluator.submit("more", lambda: 5)
        assert next(evaluator) == ("more", 5)
    assert before.issuperset(threading.enumerate())


def test_in_process_lets_ctrl_c_through() -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    with Evaluator(InProcess()) as evaluator:
        evaluator.submit(0, interrupt)
        with pytest.raises(KeyboardInterrupt):
            next(evaluator)


@pytest.mark.parametrize("ordered", [False, True])
def test_order_of_completion_or_of_submission(ordered: bool) -> None:
    tasks.GATE.clear()
    with Evaluator(threads(2), ordered=ordered) as evaluator:
        assert evaluator.in_flight == (ORDERED_IN_FLIGHT if ordered else 2)
        evaluator.submit(0, tasks.pass_gate)
        evaluator.submit(1, tasks.nap, 0)
        if ordered:
            threading.Timer(0.1, tasks.GATE.set).start()
            assert [task for task, _ in evaluator] == [0, 1]
        else:
            assert next(evaluator) == (1, None)
            tasks.GATE.set()
            assert next(evaluator) == (0, True)


def test_at_most_so_many_in_flight() -> None:
    tasks.peaks.clear()
    with Evaluator(threads(8), in_flight=3) as evaluator:
        assert evaluator.free == 3
        for index in range(40):
            evaluator.submit(index, tasks.count_running)
        assert evaluator.free == 0
        assert len(list(evaluator)) == 40
    assert 2 <= max(tasks.peaks) <= 3


def steady_state(engine: Engine) -> list[tuple[int, float]]:
    """Each genome depends on all results before it."""
    told: list[tuple[int, float]] = []
    asked = 0
    with Evaluator(engine, in_flight=5, ordered=True) as evaluator:
        while len(told) < 30:
            for _ in range(evaluator.free):
                evaluator.submit(asked, tasks.judge, (sum(loss for _, loss in told) % 1,), asked)
                asked += 1
            told.append(next(evaluator))
    return told


def test_ordered_steady_state_is_the_same_on_every_engine() -> None:
    here = steady_state(InProcess())
    assert steady_state(Processes(2)) == here
    assert steady_state(threads(4)) == here


def test_failures_name_their_task_and_what_was_raised() -> None:
    expected = {
        "plain": "ValueError: no luck",
        "stubborn": "Stubborn: this is stubborn",
        "refused": "genome: too long",
        "exit": "SystemExit: 3",
    }
    for engine in (InProcess(), Processes(1)):
        with Evaluator(engine) as evaluator:
            for kind in expected:
                evaluator.submit(kind, tasks.fail, kind)
            evaluator.submit("fine", tasks.nap, 0, 7)
            values, errors = tasks.drain(evaluator)
        assert values == {"fine": 7}
        assert {task: str(error) for task, error in errors.items()} == {
            task: f"task {task!r}: {message}" for task, message in expected.items()
        }
    assert "in fail" in errors["plain"].__notes__[0]


def test_what_cannot_be_pickled_is_an_error_of_its_task() -> None:
    with Evaluator(Processes(1), ordered=True) as evaluator:
        evaluator.submit("function", lambda: 0)
        evaluator.submit("value", tasks.unpicklable)
        evaluator.submit("heavy", tasks.heavy)
        evaluator.submit("fine", tasks.nap, 0, 1)
        with pytest.raises(TaskError, match="task 'function': cannot go to a worker"):
            next(evaluator)
        values, errors = tasks.drain(evaluator)
    assert values == {"fine": 1}
    assert "pickle" in str(errors["value"])
    assert "cannot be read: ValueError: no luck" in str(errors["heavy"])


@unix
@pytest.mark.parametrize("make", [Processes, spawn_pool])
def test_a_killed_worker_loses_nothing(make: Any, tmp_path: Path) -> None:
    with Evaluator(make(2)) as evaluator:
        for index in range(10):
            evaluator.submit(index, tasks.nap, 0.05, index)
        evaluator.submit("once", tasks.die_once, str(tmp_path / "flag"), 5)
        evaluator.submit("pid", tasks.note_pid_and_nap, str(tmp_path), 1.0)
        threading.Thread(target=tasks.kill_first, args=(tmp_path,)).start()
        values, errors = tasks.drain(evaluator)
    assert not errors
    assert set(values) == {*range(10), "once", "pid"}


@unix
def test_a_worker_killed_while_idle_is_replaced() -> None:
    with Evaluator(Processes(1)) as evaluator:
        evaluator.submit(0, tasks.pid)
        _, first = next(evaluator)
        os.kill(first, signal.SIGKILL)
        wait_until(lambda: not tasks.alive(first), "the end of the killed worker")
        evaluator.submit(1, tasks.pid)
        assert next(evaluator)[1] != first


@unix
@pytest.mark.parametrize("make", [Processes, spawn_pool])
def test_a_task_that_always_kills_its_worker(make: Any, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with Evaluator(make(2)) as evaluator:
        for index in range(8):
            evaluator.submit(index, tasks.nap, 0.02, index)
            if index == 3:
                evaluator.submit("poison", tasks.die, str(log))
        values, errors = tasks.drain(evaluator)
        evaluator.submit("after", tasks.nap, 0, 9)
        assert next(evaluator) == ("after", 9)
    assert values == {index: index for index in range(8)}
    assert set(errors) == {"poison"}
    assert isinstance(errors["poison"], TaskKillsWorker)
    assert "task 'poison': its worker died each time" in str(errors["poison"])
    assert log.read_text() == "xxx"
    if make is Processes:
        assert "SIGKILL" in str(errors["poison"])


def test_a_worker_that_leaves_says_with_what_code() -> None:
    with Evaluator(Processes(1)) as evaluator:
        evaluator.submit(0, tasks.leave, 7)
        with pytest.raises(TaskKillsWorker, match="exit code 7"):
            next(evaluator)


def test_close_waits_for_no_task_and_leaves_no_process(tmp_path: Path) -> None:
    with Evaluator(Processes(2)) as evaluator:
        for index in range(5):
            evaluator.submit(index, tasks.note_pid_and_nap, str(tmp_path), 2 * PATIENCE)
        wait_until(lambda: len(list(tmp_path.iterdir())) == 2, "two workers")
    assert not any(tasks.alive(int(path.name)) for path in tmp_path.iterdir())
    evaluator.close()
    assert (evaluator.free, list(evaluator)) == (0, [])


def test_cancel_from_another_thread_ends_the_iteration_in_a_thread() -> None:
    got: list[Any] = []

    def work() -> None:
        with Evaluator(Processes(1)) as evaluator:
            threading.Timer(0.3, evaluator.cancel).start()
            evaluator.submit(0, tasks.nap, 2 * PATIENCE)
            got.append(list(evaluator))
            got.append(evaluator.cancelled)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(PATIENCE)
    assert got == [[], True]


SCRIPT = """
from tests import executor_tasks as tasks
from winnable.workers.engines import Processes
from winnable.workers.executor import Evaluator

if __name__ == "__main__":
    with Evaluator(Processes(2)) as evaluator:
        for index in range(4):
            evaluator.submit(index, tasks.note_pid_and_nap, {folder!r}, {nap})
        print(list(evaluator))
"""


@unix
@pytest.mark.parametrize("kill", [signal.SIGINT, signal.SIGKILL])
def test_no_worker_outlives_its_parent(kill: signal.Signals, tmp_path: Path) -> None:
    folder = tmp_path / "workers"
    folder.mkdir()
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(folder=str(folder), nap=2 * PATIENCE))
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen([sys.executable, script], env=environment, stderr=subprocess.DEVNULL) as process:
        wait_until(lambda: len(list(folder.iterdir())) == 2, "two workers")
        process.send_signal(kill)
        assert process.wait(PATIENCE) != 0
    wait_until(
        lambda: not any(tasks.alive(int(path.name)) for path in folder.iterdir()), "the end of the workers"
    )


def test_an_executor_that_cancels_everything_ends_as_an_error() -> None:
    class Cancelling(Executor):
        def submit(self, *_: Any, **__: Any) -> Any:
            future: Future[None] = Future()
            future.cancel()
            return future

    with Evaluator(Engine(Cancelling, "canceller")) as evaluator:
        evaluator.submit(0, tasks.pid)
        with pytest.raises(TaskError, match="cancelled 3 times by canceller"):
            next(evaluator)


def test_parsing() -> None:
    assert parse_executor("dask://example.org:8786") == "tcp://example.org:8786"
    assert parse_executor("dask://[::1]:8786/") == "tcp://[::1]:8786"


@pytest.mark.parametrize(
    "text",
    [
        *("", "x", "tcp://h:1", "dask://", "dask://h", "dask://:1", "dask://h:0", "dask://h:x"),
        *("dask://h:99999", "dask://u@h:1", "dask://h:1/p", "dask://h:1?q", "dask://[::1:2"),
    ],
)
def test_malformed_addresses_name_the_field(text: str) -> None:
    with pytest.raises(WinnableError, match=r"^executor: "):
        make_engine(executor=text)


def test_bad_engines_and_limits() -> None:
    for workers in (0, -1, 5000):
        with pytest.raises(WinnableError, match=r"^workers: "):
            make_engine(workers)
    with pytest.raises(WinnableError, match=r"^executor: "):
        make_engine(2, "dask://h:1")
    with pytest.raises(WinnableError, match=r"^in_flight: "):
        Evaluator(InProcess(), in_flight=0)
    assert make_engine(3).lanes == 3


def test_a_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(WinnableError, match=r"winnable\[cluster\]"):
        make_engine(executor="dask://127.0.0.1:1")
