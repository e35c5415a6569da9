"""Networks by their kernels are what the readable formulas say."""

from itertools import chain, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fresh_python import printed_either_way
from winnable.compiled.dice_kernels import U, new_dice
from winnable.contract.core import WinnableError
from winnable.games.game2048.board.kernels import pack, slides, unpack
from winnable.games.game2048.network import kernels as network_kernels
from winnable.games.game2048.network.games import Lane, play, strength
from winnable.games.game2048.network.kernels import Learning
from winnable.games.game2048.network.network import (
    FOLD,
    NO_FOLD,
    SHAPES,
    Network,
    count_weights,
    folded,
    format_tuples,
    parse_tuples,
)
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import Game2048, State
from winnable.inert import arrays

GAME = Game2048(Level())
TUPLES = parse_tuples("0 123 48 5af")
BOARDS = st.lists(st.integers(0, 3) | st.integers(0, 15), min_size=16, max_size=16).map(tuple)
RNG = np.random.default_rng(3)


def filled(*stages: int, fold: int = FOLD) -> Network:
    """Whole numbers as weights: sums are exact, in whatever order."""
    network = Network(TUPLES, stages, fold=fold)
    network.weights[:] = RNG.integers(-1000, 1000, len(network.weights))
    return network


NETWORK, STAGED, SMALL = filled(), filled(5, 11, fold=NO_FOLD), filled(2, fold=4)


def sides(board: State) -> list[State]:
    """Four quarter turns of a board, and their mirror images."""
    rows = [board[row : row + 4] for row in (0, 4, 8, 12)]
    found: list[State] = []
    for _ in range(4):
        rows = [tuple(row) for row in zip(*rows[::-1], strict=True)]
        found += [tuple(chain(*rows)), tuple(chain(*(row[::-1] for row in rows)))]
    return found


def entries(network: Network, board: State) -> list[int]:
    """Where the 8 weights of each tuple are, by the definition."""
    board = folded(board, network.fold)
    stage = sum(max(board) >= exponent for exponent in network.stages)
    return [
        stage * network.size + network.place(number, [side[cell] for cell in cells])
        for number, cells in enumerate(network.tuples)
        for side in sides(board)
    ]


def plain_value(network: Network, board: State) -> float:
    return sum(float(network.weights[entry]) for entry in entries(network, board))


def test_each_way_of_tiles_has_a_weight_of_its_own() -> None:
    network = Network(parse_tuples("05 12f"))
    places = [
        network.place(number, exponents)
        for number, cells in enumerate(network.tuples)
        for exponents in product(range(16), repeat=len(cells))
    ]
    assert len(set(places)) == len(places) == 16**2 + 16**3
    assert 0 <= min(places) <= max(places) < network.size == len(network.weights)


@given(BOARDS)
def test_values(board: State) -> None:
    for network in (NETWORK, STAGED, SMALL):
        assert network.value(board) == plain_value(network, board)
        assert {network.value(side) for side in sides(board)} == {network.value(board)}


@given(BOARDS)
def test_values_that_are_looked_up(board: State) -> None:
    for network in (STAGED, SMALL):
        places = np.zeros((3, len(TUPLES), 8), np.uint32)
        network_kernels.look_up(U(pack(board)), 1, places, *network.net)
        assert network_kernels.looked_up(1, places, network.weights) == network.value(board)
        assert sorted(places[1].ravel().tolist()) == sorted(entries(network, board))
        assert not places[0].any()
        assert not places[2].any()


@given(BOARDS.filter(lambda board: board.count(15) < 2))
def test_the_best_move(board: State) -> None:
    places = np.zeros((4, len(TUPLES), 8), np.uint32)
    after, reward = network_kernels.best_move(U(pack(board)), places, *STAGED.net, slides())
    moves = [GAME.afterstate(board, action) for action in GAME.legal_actions(board)]
    if not moves:
        assert (after, reward) == (pack(board), 0)
        return
    assert (unpack(int(after)), int(reward)) in moves
    best = max(gained + STAGED.value(moved) for moved, gained in moves if max(moved) < 16)
    assert int(reward) + STAGED.value(unpack(int(after))) == best


