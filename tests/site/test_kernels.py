"""Kernels that are compiled for browsers, called in a browser's Python under Node."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from winnable.compiled import ahead
from winnable.contract.core import WinnableError
from winnable.inert import plain
from winnable.site import downloads, kernels
from winnable.site.replaying import Replayed

GAME = "drops"


def test_every_kernel_that_is_shipped_is_in_its_list(site: Path) -> None:
    entries = ahead.listed((site / "kernels" / f"{GAME}.json").read_bytes())
    assert len(entries) > 10
    assert (site / "kernels" / f"{GAME}.so").read_bytes().startswith(b"\0asm")
    shipped = {entry.kernel.partition(":")[2] for entry in entries}
    assert {"search", "grow_search", "begin_all"} <= shipped


def test_a_build_whose_replay_differs_is_not_written(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert site.is_dir()  # Python for browsers is there

    def differs(*_: Any) -> Replayed:
        return Replayed({}, ["a call"])

    def nothing(*_: Any) -> None:
        pass

    monkeypatch.setattr(kernels, "_run", nothing)
    monkeypatch.setattr(kernels, "_replayed", differs)
    with pytest.raises(WinnableError, match="1 call of its kernels"):
        kernels.build(GAME, tmp_path / "kernels")
    assert not (tmp_path / "kernels").exists()


def test_what_was_fetched_and_is_not_what_was_pinned_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"other")
    with pytest.raises(WinnableError, match="digest"):
        downloads._check(tmp_path / "x", "sha256", downloads.MSGSPEC_SHA256)  # pyright: ignore[reportPrivateUsage]


def test_arguments_lie_in_slots_and_others_are_refused() -> None:
    array = plain.array([1, 2, 3], plain.int64)
    pack = ahead._pack(["tuple", "int64[1C]", "float32", "True"])  # pyright: ignore[reportPrivateUsage]
    flat = pack((array, 1.5, True))
    assert len(flat) == 8 * (7 + 1 + 1)
    assert flat[16:24] == (3).to_bytes(8, "little")
    assert pack((array, 1.5, True)) == flat
    for other in ((array, 1.5, False), (array, 1.5), (plain.array([1.0]), 1.5, True), 5):
        with pytest.raises(ahead.Mismatch):
            pack(other)


def test_results_are_read_as_c_aligns_them() -> None:
    unpack, size = ahead._result(["tuple", "bool", "float32", "uint64"])  # pyright: ignore[reportPrivateUsage]
    assert size == 16
    assert unpack(b"\1\0\0\0\0\0\x80?" + (2**64 - 1).to_bytes(8, "little")) == (True, 1.0, 2**64 - 1)


def test_two_builds_may_fetch_python_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fetch(work: Path) -> None:
        other = work.parent / f"pyodide-{downloads.PYODIDE}-msgspec-{downloads.MSGSPEC}"
        for folder in (work / "python", other):
            folder.mkdir()
            (folder / "file").write_text(folder.name)

    monkeypatch.setenv("WINNABLE_CACHE", str(tmp_path))
    monkeypatch.setattr(downloads, "_fetch", fetch)
    folder = downloads.python()
    assert (folder / "file").read_text() == folder.name, "the other one's"
