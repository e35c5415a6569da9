"""Deals by kernels: the very same as by the readable functions, and lines that win are told from others."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnable.contract.core import IllegalAction, finish, replay
from winnable.games.triple.levels import dealer
from winnable.games.triple.levels.backwards import Board, deal_backwards
from winnable.games.triple.levels.generator import SHIPPED, Params, generate
from winnable.games.triple.levels.layout import Place
from winnable.games.triple.levels.layout_text import shipped_layout
from winnable.games.triple.levels.mass_deals import MassDealer
from winnable.games.triple.rules.level import Level
from winnable.games.triple.rules.puzzle import Triple

PLACES = {
    "stairs": [Place(3 * step, 5 * step, step, step % 2 == 1) for step in range(9)],
    "squares": [Place(8 * x + 4 * z, 8 * y + 4 * z, z) for z in range(3) for y in range(3) for x in range(3)],
    "butterfly": shipped_layout("butterfly").places,
}


@st.composite
def boards(draw: st.DrawFn) -> Board:
    places = list(PLACES[draw(st.sampled_from(sorted(PLACES)))])
    triples: list[int] = []
    while (left := len(places) // 3 - sum(triples)) > 0 and (not triples or draw(st.integers(0, 8))):
        triples.append(draw(st.integers(1, left)))
    return Board(places, triples, draw(st.integers(3, 8)))


seeds = st.integers(0, 2**53 - 1)


@given(boards(), seeds)
def test_kernels_deal_what_the_readable_functions_deal(board: Board, seed: int) -> None:
    assert MassDealer(board).deal(seed) == finish(deal_backwards(board, random.Random(seed).random))


@given(boards(), seeds, st.data())
def test_a_line_wins_where_the_rules_replay_it(board: Board, seed: int, data: st.DataObject) -> None:
    mass = MassDealer(board)
    dealt = mass.dealt(seed)
    line = dealt.line.tolist()
    for _ in range(data.draw(st.integers(0, 3))):
        one, other = (data.draw(st.integers(0, len(line) - 1)) for _ in range(2))
        if data.draw(st.booleans()):
            line[one], line[other] = line[other], line[one]
        else:
            line[one] = data.draw(st.integers(-1, len(line)))
    judged = board._replace(slots=data.draw(st.integers(2, 8)))
    puzzle = Triple(Level(mass.deal(seed).tiles, judged.slots))
    try:
        won = puzzle.is_goal(replay(puzzle, line))
    except IllegalAction:
        won = False
    assert MassDealer(judged).wins(dealt._replace(line=np.array(line, np.int32))) == won


@pytest.mark.parametrize(
    "params", [Params(method="backwards", slots=5), Params(method="backwards", layout=SHIPPED[0])]
)
def test_levels_do_not_depend_on_how_many_were_made_before(
    params: Params, monkeypatch: pytest.MonkeyPatch
) -> None:
    readable = [finish(generate(params, seed)) for seed in range(4)]
    monkeypatch.setattr(dealer, "READABLE_DEALS", 1)
    finish(generate(Params(method="backwards", layers=3, sets=1, kinds=6, side=3), 0))  # forgets the dealer
    assert [finish(generate(params, seed)) for seed in range(4)] == readable
