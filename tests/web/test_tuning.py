"""Tuning over the protocol: it goes on without a page, one run at a time, and ends with the server."""

from __future__ import annotations

import json
import threading
from collections.abc import Generator, MutableMapping
from pathlib import Path
from typing import Any, cast

import pytest

from bench.studio.process import talk
from tests.waiting import wait_until
from tests.web import toy_tunable
from tests.web.studio_harness import Event, Page, Studio, running_studio
from tests.web.toy_tunable import Bowl, Broken, Whole
from winnable.analysis.engine import engine
from winnable.contract.abilities import tunables_of
from winnable.contract.core import Progress, Search
from winnable.contract.methods import Wanted
from winnable.contract.registry import load_game
from winnable.tuning import runs
from winnable.tuning.optimizers import OPTIMIZERS


@pytest.fixture(scope="module", autouse=True)
def bowls() -> Generator[None]:
    with pytest.MonkeyPatch.context() as patch:
        tunables = cast(MutableMapping[str, Any], tunables_of(load_game("triple")))
        patch.setitem(tunables, "bowl", Bowl)
        patch.setitem(tunables, "slow", lambda: Bowl("slow", seconds=0.005))
        patch.setitem(tunables, "broken", Broken)
        patch.setitem(tunables, "whole", Whole)
        yield


@pytest.fixture
def waiting() -> Generator[None]:
    """Evaluations wait until the test sets `toy_tunable.PASS`."""
    toy_tunable.PASS.clear()
    yield
    toy_tunable.PASS.set()


def start(page: Page, tunable: str = "bowl", evaluations: int = 200, **more: Any) -> Event:
    fields = {"game": "triple", "tunable": tunable, "optimizer": "de", "evaluations": evaluations, **more}
    return page.ask("tune", "run", **fields)


def listed(page: Page, run: str, status: str) -> Event:
    """The list in which the run has that status."""

    def fits(event: Event) -> bool:
        return any(one["id"] == run and one["status"] == status for one in event["runs"])

    return page.wait("runs", where=fits)


def stop(page: Page, run: str) -> None:
    page.send("tune_stop", run=run)
    listed(page, run, "stopped")


def test_hello_says_what_can_be_tuned(studio: Studio) -> None:
    with talk(f"127.0.0.1:{studio.port}") as socket:
        hello = json.loads(socket.recv())
    triple = next(game for game in hello["games"] if game["name"] == "triple")
    assert [one["name"] for one in triple["tunables"]][:2] == ["beam-backward", "beam-forward"]
    assert [one["name"] for one in hello["optimizers"]] == list(OPTIMIZERS)
    assert hello["cores"] >= 1


def test_a_run_from_start_to_comparison(page: Page) -> None:
    assert page.ask("runs", "runs")["type"] == "runs"
    run = start(page)["run"]
    assert run["genes"] == ["waiting", "tray"]
    stages: list[str] = []
    course: list[Event] = []
    while "comparing" not in stages:
        event = page.wait("tuning")
        assert event["run"] == run["id"]
        stages.append(event["stage"])
        course += event["course"]
    assert stages[0] == "starting"
    assert [one["generation"] for one in course] == list(range(1, len(course) + 1))
    kept = next(one for one in listed(page, run["id"], "finished")["runs"] if one["id"] == run["id"])
    assert kept["comparison"]["decision"] == "accept"
    opened = page.ask("run_open", "run", run=run["id"])
    assert opened["course"] == course
    assert opened["run"] == kept


def test_a_run_goes_on_without_its_page(studio: Studio) -> None:
    with studio.page() as page:
        id = start(page, "slow", 10_000)["run"]["id"]
    with studio.page() as page:
        page.send("runs")
        listed(page, id, "running")
        before = page.wait("tuning", where=lambda event: len(event["course"]) > 0)["course"][-1]
        assert page.ask("run_open", "run", run=id)["course"][-1]["generation"] >= before["generation"]
        assert "stop it first" in start(page)["message"]
        stop(page, id)
        assert page.ask("tune_resume", "run", run=id)["run"]["id"] == id
        after = page.wait("tuning", where=lambda event: len(event["course"]) > 0)["course"][0]
        assert after["generation"] > before["generation"]
        stop(page, id)
        page.send("run_delete", run=id)
        page.wait("runs", where=lambda event: all(one["id"] != id for one in event["runs"]))
        assert "not kept" in page.ask("run_open", "run", run=id)["message"]


def test_exports(page: Page) -> None:
    page.send("runs")
    ids: list[str] = []
    for seed in (1, 2):
        ids.append(start(page, evaluations=50, seed=seed)["run"]["id"])
        listed(page, ids[-1], "finished")
    jsonl = page.ask("run_export", "file", runs=ids[:1], format="jsonl")
    assert jsonl["name"] == f"triple-bowl-{ids[0]}.jsonl"
    assert ids[0] in jsonl["content"].splitlines()[0]
    picture = page.ask("run_export", "file", runs=ids, format="svg")
    assert picture["name"] == f"triple-bowl-{ids[0]}-{ids[1]}.svg"
    assert picture["content"].startswith("<svg ")


