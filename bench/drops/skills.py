"""The skill of the players of drops that look as people may, and whether the figure of `check` ranks levels
as they do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from bench.report import Row
from bench.triple.skills import fit_skills
from winnable.contract.core import Budget, WinnableError, finish, replay
from winnable.games.drops.game import GAME
from winnable.games.drops.levels.generator import Params, generate
from winnable.games.drops.players.by_name import PLAYERS, SKILLS
from winnable.games.drops.rules.puzzle import Drops
from winnable.inert.arrays import F64, I64
from winnable.play.playing import whole_game
from winnable.stats.ranks import rank_correlation
from winnable.stats.skill import Played, difficulty

NAMES = list(SKILLS)
FIXED = ("look", 2000)
"""This player's skill is said to be so many points."""
LEFT_OUT = "ahead-3"
"""The strongest, whose own ranking the difficulties by the others are compared with."""
KINDS = (
    *(Params(rows=4, columns=4, par_min=par, par_max=par, slack="1") for par in (3, 4)),
    *(Params(rows=5, columns=5, par_min=par, par_max=par, slack="1") for par in (3, 4, 5)),
    *(Params(rows=6, columns=6, par_min=par, par_max=par, slack="1") for par in (4, 5, 6)),
)
"""With one click more than par: by par alone those who look further win no more, with many more all win."""
DRAWN = 1000
"""Samples of the levels for an interval."""


def rows(
    games: int = 100, runs: int = 10, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """runs: levels of each kind. On every second one skills are fitted, with bootstrap intervals over the
    levels; on the others, the difficulties that follow without LEFT_OUT are compared with what it won
    itself, and the figure of `check` and the fewest clicks with both, by the correlation of ranks."""
    if runs < 2:
        raise WinnableError("runs: the figures take two levels of each kind")
    won, figures, pars = _played(games, runs, seed, progress)
    held = np.arange(len(won)) % 2 == 1
    number, counts = int((~held).sum()), np.full(won.shape, games)
    try:
        skills = _fit(won[~held], counts[~held])
    except ValueError as error:
        raise WinnableError(f"games: too few to tell the players apart ({error})") from None
    low, high = _skills_interval(won[~held], counts[~held], seed)
    for name, *told in zip(NAMES, skills.tolist(), low, high, strict=True):
        yield Row(f"skill of {name}", told[0], "points", told[1], told[2], number, seed, SKILLS[name])
    for name, share in zip(NAMES, (won.mean(axis=0) / games).tolist(), strict=True):
        yield Row(f"games won by {name}", share, n=won.shape[0] * games, seed=seed)
    rest = np.arange(len(NAMES)) != NAMES.index(LEFT_OUT)
    by_others = _difficulties(skills[rest], won[held][:, rest], games)
    lost = -won[held][:, ~rest][:, 0].astype(np.float64)
    whole = _difficulties(skills, won[held], games)
    pairs = {
        f"difficulty by the others, and games lost by {LEFT_OUT}": (by_others, lost),
        "the figure of `check`, and difficulty by all players": (figures[held], whole),
        f"the figure of `check`, and games lost by {LEFT_OUT}": (figures[held], lost),
        "the fewest clicks, and difficulty by all players": (pars[held], whole),
    }
    for place, (name, (one, other)) in enumerate(pairs.items()):
        yield _ranks(name, one, other, seed, 0.9 if place == 0 else None)


def _played(
    games: int, runs: int, seed: int, progress: Callable[[int, int], None] | None
) -> tuple[I64, F64, F64]:
    """(games won, int64[levels, players]; the figure and par of each level)"""
    won = np.zeros((len(KINDS) * runs, len(NAMES)), np.int64)
    figures, pars = np.zeros(len(won)), np.zeros(len(won))
    for kind, params in enumerate(KINDS):
        for number in range(runs):
            place = kind * runs + number
            level = finish(generate(params, seed + number))
            puzzle, rating = Drops(level), finish(GAME.rate(level, Budget(), 0))
            assert rating is not None
            assert level.certificate is not None
            assert level.certificate.cost is not None
            figures[place], pars[place] = rating.figure, level.certificate.cost
            for player, name in enumerate(NAMES):
                lines = (whole_game(puzzle, PLAYERS[name](puzzle, game)) for game in range(games))
                won[place, player] = sum(puzzle.is_goal(replay(puzzle, line)) for line in lines)
            if progress is not None:
                progress(place + 1, len(won))
    return won, figures, pars


def _fit(won: I64, games: I64) -> F64:
    skills = fit_skills(won, games)
    return skills - skills[NAMES.index(FIXED[0])] + FIXED[1]


def _skills_interval(won: I64, games: I64, seed: int) -> list[list[float]]:
    rng, found = np.random.default_rng(seed), list[F64]()
    for _ in range(DRAWN // 5):
        drawn = rng.integers(len(won), size=len(won))
        try:
            found.append(_fit(won[drawn], games[drawn]))
        except ValueError:  # none of those on which a weak player ever won
            continue
    return np.quantile(found, (0.025, 0.975), axis=0).tolist()


def _difficulties(skills: F64, won: NDArray[np.int64], games: int) -> F64:
    told = [
        difficulty([Played(skill, int(one), games) for skill, one in zip(skills, level, strict=True)]).points
        for level in won
    ]
    most = max(map(abs, filter(isfinite, told)))
    return np.clip(np.array(told), -most - 1, most + 1)


def _ranks(name: str, one: F64, other: F64, seed: int, goal: float | None) -> Row:
    rng = np.random.default_rng(seed)
    drawn = [rng.integers(one.size, size=one.size) for _ in range(DRAWN)]
    low, high = np.quantile([rank_correlation(one[each], other[each]) for each in drawn], (0.025, 0.975))
    value = rank_correlation(one, other)
    return Row(f"rank correlation: {name}", value, "", float(low), float(high), one.size, seed, goal)
