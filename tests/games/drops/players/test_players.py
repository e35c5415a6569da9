"""The players of drops: what greedy prefers, and that it needs neither a compiler nor patience."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given

from tests import fresh_python
from tests.driving import progress_of
from tests.games.drops.boards import SEEDS, clicks, levels
from winnable.contract.core import LevelError, finish, replay
from winnable.games.drops.levels.generator import Params, generate
from winnable.games.drops.players import by_name
from winnable.games.drops.players.by_name import PLAYERS, SKILLS, Greedy
from winnable.games.drops.rules.chain import Frame, run_chain
from winnable.games.drops.rules.level import Level
from winnable.games.drops.rules.puzzle import Drops, State
from winnable.play.playing import RandomPlayer, whole_game


def choice(*board: str, is_open: bool = False) -> int:
    puzzle = Drops(Level(board=board, open=is_open))
    return finish(Greedy(puzzle).choose(puzzle.initial()))


def test_greedy_bursts_most() -> None:
    assert choice("4000", "0100", "0044") == 10, "one burst, two bursts"
    assert choice("0100", "4000", "0004") == 4, "of equals the first"
    assert choice("0000", "4010", "1000") == 4


def test_without_a_full_cell_greedy_clicks_on_the_fullest() -> None:
    assert choice("0100", "0303", "2000") == 5
    assert choice("0001", is_open=True) == 3


@given(levels(), SEEDS)
def test_greedy_against_its_rule_taken_literally(level: Level, seed: int) -> None:
    """Each full cell in turn, unless a chain that was tried bursts it; the first of those that burst most."""
    puzzle = Drops(level)
    for state, _ in clicks(puzzle, seed):
        full = [cell for cell, drops in enumerate(state.cells) if drops == 4]
        chains = {cell: puzzle.trace(state, cell)[-1].bursts for cell in full}
        chosen = finish(Greedy(puzzle).choose(state))
        if not full:
            assert chosen == state.cells.index(max(state.cells))
            continue
        burst: set[int] = set()
        tried: list[int] = []
        for cell in full:
            if cell not in burst:
                tried.append(cell)
                burst |= {other for frame in puzzle.trace(state, cell) for other in frame.burst}
        assert chosen == max(tried, key=lambda cell: (chains[cell], -cell))


@pytest.mark.parametrize("name", PLAYERS)
def test_games_end_with_an_empty_board(name: str) -> None:
    for seed in range(5):
        puzzle = Drops(finish(generate(Params(slack="none"), seed)))
        player, state, actions = PLAYERS[name](puzzle, seed), puzzle.initial(), list[int]()
        while not puzzle.is_goal(state):
            actions.append(finish(player.choose(state)))
            state = puzzle.apply(state, actions[-1])
        assert puzzle.is_goal(replay(puzzle, actions))


def test_random_follows_its_seed_and_reaches_every_legal_click() -> None:
    puzzle = Drops(Level(board=("102", "030")))
    state = State(b"\1\0\2\0\3\0", None)
    players = [RandomPlayer(puzzle, seed) for seed in (1, 1, 2)]
    first, again, other = ([finish(player.choose(state)) for _ in range(20)] for player in players)
    assert first == again != other
    player = RandomPlayer(puzzle, 1)
    assert {finish(player.choose(state)) for _ in range(200)} == {0, 2, 4}


def test_greedy_plays_the_largest_boards_without_a_compiler() -> None:
    program = (
        "import sys\n"
        "from winnable.contract.core import finish\n"
        "from winnable.games.drops.game import GAME\n"
        "from random import Random\n"
        "from winnable.games.drops.levels.generator import Params, draw\n"
        "puzzle = GAME.puzzle(draw(Params(rows=32, columns=32), Random(1)))\n"
        "player, state = GAME.players['greedy'](puzzle, 0), puzzle.initial()\n"
        "while not puzzle.is_goal(state):\n"
        "    state = puzzle.apply(state, finish(player.choose(state)))\n"
        "print('numba' in sys.modules)\n"
    )
    assert fresh_python.printed(program, jit=True) == "False\n"


def test_greedy_tries_few_of_many_full_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a large board of long chains, where each of 700 full cells would have its own."""
    rng = random.Random(4)
    board = tuple("".join(rng.choice("144") for _ in range(32)) for _ in range(32))
    puzzle = Drops(Level(board=board))
    frames: list[int] = []

    def counted(*arguments: Any) -> Iterator[Frame]:
        frames.append(0)
        for frame in run_chain(*arguments):
            frames[-1] += 1
            yield frame

    monkeypatch.setattr(by_name, "run_chain", counted)
    told = progress_of(Greedy(puzzle).choose(puzzle.initial()))
    assert 0 < len(frames) < 20
    assert len(told) == sum(-(-number // by_name.FRAMES) for number in frames) > len(frames)


SEEING = [name for name in SKILLS if name != "random"]


@pytest.mark.parametrize("name", SEEING)
def test_who_looks_follows_the_seed_and_the_rules(name: str) -> None:
    puzzle = Drops(finish(generate(Params(rows=4, columns=4, par_min=3, par_max=4, slack="1"), 1)))
    first, again = (whole_game(puzzle, PLAYERS[name](puzzle, 5)) for _ in range(2))
    assert first == again
    assert not puzzle.legal_actions(replay(puzzle, first))
    assert len({tuple(whole_game(puzzle, PLAYERS[name](puzzle, seed))) for seed in range(20)}) > 1


def test_who_looks_ahead_sees_the_click_that_wins_next() -> None:
    puzzle = Drops(Level(board=("00000", "04440", "00100"), drops=1))
    for seed in range(20):
        for name in ("look", "ahead-2", "ahead-3"):
            chosen = finish(PLAYERS[name](puzzle, seed).choose(puzzle.initial()))
            wins = [cell for cell in puzzle.legal_actions(puzzle.initial())
                    if puzzle.is_goal(puzzle.apply(puzzle.initial(), cell))]  # fmt: skip
            assert not wins or chosen in wins


def test_who_looks_further_wins_more() -> None:
    won = dict.fromkeys(SKILLS, 0)
    for level in range(10):
        puzzle = Drops(finish(generate(Params(rows=5, columns=5, par_min=4, par_max=4, slack="1"), level)))
        for name in SKILLS:
            lines = [whole_game(puzzle, PLAYERS[name](puzzle, seed)) for seed in range(10)]
            won[name] += sum(puzzle.is_goal(replay(puzzle, line)) for line in lines)
    assert won["random"] < won["glance"] < won["look"] < won["ahead-3"]


def test_large_boards_are_refused_by_those_who_look() -> None:
    puzzle = Drops(Level(board=("1" * 13,) * 12))
    with pytest.raises(LevelError, match="cells"):
        PLAYERS["look"](puzzle, 0)