@given(BOARDS, st.integers(2, NO_FOLD))
def test_folded_boards_have_smaller_tiles_and_are_alike_where_they_were(board: State, fold: int) -> None:
    small = folded(board, fold)
    limit = U((16 - fold) * 0x0101010101010101)
    assert unpack(int(network_kernels.folded(U(pack(board)), limit))) == small
    if max(board) < fold:
        assert small == board
    if max(small) >= fold:
        assert set(range(1, max(small))) <= set(small)
    pairs = [(a, b) for a in range(16) for b in range(16)]
    assert all((board[a] == board[b]) == (small[a] == small[b]) for a, b in pairs)
    assert all((board[a] < board[b]) == (small[a] < small[b]) for a, b in pairs)


def test_larger_tiles_are_halved_above_the_largest_that_is_missing() -> None:
    assert folded((16, 15, 13, 12, 1, *(0,) * 11), 14) == (13, 12, 11, 10, 1, *(0,) * 11)
    assert folded(tuple(range(1, 17)), 14) == tuple(range(1, 17))


def plainly_learned(
    network: Network, history: list[tuple[State, int]], rate: float, decay: float, coherent: bool
) -> dict[int, float]:
    """The weights that change, by the formulas, in double precision."""
    weights: dict[int, float] = {}
    net: dict[int, float] = {}
    gross: dict[int, float] = {}

    def value(board: State) -> float:
        return sum(weights.get(entry, float(network.weights[entry])) for entry in entries(network, board))

    goal = 0.0
    for board, reward in reversed(history):
        error = goal - value(board)
        for entry in entries(network, board):
            own = abs(net[entry]) / gross[entry] if coherent and gross.get(entry) else 1.0
            weights[entry] = weights.get(entry, float(network.weights[entry])) + rate * own * error
            net[entry] = net.get(entry, 0.0) + error
            gross[entry] = gross.get(entry, 0.0) + abs(error)
        goal = reward + (1 - decay) * value(board) + decay * goal
    return weights


@given(
    st.lists(st.tuples(BOARDS, st.integers(0, 2000)), min_size=1, max_size=4),
    st.sampled_from([0.1, 1.0]),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.booleans(),
    st.sampled_from([STAGED, SMALL]),
)
def test_learning(
    history: list[tuple[State, int]], alpha: float, decay: float, coherent: bool, before: Network
) -> None:
    network = Network(TUPLES, before.stages, before.weights.copy(), fold=before.fold)
    coherence = np.zeros(2 * len(network.weights) if coherent else 0, np.float32)
    rate = alpha / (8 * len(TUPLES))
    rows = np.array([(pack(board), reward) for board, reward in history], np.uint64)
    places = np.zeros((2, len(TUPLES), 8), np.uint32)
    learning = Learning(np.float32(rate), np.float32(decay), coherence)
    network_kernels.learn(len(rows), rows, learning, places, network.net)
    expected = plainly_learned(before, history, rate, decay, coherent)
    changed = set(np.flatnonzero(network.weights != before.weights).tolist())
    assert changed <= set(expected)
    for entry, weight in expected.items():
        assert float(network.weights[entry]) == pytest.approx(weight, rel=1e-4, abs=0.05)


@pytest.mark.parametrize("folding", [False, True])
@pytest.mark.parametrize("network", [STAGED, SMALL])
def test_games_are_played_by_the_rules(network: Network, folding: bool) -> None:
    """Each afterstate is the best move of a board that differs from the one before, as it is or folded, by a
    new tile."""
    history, places = np.zeros((1 << 18, 2), np.uint64), np.zeros((4, len(TUPLES), 8), np.uint32)
    made = network_kernels.play(10, folding, history, places, network.net, slides(), new_dice(1))
    assert made > 20
    afters = [unpack(int(after)) for after, _ in history[:made]]
    fold = network.fold if folding else NO_FOLD
    assert any(folded(after, fold) != after for after in afters) == (fold < NO_FOLD)
    for before, after, reward in zip(afters, afters[1:], history[1:made, 1].tolist(), strict=False):
        following = [board for _, board in GAME.outcomes(folded(before, fold))]
        assert any(
            (after, reward) == GAME.afterstate(board, action)
            for board in following
            for action in GAME.legal_actions(board)
        )
    assert any(not GAME.legal_actions(board) for _, board in GAME.outcomes(folded(afters[-1], fold)))


def test_a_game_that_goes_on_folded_ends_where_there_is_no_more_room() -> None:
    history, places = np.zeros((30, 2), np.uint64), np.zeros((4, len(TUPLES), 8), np.uint32)
    assert network_kernels.play(10, True, history, places, SMALL.net, slides(), new_dice(1)) == 30


