"""The kernel cache: private, used by the second process, and off when asked."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
from winnable.jit import kernel, notice_if_compiling, uncached
print("uncached" if uncached() else "cached")
notice_if_compiling()
@kernel
def double(x: int) -> int:
    return 2 * x
assert double(21) == 42
hits = getattr(double, "stats", None)
print("hits", sum(hits.cache_hits.values()) if hits else "none")
"""


def run(tmp_path: Path, text: str = SCRIPT, **environment: str) -> subprocess.CompletedProcess[str]:
    script = tmp_path / "script.py"
    script.write_text(text)
    return subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache"), **environment},
        capture_output=True,
        text=True,
        check=True,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="modes and XDG folders")
def test_the_second_process_does_not_compile_again(tmp_path: Path) -> None:
    first, second = run(tmp_path), run(tmp_path)
    assert first.stdout.split() == ["uncached", "hits", "0"]
    assert "compiling kernels once" in first.stderr
    assert second.stdout.split() == ["cached", "hits", "1"]
    assert second.stderr == ""
    (folder,) = (tmp_path / "cache" / "winnable" / "kernels").iterdir()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.skipif(sys.platform == "win32", reason="modes and XDG folders")
def test_a_cache_folder_that_others_may_write_is_not_used(tmp_path: Path) -> None:
    run(tmp_path)
    (folder,) = (tmp_path / "cache" / "winnable" / "kernels").iterdir()
    folder.chmod(0o777)
    assert run(tmp_path).stdout.split() == ["uncached", "hits", "0"]


def test_kernels_run_as_plain_python_when_asked(tmp_path: Path) -> None:
    result = run(tmp_path, WINNABLE_JIT="0")
    assert result.stdout.split() == ["cached", "hits", "none"]
    assert not (tmp_path / "cache").exists()


COMPILING = """
import time
time.monotonic = time.process_time  # whoever else is at work
from winnable.core import Budget
from winnable.jit import kernel
@kernel
def total(numbers) -> float:
    whole = 0.0
    for number in numbers:
        whole += number
    return whole
import numpy as np
budget, began = Budget(), time.monotonic()
assert total(np.ones(3)) == 3
compiling = time.monotonic() - began
assert compiling > 0.1
assert budget.elapsed < 0.5 * compiling, (compiling, budget.elapsed)
"""


def test_compiling_takes_no_time_of_a_budget(tmp_path: Path) -> None:
    run(tmp_path, COMPILING)
