"""Networks to play with are unpacked once, and mapped from then on."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from weakref import ref

import numpy as np
import pytest

from tests.games.game2048.network.test_network_file import PROGRESS, coherence_of, learned
from winnable.cli.warm import warm_command
from winnable.compiled import compiling
from winnable.games.game2048.network import map as network_map
from winnable.games.game2048.network.file import quantised, read, write_checkpoint
from winnable.games.game2048.network.network import Network
from winnable.games.game2048.players import expectimax
from winnable.search import memory
from winnable.store import caches


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WINNABLE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "networks"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "some.network"
    path.write_bytes(quantised(learned(), PROGRESS))
    return path


def is_mapped(network: Network) -> bool:
    return not network.weights.flags.owndata


def assert_same(network: Network, path: Path) -> None:
    expected = read(path).network
    for name in ("tuples", "stages", "initial", "fold"):
        assert getattr(network, name) == getattr(expected, name)
    assert np.array_equal(network.weights, expected.weights)


def _never(*_: object) -> None:
    pytest.fail("unpacked again")


def test_the_second_one_is_not_unpacked(cache: Path, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = network_map.load(path)
    monkeypatch.setattr(network_map, "_write", _never)
    for network in (first, network_map.load(path)):
        assert_same(network, path)
        assert is_mapped(network)
    assert len(list(cache.iterdir())) == 1


def test_a_checkpoint_is_mapped_as_well(cache: Path, tmp_path: Path) -> None:
    network, path = learned(), tmp_path / "some.network"
    write_checkpoint(path, network, coherence_of(network), PROGRESS)
    for mapped in (network_map.load(path), network_map.load(path)):
        assert_same(mapped, path)
        assert is_mapped(mapped)


def _flip(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[100] ^= 1
    file.write_bytes(content)


def _cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1])


def _empty(file: Path) -> None:
    file.write_bytes(b"")


def _zero(file: Path) -> None:
    file.write_bytes(bytes(file.stat().st_size))


@pytest.mark.parametrize("damage", [_flip, _cut, _zero, _empty, Path.unlink])
def test_a_damaged_map_is_made_again(cache: Path, path: Path, damage: Callable[[Path], None]) -> None:
    network_map.load(path)
    (file,) = cache.iterdir()
    whole = file.read_bytes()
    damage(file)
    assert_same(network_map.load(path), path)
    assert [*cache.iterdir()] == [file]
    assert file.read_bytes() == whole


def test_without_a_cache_weights_are_in_memory(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even a temporary one."""

    def nowhere(part: str) -> list[Path]:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found")

    monkeypatch.setattr(caches, "readable", nowhere)
    network = network_map.load(path)
    assert_same(network, path)
    assert not is_mapped(network)


def test_a_full_disk_leaves_nothing_behind(cache: Path, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert_same(network_map.load(path), path)
    assert [*cache.iterdir()] == []


def test_old_maps_are_removed(cache: Path, tmp_path: Path) -> None:
    made = list[Path]()
    for number in range(network_map.KEPT + 2):
        path = tmp_path / f"{number}.network"
        path.write_bytes(quantised(learned(number + 1), PROGRESS))
        network_map.load(path)
        made += {*cache.iterdir()}.difference(made)
        os.utime(made[-1], (number, number))
    assert {*cache.iterdir()} == {*made[-network_map.KEPT :]}


def test_it_is_unpacked_when_kernels_are_compiled(
    cache: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WINNABLE_NETWORK", str(path))
    monkeypatch.setattr(compiling, "ENABLED", False)  # there is nothing to be compiled
    assert warm_command.main([], standalone_mode=False) == 0
    assert len(list(cache.iterdir())) == 1
    path.write_bytes(b"no network")
    assert warm_command.main([], standalone_mode=False) == 0


def test_it_is_let_go_when_nobody_plays(cache: Path, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WINNABLE_NETWORK", str(path))
    network = expectimax.network()
    assert expectimax.network() is network
    gone = ref(network)
    del network
    assert gone() is not None
    memory.give_back("2048")
    assert gone() is None
    assert_same(expectimax.network(), path)