def assert_another_runs(page: Page) -> None:
    """As soon as the one that was deleted has ended, without a word."""
    answers: list[Event] = []

    def begins() -> bool:
        answers.append(start(page, evaluations=20))
        return "message" not in answers[-1]

    wait_until(begins, "the end of the run that was deleted")
    assert all("stop it first" in answer["message"] for answer in answers[:-1])
    listed(page, answers[-1]["run"]["id"], "finished")


def test_a_run_is_deleted_while_it_works(page: Page) -> None:
    page.send("runs")
    id = start(page, "slow", 10_000)["run"]["id"]
    page.wait("tuning")
    page.send("run_delete", run=id)
    page.wait("runs", where=lambda event: all(one["id"] != id for one in event["runs"]))
    assert_another_runs(page)


def test_a_run_is_deleted_before_its_tuner_is_made(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    deleted = threading.Event()

    def late(*_: object) -> Search[None]:
        while not deleted.wait(0.001):
            yield Progress("tuning", 0, 0, 0.0)

    monkeypatch.setattr(engine(), "ready", late)
    page.send("runs")
    id = start(page)["run"]["id"]
    page.send("run_delete", run=id)
    page.wait("runs", where=lambda event: all(one["id"] != id for one in event["runs"]))
    deleted.set()
    assert_another_runs(page)


def test_clicks_are_answered_while_a_run_waits(page: Page, waiting: None) -> None:
    page.send("runs")
    id = start(page)["run"]["id"]
    page.new("toy:start=3#1")
    assert page.ask("act", "state", action=1)["ply"] == 1
    page.send("tune_stop", run=id)
    toy_tunable.PASS.set()
    listed(page, id, "stopped")


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"game": "chess"}, "unknown game"),
        ({"tunable": "magic"}, "there are: beam-backward"),
        ({"optimizer": "magic"}, "there are: cross-entropy"),
        ({"evaluations": 0}, "evaluations"),
        ({"workers": 1000}, "workers"),
        ({"seed": -1}, "seed"),
        ({"tunable": "broken"}, "a bug in a tunable"),
    ],
)
def test_refusals(page: Page, fields: dict[str, Any], complaint: str) -> None:
    page.send("tune", **{"game": "triple", "tunable": "bowl", "optimizer": "de", "evaluations": 9, **fields})
    assert complaint in page.error()


def test_several_processes_need_threads(studio: Studio, page: Page) -> None:
    page.send("runs")
    begun = start(page, evaluations=20, workers=2)
    if studio.jobs.has_threads:
        assert listed(page, begun["run"]["id"], "finished")
    else:
        assert (begun["field"], begun["request"]) == ("workers", "tune")
        assert "workers=1" in begun["message"]


def test_what_is_judged_in_one_piece_needs_threads(studio: Studio, page: Page) -> None:
    page.send("runs")
    begun = start(page, "whole", 20)
    if studio.jobs.has_threads:
        assert listed(page, begun["run"]["id"], "finished")
    else:
        assert begun["field"] == "tunable"
        assert "whole is judged in steps that would hold up" in begun["message"]


def test_a_run_whose_program_is_gone_is_soon_interrupted(
    studio: Studio, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page is told, without asking again."""
    page.send("runs")
    id = start(page, evaluations=20)["run"]["id"]
    listed(page, id, "finished")
    run = runs.new_run(studio.store, "triple", "bowl", Wanted("de", {}), 20, 0)
    studio.store.take_run(run.id, "another program")
    monkeypatch.setattr(runs, "SILENT_SECONDS", 0.5)
    page.send("runs")
    listed(page, run.id, "running")
    listed(page, run.id, "interrupted")


@pytest.mark.parametrize("request_type", ["tune_stop", "tune_resume", "run_open", "run_delete"])
def test_runs_that_are_not_there(page: Page, request_type: str) -> None:
    page.send("runs")
    assert page.ask(request_type, "runs", run="0" * 12)["type"] in ("error", "runs")
    assert "run" in page.ask(request_type, run="../etc")["message"]


def test_the_end_of_the_server_keeps_the_run(tmp_path: Path) -> None:
    with running_studio(tmp_path) as studio, studio.page() as page:
        page.send("runs")
        id = start(page, "slow", 10_000)["run"]["id"]
        page.wait("tuning", where=lambda event: len(event["course"]) > 0)
    with running_studio(tmp_path) as studio, studio.page() as page:
        opened = page.ask("run_open", "run", run=id)
        assert opened["run"]["status"] == "stopped"
        assert len(opened["course"]) > 0
        page.send("runs")
        assert page.ask("tune_resume", "run", run=id)["type"] == "run"
        stop(page, id)
