"""Players and solvers side by side on the same games: which games, one of them, and what they come to. The
command and the page drive the same rounds, so that the same seed gives both the same rows."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import groupby
from math import sqrt
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from winnable.analysis.engine import engine
from winnable.contract.abilities import Foresees, RollsDice, Solves, players_of, solvers_of
from winnable.contract.arguments import MAX_SEED
from winnable.contract.core import (
    Best,
    Budget,
    Found,
    Progress,
    Search,
    WinnableError,
    check_line,
    collected,
    completion,
    reached,
    replay,
    searching,
)
from winnable.contract.errors import GaveUp
from winnable.contract.game import Game
from winnable.contract.methods import Chosen, Wanted, choose, parse_methods
from winnable.contract.params import shortest
from winnable.contract.registry import load_game
from winnable.levels.files import NamedLevel
from winnable.levels.find import is_kind, made_level, typed
from winnable.levels.identity import MAKING_SECONDS, Identity, parse_params
from winnable.play.playing import play_out
from winnable.stats.intervals import wilson_interval
from winnable.stats.quantiles import student_975
from winnable.tuning import tuned
from winnable.tuning.survival import Survival

GAMES_EACH = 10
LevelOf = Callable[[int], NamedLevel | Identity]
"""Seed of the game -> the level that it is played on, or what that is made by."""


class Ground(NamedTuple):
    """What the games of a row are played on.

    name:     as it can be named again
    first:    the level of the first game
    level_of: those of the others
    several:  how many levels it has; 0: a new one for each seed
    """

    name: str
    first: NamedLevel
    level_of: LevelOf
    several: int

    def made(self, seed: int, budget: Budget) -> Search[NamedLevel]:
        """The level of the game of this seed. Raises WinnableError."""
        return made(self.level_of(seed), budget)


def made(level: NamedLevel | Identity, budget: Budget) -> Search[NamedLevel]:
    """The level, which is made first where it is an identity. Raises WinnableError."""
    if isinstance(level, Identity):
        level = yield from searching(made_level(level, budget))
    return level


class Played(Struct, frozen=True):
    """One game by one player or solver. won: with a goal that need not end the game, whether it was made.
    decided: false when a budget ran out. cut: by the clock, whatever it was at. completion: None of a solver,
    or where the game has none."""

    won: bool
    decided: bool
    cut: bool
    length: int
    score: int
    seconds: float
    completion: float | None = None
    best: Best | None = None
    """Of a solver that did not decide."""


class MethodScore(Struct, frozen=True):
    """One row: `compare --json` prints a list of these. Rates are shares of `games`, with a 95 % interval."""

    name: str
    """As it can be named again, with the settings that are not its defaults."""
    level: str
    """What it was played on, as that can be named again; new levels by `GAME:key=value,...`."""
    settings: dict[str, Any]
    """All of them."""
    kind: str
    games: int
    won: int
    """In a game of chance: whose goal was made."""
    lost: int
    """Of a player, games that it lost; of a solver, proofs that nothing wins."""
    undecided: int
    """Neither won nor lost: `cut`, or searches that another limit ended."""
    cut: int
    """Games that the clock ended before they were over."""
    at_least: bool
    """Whether the means that follow are at least so much: of a player's games that were cut, what they had
    counts. False too where such games tell the mean all the same (see `Foresees`): all that was played, for
    each game that came to its end."""
    win_rate: float
    ci_low: float
    ci_high: float
    mean_length: float | None
    """Actions in a game; of a solver, in its winning line. None: there is no such game."""
    mean_score: float | None
    """In games of chance, which have a score."""
    score_low: float | None
    """With `score_high` a 95 % interval of the mean; None where no interval is known."""
    score_high: float | None
    mean_completion: float | None
    """How far a player came, 0 to 1, in games that say so."""
    mean_best: float | None
    """How far a solver came where it did not decide, by `measure`."""
    measure: str | None
    mean_seconds: float
    max_seconds: float
    seed: int
    article: dict[str, float]
    """What the game's article tells of this method on such levels, by the names of these fields."""


@dataclass(eq=False, slots=True)
class Row:
    """One method on one ground, and the games of it that were played."""

    ground: Ground
    by: Chosen
    is_solver: bool
    games: int
    """That it is to play."""
    seed: int
    played: list[Played] = field(default_factory=list[Played])
    _standing: MethodScore | None = None

    @property
    def standing(self) -> MethodScore:
        """Where any was played. From any thread."""
        games, kept = list(self.played), self._standing
        if kept is None or kept.games != len(games):
            game, level = self.ground.first.game, self.ground.name
            self._standing = kept = standing(game, self.by, games, self.seed, self.is_solver, level)
        return kept


