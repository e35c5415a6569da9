"""Comparisons over the protocol: the rows of `winnable compare`, which do not keep a person from playing."""

from __future__ import annotations

import json
from collections.abc import Generator
from typing import Any

import pytest

from bench.studio.process import talk
from tests.cli.cli_support import Run, document
from tests.waiting import PATIENCE, wait_until
from tests.web import toy_game
from tests.web.studio_harness import Event, Page, Studio
from winnable.contract.methods import parse_methods
from winnable.contract.registry import OURS
from winnable.web import comparisons

TINY = "triple:layers=2,sets=1,kinds=4,side=3"
TOY: dict[str, Any] = {"game": "toy", "levels": ["toy:start=3"], "by": [{"name": "ones"}], "games": 2}
ENDS = {"all", "cancelled", "time", "refused"}


def start(page: Page, **fields: Any) -> Event:
    """What comes first."""
    return page.ask("compare", "standings", **{**TOY, **fields})


def last(page: Page) -> Event:
    return page.wait("standings", where=lambda event: event["stage"] in ENDS)


@pytest.fixture
def stuck(page: Page) -> Generator[Page]:
    """A page whose comparison waits for the test."""
    toy_game.OPEN.clear()
    assert start(page, by=[{"name": "ones"}, {"name": "auto"}], games=5, seconds=600)["stage"] == "waiting"
    page.wait("standings", where=lambda event: event["played"] == 1)
    yield page
    toy_game.OPEN.set()


def test_from_start_to_all_games(page: Page) -> None:
    first = start(
        page, levels=["toy:start=3", "toy:start=4"], by=[{"name": "ones"}, {"name": "auto"}], games=3
    )
    assert (first["stage"], first["rows"], first["played"], first["games"]) == ("waiting", [], 0, 12)
    told = last(page)
    assert (told["stage"], told["played"], told["games"], told["aims"]) == ("all", 12, 12, True)
    assert [
        (row["level"], row["name"], row["games"], row["won"], row["mean_length"]) for row in told["rows"]
    ] == [
        ("toy:start=3", "ones", 3, 3, 3.0),
        ("toy:start=3", "auto", 3, 3, 3.0),
        ("toy:start=4", "ones", 3, 3, 4.0),
        ("toy:start=4", "auto", 3, 3, 4.0),
    ]


def untimed(rows: list[Event]) -> list[Event]:
    return [{name: value for name, value in row.items() if "seconds" not in name} for row in rows]


@pytest.mark.parametrize(
    ("game", "levels", "by"),
    [
        ("triple", [TINY, "triple/1-first-steps"], ["greedy", "random", "exact"]),
        ("drops", ["drops/02-crosswise", "drops:rows=3,columns=3"], ["a(k=1)", "random", "optimal"]),
        ("2048", ["2048/3-two-by-two"], ["random", "article(depth=2)"]),
    ],
)
def test_the_command_and_the_page_come_to_the_same(
    page: Page, run: Run, game: str, levels: list[str], by: list[str]
) -> None:
    """But for the seconds that it took."""
    given = ("--by", ",".join(by), "--games", "3", "--seed", "7", "--time", "600", "--json")
    rows = document(run("compare", *levels, *given))
    methods = [{"name": one.name, "settings": dict(one.values)} for one in parse_methods(",".join(by))]
    start(page, game=game, levels=levels, by=methods, games=3, seed=7, seconds=600)
    told = last(page)
    assert told["stage"] == "all"
    assert untimed(told["rows"]) == untimed(rows)


def test_it_is_stopped_with_the_rows_so_far(stuck: Page) -> None:
    stuck.send("cancel")  # which is for searches at the board
    assert "under way" in start(stuck)["message"]
    stuck.send("compare_stop")
    told = last(stuck)
    assert told["stage"] == "cancelled"
    assert [(row["name"], row["games"]) for row in told["rows"]] == [("ones", 1)]
    toy_game.OPEN.set()
    start(stuck)
    assert last(stuck)["stage"] == "all"


def test_meanwhile_one_plays_and_solves(stuck: Page) -> None:
    """A comparison takes no thread of searches."""
    stuck.new("toy:start=5#1")
    assert stuck.ask("act", "state", action=0)["ply"] == 1
    toy = stuck.ask("solve", "result", solver="stuck", seconds=0.05)
    assert toy["answer"]["status"] == "budget"
    assert stuck.ask("step", "state", by="ones")["ply"] == 2


