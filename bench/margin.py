"""How soon it is known how many actions still win, or keep the fewest, at positions of recorded games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from bench import margin_games
from bench.processor_budget import ProcessorBudget
from bench.report import Row, mean_row, rate_row
from bench.triple import lamp
from bench.triple.decide import layout_name, real_layouts
from winnable.analysis.by_proof import ByProof
from winnable.analysis.margin import Margin, Share, margins
from winnable.analysis.verdicts import Point
from winnable.contract.abilities import Solves
from winnable.contract.core import WinnableError, collected, finish, replay
from winnable.contract.registry import load_game
from winnable.levels.find import find_level

MEMORY_MB = 128
"""As in the studio."""
SECONDS, REAL_SECONDS = 1.0, 5.0
GAMES, REAL = ("drops", "rotate", "triple"), "real layouts"


class Position(NamedTuple):
    game: str
    puzzle: Any
    state: Any
    where: str


class Asked(NamedTuple):
    """seconds: of the margin, after the lamp had come to rest; lamp: what that took before"""

    margin: Margin
    verdict: str
    seconds: float
    lamp: float

    @property
    def main(self) -> Share:
        share = self.margin.fewest or self.margin.wins
        assert share is not None
        return share

    @property
    def is_exact(self) -> bool:
        return not self.main.open


def rows(
    games: int = 500,
    seed: int = 0,
    seconds: float | None = None,
    targets: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Row]:
    """Positions of each set: drops (levels that ship, and some as hard as the day's), rotate to 5 × 5 with
    four colours and triple's shipped levels, in the games of `bench/margin_games.jsonl`, and games on the
    real game's layouts, where they are at hand. targets: these sets only. With fewer `games`, so many
    positions of each set, evenly.

    Each is asked about by itself, with one thread and the memory that the studio gives, in seconds of the
    processor: first as the lamp asks, then for the margin, each for SECONDS, on the real layouts REAL_SECONDS
    (the lamp of the studio may take longer). Exact: of no action it is open whether it keeps the fewest, or,
    where that is not what counts, whether it still wins. `with the lamp`: also when the time of the lamp
    counts. `both`: of positions of limited levels, where both are asked. A row tells each position that stays
    open, and of how many actions."""
    chosen = [*GAMES, REAL] if targets is None else targets.split(",")
    if unknown := set(chosen) - {*GAMES, REAL}:
        raise WinnableError(f"targets: no such set: {min(unknown)}")
    kept = [at for at in _kept() if at.game in chosen]
    sets = {name: [at for at in kept if at.game == name] for name in GAMES if name in chosen}
    if REAL in chosen and real_layouts():
        sets[REAL] = list(_real(games, seed))
    elif REAL in chosen:
        yield Row(f"{REAL}: not at hand, positions", 0)
    total, done = sum(min(games, len(positions)) for positions in sets.values()), 0
    for name, positions in sets.items():
        limit = seconds or (REAL_SECONDS if name == REAL else SECONDS)
        found: list[Asked] = []
        count = min(games, len(positions))
        for number in range(count):
            at = positions[number * len(positions) // count]
            found.append(_ask(at, limit))
            if not found[-1].is_exact:
                yield Row(f"open: {name}, {at.where}", found[-1].main.open, "actions")
            done += 1
            if progress is not None:
                progress(done, total)
        yield from _of_set(name, found, limit)


def _of_set(name: str, found: list[Asked], limit: float) -> Iterator[Row]:
    exact = [asked for asked in found if asked.is_exact]
    soon = [asked for asked in exact if asked.lamp + asked.seconds <= limit]
    winnable = [asked for asked in found if asked.verdict != "lost"]
    within, times = f"within {limit:g} s", [asked.seconds for asked in found]
    yield rate_row(f"{name}: exact {within}", len(exact), len(found), reference=0.9)
    yield rate_row(f"{name}: exact {within}, with the lamp", len(soon), len(found))
    if winnable:
        hits = sum(asked.is_exact for asked in winnable)
        yield rate_row(f"{name}: exact {within}, of positions not lost", hits, len(winnable))
    if both := [asked.margin for asked in found if asked.margin.wins and asked.margin.fewest]:
        hits = sum(margin.is_exact for margin in both)
        yield rate_row(f"{name}: both exact {within}, on limited levels", hits, len(both))
    yield Row(f"{name}: seconds, median", float(np.median(times)), "s", n=len(times))
    yield Row(f"{name}: seconds, 95th percentile", float(np.quantile(times, 0.95)), "s", n=len(times))
    for what in ("wins", "fewest"):
        shares = [_share(asked.margin, what) for asked in winnable if asked.is_exact]
        known = [share for share in shares if share is not None]
        if known:
            yield mean_row(f"{name}: of the actions, {what}", known)


def _ask(at: Position, seconds: float) -> Asked:
    game = load_game(at.game)
    assert isinstance(game, Solves)
    known, lamp_budget = ByProof(game, at.puzzle), ProcessorBudget(memory_mb=1024)
    finish(collected(known.ask(Point([at.state], [], 0), lamp_budget, seconds)))
    lamp_seconds = lamp_budget.elapsed
    budget = ProcessorBudget(seconds, memory_mb=MEMORY_MB)
    *_, margin = finish(collected(margins(known, at.state, budget)))
    return Asked(margin, known.verdict(at.state), budget.elapsed, lamp_seconds)


def _share(margin: Margin, what: str) -> float | None:
    share: Share | None = getattr(margin, what)
    return None if share is None or share.open else share.yes / margin.legal


def _kept() -> Iterator[Position]:
    for game in margin_games.read():
        puzzle = load_game(game.set).puzzle(find_level(game.level).level)
        for ply in game.plies:
            state = replay(puzzle, game.actions[:ply])
            yield Position(game.set, puzzle, state, f"{game.level}, {game.by}, ply {ply}")


def _real(games: int, seed: int) -> Iterator[Position]:
    boards: lamp.Boards = {layout_name(path): partial(lamp.dealt, path) for path in real_layouts()}
    for number in range(seed, seed + games):
        at = lamp.reached(boards, number)
        yield Position("triple", at.puzzle, at.state, at.where)
