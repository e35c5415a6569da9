"""What verdicts on the states of one game tell about each other."""

from hypothesis import given
from hypothesis import strategies as st

from winnable.analysis.verdicts import Verdict, Verdicts


@st.composite
def games(draw: st.DrawFn) -> tuple[int, int, dict[int, Verdict]]:
    """(length, the first lost ply, what is told of some plies, in any order)"""
    length = draw(st.integers(0, 12))
    turn = draw(st.integers(0, length + 1))
    plies = draw(st.lists(st.integers(0, length), unique=True))
    silent = draw(st.sets(st.sampled_from(plies))) if plies else set[int]()
    told: dict[int, Verdict] = {}
    for ply in plies:
        told[ply] = "unknown" if ply in silent else "winnable" if ply < turn else "lost"
    return length, turn, told


def heard(told: dict[int, Verdict]) -> Verdicts:
    found = Verdicts()
    for ply, verdict in told.items():
        found = found.told(ply, verdict)
    return found


@given(games())
def test_what_is_told_of_some_plies_says_all_that_follows(game: tuple[int, int, dict[int, Verdict]]) -> None:
    length, _, told = game
    found = heard(told)
    for ply in range(length + 1):
        wins = any(verdict == "winnable" and ply <= other for other, verdict in told.items())
        loses = any(verdict == "lost" and ply >= other for other, verdict in told.items())
        assert (ply <= found.winnable) == wins
        assert (found.lost is not None and ply >= found.lost) == loses


@given(games(), st.integers(0, 12))
def test_the_beginning_of_another_line_stays_known(
    game: tuple[int, int, dict[int, Verdict]], ply: int
) -> None:
    _, _, told = game
    before = heard(told)
    kept = before.up_to(ply)
    assert kept.winnable == min(before.winnable, ply)
    assert kept.lost == (before.lost if before.lost is not None and before.lost <= ply else None)
    assert kept.joined(before) == before.joined(kept) == before


@given(games())
def test_each_question_narrows_until_the_blunder_is_known(
    game: tuple[int, int, dict[int, Verdict]],
) -> None:
    length, turn, told = game
    found, asked = heard(told), set[int]()
    while (ply := found.question(length, asked)) is not None:
        assert found.winnable < ply <= length
        assert found.lost is None or ply < found.lost
        asked.add(ply)
        found = found.told(ply, "winnable" if ply < turn else "lost")
    assert len(asked) <= 5
    blunder = found.blunder
    if 0 < turn <= length:
        assert blunder is not None
        assert (blunder.first, blunder.last) == (turn - 1, turn - 1)
    else:
        assert blunder is None
