"""Training learns, is the same for the same seed, and goes on from what was kept."""

import math
import shutil
import threading
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest

from winnable.contract.core import WinnableError
from winnable.games.game2048.network import training, training_store
from winnable.games.game2048.network.file import read, write_checkpoint
from winnable.games.game2048.network.games import strength
from winnable.games.game2048.network.training import Point, Settings, Trainer
from winnable.store.database import data_folder

TINY = Settings(network="0123 4567", seed=4)


@pytest.fixture(autouse=True)
def short_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "ROUND_MOVES", 20_000)


@pytest.fixture
def frequent_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "ROUND_MOVES", 2_000)
    monkeypatch.setattr(training, "POINT_GAMES", 100)


def worked(trainer: Trainer, games: int) -> list[Point]:
    points: list[Point] = []
    trainer.work(points.extend, threading.Event(), games=games)
    return points


def same(a: Trainer, b: Trainer) -> bool:
    """All but the time."""
    assert (a.games, a.moves, a.progress.dice) == (b.games, b.moves, b.progress.dice)
    assert (a.progress.scores, a.progress.largest) == (b.progress.scores, b.progress.largest)
    return np.array_equal(a.network.weights, b.network.weights) and np.array_equal(a.coherence, b.coherence)


def folder_of(kept: training_store.KeptTraining) -> Path:
    return data_folder() / training_store.FOLDER / kept.id


def checkpoints(kept: training_store.KeptTraining) -> list[Path]:
    return sorted(folder_of(kept).glob("checkpoint-*.network"))


@pytest.mark.parametrize("learning", ["tc", "td"])
def test_it_learns(learning: Any) -> None:
    """Without a clue it gets 3,200 points; 2,000 games of two rows make that three or four times as many."""
    trainer = Trainer(msgspec.structs.replace(TINY, learning=learning, alpha=training.ALPHA[learning]))
    before = strength(trainer.network, 200, 1)
    points = worked(trainer, 2000)
    after = strength(trainer.network, 200, 1)
    assert before.mean < 3_500
    assert after.low > 2 * before.high
    assert [point.games for point in points] == [1000, 2000]
    assert points[1].mean > 1.2 * points[0].mean
    assert points[1].moves == trainer.moves > points[0].moves > 100_000
    assert points[1].best >= points[1].mean
    assert 1 >= points[1].reached["2048"] >= points[1].reached["4096"] >= points[1].reached["32768"] >= 0


def test_one_thread_learns_the_same_for_the_same_seed() -> None:
    first, second = Trainer(TINY), Trainer(TINY)
    other = Trainer(msgspec.structs.replace(TINY, seed=5))
    for trainer in (first, second, other):
        worked(trainer, 100)
    assert same(first, second)
    assert not np.array_equal(first.network.weights, other.network.weights)


def test_games_go_on_folded() -> None:
    """So that no weight of a larger tile learns, and there is more to win in a game."""
    trainer, plain = Trainer(msgspec.structs.replace(TINY, fold=8)), Trainer(TINY)
    (point,), (other,) = worked(trainer, 1000), worked(plain, 1000)
    assert point.reached["2048"] == 0 < other.reached["2048"]
    tuples = enumerate(trainer.network.tuples)
    large = [
        trainer.network.weights[trainer.network.place(number, (exponent, 1, 1, 1))]
        for number, _ in tuples
        for exponent in (10, 11, 12)
    ]
    assert not any(large)
    assert np.count_nonzero(plain.network.weights) > np.count_nonzero(trainer.network.weights) > 0


def test_two_threads_learn_at_once() -> None:
    trainer = Trainer(msgspec.structs.replace(TINY, threads=2))
    points = worked(trainer, 2000)
    assert 2000 <= trainer.games <= 2001
    assert points[1].mean > 1.2 * points[0].mean
    assert np.isfinite(trainer.network.weights).all()
    assert np.isfinite(trainer.coherence).all()
    assert len(set(trainer.progress.dice)) == 2


def test_optimism_is_what_boards_are_worth_at_first() -> None:
    trainer = Trainer(msgspec.structs.replace(TINY, optimistic=5000.0))
    assert trainer.network.value((0, 1, 2, 3) * 4) == pytest.approx(5000)
    worked(trainer, 10)
    assert trainer.network.value((0,) * 15 + (1,)) < 5000


