"""What the studio does for 2048."""

from __future__ import annotations

from itertools import pairwise

from tests.web.studio_harness import Page

BOARD = "1100/0000/0000/0000"
RIGHT = 1


def test_a_move_is_told_in_two_halves(page: Page) -> None:
    page.new(BOARD, game="2048")
    state = page.ask("act", "state", action=RIGHT)
    slid, last = state["frames"]
    assert slid["shifts"] == [[1, 3, False], [0, 3, True]]
    assert (slid["reward"], slid["cells"][:4]) == (4, [0, 0, 0, 2])
    assert last["cells"] == state["view"]["cells"]
    assert last["cells"][last["appeared"]] in (1, 2)


def test_a_board_that_is_drawn_is_a_level_or_not(page: Page) -> None:
    judged = page.ask("judge", "judged", game="2048", level=BOARD)
    assert (judged["status"], judged["cost"], judged["done"]) == ("budget", None, True)
    refused = page.ask("judge", "judged", game="2048", level="12/21")
    assert refused["message"] == "board: no tile can move"


def test_all_that_was_played_is_one_line_until_another_move_is_made(page: Page) -> None:
    """By that the page knows whether nothing was taken back."""
    page.new(BOARD, game="2048")
    lines = [page.ask("act", "state", action=RIGHT)]
    for ply in (0, 1):
        lines.append(page.ask("goto", "state", ply=ply))
    assert [(line["ply"], line["length"]) for line in lines] == [(1, 1), (0, 1), (1, 1)]
    assert all(before["line"] == after["line"] for before, after in pairwise(lines))
    page.ask("goto", "state", ply=0)
    assert page.ask("act", "state", action=RIGHT + 1)["forks"] == [0]
