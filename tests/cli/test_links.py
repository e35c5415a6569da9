"""Links where a LEVEL is asked for."""

from pathlib import Path

import pytest

from tests.cli.cli_support import Run, document, one_error
from winnable.levels.find import find_level
from winnable.play.links import link_of
from winnable.play.session import Session

PAGE = "https://example.org/winnable/#"
LEVEL = "drops:0343/4411,drops=5"


@pytest.fixture
def link() -> str:
    session = Session(find_level(LEVEL))
    for action in (6, 6, 1):
        session.act(action)
    session.undo()
    link = link_of(session)
    assert link is not None
    return PAGE + link


def test_a_position_is_solved_and_verified_from_where_it_is(run: Run, link: str) -> None:
    answer = run("solve", link, "--json")
    solution = document(answer)
    assert solution["level_id"] == link.removeprefix(PAGE)
    assert solution["cost"] == document(run("solve", PAGE + LEVEL, "--json"))["cost"] - 2
    Path("solution.json").write_text(answer.stdout)
    assert run("verify", link, "solution.json").stdout.startswith("YES. 4 actions")
    run("verify", PAGE + LEVEL, "solution.json", code=1)
    assert "solve" not in run("solve", link).stderr


def test_the_room_of_a_position_is_that_after_its_moves(run: Run, link: str) -> None:
    after = document(run("margin", LEVEL, "--after", "3,2 3,2", "--json"))
    assert document(run("margin", link, "--json")) == after | {"level_id": link.removeprefix(PAGE)}


def test_a_lost_position_is_proved_lost(run: Run) -> None:
    session = Session(find_level("triple:3:0@0.0,0@8.0,0@16.0,1@24.0,1@32.0,1@40.0"))
    session.act(0)
    session.act(3)
    answer = run("solve", PAGE + str(link_of(session)), "--json", code=1)
    assert document(answer)["closed_set"] is None


def test_a_game_is_exported_as_far_as_its_link_goes(run: Run) -> None:
    session = Session(find_level("2048:#1"))
    for _ in range(5):
        session.act(session.puzzle.legal_actions(session.state)[0])
    session.go_to_ply(3)
    link = PAGE + str(link_of(session))
    here, there = run("export", link, "--format", "hex"), run("export", link, "--format", "hex", "--at", "3")
    assert here.stdout == there.stdout != run("export", link, "--format", "hex", "--at", "5").stdout


def test_what_is_wrong_with_a_link_is_one_sentence(run: Run, link: str) -> None:
    one_error(run("solve", link[:-3], code=2), "cut or changed")
    one_error(run("solve", link.replace("#p1", "#p3"), code=2), "newer winnable")
    one_error(run("solve", PAGE + "chess:e4", code=2), "'chess'")


def test_the_levels_certificate_says_nothing_of_a_game_on_it(run: Run) -> None:
    session = Session(find_level("drops/05-puddle"))
    assert run("verify", "drops/05-puddle").exit_code == 0
    session.act(session.puzzle.legal_actions(session.state)[0])
    one_error(run("verify", PAGE + str(link_of(session)), code=2), "no certificate")
