"""What was asked for and told: kept by value, refused by name, saved as JSON; and the readers of states."""

import json
from typing import Any

import numpy as np
import pytest

from winnable.optimize.base import checked_bounds, checked_genomes
from winnable.optimize.ledger import Ledger
from winnable.optimize.state import StateReader, header, rng_to_json, to_json

GENOMES = np.array([[0.0, 1.0], [2.0, 3.0], [0.0, 1.0], [4.0, 5.0]])
NOTES = np.array([[0.0], [1.0], [2.0], [3.0]])


def blank() -> Ledger:
    return Ledger(2, np.float64, width=1, max_evaluations=3)


def asked() -> Ledger:
    ledger = blank()
    ledger.enter(GENOMES, NOTES)
    return ledger


def test_notes_come_back_and_the_best_is_the_first_of_equals() -> None:
    ledger = asked()
    _, losses, notes = ledger.settle(GENOMES[[3, 1]], [7, 7])
    assert (losses.tolist(), notes.tolist()) == ([7, 7], [[3], [1]])
    assert (ledger.best[0].tolist(), ledger.best[1]) == ([4, 5], 7)
    assert (ledger.evaluations, ledger.should_stop()) == (2, False)
    _, _, notes = ledger.settle(GENOMES[[0, 2]], [9, np.inf])
    assert notes.tolist() == [[0], [2]], "of the same genome, the first asked for is the first told"
    assert ledger.should_stop()


@pytest.mark.parametrize(
    ("genomes", "losses", "message"),
    [
        ([], [], "genomes: shape"),
        ([[0, 1, 2]], [1], "genomes: shape"),
        ([0, 1], [1], "genomes: shape"),
        ([[0, 1], [2]], [1, 2], "genomes: rows of unequal length"),
        ([["a", "b"]], [1], "genomes: numbers are needed"),
        ([[0, 1]], [1, 2], "losses: shape"),
        ([[0, 1]], [None], "losses: numbers are needed"),
        ([[2, 3], [0, 1]], [1, np.nan], "losses: loss 1 is not a number"),
        ([[2, 3], [9, 9]], [1, 2], "genomes: genome 1 was not asked for"),
        ([[2, 3], [2, 3]], [1, 2], "genomes: genome 0 is told 2 times"),
        ([[0, 1]] * 3, [1, 2, 3], "genomes: genome 0 is told 3 times"),
    ],
)
def test_bad_answers_change_nothing(genomes: Any, losses: Any, message: str) -> None:
    ledger = asked()
    before = ledger.to_json()
    with pytest.raises(ValueError, match=message):
        ledger.settle(genomes, losses)
    assert ledger.to_json() == before
    ledger.settle(GENOMES, [1, 2, 3, 4])


def test_the_round_trip_as_json() -> None:
    ledger = asked()
    ledger.settle(GENOMES[:2], [np.inf, -np.inf])
    text = json.dumps(ledger.to_json(), allow_nan=False)
    again = blank().read(json.loads(text), 0, 5)
    assert again.to_json() == ledger.to_json()
    assert again.settle(GENOMES[2:], [0, 0])[2].tolist() == [[2], [3]]
    for width in range(200):
        again.enter(np.full((1, 2), width), np.array([[width]]))
    assert again.notes[:, 0].tolist() == list(range(200))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"evaluations": None}, "state: ledger: evaluations: None is no whole number"),
        ({"evaluations": -1}, "state: ledger: evaluations: -1 is out of range"),
        ({"evaluations": 0}, "state: ledger: best_genome: known if and only if"),
        ({"best_genome": [9, 9]}, "state: ledger: best_genome: some gene is out of bounds"),
        ({"best_loss": ["nan"]}, "state: ledger: best_loss: some number is not finite"),
        ({"waiting": [[1, 2, 3]]}, "state: ledger: waiting: shape"),
        ({"waiting": "x"}, "state: ledger: waiting: no array of numbers"),
        ({"notes": []}, "state: ledger: notes: shape"),
    ],
    ids=str,
)
def test_damaged_ledgers_are_refused(change: dict[str, Any], message: str) -> None:
    ledger = asked()
    ledger.settle(GENOMES[:1], [1])
    with pytest.raises(ValueError, match=message):
        blank().read({**ledger.to_json(), **change}, 0, 5)


def test_whole_numbers_stay_whole() -> None:
    with pytest.raises(ValueError, match="genomes: some gene is no whole number"):
        checked_genomes([[0.5]], 1, np.dtype(np.int64))
    assert checked_genomes([[2.0]], 1, np.dtype(np.int64)).dtype == np.int64
    with pytest.raises(ValueError, match="high: some bounds are too far apart"):
        checked_bounds([-1e308], [1e308])
    with pytest.raises(ValueError, match="low: numbers are needed"):
        checked_bounds(["a"], [1])


def test_random_generators_continue() -> None:
    rng = np.random.default_rng(5)
    rng.integers(7, dtype=np.int32)  # leaves half a number behind
    state = json.loads(json.dumps({"rng": rng_to_json(rng)}))
    again = StateReader(state).rng()
    assert (
        again.integers(2**31, size=5, dtype=np.int32) == rng.integers(2**31, size=5, dtype=np.int32)
    ).all()
    for field, value in (("inc", "0"), ("state", "x"), ("has_uint32", 2), ("uinteger", -1)):
        with pytest.raises(ValueError, match="state: rng: no state of a random generator"):
            StateReader({"rng": {**state["rng"], field: value}}).rng()
    with pytest.raises(ValueError, match="state: rng: a mapping is needed"):
        StateReader({"rng": 3}).rng()


def test_states_of_others_are_refused() -> None:
    reader = StateReader(header("A", {"size": 3}))
    reader.check_header("A", {"size": 3})
    with pytest.raises(ValueError, match="state: optimizer: 'A' is not 'B'"):
        reader.check_header("B", {"size": 3})
    with pytest.raises(ValueError, match="state: settings: size is 3, but this optimizer has 4"):
        reader.check_header("A", {"size": 4})
    with pytest.raises(ValueError, match="state: a mapping is needed"):
        StateReader([])
    with pytest.raises(ValueError, match="state: x: missing"):
        reader.value("x")
    assert to_json(np.array([[1.5, np.inf], [-np.inf, np.nan]])) == [[1.5, "inf"], ["-inf", "nan"]]
