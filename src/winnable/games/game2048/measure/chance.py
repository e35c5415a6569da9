"""The chance to make a level's goal: exact on small boards, else by games of a player who is named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from winnable.compiled.dice_kernels import new_dice
from winnable.contract.chance import GoalChance
from winnable.contract.core import Action, Budget, Found, Progress, Search, WinnableError, finish, searching
from winnable.games.game2048.board import grid_kernels
from winnable.games.game2048.exact import small as exact
from winnable.games.game2048.players import expectimax
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import Seeded2048, State
from winnable.stats.intervals import wilson_interval

GAMES, ROUND, AT_ONCE = 200, 25, 5
"""Games after each move, of the network: enough for an interval of 2 points where most are won; how many
between two looks at the budget; and those that a kernel plays, of which one takes up to 16,000 moves."""
WEIGHED = 50
"""Games after each move of a whole game that is looked at again."""
MOST_MOVES = 2000
"""Of a random game, which goes on too long on a large board."""

Play: TypeAlias = Callable[[State, int], int | None]
"""(board after a move, games) -> how many of them make the goal; None: that cannot be told."""
Made: TypeAlias = dict[Action, tuple[int, int]]
"""For each action how many games made the goal, of so many; all, where the move itself makes it."""
Judge: TypeAlias = Callable[[Seeded2048, State, Budget, int, int], Found[GoalChance | None]]
"""(puzzle, state, budget, seed, games); None: it does not know such boards."""


def chance(
    puzzle: Seeded2048, state: State, budget: Budget, seed: int, games: int = GAMES
) -> Search[GoalChance]:
    """Estimates the chance of a state in which there is a move and the goal is not made yet; empty where it
    was not found out in time. The same seed gives the same answer, as long as the budget lets all games be
    played."""
    for judge in JUDGES:
        found = yield from searching(judge(puzzle, state, budget, seed, games))
        if found is not None:
            return found
    return GoalChance()


def by_exact_play(
    puzzle: Seeded2048, state: State, budget: Budget, seed: int, games: int
) -> Search[GoalChance | None]:
    """Knows small boards that are solved at once, or whose table is there: the best player's chance."""
    level = puzzle.level
    if level.rows * level.columns > exact.MOST_CELLS:
        return None
    try:
        solution = yield from exact.solution_of(level, aim="goal")
        values = yield from solution.values(state, budget)
    except WinnableError:  # no table, a board that it cannot tell of, or the budget ended
        return None
    return GoalChance(share=max(values.values()), values=tuple(values.items()), by="exact")


def by_network(
    puzzle: Seeded2048, state: State, budget: Budget, seed: int, games: int
) -> Search[GoalChance | None]:
    """Knows boards of 4 × 4: the network plays on by one ply. The chance is that with its own move."""
    goal = puzzle.game.goal
    if not expectimax.knows(puzzle.level) or goal is None or goal > expectimax.MAX_EXPONENT:
        return None
    player, dice = expectimax.OnePly(puzzle), new_dice(seed)
    made = yield from _played(
        puzzle, state, budget, games, lambda after, more: player.makes(after, goal, more, dice)
    )
    return None if made is None else _of(made, [player.best(state)], "network")


def by_random_games(
    puzzle: Seeded2048, state: State, budget: Budget, seed: int, games: int
) -> Search[GoalChance | None]:
    """Knows all boards, but tells a chance only where the goal is so near that random players make it now and
    then: that they never do says nothing about others."""
    game, dice = puzzle.game, new_dice(seed)
    lines, goal = grid_kernels.lines_of(game), game.goal
    assert goal is not None

    def play(after: State, more: int) -> int | None:
        made = grid_kernels.makes(
            grid_kernels.pack(after), goal, lines, game.level.fours, more, MOST_MOVES, dice
        )
        return None if made < 0 else made

    made = yield from _played(puzzle, state, budget, games, play)
    if made is None:
        return None
    return (
        _of(made, [*made], "random") if any(count for count, _ in made.values()) else GoalChance(by="random")
    )


JUDGES: tuple[Judge, ...] = (by_exact_play, by_network, by_random_games)
"""The best first."""


def _played(puzzle: Seeded2048, state: State, budget: Budget, games: int, play: Play) -> Search[Made | None]:
    """None: there was no time for any; empty: it cannot be told."""
    game = puzzle.game
    afters = {action: game.afterstate(state, action)[0] for action in game.legal_actions(state)}
    made, played = dict.fromkeys(afters, 0), 0
    while played < games and (yield from budget.allows("outlook", played, played)):
        for action, after in afters.items():
            if game.is_reached(after):
                made[action] += ROUND
                continue
            for _ in range(0, ROUND, AT_ONCE):
                if (more := play(after, AT_ONCE)) is None:
                    return {}
                made[action] += more
                yield Progress("outlook", played, played, budget.elapsed)
        played += ROUND
    return {action: (count, played) for action, count in made.items()} if played else None


def _of(made: Made, chosen: Sequence[Action], by: str) -> GoalChance:
    """chosen: what the player may do now, each as likely"""
    count, games = (sum(made[action][part] for action in chosen) for part in range(2))
    low, high = wilson_interval(count, games)
    values = tuple((action, count / games) for action, (count, games) in made.items())
    return GoalChance(count / games, low, high, games // len(chosen), values, by)


def warm() -> None:
    """Compiles what is used."""
    puzzle = Seeded2048(Level(rows=2, columns=2, goal=8))
    finish(by_random_games(puzzle, (1, 1, 0, 0), Budget(), 0, ROUND))