def test_stages_begin_with_what_was_known(monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = Trainer(msgspec.structs.replace(TINY, stages=(9, 13)))
    size, opened = trainer.network.size, list[np.ndarray[Any, Any]]()
    with_stage = type(trainer.network).with_stage

    def noted(network: Any, exponent: int) -> Any:
        opened.append(network.weights.copy())
        return with_stage(network, exponent)

    monkeypatch.setattr(type(trainer.network), "with_stage", noted)
    (point,) = worked(trainer, 1000)
    assert point.stages == [9]
    assert trainer.network.stages == (9,)
    assert np.array_equal(trainer.network.weights, np.tile(opened[0], 2))
    assert trainer.coherence[: 2 * size].any()
    assert not trainer.coherence[2 * size :].any()
    worked(trainer, 1500)
    assert not np.array_equal(trainer.network.weights[size:], opened[0])
    assert trainer.coherence[2 * size :].any()


@pytest.mark.parametrize("learning", ["tc", "td"])
def test_weights_that_grow_without_end_are_an_error(learning: Any) -> None:
    trainer = Trainer(msgspec.structs.replace(TINY, learning=learning, alpha=10.0, decay=1.0))
    with pytest.raises(WinnableError, match="alpha: weights grow without end"):
        worked(trainer, 100_000)


def test_the_time_and_a_word_stop_it() -> None:
    trainer, stop = Trainer(TINY), threading.Event()
    trainer.work(lambda points: None, stop, seconds=1e-9)
    assert trainer.games == 0

    def stopping(points: Sequence[Point]) -> None:
        stop.set()

    trainer.work(stopping, stop)
    assert 0 < trainer.moves < 40_000


@pytest.mark.parametrize("change", [{"network": "0123"}, {"learning": "td"}, {"fold": 12}, {"threads": 2}])
def test_checkpoints_of_other_settings_are_refused(change: dict[str, Any], tmp_path: Path) -> None:
    trainer = Trainer(TINY)
    write_checkpoint(tmp_path / "one.network", trainer.network, trainer.coherence, trainer.progress)
    with pytest.raises(WinnableError, match="training with other settings"):
        Trainer(msgspec.structs.replace(TINY, **change), read(tmp_path / "one.network"))


@pytest.mark.usefixtures("frequent_points")
def test_a_kept_training_goes_on_as_if_nothing_had_happened() -> None:
    kept = training_store.create(TINY)
    trainer, complaints = kept.resume()
    trainer.work(lambda points: kept.keep(trainer, points), threading.Event(), games=130)
    kept.save(trainer)
    later = training_store.find(kept.id)
    assert later.settings == TINY
    again, more_complaints = later.resume()
    assert complaints == more_complaints == []
    assert same(trainer, again)
    again.work(lambda points: later.keep(again, points), threading.Event(), games=210)
    uninterrupted = Trainer(TINY)
    points = worked(uninterrupted, 210)
    assert same(again, uninterrupted)
    assert [(point.games, point.mean) for point in later.points()] == [
        (point.games, point.mean) for point in points
    ]


def saved_thrice() -> training_store.KeptTraining:
    """The first and the last time with a point of the curve."""
    kept = training_store.create(TINY)
    trainer, _ = kept.resume()
    for games in (100, 150, 200):
        trainer.work(lambda points: kept.keep(trainer, points), threading.Event(), games=games)
        kept.save(trainer)
    return kept


def test_pruned_trainings_keep_the_weights_that_learned_most() -> None:
    kept = training_store.create(msgspec.structs.replace(TINY, stages=(7, 8)))
    trainer, _ = kept.resume()
    trainer.work(lambda points: kept.keep(trainer, points), threading.Event(), games=1000)
    kept.save(trainer)
    gross = trainer.coherence[1::2]
    learned = np.count_nonzero(gross)
    few = kept.pruned(100)
    assert (few.id, few.settings.weights, kept.settings.weights) != (kept.id, 100, None)
    assert few.settings == msgspec.structs.replace(kept.settings, weights=100)
    goes_on, complaints = few.resume()
    assert (complaints, goes_on.games) == ([], 1000)
    best = np.argsort(gross)[-100:]
    assert np.array_equal(goes_on.network.weights[best], trainer.network.weights[best])
    assert np.count_nonzero(goes_on.network.weights) == 100
    goes_on.work(lambda points: None, threading.Event(), games=3000)
    assert goes_on.network.stages == (7, 8) != trainer.network.stages
    assert not np.array_equal(goes_on.network.weights[best], trainer.network.weights[best])
    assert np.count_nonzero(goes_on.network.weights) <= 200
    with pytest.raises(WinnableError, match=f"weights: {learned:,} have learned"):
        kept.pruned(int(learned))


def test_a_pruned_training_can_be_pruned_again() -> None:
    kept = training_store.create(TINY)
    trainer, _ = kept.resume()
    trainer.work(lambda points: kept.keep(trainer, points), threading.Event(), games=1000)
    kept.save(trainer)
    best = np.argsort(trainer.coherence[1::2])[-50:]
    fewer, _ = kept.pruned(100).pruned(50).resume()
    assert np.array_equal(fewer.network.weights[best], trainer.network.weights[best])
    assert np.count_nonzero(fewer.network.weights) == 50
    with pytest.raises(WinnableError, match="weights: 100 have learned"):
        kept.pruned(100).pruned(100)


def test_what_cannot_be_pruned() -> None:
    kept = training_store.create(msgspec.structs.replace(TINY, learning="td", alpha=0.1))
    with pytest.raises(WinnableError, match=f"run: {kept.id} has no checkpoint yet"):
        kept.pruned(10)
    trainer, _ = kept.resume()
    trainer.work(lambda points: None, threading.Event(), games=10)
    kept.save(trainer)
    with pytest.raises(WinnableError, match="only weights that learned by temporal coherence"):
        kept.pruned(10)
    assert len(training_store.trainings()) == 1


@pytest.mark.usefixtures("frequent_points")
def test_a_damaged_checkpoint_is_moved_aside() -> None:
    kept = saved_thrice()
    older, newest = checkpoints(kept)
    newest.write_bytes(newest.read_bytes()[:-1])
    trainer, complaints = kept.resume()
    assert trainer.games == 150
    assert [point.games for point in kept.points()] == [100]
    assert len(complaints) == 1
    assert newest.name in complaints[0]
    assert "damaged" in complaints[0]
    assert checkpoints(kept) == [older]
    assert newest.with_suffix(".damaged").exists()
    assert kept.resume()[0].games == 150


@pytest.mark.usefixtures("frequent_points")
def test_no_checkpoint_that_is_whole_is_an_error() -> None:
    kept = saved_thrice()
    for path in checkpoints(kept):
        path.write_bytes(b"")
    with pytest.raises(WinnableError, match=f"no checkpoint of {kept.id} is whole"):
        kept.resume()
    assert len(checkpoints(kept)) == 2


@pytest.mark.usefixtures("frequent_points")
def test_what_an_ended_program_left_unfinished_is_dropped() -> None:
    kept = saved_thrice()
    folder = folder_of(kept)
    (folder / ".checkpoint-000000000210.network.x1").write_bytes(b"half")
    with (folder / "curve.jsonl").open("ab") as curve:
        curve.write(b'{"games":300,"mo')
    assert [point.games for point in kept.points()] == [100, 200]
    kept.resume()
    assert not list(folder.glob(".*"))
    assert len((folder / "curve.jsonl").read_bytes().splitlines()) == 2


def test_checkpoints_are_written_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training_store, "CHECKPOINT_SECONDS", 0.0)
    monkeypatch.setattr(training_store, "CHECKPOINT_SHARE", math.inf)
    kept = training_store.create(TINY)
    trainer, _ = kept.resume()
    trainer.work(lambda points: kept.keep(trainer, points), threading.Event(), games=300)
    assert len(checkpoints(kept)) == 2
    assert read(checkpoints(kept)[-1]).progress.games == 300


