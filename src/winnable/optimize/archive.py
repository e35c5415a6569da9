"""The archive of genomes that were beaten by their trials: they give directions."""

from __future__ import annotations

from winnable.inert.arrays import np
from winnable.optimize.base import Floats


class Archive:
    """genomes: float [n, genes]. J. Zhang and A. C. Sanderson, "JADE", IEEE Trans. Evol. Comp. 13 (2009),
    section III-A: when there is no room, random ones go."""

    def __init__(self, genes: int, genomes: Floats | None = None) -> None:
        self.genomes: Floats = np.zeros((0, genes)) if genomes is None else genomes

    def add(self, beaten: Floats, room: int, rng: np.random.Generator) -> None:
        """Takes in what was beaten; there is room for so many in all."""
        free = max(room - len(self.genomes), 0)
        self.genomes, rest = np.concatenate([self.genomes, beaten[:free]]), beaten[free:]
        if len(rest) and room:
            places = (rng.random(len(rest)) * room).astype(np.intp)
            self.genomes[places] = rest

    def shrink(self, room: int, rng: np.random.Generator) -> None:
        """Keeps so many, drawn at random."""
        if len(self.genomes) > room:
            self.genomes = self.genomes[rng.permutation(len(self.genomes))[:room]]
