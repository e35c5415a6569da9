"""A drawing that cannot be won is changed so that it can; no game is touched."""

from __future__ import annotations

import pytest

from tests.web.studio_harness import Event, Page
from winnable.contract.core import Budget, finish
from winnable.contract.registry import load_game
from winnable.games.triple.levels.generator import Params
from winnable.games.triple.levels.text import parse_board
from winnable.games.triple.rules.puzzle import Triple
from winnable.games.triple.solve.solver import solve_exact

LOST = "3:" + "/".join(f"{kind}@0.0" for kind in (1, 1, 0, 1, 0, 0))
"""From the top 0, 0, 1: two slots are taken when the third kind of tile comes. One swap mends it."""


def mend(page: Page, level: str, game: str = "triple", ticket: int = 1, **fields: object) -> Event:
    return page.ask("mend", "mended", game=game, level=level, ticket=ticket, **fields)


def is_won(text: str) -> bool:
    puzzle = Triple(parse_board(text))
    return finish(solve_exact(puzzle, puzzle.initial(), Budget(), 0)).status == "solved"


def test_a_lost_drawing_is_mended_by_few_swaps(page: Page) -> None:
    before = page.new("triple/1-first-steps")
    event = mend(page, LOST, ticket=7)
    assert event["ticket"] == 7
    lost, mended = parse_board(LOST), parse_board(event["level"])
    assert [(tile.x, tile.y, tile.layer) for tile in mended.tiles] == [
        (tile.x, tile.y, tile.layer) for tile in lost.tiles
    ]
    assert sum(one != other for one, other in zip(lost.kinds, mended.kinds, strict=True)) == 2
    assert not is_won(LOST)
    assert is_won(event["level"])
    after = page.ask("goto", "state", ply=0)
    assert (after["session"], after["code"], after["helped"]) == (
        before["session"], before["code"], before["helped"]
    )  # fmt: skip


def test_what_can_be_won_stays_as_it_is(page: Page) -> None:
    assert mend(page, "3:0@0.0,0@8.0,0@16.0")["level"] == "3:0@0.0,0@8.0,0@16.0"


@pytest.mark.parametrize(
    ("game", "level", "cause"),
    [
        ("drops", "0300/0000/0003", "drops"),
        ("nothing", LOST, "nothing"),
        ("triple", "12", "':'"),
        ("triple", "0300/0000/0003", "':'"),
        ("triple", "7:0@0.0,0@8.0", "3 tiles"),
        ("triple", "7:0@0.0,0@8.0,1@16.0", "multiple of 3"),
        ("triple", "7:0@0.0,0@1.0,0@16.0", "overlaps"),
        ("triple", "2:0@0.0,0@8.0,0@16.0", "3 are needed"),
        ("triple", "7:" + ",".join(["0@0.0"] * 100_001), "more than"),
        ("triple", "9" * 2_000_001, "level"),
    ],
    ids=range(10),
)
def test_what_cannot_be_mended_is_refused(page: Page, game: str, level: str, cause: str) -> None:
    error = mend(page, level, game)
    assert (error["type"], error["request"]) == ("error", "mend")
    assert cause in error["message"]
    assert mend(page, LOST)["type"] == "mended", "the connection lives on"


def test_the_fields_are_checked(page: Page) -> None:
    for field, value in (("seconds", 0), ("seconds", 601), ("ticket", -1), ("level", 3), ("by", "x")):
        error = page.ask("mend", "mended", **{"game": "triple", "level": LOST, field: value})
        assert (error["type"], field in error["message"]) == ("error", True)


def test_only_the_last_one_is_answered(page: Page) -> None:
    """An empty level ends it too."""
    game = load_game("triple")
    slow = game.format_board(finish(game.generate(Params(layout="shell", kinds=14), 1)))
    for ticket in (1, 2):
        page.send("mend", game="triple", level=slow, ticket=ticket)
    page.send("mend", game="triple", level="")
    assert mend(page, LOST, ticket=3)["ticket"] == 3
