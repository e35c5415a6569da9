"""Sets of levels: made, taken in, judged, changed, kept and sent out, whoever looks."""

from __future__ import annotations

import io
import json
import threading
import time
import zipfile
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import PATIENCE
from tests.web.studio_harness import Event, Page, Studio, running_studio
from winnable.batches.making import Make
from winnable.contract.core import Budget, Search
from winnable.store import sets

ZIPS = ("folder", "tiled", "ldtk")
SMALL = {"rows": 3, "columns": 3, "slack": 0}


def new(page: Page, title: str = "mine") -> str:
    page.send("set_new", title=title)
    return page.wait("set", where=lambda event: not event["order"])["set"]["id"]


def end(page: Page) -> Event:
    """Of the work under way."""
    return page.wait("set_work", where=lambda event: event["stage"] != "working")


def opened(page: Page, id: str) -> tuple[Event, list[dict[str, Any]]]:
    event = page.ask("set_open", "set", set=id)
    rows: list[dict[str, Any]] = []
    while len(rows) < len(event["order"]):
        rows += page.wait("set_rows")["rows"]
    return event, rows


def made(page: Page, count: int = 3, **fields: Any) -> str:
    id = new(page)
    asked = {"game": "drops", "params": SMALL, "count": count, **fields}
    page.send("set_make", set=id, **asked)
    assert end(page)["stage"] == "all"
    return id


def test_levels_are_made_judged_and_kept(studio: Studio, page: Page) -> None:
    id = made(page, count=3, seed=5)
    event, rows = opened(page, id)
    assert event["order"] == [row["number"] for row in rows] == [0, 1, 2]
    assert [row["name"] for row in rows] == ["#5", "#6", "#7"]
    for row in rows:
        look = row["look"]
        assert (look["verdict"], look["cost"], look["game"]) == ("solved", look["lower_bound"], "drops")
        assert look["rating"] is not None
        assert row["judged"] is True
        assert row["code"].count("/") == 2
    with studio.page() as other:
        other.send("sets")
        listed = other.wait("sets")["sets"]
        assert (listed[0]["id"], listed[0]["levels"], listed[0]["works"]) == (id, 3, False)
        assert opened(other, id)[1] == rows


def test_a_file_of_several_is_taken_in_and_looked_into(page: Page) -> None:
    id = new(page)
    first = encoded("111/131/111")
    content = b"\n".join([first, first, encoded("141/131/111"), encoded("111/131/141"), b"{}"]).decode()
    page.send("set_add", set=id, name="pack.jsonl", content=content)
    assert end(page)["stage"] == "all"
    _, rows = opened(page, id)
    assert [row["name"] for row in rows] == [f"pack.jsonl:{line}" for line in range(1, 6)]
    assert [(row["same_as"], row["twin_of"]) for row in rows] == [
        (None, None), (0, None), (None, None), (None, 2), (None, None),
    ]  # fmt: skip
    assert rows[4]["problem"]["code"] == "level.foreign"
    assert rows[4]["code"] is None
    assert [row["look"]["verdict"] for row in rows[:4]] == ["solved"] * 4


def test_rows_are_told_to_all_who_look_and_to_nobody_else(studio: Studio, page: Page) -> None:
    id = new(page)
    with studio.page() as other, studio.page() as elsewhere:
        opened(other, id)
        new(elsewhere)
        page.send("set_add", set=id, name="a.json", content=encoded("111/131/111").decode())
        assert other.wait("set_rows")["rows"][0]["number"] == 0
        assert end(other)["stage"] == "all"
        elsewhere.send("sets")
        assert elsewhere.wait("sets", "set_rows", "set_work")["type"] == "sets"


def test_order_names_removals_and_levels_that_a_page_did_not_know_of(page: Page) -> None:
    id = made(page, count=3)
    opened(page, id)

    def order(levels: list[int], known: int) -> list[int]:
        return page.ask("set_order", "set", set=id, levels=levels, known=known)["order"]

    assert order([2, 0], 3) == [2, 0]
    assert order([2, 1, 0, 7], 3) == [2, 1, 0], "what was removed is there until the set is opened anew"
    assert order([2], 1) == [2, 1]
    page.send("set_leave")
    assert opened(page, id)[0]["order"] == [2, 1]
    assert order([2, 1, 0], 3) == [2, 1]
    assert page.ask("set_name", "set", set=id, title="other")["set"]["title"] == "other"


