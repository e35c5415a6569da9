"""train: what it says, its exit codes, what it refuses, Ctrl-C, and what `kill -9` leaves."""

import json
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from tests.cli.cli_support import Run, document, one_error
from tests.waiting import PATIENCE, wait_until
from winnable.games.game2048.commands.view import TrainView, sparkline
from winnable.games.game2048.network.file import MAGIC, read
from winnable.games.game2048.network.training import Settings
from winnable.games.game2048.network.training_store import FOLDER, create
from winnable.store.database import data_folder

ROOT = Path(__file__).parents[4]
TINY = ("train", "2048", "--network", "0123 4567")
OFTEN = """
from winnable.games.game2048.network import training_store
training_store.CHECKPOINT_SECONDS = 0.01
training_store.CHECKPOINT_SHARE = 1.0
from winnable.cli import main
main()
"""


def checkpoints() -> list[Path]:
    return sorted((data_folder() / FOLDER).glob("*/checkpoint-*.network"))


def test_train_says_how_strong_the_network_is(run: Run) -> None:
    result = run(*TINY, "--games", "1200", "--seed", "3", "-o", "some.network")
    first, mean, *shares = result.stdout.splitlines()
    assert "2048, 0123 4567, tc, seed 3: 1,200 games" in first
    assert "of 1,000 games (95 %)" in mean
    assert [line.split(":")[0].strip() for line in shares] == ["2,048", "4,096", "8,192", "16,384", "32,768"]
    id = first.split()[1].rstrip(":")
    assert f"to go on: winnable train --resume {id}" in result.stderr
    assert read(Path("some.network")).progress.games == 1200


def test_train_json(run: Run) -> None:
    options = [
        "--stages",
        "256,4096",
        "--fold",
        "8192",
        "--learning",
        "td",
        "--optimistic",
        "1000",
        "--threads",
        "2",
    ]
    answer = document(run(*TINY, "--games", "1001", *options, "--lambda", "0", "--json"))
    assert answer["settings"] == {
        "network": "0123 4567", "stages": [8, 12], "learning": "td", "alpha": 0.1, "decay": 0.0,
        "optimistic": 1000.0, "fold": 13, "weights": None, "threads": 2, "seed": 0,
    }  # fmt: skip
    assert answer["games"] in (1001, 1002)
    assert answer["interrupted"] is False
    assert answer["latest"]["games"] == 1000
    assert answer["latest"]["stages"] == [8]
    assert answer["strength"]["games"] == 1000
    assert answer["strength"]["low"] < answer["strength"]["mean"] < answer["strength"]["high"]


def test_resume_goes_on(run: Run) -> None:
    first = document(run(*TINY, "--games", "300", "--json"))
    again = document(run("train", "2048", "--resume", first["id"][:5], "--games", "600", "--json"))
    assert (again["id"], again["games"], again["settings"]) == (first["id"], 600, first["settings"])
    timed = document(run("train", "--resume", "last", "--time", "0.05", "--json"))
    assert timed["games"] > 600
    straight = document(run(*TINY, "--games", "600", "--json"))
    assert (straight["moves"], straight["strength"]) == (again["moves"], again["strength"])


def test_prune_makes_a_training_of_its_own(run: Run) -> None:
    first = document(run(*TINY, "--games", "300", "--json"))
    pruned = ("--prune", "last", "--weights", "50", "--games", "600", "-o", "small.network", "--json")
    small = document(run("train", *pruned))
    assert (small["games"], small["settings"]) == (600, {**first["settings"], "weights": 50})
    assert small["id"] != first["id"]
    assert 0 < np.count_nonzero(read(Path("small.network")).network.weights) <= 50


