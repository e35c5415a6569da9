"""Scripts with kernels of their own, in processes that find the user's folders empty."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.waiting import PATIENCE

COUNTS = """
def counts(*kernels):
    "How many forms were loaded, and how many compiled."
    loaded = sum(sum(kernel._cache_hits.values()) for kernel in kernels)
    return loaded, sum(sum(kernel._cache_misses.values()) for kernel in kernels)
"""


def environment(folder: Path, **changed: str) -> dict[str, str]:
    """With all of the user's folders inside `folder`, and no cache named but in `changed`."""
    own = {"HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache"), "TMPDIR": str(folder)}
    inherited = {name: value for name, value in os.environ.items() if name != "WINNABLE_CACHE"}
    return {**inherited, **own, **changed}


def run(folder: Path, text: str, **changed: str) -> str:
    """Runs `text` as the file script.py in the folder; what it prints. AssertionError, with its stderr, when
    it fails or writes anything there."""
    script = folder / "script.py"
    script.write_text(COUNTS + text)
    done = subprocess.run(
        [sys.executable, str(script)],
        env=environment(folder, **changed),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.strip()


def kept(folder: Path) -> list[Path]:
    """All files of compiled kernels, or parts of such files, below the folder."""
    return sorted(path for path in folder.rglob("*") if path.name.endswith((".kernel", ".part")))