def test_on_the_level_of_the_board_it_is_a_help(page: Page) -> None:
    page.new("toy:start=6#1")
    start(page, levels=["toy:start=4"])
    last(page)
    assert not page.ask("act", "state", action=0)["helped"]
    page.ask("compare", "helped", **{**TOY, "levels": ["toy:start=6#1"]})
    last(page)


def test_a_long_game_keeps_no_row_back(page: Page, closed: None) -> None:
    """What was played just before it is told while it goes on, and whose game it is."""
    start(page, by=[{"name": "ones"}, {"name": "ones"}, {"name": "auto"}], games=1, seconds=600)
    told = page.wait("standings", where=lambda event: event["played"] == 2)
    assert (told["stage"], told["level"], told["name"]) == ("playing", "toy:start=3", "auto")
    toy_game.OPEN.set()
    told = last(page)
    assert (told["played"], told["level"], told["name"]) == (3, "", "")


def test_another_one_waits_and_says_so(stuck: Page, studio: Studio) -> None:
    with studio.page() as other:
        assert start(other)["stage"] == "waiting"
        other.send("compare_stop")
        assert last(other)["stage"] == "cancelled"
        start(other)
        toy_game.OPEN.set()
        assert last(other)["stage"] == "all"
    assert last(stuck)["stage"] == "all"


def test_it_ends_when_the_page_leaves(studio: Studio) -> None:
    with studio.page() as page:
        start(page, by=[{"name": "stuck"}], games=1000, seconds=3600)
        page.wait("standings", where=lambda event: event["stage"] == "playing")
    wait_until(lambda: studio.jobs.counts() == (0, 0), "the end of the comparison")


def test_it_does_not_go_on_for_ever(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparisons, "LONGEST_SECONDS", 0.05)
    start(page, by=[{"name": "ones"}, {"name": "stuck"}], games=1000, seconds=3600)
    assert last(page)["stage"] == "time"


def test_a_player_that_fails_ends_it_with_the_rows_so_far(page: Page) -> None:
    start(page, by=[{"name": "ones"}, {"name": "broken-player"}])
    told = last(page)
    assert (told["stage"], [row["name"] for row in told["rows"]]) == ("refused", ["ones"])
    assert page.error()


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"game": "chess"}, "game: unknown game"),
        ({"levels": []}, "levels"),
        ({"levels": ["toy"] * 65}, "levels"),
        ({"levels": ["toy:start=3", "toy:start=0"]}, "levels[1].start: from 1 to 100, not 0"),
        ({"levels": ["toy:start=x"]}, "levels[0].start"),
        ({"levels": ["toy/no-such"]}, "levels[0]"),
        ({"levels": [""]}, "levels[0]"),
        ({"levels": ["/etc/passwd"]}, "levels[0]"),
        ({"levels": [TINY]}, "levels[0]: levels of one game, please, not of toy, triple"),
        ({"by": []}, "by"),
        ({"by": [{"name": "ones"}] * 17}, "by"),
        ({"by": [{"name": "ones"}, {"name": "nobody"}]}, "by[1]: toy has no 'nobody'"),
        ({"by": [{"name": "ones", "settings": {"k": 1}}]}, "by[0].k"),
        ({"by": [{"name": "ones", "hurry": True}]}, "hurry"),
        ({"by": [{"name": "ones", "settings": {"k": None}}]}, "by[0].settings: Expected"),
        ({"by": [{"name": "ones", "settings": {"k" * 65: 1}}]}, "by[0].settings: Expected"),
        ({"games": 0}, "games"),
        ({"games": 1001}, "games"),
        ({"games": 1.5}, "games"),
        ({"seconds": 0}, "seconds"),
        ({"seconds": 1e9}, "seconds"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**53 - 1}, "seed: from 0 to"),
        ({"levels": ["toy:method=failing"]}, "this one fails"),
    ],
)
def test_refusals(page: Page, fields: dict[str, Any], complaint: str) -> None:
    page.send("compare", **{**TOY, **fields})
    refused = page.wait("error")
    assert (refused["request"], complaint in refused["message"]) == ("compare", True), refused["message"]
    assert start(page)["stage"] == "waiting"
    assert last(page)["stage"] == "all"


def test_hello_brings_the_articles_tables(studio: Studio) -> None:
    with talk(f"127.0.0.1:{studio.port}") as socket:
        games = {game["name"]: game["comparisons"] for game in json.loads(socket.recv(PATIENCE))["games"]}
    assert {name for name, found in games.items() if found} == set(OURS)
    (layers,) = games["triple"]
    assert (layers["name"], layers["games"], len(layers["levels"])) == ("layers", 100, 19)
    (depths,) = games["2048"]
    assert depths["by"][1] == {"name": "article", "settings": {"depth": 2}}
