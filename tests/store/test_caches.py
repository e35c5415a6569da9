"""What is loaded from a cache is trusted, so nobody else may have put it there: at each load, by any folder
above it."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from winnable.store import caches

pytestmark = pytest.mark.skipif(os.name != "posix", reason="owners and modes")


@pytest.fixture
def deep(tmp_path: Path) -> Path:
    """A file some folders down."""
    folder = tmp_path / "home" / "cache" / "kernels"
    folder.mkdir(parents=True)
    for place in (folder, *folder.parents[:2]):
        place.chmod(0o700)
    (folder / "one.kernel").write_bytes(b"")
    (folder / "one.kernel").chmod(0o600)
    return folder / "one.kernel"


PLACES: dict[str, Callable[[Path], Path]] = {
    "file": lambda path: path,
    "leaf": lambda path: path.parent,
    "cache": lambda path: path.parents[1],
    "home": lambda path: path.parents[2],
}


def as_root() -> bool:
    return os.getuid() == 0


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("mode", [0o777, 0o757, 0o702, 0o770, 0o1777])
def test_others_may_write_nowhere_on_the_way(deep: Path, place: str, mode: int) -> None:
    assert caches.is_trusted(deep)
    changed = PLACES[place](deep)
    before = changed.stat().st_mode & 0o7777
    changed.chmod(mode)
    own_group = mode == 0o770 and os.getuid() == os.getgid() != 0
    harmless = place in ("leaf", "cache", "home") and (mode == 0o1777 or own_group)
    assert caches.is_trusted(deep) is harmless
    changed.chmod(before)
    assert caches.is_trusted(deep), "it is looked at each time"


@pytest.mark.parametrize("place", PLACES)
def test_another_owner_is_not_trusted(deep: Path, place: str) -> None:
    if not as_root():
        pytest.skip("only root gives files away")
    os.chown(PLACES[place](deep), 65534, 65534)
    assert not caches.is_trusted(deep)


def test_a_link_is_as_good_as_both_ways_to_it(deep: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(deep.parent)
    linked = tmp_path / "link" / deep.name
    assert caches.is_trusted(linked)
    deep.parents[2].chmod(0o777)
    assert not caches.is_trusted(linked)
    deep.parents[2].chmod(0o700)
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    (shared / "link").symlink_to(deep.parent)
    assert not caches.is_trusted(shared / "link" / deep.name)
    (tmp_path / "round").symlink_to(tmp_path / "round")
    assert not caches.is_trusted(tmp_path / "round")
    assert not caches.is_trusted(tmp_path / "nothing")


@pytest.mark.skipif(sys.platform == "win32", reason="modes")
def test_a_folder_that_others_may_reach_is_neither_read_nor_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("WINNABLE_CACHE", str(home / "cache"))
    own = home / "cache" / caches.KERNELS
    assert caches.writable(caches.KERNELS) == own
    assert caches.readable(caches.KERNELS) == [own]
    home.chmod(0o777)
    elsewhere = caches.writable(caches.KERNELS)
    assert not elsewhere.is_relative_to(home)
    assert own not in caches.readable(caches.KERNELS)
    home.chmod(0o700)
    monkeypatch.setenv("WINNABLE_CACHE", str(home / "cache"))
    assert caches.writable(caches.KERNELS) == own