def test_repairs_stand_in_the_place_of_what_was_lost(page: Page) -> None:
    id = new(page)
    lost = triple("ABABAB", slots=3)
    page.send("set_add", set=id, name="lost.json", content=lost)
    end(page)
    _, rows = opened(page, id)
    assert rows[0]["look"]["verdict"] == "unsolvable"
    page.send("set_repair", set=id, levels=[0], seconds=20)
    assert end(page)["failed"] == 0
    _, rows = opened(page, id)
    assert rows[0]["look"]["verdict"] == "solved"
    assert rows[0]["name"] == "lost.json"


@pytest.mark.parametrize("how", ["harder", "easier", "like"])
def test_a_level_is_made_harder_easier_and_again(page: Page, how: str) -> None:
    id = made(page, count=2, game="rotate", params={"rows": 3, "columns": 3, "colours": 3, "scramble": 3})
    _, before = opened(page, id)
    page.send("set_vary", set=id, levels=[0], how=how, seconds=30)
    assert end(page)["failed"] == 0
    event, rows = opened(page, id)
    if how == "like":
        assert event["order"] == [0, 2, 1]
        assert rows[1]["look"]["level_id"] not in {row["look"]["level_id"] for row in before}
    else:
        old, now = (found[0]["look"]["rating"] for found in (before, rows))
        assert now > old if how == "harder" else now < old


