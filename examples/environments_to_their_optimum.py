"""Each environment driven to its optimum: by a solver where a game can be won, by exact play or the game's
own player where it has no goal. Needs the extra `gym`."""

from __future__ import annotations

from typing import Any

import gymnasium

import winnable
from winnable import Budget
from winnable.contract.core import finish
from winnable.games.game2048.exact.small import Exact, solution_of

SOLVED = {
    "winnable/Drops-v0": "drops/09-plus",
    "winnable/Rotate-v0": "rotate/15-heart",
    "winnable/Triple-v0": "triple/2-pyramid",
}


def by_solver(name: str, level: str) -> None:
    env: Any = gymnasium.make(f"winnable.envs:{name}", level=level)
    env.reset(seed=0)
    here = env.unwrapped
    found = winnable.solve(level)
    total, terminated = 0.0, False
    for move in found.moves:
        assert not terminated
        _, reward, terminated, _, _ = env.step(here.puzzle.parse_action(move))
        total += float(reward)
    assert terminated
    assert total == 1.0
    proved = "no line is shorter" if found.optimal else "as long as any line"
    print(f"{name}: won in {len(found.moves)} actions, {proved}")


def by_exact_play(games: int = 400) -> None:
    """2048 on 2 x 2: the mean over games is what exact play is worth."""
    level = "2048/3-two-by-two"
    env: Any = gymnasium.make("winnable.envs:winnable/2048-v0", level=level)
    total, expected = 0.0, 0.0
    for seed in range(games):
        env.reset(seed=seed)
        here = env.unwrapped
        player = Exact(here.puzzle)
        solution = finish(solution_of(here.puzzle.level))
        expected += max(finish(solution.values(here.state.state, Budget())).values())
        over = False
        while not over:
            _, reward, over, _, _ = env.step(finish(player.choose(here.state)))
            total += float(reward)
    mean, worth = total / games, expected / games
    print(f"winnable/2048-v0: {mean:.1f} points in the mean; exact play is worth {worth:.1f}")
    assert abs(mean - worth) < 4


def by_player(pieces: int = 300) -> None:
    """Tetris: a controller clears four rows for each ten pieces, as many as fit on ten columns."""
    env: Any = gymnasium.make(
        "winnable.envs:winnable/Tetris-v0", level="tetris/2-classic", max_episode_steps=pieces
    )
    env.reset(seed=1)
    here = env.unwrapped
    player = winnable.load_game("tetris").players["dt-20"](here.puzzle, 0)
    lines, terminated, truncated = 0.0, False, False
    while not (terminated or truncated):
        _, reward, terminated, truncated, _ = env.step(finish(player.choose(here.state)))
        lines += float(reward)
    print(f"winnable/Tetris-v0: {lines:.0f} lines with {pieces} pieces")
    assert truncated
    assert lines > 0.35 * pieces


def main() -> None:
    for name, level in SOLVED.items():
        by_solver(name, level)
    by_exact_play()
    by_player()


if __name__ == "__main__":
    main()
