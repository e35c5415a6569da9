"""The skill of triple's fair players, and whether difficulties that follow from it mean something."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from io import StringIO
from math import isfinite
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.report import Row
from winnable.contract.core import WinnableError, finish
from winnable.games.triple.levels.generator import Params, generate
from winnable.games.triple.players.by_name import PLAYERS, SKILLS
from winnable.games.triple.rules.puzzle import Triple
from winnable.play.playing import whole_game
from winnable.stats.ranks import rank_correlation
from winnable.stats.skill import F64, POINT, Played, difficulty, win_chance

I64 = NDArray[np.int64]

ROUNDS = 2000
KINDS_OF_LEVELS = (
    Params(layers=2, sets=2, kinds=4, side=4),
    Params(layers=3, sets=2, kinds=6, side=4),
    Params(layers=6, sets=3, kinds=8, side=4),
    Params(layers=6, sets=3, kinds=8, side=4, slots=6),
    Params(layers=6, sets=3, kinds=8, side=4, slots=5),
    Params(layers=8, sets=3, kinds=10, side=4),
    Params(layers=10, sets=3, kinds=12, side=4),
    Params(layers=10, sets=5, kinds=10, side=5),
    Params(layers=10, sets=4, kinds=12, side=5),
    Params(layers=12, sets=4, kinds=12, side=5),
    Params(layers=12, sets=4, kinds=14, side=5),
)
LEFT_OUT = "foresight"
"""Of the difficulties with which its own ranking is compared."""
SLOW = {"sampling-4": 5, "sampling-16": 10, "foresight": 10}
"""Players of one game where the others play so many."""
FIXED = ("careful", 2000)
"""This player's skill is said to be so many points."""
DRAWN = 200
NAMES = list(SKILLS)
COLUMNS = (
    f"difficulty without {LEFT_OUT}",
    f"tiles that {LEFT_OUT} picks",
    "difficulty by the even games",
    "difficulty by the odd games",
)
"""Of each level that took no part in fitting."""
COLOUR = "#0072b2"
NEVER_WON = 300
"""Points by which levels that nobody won stand beyond the others in the picture."""


class Games(NamedTuple):
    """won: int64[2, levels, players], of the even and the odd games; counts: int64[2, players], how many of
    these each player played on each level; picked: float64[levels, players], share of the tiles on the
    mean"""

    won: I64
    counts: I64
    picked: F64


def rows(
    games: int = 100, runs: int = 6, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """runs: levels of each of KINDS_OF_LEVELS. On every second one skills are fitted, with bootstrap
    intervals over the levels; on the others, the difficulties that follow without LEFT_OUT are compared with
    what it did itself, and those of all players by half of the games with those by the other half; then these
    figures of each such level."""
    if runs < 2:
        raise WinnableError("runs: the figures take two levels of each kind")
    levels = [(params, seed + number) for params in KINDS_OF_LEVELS for number in range(runs)]
    played = _play_all(levels, games, progress)
    won, counts = played.won.sum(axis=0), np.broadcast_to(played.counts.sum(axis=0), played.won.shape[1:])
    held = np.array([number % 2 == 1 for _, number in levels])
    try:
        skills = _fit(won[~held], counts[~held])
    except ValueError as error:
        raise WinnableError(f"games: too few to tell the players apart ({error})") from None
    low, high = _interval(won[~held], counts[~held], seed)
    fitted = int((~held).sum())
    for name, *figures in zip(NAMES, skills.tolist(), low, high, strict=True):
        yield Row(
            f"skill of {name}", figures[0], "points", figures[1], figures[2], fitted, seed, SKILLS[name]
        )
    for name, share, all_games in zip(
        NAMES, won.sum(axis=0) / counts.sum(axis=0), counts.sum(axis=0), strict=True
    ):
        yield Row(f"games won by {name}", float(share), n=int(all_games), seed=seed)
    one = NAMES.index(LEFT_OUT)
    rest = np.arange(len(NAMES)) != one
    hard = _difficulties(skills[rest], won[held][:, rest], counts[held][:, rest])
    picked = played.picked[held, one]
    first, second = (
        _difficulties(skills, played.won[half][held], np.broadcast_to(played.counts[half], won[held].shape))
        for half in (0, 1)
    )
    n = int(held.sum())
    own = won[held][:, one] + picked / 2  # who wins equally often may still get further
    yield Row(
        f"rank correlation with {LEFT_OUT}", rank_correlation(hard, -own), n=n, seed=seed, reference=0.9
    )
    yield Row(
        "rank correlation of two halves", rank_correlation(first, second), n=n, seed=seed, reference=0.95
    )
    for column, figures in zip(COLUMNS, (hard, picked, first, second), strict=True):
        for level, figure in enumerate(figures.tolist(), 1):
            yield Row(f"level {level}: {column}", figure, "" if figures is picked else "points", seed=seed)


def as_document(rows: Sequence[Row]) -> str:
    """A picture of the rows, as SVG: skills, and what difficulties of the levels agree with. Raises
    WinnableError where matplotlib is missing."""
    try:
        matplotlib: Any = import_module("matplotlib")
        figure_type: Any = import_module("matplotlib.figure").Figure
    except ImportError:
        raise WinnableError("document: it takes matplotlib: pip install -e '.[bench]'") from None
    skills = [row for row in rows if row.name.startswith("skill of ")]
    hard, picked, first, second = (
        [row.value for row in rows if row.name.endswith(f": {column}")] for column in COLUMNS
    )
    most = max(filter(isfinite, (*hard, *first, *second))) + NEVER_WON
    hard, first, second = ([min(points, most) for points in column] for column in (hard, first, second))
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "winnable", "font.size": 9}):
        figure = figure_type(figsize=(11, 3.6), layout="constrained")
        ladder, others, halves = figure.subplots(1, 3)
        for place, row in enumerate(skills):
            ladder.plot([row.ci_low, row.ci_high], [place, place], color=COLOUR, linewidth=2, alpha=0.4)
            ladder.plot(row.value, place, "o", color=COLOUR)
        ladder.set_yticks(range(len(skills)), [row.name.removeprefix("skill of ") for row in skills])
        ladder.set(title="Skill, with 95 % intervals", xlabel="points")
        others.plot(hard, picked, "o", color=COLOUR, alpha=0.7)
        others.set(
            title=f"Levels that took no part in fitting\n(rank correlation {_value(rows, LEFT_OUT):.3f})",
            xlabel=f"difficulty without {LEFT_OUT}, points\n(on the dotted line: won by no other)",
            ylabel=f"share of the tiles that {LEFT_OUT} picks",
        )
        halves.axline((2000, 2000), slope=1, color="#8a9890", linewidth=1)
        halves.plot(first, second, "o", color=COLOUR, alpha=0.7)
        halves.set(
            title=f"The same levels, measured twice\n(rank correlation {_value(rows, 'two halves'):.3f})",
            xlabel="difficulty by the even games, points\n(on the dotted lines: never won)",
            ylabel="difficulty by the odd games, points",
        )
        for line in others.axvline, halves.axvline, halves.axhline:
            line(most, color="#8a9890", linewidth=1, linestyle=":")
        picture = StringIO()
        figure.savefig(picture, format="svg", metadata={"Date": None})
    return picture.getvalue()


