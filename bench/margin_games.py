"""The games whose positions `winnable bench margin` looks at; `scripts/record_margin_games.py` wrote them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import msgspec

from winnable.contract.core import Action, Budget, finish
from winnable.contract.registry import load_game
from winnable.games.triple.players.fair_players import QUICK
from winnable.levels.files import shipped_levels
from winnable.levels.find import find_level
from winnable.play.playing import RandomPlayer, whole_game

FILE = Path(__file__).with_name("margin_games.jsonl")
POSITIONS, OF_A_GAME = 500, 5
"""Of each set; of a game at most, evenly over its course."""
SURE = (0.6, 0.8, 1.0)
"""How often the players of drops and rotate take the next action of a shortest line; else they take any."""
LINE_SECONDS = 10.0


class Recorded(msgspec.Struct, frozen=True):
    """level: its identity; by: who played; plies: the positions to look at, each before that action"""

    set: str
    level: str
    by: str
    actions: tuple[Action, ...]
    plies: tuple[int, ...]


def read() -> list[Recorded]:
    return [msgspec.json.decode(line, type=Recorded) for line in FILE.read_bytes().splitlines()]


def record(seed: int) -> Iterator[Recorded]:
    """Games on the levels that ship, of rotate those to 5 × 5 with up to four colours, and on levels made to
    the order of the day; of rotate also on random boards."""
    rotate = [
        name
        for name, level in shipped_levels(load_game("rotate"))
        if level.rules == "clusters" and len(level.cells) <= 25 and level.colours <= 4
    ]
    rotate += [
        f"rotate:rows={side},columns={side},colours={colours}" for side in (4, 5) for colours in (2, 3, 4)
    ]
    levels = {
        "drops": [
            *(name for name, _ in shipped_levels(load_game("drops"))),
            *["drops:par_min=6,slack=none"] * 20,
        ],
        "rotate": [*rotate, *["rotate:slack=2"] * 10],
        "triple": [name for name, level in shipped_levels(load_game("triple")) if not level.tools],
    }
    for game, names in levels.items():
        left = POSITIONS
        for number, name in enumerate(cycle(names), seed):
            found = _record(game, name if "/" in name else f"{name}#{number}", number)
            yield msgspec.structs.replace(found, plies=found.plies[:left])
            left -= len(found.plies)
            if left <= 0:
                break


def _record(game: str, level: str, seed: int) -> Recorded:
    rng, puzzle = random.Random(f"{level} {seed}"), load_game(game).puzzle(find_level(level).level)
    if game == "triple":
        name = rng.choice(list(QUICK))
        by, line = name, whole_game(puzzle, load_game(game).players[name](puzzle, seed))
    else:
        sure = rng.choice(SURE)
        by, line = f"{sure:.0%} sure", _wavering(game, puzzle, sure, rng)
    count = min(OF_A_GAME, len(line))
    plies = tuple(int((place + rng.random()) * len(line) / count) for place in range(count))
    return Recorded(game, level, by, tuple(map(int, line)), plies)


def _wavering(game: str, puzzle: Any, sure: float, rng: random.Random) -> list[Action]:
    """A game in which a shortest line is followed now and then, for at most three times as long."""
    found: Any = load_game(game)
    solve, others = next(iter(found.solvers.values())), RandomPlayer[Any](puzzle, rng.randrange(2**32))
    state, line, ahead, most = puzzle.initial(), list[Action](), list[Action](), None
    while not puzzle.is_goal(state) and puzzle.legal_actions(state) and (most is None or len(line) < most):
        if not ahead:
            ahead = list(finish(solve(puzzle, state, Budget(LINE_SECONDS), 0)).actions)
            most = most or 3 * len(ahead)
        follows = bool(ahead) and rng.random() < sure
        line.append(ahead.pop(0) if follows else others.choose(state))
        ahead = ahead if follows else []
        state = puzzle.apply(state, line[-1])
    return line
