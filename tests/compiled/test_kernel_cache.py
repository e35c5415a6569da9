"""A kernel is loaded as long as all that it is made of is the same; trouble with files keeps none from
running."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.kernel_scripts import environment, kept, run
from tests.waiting import PATIENCE, wait_until
from winnable.compiled import kernel_cache

PARTS = '''"""What the kernel of the script is made of."""
from typing import NamedTuple
from winnable.compiled.jit import inlined_kernel, kernel
STEP = 3
TABLE = (1, 2, 4)
class Pair(NamedTuple):
    one: int
    two: int
@kernel
def called(x: int) -> int:
    """What is called."""
    return x + STEP
@inlined_kernel
def inlined(x: int) -> int:
    return x * TABLE[1]
def make(factor: int):
    @kernel
    def scaled(x: int) -> int:
        return x * factor
    return scaled
scaled = make(10)
'''
WHOLE = """
import parts
from parts import Pair, inlined, scaled
from winnable.compiled.jit import kernel
@kernel
def whole(pair) -> int:
    return scaled(parts.called(pair.one)) + inlined(pair.two)
print(whole(Pair(1, 2)), *counts(whole))
"""
ANSWER = "44"


def _run(folder: Path, parts: str = PARTS, *, fresh: bool = False, **changed: str) -> tuple[str, str]:
    """The answer, and whether the outermost kernel was loaded: "1 0", or compiled: "0 1"."""
    (folder / "parts.py").write_text(parts)
    said = run(folder, WHOLE, fresh=fresh, PYTHONDONTWRITEBYTECODE="1", **changed)
    answer, _, counted = said.partition(" ")
    return answer, counted


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with all of it, made by a process with hashes of its own."""
    folder = tmp_path_factory.mktemp("warm")
    assert _run(folder, fresh=True) == (ANSWER, "0 1")
    assert len(kept(folder)) == 3
    return folder


@pytest.fixture
def folder(warm: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(warm, tmp_path / "copy"))


@pytest.mark.parametrize(
    ("old", "new", "answer"),
    [
        ("return x + STEP", "return x - STEP", "-16"),
        ("STEP = 3", "STEP = 4", "54"),
        ("TABLE = (1, 2, 4)", "TABLE = (1, 3, 4)", "46"),
        ("one: int\n    two: int", "two: int\n    one: int", "52"),
        ("x * TABLE[1]", "x * TABLE[2]", "48"),
        ("make(10)", "make(100)", "404"),
        ("x * factor", "x + factor", "18"),
    ],
)
def test_what_changes_is_compiled_anew(folder: Path, old: str, new: str, answer: str) -> None:
    assert old in PARTS
    assert _run(folder, PARTS.replace(old, new)) == (answer, "0 1")
    assert _run(folder) == (ANSWER, "1 0")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("STEP = 3", "STEP = 3  # so many"),
        ("STEP = 3", "\n\nOTHER = 5\nSTEP = 3"),
        ('"""What is called."""', '"""Something else."""'),
        ("def called(x: int) -> int:", "def called(\n    x: int,\n) -> int:"),
    ],
)
def test_what_is_only_said_otherwise_is_loaded(folder: Path, old: str, new: str) -> None:
    assert old in PARTS
    assert _run(folder, PARTS.replace(old, new)) == (ANSWER, "1 0")


def test_another_copy_of_the_source_is_loaded(warm: Path, tmp_path: Path) -> None:
    assert _run(tmp_path, WINNABLE_CACHE=str(warm / "cache" / "winnable")) == (ANSWER, "1 0")


