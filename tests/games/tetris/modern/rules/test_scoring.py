"""Points and lines to send: of each kind of lock by the table, and on the board."""

import pytest

from tests.games.tetris.modern.rules.scenes import Scene
from winnable.games.tetris.modern.rules.level import Handling
from winnable.games.tetris.modern.rules.scoring import Clear, Spin, Tally, award
from winnable.games.tetris.modern.rules.state import SOFT

TABLE: list[tuple[int, Spin, str, int, int, int, int]] = [
    # lines, spin, name, points, back-to-back points, attack, back-to-back attack
    (1, "", "single", 100, 100, 0, 0),
    (2, "", "double", 300, 300, 1, 1),
    (3, "", "triple", 500, 500, 2, 2),
    (4, "", "tetris", 800, 1200, 4, 5),
    (0, "mini", "t-spin mini", 100, 100, 0, 0),
    (1, "mini", "t-spin mini single", 200, 300, 0, 1),
    (2, "mini", "t-spin mini double", 400, 600, 1, 2),
    (0, "full", "t-spin", 400, 400, 0, 0),
    (1, "full", "t-spin single", 800, 1200, 2, 3),
    (2, "full", "t-spin double", 1200, 1800, 4, 5),
    (3, "full", "t-spin triple", 1600, 2400, 6, 7),
]


@pytest.mark.parametrize("level", [1, 7])
@pytest.mark.parametrize(("lines", "spin", "name", "points", "chained", "attack", "chained_attack"), TABLE)
def test_each_clear(
    lines: int,
    spin: Spin,
    name: str,
    points: int,
    chained: int,
    attack: int,
    chained_attack: int,
    level: int,
) -> None:
    clear = Clear(lines, spin)
    assert clear.name == name
    first = award(Tally(), clear, level)
    assert (first.score, first.attack, first.lines) == (points * level, attack, lines)
    again = award(Tally(back_to_back=1), clear, level)
    assert (again.score, again.attack) == (chained * level, chained_attack)


@pytest.mark.parametrize(
    ("lines", "points", "chained"), [(1, 800, 800), (2, 1200, 1200), (3, 1800, 1800), (4, 2000, 3200)]
)
def test_perfect_clears_come_on_top(lines: int, points: int, chained: int) -> None:
    for tally, bonus in ((Tally(), points), (Tally(back_to_back=1), chained)):
        plain, perfect = award(tally, Clear(lines), 3), award(tally, Clear(lines, perfect=True), 3)
        assert perfect.score - plain.score == 3 * bonus
        assert perfect.attack == 10


def test_combos() -> None:
    tally, gains = Tally(), list[tuple[int, int, int]]()
    for _ in range(13):
        after = award(tally, Clear(1), 2)
        gains.append((after.combo, after.score - tally.score, after.attack - tally.attack))
        tally = after
    sent = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5]
    assert gains == [(combo, 2 * (100 + 50 * combo), sent[combo]) for combo in range(13)]
    assert award(tally, Clear(0), 2).combo == -1
    assert award(tally, Clear(0, "full"), 2).combo == -1


def test_only_an_easy_clear_ends_back_to_back() -> None:
    tally = award(Tally(), Clear(4), 1)
    for clear in (Clear(0), Clear(0, "full"), Clear(0, "mini")):
        assert award(tally, clear, 1).back_to_back == 1
    for clear in (Clear(4), Clear(1, "mini"), Clear(2, "full")):
        assert award(tally, clear, 1).back_to_back == 2
    for lines in (1, 2, 3):
        assert award(tally, Clear(lines), 1).back_to_back == 0


@pytest.mark.parametrize("lines", [1, 2, 3, 4])
def test_clears_on_the_board(lines: int) -> None:
    board = "X......... " + "X.XXXXXXX. " * (4 - lines) + "XXXXXXXXX. " * lines
    scene = Scene(board, piece="I", turn=1, at=(9, 10), start_level=2)
    scene.state = scene.state._replace(tally=Tally())
    after = scene.drop()
    lowest = min(y for _, y in after.events.locked)
    assert lowest == 0
    dropped = 10 - 2
    assert after.events.cleared == tuple(range(lines))
    assert after.events.clear == ["single", "double", "triple", "tetris"][lines - 1]
    assert after.tally.score == 2 * [100, 300, 500, 800][lines - 1] + 2 * dropped
    assert after.tally.lines == lines


def test_two_tetrises_on_the_board_are_back_to_back_and_a_combo() -> None:
    scene = Scene("X......... " + "XXXXXXXXX. " * 8, piece="I", turn=1, at=(9, 2))
    first = scene.drop()
    assert (first.tally.score, first.events.chained, first.events.combo) == (800, False, 0)
    scene.put("I", 1, (9, 2))
    second = scene.drop()
    assert second.tally.score == 800 + 1200 + 50
    assert (second.events.chained, second.events.combo, second.tally.attack) == (True, 1, 9)
    assert second.rows == ("X.........",)
    scene.put("O", 0, (4, 0))
    assert scene.drop().events.combo == -1


def test_a_perfect_clear_on_the_board() -> None:
    scene = Scene("XXXXXXXX.. XXXXXXXX..", piece="O", at=(8, 0))
    after = scene.drop()
    assert after.rows == ()
    assert after.events.perfect
    assert (after.tally.score, after.tally.attack) == (300 + 1200, 10)


def test_drops_are_worth_a_point_or_two_for_each_row() -> None:
    hard = Scene(piece="O", at=(4, 10)).drop()
    assert (hard.tally.score, hard.events.dropped) == (20, 10)
    soft = Scene(piece="O", at=(4, 10), handling=Handling(soft="instant"))
    assert soft.step(SOFT).tally.score == 10
    gravity = Scene(piece="O", at=(4, 10))
    gravity.wait(600)
    assert gravity.at == (4, 0)
    assert gravity.state.tally.score == 0
