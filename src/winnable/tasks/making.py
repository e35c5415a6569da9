"""Makes tasks of seeds. All that ends a search or a draw is a count: the same request gives the same task on
every machine."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, get_args, overload

from winnable.analysis.rating import rating_of
from winnable.contract.abilities import SetsTasks
from winnable.contract.arguments import MAX_SEED, of_kind, whole
from winnable.contract.core import Answer, Budget, WinnableError, action_name, check_line, finish
from winnable.contract.game import Game, GaveUp
from winnable.contract.params import pairs_text
from winnable.contract.registry import load_game
from winnable.levels.files import NamedLevel
from winnable.levels.identity import parse_params
from winnable.stats.difficulty import Word
from winnable.tasks.scoring import EFFORT
from winnable.tasks.task import Language, Task, TaskVerdict

MOST_LEVELS = 1_000
"""Made for one task."""


class _Wanted(NamedTuple):
    """What `make` is asked for; in this form it is remembered."""

    game: str
    seed: int
    difficulty: Word | None
    solvable: bool | None
    params: str
    language: Language


def make(
    game: str,
    seed: int,
    *,
    difficulty: Word | None = None,
    solvable: bool | None = None,
    params: str | Mapping[str, Any] = "",
    language: Language = "en",
) -> Task:
    """A task, always the same one for the same request.

    game:       one that sets tasks: `triple`, `drops` or `rotate`
    difficulty: how hard; None: each word that the game has tasks for as likely as any other or, with
                `params`, whatever comes
    solvable:   None: as likely as not or, where that is all that comes, undecided
    params:     of the game's generator, as `rows=4,columns=4,slack=1`, or a mapping; "": the game's own for
                that difficulty
    language:   of the text

    Raises WinnableError; GaveUp (one of these) when no level is found that is as wanted.
    """
    return _made(_wanted(game, seed, difficulty, solvable, params, language))


def _wanted(
    game: str,
    seed: int,
    difficulty: Word | None,
    solvable: bool | None,
    params: str | Mapping[str, Any],
    language: Language,
) -> _Wanted:
    """Raises WinnableError for what is of no such kind."""
    seed = whole("seed", seed, 0, MAX_SEED)
    if language not in get_args(Language):
        known = [*get_args(Language)]
        raise WinnableError("params.choice", field="language", given=str(language)[:40], known=known)
    if difficulty is not None:
        of_kind("difficulty", difficulty, str)
    if solvable not in (None, True, False):
        raise WinnableError(
            "params.choice", field="solvable", given=str(solvable)[:40], known=["None", "True", "False"]
        )
    of_kind("game", game, str)
    return _Wanted(game, seed, difficulty, solvable, pairs_text(params), language)


class Dataset(Sequence[Task]):
    """`dataset[i]` is the task that `make` makes of `seed + i`, when it is asked for."""

    def __init__(self, size: int, first: _Wanted) -> None:
        """Made by `dataset`."""
        self._size, self._first = size, first

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, index: int) -> Task: ...
    @overload
    def __getitem__(self, index: slice) -> list[Task]: ...
    def __getitem__(self, index: int | slice) -> Task | list[Task]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._size))]
        if not -self._size <= (index := whole("index", index)) < self._size:
            raise IndexError(index)
        return _made(self._first._replace(seed=self._first.seed + index % self._size))


def dataset(
    game: str,
    size: int,
    seed: int = 0,
    *,
    difficulty: Word | None = None,
    solvable: bool | None = None,
    params: str | Mapping[str, Any] = "",
    language: Language = "en",
) -> Dataset:
    """So many tasks, of the seeds from `seed` on; the rest as for `make`. Raises WinnableError likewise, when
    a task is asked for."""
    first = _wanted(game, seed, difficulty, solvable, params, language)
    return Dataset(whole("size", size, 0, MAX_SEED + 1 - first.seed), first)


class _Decided(NamedTuple):
    level: Any
    found: Answer


@lru_cache(maxsize=1024)
def _made(wanted: _Wanted) -> Task:
    game = load_game(wanted.game)
    if not isinstance(game, SetsTasks):
        raise WinnableError("none", field="tasks", game=game.name)
    name, _, difficulty, solvable, params, _ = wanted
    known: list[Word] = [*(get_args(Word) if params else game.tasks)]
    if difficulty is not None and difficulty not in known:
        raise WinnableError("params.choice", field="difficulty", given=str(difficulty)[:40], known=known)
    rng = random.Random(f"{name}:{params}:{difficulty}:{solvable}#{wanted.seed}")
    difficulty = difficulty or (None if params else known[int(rng.random() * len(known))])
    wins = rng.random() < 0.5 if solvable is None else solvable
    for _ in range(MOST_LEVELS):
        level = _drawn(game, difficulty, params, rng)
        if level is None:
            continue
        winnable, rest = _tightened(game, level)
        chosen, rated = rest, winnable[-1] if winnable else None
        if wins and winnable:
            chosen = rated = winnable[int(rng.random() * len(winnable))]
        if chosen is None or (solvable is not None and chosen.found.status != _STATUS[solvable]):
            continue
        rating = finish(rating_of(NamedLevel(game, rated.level, ""), Budget())) if rated else None
        if difficulty is None or (rating is not None and rating.word == difficulty):
            return _task(game, wanted, chosen, rating.word if rating else None)
    raise GaveUp("task.none", field="params", levels=MOST_LEVELS)


_STATUS = {True: "solved", False: "unsolvable"}
_VERDICTS: dict[str, TaskVerdict] = {"solved": "solvable", "unsolvable": "unsolvable", "budget": "undecided"}


def _drawn(game: Any, difficulty: Word | None, params: str, rng: random.Random) -> Any | None:
    """None: there is none of that seed. Raises WinnableError."""
    choices = [params] if params else game.tasks[difficulty]
    text = choices[int(rng.random() * len(choices))]
    try:
        level = finish(game.generate(parse_params(game, text), int(rng.random() * MAX_SEED)))
    except GaveUp:
        return None
    if not game.tells_rules(level):
        raise WinnableError("task.variant", field="params")
    return level


def _tightened(game: Any, level: Any) -> tuple[list[_Decided], _Decided | None]:
    """The level with less and less help, as long as it can be won; and the first that cannot, or of which
    that is not known. None: it has nothing that could be less."""
    winnable: list[_Decided] = []
    while True:
        puzzle = game.puzzle(level)
        solve, budget = next(iter(game.solvers.values())), Budget(expanded=EFFORT)
        found = finish(solve(puzzle, puzzle.initial(), budget, 0))
        if found.status != "solved":
            return winnable, _Decided(level, found)
        check_line(puzzle, found.actions)
        winnable.append(_Decided(level, found))
        tighter = game.tighter(level)
        if tighter == level:
            return winnable, None
        level = tighter


def _task(game: Game, wanted: _Wanted, decided: _Decided, word: Word | None) -> Task:
    level, found = decided
    puzzle = game.puzzle(level)
    return Task(
        game=game.name,
        seed=wanted.seed,
        id=f"{game.name}:{game.format_board(level)}",
        verdict=_VERDICTS[found.status],
        line=tuple(action_name(puzzle, action) for action in found.actions),
        par=found.cost if found.optimal else None,
        least=found.cost or 0 if found.optimal else found.lower_bound or 0,
        difficulty=word,
        language=wanted.language,
    )
