"""How soon the studio's lamp knows of a position that a player has reached whether it can still be won."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np

from winnable.analysis import Analyst, Verdict
from winnable.benchmarks.processor_budget import ProcessorBudget
from winnable.benchmarks.report import Row, mean_row, rate_row
from winnable.benchmarks.triple_decide import layout_name, real_layouts
from winnable.core import Action
from winnable.games.triple.fair_players import QUICK, Quick
from winnable.games.triple.game import GAME
from winnable.games.triple.generator import SHIPPED, Params, generate
from winnable.games.triple.level import Level
from winnable.games.triple.rules import Picked, Triple
from winnable.library import find_level

KINDS = 14
"""Of a deal onto one of our layouts."""
CLICKS = 10
"""Before a position that one look does not decide."""

Boards: TypeAlias = "dict[str, Callable[[int], Level]]"
"""Name -> what deals it by a seed."""


class Reached(NamedTuple):
    """A position of a game, and the words that find it again.

    states: of the whole game, up to the one before its last click
    line:   all its clicks
    ply:    of the position
    """

    puzzle: Triple
    states: list[Picked]
    line: tuple[Action, ...]
    ply: int
    where: str


def rows(
    games: int = 500,
    seed: int = 0,
    seconds: float = 1.0,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Row]:
    """For each kind of board so many games by the players who see what a person sees, of each the position
    before a click by chance, and so many seconds of one processor for its verdict: decided; decided *in
    play*, where what is not gets as long at each of the CLICKS positions before it as well, and what is found
    there is inherited; winnable and lost; where it is winnable, how often the line found tells about the
    position after the player's click, too; and the seconds. The real game's layouts take part where they are
    at hand (see triple-decide). Positions that stay undecided have a row with the tiles that are left."""
    GAME.warm()
    kinds = _boards()
    for done, (kind, boards) in enumerate(kinds.items()):
        verdicts: list[Verdict] = []
        times: list[float] = []
        inherited = unknown = 0
        for number in range(games):
            at = _reached(boards, seed + number)
            analyst = Analyst(at.puzzle, GAME.solvers["auto"])
            budget = ProcessorBudget(seconds)
            state = at.states[at.ply]
            verdicts.append(analyst.decide(state, budget))
            times.append(budget.elapsed)
            if verdicts[-1] == "unknown":
                unknown += _in_play(at, seconds) == "unknown"
                left = at.puzzle.num_actions - at.ply
                yield Row(f"undecided: {at.where}", left, "tiles", seed=seed + number)
            elif verdicts[-1] == "winnable":
                click = at.line[at.ply]
                analyst.inherit(state, click)
                inherited += analyst.verdict(state | 1 << click) != "unknown"
            if progress is not None:
                progress(done * games + number + 1, games * len(kinds))
        yield rate_row(f"{kind}: decided", games - verdicts.count("unknown"), games, seed, 0.95)
        yield rate_row(f"{kind}: decided, in play", games - unknown, games, seed, 0.95)
        yield rate_row(f"{kind}: winnable", verdicts.count("winnable"), games, seed)
        yield rate_row(f"{kind}: lost", verdicts.count("lost"), games, seed)
        if winnable := verdicts.count("winnable"):
            yield rate_row(f"{kind}: the next click needs no search", inherited, winnable, seed)
        yield mean_row(f"{kind}: seconds", times, "s", seed)
        late = float(np.quantile(times, 0.95))
        yield Row(f"{kind}: seconds, 95th percentile", late, "s", n=games, seed=seed)


def _boards() -> dict[str, Boards]:
    """By kind."""
    ours: Boards = {name: partial(generate, Params(layout=name, kinds=KINDS)) for name in SHIPPED}
    real: Boards = {layout_name(path): partial(_dealt, path) for path in real_layouts()}
    kinds: dict[str, Boards] = {
        "real layouts": real,
        "our layouts": ours,
        "the seed's pile": {"pile": partial(generate, Params())},
    }
    return {kind: boards for kind, boards in kinds.items() if boards}


def _dealt(path: Path, seed: int) -> Level:
    return find_level(str(path), seed).level


def _reached(boards: Boards, seed: int) -> Reached:
    """Board, player and ply are drawn by the seed, which also deals."""
    rng = random.Random(seed)
    board, name = rng.choice(list(boards)), rng.choice(list(QUICK))
    puzzle = Triple(boards[board](seed))
    line = Quick(puzzle, name, seed).play()
    ply = rng.randrange(len(line))
    states = [sum(1 << tile for tile in line[:done]) for done in range(len(line))]
    return Reached(puzzle, states, line, ply, f"{board}, deal {seed}, {name}, ply {ply}")


def _in_play(at: Reached, seconds: float) -> Verdict:
    """Where the lamp was asked for so long at each of the CLICKS positions before, too."""
    analyst = Analyst(at.puzzle, GAME.solvers["auto"])
    for ply in range(max(0, at.ply - CLICKS), at.ply + 1):
        if ply > 0:
            analyst.inherit(at.states[ply - 1], at.line[ply - 1])
        verdict = analyst.decide(at.states[ply], ProcessorBudget(seconds))
        if verdict == "lost":
            return verdict  # and so are all that follow
    return analyst.verdict(at.states[at.ply])
