"""What every optimiser shares: the interface, and the parts that must exist once."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats: TypeAlias = NDArray[np.float64]
Genomes: TypeAlias = NDArray[Any]
"""[n, genes]: float64 for real genomes, int64 for all others."""


class Optimizer(Protocol):
    """Minimises a loss. The caller owns the loop:

        while not optimizer.should_stop():
            genomes = optimizer.ask()
            optimizer.tell(genomes, [loss(genome) for genome in genomes])
        genome, loss = optimizer.best

    By generation, as above; or steady-state: `ask(n)` at any time, also while others are being judged, and
    `tell` whatever was judged meanwhile, in any order and any number at a time.
    """

    @property
    def generation(self) -> int:
        """Generations finished: populations' worth of told genomes."""
        ...

    @property
    def evaluations(self) -> int:
        """Genomes told."""
        ...

    @property
    def best(self) -> tuple[Genomes, float]:
        """The genome of the least loss told so far (of equals, the first) and that loss, which under noise is
        a lucky one. Raises ValueError before the first `tell`."""
        ...

    @property
    def recommendation(self) -> Genomes:
        """[genes]: what to use in the end. Where the optimiser keeps a distribution, its mean: under noise
        the best genome is the luckiest, the mean the surest."""
        ...

    def ask(self, n: int | None = None) -> Genomes:
        """[n, genes], the caller's own; None: a whole generation. Raises ValueError."""
        ...

    def tell(self, genomes: ArrayLike, losses: ArrayLike) -> None:
        """Genomes as `ask` gave them, with a loss each (infinity allowed). Raises ValueError that names the
        argument: a wrong shape, a NaN, a genome that was not asked for."""
        ...

    def should_stop(self) -> bool: ...

    def state_dict(self) -> dict[str, Any]:
        """Everything, as JSON values: `load_state_dict` in an optimiser made with the same arguments, then
        the same `ask`s and `tell`s, give bit-identical genomes."""
        ...

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Raises ValueError that names the field when the state is damaged or of another optimiser."""
        ...
