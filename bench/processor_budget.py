"""A budget for measuring on a machine that has other work, too."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from winnable.contract.core import Budget


@dataclass(slots=True)
class ProcessorBudget(Budget):
    """Its seconds are of the processor, so that other work on the machine does not count. For a process that
    does nothing else."""

    _started: float = field(default_factory=time.process_time)

    @property
    def elapsed(self) -> float:
        return time.process_time() - self._started
