"""`winnable compare`: players and solvers side by side on the same levels."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

import click
from msgspec import Struct

from winnable.cli.compare_view import Standing, tell
from winnable.cli.options import example, json_option, seed_option, time_option, with_option
from winnable.cli.output import emit_json, note
from winnable.contract.abilities import RollsDice, Solves, solvers_of
from winnable.contract.core import Best, Budget, WinnableError, completion, replay
from winnable.contract.errors import GaveUp
from winnable.contract.methods import Chosen
from winnable.levels.files import NamedLevel
from winnable.levels.identity import MAKING_SECONDS
from winnable.words import t

GAMES_EACH = 10


class _Game(Struct, frozen=True):
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


@click.command(
    "compare",
    epilog=example(
        "Examples:\n"
        "  winnable compare triple --set layers=12 --by greedy,random,auto --games 20\n"
        '  winnable compare 2048/2-the-articles-1024 --by "article(depth=1),article(depth=2)" --games 50\n'
        "  winnable compare level.json --by greedy,exact --time 30 --json"
    ),
)
@click.argument("level", metavar="GAME|LEVEL")
@click.option(
    "--set", "settings", multiple=True, metavar="KEY=VALUE", help="A parameter of the levels of GAME."
)
@click.option(
    "--by",
    metavar="A,B(KEY=VALUE),...",
    help="Players and solvers, with what they are set to; else all of the game.",
)
@with_option
@click.option(
    "--games",
    type=click.IntRange(1, 1_000_000),
    metavar="N",
    show_default="10; of a file of levels as many as it has",
    help="Games for each.",
)
@seed_option("Of the first level and the first game; the next ones count up from it.", default=1)
@time_option(10, "Seconds that each game may take.")
@json_option
def compare_command(
    level: str,
    settings: tuple[str, ...],
    by: str | None,
    set_to: tuple[str, ...],
    games: int | None,
    seed: int,
    seconds: float,
    as_json: bool,
) -> int:
    """Let players and solvers play the same games: N new levels of GAME, those of a file of levels one after
    the other, or LEVEL again and again.

    In a game of chance each game has dice of its own, the same for all. A solver wins when it finds a winning
    line, and loses when it proves that there is none. What --time cut short is counted as such, and in no
    mean. Ctrl-C prints the rows so far.
    """
    from winnable.cli.work import Work

    level_of, several = _level_source(level, settings, seed)
    games = games or several
    first = level_of(seed, Budget(MAKING_SECONDS))
    compared = _compared(first, by, set_to)
    results: list[list[_Game]] = [[] for _ in compared]
    with Work(t("cli.work.comparing"), games * len(compared)) as work:
        for game_seed in range(seed, seed + games):
            try:
                named = first if game_seed == seed else level_of(game_seed, work.budget(MAKING_SECONDS))
            except GaveUp:
                if work.interrupted:
                    break
                raise
            for method, played in zip(compared, results, strict=True):
                game = None if work.interrupted else _play(work, named, method, game_seed, seconds)
                if game is not None:
                    played.append(game)
                    work.advance(method.label)
            if work.interrupted:
                break
    rows = [
        _standing(first, method, played, seed)
        for method, played in zip(compared, results, strict=True)
        if played
    ]
    if not rows:
        raise click.Abort
    if as_json:
        emit_json(rows)
    else:
        tell(rows, first, seconds)
    if work.interrupted:
        note(t("cli.interrupted.games"))
        return 3
    return 0


def _level_source(
    level: str, settings: Sequence[str], first: int
) -> tuple[Callable[[int, Budget], NamedLevel], int]:
    """(seed, budget) -> level: by the seed, or those of a file in turn from the seed `first` on, or always
    LEVEL; but for their dice. And how many games that is."""
    from winnable.cli.levels import load_levels
    from winnable.contract.registry import GAMES, load_game
    from winnable.levels.find import is_file, made_level
    from winnable.levels.identity import Identity, parse_params

    if level in GAMES and not is_file(level):
        game = load_game(level)
        params = parse_params(game, ",".join(settings))
        return lambda seed, budget: made_level(Identity(game, params, seed), budget), GAMES_EACH
    if settings:
        raise WinnableError("compare.set", field="set")
    levels = load_levels(level)
    if len(names := list(dict.fromkeys(named.game.name for named in levels))) > 1:
        raise WinnableError("compare.games", field=level[:200], games=names)

    def level_of(seed: int, budget: Budget) -> NamedLevel:
        named = levels[(seed - first) % len(levels)]
        if isinstance(game := named.game, RollsDice):
            return named._replace(level=game.with_dice(named.level, seed))
        return named

    return level_of, len(levels) if len(levels) > 1 else GAMES_EACH


def _compared(named: NamedLevel, by: str | None, set_to: Sequence[str]) -> list[Chosen[Any]]:
    from winnable.contract.methods import Wanted, choose, choose_method, parse_methods
    from winnable.tuning import tuned

    table, game = tuned.methods(named.game), named.game.name
    if by is None:
        wanted = [Wanted(name, {}) for name in table]
        unwilling = named.game.players.keys() - set(willing_players(named, named.game.players))
        wanted = [one for one in wanted if one.name in solvers_of(named.game) or one.name not in unwilling]
    else:
        wanted = parse_methods(by)
    if not wanted or (set_to and by is None):
        raise WinnableError("compare.nobody", field="by", known=list(table))
    if set_to:
        return [choose_method("by", table, by, named.game.name, set_to)]
    return [choose("by", table, one, game) for one in wanted]


def willing_players(named: NamedLevel, names: Iterable[str]) -> list[str]:
    """Those of these players who do not refuse the level."""
    puzzle = named.game.puzzle(named.level)
    willing: list[str] = []
    for name in names:
        with suppress(WinnableError):
            named.game.players[name](puzzle, 0)
            willing.append(name)
    return willing


def _play(work: Any, named: NamedLevel, by: Chosen[Any], seed: int, seconds: float) -> _Game | None:
    """None when it was interrupted: half a game counts for nobody."""
    from winnable.cli.watch import play_out
    from winnable.contract.core import reached
    from winnable.tuning import tuned

    puzzle = named.game.puzzle(named.level)
    started = time.perf_counter()
    if by.name in tuned.solvers(named.game):
        result = work.solve(by.method, puzzle, puzzle.initial(), seconds, seed)
        won, decided, length = result.status == "solved", result.status != "budget", len(result.actions)
        score, share, best = 0, None, result.best
        cut = result.limit is not None and result.limit.kind == "time"
    else:
        actions = list(play_out(puzzle, by.method(puzzle, seed), work, seconds))
        end: Any = replay(puzzle, actions)
        ended = puzzle.is_goal(end) or not puzzle.legal_actions(end)
        won = puzzle.is_goal(end) or reached(puzzle, end) is True
        decided, cut, length, score = won or ended, not ended, len(actions), getattr(end, "score", 0)
        share, best = completion(puzzle, end), None
        if work.interrupted and not ended:
            return None
    if work.interrupted and not won:
        return None
    return _Game(won, decided, cut, length, score, time.perf_counter() - started, share, best)


def _standing(named: NamedLevel, by: Chosen[Any], games: Sequence[_Game], seed: int) -> Standing:
    from winnable.stats.intervals import wilson_interval
    from winnable.tuning import tuned

    solver = by.name in tuned.solvers(named.game)
    won = sum(game.won for game in games)
    whole = [game for game in games if not game.cut]
    lengths = [game.length for game in whole if game.won or not solver]
    low, high = wilson_interval(won, len(games))
    times = [game.seconds for game in games]
    completions = [game.completion for game in whole if game.completion is not None]
    bests = [game.best for game in games if game.best is not None]
    return Standing(
        name=by.label,
        settings=by.settings,
        kind="solver" if solver else "player",
        games=len(games),
        won=won,
        lost=sum(game.decided and not game.won for game in games),
        undecided=sum(not game.decided for game in games),
        cut=sum(game.cut for game in games),
        win_rate=won / len(games),
        ci_low=low,
        ci_high=high,
        mean_length=_mean(lengths),
        mean_score=None if isinstance(named.game, Solves) else _mean([game.score for game in whole]),
        mean_completion=_mean(completions),
        mean_best=_mean([best.value for best in bests]),
        measure=bests[0].measure if bests else None,
        mean_seconds=sum(times) / len(times),
        max_seconds=max(times),
        seed=seed,
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
