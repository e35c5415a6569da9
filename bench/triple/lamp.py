"""How soon the studio's lamp knows of a position that a player has reached whether it can still be won."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np

from bench.report import Row, mean_row, rate_row
from bench.triple.decide import layout_name, real_layouts
from winnable.analysis.by_proof import ByProof, pacing
from winnable.analysis.verdicts import Point, Verdict
from winnable.contract.core import Action, Budget, finish
from winnable.games.triple.game import GAME
from winnable.games.triple.levels.generator import SHIPPED, Params, generate
from winnable.games.triple.players.fair_players import QUICK, Quick
from winnable.games.triple.rules.level import Level
from winnable.games.triple.rules.puzzle import Picked, Triple
from winnable.levels.find import find_level

THREADS = 2
KINDS = 14
"""Of a deal onto one of our layouts."""

Boards: TypeAlias = "dict[str, Callable[[int], Level]]"
"""Name -> what deals it by a seed."""


class Reached(NamedTuple):
    """A position of a game, the clicks that led there, the one that came next, and the words that find it
    again."""

    puzzle: Triple
    line: tuple[Action, ...]
    state: Picked
    click: Action
    where: str


def rows(
    games: int = 500,
    seed: int = 0,
    seconds: float = 1.0,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Row]:
    """For each kind of board so many games by the players who see what a person sees, of each the position
    before a click by chance, and so many seconds by the clock for its verdict, with two threads as in the
    studio (so that other work on the machine counts): decided, winnable and lost; where it is winnable, how
    often the line found tells about the position after the player's click, too; and the seconds.

    That is of the position alone. Where it stays undecided, the lamp is asked again as it is in a game: from
    the first click on, as long at each one, going on from what it saw before. If that does not help, a row
    tells the tiles that are left. The real game's layouts take part where they are at hand (see
    triple-decide)."""
    GAME.warm()
    kinds = _boards()
    for done, (kind, boards) in enumerate(kinds.items()):
        verdicts: list[Verdict] = []
        times: list[float] = []
        inherited = in_game = 0
        for number in range(games):
            at = reached(boards, seed + number)
            companion = ByProof(GAME, at.puzzle, GAME.solvers["auto"])
            budget = Budget(seconds, threads=THREADS)
            verdicts.append(finish(companion.decide(Point([at.state], [], 0), budget)))
            times.append(budget.elapsed)
            if verdicts[-1] == "unknown":
                if _in_game(at, seconds) == "unknown":
                    left = at.puzzle.num_actions - at.state.bit_count()
                    yield Row(f"undecided: {at.where}", left, "tiles", seed=seed + number)
                else:
                    in_game += 1
            elif verdicts[-1] == "winnable":
                finish(companion.inherit(at.state, at.click, pacing(budget)))
                inherited += companion.verdict(at.state | 1 << at.click) != "unknown"
            if progress is not None:
                progress(done * games + number + 1, games * len(kinds))
        alone = games - verdicts.count("unknown")
        yield rate_row(f"{kind}: decided", alone + in_game, games, seed, 0.95)
        yield rate_row(f"{kind}: decided alone", alone, games, seed)
        yield rate_row(f"{kind}: winnable", verdicts.count("winnable"), games, seed)
        yield rate_row(f"{kind}: lost", verdicts.count("lost"), games, seed)
        if winnable := verdicts.count("winnable"):
            yield rate_row(f"{kind}: the next click needs no search", inherited, winnable, seed)
        yield mean_row(f"{kind}: seconds", times, "s", seed)
        late = float(np.quantile(times, 0.95))
        yield Row(f"{kind}: seconds, 95th percentile", late, "s", n=games, seed=seed)


def _in_game(at: Reached, seconds: float) -> Verdict:
    """Of the last of its positions, all of which the lamp was asked about."""
    companion, states = ByProof(GAME, at.puzzle), [at.puzzle.initial()]
    for click in at.line:
        states.append(at.puzzle.apply(states[-1], click))
    verdict: Verdict = "unknown"
    for ply in range(len(states)):
        verdict = finish(companion.decide(Point(states, at.line, ply), Budget(seconds, threads=THREADS)))
    return verdict


def _boards() -> dict[str, Boards]:
    """By kind."""
    ours: Boards = {name: partial(made, Params(layout=name, kinds=KINDS)) for name in SHIPPED}
    real: Boards = {layout_name(path): partial(dealt, path) for path in real_layouts()}
    kinds: dict[str, Boards] = {
        "real layouts": real,
        "our layouts": ours,
        "the article's pile": {"pile": partial(made, Params())},
    }
    return {kind: boards for kind, boards in kinds.items() if boards}


def made(params: Params, seed: int) -> Level:
    return finish(generate(params, seed))


def dealt(path: Path, seed: int) -> Level:
    return find_level(str(path), seed).level


def reached(boards: Boards, seed: int) -> Reached:
    """Board, player and ply are drawn by the seed, which also deals."""
    rng = random.Random(seed)
    board, name = rng.choice(list(boards)), rng.choice(list(QUICK))
    puzzle = Triple(boards[board](seed))
    line = Quick(puzzle, name, seed).play()
    ply = rng.randrange(len(line))
    state = sum(1 << tile for tile in line[:ply])
    return Reached(puzzle, tuple(line[:ply]), state, line[ply], f"{board}, deal {seed}, {name}, ply {ply}")
