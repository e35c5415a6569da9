"""Certified tasks by seed, for those who evaluate language models, planners and agents: a level as text, with
a proof of whether it can be won, and a score for any answer.

`winnable.tasks.reasoning_gym` and `winnable.tasks.verifiers` offer them to the packages of these names.
"""

from winnable.stats.difficulty import Word
from winnable.tasks.making import Dataset, dataset, make
from winnable.tasks.scoring import Score, above_chance
from winnable.tasks.task import Language, Move, Reply, Task, TaskVerdict, read_task

__all__ = [
    "Dataset",
    "Language",
    "Move",
    "Reply",
    "Score",
    "Task",
    "TaskVerdict",
    "Word",
    "above_chance",
    "dataset",
    "make",
    "read_task",
]