def _flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) * 2 // 3] ^= 1
    path.write_bytes(content)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "cut": lambda path: os.truncate(path, path.stat().st_size // 2),
    "in its digest": lambda path: os.truncate(path, 7),
    "emptied": lambda path: os.truncate(path, 0),
    "zeroed": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "one bit": _flip,
    "garbage": lambda path: path.write_bytes(b"\x80\x05" * (path.stat().st_size // 2)),
    "a folder": lambda path: (path.unlink(), path.mkdir()),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_made_again(folder: Path, damage: str) -> None:
    for path in kept(folder):
        DAMAGES[damage](path)
    assert _run(folder) == (ANSWER, "0 1")
    assert _run(folder) == (ANSWER, "1 0")
    assert len(kept(folder)) == 3


@pytest.mark.skipif(os.name != "posix", reason="modes")
def test_what_others_may_have_put_there_is_not_loaded(tmp_path: Path) -> None:
    """It is a pickle: by a folder above, too, though the cache's own is closed."""
    above = tmp_path / "above"
    above.mkdir(mode=0o700)
    cache: Any = {"WINNABLE_CACHE": str(above / "cache")}
    assert _run(tmp_path, **cache)[1] == "0 1"
    assert _run(tmp_path, **cache)[1] == "1 0"
    above.chmod(0o777)
    assert _run(tmp_path, **cache) == (ANSWER, "0 1")
    above.chmod(0o700)
    assert _run(tmp_path, **cache)[1] == "1 0"


def test_a_whole_file_that_holds_no_kernel_is_made_again(folder: Path) -> None:
    """As of another version of numba."""
    path = next(path for path in kept(folder) if ".whole-" in path.name)
    content = b"no pickle"
    path.write_bytes(hashlib.sha256(content).digest() + content)
    assert _run(folder) == (ANSWER, "0 1")
    assert _run(folder) == (ANSWER, "1 0")


FULL = """
import errno, os, tempfile
def full(*arguments, **named):
    raise OSError(errno.ENOSPC, "No space left on device")
"""


@pytest.mark.parametrize("failing", ["os.replace", "tempfile.mkstemp"])
def test_a_full_disk_keeps_no_kernel_from_running(tmp_path: Path, failing: str) -> None:
    (tmp_path / "parts.py").write_text(PARTS)
    assert run(tmp_path, f"{FULL}\n{failing} = full\n{WHOLE}") == f"{ANSWER} 0 1"
    assert kept(tmp_path) == []


def test_a_disk_that_is_really_full_keeps_no_kernel_from_running(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = ["mount", "-t", "tmpfs", "-o", "size=4k,mode=700", "tmpfs", str(disk)]
    if shutil.which("mount") is None or subprocess.run(mounted, check=False, capture_output=True).returncode:
        pytest.skip("nobody may mount here")
    try:
        assert _run(tmp_path, WINNABLE_CACHE=str(disk)) == (ANSWER, "0 1")
        assert kept(disk) == []
    finally:
        subprocess.run(["umount", str(disk)], check=True)


NOWHERE: dict[str, Any] = {"HOME": "/proc/nothing", "XDG_CACHE_HOME": "/proc/nothing/cache"}


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_where_nothing_can_be_written_nothing_stays(tmp_path: Path) -> None:
    assert _run(tmp_path, **NOWHERE) == (ANSWER, "0 1")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["parts.py", "script.py"]


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_what_a_killed_process_left_the_next_one_sweeps(tmp_path: Path) -> None:
    text = "from winnable.store import caches\nprint(caches.writable('kernels'), flush=True)\ninput()\n"
    command = [sys.executable, "-c", text]
    with subprocess.Popen(
        command,
        env=environment(tmp_path, **NOWHERE),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as living:
        assert living.stdout is not None
        left = Path(living.stdout.readline().strip())
        assert left.is_relative_to(tmp_path)
        _run(tmp_path, **NOWHERE)
        assert left.is_dir(), "it belongs to a process that runs"
        living.send_signal(signal.SIGKILL)
        living.wait(PATIENCE)
    assert left.is_dir()
    _run(tmp_path, **NOWHERE)
    wait_until(lambda: not left.exists(), "the folder to be swept")


def test_only_what_nobody_used_for_long_is_pruned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WINNABLE_CACHE", str(tmp_path))
    folder = tmp_path / "kernels"
    folder.mkdir(mode=0o700)
    now = time.time()
    for name, days in (("new", 0), ("used", 59), ("old", 61)):
        (folder / name).touch()
        used = now - days * kernel_cache.DAY
        os.utime(folder / name, (used, used))
    kernel_cache.prune()
    assert sorted(path.name for path in folder.iterdir()) == ["new", "used"]


def test_a_file_that_is_used_is_not_old(folder: Path) -> None:
    long_ago = 50 * kernel_cache.DAY
    for path in kept(folder):
        os.utime(path, (long_ago, long_ago))
    assert _run(folder) == (ANSWER, "1 0")
    path = next(path for path in kept(folder) if ".whole-" in path.name)
    assert path.stat().st_mtime > long_ago + kernel_cache.DAY
