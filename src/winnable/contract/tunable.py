"""What can be tuned: something with real weights that plays better or worse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from winnable.contract.core import Found, Player, Solver


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


@runtime_checkable
class Narrow(Protocol):
    """A tunable that says how a search by a distribution begins around its weights."""

    @property
    def sigma(self) -> float:
        """The first standard deviation, as a share of each gene's range."""
        ...

    @property
    def population(self) -> int | None:
        """Genomes of a generation; None: what the optimiser takes by itself."""
        ...


@runtime_checkable
class Plays(Protocol):
    """A tunable whose weights make a player of its game."""

    def player(self, genome: tuple[float, ...], /) -> Callable[[Any, int], Player]:
        """(puzzle, seed) -> player, like those of a `Game`."""
        ...


@runtime_checkable
class Solves(Protocol):
    """A tunable whose weights make a solver of its game."""

    def solver(self, genome: tuple[float, ...], /) -> Solver: ...


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

    def evaluate(self, genome: tuple[float, ...], seed: int, steps: float) -> Found[Judgement]:
        """Judges one genome with all chance from `seed`, in about `steps` steps at most (always bounded); by
        a search, in a page that has no threads: clicks are answered between its steps."""
        ...
