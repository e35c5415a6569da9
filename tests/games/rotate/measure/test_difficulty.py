"""What `check` says of a level of rotate."""

import msgspec

from winnable.games.rotate.levels.text import parse_board
from winnable.games.rotate.measure.difficulty import facts
from winnable.games.rotate.rules.puzzle import Rotate
from winnable.levels.find import find_level


def test_one_key_turn() -> None:
    level = parse_board("2223/4423/4313/4111,turns=3")
    found = facts(level)
    assert (found["turns at par"], found["turns beyond par"], found["good first turns"]) == (1, 2, 1)
    rotate = Rotate(level)
    assert rotate.is_goal(rotate.apply(rotate.initial(), rotate.parse_action(found["the one key turn"])))
    assert found["no puzzle because"] == "one turn finishes it"


def test_good_first_turns_are_those_that_lead_nearer() -> None:
    level = parse_board("111/222/121")
    rotate = Rotate(level)
    start = rotate.initial()
    found = facts(level)
    assert found["turns at par"] == 2
    nearer = [
        action
        for action in range(rotate.num_actions)
        if any(
            rotate.is_goal(rotate.apply(after, other))
            for after in [rotate.apply(start, action)]
            for other in range(rotate.num_actions)
        )
    ]
    assert found["good first turns"] == len(nearer)
    assert found["difficulty"].endswith(", easy")


def test_a_finished_board_is_no_puzzle() -> None:
    assert facts(parse_board("11/22")) == {"turns at par": 0, "no puzzle because": "it is finished"}


def test_what_cannot_be_finished() -> None:
    assert facts(parse_board("12/21")) == {"no puzzle because": "it cannot be finished"}


def test_large_boards_have_bounds() -> None:
    found = facts(parse_board("/".join(["123412", "341234", "123412", "341234", "123412", "341234"])))
    least, most = (int(word) for word in found["par"].split() if word.isdigit())
    assert 0 < least < most


def test_the_line_of_a_certificate_is_known_too() -> None:
    level = find_level("rotate/30-first-round").level
    assert facts(level)["par"].endswith(f" and {len(level.certificate.actions)}")
    nothing = msgspec.structs.replace(level.certificate, actions=(0,))
    assert facts(msgspec.structs.replace(level, certificate=nothing))["par"].split()[-1] != "1"
