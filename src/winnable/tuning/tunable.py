"""What can be tuned: something with real weights that plays better or worse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one evaluation of a genome found; a plain value that travels between processes.

    loss:  to be minimised
    error: its standard error; None where the loss is exact
    cost:  what the evaluation took, in the tunable's own steps (pieces, nodes, games)
    """

    loss: float
    error: float | None
    cost: float


class Tunable(Protocol):
    """Picklable: workers in other processes evaluate it. The same arguments always give the same judgement,
    on every engine, so that an evaluation can be repeated anywhere."""

    @property
    def name(self) -> str: ...
    @property
    def genes(self) -> tuple[str, ...]:
        """The names of the weights."""
        ...

    @property
    def low(self) -> tuple[float, ...]: ...
    @property
    def high(self) -> tuple[float, ...]: ...
    @property
    def start(self) -> tuple[float, ...]:
        """The weights in use today: the incumbent."""
        ...

    def evaluate(self, genome: tuple[float, ...], seed: int, steps: float) -> Judgement:
        """Judges one genome with all chance from `seed`, in about `steps` steps at most (always bounded)."""
        ...
