"""What moves are worth, and who is asked."""

from functools import cache
from operator import itemgetter

import pytest

from tests.driving import driven
from winnable.contract.chance import Outlook, Turn
from winnable.contract.core import Budget, Progress, finish
from winnable.games.game2048.exact import small as exact
from winnable.games.game2048.measure import outlook as outlooks
from winnable.games.game2048.measure.outlook import ROUNDS, RUNS, by_rollouts, outlook
from winnable.games.game2048.players import expectimax
from winnable.games.game2048.players.by_name import PLAYERS
from winnable.games.game2048.players.expectimax import Searching
from winnable.games.game2048.players.rollouts import Rollouts
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import Game2048, Seeded2048, State

SMALL = Level(rows=2, columns=2, board=((2, 4), (0, 2)))


def counted(puzzle: Seeded2048, state: Turn[State], cancel_at: int) -> tuple[Outlook, int]:
    """And how many games were played for each move; it is cancelled after so many."""
    games: list[int] = []

    def hear(progress: Progress) -> None:
        games.append(progress.expanded)
        if progress.expanded >= cancel_at:
            budget.cancel()

    budget = Budget()
    if not cancel_at:
        budget.cancel()
    found = driven(by_rollouts(puzzle, state, budget, 1), hear)
    assert found is not None
    return found, games[-1]


def test_each_legal_move_has_a_value_that_follows_from_the_seed() -> None:
    puzzle = Seeded2048(Level(dice=4))
    state = puzzle.initial()
    found = finish(by_rollouts(puzzle, state, Budget(), 1))
    assert [action for action, _ in found.values] == list(puzzle.legal_actions(state))
    assert (found.score, found.low, found.high, found.risk) == (None, None, None, None)
    assert (
        found
        == finish(by_rollouts(puzzle, state, Budget(), 1))
        != finish(by_rollouts(puzzle, state, Budget(), 2))
    )


def test_it_keeps_to_its_budget() -> None:
    puzzle = Seeded2048(SMALL)
    state = puzzle.initial()
    first, games = counted(puzzle, state, cancel_at=0)
    assert games == RUNS
    assert len(first.values) == len(puzzle.legal_actions(state))
    assert counted(puzzle, state, cancel_at=1) == (first, RUNS)
    assert counted(puzzle, state, cancel_at=3 * RUNS)[1] == 3 * RUNS
    assert counted(puzzle, state, cancel_at=10**9)[1] == ROUNDS * RUNS


def test_values_are_the_means_of_random_play() -> None:
    """The true means by the readable rules; the standard error of 1,000 games is 0.4."""
    game = Game2048(SMALL)

    @cache
    def value(state: State, action: int) -> float:
        after, reward = game.afterstate(state, action)
        return reward + sum(chance * mean(following) for chance, following in game.outcomes(after))

    @cache
    def mean(state: State) -> float:
        legal = game.legal_actions(state)
        return sum(value(state, action) for action in legal) / max(1, len(legal))

    puzzle = Seeded2048(SMALL)
    state = puzzle.initial()
    for action, found in finish(by_rollouts(puzzle, state, Budget(), 3)).values:
        assert abs(found - value(state.state, action)) < 2


def test_the_first_judge_that_knows_the_board_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    def narrow(puzzle: Seeded2048, state: Turn[State], budget: Budget, seed: int) -> Outlook | None:
        return Outlook(score=9.0) if puzzle.level.columns == 2 else None

    monkeypatch.setattr(outlooks, "JUDGES", (narrow, by_rollouts))
    for level, score in ((SMALL, 9.0), (Level(), None)):
        puzzle = Seeded2048(level)
        assert finish(outlook(puzzle, puzzle.initial(), Budget(), 0)).score == score


def test_a_game_that_is_over_promises_nothing() -> None:
    puzzle = Seeded2048(SMALL)
    state = Turn[State]((2, 1, 1, 2), 0, 1)
    assert not puzzle.legal_actions(state)
    assert finish(outlook(puzzle, state, Budget(), 0)).values == ()


def test_small_boards_are_told_exactly() -> None:
    puzzle = Seeded2048(Level(rows=2, columns=3))
    state = puzzle.initial()
    found, solution = finish(outlook(puzzle, state, Budget(), 1)), finish(exact.solution_of(puzzle.level))
    assert found == Outlook(
        score=finish(solution.value(state.state)),
        values=tuple(finish(solution.values(state.state)).items()),
        by="exact",
    )
    over = Turn[State]((1, 2, 1, 2, 1, 2), 0, 9)
    assert finish(outlook(puzzle, over, Budget(), 1)) == Outlook(score=0.0, by="exact")


def test_exact_play_leaves_boards_that_it_does_not_know_to_others() -> None:
    to_goal = Level(rows=2, columns=2, goal=32, ends=True)
    for level in (to_goal, Level(rows=2, columns=5), Level(goal=2048, ends=True)):
        puzzle = Seeded2048(level)
        found = finish(outlook(puzzle, puzzle.initial(), Budget(), 1))
        assert found.score is None
        assert found.values


def test_the_automatic_player_is_the_best_that_knows_the_level() -> None:
    small, middle, large = (Seeded2048(Level(rows=rows, columns=rows)) for rows in (2, 4, 5))
    assert isinstance(PLAYERS["auto"](small, 0), exact.Exact)
    assert isinstance(PLAYERS["auto"](middle, 0), Searching)
    assert isinstance(PLAYERS["auto"](large, 0), Rollouts)


def test_the_move_that_is_worth_most_is_the_automatic_players_where_tables_know_the_board(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    puzzle = Seeded2048(Level(dice=4, board=((0, 2, 4, 0), (0, 0, 4, 0), (0, 0, 0, 0), (0, 0, 0, 0))))
    state, player = puzzle.initial(), PLAYERS["auto"](puzzle, 0)
    before = dict(finish(outlook(puzzle, state, Budget(), 0)).values)
    known: dict[int, float] = {}

    def chances(_: State) -> dict[int, float]:
        return known

    monkeypatch.setattr(expectimax.endgame, "chances", chances)
    top = max(before.values())
    for known in ({1: 0.25, 2: 0.75}, {2: 0.5, 3: 0.5}, {0: 0.4, 1: 0.6, 2: 0.6}, {0: 1.0}):
        found = finish(outlook(puzzle, state, Budget(), 0))
        best = [action for action, chance in known.items() if chance == max(known.values())]
        chosen = max(best, key=before.__getitem__)
        assert finish(player.choose(state)) == chosen
        assert max(found.values, key=itemgetter(1)) == (chosen, top)
        assert found.score == top
        for action, value in found.values:
            if action in best:
                assert value == pytest.approx(top - before[chosen] + before[action])
            elif action in known:
                assert value == pytest.approx(top * known[action] / known[chosen])
            else:
                assert value == min(before[action], top - 1)
    known = {1: 0.0}
    assert dict(finish(outlook(puzzle, state, Budget(), 0)).values) == before


def test_what_moves_are_worth_on_4_by_4_is_what_the_automatic_player_goes_by() -> None:
    puzzle = Seeded2048(Level(dice=4))
    player, state = PLAYERS["auto"](puzzle, 0), puzzle.initial()
    for _ in range(40):
        found = finish(outlook(puzzle, state, Budget(), 0))
        assert max(found.values, key=itemgetter(1)) == (finish(player.choose(state)), found.score)
        state = puzzle.apply(state, finish(player.choose(state)))
