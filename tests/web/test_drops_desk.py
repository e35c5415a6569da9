"""What the studio does for drops: traces, share codes, the cheat, and the endless game."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator

import msgspec
import pytest

from tests.web.studio_harness import Page, Studio
from winnable.analysis import by_proof
from winnable.contract.core import Budget, finish, step
from winnable.games.drops.game import GAME
from winnable.games.drops.levels.text import parse_board
from winnable.games.drops.rules import puzzle as rules
from winnable.games.drops.rules.chain import Frame, RuleSet, run_chain
from winnable.games.drops.rules.level import Level
from winnable.games.drops.rules.puzzle import Drops
from winnable.levels.files import NamedLevel
from winnable.play.session import Session
from winnable.web import opening

SMALL = "044/004,drops=2"
"""Clicks on (2,1) or (3,1) or (3,2) set off all."""
HARD = (
    "2211112233/1133331212/1132122113/2321111113/3233311331/"
    "3211321312/2331231233/3113223121/1123132212/3332132331"
)
"""No program proves the fewest clicks for that within seconds."""


def corner(page: Page, code: str = SMALL, action: int = 1):
    page.new(code, game="drops")
    return page.ask("act", "state", action=action)


def test_the_way_to_a_state_comes_as_frames(page: Page) -> None:
    state = corner(page)
    puzzle = Drops(parse_board(SMALL))
    trace = puzzle.trace(puzzle.initial(), 1)
    assert [base64.b64decode(frame["cells"]) for frame in state["frames"]] == [frame.cells for frame in trace]
    assert state["frames"][-1]["bursts"] == 3
    assert list(base64.b64decode(state["frames"][-1]["cells"])) == state["view"]["cells"]
    assert page.ask("goto", "state", ply=0)["frames"] is None, "an undo is not shown step by step"
    assert page.ask("goto", "state", ply=1)["frames"] is None


def test_a_click_runs_its_chain_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is shown on the way is also what the click leads to."""
    chains: list[int] = []

    def counting(cells: bytes, columns: int, clicked: int, rule_set: RuleSet) -> Iterator[Frame]:
        chains.append(clicked)
        return run_chain(cells, columns, clicked, rule_set)

    monkeypatch.setattr(rules, "run_chain", counting)
    monkeypatch.setattr(rules, "_last_frame", None)  # what `apply` would run it by
    session = Session(NamedLevel(GAME, parse_board(SMALL), "drops:small"))
    after, frames = step(session.puzzle, session.state, 1)
    session.act(1, after)
    assert (session.state.cells, chains) == (frames[-1].cells, [1])


def test_a_click_that_bursts_nothing_has_no_frames(page: Page) -> None:
    assert corner(page, "012,drops=3")["frames"] is None


def test_a_game_without_traces_has_no_frames(page: Page) -> None:
    page.new("toy:start=5#1")
    assert page.ask("act", "state", action=0)["frames"] is None


def test_a_step_has_frames_too(page: Page) -> None:
    page.new("400/000,drops=1", game="drops")
    state = page.ask("step", "state", by="random")
    assert (state["standing"], len(state["frames"])) == ("won", 4)


@pytest.mark.parametrize("game", ["triple", "drops", "toy", ""])
@pytest.mark.parametrize("code", ["012200/040020", "01/30,rules=snappers,drops=5,open"])
def test_a_share_code_tells_its_game(page: Page, game: str, code: str) -> None:
    state = page.new(f"drops:{code}" if not game else code, game=game)
    assert (state["game"], state["code"]) == ("drops", code)


def test_a_code_of_the_chosen_game_stays_with_it(page: Page) -> None:
    assert page.new("40", game="toy")["game"] == "toy"
    assert page.new("40", game="drops")["game"] == "drops"


