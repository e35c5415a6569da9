"""Scripts in an interpreter of their own: whether kernels are compiled is settled when it starts."""

import os
import subprocess
import sys
from pathlib import Path

from tests.waiting import PATIENCE

ROOT = Path(__file__).parents[1]


def printed(script: str, *, jit: bool, stdin: str = "") -> str:
    """What the script prints, with or without the compiler. It may import from `tests`.

    AssertionError, with all that it wrote to stderr, when it fails, warns of anything, or was run the other
    way; as plain Python it may write nothing to stderr (with the compiler a notice may say that it compiles).
    subprocess.TimeoutExpired after PATIENCE.
    """
    checked = f"{script}\nfrom winnable.compiled.jit import ENABLED as ran\nassert ran is {jit}\n"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", checked],
        input=stdin,
        cwd=ROOT,
        env={**os.environ, "WINNABLE_JIT": str(int(jit))},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert jit or done.stderr == "", done.stderr
    return done.stdout


def printed_either_way(script: str, stdin: str = "") -> str:
    """What the script prints, which must be something, and the same with and without the compiler."""
    compiled = printed(script, jit=True, stdin=stdin)
    plain = printed(script, jit=False, stdin=stdin)
    assert plain == compiled != "", f"{plain}\nand compiled\n{compiled}"
    return compiled
