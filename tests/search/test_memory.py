"""How much memory searches get, and that what nobody needs goes back."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import PATIENCE
from winnable.contract.core import WinnableError
from winnable.search import memory
from winnable.search.memory import LEAST_MB, SEARCH_MB, MemoryPool


def test_the_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WINNABLE_MEMORY", raising=False)
    assert memory.for_a_search() == SEARCH_MB
    assert LEAST_MB < memory.for_all_searches() <= memory.MOST_MB
    monkeypatch.setenv("WINNABLE_MEMORY", "700")
    assert (memory.for_a_search(), memory.for_all_searches()) == (700 - memory.PROGRAM_MB, 700)
    monkeypatch.setenv("WINNABLE_MEMORY", str(LEAST_MB))
    assert memory.for_a_search() == LEAST_MB


@pytest.mark.parametrize("given", ["much", "-5", "1.5", "1", "²", "9" * 30])
def test_settings_that_are_none(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WINNABLE_MEMORY", given)
    with pytest.raises(WinnableError, match="WINNABLE_MEMORY"):
        memory.for_all_searches()


def test_searches_share_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_taken_mb", lambda: 200)
    pool = MemoryPool(1000)
    assert [pool.take(search) for search in "abc"] == [400, 200, 100]
    assert pool.take("b") == 150, "what it had before is free again"
    pool.give("a")
    assert pool.take("d") == 275
    assert pool.take("e") == 137
    for search in "abcde":
        pool.give(search)
    assert pool.take("f") == 400


def test_a_search_has_always_some_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_taken_mb", lambda: 2000)
    assert MemoryPool(1000).take("a") == LEAST_MB
    assert MemoryPool(1 << 20).take("a") == SEARCH_MB


def test_what_is_kept_for_a_game_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_keepers", {})
    kept, others = [1], [2]
    memory.gives_back(kept.clear, "drops")
    memory.gives_back(others.clear, "rotate")
    memory.give_back("drops")
    memory.give_back("tetris")
    assert (kept, others) == ([], [2])


THREADS_THAT_CAME_AND_WENT = """
import threading
from pathlib import Path
from winnable.search import memory

def held():
    return int(Path("/proc/self/statm").read_text().split()[1]) >> 8

memory.share_one_heap()
block = bytearray(20 << 20)  # what the C library learns from
del block
before, all_at_once = held(), threading.Barrier(6)

def work():
    found = [b"x" * (1 << 19) for _ in range(30)]
    all_at_once.wait()
    del found
    all_at_once.wait()

threads = [threading.Thread(target=work) for _ in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
memory.trim()
print(held() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not say what is held")
def test_what_threads_freed_goes_back() -> None:
    """90 MiB of it stayed."""
    program = [sys.executable, "-c", THREADS_THAT_CAME_AND_WENT]
    held = subprocess.run(program, check=True, capture_output=True, text=True, timeout=PATIENCE).stdout
    assert int(held) < 30