@pytest.mark.parametrize(
    ("level", "cause"),
    [
        ("drops:05", "drops/05-puddle?"),
        ("drops:95", "board[0]"),
        ("drops:01/0", "board[1]"),
        ("drops:01,drops=x", "drops"),
        ("drops:rows=3", "seed"),
        ("drops:", "seed"),
        ("drops:012#1", "params"),
        ("drops/nothing", "level"),
    ],
)
def test_what_is_no_level_is_refused(page: Page, level: str, cause: str) -> None:
    assert cause in page.new(level)["message"]


def test_the_cheat_goes_on_with_the_same_game(page: Page) -> None:
    """The level was lost; with ten drops more it is winnable again, and what was known of it is forgotten."""
    page.new("0300/0000/0003,drops=3", game="drops")
    page.ask("act", "state", action=1)
    lamp = page.wait("lamp", where=lambda event: event["ply"] == 1 and not event["searching"])
    assert lamp["verdict"] == "lost"
    before = page.ask("act", "state", action=1)
    page.send("cheat")
    after = page.wait("state")
    assert after["session"] == before["session"]
    assert (after["ply"], after["length"], after["view"]["left"]) == (2, 2, before["view"]["left"] + 10)
    assert after["level_id"] == before["level_id"] + "+"
    assert after["code"].endswith("drops=13")
    lamp = page.wait("lamp", where=lambda event: not event["searching"])
    assert lamp["verdict"] == "winnable"
    back = page.ask("goto", "state", ply=0)
    assert back["view"]["left"] == 13
    page.send("report")
    assert page.wait("timeline", where=lambda event: event["done"])["known"]["winnable"] >= 0


def test_two_cheats_are_two(page: Page) -> None:
    page.new(SMALL, game="drops")
    for _ in range(3):
        page.send("cheat")
    left = [page.wait("state")["view"]["left"] for _ in range(3)]
    assert left == [12, 22, 32]
    assert page.ask("goto", "state", ply=0)["level_id"].count("+") == 1


def test_a_cheated_game_is_kept_with_its_level(studio: Studio, page: Page) -> None:
    session = corner(page, "0404,drops=3", 1)["session"]
    page.send("cheat")
    page.wait("state")
    page.new("toy:#1")
    with studio.page() as other:
        state = other.ask("open", "state", session=session)
        assert (state["ply"], state["view"]["left"], state["level_id"][-1]) == (1, 12, "+")


def test_a_game_without_a_cheat_says_so(page: Page) -> None:
    for level in ("toy:start=5#1", "drops:44"):
        state = page.new(level)
        assert not state["cheats"]
        assert page.ask("cheat", "state")["code"] == "cheat.none"
        assert page.ask("goto", "state", ply=0)["level_id"] == state["level_id"]


def test_an_endless_game_goes_on_with_its_tank(page: Page) -> None:
    state = page.new("44,flash=7.1", game="drops")
    assert state["view"]["left"] == 10
    assert page.ask("next", "state")["code"] == "next.none", "it is not won yet"
    won = page.ask("act", "state", action=0)
    assert (won["standing"], won["follows"], won["view"]["left"]) == ("won", True, 10)
    page.send("next")
    following = page.wait("state")
    assert following["session"] != won["session"]
    assert (following["ply"], following["view"]["round"], following["view"]["left"]) == (0, 2, 10)
    level = GAME.follow(parse_board(won["code"]), Drops(parse_board(won["code"])).initial()._replace(left=10))
    assert level is not None
    assert following["code"] == GAME.format_board(level)


def test_nothing_follows_a_single_board(page: Page) -> None:
    page.new("4,drops=1", game="drops")
    state = page.ask("act", "state", action=0)
    assert (state["standing"], state["follows"]) == ("won", False)
    assert page.ask("next", "state")["code"] == "next.none"


def test_without_a_game_there_is_neither(page: Page) -> None:
    for request in ("cheat", "next"):
        assert "no game yet" in page.ask(request, "state")["message"]


