"""The article's genetic algorithm over sequences of clicks: judges them by kernel, in slices."""

from __future__ import annotations

from winnable.contract.core import Action, Search
from winnable.games.drops.article import kernels as article_kernels
from winnable.games.drops.article.search import question_of, workspace_for
from winnable.games.drops.article.settings import Evolution
from winnable.games.drops.rules.bounds import explain
from winnable.games.drops.rules.puzzle import Drops, State
from winnable.inert.arrays import np
from winnable.optimize import Genetic
from winnable.optimize.base import Floats, Genomes
from winnable.search.meter import Meter
from winnable.search.slices import SliceEnd, Slices


class Population:
    """The sequences from one state, whose `left` does not count. `seed` is that of the chance.

    best: the greatest fitness so far; at first that of making no click
    """

    def __init__(self, puzzle: Drops, state: State, seed: int, settings: Evolution) -> None:
        self._puzzle, self._state = puzzle, state._replace(left=None)
        self._question = question_of(puzzle, self._state, article_kernels.BREADTH_FIRST)
        self._work = workspace_for(puzzle, state)
        self._root = self._work.parent.copy()
        self._counts = np.zeros(2, np.int64)
        self._slices = Slices(self._counts, a_node=settings.genes)
        self._most_drops = 4 * puzzle.num_actions
        self.best = float(self._most_drops - sum(state.cells))
        spared = settings.genes - explain(puzzle, state).bound
        self.genetic = Genetic.drops_article(
            puzzle.num_actions,
            seed=seed,
            fitness=np.negative,
            target=-self._most_drops - 4.0 * spared if spared >= 0 else None,  # no sequence is better
            population_size=settings.population,
            length=settings.genes,
            generations=settings.generations,
            cross_rate=settings.pc,
            mutation_rate=settings.pm,
        )

    def run(self, meter: Meter) -> Search[bool]:
        """All generations, or until no better sequence is possible; False when the budget ends before."""
        while not self.genetic.should_stop():
            genomes = self.genetic.ask()
            fitness = yield from self._judge(meter, genomes)
            if len(fitness):
                self.genetic.tell(genomes[: len(fitness)], -fitness)
                self.best = -self.genetic.best[1]
            if len(fitness) < len(genomes):
                return False
        return True

    def line(self) -> tuple[Action, ...]:
        """The clicks of the best sequence so far."""
        state, clicks = self._state, list[Action]()
        genome: list[Action] = self.genetic.best[0].tolist() if self.genetic.evaluations else []
        for cell in genome:
            if self._puzzle.is_goal(state):
                break
            if state.cells[cell] or self._puzzle.level.open:
                state = self._puzzle.apply(state, cell)
                clicks.append(cell)
        return tuple(clicks)

    def _judge(self, meter: Meter, genomes: Genomes) -> Search[Floats]:
        """float [m]: the article's fitness of the first m genomes, all of them unless the budget ends."""
        result, length = np.zeros((len(genomes), 2), np.int64), genomes.shape[1]
        done, played, gain = 0, 0, round(self.best) - self._most_drops

        def go_on(genes: int) -> SliceEnd:  # whole sequences, or of one a part, which goes on from the last
            nonlocal done, played
            rows, some = slice(done, done + max(1, genes // length)), slice(0, length)
            if played or genes < length:
                rows, some = slice(done, done + 1), slice(played, min(played + genes, length))
            board, clicks = self._work.child.copy() if played else self._root, result[rows, 0].copy()
            article_kernels.play_genomes(genomes[rows, some], board, self._question, self._work, result[rows])
            result[rows, 0] += clicks
            self._counts[1] += genomes[rows, some].size
            played = some.stop % length
            if played == 0:
                self._counts[0] += rows.stop - done
                done = rows.stop
            return "running"

        stage, best = ("genetic.left", -gain) if gain < 0 else ("genetic.line", length - gain // 4)
        told = {"generation": self.genetic.generation + 1, "best": best}
        yield from self._slices.run(go_on, meter, stage, told, nodes=len(genomes))
        clicks, drops = result[:done, 0], result[:done, 1]
        spared: Floats = np.where(drops == 0, 4.0 * (length - clicks), -drops)
        return self._most_drops + spared
