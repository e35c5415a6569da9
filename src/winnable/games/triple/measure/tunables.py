"""What can be tuned in triple: the score weights of the beams, judged on boards that a narrow beam often
fails.

Boards come from the seed alone: 360 tiles in 26 layers, dealt backwards from a win (so that each has one) for
a tray of four. The loss is the share of tiles that is left where the beam ends, as a mean over the boards: 0
means that every board is solved. It is smoother than the share of unsolved boards, and falls with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Any

from winnable.contract.core import Answer, Budget, Search, Solver
from winnable.contract.tunable import Judgement, Tunable
from winnable.games.triple.levels import generator
from winnable.games.triple.rules.puzzle import Picked, Triple
from winnable.games.triple.rules.tools import TripleWithTools
from winnable.games.triple.solve.kernel_search import BeamSearch, Weights
from winnable.games.triple.solve.plan import find_plan
from winnable.games.triple.solve.solver import (
    BACKWARD_WEIGHTS,
    FORWARD_WEIGHTS,
    Stage,
    StagedSolve,
    new_solve,
)
from winnable.games.triple.solve.tools_solver import solve_with_tools
from winnable.inert.arrays import np
from winnable.search.meter import Meter

HARD = generator.Params(layers=26, slots=4, method="backwards")
WIDTH = 8
BOARD_STEPS = WIDTH * 3 * HARD.kinds * HARD.sets
"""No beam expands more nodes on one board."""
MAX_BOARDS = 10_000
UNIT = 16
"""The kernels take whole weights. Only their ratios count, so a gene is rounded to a sixteenth."""


@dataclass(frozen=True, slots=True)
class BeamWeights:
    """The four weights of one direction's score; cost counts expanded nodes."""

    name: str
    backward: bool
    start: tuple[float, ...]
    genes: tuple[str, ...] = ("waiting", "finishing", "tray", "open")
    low: tuple[float, ...] = (0.0,) * 4
    high: tuple[float, ...] = (16.0,) * 4
    steps: float = 4 * BOARD_STEPS
    """Four boards: more candidates at a coarse look find more than fewer at a fine one."""

    def evaluate(self, genome: tuple[float, ...], seed: int, steps: float) -> Search[Judgement]:
        """Judges the weights on as many boards as surely fit into `steps` nodes, at least one."""
        weights = kernel_weights(genome)
        boards = min(max(1, int(steps / BOARD_STEPS)), MAX_BOARDS)
        shares, nodes = list[float](), 0
        for board in board_seeds(seed, boards):
            share, expanded = yield from self._judge(weights, board)
            shares.append(share)
            nodes += expanded
        found = np.array(shares)
        error = float(found.std(ddof=1)) / sqrt(boards) if boards > 1 else None
        return Judgement(float(found.mean()), error, float(nodes))

    def solver(self, genome: tuple[float, ...]) -> Solver:
        """Wider and wider beams of this direction."""
        weights = kernel_weights(genome)

        def plain(puzzle: Triple, state: Picked, budget: Budget, seed: int) -> Search[Answer]:
            staged = yield from new_solve(puzzle, state, budget, seed)
            return (yield from staged.first_result(self._beams(staged, weights)))

        def solve(puzzle: Any, state: Any, budget: Budget, seed: int) -> Search[Answer]:
            if isinstance(puzzle, TripleWithTools):
                return solve_with_tools(plain, puzzle, state, budget, seed)
            return plain(puzzle, state, budget, seed)

        return solve

    def _beams(self, solve: StagedSolve, weights: Weights) -> Iterator[Stage]:
        width = WIDTH
        while width // 2 < solve.widest:
            yield solve.beam(width, weights, backward=self.backward)
            width *= 2

    def _judge(self, weights: Weights, board: int) -> Search[tuple[float, int]]:
        """The share of tiles left, and the nodes that it took."""
        meter = Meter(Budget())
        level = yield from generator.generate(HARD, board)
        plan = yield from find_plan(Triple(level), meter)
        tables = plan.backward if self.backward else plan.forward
        search = BeamSearch(plan, tables, 0, WIDTH, weights, 0)
        yield from search.run(meter)
        return search.tiles_left / plan.tiles, meter.expanded


def kernel_weights(genome: tuple[float, ...]) -> Weights:
    """Raises ValueError unless it is four finite numbers that are not negative."""
    if len(genome) != 4 or not all(0 <= gene < float("inf") for gene in genome):
        raise ValueError(f"genome: {genome} is not four weights from 0 up")
    waiting, finishing, tray, open_tiles = (round(UNIT * gene) for gene in genome)
    return waiting, finishing, tray, open_tiles


def board_seeds(seed: int, boards: int) -> list[int]:
    """Any whole number >= 0 gives seeds of its own."""
    words = np.random.SeedSequence(seed).generate_state(boards, np.uint64)
    return [int(word >> np.uint64(11)) for word in words]


def _weights(name: str, backward: bool, start: Weights) -> Tunable:
    return BeamWeights(name, backward, tuple(map(float, start)))


TUNABLES: dict[str, Tunable] = {
    tunable.name: tunable
    for tunable in (
        _weights("beam-backward", True, BACKWARD_WEIGHTS[0]),
        _weights("beam-forward", False, FORWARD_WEIGHTS[1]),
    )
}
