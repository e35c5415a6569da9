"""Tasks as a batch."""

from __future__ import annotations

import msgspec

from winnable import tasks
from winnable.batches.requests import Request
from winnable.contract.core import Budget, Progress, Search
from winnable.stats.difficulty import Word
from winnable.tasks.task import Language


class SetTask(Request, frozen=True, kw_only=True):
    """A task of one seed, see `tasks.make`."""

    seed: int
    difficulty: Word | None
    solvable: bool | None
    params: str
    language: Language

    def answer(self, whole: Budget) -> Search[bytes]:
        """As a line of a file."""
        task = tasks.make(
            self.game,
            self.seed,
            difficulty=self.difficulty,
            solvable=self.solvable,
            params=self.params,
            language=self.language,
        )
        yield Progress("making", 0, 0, whole.elapsed)
        return msgspec.json.encode({"text": task.text, "answer": task.answer, **msgspec.to_builtins(task)})
