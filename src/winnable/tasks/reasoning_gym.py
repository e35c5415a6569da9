# The package is no part of what the checker sees.
# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUntypedBaseClass=false, reportUnknownArgumentType=false
"""Certified tasks as datasets of reasoning-gym. With this module imported there are `winnable_triple`,
`winnable_drops` and `winnable_rotate`: `reasoning_gym.create_dataset("winnable_drops", size=10, seed=1)`.

Needs the extra `reasoning-gym`; raises WinnableError without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, make_dataclass
from typing import Any, TypedDict, cast

import msgspec

from winnable.contract.abilities import SetsTasks
from winnable.contract.errors import WinnableError
from winnable.contract.registry import loaded_games
from winnable.stats.difficulty import Word
from winnable.tasks.making import make
from winnable.tasks.scoring import above_chance
from winnable.tasks.task import Language, Task

try:
    from reasoning_gym.coaching import BaseCurriculum, ScalarAttributeDefinition
    from reasoning_gym.factory import ProceduralDataset, register_dataset
except ImportError as error:
    raise WinnableError("task.extra", package="reasoning-gym", reason=error) from error


class Entry(TypedDict):
    """An item of the datasets.

    answer:   a line that wins, or `unsolvable`; None: the task is undecided
    metadata: encodes to JSON; with `task`, all of it
    """

    question: str
    answer: str | None
    metadata: dict[str, Any]


@dataclass
class TasksConfig:
    """As for `winnable.tasks.make`."""

    game: str
    difficulty: Word | None = None
    solvable: bool | None = None
    params: str = ""
    language: Language = "en"
    seed: int | None = None
    size: int = 500

    def validate(self) -> None:
        """Raises AssertionError, as reasoning-gym expects, for a size that is not positive."""
        assert self.size > 0, "size must be positive"


class TasksDataset(ProceduralDataset):
    """Item i is the task of `seed + i`."""

    def __init__(self, config: TasksConfig) -> None:
        super().__init__(config=config, seed=config.seed, size=config.size)

    def __getitem__(self, idx: int) -> Entry:
        config: TasksConfig = self.config
        task = make(
            config.game,
            cast("int", self.seed) + idx,
            difficulty=config.difficulty,
            solvable=config.solvable,
            params=config.params,
            language=config.language,
        )
        return Entry(
            question=task.text,
            answer=task.answer,
            metadata={
                "source_dataset": name_of(config.game),
                "source_index": idx,
                "task": msgspec.to_builtins(task),
                "difficulty": {"difficulty": task.difficulty},
            },
        )

    def score_answer(self, answer: str | None, entry: Entry) -> float:
        """The value of `Task.score`; 0 for None."""
        task = msgspec.convert(entry["metadata"]["task"], Task)
        return task.score(answer).value

    def above_chance(self, answers: Sequence[str | None]) -> float | None:
        """Scores an answer to each item, in their order; see `winnable.tasks.above_chance`."""
        entries = zip(self, answers, strict=True)
        tasks = ((msgspec.convert(entry["metadata"]["task"], Task), answer) for entry, answer in entries)
        return above_chance(task.score(answer) for task, answer in tasks)


def name_of(game: str) -> str:
    """The name under which the data set of this game is registered."""
    return f"winnable_{game}"


def _register(game: SetsTasks, name: str) -> None:
    config = make_dataclass(f"{name.title()}Config", [("game", str, name)], bases=(TasksConfig,))

    class Curriculum(BaseCurriculum):
        """One attribute: the words for how hard a level is, from easy on."""

        def __init__(self) -> None:
            super().__init__(f"{name.title()}Curriculum", config)
            self._define_attributes(
                ScalarAttributeDefinition(
                    name="difficulty",
                    field_name="difficulty",
                    levels=[*game.tasks],
                    description="How hard the level is for a person",
                )
            )

    Curriculum.__name__ = f"{name.title()}Curriculum"
    for kind in (config, Curriculum):  # so that they go to other processes, by their names
        kind.__module__, kind.__qualname__ = __name__, kind.__name__
        globals()[kind.__name__] = kind
    register_dataset(name_of(name), TasksDataset, config, Curriculum)


for _game in loaded_games():
    if isinstance(_game, SetsTasks):
        _register(_game, _game.name)
