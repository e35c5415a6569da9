"""L-SHADE and jSO: differential evolution that learns its parameters and shrinks its population.

[L], [J]: see `success_history`. Restarts: see `restarts`.
"""

from __future__ import annotations

from typing import Any

from winnable.inert.arrays import ArrayLike, np
from winnable.optimize.archive import Archive
from winnable.optimize.base import Floats, checked_bounds, checked_count, checked_genome, checked_rng, uniform
from winnable.optimize.ledger import Ledger, Told
from winnable.optimize.population import Ints, Population
from winnable.optimize.restarts import Schedule
from winnable.optimize.state import rng_to_json, to_json
from winnable.optimize.success_history import (
    ADAPTIVE_RULE,
    JSO_RULE,
    LEAST_POPULATION,
    LSHADE_RULE,
    Memory,
    jso_population,
    lshade_population,
)

ID, F, CR, SERIAL = range(4)
"""Columns of a trial's notes: its target's id, its parameters (NaN for a random genome), its number."""
GAIN = ID
"""Of successes, by how much they beat their targets, stands in place of the id."""


class LSHADE(Told):
    """Minimises a function of real genes within bounds, in about `max_evaluations` evaluations.

        optimizer = LSHADE(low, high, max_evaluations=50_000, seed=1)

    Trials are made by current-to-pbest/1 with an archive of beaten genomes, out of bounds genes halfway
    between target and bound; F and CR are drawn about remembered successes; the population shrinks linearly
    to four. The budget must be known, because the search narrows as it is used up: with a tenth of it, the
    result is poor.

    restarts: converged searches begin anew, see `Schedule`; False: exactly the paper's course.

    A generation is as many told trials as there are genomes in the population. Selection happens at once;
    memories, archive and population size change when a generation is full. So a generation that was asked for
    whole may be told in any order and in any parts, and the next one is the same, bit by bit.
    """

    _default_population = staticmethod(lshade_population)
    _rules = LSHADE_RULE, LSHADE_RULE
    """Of short searches, and of long ones."""

    def __init__(
        self,
        low: ArrayLike,
        high: ArrayLike,
        population_size: int | None = None,
        *,
        seed: int,
        max_evaluations: int,
        max_generations: int | None = None,
        restarts: bool = True,
        first: ArrayLike | None = None,
    ) -> None:
        """low, high: float [genes], finite, low <= high; population_size: at first; by default the paper's.
        first: float [genes], a genome that the very first population is to have.

        Raises ValueError that names the argument.
        """
        self._low, self._high = checked_bounds(low, high)
        default = self._default_population(self._low.size)
        size = default if population_size is None else population_size
        self._first_size = checked_count("population_size", size, LEAST_POPULATION)
        self._budget = checked_count("max_evaluations", max_evaluations, 1)
        self._restarts = restarts
        self._rng = checked_rng(seed)
        self._ledger = Ledger(self._low.size, np.float64, 4, max_generations, self._budget)
        self._schedule, self._serial = self._new_schedule(), 0
        self._begin(first_id=0)
        if first is not None:
            self._population.genomes[0] = checked_genome("first", first, self._low, self._high)

    def _new_schedule(self) -> Schedule:
        return Schedule(self._first_size, self._low.size, self._budget, self._restarts)

    def _begin(self, first_id: int) -> None:
        size = self._first_size
        self._population = Population(uniform(self._rng, size, self._low, self._high), first_id)
        self._first_id = first_id
        self._rule = self._rules[self._schedule.is_long()]
        self._memory = Memory(self._rule)
        self._archive = Archive(self._low.size)
        self._told = 0
        self._successes: Floats = np.zeros((0, 4))
        self._beaten: Floats = np.zeros((0, self._low.size))

    @property
    def population_size(self) -> int:
        """How many genomes the population has now."""
        return len(self._population)

    def ask(self, n: int | None = None) -> Floats:
        """The first population, drawn uniformly within the bounds; then trials for its genomes in turn. While
        some place of the first population has no told genome, more random genomes for such places."""
        population = self._population
        n = len(population) if n is None else checked_count("n", n, 1)
        first = population.take_first(n)
        targets = population.take_targets(n - len(first))
        notes = np.full((n, 4), np.nan)
        if population.all_known:
            genomes, notes[:, F], notes[:, CR] = self._trials(targets)
        else:
            more = uniform(self._rng, len(targets), self._low, self._high)
            genomes = np.concatenate([population.genomes[first], more])
            targets = np.concatenate([first, targets])
        notes[:, ID] = population.ids[targets]
        notes[:, SERIAL] = self._serial + np.arange(n)
        self._serial += n
        self._ledger.enter(genomes, notes)
        return genomes

    def tell(self, genomes: ArrayLike, losses: ArrayLike) -> None:
        told, judged, notes = self._ledger.settle(genomes, losses)
        start = 0
        while start < len(told):
            stop = min(len(told), start + len(self._population) - self._told)
            ids = notes[start:stop, ID]
            if not (ids[1:] > ids[:-1]).all() and len(set(ids.tolist())) < stop - start:
                stop = start + 1  # two trials of one target: one after the other
            self._select(told[start:stop], judged[start:stop], notes[start:stop])
            start = stop

    def _trials(self, targets: Ints) -> tuple[Floats, Floats, Floats]:
        """Trials for these places, and their F and CR: [L] section II, current-to-pbest/1/bin."""
        population, n, genes = self._population, len(targets), self._low.size
        progress = self._schedule.progress(self.evaluations)
        uniforms = self._rng.random((6, n))
        f, cr = self._memory.draw(uniforms[:2], self._rng.standard_normal(n), progress)
        share = self._rule.p_first + (self._rule.p_last - self._rule.p_first) * progress  # [J] (5)
        best = population.losses.argsort(kind="stable")[: max(round(share * len(population)), 2)]
        pool = np.concatenate([population.genomes, self._archive.genomes])
        a, b = _two_others(targets, len(population), len(pool), uniforms[2], uniforms[3])
        x, top = population.genomes[targets], population.genomes[best[_pick(uniforms[4], len(best))]]
        pull = self._memory.pull(f, progress)[:, None]
        mutants = x + pull * (top - x) + f[:, None] * (pool[a] - pool[b])  # [L] (3), [J] (6)
        below, above = mutants < self._low, mutants > self._high
        if below.any() or above.any():
            mutants = np.where(below, (self._low + x) / 2, mutants)
            mutants = np.where(above, (self._high + x) / 2, mutants)
        crossed = self._rng.random((n, genes)) < cr[:, None]
        crossed[np.arange(n), _pick(uniforms[5], genes)] = True
        return np.where(crossed, mutants, x), f, cr

    def _select(self, genomes: Floats, losses: Floats, notes: Floats) -> None:
        """At most the rest of a generation, each for another target. Trials asked for before the last restart
        count as evaluations alone."""
        population = self._population
        ours = notes[:, ID] >= self._first_id
        if not ours.all():
            genomes, losses, notes = genomes[ours], losses[ours], notes[ours]
        places = population.places(notes[:, ID].astype(np.intp))
        trials, was_known = ~np.isnan(notes[:, F]), population.all_known
        won = np.flatnonzero((losses < population.losses[places]) & trials)
        if len(won):
            rows = notes[won]
            rows[:, GAIN] = population.losses[places[won]] - losses[won]
            self._successes = _joined(self._successes, rows)
            self._beaten = _joined(self._beaten, population.genomes[places[won]])
        population.put(places, genomes, losses)
        self._told += int(trials.sum())
        if population.all_known and (not was_known or self._told >= len(population)):
            self._finish_generation()

    def _finish_generation(self) -> None:
        self._ledger.generation += 1
        self._told = 0
        if len(self._successes):
            order = self._successes[:, SERIAL].argsort()
            rows = self._successes[order]
            self._memory.learn(rows[:, F], rows[:, CR], rows[:, GAIN])
            room = round(self._rule.archive * len(self._population))
            self._archive.add(self._beaten[order], room, self._rng)
            self._successes, self._beaten = self._successes[:0], self._beaten[:0]
        if self._schedule.is_over(self.evaluations, self._population.losses):
            self._schedule.restart(self.evaluations)
            self._begin(first_id=int(self._population.ids[-1]) + 1)
        else:
            self._shrink()

    def _shrink(self) -> None:
        """Linear population size reduction, [L] equation 10: the worst go; so does what the archive has no
        more room for."""
        size = self._schedule.size_after(self.evaluations)
        if size < len(self._population):
            worst = self._population.losses.argsort(kind="stable")[size:]
            self._population.drop(worst)
            self._archive.shrink(round(self._rule.archive * size), self._rng)

    def state_dict(self) -> dict[str, Any]:
        return {
            **self._state(),
            "rng": rng_to_json(self._rng),
            "schedule": self._schedule.to_json(),
            "population": self._population.to_json(),
            "first_id": self._first_id,
            "serial": self._serial,
            "memory": self._memory.to_json(),
            "archive": to_json(self._archive.genomes),
            "told": self._told,
            "successes": to_json(self._successes),
            "beaten": to_json(self._beaten),
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        low, high = self._low, self._high
        reader, ledger = self._read(state, low, high)
        rng, first_id = reader.rng(), reader.integer("first_id")
        _check_notes(ledger.notes)
        schedule = self._new_schedule().load_json(reader.part("schedule"))
        population = Population.from_json(
            reader.part("population"), low, high, LEAST_POPULATION, self._first_size
        )
        if first_id > population.ids[0]:
            raise ValueError("state: first_id: greater than the population's ids")
        rule = self._rules[schedule.is_long()]
        memory = Memory.from_json(rule, reader.part("memory"))
        genomes = reader.genomes("archive", (-1, low.size), np.float64, low, high)
        serial = reader.integer("serial")
        told = reader.integer("told", 0, len(population) - 1)
        successes = reader.floats("successes", (-1, 4), infinite=True)
        beaten = reader.genomes("beaten", (-1, low.size), np.float64, low, high)
        if len(beaten) != len(successes):
            raise ValueError("state: beaten: not as many as there are successes")
        self._rng, self._first_id, self._ledger, self._schedule = rng, first_id, ledger, schedule
        self._population, self._archive = population, Archive(low.size, genomes)
        self._rule, self._memory = rule, memory
        self._serial, self._told, self._successes, self._beaten = serial, told, successes, beaten

    def _settings(self) -> dict[str, Any]:
        return {
            "low": to_json(self._low),
            "high": to_json(self._high),
            "population_size": self._first_size,
            "max_evaluations": self._budget,
            "restarts": self._restarts,
        }


class JSO(LSHADE):
    """L-SHADE as [J] tunes it: larger first population, a memory that never changes, values that follow the
    progress of the search (weaker pull to the best at first, stronger later)."""

    _default_population = staticmethod(jso_population)
    _rules = JSO_RULE, JSO_RULE


class AdaptiveDE(JSO):
    """Our recommendation: jSO, but in long searches (all after the first, if there are several) the memories
    alone steer F, CR and the pull to the best, without [J]'s equations 3, 4 and 6, by which they follow the
    progress of the search. On BBOB those help in searches of 1000 evaluations per gene, and harm in longer.
    """

    _rules = JSO_RULE, ADAPTIVE_RULE


def _check_notes(notes: Floats) -> None:
    numbers, parameters = notes[:, [ID, SERIAL]], notes[:, [F, CR]]
    whole = (numbers >= 0) & (numbers == np.floor(numbers)) & (numbers < 2**53)
    if not whole.all() or ((parameters < 0) | (parameters > 1)).any():
        raise ValueError("state: ledger: notes: no notes of trials")


def _joined(old: Floats, new: Floats) -> Floats:
    return np.concatenate([old, new]) if len(old) else new


def _pick(uniforms: Floats, n: int) -> Ints:
    """Indices below n; uniforms in [0, 1)."""
    return (uniforms * n).astype(np.intp)


def _two_others(targets: Ints, size: int, pool: int, first: Floats, second: Floats) -> tuple[Ints, Ints]:
    """For each target a place among the first `size` and one among all of the `pool`; all three different."""
    a = _pick(first, size - 1)
    a += a >= targets
    b = _pick(second, pool - 2)
    b += b >= np.minimum(a, targets)
    b += b >= np.maximum(a, targets)
    return a, b