def test_the_first_minute_is_kept_too(monkeypatch: pytest.MonkeyPatch) -> None:
    now, kept = 0.0, training_store.create(TINY)
    monkeypatch.setattr(training_store, "time", SimpleNamespace(monotonic=lambda: now))
    trainer, _ = kept.resume()
    written: list[float] = []
    for now in range(1, 201):
        trainer.games += 1
        before = set(checkpoints(kept))
        kept.keep(trainer, [])
        if set(checkpoints(kept)) != before:
            written.append(now)
    assert written == [2, 4, 8, 16, 32, 64, 124, 184]


def test_only_one_program_writes_to_a_training() -> None:
    kept = training_store.create(TINY)
    trainer, _ = kept.resume()
    training_store.find("last").resume()
    with pytest.raises(training_store.Taken, match=f"another program goes on with {kept.id}"):
        trainer.work(lambda points: kept.keep(trainer, points), threading.Event(), games=100)
    with pytest.raises(training_store.Taken):
        kept.save(trainer)
    assert not checkpoints(kept)


def test_a_full_disk_does_not_stop_it(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = training_store.create(TINY)
    trainer, _ = kept.resume()
    worked(trainer, 20)

    def full(*_: Any) -> None:
        raise WinnableError("some.network: No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(training_store, "write_checkpoint", full)
        kept.save(trainer)
    assert kept.trouble == "some.network: No space left on device"
    kept.save(trainer)
    assert kept.trouble == ""
    assert len(checkpoints(kept)) == 1


def test_trainings_are_found() -> None:
    with pytest.raises(WinnableError, match="'last' is not kept; there are: none"):
        training_store.find("last")
    first, second = training_store.create(TINY), training_store.create(TINY)
    (data_folder() / training_store.FOLDER / "unfinished").mkdir()
    assert [one.id for one in training_store.trainings()] == [second.id, first.id]
    assert training_store.find("last").id == second.id
    assert training_store.find(first.id[:11]).id == first.id
    for text in ("", "xyz"):
        with pytest.raises(WinnableError, match=f"'{text}' is not kept; there are: {second.id}, {first.id}"):
            training_store.find(text)
    folder = folder_of(first)
    shutil.copytree(folder, folder.with_name(f"{first.id[:6]}-copy"))
    with pytest.raises(WinnableError, match="is the beginning of several trainings"):
        training_store.find(first.id[:6])
