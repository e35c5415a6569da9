"""What is kept for a game goes back when nobody plays it, and searches share the studio's memory."""

import socket
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.web.studio_harness import running_studio
from winnable.contract.core import Budget, WinnableError
from winnable.search import memory
from winnable.web import hub
from winnable.web.jobs import SMALL_MB
from winnable.web.server import HOST, serve

TRIPLE, DROPS = "triple:layers=2,sets=1,kinds=3,side=3#5", "drops:012/340"


@pytest.fixture
def given_back(monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """Waits for the next game whose memory went back."""
    games, told = list[str](), threading.Semaphore(0)

    def give_back(game: str) -> None:
        games.append(game)
        told.release()

    def wait() -> str:
        assert told.acquire(timeout=60)
        return games.pop(0)

    monkeypatch.setattr(memory, "give_back", give_back)
    monkeypatch.setattr(hub, "IDLE_SECONDS", 0.05)
    return wait


def test_the_last_player_of_a_game_takes_its_memory_along(
    tmp_path: Path, given_back: Callable[[], str]
) -> None:
    with running_studio(tmp_path) as studio, studio.page() as stays:
        stays.new(DROPS)
        with studio.page() as leaves:
            leaves.new(DROPS)
        with studio.page() as leaves:
            leaves.new(TRIPLE)
        assert given_back() == "triple", "somebody still plays drops"
        stays.new(TRIPLE)
        assert given_back() == "drops"


def test_a_full_memory_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_taken_mb", lambda: 1 << 20)
    monkeypatch.setattr(memory, "LEAST_MB", 1)
    with running_studio(tmp_path) as studio, studio.page() as page:
        page.new("triple:#1")
        page.send("solve", solver="depth-first", seconds=600)
        assert page.wait("result", timeout=600)["answer"]["limit"] == {"kind": "memory", "value": 1}


def test_budgets_have_their_share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WINNABLE_MEMORY", "1000")
    monkeypatch.setattr(memory, "_taken_mb", lambda: 200)
    granted, begin = list[int](), Budget.begin

    def noted(budget: Budget, memory_mb: int, threads: int) -> None:
        begin(budget, memory_mb, threads)
        if memory_mb != SMALL_MB:
            granted.append(budget.part().memory_mb)

    monkeypatch.setattr(Budget, "begin", noted)
    with running_studio(tmp_path) as studio, studio.page() as page:
        page.new(TRIPLE)
        page.wait("lamp", where=lambda event: not event["searching"], timeout=600)
    assert granted == len(granted) * [400] != []


def test_a_studio_has_one_heap_before_it_has_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    shared = list[bool]()
    monkeypatch.setattr(memory, "share_one_heap", lambda: shared.append(True))
    with socket.create_server((HOST, 0)) as busy, pytest.raises(WinnableError):
        serve(busy.getsockname()[1], open_browser=False)
    assert shared == [True]
