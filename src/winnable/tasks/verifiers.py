# The package is no part of what the checker sees.
# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUntypedBaseClass=false, reportUnknownArgumentType=false, reportUntypedFunctionDecorator=false
# pyright: reportUnknownParameterType=false
"""Certified tasks as an environment of verifiers (its interface v1): a question, one answer, and the score as
its reward. `load_environment` makes it for programs; on a command line it is the taskset `winnable-tasks`.

Needs the extra `verifiers`; raises WinnableError without it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from winnable.contract.errors import WinnableError
from winnable.stats.difficulty import Word
from winnable.tasks.making import dataset
from winnable.tasks.task import Language, Task

try:
    import verifiers.v1 as vf
except ImportError as error:
    raise WinnableError("task.extra", package="verifiers", reason=error) from error

__all__ = ["WinnableTaskset", "load_environment"]

TASKSET = "winnable-tasks"


class WinnableConfig(vf.TasksetConfig):
    """As for `winnable.tasks.dataset`."""

    game: str = "drops"
    size: int = 100
    seed: int = 0
    difficulty: Word | None = None
    solvable: bool | None = None
    params: str = ""
    language: Language = "en"


class WinnableData(vf.TaskData):
    """answer: a line that wins, or `unsolvable`; None: the task is undecided
    task:   all of it
    """

    answer: str | None
    task: dict[str, Any]


class WinnableTask(vf.Task[WinnableData]):
    @vf.reward
    async def reward(self, trace: vf.Trace) -> float:
        """The value of `Task.score`, of the last reply."""
        return msgspec.convert(self.data.task, Task).score(trace.last_reply).value

    @vf.metric
    async def won(self, trace: vf.Trace) -> float:
        """Whether the last reply wins, as 1 or 0."""
        return float(msgspec.convert(self.data.task, Task).score(trace.last_reply).won)

    @vf.metric
    async def blind(self, trace: vf.Trace) -> float:
        """What always "unsolvable" is worth: above chance is (reward - blind) / (1 - blind), of the means."""
        return float(self.data.task["verdict"] == "unsolvable")


class WinnableTaskset(vf.Taskset[WinnableTask, WinnableConfig]):
    def load(self) -> Iterator[WinnableTask]:
        """Makes the tasks, one by one."""
        config = self.config
        for task in dataset(
            config.game,
            config.size,
            config.seed,
            difficulty=config.difficulty,
            solvable=config.solvable,
            params=config.params,
            language=config.language,
        ):
            data = WinnableData(
                id=task.id, prompt=task.text, answer=task.answer, task=msgspec.to_builtins(task)
            )
            yield WinnableTask(data, config.task)


def load_environment(
    game: str = "drops",
    size: int = 100,
    seed: int = 0,
    *,
    difficulty: Word | None = None,
    solvable: bool | None = None,
    params: str = "",
    language: Language = "en",
) -> vf.Env:
    """Makes an environment of one model that answers in one turn, without tools; as for
    `winnable.tasks.dataset`. Raises pydantic's ValidationError, and WinnableError when a task is asked
    for."""
    taskset = {"id": TASKSET, "game": game, "size": size, "seed": seed, "difficulty": difficulty}
    taskset |= {"solvable": solvable, "params": params, "language": language}
    return vf.load_environment(
        vf.SingleAgentEnvConfig.model_validate({"taskset": taskset, "agent": {"harness": {"id": "null"}}})
    )
