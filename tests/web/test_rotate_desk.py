"""What the studio says of rotate: turns as frames, all turns of a game that is opened again."""

from __future__ import annotations

from tests.web.studio_harness import Page, Studio

SCATTERED = "123412/234123/341234/412341/123412/234123"
ONE_TURN = "1122/1212/1212/1122"


def test_a_turn_comes_as_a_frame_of_its_block(page: Page) -> None:
    state = page.new(SCATTERED, game="rotate")
    assert state["frames"] is None
    state = page.ask("act", "state", action=3 * 7 + 1)  # the third block of the second row, by 180 degrees
    turned = {name: state["frames"][0][name] for name in ("left", "top", "side", "quarters")}
    assert turned == {"left": 2, "top": 1, "side": 2, "quarters": 2}
    assert state["frames"][-1]["cells"] == state["view"]["cells"]


def test_all_turns_are_legal_until_the_end(page: Page) -> None:
    assert page.new(ONE_TURN, game="rotate")["legal"] is None
    state = page.ask("act", "state", action=3 * 4)
    assert (state["standing"], state["legal"]) == ("won", [])


def test_who_comes_to_a_game_is_told_its_turns(studio: Studio, page: Page) -> None:
    state = page.new(SCATTERED, game="rotate")
    assert state["history"] == []
    for action in (5, 2, 40):
        assert page.ask("act", "state", action=action)["history"] is None
    page.ask("goto", "state", ply=1)
    with studio.page() as other:
        opened = other.ask("open", "state", session=state["session"])
    assert (opened["ply"], opened["history"]) == (1, [5, 2, 40])
