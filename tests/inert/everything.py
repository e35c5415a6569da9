"""Has solvers, players, judges and generators of a game answer on tiny levels, and prints what they say;
nothing of it hangs on the clock."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from typing import Any

from msgspec import structs

from winnable.contract.abilities import (
    Foresees,
    HidesSome,
    ProvesFewest,
    Rates,
    Refutes,
    Solves,
    Weighs,
    players_of,
    repairs_of,
    solvers_of,
)
from winnable.contract.core import Answer, Budget, Progress, finish
from winnable.contract.game import Game
from winnable.contract.registry import load_game
from winnable.games.game2048.network.network import Network, parse_tuples
from winnable.games.game2048.players import expectimax
from winnable.games.tetris.article.tuning import TUNABLES
from winnable.games.tetris.modern.players.bot import Bot
from winnable.games.tetris.modern.rules.level import Level as ModernLevel
from winnable.games.tetris.modern.rules.puzzle import Modern
from winnable.inert.arrays import np
from winnable.levels.find import find_level
from winnable.levels.identity import parse_params
from winnable.optimize import DifferentialEvolution
from winnable.tuning.loop import tune

LEVELS = {
    "triple": (
        "triple:layers=2,sets=1,kinds=4#1",
        "triple:layers=2,sets=1,kinds=4#2 hidden",
        "triple:layers=2,sets=1,kinds=4,variant=tools#2",
    ),
    "drops": ("drops/01-first-drops", "drops:212/131/202,drops=2"),
    "tetris": ("tetris:width=4,height=8,preview=yes#2", "tetris/1-ten-by-ten", "tetris/7-the-articles-game"),
    "rotate": ("rotate:112/221", "rotate:1203/0321/1230/2013", "rotate:rows=4,columns=4,rules=pairs#1"),
    "2048": (
        "2048:rows=2,columns=2#1",
        "2048:rows=2,columns=3,goal=5,ends=yes#1",
        "2048/2-the-articles-1024",
    ),
}
GENERATED = {
    "triple": ("layers=2,sets=1,kinds=4,method=backwards", "layers=2,sets=1,kinds=4,method=de-repair"),
    "drops": ("rows=3,columns=3,par_min=2,par_max=3",),
    "tetris": ("garbage=2",),
    "rotate": ("rows=3,columns=3,colours=3,par_min=2",),
    "2048": ("moves=4",),
}
LONG = {
    "tetris:width=4,height=8,preview=yes#2": {"outlook", "weigh"},
    "rotate:1203/0321/1230/2013": {"rate", "facts"},
    "rotate:rows=4,columns=4,rules=pairs#1": {"rate", "facts"},
    "2048:rows=2,columns=2#1": {"search-1ms", "search-10ms", "search-50ms", "network"},  # of 4 × 4 alone
    "2048:rows=2,columns=3,goal=5,ends=yes#1": {"search-1ms", "search-10ms", "search-50ms", "network"},
    "2048/2-the-articles-1024": {
        "auto", "search-10ms", "search-50ms", "exact", "rollouts", "outlook", "weigh", "rate", "facts",
    },
}  # fmt: skip
"""Level -> what is not asked about it: as plain Python it takes too long."""
NODES, GAMES_PLAYED = 40, 200
Ask = Callable[[], Any]


def chosen(make: Callable[[Any, int], Any], puzzle: Any, state: Any) -> Any:
    """What a new player does."""
    return make(puzzle, 0).choose(state)


def asked(game: Game, text: str) -> Iterator[tuple[str, Ask]]:
    """What is asked about a level."""
    name, _, hidden = text.partition(" ")
    level = find_level(name).level
    if hidden:
        tiles = (structs.replace(tile, hidden=place % 3 == 0) for place, tile in enumerate(level.tiles))
        level = structs.replace(level, tiles=tuple(tiles))
    puzzle: Any = game.puzzle(level)
    state = puzzle.initial()
    budget, games = Budget(expanded=NODES), Budget(expanded=GAMES_PLAYED)
    for name, solver in solvers_of(game).items():
        yield name, partial(solver, puzzle, state, budget, 0)
    for name, make in players_of(game).items():
        yield name, partial(chosen, make, puzzle, state)
    for name, repair in repairs_of(game).items():
        yield name, partial(repair, level, 0, games)
    yield "facts", lambda: game.facts(level, games)
    if isinstance(game, Solves):
        yield "live", lambda: game.live_solver(puzzle)(puzzle, state, budget, 0)
        yield "after", lambda: game.solver_after(puzzle, state)(puzzle, state, budget, 0)
    if isinstance(game, ProvesFewest) and (within := game.within(puzzle)):
        yield "within", lambda: within(state, 3, budget)
    if isinstance(game, Foresees):
        yield "outlook", lambda: game.outlook(puzzle, state, games, 0)
    if isinstance(game, Weighs):
        yield "weigh", lambda: game.weigh(puzzle, state, games, 0)
    if isinstance(game, Rates):
        yield "rate", lambda: game.rate(level, games, 0)
    if isinstance(game, HidesSome):
        yield (
            "chance",
            lambda: [one for one in game.chance(puzzle, state, budget, 0) if not isinstance(one, Progress)],
        )
    if isinstance(game, Refutes):
        yield "reason", lambda: game.reason(puzzle, state, budget)
        yield "refute", lambda: game.refute(puzzle, state, budget)


def of_tetris() -> Iterator[tuple[str, Ask]]:
    """What only tetris has."""
    for tunable in TUNABLES.values():
        yield tunable.name, partial(tunable.evaluate, tunable.start, 3, 40)
    yield "tuned", tuned
    level = ModernLevel()
    yield "bot", lambda: Bot(level, width=3, depth=2).plan(Modern(level).initial())


def evolved() -> tuple[Any, ...]:
    """What differential evolution comes to, and how it goes on."""
    optimizer = DifferentialEvolution([0, 0, -1], [1, 2, 3], 8, seed=3)
    for _ in range(12):
        genomes = optimizer.ask()
        optimizer.tell(genomes, [sum((gene - 0.3) ** 2 for gene in genome) for genome in genomes.tolist()])
    state = optimizer.state_dict()
    optimizer.load_state_dict(state)
    return state, optimizer.best[1], optimizer.ask().tolist()


def tuned() -> list[Any]:
    """How the article's weights are tuned, generation by generation: populations, losses and dice."""
    tunable, told = TUNABLES["article-mean"], list[Any]()
    optimizer = DifferentialEvolution(tunable.low, tunable.high, 6, seed=3)
    finish(
        tune(
            tunable, optimizer, seed=3, evaluations=30, steps=80,
            on_event=lambda event, state: told.append((replace(event, seconds=0), state)),
        )
    )  # fmt: skip
    return told


@cache
def small_network() -> Network:
    """In the place of the one that ships."""
    network = Network(parse_tuples("012 456"))
    network.weights[:] = 100 * np.random.default_rng(1).random(len(network.weights))
    return network


def questions(name: str) -> Iterator[tuple[str, str, Ask]]:
    """All of a game's, one after the other."""
    game = load_game(name)
    for text in LEVELS[name]:
        for what, ask in asked(game, text):
            if what not in LONG.get(text, ()):
                yield text, what, ask
    for text in GENERATED[name]:
        params = parse_params(game, text)
        yield text, "generate", partial(game.generate, params, 5, Budget(expanded=20_000))
    if name == "tetris":
        for what, ask in of_tetris():
            yield "", what, ask
    if name == "triple":
        yield "", "de", evolved


def print_all(name: str) -> None:
    """Prints each question with its answer."""
    expectimax.network = small_network
    for text, what, ask in questions(name):
        found = finish(ask())
        if isinstance(found, Answer):
            found = replace(found, seconds=0)
        print(text, what, re.sub(r"np\.\w+\(([^)]*)\)", r"\1", str(found)))