def test_work_that_was_stopped_goes_on_and_nothing_is_made_twice(
    page: Page, studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped while the fourth level is made."""
    answer, begun, stopped = Make.answer, threading.Event(), threading.Event()

    def waits(self: Make, whole: Budget) -> Search[Any]:
        if self.seed == 4 and not begun.is_set():
            begun.set()
            while (yield from whole.allows("waiting", 0, 0)):
                time.sleep(0.001)
            stopped.set()
        return (yield from answer(self, whole))

    monkeypatch.setattr(Make, "answer", waits)
    monkeypatch.setattr("winnable.web.sets.FEW", 100)
    id = new(page)
    page.send("set_make", set=id, game="drops", params=SMALL, count=6, seed=1)
    assert begun.wait(PATIENCE)
    page.send("set_stop", set=id)
    event = end(page)
    assert (event["stage"], event["done"], event["total"]) == ("stopped", 3, 6)
    assert opened(page, id)[0]["set"]["rests"]
    page.send("set_go_on", set=id)
    event = end(page)
    assert (event["stage"], event["done"]) == ("all", 6)
    kept = sets.levels(studio.store, id)
    assert sorted(kept) == [0, 1, 2, 3, 4, 5]
    seeds = [json.loads(one.level)["provenance"]["seed"] % 6 for one in kept.values()]
    assert sorted(seeds) == [0, 1, 2, 3, 4, 5]


def test_a_set_is_there_after_the_studio_has_ended(tmp_path: Path) -> None:
    with running_studio(tmp_path) as studio, studio.page() as page:
        id = made(page, count=2)
        sets.change(studio.store, id, work=b'{"asked":{"type":"set_judge","set":"' + id.encode()
                    + b'","levels":[1]},"left":[1],"total":1}')  # fmt: skip
    with running_studio(tmp_path) as studio, studio.page() as page:
        page.send("sets")
        (info,) = page.wait("sets")["sets"]
        assert (info["id"], info["levels"], info["rests"]) == (id, 2, True)
        opened(page, id)
        page.send("set_go_on", set=id)
        assert end(page)["total"] == 1


def test_files(page: Page) -> None:
    id = made(page, count=2)
    forms = {
        "jsonl": ".jsonl",
        "csv": ".csv",
        "folder": ".zip",
        "tiled": ".zip",
        "ldtk": ".zip",
        "sheet": ".html",
    }
    told = {form: page.ask("set_export", "set_file", set=id, format=form) for form in forms}
    assert {form: told[form]["name"] for form in forms} == {form: f"mine{end}" for form, end in forms.items()}
    content = {form: b64decode(event["content"]) for form, event in told.items()}
    assert len(content["jsonl"].splitlines()) == 2
    assert content["csv"].startswith(b"number,source,ok,level_id")
    names = {
        form: zipfile.ZipFile(io.BytesIO(content[form])).namelist() for form in ("folder", "tiled", "ldtk")
    }
    assert names["folder"] == ["0001.json", "0002.json"]
    assert all(len(found) == 2 for found in names.values())
    assert content["sheet"].count(b"<figure>") == 2
    for form in ("jsonl", "folder"):
        again = new(page)
        files = [(told[form]["name"], content[form])]
        if form == "folder":
            archive = zipfile.ZipFile(io.BytesIO(content[form]))
            files = [(name, archive.read(name)) for name in archive.namelist()]
        for name, data in files:
            page.send("set_add", set=again, name=name, content=data.decode())
            end(page)
        assert [row["problem"] for row in opened(page, again)[1]] == [None, None]


def test_pictures_a_game_on_a_level_and_the_level_on_the_board(page: Page) -> None:
    id = made(page, count=1)
    assert page.ask("set_pictures", "set_pictures", set=id, levels=[0, 9])["pictures"]["0"].startswith("<svg")
    state = page.ask("set_play", "state", set=id, number=0)
    _, rows = opened(page, id)
    assert state["code"] == rows[0]["code"]
    page.new("drops:111/131/111")
    page.send("set_keep", set=id)
    assert end(page)["stage"] == "all"
    page.send("set_keep", set=id, level="141/131/111,drops=9", game="drops", number=0)
    end(page)
    _, rows = opened(page, id)
    assert [row["code"] for row in rows] == ["141/131/111,drops=9", "111/131/111"]


@pytest.mark.parametrize(
    ("type", "fields", "said"),
    [
        ("set_open", {"set": "0" * 12}, "is not kept"),
        ("set_make", {"game": "drops", "params": {"rows": 3, "rowz": 1}}, "rowz"),
        ("set_make", {"game": "drops", "difficulty": "20%"}, "difficulty"),
        ("set_make", {"game": "triple", "difficulty": "20"}, "difficulty"),
        ("set_make", {"game": "nothing"}, "nothing"),
        ("set_make", {"game": "drops", "count": 20_001}, "count"),
        ("set_add", {"name": "x", "content": "data:;base64,%"}, ""),
        ("set_stop", {}, "nothing is being worked on"),
        ("set_go_on", {}, "nothing is being worked on"),
        ("set_keep", {}, ""),
        ("set_keep", {"game": "drops", "level": "zzz"}, ""),
        ("set_play", {"number": 4}, "no such level"),
        ("set_order", {"levels": ["x"]}, "levels"),
        ("set_export", {"format": "exe"}, "format"),
    ],
)
def test_what_is_refused_names_the_cause(page: Page, type: str, fields: dict[str, Any], said: str) -> None:
    asked = {"set": new(page), **fields}
    error = page.ask(type, **asked)
    assert error["request"] == type
    assert said in error["message"]


def test_one_work_at_a_time_and_a_deleted_set_ends_its_own(page: Page) -> None:
    other, id = new(page), new(page)
    page.send("sets")
    page.send("set_make", set=id, game="triple", params={}, count=500)
    page.wait("set_work")
    assert page.ask("set_make", set=other, game="drops", count=2)["code"] == "sets.busy"
    page.send("set_delete", set=id)
    page.wait("sets", where=lambda event: all(one["id"] != id for one in event["sets"]))
    opened(page, other)
    while page.ask("set_make", "set_work", set=other, game="drops", params=SMALL, count=1)["type"] == "error":
        pass
    assert end(page)["stage"] == "all"


def encoded(board: str) -> bytes:
    from tests.cli.cli_support import encoded as text
    from winnable.contract.registry import load_game

    return text(load_game("drops").parse_board(board))


def triple(kinds: str, slots: int) -> str:
    """A heap of tiles, each upon the one before."""
    tiles = [{"kind": ord(kind) - 65, "x": 0, "y": 0, "layer": layer} for layer, kind in enumerate(kinds)]
    return json.dumps({"format": "winnable.triple/1", "slots": slots, "tiles": tiles})


@pytest.mark.parametrize(
    ("level", "difficulty"),
    [
        ("triple:layers=6,sets=3,kinds=4,side=3#3", "50%"),
        ("drops:rows=3,columns=3#1", "easy"),
    ],
)
def test_a_new_level_is_as_hard_as_asked(page: Page, level: str, difficulty: str) -> None:
    state = page.ask("new", "state", level=level, difficulty=difficulty)
    assert state["type"] == "state"
    assert "@" in state["level_id"]
    if difficulty == "easy":
        rating = state["rating"] or page.wait("rated")["rating"]
        assert rating["word"] == "easy"


@pytest.mark.parametrize(
    ("level", "difficulty"), [("drops:#1", "20%"), ("triple/1-first-steps", "20%"), ("triple:#1", "x")]
)
def test_a_level_that_cannot_be_ordered_is_refused(page: Page, level: str, difficulty: str) -> None:
    assert page.ask("new", "state", level=level, difficulty=difficulty)["type"] == "error"
