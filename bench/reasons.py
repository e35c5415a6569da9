"""Whether a short reason is found why a position is lost, right after the action that lost it."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from bench.report import CheckFailed, Row, rate_row
from winnable.analysis.by_proof import ByProof
from winnable.analysis.verdicts import Point
from winnable.contract.abilities import Refutes, Solves
from winnable.contract.core import Budget, Reason, finish
from winnable.contract.game import Game
from winnable.contract.registry import load_game
from winnable.games.drops.levels import generator as drops
from winnable.games.triple.levels import generator as triple
from winnable.levels.files import shipped_levels
from winnable.play.playing import whole_game

VERDICT_SECONDS, REASON_SECONDS = 10.0, 3.0
LEAST_LEGAL = 5
PLAYERS = {"triple": ("matching", "hurried", "careful"), "drops": ("greedy", "random")}
"""Quick ones."""

MakeLevel = Callable[[random.Random, int], Any]

SMALL_PILES = tuple(
    triple.Params(layers=layers, sets=sets, kinds=kinds, side=side, slots=slots)
    for layers, sets, kinds, side, slots in (
        (3, 2, 6, 4, 7), (6, 3, 8, 4, 7), (6, 3, 8, 4, 6), (8, 3, 10, 4, 7), (10, 4, 12, 5, 7),
    )
)  # fmt: skip


class Lost(NamedTuple):
    """A position right after the action that lost it; where: the words that find it again."""

    kind: str
    puzzle: Any
    state: Any
    where: str


def _shipped(game: str) -> MakeLevel:
    """Those that can be lost by what this is about: in drops, those with a number of clicks."""

    @cache
    def levels() -> list[Any]:
        found = [level for _, level in shipped_levels(load_game(game))]
        if game == "drops":
            return [level for level in found if level.drops is not None and level.every is None]
        return [level for level in found if level.tools is None]

    return lambda rng, seed: rng.choice(levels())


def _on_a_layout(rng: random.Random, seed: int) -> Any:
    layout, kinds = rng.choice(triple.SHIPPED), rng.choice((8, 10, 12, 14))
    return finish(triple.generate(triple.Params(layout=layout, kinds=kinds, method="backwards"), seed))


def _dense(rng: random.Random, seed: int) -> Any:
    rows, columns, par = rng.choice((4, 5, 6, 7)), rng.choice((4, 5, 6)), rng.choice((2, 3, 4, 5))
    slack = rng.choice(("0", "1", "2", "3"))
    return finish(drops.generate(drops.Params(rows=rows, columns=columns, par_min=par, slack=slack), seed))


def _sparse(rng: random.Random, seed: int) -> Any:
    filled, par, slack = rng.choice((30, 45, 60)), rng.choice((3, 5, 7)), rng.choice(("0", "1", "2", "3"))
    return finish(drops.generate(drops.Params(filled=filled, par_min=par, slack=slack), seed))


def _daily(game: str) -> MakeLevel:
    return lambda rng, seed: finish(load_game(game).generate(load_game(game).daily, seed))


KINDS: Mapping[str, Mapping[str, MakeLevel]] = {
    "triple": {
        "shipped levels": _shipped("triple"),
        "daily levels": _daily("triple"),
        "deals onto our layouts": _on_a_layout,
        "small piles": lambda rng, seed: finish(triple.generate(rng.choice(SMALL_PILES), seed)),
    },
    "drops": {
        "shipped levels": _shipped("drops"),
        "daily levels": _daily("drops"),
        "dense boards": _dense,
        "sparse boards": _sparse,
    },
}


def rows(
    games: int = 200, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """So many positions of each game, a quarter of each kind of level: games by quick players, level, player
    and chance drawn by the seed, the next seed until there are enough; in those that are lost the action that
    lost them is looked for, and the position after it counts when it has five legal actions or more. Of how
    many a reason is found, by what kind of reason, on which levels; how many tiles or cells it names; what it
    takes to find and to check it."""
    for number, (name, kinds) in enumerate(KINDS.items()):
        game = load_game(name)
        assert isinstance(game, Solves)
        assert isinstance(game, Refutes)
        game.warm()
        found: list[tuple[str, Reason | None]] = []
        finding: list[float] = []
        checking: list[float] = []
        passed_by = 0
        for lost in _positions(name, game, kinds, games, seed):
            if lost is None:
                passed_by += 1
                continue
            began = time.perf_counter()
            reason = finish(game.reason(lost.puzzle, lost.state, Budget(REASON_SECONDS)))
            finding.append(time.perf_counter() - began)
            if reason is not None:
                began = time.perf_counter()
                fault = game.reason_fault(lost.puzzle, lost.state, reason)
                checking.append(time.perf_counter() - began)
                if fault is not None:
                    raise CheckFailed(f"{lost.where}: {fault}")
            found.append((lost.kind, reason))
            if progress is not None:
                progress(number * games + len(found), games * len(KINDS))
        yield from _figures(name, found, seed)
        yield Row(f"{name}: lost games whose action was not found", passed_by, "games", seed=seed)
        for what, seconds in (("found in", finding), ("checked in", checking)):
            for share, words in ((0.5, "median"), (0.95, "95th percentile")):
                if seconds:
                    took = 1000 * float(np.quantile(seconds, share))
                    yield Row(f"{name}: {what}, {words}", took, "ms", n=len(seconds), seed=seed)


def _figures(name: str, found: list[tuple[str, Reason | None]], seed: int) -> Iterator[Row]:
    reasons = [reason for _, reason in found if reason is not None]
    yield rate_row(f"{name}: with a reason", len(reasons), len(found), seed, 0.9)
    for kind in KINDS[name]:
        of_kind = [reason for other, reason in found if other == kind]
        if of_kind:
            hits = sum(reason is not None for reason in of_kind)
            yield rate_row(f"{name}: with a reason, {kind}", hits, len(of_kind), seed)
    for why, hits in sorted(Counter(reason.why for reason in reasons).items()):
        yield rate_row(f"{name}: by {why}", hits, len(found), seed)
    if reasons:
        named = [len(reason.marked) for reason in reasons]
        unit = "tiles" if name == "triple" else "cells"
        yield Row(f"{name}: named, median", float(np.median(named)), unit, n=len(named), seed=seed)
        yield Row(f"{name}: named, most", max(named), unit, n=len(named), seed=seed)


def _positions(
    name: str, game: Any, kinds: Mapping[str, MakeLevel], games: int, seed: int
) -> Iterator[Lost | None]:
    """None: a game that is lost, and it did not get known by which action."""
    for number, (kind, make) in enumerate(kinds.items()):
        wanted = (games + number) // len(kinds)
        while wanted:
            rng = random.Random(f"{kind} {seed}")
            player = rng.choice(PLAYERS[name])
            puzzle = game.puzzle(make(rng, seed))
            state = _after_the_losing_action(game, puzzle, player, seed)
            if state is None:
                yield None
            elif state is not WON and len(puzzle.legal_actions(state)) >= LEAST_LEGAL:
                wanted -= 1
                yield Lost(kind, puzzle, state, f"{name}, {kind}, seed {seed}, {player}")
            seed += 1


WON = object()


def _after_the_losing_action(game: Game, puzzle: Any, player: str, seed: int) -> Any:
    """WON; None: it is not known."""
    line = whole_game(puzzle, game.players[player](puzzle, seed))
    states = [puzzle.initial()]
    for action in line:
        states.append(puzzle.apply(states[-1], action))
    if puzzle.is_goal(states[-1]):
        return WON
    assert isinstance(game, Solves)
    mistake = finish(ByProof(game, puzzle).mistake(Point(states, line, 0), Budget(), VERDICT_SECONDS))
    return None if mistake is None else states[mistake + 1]
