"""`winnable compare`: players and solvers side by side on the same levels."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import click
from msgspec import Struct

from winnable.cli.options import example, json_option, seed_option, time_option
from winnable.cli.output import emit_json, note, print_table, say
from winnable.core import WinnableError
from winnable.library import NamedLevel


class _Game(Struct, frozen=True):
    """One game by one player or solver. decided: false when a budget ran out."""

    won: bool
    decided: bool
    length: int
    score: int
    seconds: float


class Standing(Struct, frozen=True):
    """One row: `compare --json` prints a list of these. Rates are shares of `games`, with a 95 % interval."""

    name: str
    kind: str
    games: int
    won: int
    lost: int
    undecided: int
    win_rate: float
    ci_low: float
    ci_high: float
    mean_length: float
    """Actions in a game; of a solver, in its winning line."""
    mean_score: float | None
    """In games that have no goal but a score."""
    mean_seconds: float
    max_seconds: float
    seed: int


@click.command(
    "compare",
    epilog=example(
        "Examples:\n"
        "  winnable compare triple --set layers=12 --by greedy,random,auto --games 20\n"
        "  winnable compare level.json --by greedy,exact --time 30 --json"
    ),
)
@click.argument("level", metavar="GAME|LEVEL")
@click.option(
    "--set", "settings", multiple=True, metavar="KEY=VALUE", help="A parameter of the levels of GAME."
)
@click.option("--by", metavar="A,B,...", help="Players and solvers; else all of the game.")
@click.option(
    "--games",
    type=click.IntRange(1, 1_000_000),
    metavar="N",
    default=10,
    show_default=True,
    help="Games for each.",
)
@seed_option("Of the first level and the first game; the next ones count up from it.", default=1)
@time_option(10, "Seconds that each game may take.")
@json_option
def compare_command(
    level: str,
    settings: tuple[str, ...],
    by: str | None,
    games: int,
    seed: int,
    seconds: float,
    as_json: bool,
) -> int:
    """Let players and solvers play the same games: N new levels of GAME, or LEVEL again and again.

    A solver wins when it finds a winning line; `lost` are proofs that there is none, `undecided` are levels
    on which its budget ran out. Ctrl-C prints the rows so far.
    """
    from winnable.cli.work import Work

    level_of = _level_source(level, settings)
    first = level_of(seed)
    names = _names(first, by)
    results: dict[str, list[_Game]] = {name: [] for name in names}
    with Work("comparing", games * len(names)) as work:
        for game_seed in range(seed, seed + games):
            named = first if game_seed == seed else level_of(game_seed)
            for name in names:
                game = None if work.interrupted else _play(work, named, name, game_seed, seconds)
                if game is not None:
                    results[name].append(game)
                    work.advance(name)
            if work.interrupted:
                break
    rows = [_standing(first, name, played, seed) for name, played in results.items() if played]
    if not rows:
        raise click.Abort
    if as_json:
        emit_json(rows)
    else:
        _tell(rows)
    if work.interrupted:
        note("interrupted: these are the games so far")
        return 3
    return 0


def _level_source(level: str, settings: Sequence[str]) -> Callable[[int], NamedLevel]:
    """seed -> level; always the same one when LEVEL is one."""
    from winnable.cli.levels import generated, is_file, load_level
    from winnable.identity import Identity, parse_params
    from winnable.registry import GAMES, load_game

    if level in GAMES and not is_file(level):
        game = load_game(level)
        params = parse_params(game, ",".join(settings))
        return lambda seed: generated(Identity(game, params, seed))
    if settings:
        raise WinnableError("set: parameters are for a GAME, not for a LEVEL")
    named = load_level(level)
    return lambda seed: named


def _names(named: NamedLevel, by: str | None) -> list[str]:
    known = [*named.game.players, *named.game.solvers]
    names = (
        [*willing_players(named, named.game.players), *named.game.solvers]
        if by is None
        else list(dict.fromkeys(filter(None, by.split(","))))
    )
    for name in names:
        if name not in known:
            raise WinnableError(f"by: {named.game.name} has no {name[:40]!r}; there are: {', '.join(known)}")
    if not names:
        raise WinnableError(f"by: nobody is named; there are: {', '.join(known)}")
    return names


def willing_players(named: NamedLevel, names: Iterable[str]) -> list[str]:
    """Those of these players who do not refuse the level."""
    puzzle = named.game.puzzle(named.level)
    willing: list[str] = []
    for name in names:
        with suppress(WinnableError):
            named.game.players[name](puzzle, 0)
            willing.append(name)
    return willing


def _play(work: Any, named: NamedLevel, name: str, seed: int, seconds: float) -> _Game | None:
    """None when it was interrupted: half a game counts for nobody."""
    from winnable.cli.watch import play_out
    from winnable.core import replay

    puzzle = named.game.puzzle(named.level)
    started = time.perf_counter()
    if name in named.game.solvers:
        result = work.solve(named.game.solvers[name], puzzle, puzzle.initial(), seconds, seed)
        won, decided, length = result.status == "solved", result.status != "budget", len(result.actions)
        score = 0
    else:
        actions = list(play_out(named, puzzle, name, seed, work, seconds))
        end: Any = replay(puzzle, actions)
        won, length = puzzle.is_goal(end), len(actions)
        decided, score = won or not puzzle.legal_actions(end), getattr(end, "score", 0)
    if work.interrupted and not won:
        return None
    return _Game(won, decided, length, score, time.perf_counter() - started)


def _standing(named: NamedLevel, name: str, games: Sequence[_Game], seed: int) -> Standing:
    from winnable.intervals import wilson_interval

    solver = name in named.game.solvers
    won = sum(game.won for game in games)
    lengths = [game.length for game in games if game.won or not solver]
    low, high = wilson_interval(won, len(games))
    times = [game.seconds for game in games]
    return Standing(
        name, "solver" if solver else "player", len(games), won,
        sum(game.decided and not game.won for game in games), sum(not game.decided for game in games),
        won / len(games), low, high, sum(lengths) / len(lengths) if lengths else 0.0,
        None if named.game.solvers else sum(game.score for game in games) / len(games),
        sum(times) / len(times), max(times), seed,
    )  # fmt: skip


def _tell(rows: Sequence[Standing]) -> None:
    if rows[0].mean_score is not None:
        print_table(("name", "games", "over", "cut", "score", "length", "mean", "max"), _scores(rows))
        say("cut: its time was over before the game. mean, max: seconds for each game.")
        return
    print_table(
        ("name", "games", "won", "lost", "open", "win rate", "95 % interval", "length", "mean", "max"),
        _cells(rows),
    )
    say("lost: of a solver, proofs. open: its budget ran out. mean, max: seconds for each game.")


def _scores(rows: Sequence[Standing]) -> Iterator[list[str]]:
    for row in rows:
        yield [
            row.name, str(row.games), str(row.lost), str(row.undecided), f"{row.mean_score:.1f}",
            f"{row.mean_length:.1f}", f"{row.mean_seconds:.3f}", f"{row.max_seconds:.3f}",
        ]  # fmt: skip


def _cells(rows: Sequence[Standing]) -> Iterator[list[str]]:
    for row in rows:
        yield [
            row.name, str(row.games), str(row.won), str(row.lost), str(row.undecided), f"{row.win_rate:.1%}",
            f"{row.ci_low:.1%} - {row.ci_high:.1%}", f"{row.mean_length:.1f}", f"{row.mean_seconds:.3f}",
            f"{row.max_seconds:.3f}",
        ]  # fmt: skip