def ground(
    text: str,
    seed: int,
    budget: Budget,
    read: Callable[[str], Found[Sequence[NamedLevel]]],
    params: str = "",
) -> Search[Ground]:
    """New levels where the text is `GAME` or `GAME:key=value,...` (or, for `GAME` alone, `params` has these),
    else the levels that `read` finds by it. seed: of the first game; budget: to make its level. Raises
    WinnableError."""
    text = typed(text)
    if is_kind(text) and not (params and ":" in text):
        game, _, pairs = text.partition(":")
        values = parse_params(load_game(game), pairs or params)
        level_of, several = new_levels(load_game(game), values), 0
        name = text if pairs or not params else f"{game}:{params}"
    elif params:
        raise WinnableError("compare.set", field="set")
    else:
        levels = yield from searching(read(text))
        if len(names := list(dict.fromkeys(named.game.name for named in levels))) > 1:
            raise WinnableError("compare.games", field=text[:200], games=names)
        level_of, several, name = these_levels(levels, seed), len(levels), text
    return Ground(name, (yield from made(level_of(seed), budget)), level_of, several)


def new_levels(game: Game, params: Any) -> LevelOf:
    """By the game's parameters."""
    return lambda seed: Identity(game, params, seed)


def these_levels(levels: Sequence[NamedLevel], first: int = 0) -> LevelOf:
    """One after the other from the seed `first` on, again and again; but for their dice."""

    def level_of(seed: int) -> NamedLevel:
        named = levels[(seed - first) % len(levels)]
        if isinstance(game := named.game, RollsDice):
            return named._replace(level=game.with_dice(named.level, seed))
        return named

    return level_of


def usual_games(one: Ground) -> int:
    """For each method, where nobody says how many."""
    return one.several if one.several > 1 else GAMES_EACH


def chosen(named: NamedLevel, by: str | None, find: tuned.Find = tuned.at_hand) -> list[Chosen]:
    """The methods that are named; None: all of the game that do not refuse the level. Raises
    WinnableError."""
    table, game = tuned.methods(named.game, find), named.game.name
    if by is None:
        wanted = [Wanted(name, {}) for name in table]
        unwilling = players_of(named.game).keys() - set(willing_players(named, players_of(named.game)))
        wanted = [one for one in wanted if one.name in solvers_of(named.game) or one.name not in unwilling]
    else:
        wanted = parse_methods(by)
    if not wanted:
        raise WinnableError("compare.nobody", field="by", known=list(table))
    return [choose("by", table, one, game) for one in wanted]


def willing_players(named: NamedLevel, names: Iterable[str]) -> list[str]:
    """Those of these players who do not refuse the level."""
    puzzle = named.game.puzzle(named.level)
    willing: list[str] = []
    for name in names:
        with suppress(WinnableError):
            players_of(named.game)[name](puzzle, 0)
            willing.append(name)
    return willing


def new_rows(
    grounds: Sequence[Ground],
    by: Sequence[Chosen],
    games: Callable[[Ground], int],
    seed: int,
    find: tuned.Find = tuned.at_hand,
) -> list[Row]:
    """Each method on each ground. games: for each row there. Raises WinnableError for a seed from which so
    many cannot be counted."""
    high = MAX_SEED + 1 - max(map(games, grounds))
    if seed > high:
        raise WinnableError("params.range", field="seed", given=seed, low=0, high=high)
    solvers = tuned.solvers(grounds[0].first.game, find)
    return [Row(one, method, method.name in solvers, games(one), seed) for one in grounds for method in by]


def play_rounds(whole: Budget, rows: Sequence[Row], seconds: float) -> Iterator[Progress | Row]:
    """A game of each row, then the next of each: the row after each of its games, until all are played or the
    whole budget ends. seconds: for each game. Raises WinnableError where a level cannot be made, or a player
    refuses it."""
    for number in range(max(row.games for row in rows)):
        for one, group in groupby(rows, lambda row: row.ground):
            there = [row for row in group if number < row.games]
            if not there:
                continue
            named = yield from _level(whole, one, number, there[0].seed)
            if named is None:
                return
            for row in there:
                if whole.limit(0) is not None:
                    return
                game = yield from play(whole, named, row.by, row.seed + number, seconds, row.is_solver)
                if game is not None:
                    row.played.append(game)
                    yield row


def _level(whole: Budget, one: Ground, number: int, seed: int) -> Search[NamedLevel | None]:
    """Of the game of that number; None when the whole was ended."""
    if number == 0:
        return one.first

    def make() -> Found[NamedLevel]:
        return one.made(seed + number, whole.part(most=MAKING_SECONDS))

    try:
        return (yield from engine().run(make, whole))
    except GaveUp:
        if whole.limit(0) is not None:
            return None
        raise


def play(
    whole: Budget, named: NamedLevel, by: Chosen, seed: int, seconds: float, is_solver: bool
) -> Search[Played | None]:
    """None when the whole was ended: half a game counts for nobody."""
    start = partial(_solved if is_solver else _played, whole, named, by, seed, seconds)
    game = yield from engine().run(start, whole)
    return game if whole.limit(0) is None or (game.won and not game.cut) else None