def test_the_lamp_says_when_no_line_is_shorter(page: Page) -> None:
    """The line that a player happens to find is no proof; the optimal solver's is."""
    page.new("04004/00000/00000/40040,drops=9", game="drops")
    lamp = page.wait("lamp", where=lambda event: not event["searching"])
    assert (lamp["verdict"], lamp["optimal"], lamp["par"]) == ("winnable", True, lamp["remaining"])
    page.send("solve", solver="optimal")
    result = page.wait("result")["answer"]
    assert (result["optimal"], result["cost"]) == (True, lamp["par"])
    assert len(result["moves"]) == len(result["actions"]) == lamp["par"]
    x, y = result["actions"][0] % 5 + 1, result["actions"][0] // 5 + 1
    assert result["moves"][0] == f"({x},{y})"


CHAIN = ["402204", "304403", "144441", "144441", "304403", "402204"]
"""A click on (3,2) sets off everything; so does one on (1,2) and then one on (3,2)."""


def with_line(actions: list[int], board: list[str] = CHAIN, **fields: object) -> str:
    """A level file whose certificate says that its line is the shortest."""
    cost = len(actions)
    line = {"status": "solved", "solver": "x", "version": "0", "cost": cost, "lower_bound": cost}
    level = {"format": "winnable.drops/1", "board": board, "certificate": {**line, "actions": actions}}
    return json.dumps({**level, **fields})


def test_a_file_cannot_claim_that_its_line_is_the_shortest(page: Page) -> None:
    """The file's line wins and lights the lamp at once, but its word for it is not taken: the solver finds a
    shorter one."""
    page.ask("load", "state", content=with_line([6, 8]))
    first = page.wait("lamp")
    found = (first["verdict"], first["remaining"], first["optimal"], first["par"])
    shortest = ("winnable", 1, True, 1)
    assert found in (("winnable", 2, False, None), shortest), "unless the solver was faster"
    if first["searching"]:
        lamp = page.wait("lamp", where=lambda event: not event["searching"])
        assert (lamp["verdict"], lamp["remaining"], lamp["optimal"], lamp["par"]) == shortest


def test_a_copy_of_a_shipped_level_is_believed_only_when_nothing_is_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shipped = msgspec.json.decode(with_line([8]), type=Level)

    def shipped_level(name: str) -> NamedLevel | None:
        return NamedLevel(GAME, shipped, name) if name == "drops/ours" else None

    monkeypatch.setattr(opening, "shipped_level", shipped_level)
    forged = msgspec.json.decode(with_line([6, 8]), type=Level)
    for level, name, fewest in ((shipped, "ours", 1), (forged, "ours", None), (shipped, "other", None)):
        saved = Session(NamedLevel(GAME, level, f"drops/{name}")).save()
        opened = finish(opening.from_file(saved.decode()))
        assert opened.companion.fewest(opened.session.state) == fewest


def test_the_fewest_clicks_of_a_daily_level_are_known_from_the_file() -> None:
    """As long as it is the level that lies there."""
    opened = finish(opening.from_text("drops:daily", "drops", Budget()))
    certificate = opened.session.level.certificate
    assert opened.companion.fewest(opened.session.start) == certificate.cost == certificate.lower_bound
    forged = msgspec.structs.replace(opened.session.level, drops=9)
    saved = Session(NamedLevel(GAME, forged, opened.session.level_id)).save()
    assert finish(opening.from_file(saved.decode())).companion.fewest(opened.session.start) is None


def test_a_line_lights_the_lamp_before_the_fewest_clicks_are_proved(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hard board: the solver holds a line at its first look, and is still searching."""
    monkeypatch.setattr(by_proof.ByProof.ask, "__defaults__", (1.5,))
    page.new(HARD, game="drops")
    first = page.wait("lamp", where=lambda event: event["verdict"] != "unknown")
    assert (first["verdict"], first["searching"], first["optimal"]) == ("winnable", True, False)
    hint = page.ask("hint", "hint")
    assert hint["action"] is not None
    last = page.wait("lamp", where=lambda event: not event["searching"])
    assert last["verdict"] == "winnable"
    assert last["remaining"] <= first["remaining"]
    page.send("goto", ply=0)
    again = page.wait("lamp")
    assert not again["searching"], "a search that took all its time is not begun again"
    assert again["remaining"] == last["remaining"]
