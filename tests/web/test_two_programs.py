"""Two studios on one store: neither loses anything of the other's."""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.games.tetris.modern.page.conftest import visit
from tests.games.tetris.modern.page.test_arcade import follow, tap
from tests.web.studio_harness import Event, Page, Studio, running_studio
from winnable.contract.core import finish
from winnable.contract.registry import GAMES, Entry
from winnable.games.tetris.modern.rules.state import HARD
from winnable.store.database import KeptSession
from winnable.web.opening import from_store


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("one-store")


@pytest.fixture(scope="module")
def first(folder: Path) -> Generator[Studio]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAMES, "toy", Entry("toy", "tests.web.toy_game:GAME"))
        with running_studio(folder) as running:
            yield running


@pytest.fixture(scope="module")
def second(folder: Path, first: Studio) -> Generator[Studio]:
    with running_studio(folder) as running:
        yield running


@pytest.fixture
def here(first: Studio) -> Generator[Page]:
    with first.page() as page:
        yield page


@pytest.fixture
def there(second: Studio) -> Generator[Page]:
    with second.page() as page:
        yield page


def act(page: Page, *actions: int) -> Event:
    states = [page.ask("act", "state", action=action) for action in actions]
    assert all(state["type"] == "state" for state in states), states
    return states[-1]


def ways(studio: Studio, id: str) -> set[tuple[int, ...]]:
    """Of the kept game's tree: how each node is reached."""
    tree = finish(from_store(studio.store.load(id))).session.saved_tree()
    parents, found = dict(tree.branches), list[tuple[int, ...]]([()])
    for node, action in enumerate(tree.actions, 1):
        found.append((*found[parents.get(node, node - 1)], action))
    return set(found)


def test_what_both_play_is_kept_and_each_board_stays(first: Studio, here: Page, there: Page) -> None:
    id = here.new("toy:start=60#1")["session"]
    act(here, 0, 0)
    assert there.ask("open", "state", session=id)["history"] == [0, 0]
    act(here, 0, 0, 0)
    state = act(there, 1)
    assert (state["session"], state["ply"], state["history"]) == (id, 3, [0, 0, 1])
    assert state["forks"] == [2], "what was played elsewhere is a branch"
    state = act(here, 1, 1)
    assert (state["ply"], state["view"]) == (7, {"left": 60 - 5 - 4})
    act(there, 1)
    assert {(0, 0, 0, 0, 0, 1, 1), (0, 0, 1, 1)} <= ways(first, id)
    assert there.ask("alternate", "state")["history"] == [0, 0, 0, 0, 0, 1, 1], "and can be gone on from"
    assert not [info for info in first.store.sessions() if info.id != id]


def test_a_game_that_is_played_comes_back_when_it_is_deleted_elsewhere(
    first: Studio, here: Page, there: Page
) -> None:
    id = here.new("toy:start=61#1")["session"]
    act(here, 0, 1)
    there.ask("forget", "sessions", session=id)
    act(here, 1)
    assert (0, 1, 1) in ways(first, id)


def test_who_leaves_an_untouched_game_deletes_nothing_of_others(
    first: Studio, here: Page, there: Page
) -> None:
    id = here.new("toy:start=62#1")["session"]
    there.ask("open", "state", session=id)
    act(there, 1, 1)
    here.new("toy:start=63#1")
    assert (1, 1) in ways(first, id)


def test_an_easier_level_and_the_game_on_the_old_one_become_two(
    first: Studio, here: Page, there: Page
) -> None:
    id = here.new("toy:start=64#1")["session"]
    act(here, 0)
    there.ask("open", "state", session=id)
    easier = here.ask("cheat", "state")
    assert easier.get("session") == id, easier
    apart = act(there, 1)
    assert apart["session"] != id
    assert apart["history"] == [0, 1], "a whole state, for a board that the page does not know"
    assert "game of its own" in there.error()
    assert first.store.load(id).level_id == easier["level_id"]
    act(here, 1)
    act(there, 1)
    assert len(ways(first, id)) == 3
    assert len(ways(first, apart["session"])) == 4


def test_a_game_of_the_arcade_becomes_two(first: Studio, second: Studio) -> None:
    with visit(first) as here, visit(second) as there:
        table = here.ask("start", "table", mode="zen", dice=4)
        id = table["session"]
        again = there.ask("open", "table", session=id)
        for page, seen in ((there, again), (here, table)):
            page.send("go")
            tap(page, HARD)
            follow(page, seen, lambda view: view["placed"] == 1)
            page.send("pause")
        moved = here.wait("table")
        assert moved["session"] != id
        assert moved["seen"]["placed"] == 1
        assert "game of its own" in here.error()
        there.wait("phase", where=lambda event: event["phase"] == "paused")
        with visit(first) as third:
            assert third.ask("open", "table", session=id)["seen"]["placed"] == 1, "the other program's"
        with visit(first) as third:
            assert third.ask("open", "table", session=moved["session"])["seen"]["placed"] == 1
            here.wait("taken")


def test_the_game_just_played_is_kept_whatever_the_clock_says(tmp_path: Path, first: Studio) -> None:
    """300 games of next year, and then the clock was put right."""
    with running_studio(tmp_path) as studio, studio.page() as page:
        old = KeptSession("", "toy:#1", b"{}", b"[]", 0, "playing", time.time() + 365 * 86400)
        for number in range(300):
            studio.store.save(replace(old, id=f"{number:032x}"))
        id = page.new("toy:start=9#2")["session"]
        act(page, 0, 0, 0)
        listed = page.ask("new", "sessions", level="toy:start=9#3")["sessions"]
        assert listed[1]["session"] == id
        assert (0, 0, 0) in ways(studio, id)


def test_what_could_not_be_kept_is_kept_when_the_page_is_left(tmp_path: Path, first: Studio) -> None:
    with running_studio(tmp_path) as studio:
        with studio.page() as page:
            id = page.new("toy:start=9#1")["session"]
            studio.store._run(lambda database: database.execute("PRAGMA query_only = 1"))  # pyright: ignore[reportPrivateUsage]
            page.send("act", action=0)
            assert "not kept" in page.error()
            page.wait("state")
            page.ask("act", "state", action=0)
            studio.store._run(lambda database: database.execute("PRAGMA query_only = 0"))  # pyright: ignore[reportPrivateUsage]
        with studio.page() as page:
            assert page.ask("open", "state", session=id)["history"] == [0, 0]
