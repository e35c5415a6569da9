"""The article's genetic algorithm over sequences of clicks: judges them by kernel, in slices."""

from __future__ import annotations

import time

import numpy as np

from winnable.core import Action
from winnable.games.drops import article_kernels
from winnable.games.drops.article_search import UNLIMITED, Pace, room_for, task_of
from winnable.games.drops.rules import Drops, State
from winnable.optimize import Genetic
from winnable.optimize.base import Floats, Genomes
from winnable.search.meter import Meter


class Population:
    """The sequences from one state. `seed` is that of the chance."""

    def __init__(self, puzzle: Drops, state: State, seed: int) -> None:
        self._puzzle, self._state = puzzle, state
        self._task = task_of(puzzle, state, article_kernels.BREADTH_FIRST, 1, UNLIMITED)
        self._room = room_for(puzzle, state)
        self._root = self._room.parent.copy()
        self._pace = Pace(1)
        self.genetic = Genetic.drops_article(puzzle.num_actions, seed=seed, fitness=np.negative)

    def run(self, meter: Meter, stage: str) -> bool:
        """All generations; False when the budget ends before them."""
        while not self.genetic.should_stop():
            genomes = self.genetic.ask()
            fitness = self._judge(meter, f"{stage}: generation {self.genetic.generation + 1}", genomes)
            if len(fitness):
                self.genetic.tell(genomes[: len(fitness)], -fitness)
            if len(fitness) < len(genomes):
                return False
        return True

    def line(self) -> tuple[Action, ...] | None:
        """The clicks of the best sequence so far; None when it does not clear the board."""
        if not self.genetic.evaluations:
            return None
        genome, loss = self.genetic.best
        if -loss < self._most_drops:
            return None
        state, clicks = self._state, list[Action]()
        for cell in genome.tolist():
            if self._puzzle.is_goal(state):
                break
            if state.cells[cell] or self._puzzle.level.open:
                state = self._puzzle.apply(state, cell)
                clicks.append(cell)
        return tuple(clicks)

    @property
    def _most_drops(self) -> int:
        """That a board can hold: the least fitness of a sequence that clears it."""
        return 4 * self._puzzle.num_actions

    def _judge(self, meter: Meter, stage: str, genomes: Genomes) -> Floats:
        """float [m]: the article's fitness of the first m genomes, all of them unless the budget ends."""
        result = np.empty((len(genomes), 2), np.int64)
        done = 0
        while done < len(genomes) and meter.allows(stage):
            part = slice(done, min(done + self._pace.steps, len(genomes), done + meter.expanded_left))
            started = time.perf_counter()
            article_kernels.play_genomes(genomes[part], self._root, self._task, self._room, result[part])
            self._pace.adjust(time.perf_counter() - started)
            meter.expanded += part.stop - part.start
            meter.generated += genomes[part].size
            done = part.stop
        clicks, drops = result[:done, 0], result[:done, 1]
        spared: Floats = np.where(drops == 0, 4.0 * (genomes.shape[1] - clicks), -drops)
        return self._most_drops + spared
