"""Levels of rotate from a seed: finished boards taken back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from winnable.core import LevelError
from winnable.games.rotate import generator
from winnable.games.rotate.clusters import cluster_numbers
from winnable.games.rotate.generator import Params, generate
from winnable.games.rotate.level import Level
from winnable.games.rotate.rules import Rotate


@st.composite
def params(draw: st.DrawFn) -> Params:
    rows, columns = draw(st.integers(2, 7)), draw(st.integers(2, 7))
    if rows * columns % 2 == 0 and draw(st.booleans()):
        return Params(rows=rows, columns=columns, rules="pairs", turns=draw(st.integers(0, 5)))
    colours = draw(st.integers(2, min(6, rows * columns)))
    return Params(rows=rows, columns=columns, colours=colours, turns=draw(st.integers(0, 5)))


@settings(max_examples=60)
@given(params(), st.integers(0, 2**53 - 1))
def test_the_board_before_it_is_taken_back_is_finished(given_: Params, seed: int) -> None:
    made: list[Level] = []

    def note(level: Level) -> Rotate:
        made.append(level)
        return Rotate(level)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(generator, "Rotate", note)
        level = generate(given_, seed)
    (finished,) = made
    assert max(cluster_numbers(finished.cells, finished.columns)) + 1 == finished.colours
    assert (finished.rows, finished.columns) == (given_.rows, given_.columns)
    assert sorted(level.cells) == sorted(finished.cells)
    assert level == generate(given_, seed)
    if given_.rules == "clusters":
        counts = [finished.cells.count(colour) for colour in range(1, given_.colours + 1)]
        assert max(counts) - min(counts) <= 1
    assert level.provenance is not None
    assert level.provenance.seed == seed


def test_few_turns_are_undone_by_as_many() -> None:
    """Exhaustively, to depth two."""
    for seed in range(20):
        rotate = Rotate(generate(Params(rows=4, columns=4, turns=2), seed))
        start = rotate.initial()
        states = {start, *(rotate.apply(start, action) for action in rotate.legal_actions(start))}
        assert any(
            rotate.is_goal(state)
            or any(rotate.is_goal(rotate.apply(state, action)) for action in rotate.legal_actions(state))
            for state in states
        )


def test_finished_boards_differ() -> None:
    boards = {generate(Params(rows=6, columns=6, turns=1), seed).cells for seed in range(30)}
    assert len(boards) == 30


@pytest.mark.parametrize(
    ("wanted", "error"),
    [
        (Params(rows=3, columns=3, rules="pairs"), "9 cells do not come in pairs"),
        (Params(rows=2, columns=2, colours=5), "5 on 4 cells"),
    ],
)
def test_what_cannot_be_is_refused(wanted: Params, error: str) -> None:
    with pytest.raises(LevelError, match=error):
        generate(wanted, 1)


def test_seeds_are_bounded() -> None:
    with pytest.raises(LevelError, match="seed"):
        generate(Params(), -1)