def test_plain_python_learns_the_same() -> None:
    printed_either_way(
        """
import numpy as np
from winnable.compiled.dice_kernels import new_dice
from winnable.games.game2048.network.network import Network, parse_tuples
from winnable.games.game2048.network.games import Lane
from winnable.games.game2048.network.kernels import Learning
for coherent in (True, False):
    network = Network(parse_tuples("01 5"), (4,), initial=3.0)
    coherence = np.zeros(2 * len(network.weights) if coherent else 0, np.float32)
    learning = Learning(np.float32(0.02), np.float32(0.5), coherence)
    games = Lane(2, new_dice(1)).play(network, 150, learning=learning)
    print(games.scores.tolist(), games.largest.tolist(), games.moves)
    print([float(one) for one in network.weights[network.weights != 3]])
"""
    )


def test_measured_games_do_not_depend_on_the_number_of_threads() -> None:
    one, two = play(NETWORK, 120, 7), play(NETWORK, 120, 7, threads=2)
    assert one.scores.tolist() == two.scores.tolist()
    assert one.largest.tolist() == two.largest.tolist()
    assert one.moves == two.moves
    assert play(NETWORK, 120, 8).scores.tolist() != one.scores.tolist()


def test_strength() -> None:
    games = play(NETWORK, 200, 5)
    measured = strength(NETWORK, 200, 5)
    assert (measured.games, measured.moves) == (200, games.moves)
    assert measured.low < measured.mean == games.scores.mean() < measured.high
    error = games.scores.std(ddof=1) / 200**0.5
    assert measured.high - measured.low == pytest.approx(2 * 1.96 * error, rel=1e-3)
    assert list(measured.reached) == ["2048", "4096", "8192", "16384", "32768"]
    assert measured.reached["2048"].share == np.mean(games.largest >= 11)


def test_a_lane_stops_at_so_many_games_or_moves() -> None:
    lane = Lane(len(TUPLES), new_dice(4))
    assert len(lane.play(NETWORK, 10**9, 3).scores) == 3
    some = lane.play(NETWORK, 500)
    assert 500 <= some.moves < 10_000


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_have_names(name: str) -> None:
    tuples = parse_tuples(name)
    assert format_tuples(tuples) == name
    assert parse_tuples(SHAPES[name]) == tuples
    tuple_count, cells = name.split("x")
    assert [len(one) for one in tuples] == [int(cells)] * int(tuple_count)


def test_tuples_are_written_in_many_ways() -> None:
    assert parse_tuples(" 10, Fe3 ") == ((0, 1), (3, 14, 15))
    assert format_tuples(((0, 1), (3, 14, 15))) == "01 3ef"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no tuple"),
        (" , ", "no tuple"),
        ("9x9", "'9x9' is neither one of 4x5, 4x6, 8x6 nor a tuple"),
        ("0123 0g", "'0g' is neither"),
        ("0120", "0120 has a cell twice"),
        ("01234567", "more than 7 cells"),
    ],
)
def test_tuples_that_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(WinnableError, match=f"^network: .*{complaint}"):
        parse_tuples(text)


@pytest.mark.parametrize(
    ("stages", "fold", "complaint"),
    [
        ((11, 11), FOLD, "stages: .* to 8,192 at most, as larger ones are folded"),
        ((12, 11), FOLD, "stages: "),
        ((0,), FOLD, "stages: "),
        ((14,), FOLD, "stages: "),
        ((16,), NO_FOLD, "stages: .* to 32,768 at most$"),
        ((), 1, "fold: a tile from 4 to 32,768"),
        ((), 17, "fold: "),
    ],
)
def test_stages_and_folds_that_are_refused(stages: tuple[int, ...], fold: int, complaint: str) -> None:
    with pytest.raises(WinnableError, match=f"^{complaint}"):
        count_weights(TUPLES, stages, fold)


def test_networks_that_are_too_large_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(WinnableError, match="more than 4,294,967,296"):
        count_weights(parse_tuples("0123456 " * 16), ())

    def full(*_: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(arrays.np, "zeros", full)
    with pytest.raises(WinnableError, match=r"network: 0\.5 GiB of memory cannot be had"):
        Network(parse_tuples("8x6"))
