"""A loss that is asked for values: here, by what maps side by side, or by worker processes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Self, TypeAlias

from winnable.optimize import base
from winnable.optimize.base import Floats

Map: TypeAlias = Callable[[Callable[[Floats], Any], Iterable[Floats]], Iterable[Any]]
"""Like `map`."""
MOST_WORKERS = 1024


class Judge:
    """Asks the loss and counts. A context: its worker processes end with it."""

    def __init__(
        self,
        fun: Callable[..., Any],
        more: tuple[Any, ...],
        workers: int | Map = 1,
        executor: Executor | None = None,
    ) -> None:
        """more: what `fun` gets after the genome. workers: processes, -1 for one per core, or what maps.
        Raises ValueError that names the argument."""
        if executor is not None and workers != 1:
            raise ValueError("workers: give these or an executor, not both")
        self.calls = 0
        self._loss = _Loss(fun, more) if more else fun
        self._processes = None
        self._map: Map = map if executor is None else executor.map
        if callable(workers):
            self._map = workers
        elif (count := _number_of_workers(workers)) > 1:
            from winnable.optimize.processes import Processes  # browsers have none

            self._processes = Processes(self._loss, count)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._processes is not None:
            self._processes.end()

    def __call__(self, genomes: Floats) -> list[float]:
        """Raises ValueError, RuntimeError for workers that end, and what the loss raises."""
        if self._processes is not None:
            judged = self._processes(genomes, self.calls)
        else:
            values = self._map(self._loss, [*genomes.copy()])
            judged = [base.checked_loss(value, self.calls + place) for place, value in enumerate(values)]
        if len(judged) != len(genomes):
            raise ValueError(f"workers: {len(judged)} values came back for {len(genomes)} genomes")
        self.calls += len(judged)
        return judged


@dataclass(frozen=True, slots=True)
class _Loss:
    fun: Callable[..., Any]
    more: tuple[Any, ...]

    def __call__(self, genome: Floats) -> Any:
        return self.fun(genome, *self.more)


def _number_of_workers(workers: Any) -> int:
    """Raises ValueError."""
    is_bool = isinstance(workers, bool)
    if is_bool or not isinstance(workers, Integral) or not (-1 <= int(workers) <= MOST_WORKERS and workers):
        kinds = f"1 to {MOST_WORKERS} processes, -1 for one per core, or what maps like `map`"
        raise ValueError(f"workers: {str(workers)[:40]!r} is none of these: {kinds}")
    return (os.cpu_count() or 1) if workers == -1 else int(workers)
