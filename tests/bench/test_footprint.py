"""The memory of a program is that of all its processes, and the studio's benchmark comes to its end."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bench.studio import footprint
from bench.studio.process_memory import Family
from winnable.contract.core import WinnableError

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

PARENT = """
import subprocess, sys
child = "import time; held = bytearray(64 << 20); print('ready', flush=True); time.sleep(600)"
subprocess.Popen([sys.executable, "-c", child])
"""
"""It ends at once and leaves its child behind."""


def test_processes_whose_parent_has_ended_are_counted() -> None:
    family = Family("FAMILY_OF_TEST", str(os.getpid()))
    assert family.use().processes == 0
    environment = {**os.environ, "FAMILY_OF_TEST": str(os.getpid())}
    with subprocess.Popen([sys.executable, "-c", PARENT], env=environment, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"ready\n"
        parent.wait()
        with family.watched() as most:
            now = family.use()
            assert now.processes == 1
            assert now.memory > 64 << 20
            end = time.monotonic() + 60
            while most() < 64 << 20:
                assert time.monotonic() < end
                time.sleep(0.01)
        assert family.interrupt(60) == 0
    assert family.use() == (0, 0, 0)


def test_a_system_without_proc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.studio.process_memory._PROC", Path("/nowhere"))
    with pytest.raises(WinnableError, match="no /proc"):
        Family("HOME", "/")


def test_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Uncompiled: what it takes to compile is not the matter here."""
    monkeypatch.setenv("WINNABLE_JIT", "0")
    monkeypatch.setattr(footprint, "QUIET_SECONDS", 0.3)
    monkeypatch.setattr(footprint, "AFTER_SECONDS", (0.1,))
    monkeypatch.setattr(footprint, "LAMP_SECONDS", 0.5)
    monkeypatch.setattr(footprint, "SOLVE_SECONDS", 0.2)
    monkeypatch.setattr(footprint, "SOAK_GAMES", 2)
    monkeypatch.setattr(footprint, "CLICK_SECONDS", 0.05)
    rows = {row.name: row for row in footprint.rows(games=2, soak=0.01)}
    for start in ("cold", "warm"):
        idle, most = rows[f"{start}: with nobody there"], rows[f"{start}: at most in all"]
        assert 20 < idle.value <= most.value
        assert (idle.unit, idle.reference, most.reference) == ("MiB", 300, 1024)
        assert rows[f"{start}: 0.1 s after they were closed"].reference == 450
        assert rows[f"{start}: processes left over"].value == 0
    assert [name for name in rows if "minute" in name] == [f"soak: minute {minute}" for minute in (1, 2, 3)]
    assert rows["soak: the last third above the first"].reference == footprint.FLAT
    assert rows["soak: processes left over"].value == 0