def _value(rows: Sequence[Row], what: str) -> float:
    return next(
        row.value for row in rows if row.name.startswith("rank correlation") and row.name.endswith(what)
    )


def _play_all(
    levels: Sequence[tuple[Params, int]], games: int, progress: Callable[[int, int], None] | None
) -> Games:
    number = np.array([max(2, games // SLOW.get(name, 1)) for name in NAMES])
    won = np.zeros((2, len(levels), len(NAMES)), np.int64)
    picked = np.zeros((len(levels), len(NAMES)))
    for place, (params, seed) in enumerate(levels):
        puzzle = Triple(finish(generate(params, seed)))
        for player, name in enumerate(NAMES):
            for game in range(number[player]):
                line = whole_game(puzzle, PLAYERS[name](puzzle, game))
                share = len(line) / puzzle.num_actions
                won[game % 2, place, player] += share == 1
                picked[place, player] += share / number[player]
        if progress is not None:
            progress(place + 1, len(levels))
    return Games(won, np.stack([(number + 1) // 2, number // 2]), picked)


def _fit(won: I64, games: I64) -> F64:
    skills = fit_skills(won, games)
    return skills - skills[NAMES.index(FIXED[0])] + FIXED[1]


def _difficulties(skills: F64, won: I64, games: I64) -> F64:
    """float64[levels]"""
    return np.array(
        [
            difficulty([Played(*one) for one in zip(skills, *level, strict=True)]).points
            for level in zip(won, games, strict=True)
        ]
    )


def _interval(won: I64, games: I64, seed: int) -> list[list[float]]:
    """The 2.5 and 97.5 % quantiles of skills that are fitted to levels drawn with replacement."""
    rng = np.random.default_rng(seed)
    found: list[F64] = []
    for _ in range(DRAWN):
        drawn = rng.integers(len(won), size=len(won))
        with suppress(ValueError):  # none of those on which a weak player ever won
            found.append(_fit(won[drawn], games[drawn]))
    return np.quantile(found, (0.025, 0.975), axis=0).tolist()


def fit_skills(won: NDArray[np.int64], games: NDArray[np.int64]) -> F64:
    """The likeliest skills; the first player's is 0.

    won, games: int64[levels, players]. Levels on which all or none of the games were won say nothing and are
    left out. Raises ValueError for a player who won all or none of the games that are left.
    """
    telling = (won.sum(axis=1) > 0) & (won.sum(axis=1) < games.sum(axis=1))
    won, games = won[telling], games[telling]
    total = won.sum(axis=0)
    if not won.size or (total == 0).any() or (total == games.sum(axis=0)).any():
        raise ValueError("won: each player must win some games and lose some")
    skills, levels = np.zeros(won.shape[1]), np.zeros(won.shape[0])
    for _ in range(ROUNDS):  # Newton's steps for each skill, then for each level; concave, so they settle
        for target, axis, sign in ((skills, 0, 1.0), (levels, 1, -1.0)):
            chance = win_chance(skills[None, :], levels[:, None])
            slope = (games * chance * (1 - chance)).sum(axis=axis) * POINT
            step = sign * (won - games * chance).sum(axis=axis) / slope
            target += np.clip(step, -200, 200)
        levels -= skills[0]
        skills -= skills[0]
    return skills
