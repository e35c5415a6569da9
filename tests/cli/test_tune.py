"""tune and runs: what they say, their exit codes, what they refuse, and Ctrl-C."""

import json
import signal
import subprocess
import sys
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any, cast
from xml.etree import ElementTree

import pytest

from tests.cli.cli_support import Run, document, one_error
from tests.waiting import PATIENCE, wait_until
from tests.web.toy_tunable import Bowl, Broken
from winnable.contract.abilities import tunables_of
from winnable.contract.registry import load_game
from winnable.store.database import Store, data_folder

ROOT = Path(__file__).parents[2]
IN_A_PROCESS = """
from tests.web.toy_tunable import Bowl
from winnable.contract.abilities import tunables_of
from winnable.contract.registry import load_game
tunables_of(load_game("triple"))["bowl"] = lambda: Bowl(seconds=0.01)
from winnable.cli import main
main()
"""


@pytest.fixture(autouse=True)
def bowls(monkeypatch: pytest.MonkeyPatch) -> None:
    tunables = cast(MutableMapping[str, Any], tunables_of(load_game("triple")))
    monkeypatch.setitem(tunables, "bowl", Bowl)
    monkeypatch.setitem(tunables, "broken", Broken)


def tuned(run: Run, *more: str, evaluations: int = 200) -> Any:
    return document(run("tune", "triple", "bowl", "--evaluations", str(evaluations), "--json", *more))


def test_tune_ends_with_weights_and_a_comparison(run: Run) -> None:
    result = run("tune", "triple", "bowl", "--evaluations", "300", "--seed", "3", "--optimizer", "de")
    assert "triple bowl, de, seed 3: finished" in result.stdout
    assert "300 of 300 evaluations" in result.stdout
    assert "waiting" in result.stdout
    assert "BETTER than the weights in use: on " in result.stdout
    assert "(95 %)" in result.stdout
    assert result.stderr == ""


def test_tune_json(run: Run) -> None:
    answer = tuned(run)
    assert answer["status"] == "finished"
    assert answer["comparison"]["ci_low"] <= answer["comparison"]["ci_high"] < 0
    assert document(run("runs", "--json")) == [answer]
    shown = document(run("runs", "show", "last", "--json"))
    assert shown["run"] == answer
    assert shown["generations"][-1] == answer["latest"]


def test_time_stops_a_run_that_resume_goes_on_with(run: Run) -> None:
    stopped = run("tune", "triple", "bowl", "--evaluations", "9999", "--time", "0.05", "--json")
    id = document(stopped)["id"]
    assert document(stopped)["status"] == "stopped"
    assert f"stopped; to go on: winnable tune --resume {id}" in stopped.stderr
    again = document(run("tune", "--resume", id[:6], "--time", "0.05", "--json"))
    assert (again["id"], again["status"]) == (id, "stopped")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "GAME and TUNABLE are needed"),
        (["triple"], "GAME and TUNABLE are needed"),
        (["chess", "bowl"], "unknown game 'chess'"),
        (["triple", "magic"], "triple has no 'magic'; there are: beam-backward"),
        (["triple", "bowl", "--optimizer", "magic"], "there are: cross-entropy"),
        (["triple", "bowl", "--evaluations", "0"], "0 is not in the range"),
        (["triple", "bowl", "--time", "-1"], "not a number of seconds"),
        (["triple", "bowl", "--executor", "ssh://x"], "must begin with dask://"),
        (["triple", "bowl", "--workers", "2", "--executor", "dask://h:1"], "--workers or --executor"),
        (["--resume", "nothing"], "run: 'nothing' is not kept"),
        (["--resume", "last"], "run: 'last' is not kept"),
        (["--resume", "last", "--seed", "4"], "the run's own seed stands"),
        (["triple", "broken"], "a bug in a tunable"),
    ],
)
def test_refusals(run: Run, arguments: list[str], complaint: str) -> None:
    one_error(run("tune", *arguments, code=2), complaint)


def test_refused_runs_leave_nothing_behind(run: Run) -> None:
    run("tune", "triple", "bowl", "--executor", "ssh://x", code=2)
    run("tune", "triple", "bowl", "--optimizer", "magic", code=2)
    empty = run("runs")
    assert empty.stdout == ""
    assert "no runs yet" in empty.stderr


def test_a_finished_run_is_not_resumed(run: Run) -> None:
    tuned(run, evaluations=50)
    one_error(run("tune", "--resume", "last", code=2), "is finished")


def test_runs_are_listed_shown_compared_and_deleted(run: Run) -> None:
    first, second = tuned(run)["id"], tuned(run, "--seed", "5", "--optimizer", "lshade")["id"]
    listed = run("runs").stdout.splitlines()
    assert [line.split()[0] for line in listed[2:]] == [second, first]
    shown = run("runs", "show", second[:8]).stdout
    assert "lshade, seed 5" in shown
    assert "generation" in shown
    compared = run("runs", "compare", first, second).stdout
    assert "against the weights in use" in compared
    assert [one["id"] for one in document(run("runs", "compare", first, second, "--json"))] == [first, second]
    assert f"deleted {first}" in run("runs", "delete", first).stdout
    assert document(run("runs", "delete", second, "--json")) == {"deleted": [second]}
    one_error(run("runs", "show", first, code=2), "is not kept")


def test_exports(run: Run) -> None:
    first, second = tuned(run)["id"], tuned(run, "--seed", "5")["id"]
    lines = [json.loads(line) for line in run("runs", "export", first).stdout.splitlines()]
    assert lines[0]["id"] == first
    assert [line["generation"] for line in lines[1:]] == list(range(1, len(lines)))
    answer = run("runs", "export", first, second, "--format", "svg", "-o", "both.svg", "--json")
    assert document(answer) == {"runs": [first, second], "format": "svg", "output": "both.svg"}
    picture = ElementTree.parse("both.svg").getroot()
    assert picture.tag.endswith("svg")
    assert sum("bowl cross-entropy" in (node.text or "") for node in picture.iter()) == 2
    one_error(run("runs", "export", first, second, code=2), "only one at a time")
    one_error(run("runs", "export", first, "--json", code=2), "stdout is taken")


def test_no_more_is_judged_than_was_asked(run: Run) -> None:
    for more in ([], ["--steady"]):
        answer = tuned(run, *more, evaluations=12)
        assert answer["latest"]["evaluations"] == 12
        lines = [json.loads(line) for line in run("runs", "export", answer["id"]).stdout.splitlines()[1:]]
        assert [(line["generation"], line["evaluations"]) for line in lines] == [(1, 8), (2, 12)]


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("word", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_keeps_the_checkpoint_and_says_how_to_go_on(word: signal.Signals) -> None:
    command = [
        sys.executable,
        "-c",
        IN_A_PROCESS,
        "tune",
        "triple",
        "bowl",
        "--evaluations",
        "9999",
        "--json",
    ]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        store = Store(data_folder())
        wait_until(lambda: any(kept.last_event for kept in store.runs()), "a generation")
        store.close()
        process.send_signal(word)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 3
    answer = json.loads(out)
    assert answer["status"] == "stopped"
    assert answer["latest"]["evaluations"] > 0
    assert err == f"winnable: interrupted; to go on: winnable tune --resume {answer['id']}\n"
