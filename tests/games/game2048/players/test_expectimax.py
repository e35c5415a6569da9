"""Looking ahead by kernels is what a plain search by the rules says."""

import math
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fresh_python import printed_either_way
from tests.games.game2048.network.test_network import NETWORK
from winnable.compiled.dice_kernels import new_dice
from winnable.contract.core import WinnableError, finish
from winnable.games.game2048.network.file import Progress, quantised
from winnable.games.game2048.network.network import FOLD, Network
from winnable.games.game2048.players import expectimax
from winnable.games.game2048.players.by_name import PLAYERS, SEARCHES
from winnable.games.game2048.players.expectimax import AS_GOOD, HOPE, MOST_BOARDS, PARTS, Expectimax, OnePly
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import Game2048, Seeded2048, State

BOARDS = st.lists(st.integers(1, 4) | st.integers(0, FOLD - 1), min_size=16, max_size=16).map(tuple)
ANY = st.lists(st.integers(0, 35), min_size=16, max_size=16).filter(any).map(tuple)


def plain_values(game: Game2048, network: Network, state: State, bits: float) -> dict[int, float]:
    """By the definition."""

    @cache
    def expected(after: State, left: int) -> float:
        worth = 0.0
        for chance, following in game.outcomes(after):
            rest = left - round(PARTS * (1 - math.log2(chance)))
            worth += chance * max(values(following, rest).values(), default=0.0)
        return worth

    def values(state: State, left: int) -> dict[int, float]:
        found: dict[int, float] = {}
        for action in game.legal_actions(state):
            after, reward = game.afterstate(state, action)
            found[action] = reward + (network.value(after) if left <= 0 else expected(after, left))
        return found

    return values(state, max(1, round(PARTS * bits)))


def counted(board: State, bits: float, most: int = MOST_BOARDS) -> tuple[dict[int, float], int]:
    """And how many boards the network valued."""
    search = Expectimax(Level(), NETWORK)
    return finish(search.values(board, bits, most)), int(search.count[0])


@pytest.mark.parametrize("fours", [0, 10, 50, 100])
@given(board=BOARDS, bits=st.sampled_from([0, 2, 3.5, 5]))
def test_values(fours: int, board: State, bits: float) -> None:
    level = Level(fours=fours)
    plain = plain_values(Game2048(level), NETWORK, board, bits)
    assert finish(Expectimax(level, NETWORK).values(board, bits)) == pytest.approx(plain, rel=1e-5, abs=1e-2)


def test_what_was_seen_before_changes_nothing() -> None:
    board, other = (1, 2, 3, 4, 8, 7, 6, 5, 9, 10, 11, 12, 0, 0, 1, 0), (*range(1, 15), 0, 1)
    search = Expectimax(Level(), NETWORK)
    values = finish(search.values(board, 6))
    finish(search.values(other, 9))
    assert finish(search.values(board, 6)) == values != finish(search.values(board, 7))


def test_lines_end_earlier_where_there_are_too_many() -> None:
    board = (1, 2, 3, 4, 8, 7, 6, 5, 9, 10, 11, 0, 0, 0, 1, 0)
    (first, few), (then, some), (_, many) = (counted(board, bits) for bits in (0, 5, 6))
    assert few < some < many
    assert counted(board, 6, most=some) == (then, some)
    assert counted(board, 6, most=0) == (first, few)


@given(ANY)
def test_all_legal_moves_have_values(board: State) -> None:
    legal = Game2048(Level()).legal_actions(board)
    assert tuple(finish(Expectimax(Level(), NETWORK).values(board, 0))) == legal


@pytest.mark.parametrize("name", SEARCHES)
def test_players(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expectimax, "network", lambda: NETWORK)
    board = (2, 4, 8, 16), (256, 128, 64, 32), (512, 1024, 2048, 4096), (0, 2, 2, 0)
    puzzle = Seeded2048(Level(board=board))
    state = puzzle.initial()
    values = finish(Expectimax(puzzle.level, NETWORK).values(state.state, SEARCHES[name]))
    assert values[finish(PLAYERS[name](puzzle, 0).choose(state))] == max(values.values())


def test_players_ask_endgame_tables_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expectimax, "network", lambda: NETWORK)
    puzzle = Seeded2048(Level(dice=2))
    state = puzzle.initial()
    values = finish(Expectimax(puzzle.level, NETWORK).values(state.state, SEARCHES["search-1ms"]))
    worst, *_, best = sorted(values, key=lambda action: (values[action], -action))
    assert values[worst] < values[best]
    player, asked = PLAYERS["search-1ms"](puzzle, 0), list[State]()
    told: dict[int, float] | None = None

    def chances(state: State) -> dict[int, float] | None:
        asked.append(state)
        return told

    monkeypatch.setattr(expectimax.endgame, "chances", chances)
    for said, chosen in (
        ({worst: 0.6, best: 0.4}, worst),
        ({worst: 0.6, best: 0.6 - AS_GOOD / 2}, best),
        ({worst: 1.0}, worst),
        ({worst: 0.99 * HOPE}, best),
        ({worst: 0.0}, best),
        ({}, best),
        (None, best),
    ):
        told = said
        assert finish(player.choose(state)) == chosen
    assert asked == 7 * [state.state]
    other = Seeded2048(Level(dice=2, fours=20))
    finish(PLAYERS["search-1ms"](other, 0).choose(state))
    assert len(asked) == 7


def test_other_boards_are_refused() -> None:
    with pytest.raises(WinnableError, match="4 × 4 cells, not 3 × 5"):
        Expectimax(Level(rows=3, columns=5), NETWORK)


def test_another_network_may_be_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "own.network"
    path.write_bytes(quantised(NETWORK, Progress()))
    monkeypatch.setenv("WINNABLE_NETWORK", str(path))
    assert expectimax.network().tuples == NETWORK.tuples
    monkeypatch.setenv("WINNABLE_NETWORK", str(tmp_path / "none.network"))
    with pytest.raises(WinnableError, match=r"none\.network"):
        expectimax.network()


def test_a_page_without_a_server_plays_by_a_small_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(expectimax, "SHIPPED", tmp_path / "4x4.network")
    assert expectimax.SMALL.stat().st_size < 100_000
    puzzle = Seeded2048(Level())
    player, after = OnePly(puzzle), puzzle.initial().state
    made = player.makes(after, 11, 100, new_dice(1))
    assert len(expectimax.network().weights) < 5_000_000
    assert made > 60


SCRIPT = """
from winnable.contract.core import finish
from winnable.games.game2048.players.expectimax import Expectimax
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.network.network import Network

network = Network(((0, 1), (2,)))
network.weights[:] = range(len(network.weights))
print(finish(Expectimax(Level(), network).values((9, 8, 7, 6, 1, 2, 3, 4, 2, 1, 2, 1, 1, 0, 1, 2), 4)))
"""


def test_with_and_without_the_compiler() -> None:
    printed_either_way(SCRIPT)
