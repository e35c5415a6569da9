"""What the differential evolutions share: a population whose first genomes are drawn at random."""

from __future__ import annotations

from math import inf
from typing import Any, TypeAlias

from winnable.inert.arrays import NDArray, np
from winnable.optimize.base import Floats
from winnable.optimize.state import StateReader, to_json

Ints: TypeAlias = "NDArray[np.intp]"

UNKNOWN = inf
"""Loss of a place whose genome is not told yet: every told genome takes it, one of infinite loss too."""


class Population:
    """genomes: float [n, genes]; losses: float [n]; known: bool [n], whether the genome was told
    ids:          int [n], rising; a trial remembers its target's, since places move when some are dropped
    next, handed: whose trial comes next, and how many of the first genomes were given out
    """

    def __init__(self, genomes: Floats, first_id: int = 0) -> None:
        self.genomes = genomes
        self.losses: Floats = np.full(len(genomes), UNKNOWN)
        self.known = np.zeros(len(genomes), np.bool_)
        self.all_known = False
        self.ids: Ints = first_id + np.arange(len(genomes))
        self.next = self.handed = 0

    def __len__(self) -> int:
        return len(self.losses)

    def take_first(self, n: int) -> Ints:
        """The places of at most n of the first genomes that were not given out yet."""
        start, self.handed = self.handed, min(self.handed + n, len(self))
        return np.arange(start, self.handed)

    def take_targets(self, n: int) -> Ints:
        """The next n places in turn; while some genome is not told, only the places of such."""
        places = np.arange(len(self)) if self.all_known else np.flatnonzero(~self.known)
        if not self.next and n == len(places):
            return places
        turns = (self.next + np.arange(n)) % len(places)
        self.next = (self.next + n) % len(places)
        return places[turns]

    def places(self, ids: Ints) -> Ints:
        """The places of these ids; of those that are gone, the place of the worst genome."""
        places = np.minimum(np.searchsorted(self.ids, ids), len(self) - 1)
        gone = self.ids[places] != ids
        if gone.any():
            places[gone] = int(self.losses.argmax())
        return places

    def put(self, places: Ints, genomes: Floats, losses: Floats) -> NDArray[np.bool_]:
        """Each genome takes its place unless the one there is better; of several for one place, the best.
        Returns which were no worse than what was there before."""
        better = losses <= self.losses[places]
        if not self.all_known:
            better |= ~self.known[places]
        chosen = np.flatnonzero(better)
        chosen = chosen[np.argsort(-losses[chosen], kind="stable")]  # of equal places, the last is assigned
        self.genomes[places[chosen]] = genomes[chosen]
        self.losses[places[chosen]] = losses[chosen]
        if not self.all_known:
            self.known[places] = True
            self.all_known = bool(self.known.all())
            if self.all_known:
                self.next, self.handed = 0, len(self)
        return better

    def drop(self, places: Ints) -> None:
        """Removes the genomes in these places."""
        kept = np.ones(len(self), np.bool_)
        kept[places] = False
        self.next = int(kept[: self.next].sum()) % int(kept.sum())
        self.genomes, self.losses = self.genomes[kept], self.losses[kept]
        self.known, self.ids = self.known[kept], self.ids[kept]
        self.handed = len(self)

    def to_json(self) -> dict[str, Any]:
        """Its fields as JSON values, for `from_json`."""
        return {
            "genomes": to_json(self.genomes),
            "losses": to_json(self.losses),
            "known": to_json(self.known.astype(np.int64)),
            "ids": to_json(self.ids),
            "next": self.next,
            "handed": self.handed,
        }

    @staticmethod
    def from_json(value: Any, low: Floats, high: Floats, least: int, most: int) -> Population:
        """least, most: how many genomes it may hold. Raises ValueError that names the field."""
        reader = StateReader(value, "state: population")
        population = Population(reader.genomes("genomes", (-1, low.size), np.float64, low, high))
        n = len(population)
        if not least <= n <= most:
            raise ValueError(f"state: population: genomes: {n} genomes instead of {least} to {most}")
        population.losses = reader.floats("losses", (n,), infinite=True)
        population.known = reader.integers("known", (n,), 0, 1).astype(np.bool_)
        population.all_known = bool(population.known.all())
        population.ids = reader.integers("ids", (n,)).astype(np.intp)
        if (np.diff(population.ids) <= 0).any():
            raise ValueError("state: population: ids: they must rise")
        population.next = reader.integer("next", 0, n - 1)
        population.handed = reader.integer("handed", n if population.all_known else 0, n)
        return population