def _solved(whole: Budget, named: NamedLevel, by: Chosen, seed: int, seconds: float) -> Search[Played]:
    puzzle, started = named.game.puzzle(named.level), time.perf_counter()
    found = yield from searching(by.method(puzzle, puzzle.initial(), whole.part(most=seconds), seed))
    if found.status == "solved":
        check_line(puzzle, found.actions)
    won, decided = found.status == "solved", found.status != "budget"
    cut = not decided and found.limit is not None and found.limit.kind == "time"
    took = time.perf_counter() - started
    return Played(won, decided, cut, len(found.actions), 0, took, None, found.best)


def _played(whole: Budget, named: NamedLevel, by: Chosen, seed: int, seconds: float) -> Search[Played]:
    puzzle, started = named.game.puzzle(named.level), time.perf_counter()
    actions = yield from collected(play_out(puzzle, by.method(puzzle, seed), whole.part(most=seconds)))
    end: Any = replay(puzzle, actions)
    ended = puzzle.is_goal(end) or not puzzle.legal_actions(end)
    won, score = puzzle.is_goal(end) or reached(puzzle, end) is True, getattr(end, "score", 0)
    took = time.perf_counter() - started
    return Played(won, won or ended, not ended, len(actions), score, took, completion(puzzle, end))


def aims(named: NamedLevel) -> bool:
    """Whether there is something to be won."""
    puzzle = named.game.puzzle(named.level)
    return isinstance(named.game, Solves) or reached(puzzle, puzzle.initial()) is not None


def of_the_article(game: Game, level: str, method: str) -> dict[str, float]:
    """What the game's article tells of it."""
    for comparison in game.comparisons.values():
        for (other, by), figures in comparison.told.items():
            if by == method and _plain(other) == _plain(level):
                return dict(figures)
    return {}


@lru_cache(1000)
def _plain(level: str) -> str:
    """Without parameters at their default."""
    if not is_kind(level):
        return level
    game, _, params = level.partition(":")
    return f"{game}:{shortest(parse_params(load_game(game), params))}"


Hurry = Literal["searches", "least", "cut_short"]
"""Clocks have ended searches only; or have cut games, so that means are at least so much; or have cut games
of which the means tell all the same."""


def hurry(rows: Sequence[MethodScore]) -> Hurry | None:
    """What the clock has done to these rows; None: nothing."""
    cut = [row for row in rows if row.cut]
    if not cut:
        return None
    if all(row.kind == "solver" for row in cut):
        return "searches"
    return "least" if any(row.at_least for row in cut) else "cut_short"


def standing(
    game: Game, by: Chosen, games: Sequence[Played], seed: int, is_solver: bool, level: str = ""
) -> MethodScore:
    """What at least one game comes to."""
    won, cut = (sum(getattr(one, what) for one in games) for what in ("won", "cut"))
    low, high = wilson_interval(won, len(games))
    times = [one.seconds for one in games]
    completions = [one.completion for one in games if one.completion is not None]
    bests = [one.best for one in games if one.best is not None]
    forgets = isinstance(game, Foresees) and game.forgets
    told = not is_solver and forgets and 0 < cut < len(games)
    each = len(games) - cut if told else 0

    def mean(values: Sequence[float]) -> float | None:
        return sum(values) / (each or len(values)) if values else None

    scores = None if isinstance(game, Solves) else [one.score for one in games]
    score_low, score_high = _interval(scores, len(games) - cut, cut, forgets)
    return MethodScore(
        name=by.label,
        level=level,
        settings=by.settings,
        kind="solver" if is_solver else "player",
        games=len(games),
        won=won,
        lost=sum(one.decided and not one.won for one in games),
        undecided=sum(not one.decided for one in games),
        cut=cut,
        at_least=not is_solver and cut > 0 and not told,
        win_rate=won / len(games),
        ci_low=low,
        ci_high=high,
        mean_length=mean([one.length for one in games if one.won or not is_solver]),
        mean_score=None if scores is None else mean(scores),
        score_low=score_low,
        score_high=score_high,
        mean_completion=sum(completions) / len(completions) if completions else None,
        mean_best=sum(best.value for best in bests) / len(bests) if bests else None,
        measure=bests[0].measure if bests else None,
        mean_seconds=sum(times) / len(times),
        max_seconds=max(times),
        seed=seed,
        article=of_the_article(game, level, by.label),
    )


def _interval(
    scores: Sequence[float] | None, over: int, cut: int, forgets: bool
) -> tuple[float | None, float | None]:
    """Of the mean score: exact where ends come like deaths at a constant rate; else Student's, where no game
    was cut."""
    if not scores or not sum(scores):
        return None, None
    if forgets and over:
        low, high = Survival(over, max(1, round(sum(scores))), 0.0, None, cut == 0).interval()
        return 1 / high, (1 / low if low else None)
    if cut or len(scores) < 2:
        return None, None
    middle = sum(scores) / len(scores)
    deviation = sqrt(sum((score - middle) ** 2 for score in scores) / (len(scores) - 1))
    half = student_975(len(scores) - 1) * deviation / sqrt(len(scores))
    return middle - half, middle + half
