"""The studio where nothing is compiled yet: what needs no compiling is told before."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import PATIENCE, wait_until
from tests.web.studio_harness import running_studio
from winnable.analysis import engine as engine_module
from winnable.compiled.compiling import Compilers
from winnable.contract.registry import load_game

SMALL = "012/340"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="groups of processes")


@pytest.fixture
def cold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An empty cache, as the environment of a child names it, and an engine that knows of nothing else."""
    engine_module.engine().close()
    monkeypatch.setenv("WINNABLE_CACHE", str(tmp_path / "cache"))
    return f"WINNABLE_CACHE={tmp_path / 'cache'}"


def _children(cold: str) -> list[str]:
    """Whatever works for the studio with this cache."""
    asked = subprocess.run(["ps", "-eo", "pid,args", "-ww"], capture_output=True, text=True, check=True)
    own: list[str] = []
    for line in asked.stdout.splitlines():
        if "winnable.compiled.compile_worker" in line or "winnable.analysis.uncompiled" in line:
            path = Path(f"/proc/{line.split()[0]}/environ")
            try:
                told = path.read_bytes()
            except OSError:
                continue
            own += [line] if cold.encode() in told.split(b"\0") else []
    return own


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_a_proof_that_needs_no_compiling_does_not_wait_for_it(
    tmp_path: Path, cold: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(self: Compilers) -> None:
        pass

    monkeypatch.setattr(Compilers, "_start", never)
    monkeypatch.setattr(engine_module, "FIRST_SECONDS", PATIENCE)
    with running_studio(tmp_path / "data") as studio, studio.page() as page:
        page.new(SMALL, game="drops")
        lamp = page.lamp()
        assert (lamp["verdict"], lamp["optimal"]) == ("winnable", True)
    wait_until(lambda: not _children(cold), "the children's end")


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_an_outlook_names_its_player_and_a_closed_studio_leaves_no_child(tmp_path: Path, cold: str) -> None:
    with running_studio(tmp_path / "data") as studio, studio.page() as page:
        page.new(load_game("2048").cover, game="2048")
        first = page.wait("lamp", where=lambda event: event["outlook"] is not None)
        assert first["searching"]
        assert first["outlook"]["by"]
        assert _children(cold)
    wait_until(lambda: not _children(cold), "the children's end")
