"""The studio in a worker, here without a browser: messages, and what two pages keep at once."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.test_archive import generation
from tests.waiting import PATIENCE
from winnable.compiled import jit
from winnable.contract.methods import Wanted
from winnable.store.database import Store, StoreError
from winnable.tuning import runs
from winnable.web import worker
from winnable.web.worker import Worker


class Bytes:
    """As JavaScript hands them over."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def to_py(self) -> memoryview:
        return memoryview(self._content)


class Page:
    """A page and its worker."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, image: bytes | None, trouble: str) -> None:
        self.folder, self._patch = folder, patch
        self.heard: list[dict[str, Any]] = []
        self._kept = asyncio.Event()
        self._here()
        self.worker: Worker = worker.start("", None if image is None else Bytes(image), trouble, self)

    def _here(self) -> None:
        self._patch.setattr(worker, "FOLDER", self.folder)

    def send(self, text: str) -> None:
        self.heard.append(msgspec.json.decode(text))

    async def kernels(self, game: str) -> Any:
        raise OSError(game)

    async def ask(self, type: str, answer: str, **fields: Any) -> dict[str, Any]:
        self.heard.clear()
        self.worker.receive(msgspec.json.encode({"type": type, **fields}).decode())
        async with asyncio.timeout(PATIENCE):
            while not (found := self.of(answer)):
                await asyncio.sleep(0.01)
        return found[-1]

    def of(self, type: str) -> list[dict[str, Any]]:
        return [event for event in self.heard if event["type"] == type]

    async def saved(self) -> bytes:
        async with asyncio.timeout(PATIENCE):
            while (image := self.worker.changed()) is None:
                await asyncio.sleep(0.01)
        return image

    def merged(self, image: bytes) -> bytes:
        self._here()
        return self.worker.merged(Bytes(image))

    def games(self) -> dict[str, int]:
        """Level -> where one stands."""
        return {entry["level_id"]: entry["ply"] for entry in self.of("hello")[-1]["sessions"]}


Open = Callable[..., Page]


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Open:
    monkeypatch.setattr(jit, "arrived", None)

    def open_page(name: str, image: bytes | None = None, trouble: str = "") -> Page:
        return Page(tmp_path / name, monkeypatch, image, trouble)

    return open_page


def test_what_two_pages_play_at_once_stands_where_it_was_played_last(opened: Open) -> None:
    async def play() -> None:
        one = opened("one")
        assert [event["type"] for event in one.heard][:1] == ["hello"]
        await one.ask("new", "state", level="drops/12-drizzle")
        other = opened("other", await one.saved())
        await other.ask("new", "state", level="drops/02-crosswise")
        both = await other.saved()
        await one.ask("act", "state", action=0)
        assert await one.saved()
        from_one = one.merged(both)
        await other.ask("act", "state", action=0)
        assert await other.saved()
        from_other = other.merged(from_one)
        assert opened("third", from_other).games() == {"drops/12-drizzle": 1, "drops/02-crosswise": 1}

    asyncio.run(play())


@pytest.mark.parametrize("deletes_last", [False, True])
@pytest.mark.parametrize("goes_on", [False, True])
def test_what_one_page_deletes_stays_deleted_unless_another_goes_on(
    opened: Open, deletes_last: bool, goes_on: bool
) -> None:
    async def play() -> None:
        one = opened("one")
        state = await one.ask("new", "state", level="drops/12-drizzle")
        await one.ask("act", "state", action=0)
        await one.ask("new", "state", level="drops/02-crosswise")
        image = await one.saved()
        assert one.worker.changed() is None
        other = opened("other", image)
        assert len(other.games()) == 2
        if goes_on:
            await other.ask("open", "state", session=state["session"])
            await other.ask("act", "state", action=1)
        else:
            await other.ask("new", "state", level="drops/05-puddle")
        await one.ask("forget", "sessions", session=state["session"])
        first, last = (other, one) if deletes_last else (one, other)
        images = await first.saved(), await last.saved()
        both = opened("both", last.merged(images[0])).games()
        assert both.get("drops/12-drizzle") == (2 if goes_on else None)
        assert "drops/02-crosswise" in both

    asyncio.run(play())


def tuned(folder: Path) -> tuple[bytes, str]:
    """What is kept where a run was tuned for a generation, and its id."""
    with closing(Store(folder)) as store:
        run = runs.new_run(store, "triple", "beam-forward", Wanted("de", {}), 100, 7)
        recorder = runs.Recorder(store, run)
        recorder.save({"genes": [1.0]}, generation(1))
        recorder.end("stopped")
        return store.image(), run.id


@pytest.mark.parametrize("goes_on", [False, True])
@pytest.mark.parametrize("merges_last", [False, True])
def test_a_run_of_two_pages_stays_as_far_as_it_is_and_is_deleted_like_a_game(
    opened: Open, tmp_path: Path, goes_on: bool, merges_last: bool
) -> None:
    async def play() -> None:
        image, run = tuned(tmp_path / "first")
        one, other = opened("one", image), opened("other", image)
        await one.ask("new", "state", level="drops/12-drizzle")
        await other.ask("new", "state", level="drops/02-crosswise")
        if goes_on:
            with closing(Store(other.folder)) as store:
                runs.Recorder(store, runs.load(store, run)).save({"genes": [2.0]}, generation(2))
        else:
            await other.ask("runs", "runs")
            await other.ask("run_delete", "runs", run=run)
        first, last = (one, other) if merges_last else (other, one)
        images = await first.saved(), await last.saved()
        last.heard.clear()
        both = opened("both", last.merged(images[0]))
        for page in (last, both):
            listed = (await page.ask("runs", "runs"))["runs"]
            assert [entry["latest"]["generation"] for entry in listed] == ([2] if goes_on else [])

    asyncio.run(play())


def test_what_was_never_kept_is_not_taken_for_deleted(opened: Open) -> None:
    async def play() -> None:
        one = opened("one")
        await one.ask("new", "state", level="drops/12-drizzle")
        await one.saved()
        one.worker.unkept("full")
        await one.saved()
        other = opened("other")
        await other.ask("new", "state", level="drops/02-crosswise")
        both = opened("both", one.merged(await other.saved())).games()
        assert both == {"drops/12-drizzle": 0, "drops/02-crosswise": 0}

    asyncio.run(play())


def test_where_nothing_can_be_kept_it_is_said_once(opened: Open) -> None:
    async def play() -> None:
        page = opened("page", trouble="refused")
        assert [event["code"] for event in page.of("error")] == ["site.unkept"]
        await page.ask("new", "state", level="drops/12-drizzle")
        page.worker.unkept("full")
        assert [event["code"] for event in page.of("error")] == ["autosave"]

    asyncio.run(play())


def test_all_that_a_user_has_goes_out_and_in(opened: Open) -> None:
    async def play() -> None:
        page = opened("page")
        await page.ask("new", "state", level="drops/12-drizzle")
        await page.saved()
        status, _, content = page.worker.exchange(None)
        assert status == 200
        fresh = opened("fresh")
        assert fresh.worker.exchange(Bytes(content))[0] == 200
        assert fresh.worker.changed() is not None
        _, _, refused = fresh.worker.exchange(Bytes(b"no file of ours"))
        assert msgspec.json.decode(refused)["type"] == "error"

    asyncio.run(play())


def newer(image: bytes, path: Path) -> bytes:
    """As a later winnable would keep it."""
    path.write_bytes(image)
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 999")
    return path.read_bytes()


DAMAGED = b"SQLite format 3\0" + bytes(5000)


def test_what_cannot_be_read_is_never_written_over(opened: Open, tmp_path: Path) -> None:
    async def play() -> None:
        one = opened("one")
        await one.ask("new", "state", level="drops/12-drizzle")
        image = await one.saved()
        of_later = newer(image, tmp_path / "later.sqlite3")
        later = opened("later", of_later)
        assert [event["code"] for event in later.of("error")] == ["store.memory"]
        await later.ask("new", "state", level="drops/12-drizzle")
        await later.ask("act", "state", action=0)
        await asyncio.sleep(0.5)
        assert later.worker.changed() is None
        for unread in (of_later, DAMAGED):
            with pytest.raises(StoreError):
                one.merged(unread)
        assert opened("damaged", DAMAGED).worker.is_damaged
        assert not one.worker.is_damaged
        assert not later.worker.is_damaged

    asyncio.run(play())


def test_what_could_not_be_kept_is_tried_again_and_told_once(opened: Open) -> None:
    async def play() -> None:
        page = opened("page")
        await page.ask("new", "state", level="drops/12-drizzle")
        image = await page.saved()
        page.heard.clear()
        for _ in range(3):
            page.worker.unkept("full")
            assert page.worker.changed() == image
        assert [event["code"] for event in page.of("error")] == ["autosave"]
        assert page.worker.changed() is None
        await page.ask("act", "state", action=0)
        await page.saved()
        page.heard.clear()
        page.worker.unkept("full")
        assert [event["code"] for event in page.of("error")] == ["autosave"]

    asyncio.run(play())
