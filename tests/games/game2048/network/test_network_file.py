"""Files of networks come back as they were; damaged ones are refused."""

import hashlib
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from winnable.contract.core import WinnableError
from winnable.games.game2048.network import file as network_file
from winnable.games.game2048.network.file import (
    MAGIC,
    QUICK_PRESET,
    STEP,
    STEPS,
    Progress,
    load,
    quantised,
    read,
    write_checkpoint,
)
from winnable.games.game2048.network.network import Network, parse_tuples

PROGRESS = Progress(games=5, moves=700, seconds=1.5, dice=[2**64 - 1], scores=[3, 4], largest=[1, 2])


def learned(factor: float = 1.0) -> Network:
    """Two stages; most weights are still the initial ones, others changed by that many times 10, or so."""
    network = Network(parse_tuples("012 48"), (11,), initial=2.5, fold=12)
    rng = np.random.default_rng(1)
    for stage in range(0, len(network.weights), network.size):
        for number, first in enumerate(network.firsts):
            some = rng.integers(stage + first, stage + first + 16**2, 40)
            network.weights[some] = rng.normal(0, factor * 10.0 ** (2 - number), 40)
    return network


def coherence_of(network: Network) -> Any:
    coherence = np.zeros(2 * len(network.weights), np.float32)
    coherence[::97] = np.arange(len(coherence[::97]))
    return coherence


@pytest.mark.parametrize("coherent", [True, False])
def test_checkpoints(coherent: bool, tmp_path: Path) -> None:
    network, path = learned(), tmp_path / "some.network"
    coherence = coherence_of(network) if coherent else np.empty(0, np.float32)
    write_checkpoint(path, network, coherence, PROGRESS)
    back = read(path)
    for name in ("tuples", "stages", "initial", "fold"):
        assert getattr(back.network, name) == getattr(network, name)
    assert np.array_equal(back.network.weights, network.weights)
    assert np.array_equal(back.coherence, coherence)
    assert back.progress == PROGRESS


@pytest.mark.parametrize(("factor", "step"), [(0.01, None), (1000, STEP), (1e6, None)])
@pytest.mark.parametrize("at_once", [8, 1 << 18])
def test_files_to_play_with(
    factor: float, step: float | None, at_once: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Weights are right to half a step, whatever pieces it is made in and however it is compressed."""
    monkeypatch.setattr(network_file, "_WEIGHTS_AT_ONCE", at_once)
    network, path = learned(factor), tmp_path / "some.network"
    most = float(np.abs(network.weights - 2.5).max())
    path.write_bytes(quantised(network, PROGRESS))
    assert path.stat().st_size < 4000
    back = read(path)
    path.write_bytes(quantised(network, PROGRESS, QUICK_PRESET))
    assert len(back.coherence) == 0
    assert back.progress == PROGRESS
    assert np.array_equal(load(path).weights, back.network.weights)
    allowed = step or most / (STEPS if most < STEP * STEPS else 32767)
    worst = np.abs(network.weights - back.network.weights).max()
    assert 0.4 * allowed < worst <= 0.5 * allowed + 1e-6 * most
    assert ((back.network.weights == 2.5) == (np.abs(network.weights - 2.5) <= allowed / 2)).all()


def test_a_network_that_never_learned(tmp_path: Path) -> None:
    path = tmp_path / "new.network"
    path.write_bytes(quantised(Network(parse_tuples("01"), initial=7.0), Progress()))
    assert set(load(path).weights.tolist()) == {7.0}


@settings(max_examples=100)
@given(st.data())
def test_damaged_files_are_refused(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    content = bytearray(quantised(learned(), PROGRESS))
    place = data.draw(st.integers(0, len(content) - 1))
    if data.draw(st.booleans()):
        content[place] ^= 1 << data.draw(st.integers(0, 7))
    else:
        del content[place:]
    path = tmp_path_factory.getbasetemp() / "damaged.network"
    path.write_bytes(content)
    with pytest.raises(WinnableError, match=r"damaged.network: (the file is damaged|not a network of 2048)"):
        read(path)


def signed(header: bytes, *parts: bytes) -> bytes:
    content = b"".join([MAGIC, header, b"\n", *parts])
    return content + hashlib.sha256(content).digest()


def forged(**changes: Any) -> bytes:
    good = quantised(Network(parse_tuples("01")), Progress())
    line, _, rest = good.removeprefix(MAGIC).partition(b"\n")
    header = {**msgspec.json.decode(line), **changes}
    return signed(msgspec.json.encode(header), rest[:-32])


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "not a network of 2048"),
        (b'{"format": "winnable.2048/1"}', "not a network of 2048"),
        (MAGIC, "the file is damaged"),
        (signed(b"[]"), "Expected `object`, got `array`"),
        (signed(b"{}"), "Object missing required field"),
        (forged(tuples="0g"), "network: '0g' is neither"),
        (forged(stages=[3, 3]), "stages: "),
        (forged(fold=17), "fold: "),
        (forged(step="some"), "step: Expected `float`"),
        (forged(step=0), "not a valid file"),
        (forged(step=-1), "step: Expected `float` >= 0"),
        (forged(parts=[]), "not a valid file"),
        (forged(parts=[3]), "not a valid file"),
        (forged(tuples="012"), "not a valid file"),
    ],
)
def test_files_that_are_no_networks(content: bytes, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "other.network"
    path.write_bytes(content)
    with pytest.raises(WinnableError, match=rf"other\.network: {complaint}"):
        read(path)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(WinnableError, match="No such file"):
        read(tmp_path / "missing.network")
    with pytest.raises(WinnableError, match="directory"):
        read(tmp_path)
    with pytest.raises(WinnableError, match="null"):
        read(tmp_path / "a\0b")
