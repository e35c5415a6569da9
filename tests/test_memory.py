"""How much memory searches get, and that what nobody needs goes back."""

import pytest

from winnable import memory
from winnable.core import WinnableError
from winnable.memory import LEAST_MB, SEARCH_MB, Room


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
    room = Room(1000)
    assert [room.take(search) for search in "abc"] == [400, 200, 100]
    assert room.take("b") == 150, "what it had before is free again"
    room.give("a")
    assert room.take("d") == 275
    assert room.take("e") == 137
    for search in "abcde":
        room.give(search)
    assert room.take("f") == 400


def test_a_search_has_always_some_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_taken_mb", lambda: 2000)
    assert Room(1000).take("a") == LEAST_MB
    assert Room(1 << 20).take("a") == SEARCH_MB


def test_what_is_kept_for_a_game_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_keepers", {})
    kept, others = [1], [2]
    memory.gives_back(kept.clear, "drops")
    memory.gives_back(others.clear, "rotate")
    memory.give_back("drops")
    memory.give_back("tetris")
    assert (kept, others) == ([], [2])
