"""A task: a level as text, what is proved of it, and what an answer to it is worth."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from winnable import words
from winnable.contract.abilities import HidesSome, SetsTasks
from winnable.contract.core import Budget, LevelError, action_name, finish
from winnable.levels.certificates import line_fault
from winnable.levels.files import decode
from winnable.levels.find import find_level_or_board
from winnable.stats.difficulty import Word
from winnable.tasks.answers import CLAIMS, Move, Reply
from winnable.tasks.scoring import Proved, Score, score

TaskVerdict: TypeAlias = Literal["solvable", "unsolvable", "undecided"]
Language: TypeAlias = Literal["en", "zh-CN"]

__all__ = ["Language", "Move", "Reply", "Task", "TaskVerdict"]


@dataclass(frozen=True, slots=True)
class Task:
    """A level that is to be won, or of which it is to be said that it cannot be.

    seed:       the one that `make` made it of
    id:         `winnable.load(task.id)` is its board
    verdict:    `solvable`: `line` wins, as the readable rules have checked; `unsolvable`: an exhaustive
                search found no line; `undecided`: the search ended before. The text does not tell it
    line:       moves that win; empty where none is known
    par:        no line has fewer moves than this, and one has as many; None: that is not proved
    least:      no line has fewer moves, as far as that is proved
    difficulty: how hard it is for a person, in the game's own measure; of an unsolvable level, how hard it
                were with one slot, drop or turn more. None: that cannot be told
    language:   of the text, and of what a score says
    """

    game: str
    seed: int
    id: str
    verdict: TaskVerdict
    line: tuple[str, ...]
    par: int | None
    least: int
    difficulty: Word | None
    language: Language = "en"

    @property
    def board(self) -> str:
        """The level as characters; where not all of it can be seen, each piece by its name as well."""
        game, puzzle = opened(self.id)
        with words.speaking(self.language):
            drawn = game.render(puzzle, puzzle.initial())
            if not isinstance(game, HidesSome):
                return drawn
            pieces = "\n".join(action_name(puzzle, action) for action in range(puzzle.num_actions))
            return f"{drawn}\n\n{words.t('task.pieces')}\n{pieces}"

    @property
    def text(self) -> str:
        """The whole question: the rules, the board, and how to answer."""
        with words.speaking(self.language):
            rules, moves = words.t(f"task.{self.game}"), words.t(f"task.{self.game}.moves")
            return "\n\n".join((rules, self.board, f"{moves}\n{words.t('task.answer')}"))

    @property
    def answer(self) -> str | None:
        """One that is worth 1: a line that wins, or the claim that there is none; None: the task is
        undecided."""
        return CLAIMS[0] if self.verdict == "unsolvable" else "; ".join(self.line) or None

    def score(self, answer: Reply | object) -> Score:
        """answer: text, such as a model's; or a list, tuple or array of moves, by their names or numbers; or
        the claim `unsolvable`. Which part of a text counts is said in docs/tasks.md. Anything else is worth
        0, with its `fault`; nothing is raised for an answer. The same answer has the same score, whatever
        was asked before. Raises WinnableError where the task says of its level what is not so."""
        game, puzzle = opened(self.id)
        line = [puzzle.parse_action(move) for move in self.line]
        proved = Proved(self.verdict, line, self.par, self.least)
        with words.speaking(self.language):
            return score(game, puzzle, proved, answer)


def read_task(content: bytes) -> Task:
    """A task as JSON, such as a line that `winnable tasks` wrote. Raises WinnableError where it is none, and
    where its line does not win by the rules."""
    task: Task = decode(content, Task)
    game, puzzle = opened(task.id)
    if game.name != task.game or not isinstance(game, SetsTasks):
        raise LevelError("task.game", field="game", given=game.name, game=task.game)
    line, length = [puzzle.parse_action(move) for move in task.line], len(task.line)
    if task.verdict == "solvable":
        if fault := line_fault(puzzle, line):
            raise fault.within("line")
        if task.par not in (None, length):
            raise LevelError("line.claim", field="par", claimed=task.par, cost=length)
        if not 0 <= task.least <= length:
            raise LevelError("line.claim", field="least", claimed=task.least, cost=length)
    return task


@lru_cache(maxsize=256)
def opened(task: str) -> tuple[Any, Any]:
    """The game of that identity, and the rules of the level."""
    game, level, _ = finish(find_level_or_board(task, "", Budget()))
    return game, game.puzzle(level)