def test_the_network_on_stdout(run: Run) -> None:
    result = run(*TINY, "--games", "1", "-o", "-")
    assert result.stdout_bytes.startswith(MAGIC)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["train"], "GAME is needed, or --resume RUN"),
        (["train", "tetris"], "'tetris' is not '2048'"),
        ([*TINY[:2], "--network", "4x9"], "network: '4x9' is neither one of"),
        ([*TINY, "--stages", "1000"], "--stages: '1000' is no tile"),
        ([*TINY, "--stages", "2048,1024"], "stages: tiles must ascend"),
        ([*TINY, "--stages", "16384"], "stages: tiles must ascend from 2 on, to 8,192 at most, as larger"),
        ([*TINY, "--stages", "65536", "--fold", "none"], "stages: tiles must ascend from 2 on, to 32,768"),
        ([*TINY, "--fold", "never"], "--fold: 'never' is no tile"),
        ([*TINY, "--fold", "2"], "fold: a tile from 4 to 32,768"),
        ([*TINY, "--learning", "sarsa"], "'sarsa' is not one of"),
        ([*TINY, "--alpha", "0"], "0.0 is not in the range"),
        ([*TINY, "--alpha", "nan"], "'nan' is not a number"),
        ([*TINY, "--lambda", "1.5"], "1.5 is not in the range"),
        ([*TINY, "--optimistic", "nan"], "'nan' is not a number"),
        ([*TINY, "--time", "0"], "not a number of seconds"),
        ([*TINY, "--games", "0"], "0 is not in the range"),
        ([*TINY, "--threads", "0"], "0 is not in the range"),
        ([*TINY, "-o", "missing/some.network"], "No such folder"),
        ([*TINY, "-o", "-", "--json"], "stdout is taken by the file"),
        (["train", "--resume", "last"], "run: 'last' is not kept; there are: none"),
        (["train", "--resume", "last", "--seed", "4"], "--seed: the training to go on with has its own"),
        (["train", "--prune", "last"], "--prune and --weights: one needs the other"),
        ([*TINY, "--weights", "9"], "--prune and --weights: one needs the other"),
        (["train", "--prune", "a", "--weights", "9", "--resume", "a"], "cannot be resumed at the same time"),
        (["train", "--prune", "last", "--weights", "9"], "run: 'last' is not kept; there are: none"),
    ],
)
def test_refusals(run: Run, arguments: list[str], complaint: str) -> None:
    one_error(run(*arguments, code=2), complaint)
    assert not (data_folder() / FOLDER).exists()


def test_a_damaged_checkpoint_is_told(run: Run) -> None:
    run(*TINY, "--games", "200")
    run("train", "--resume", "last", "--games", "400")
    checkpoints()[-1].write_bytes(b"")
    result = run("train", "--resume", "last", "--games", "300", "--json")
    assert "going on from the checkpoint before it" in result.stderr
    assert document(result)["games"] == 300


def started(*arguments: str) -> "subprocess.Popen[str]":
    """In a process of its own, and with a checkpoint."""
    process = subprocess.Popen(
        [sys.executable, "-c", OFTEN, *arguments],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    wait_until(lambda: process.poll() is not None or checkpoints(), "a checkpoint")
    assert process.poll() is None, process.communicate()
    return process


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("word", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_keeps_all_and_says_how_to_go_on(word: signal.Signals) -> None:
    process = started(*TINY, "--json")
    process.send_signal(word)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 3
    answer = json.loads(out)
    assert answer["interrupted"] is True
    assert answer["strength"] is None
    assert err.splitlines()[-1] == (
        f"winnable: interrupted; to go on: winnable train --resume {answer['id']}"
    )
    assert read(checkpoints()[-1]).progress.games == answer["games"]


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_after_kill_9_it_goes_on(run: Run) -> None:
    process = started(*TINY)
    process.kill()
    process.communicate(timeout=PATIENCE)
    kept = read(checkpoints()[-1]).progress
    games = kept.games + 500
    again = document(run("train", "--resume", "last", "--games", str(games), "--json"))
    straight = document(run(*TINY, "--games", str(games), "--json"))
    assert (again["games"], again["moves"]) == (games, straight["moves"])
    assert again["strength"] == straight["strength"]


def test_the_live_view_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    kept = create(Settings(network="01"))
    trainer, _ = kept.resume()
    with TrainView(kept, trainer) as view:
        trainer.work(view.round, threading.Event(), games=1000)
        view.tick()
        seen = capsys.readouterr().err
        view.testing()
        view.tick()
    assert f"2048 01, tc, run {kept.id}" in seen
    assert f"{trainer.moves / 1e6:,.1f} M" in seen
    assert "█" in seen
    assert "playing without learning" in capsys.readouterr().err


def test_the_curve() -> None:
    assert sparkline([], 5) == ""
    assert sparkline([1, 2, 4], 5) == "▃▅█"
    assert sparkline([*range(1, 101)], 4) == "▃▅▇█"
    assert sparkline([3.0], 4) == "█"
