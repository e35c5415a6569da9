"""The chance to make a level's goal: who says it, and that it is right."""

from functools import cache

import pytest

from winnable import load
from winnable.contract.chance import GoalChance, Turn
from winnable.contract.core import Budget, finish
from winnable.games.game2048.game import GAME
from winnable.games.game2048.measure.chance import (
    GAMES,
    ROUND,
    WEIGHED,
    by_network,
    by_random_games,
    chance,
)
from winnable.games.game2048.players.by_name import PLAYERS
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import Game2048, Seeded2048, State

SMALL = Level(rows=2, columns=2, goal=16, dice=3)
FULL = Level(board=((512, 8, 4, 2), (512, 2, 8, 4), (4, 8, 2, 16), (2, 4, 16, 8)), goal=1024, ends=True)


def best(game: Game2048, state: State) -> float:
    """By the readable rules and nothing else."""

    @cache
    def after(board: State) -> float:
        return sum(share * of(following) for share, following in game.outcomes(board))

    @cache
    def of(state: State) -> float:
        if game.is_reached(state):
            return 1.0
        moves = (game.afterstate(state, action)[0] for action in game.legal_actions(state))
        return max((1.0 if game.is_reached(board) else after(board) for board in moves), default=0.0)

    return of(state)


@pytest.mark.parametrize("ends", [False, True])
def test_small_boards_are_told_exactly(ends: bool) -> None:
    puzzle = Seeded2048(Level(rows=2, columns=2, goal=16, ends=ends, fours=20))
    state = puzzle.initial()
    found = finish(chance(puzzle, state.state, Budget(), 0))
    assert found.share == pytest.approx(best(puzzle.game, state.state))
    assert (found.low, found.high, found.games, found.by) == (None, None, None, "exact")
    assert found.share == max(value for _, value in found.values)


def test_random_games_tell_what_random_players_do() -> None:
    """The true chances by the readable rules; the standard error of 200 games is 3.5 points at most."""
    game = Game2048(SMALL)

    @cache
    def after(board: State) -> float:
        return (
            1.0 if game.is_reached(board) else sum(share * of(next) for share, next in game.outcomes(board))
        )

    @cache
    def of(state: State) -> float:
        if game.is_reached(state):
            return 1.0
        boards = [game.afterstate(state, action)[0] for action in game.legal_actions(state)]
        return sum(map(after, boards)) / max(1, len(boards))

    puzzle = Seeded2048(SMALL)
    state = puzzle.initial().state
    found = finish(by_random_games(puzzle, state, Budget(), 1, GAMES))
    assert found is not None
    assert found.by == "random"
    assert found.low is not None
    assert found.high is not None
    assert found.low < of(state) < found.high
    for action, value in found.values:
        assert abs(value - after(game.afterstate(state, action)[0])) < 0.14


def test_the_network_says_its_own_chance_with_an_interval() -> None:
    puzzle = Seeded2048(Level(goal=64, dice=4))
    state = puzzle.initial()
    found = finish(by_network(puzzle, state.state, Budget(), 7, GAMES))
    assert found is not None
    assert found == finish(by_network(puzzle, state.state, Budget(), 7, GAMES))
    own = finish(PLAYERS["network"](puzzle, 0).choose(state))
    assert found.share == dict(found.values)[own]
    assert (found.games, found.by) == (GAMES, "network")
    assert found.low is not None
    assert found.high is not None
    assert found.share is not None
    assert 0.9 < found.low <= found.share <= found.high <= 1


def test_a_move_that_makes_the_goal_is_sure_and_one_that_ends_the_game_is_not() -> None:
    puzzle = Seeded2048(FULL)
    found = finish(chance(puzzle, puzzle.initial().state, Budget(), 0))
    assert dict(found.values) == {0: 1.0, 2: 1.0}
    assert found.share == 1.0


def test_where_the_goal_is_further_off_than_random_games_get_it_is_not_known() -> None:
    for level in (Level(rows=5, columns=5, goal=32768), Level(goal=1 << 20)):
        puzzle = Seeded2048(level)
        assert finish(chance(puzzle, puzzle.initial().state, Budget(), 0)) == GoalChance(by="random")


def test_it_keeps_to_its_budget() -> None:
    puzzle = Seeded2048(Level(goal=2048))
    state, budget = puzzle.initial().state, Budget()
    budget.cancel()
    assert finish(chance(puzzle, state, budget, 0)) == GoalChance()
    once = finish(chance(puzzle, state, Budget(expanded=1), 0))
    assert once.games == ROUND


def test_an_outlook_has_it_until_the_goal_is_made() -> None:
    puzzle = Seeded2048(SMALL)
    state = puzzle.initial()
    found = finish(GAME.outlook(puzzle, state, Budget(), 0))
    assert found.goal is not None
    assert found.compared == found.goal.values
    assert found.compared_by == "exact"
    made = Turn[State]((4, 1, 0, 0), 40, 9)
    assert finish(GAME.outlook(puzzle, made, Budget(), 0)).goal is None
    free = Seeded2048(Level(rows=2, columns=2))
    assert finish(GAME.outlook(free, free.initial(), Budget(), 0)).goal is None


def test_a_whole_game_is_weighed_by_fewer_games() -> None:
    puzzle = Seeded2048(Level(goal=32))
    found = finish(GAME.weigh(puzzle, puzzle.initial(), Budget(), 0))
    assert found.goal is not None
    assert found.goal.games == WEIGHED


def test_python_and_the_daily_level_know_it() -> None:
    board = load("2048:rows=2,columns=2,goal=4#3")
    found = board.chance()
    assert found is not None
    assert found.share == max(board.values().values())
    assert load("2048:rows=2,columns=2#3").chance() is None
    daily = finish(GAME.generate(GAME.daily, 20261125))
    assert (daily.goal, daily.ends, GAME.default_player(daily)) == (1024, True, "auto")
    rating = finish(GAME.rate(daily, Budget(), 0))
    assert rating is not None
    assert rating.word == "medium"


def test_only_the_articles_game_is_played_by_its_player() -> None:
    assert GAME.default_player(Level(goal=1024, ends=True, fours=5)) == "article"
    assert GAME.default_player(Level(goal=1024, ends=True)) == "auto"
