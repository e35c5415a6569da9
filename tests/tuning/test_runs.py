"""Tuning runs: kept from the first moment, resumed bit for bit whatever ended them, one writer at a time."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, MutableMapping
from contextlib import closing
from pathlib import Path
from typing import Any, cast
from xml.etree import ElementTree

import msgspec
import pytest

from tests.waiting import PATIENCE, wait_until
from tests.web.toy_tunable import Bowl, Broken, Deadly
from winnable.contract.abilities import tunables_of
from winnable.contract.core import WinnableError
from winnable.contract.methods import Wanted
from winnable.contract.registry import load_game
from winnable.store.database import RunTaken, Store, StoreError
from winnable.tuning import runs
from winnable.tuning.curve import Curve, Point, curves_svg, thinned, ticks
from winnable.tuning.optimizers import OPTIMIZERS
from winnable.tuning.runs import Generation, Run
from winnable.tuning.seeds import evaluation_seed
from winnable.tuning.tuner import Tuner
from winnable.workers.engines import make_engine

ROOT = Path(__file__).parents[2]
OTHER_PROCESS = """
import sys
from pathlib import Path
from tests.web.toy_tunable import Bowl
from winnable.tuning import runs
from winnable.contract.abilities import tunables_of
from winnable.contract.registry import load_game
from winnable.store.database import Store
from winnable.tuning.tuner import Tuner

tunables_of(load_game("triple"))["bowl"] = lambda: Bowl(seconds=0.003)
store = Store(Path(sys.argv[1]))
print(flush=True)
Tuner(store, runs.load(store, sys.argv[2])).work()
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path / "data")
    yield opened
    opened.close()


@pytest.fixture(autouse=True)
def bowls(monkeypatch: pytest.MonkeyPatch) -> None:
    tunables = cast(MutableMapping[str, Any], tunables_of(load_game("triple")))
    monkeypatch.setitem(tunables, "bowl", Bowl)
    monkeypatch.setitem(tunables, "broken", Broken)
    monkeypatch.setitem(tunables, "deadly", lambda: Bowl("deadly"))


def begun(
    store: Store,
    optimizer: str = "jso",
    evaluations: int = 300,
    tunable: str = "bowl",
    steady: bool = False,
) -> Run:
    return runs.new_run(store, "triple", tunable, Wanted(optimizer, {}), evaluations, 7, steady)


def course(store: Store, run: Run) -> list[Generation]:
    """Without the clock."""
    found = runs.generations(store, run.id)
    return [msgspec.structs.replace(generation, seconds=0) for generation in found]


def state(store: Store, run: Run) -> Any:
    """The last checkpoint: the whole population is in it."""
    return msgspec.json.decode(store.load_run(run.id).checkpoint or b"null")


def uninterrupted(store: Store, optimizer: str = "jso", evaluations: int = 300, steady: bool = False) -> Run:
    return Tuner(store, begun(store, optimizer, evaluations, steady=steady)).work()


def test_a_run_from_beginning_to_comparison(store: Store) -> None:
    run = begun(store)
    assert (run.status, run.latest, run.genes, run.incumbent) == (
        "stopped",
        None,
        ["waiting", "tray"],
        [6, 6],
    )
    seen: list[Generation] = []
    ended = Tuner(store, run, on_generation=seen.append).work()
    assert ended.status == "finished"
    assert ended.latest == seen[-1]
    assert runs.generations(store, run.id) == seen
    assert ended.latest is not None
    assert ended.latest.evaluations >= 300
    assert ended.latest.recommendation == pytest.approx([3, 1], abs=0.5)
    assert ended.comparison is not None
    assert ended.comparison.decision == "accept"
    assert ended.comparison.ci_low <= ended.comparison.difference <= ended.comparison.ci_high < 0
    with pytest.raises(WinnableError, match="is finished"):
        Tuner(store, ended)


