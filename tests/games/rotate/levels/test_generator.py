"""Levels of rotate from a seed: finished boards taken back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.rotate.plain import fewest_turns
from winnable.contract.core import Budget, LevelError, finish, replay
from winnable.games.rotate.levels import generator
from winnable.games.rotate.levels.generator import Params, generate
from winnable.games.rotate.rules.clusters import cluster_numbers
from winnable.games.rotate.rules.level import Level
from winnable.games.rotate.rules.puzzle import Rotate


@st.composite
def params(draw: st.DrawFn) -> Params:
    rows, columns = draw(st.integers(2, 7)), draw(st.integers(2, 7))
    if rows * columns % 2 == 0 and draw(st.booleans()):
        return Params(rows=rows, columns=columns, rules="pairs", scramble=draw(st.integers(0, 5)))
    colours = draw(st.integers(2, min(6, rows * columns)))
    return Params(rows=rows, columns=columns, colours=colours, scramble=draw(st.integers(0, 5)))


@settings(max_examples=30)
@given(params(), st.integers(0, 2**53 - 1))
def test_the_board_before_it_is_taken_back_is_finished(given_: Params, seed: int) -> None:
    made: list[Level] = []

    def note(level: Level) -> Rotate:
        made.append(level)
        return Rotate(level)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(generator, "Rotate", note)
        level = finish(generate(given_, seed))
    (finished,) = made
    assert max(cluster_numbers(finished.cells, finished.columns)) + 1 == finished.colours
    assert (finished.rows, finished.columns) == (given_.rows, given_.columns)
    assert sorted(level.cells) == sorted(finished.cells)
    assert level == finish(generate(given_, seed))
    if given_.rules == "clusters":
        counts = [finished.cells.count(colour) for colour in range(1, given_.colours + 1)]
        assert max(counts) - min(counts) <= 1
    assert level.provenance is not None
    assert level.provenance.seed == seed


def test_few_turns_are_undone_by_as_many() -> None:
    """Exhaustively, to depth two."""
    for seed in range(20):
        rotate = Rotate(finish(generate(Params(rows=4, columns=4, scramble=2), seed)))
        start = rotate.initial()
        states = {start, *(rotate.apply(start, action) for action in rotate.legal_actions(start))}
        assert any(
            rotate.is_goal(state)
            or any(rotate.is_goal(rotate.apply(state, action)) for action in rotate.legal_actions(state))
            for state in states
        )


def test_finished_boards_differ() -> None:
    boards = {finish(generate(Params(rows=6, columns=6, scramble=1), seed)).cells for seed in range(30)}
    assert len(boards) == 30


@pytest.mark.parametrize(
    ("wanted", "error"),
    [
        (Params(rows=3, columns=3, rules="pairs"), "9 cells do not come in pairs"),
        (Params(rows=2, columns=2, colours=5), "5 on 4 cells"),
        (Params(par_min=5, par_max=4), "par_min: 5 is more than par_max, 4"),
        (Params(par_min=5, scramble=4), "par_min: 5, but 4 turns finish the board"),
        (Params(rows=2, columns=2, par_max=3), "params: no turn brings a board of 4 cells"),
        (Params(rows=2, columns=3, colours=6, slack="1"), "params: no turn brings a board of 6 cells"),
        (Params(rows=3, columns=3, keys=13), "keys: 13, but the board has only 12 turns"),
        (Params(rows=3, columns=4, rules="pairs", keys=9), "keys: 9, but the board has only 8 turns"),
        (Params(rows=6, columns=6, keys=1), "keys: the board has 36 cells"),
    ],
)
def test_what_cannot_be_is_refused(wanted: Params, error: str) -> None:
    with pytest.raises(LevelError, match=error):
        finish(generate(wanted, 1))


def test_boards_that_do_not_fit_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generator, "MOST_BOARDS", 20)
    with pytest.raises(LevelError, match="none of 20 boards"):
        finish(generate(Params(rows=2, columns=3, colours=2, par_min=9), 1))


HOPELESS = Params(rows=3, columns=3, colours=3, par_min=9)


def test_a_hopeless_order_ends_by_counts_or_with_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LevelError, match="none of 5 boards that were made in time"):
        finish(generate(HOPELESS, 1, Budget(expanded=5)))
    monkeypatch.setattr(generator, "MOST_CELLS", 70)
    with pytest.raises(LevelError, match="none of 7 boards that were made is known"):
        finish(generate(HOPELESS, 1))
    monkeypatch.setattr(generator, "EFFORT", 1)
    with pytest.raises(LevelError, match=r"none of [12] boards that were made is known"):
        finish(generate(HOPELESS, 1))


def test_a_budget_that_lasts_changes_nothing() -> None:
    wanted = Params(rows=4, columns=3, par_min=4)
    assert finish(generate(wanted, 1, Budget(seconds=600))) == finish(generate(wanted, 1))


def test_seeds_are_bounded() -> None:
    with pytest.raises(LevelError, match="seed"):
        finish(generate(Params(), -1))


@pytest.mark.parametrize(
    "wanted",
    [
        Params(rows=4, columns=3, par_min=4, par_max=5),
        Params(rows=3, columns=4, colours=3, par_min=3, slack="2"),
        Params(rows=3, columns=3, par_max=3, keys=1, slack="0"),
    ],
)
def test_par_is_proved_and_as_wanted(wanted: Params) -> None:
    for seed in range(2):
        level = finish(generate(wanted, seed))
        assert level == finish(generate(wanted, seed))
        certificate = level.certificate
        assert certificate is not None
        par = certificate.cost
        assert par is not None
        assert max(1, wanted.par_min) <= par <= (wanted.par_max or par)
        assert certificate.lower_bound == par == len(certificate.actions)
        assert level.turns == (None if wanted.slack == "none" else par + int(wanted.slack))
        rotate = Rotate(level)
        assert rotate.is_goal(replay(rotate, certificate.actions))
        assert fewest_turns(level.cells, level.columns) == par
        if wanted.keys:
            start = rotate.initial()
            after = (rotate.apply(start, action).cells for action in range(rotate.num_actions))
            near = [cells for cells in after if fewest_turns(cells, level.columns) == par - 1]
            assert len(near) == wanted.keys


def test_large_boards_have_the_fewest_turns_known() -> None:
    level = finish(generate(Params(rows=6, columns=7, slack="3"), 1))
    assert level.certificate is not None
    assert (level.certificate.solver, level.turns) == ("rotate/beam", len(level.certificate.actions) + 3)
    assert 0 < (level.certificate.lower_bound or 0) < len(level.certificate.actions)
    rotate = Rotate(level)
    assert rotate.is_goal(replay(rotate, level.certificate.actions))
