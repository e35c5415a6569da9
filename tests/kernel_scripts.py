"""Scripts with kernels of their own, in processes that find the user's folders empty."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
from functools import cache
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


def run(folder: Path, text: str, *, fresh: bool = False, **changed: str) -> str:
    """Runs `text` as the file script.py in the folder; what it prints. AssertionError, with its stderr, when
    it fails or writes anything there.

    fresh: in an interpreter that started for it; else numba is there already, and the hashes are those of the
    script before
    """
    script, out, err = (folder / name for name in ("script.py", "stdout", "stderr"))
    script.write_text(COUNTS + text)
    start = _started if fresh or not hasattr(os, "fork") else _forked
    code = start(str(script), str(out), str(err), environment(folder, **changed))
    said, errors = out.read_text(), err.read_text()
    out.unlink()
    err.unlink()
    assert code == 0, errors
    assert errors == ""
    return said.strip()


def _started(script: str, out: str, err: str, variables: dict[str, str]) -> int:
    command = [sys.executable, script]
    with open(out, "w") as stdout, open(err, "w") as stderr:
        return subprocess.run(
            command, env=variables, stdout=stdout, stderr=stderr, check=False, timeout=PATIENCE
        ).returncode


FORKING = f"""
import json, os, runpy, signal, sys
import numba
numba.njit("i8(i8)")(lambda x: x)  # which makes the compiler ready
for line in sys.stdin:
    script, *files, variables = json.loads(line)
    if child := os.fork():
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        continue
    signal.alarm({PATIENCE:.0f})
    for number, file in enumerate((os.devnull, *files)):
        os.dup2(os.open(file, os.O_RDWR | os.O_CREAT | os.O_TRUNC), number)
    os.environ.clear()
    os.environ.update(variables)
    numba.core.config.reload_config()
    sys.dont_write_bytecode = bool(variables.get("PYTHONDONTWRITEBYTECODE"))
    sys.path[0] = os.path.dirname(script)
    runpy.run_path(script, run_name="__main__")
    break
"""


@cache
def _forking() -> subprocess.Popen[str]:
    """It has imported numba, which takes longer than most scripts, and forks for each of them."""
    server = subprocess.Popen(
        [sys.executable, "-c", FORKING], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    atexit.register(server.communicate)
    return server


def _forked(*asked: object) -> int:
    server = _forking()
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write(json.dumps(asked) + "\n")
    server.stdin.flush()
    return int(server.stdout.readline())


def kept(folder: Path) -> list[Path]:
    """All files of compiled kernels, or parts of such files, below the folder."""
    return sorted(path for path in folder.rglob("*") if path.name.endswith((".kernel", ".part")))