@pytest.mark.parametrize("steady", [False, True])
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_a_stopped_run_goes_on_bit_for_bit(store: Store, optimizer: str, steady: bool) -> None:
    if optimizer == "cma":
        pytest.importorskip("cmaes")
    whole = uninterrupted(store, optimizer, 150, steady)
    run = begun(store, optimizer, 150, steady=steady)
    stop_it: list[Tuner] = []

    def on_generation(event: Generation) -> None:
        for tuner in stop_it:
            tuner.stop()

    for sitting in range(3):
        tuner = Tuner(store, runs.load(store, run.id), on_generation=on_generation)
        stop_it[:] = [tuner] if sitting < 2 else []
        assert tuner.work().status == ("stopped" if sitting < 2 else "finished")
    assert course(store, run) == course(store, whole)
    assert state(store, run) == state(store, whole)


def test_kill_9_loses_nothing_that_was_kept(store: Store) -> None:
    whole = uninterrupted(store, evaluations=400)
    run = begun(store, evaluations=400)
    assert store.path is not None
    command = [sys.executable, "-c", OTHER_PROCESS, str(store.path.parent), run.id]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        wait_until(lambda: process.poll() is not None or len(store.run_events(run.id)) >= 3, "generations")
        assert process.poll() is None
        process.send_signal(signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
    killed = runs.load(store, run.id)
    assert killed.status == "running"
    assert killed.latest is not None
    assert killed.latest.evaluations < 400
    assert Tuner(store, killed).work().status == "finished"
    assert course(store, run) == course(store, whole)
    assert state(store, run) == state(store, whole)


@pytest.mark.parametrize("steady", [False, True])
def test_worker_processes_give_the_same_run(store: Store, steady: bool) -> None:
    whole = uninterrupted(store, evaluations=100, steady=steady)
    run = begun(store, evaluations=100, steady=steady)
    ended = Tuner(store, run, make_engine(workers=2)).work()
    assert ended.comparison == whole.comparison
    assert course(store, run) == course(store, whole)


def test_a_candidate_that_kills_its_worker_ends_the_run_and_its_checkpoint_stands(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = uninterrupted(store, "cross-entropy", 150)
    run = begun(store, "cross-entropy", 150, tunable="deadly")
    tunables = cast(MutableMapping[str, Any], tunables_of(load_game("triple")))
    monkeypatch.setitem(tunables, "deadly", lambda: Deadly("deadly", victim=evaluation_seed(7, 60)))
    with pytest.raises(WinnableError, match=r"candidate 60 .*its worker died each time"):
        Tuner(store, run, make_engine(workers=2)).work()
    failed = runs.load(store, run.id)
    assert failed.status == "failed"
    assert failed.latest is not None
    assert 0 < failed.latest.evaluations <= 60
    monkeypatch.setitem(tunables, "deadly", lambda: Bowl("deadly"))
    assert Tuner(store, failed).work().status == "finished"
    assert course(store, run) == course(store, whole)


def test_time_stops_a_run_between_two_evaluations(store: Store) -> None:
    ended = Tuner(store, begun(store, evaluations=10_000_000)).work(seconds=0.1)
    assert ended.status == "stopped"


def test_who_resumes_takes_over(store: Store) -> None:
    run = begun(store)
    first = Tuner(store, run)
    second = Tuner(store, runs.load(store, run.id))
    assert first.work().status == "running"  # the second one's: the first one's first word was refused
    assert second.work().status == "finished"
    assert course(store, run) == course(store, uninterrupted(store))


def test_who_resumes_goes_on_from_what_the_one_before_kept_last(store: Store) -> None:
    """Though he looked at the run before that."""
    run = begun(store)

    def on_generation(event: Generation) -> None:
        if event.generation == 3:
            first.stop()

    first = Tuner(store, run, on_generation=on_generation)
    first.work()
    second = Tuner(store, run)
    assert second.run.latest is not None
    assert second.run.latest.generation == 3
    second.work()
    assert course(store, run) == course(store, uninterrupted(store))


def test_a_run_that_was_finished_meanwhile_is_not_begun_again(store: Store) -> None:
    run = begun(store)
    finished = Tuner(store, run).work()
    with pytest.raises(StoreError, match="finished"):
        Tuner(store, run)
    assert runs.load(store, run.id) == finished


def test_a_deleted_run_stops(store: Store) -> None:
    run = begun(store)
    tuner = Tuner(store, run)
    assert store.delete_run(run.id)
    with pytest.raises(StoreError, match="not kept"):
        tuner.work()
    assert not store.delete_run(run.id)


def test_a_silent_run_is_interrupted(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    run = begun(store)
    store.take_run(run.id, "somebody")
    assert runs.load(store, run.id).status == "running"
    now = time.time()
    with monkeypatch.context() as patch:
        patch.setattr(time, "time", lambda: now - 1e6)
        assert runs.load(store, run.id).status == "interrupted", "the clock was put back"
    monkeypatch.setattr(runs, "SILENT_SECONDS", -1)
    assert runs.load(store, run.id).status == "interrupted"


def test_signs_of_life(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "BEAT_SECONDS", 0.01)
    taken = threading.Event()
    run = begun(store)
    recorder = runs.Recorder(store, run)
    before = runs.load(store, run.id).updated
    recorder.begin(taken.set)
    wait_until(lambda: runs.load(store, run.id).updated != before, "a sign of life")
    store.take_run(run.id, "another")
    assert taken.wait(PATIENCE)


def test_signs_of_life_between_steps(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    run = begun(store)
    recorder = runs.Recorder(store, run)
    before = runs.load(store, run.id).updated
    recorder.beat()
    assert runs.load(store, run.id).updated == before, "the last one was just now"
    monkeypatch.setattr(runs, "BEAT_SECONDS", 0.0)
    recorder.beat()
    assert runs.load(store, run.id).updated != before
    store.take_run(run.id, "another")
    with pytest.raises(RunTaken):
        recorder.beat()


def test_whoever_goes_on_no_more_stops_the_run(store: Store) -> None:
    whole = uninterrupted(store, "de", 3000)
    run = begun(store, "de", 3000)
    before = {*threading.enumerate()}
    steps = Tuner(store, run, threads=False).search()
    told = [next(steps)]
    while runs.load(store, run.id).latest is None:
        told.append(next(steps))
    assert before.issuperset(threading.enumerate())
    steps.close()
    assert (told[0].stage, runs.load(store, run.id).status) == ("tuning", "stopped")
    assert Tuner(store, run).work().status == "finished"
    assert course(store, run) == course(store, whole)


@pytest.mark.parametrize("seconds", [0.0, 0.5])
def test_what_could_not_be_kept_is_kept_at_the_end_or_the_run_goes_on(
    store: Store, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    """While another program holds the file. seconds: that the end waits for it"""
    monkeypatch.setattr(runs, "END_SECONDS", seconds)
    run = begun(store)
    recorder = runs.Recorder(store, run)
    event = Generation(1, 30, 1.0, 1.0, 2.0, 3.0, [1.0], [0.1], 5.0, 1.0, 9.0)
    assert store.path is not None
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        recorder.save({"asked": 30}, event)
        assert recorder.trouble
        if seconds:
            other.rollback()
        recorder.end("finished")
    kept = store.load_run(run.id)
    if seconds:
        assert (kept.status, kept.checkpoint, recorder.trouble) == ("finished", b'{"asked":30}', "")
        assert runs.generations(store, run.id) == [event]
    else:
        assert recorder.trouble
        runs.check_resumable(runs.load(store, run.id))


def test_errors_are_kept_with_the_run(store: Store) -> None:
    run = begun(store, tunable="broken")
    with pytest.raises(WinnableError, match="a bug in a tunable"):
        Tuner(store, run).work()
    failed = runs.load(store, run.id)
    assert failed.status == "failed"
    assert "a bug in a tunable" in failed.error


def test_a_store_that_cannot_be_written_does_not_stop_a_run(store: Store) -> None:
    run = begun(store)
    tuner = Tuner(store, run)
    full, works = "PRAGMA max_page_count = 1", "PRAGMA max_page_count = 1000000"

    def pragma(text: str) -> None:
        store._run(lambda database: database.execute(text))  # pyright: ignore[reportPrivateUsage]

    troubles: list[str] = []

    def on_generation(event: Generation) -> None:
        troubles.append(tuner.recorder.trouble)
        pragma(full if event.generation < 3 else works)

    tuner = Tuner(store, runs.load(store, run.id), on_generation=on_generation)
    assert tuner.work().status == "finished"
    assert not tuner.recorder.trouble
    assert [event.generation for event in runs.generations(store, run.id)] == list(
        range(1, len(troubles) + 1)
    )


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (("chess", "bowl", "jso"), "unknown game"),
        (("triple", "nothing", "jso"), "no 'nothing'; there are: beam-backward, beam-forward, bowl"),
        (("triple", "bowl", "magic"), "there are: cross-entropy, cma"),
    ],
)
def test_unknown_names(store: Store, names: tuple[str, str, str], why: str) -> None:
    with pytest.raises(WinnableError, match=why):
        runs.new_run(store, *names[:2], Wanted(names[2], {}), 10, 0)
    assert runs.listed(store) == []


def test_runs_are_found_by_the_beginning_of_their_id(store: Store) -> None:
    found = [begun(store) for _ in range(40)]
    assert runs.find(store, found[3].id) == found[3]
    assert runs.find(store, "last").id in {run.id for run in found}
    assert len(runs.listed(store)) == 40
    for text, why in (("", "is not kept"), ("zz", "is not kept"), (found[0].id[0], "beginning of several")):
        if why == "is not kept" or sum(run.id.startswith(text) for run in found) > 1:
            with pytest.raises(WinnableError, match=why):
                runs.find(store, text)


def test_a_run_of_a_tunable_that_is_no_more_can_be_looked_at(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = uninterrupted(store, evaluations=20)
    monkeypatch.delitem(cast(MutableMapping[str, Any], tunables_of(load_game("triple"))), "bowl")
    assert runs.load(store, run.id).genes == ["waiting", "tray"]


def test_saving_is_all_or_nothing_and_for_the_writer_only(store: Store) -> None:
    run = begun(store)
    store.take_run(run.id, "me")
    store.save_run(run.id, "me", checkpoint=b"1", events=[(1, b"{}")])
    with pytest.raises(RunTaken):
        store.save_run(run.id, "not me", checkpoint=b"2", events=[(2, b"{}")])
    with pytest.raises(StoreError):
        store.save_run(run.id, "me", checkpoint=b"2", events=[(2, b"{}"), (3, cast(bytes, None))])
    assert store.load_run(run.id).checkpoint == b"1"
    assert store.run_events(run.id) == [b"{}"]


def points(count: int) -> list[Point]:
    return [Point(10 * n + 10, 1 / (n + 1), 2 / (n + 1), 3 / (n + 1), 5 / (n + 1)) for n in range(count)]


@pytest.mark.parametrize("count", [0, 1, 2, 3000])
def test_the_picture_of_curves(count: int) -> None:
    infinite = Point(5, 1e300, 1e300, 1e300, 1e300)
    document = curves_svg(
        "a <title>\x1b\0", [Curve("one & two", [infinite, *points(count)]), Curve("b", points(2))]
    )
    root = ElementTree.fromstring(document)
    texts = [node.text for node in root.iter() if node.text]
    assert "a <title>\\x1b\\x00" in texts
    assert "one & two: best, median, quartiles" in texts
    assert "nan" not in document
    assert "e+" not in document
    assert len(document) < 60_000


def test_thinning_keeps_both_ends() -> None:
    assert thinned(list(range(10)), 20) == list(range(10))
    few = thinned(list(range(1000)), 7)
    assert (len(few), few[0], few[-1]) == (7, 0, 999)


def test_ticks_are_round_and_within() -> None:
    assert ticks(0, 100) == [0, 20, 40, 60, 80, 100]
    assert ticks(0.013, 0.071) == pytest.approx([0.02, 0.04, 0.06])
    assert ticks(1, 1) == [1]
    assert ticks(0, 3.5e-323) == [0]
