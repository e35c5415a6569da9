"""For programs: whole sets of levels, made, checked, measured, compared and repaired, on as many workers as
there are. What comes back is a sequence that is worked out as it is read."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from functools import partial
from itertools import chain
from math import inf
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar, cast, overload

from winnable.batches.checking import Check
from winnable.batches.making import Order
from winnable.batches.measuring import Measure, Measured, seeing_players
from winnable.batches.playing import games as games_of
from winnable.batches.repairing import Repair, is_passed_over
from winnable.batches.requests import LevelGiven, Request
from winnable.batches.running import Row, rows
from winnable.board import Board, side_by_side
from winnable.comparing import Ground, MethodScore, chosen, ground, new_rows, usual_games
from winnable.contract.abilities import repairs_of
from winnable.contract.arguments import MAX_SEED, number, of_kind, path_text, several, whole
from winnable.contract.core import Budget, LevelError, Progress, WinnableError, finish
from winnable.contract.game import Game
from winnable.contract.methods import choose_method
from winnable.contract.params import describe_params, make_params, split_pairs
from winnable.contract.registry import load_game
from winnable.levels.checking import Checked, Checking, Doubles, Looked, Span, sources
from winnable.levels.files import NamedLevel, read_file, read_level
from winnable.levels.find import files_of, find_named, in_file, is_file, level_text
from winnable.levels.identity import MAKING_SECONDS
from winnable.levels.making import Criteria, Difficulty
from winnable.play.session import Session
from winnable.workers.engines import Engine, make_engine

T = TypeVar("T")
Tell: TypeAlias = Callable[[int, int], object]
Levels: TypeAlias = "str | Path | Board | Iterable[str | Path | Board]"


_TABLES = ("facts", "players", "figures", "settings", "article")
"""Fields of rows that are tables themselves."""


class Workers(NamedTuple):
    """Where a set is worked out, and who hears (done, total) after each of its parts.

    workers:  processes of this machine, or "auto": as many as its cores and memory allow; None: this one
    executor: in their place `dask://HOST:PORT`, or any `concurrent.futures.Executor`, which stays open
    """

    workers: int | str | None = None
    executor: str | Executor | None = None
    progress: Tell | None = None

    @property
    def is_here(self) -> bool:
        return self.workers is None and self.executor is None

    def told(
        self,
        requests: Sequence[Request],
        again: Callable[[Row], Request | None] = lambda row: None,
    ) -> Iterator[Row]:
        """The rows, in order. Raises what is raised in one. The engine has been made by `checked`."""
        engine = self.checked()
        for row in rows(requests, engine, Budget(inf), again):
            if not isinstance(row, Progress):
                if self.progress is not None:
                    self.progress(row.number + 1, len(requests))
                yield row

    def checked(self) -> Engine:
        """Raises WinnableError that names the field."""
        return make_engine(self.workers, self.executor)


class Rows(Sequence[T], Generic[T]):
    """A sequence that is worked out as far as it is read: a loop has each row as it comes; `len`, `list` and
    whatever asks for the last one wait for all. `close` ends its workers before."""

    def __init__(self, stream: Generator[T]) -> None:
        """Made by `generate`, `check`, `measure`, `compare` and `repair`."""
        self._stream, self._rows = stream, list[T]()
        self._failure: Exception | None = None

    def __iter__(self) -> Iterator[T]:
        place = 0
        while self._reach(place + 1):
            yield self._rows[place]
            place += 1

    def __len__(self) -> int:
        self._reach(inf)
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        first = isinstance(index, int) and index >= 0
        self._reach(index + 1 if first else inf)  # type: ignore[operator]
        return self._rows[index]

    def __eq__(self, other: object) -> bool:
        return (
            list(self) == list(cast("Sequence[T]", other)) if isinstance(other, Sequence) else NotImplemented
        )

    def __repr__(self) -> str:
        return repr(list(self))

    def _repr_html_(self) -> str | None:
        """Boards as a notebook shows them, side by side."""
        shown = [row for row in self if isinstance(row, Board)]
        return side_by_side(shown) if shown else None

    def close(self) -> None:
        """What has come stays; no more will."""
        self._stream.close()

    def _reach(self, count: float) -> bool:
        """Whether there are so many. Raises what ended the stream, each time that more are asked for."""
        while len(self._rows) < count:
            if self._failure is not None:  # again: `list` passes over a TypeError where it asks for `len`
                raise self._failure
            try:
                self._rows.append(next(self._stream))
            except StopIteration:
                return False
            except Exception as error:
                self._failure = error
                raise
        return True


def generate(
    game: str,
    *,
    count: int = 1,
    seed: int = 1,
    difficulty: str | float | None = None,
    by: str = "careful",
    certify: bool = False,
    tight: bool = False,
    distinct: bool = False,
    layout: str | Path | None = None,
    solver: str = "",
    seconds: float | None = None,
    **params: Any,
) -> Rows[Board]:
    """Boards of a game's generator, as `winnable generate` makes them: fewer than `count` where 100 seeds for
    each were not enough.

    params:     of the generator, such as `layers=10`; `winnable games` lists them. Or all of them as one
                text, `params="layers=10,sets=4"`, or a mapping, where one has the name of something else here
    seed:       the first level's; the next ones count up from it. Where a level is not what is wanted, that
                of the seed `count` further stands in its place, up to 100 of them
    difficulty: the share of its games that the player `by` wins, as 0.2 or `"20%"`; or points of skill, as
                1500 or `"20 points"`. 20 alone might be either, and is refused
    certify, tight, distinct: see `levels.making.Criteria`
    layout:     of a generator that has such a parameter, one of its choices, such as `pagoda`; else a file,
                a drawing or a level onto whose places is dealt. A `Path` is always a file
    seconds:    for each seed that is tried, to make its level and as many to solve it; None: 10 where a line
                is wanted, else no limit
    workers, executor, progress: see `sets.Workers`

    Raises WinnableError.
    """
    where, made_for = _where(params), load_game(game)
    count, seed = whole("count", count, 0), whole("seed", seed, 0, MAX_SEED)
    given: dict[str, Any] = dict(params)
    if (more := given.pop("params", None)) is not None:
        pairs = isinstance(more, Mapping)
        given = {**(more if pairs else split_pairs(of_kind("params", more, str), made_for.name)), **given}
    file = None if layout is None else path_text("layout", layout)
    if file is not None and isinstance(layout, str) and _is_choice(made_for, "layout", file):
        given["layout"], file = file, None
    values = make_params(made_for.params_type, given, made_for.name)
    harder = None if difficulty is None else Difficulty.parse(difficulty)
    criteria = Criteria(count, bool(certify), bool(tight), harder, by, bool(distinct))
    read = None if file is None else partial(read_file, Path(file))
    limit = None if seconds is None else number("seconds", seconds, 0)
    order = Order(made_for, values, criteria, seed, read, of_kind("solver", solver, str) or None, limit)

    def made() -> Generator[Board]:
        for row in where.told([*map(order.request, range(count))], order.again):
            found = _sound(row.answer)
            if found.content is not None:
                yield _board(read_level(found.content))

    return Rows(made())


def _where(params: dict[str, Any]) -> Workers:
    """Takes what says where out of the parameters. Raises WinnableError."""
    named = {name: params.pop(name) for name in Workers._fields if name in params}
    where = Workers(**named)
    where.checked()
    return where


def _is_choice(game: Game, name: str, text: str) -> bool:
    """Whether the generator has a parameter of this name that takes this text; where it takes others, text
    that names no file is meant for it, too."""
    known = {param.name: param for param in describe_params(game.params_type)}
    if name not in known:
        return False
    return text in (known[name].choices or ()) or not is_file(text)


def check(
    levels: Levels,
    *,
    solve: bool = False,
    fewest: bool = False,
    distinct: bool = False,
    rate: bool = False,
    difficulty: str | None = None,
    seconds: float = 10.0,
    solver: str = "",
    seed: int = 0,
    workers: int | str | None = None,
    executor: str | Executor | None = None,
    progress: Tell | None = None,
) -> Rows[Checked]:
    """Whether levels are valid, and their certificates hold; one row for each, and for each line of a file of
    several. What cannot be read at all is a row with its problem, too.

    levels:   boards, files, folders, patterns, or what else `load` takes
    solve:    also decide whether each can be won. seconds: to look into each level, and as many to solve it
    fewest:   solve, and refuse a line that is not proved to be the fewest
    distinct: refuse a level that is, or looks like, an earlier one
    rate:     also say how hard each is for a person, on the scale of its game
    difficulty: rate, and refuse what is easier or harder than that: `800..1600`, `800..` or `..1600`
    seed:     of the solver's chance; also deals files that hold a layout only
    workers, executor, progress: see `sets.Workers`

    Raises WinnableError.
    """
    where = _where({"workers": workers, "executor": executor, "progress": progress})
    seconds, seed = number("seconds", seconds, 0), whole("seed", seed, 0, MAX_SEED)
    how = Checking(
        bool(solve),
        seconds,
        of_kind("solver", solver, str),
        seed,
        distinct=bool(distinct),
        fewest=bool(fewest),
        difficulty=None if difficulty is None else Span.parse(of_kind("difficulty", difficulty, str)),
        rate=bool(rate),
    )
    found = list[tuple[str, bytes | NamedLevel | WinnableError]]()
    for level in _each(levels):
        try:
            found += _entries(level, seed)
        except WinnableError as error:
            found.append((str(level), error))

    def checked() -> Generator[Checked]:
        doubles = Doubles()
        asked = [(source, one) for source, one in found if not isinstance(one, WinnableError)]
        answers = where.told([Check.of(source, one, how) for source, one in asked])
        for source, one in found:
            answer = one if isinstance(one, WinnableError) else next(answers).answer
            if isinstance(answer, WinnableError):
                answer = Looked(Checked(source, False, str(answer)), answer)
            yield doubles.judged(answer, how).checked

    return Rows(checked())


def measure(
    levels: Levels,
    *,
    by: Iterable[str] | None = None,
    games: int = 100,
    seconds: float = 60.0,
    seed: int = 0,
    workers: int | str | None = None,
    executor: str | Executor | None = None,
    progress: Tell | None = None,
) -> Rows[Measured]:
    """How hard levels are for people: players who see what a person sees play each of them.

    levels:  see `check`. by: players; None: all of the game that see what a person sees
    games:   for each player, as far as `seconds` for each level allow, and one at least
    workers, executor, progress: see `sets.Workers`

    Raises WinnableError.
    """
    where = _where({"workers": workers, "executor": executor, "progress": progress})
    names = None if by is None else [of_kind("by", one, str) for one in several("by", by)]
    games, seconds = whole("games", games, 1), number("seconds", seconds, 0)
    seed = whole("seed", seed, 0, MAX_SEED)
    asked = [
        Measure(
            game=named.game.name,
            level=LevelGiven.of(named),
            by=seeing_players(named, names),
            games=games,
            seed=seed,
            seconds=seconds,
        )
        for named in _named(levels, seed)
    ]

    def measured() -> Generator[Measured]:
        for row in where.told(asked):
            yield _sound(row.answer).measured

    return Rows(measured())


def repair(
    levels: Levels,
    *,
    method: str = "",
    seconds: float = 60.0,
    seed: int = 0,
    workers: int | str | None = None,
    executor: str | Executor | None = None,
    progress: Tell | None = None,
) -> Rows[Board | None]:
    """Levels changed as little as the method can so that they can be won; None where it found none in time,
    and in a set for levels of games that have no method.

    levels: see `check`. method: as `NAME` or `NAME(key=value,...)`; "": the game's first one
    workers, executor, progress: see `sets.Workers`

    Raises WinnableError.
    """
    where = _where({"workers": workers, "executor": executor, "progress": progress})
    seconds, seed = number("seconds", seconds, 0), whole("seed", seed, 0, MAX_SEED)
    found = [*_named(levels, seed)]
    passed = [is_passed_over(named, len(found) > 1) for named in found]
    asked = [
        Repair(
            game=named.game.name,
            level=LevelGiven.of(named),
            by=choose_method("method", repairs_of(named.game), method, named.game.name).label,
            seed=seed,
            seconds=seconds,
        )
        for named, is_passed in zip(found, passed, strict=True)
        if not is_passed
    ]

    def repaired() -> Generator[Board | None]:
        answers = where.told(asked)
        for is_passed in passed:
            content = None if is_passed else _sound(next(answers).answer).content
            yield None if content is None else _board(read_level(content))

    return Rows(repaired())


def compare(
    levels: Levels,
    *,
    by: str | Iterable[str] | None = None,
    games: int | None = None,
    seconds: float = 10.0,
    seed: int = 1,
    workers: int | str | None = None,
    executor: str | Executor | None = None,
    progress: Tell | None = None,
) -> Rows[MethodScore]:
    """Players and solvers side by side on the same games, as `winnable compare` does: a row for each method
    on each of the levels.

    levels:  `GAME` or `GAME:key=value,...`, a new level for each game; or see `check`
    by:      players and solvers, as `a,b(k=1)` or one by one, registered ones too; None: all of the game
    games:   for each; None: 10, of a file of several levels as many as it has. seconds: for each game
    seed:    of the first level and the first game; the next ones count up from it
    workers, executor, progress: see `sets.Workers`

    Raises WinnableError.
    """
    where = _where({"workers": workers, "executor": executor, "progress": progress})
    seconds, seed = number("seconds", seconds, 0), whole("seed", seed, 0, MAX_SEED)
    wanted = None if games is None else whole("games", games, 1)
    if by is not None and not isinstance(by, str):
        by = ",".join(of_kind("by", one, str) for one in several("by", by))
    grounds = [_ground(level, seed) for level in _each(levels)]
    names = sorted({one.first.game.name for one in grounds})
    if len(names) != 1:
        raise WinnableError("compare.games", field="levels", games=names)
    methods = chosen(grounds[0].first, by)
    compared = new_rows(grounds, methods, lambda one: wanted or usual_games(one), seed)

    def scores() -> Generator[MethodScore]:
        # Row by row, so that each comes when its last game is over.
        asked = [*chain.from_iterable(games_of([row], seconds, where.is_here) for row in compared)]
        answers = where.told([one.request for one in asked])
        for one, answer in zip(asked, answers, strict=False):
            one.row.played.append(_sound(answer.answer))
            if len(one.row.played) == one.row.games:
                yield one.row.standing

    return Rows(scores())


def _ground(level: Any, seed: int) -> Ground:
    budget = Budget(MAKING_SECONDS)
    return finish(ground(_text(level), seed, budget, lambda text: [*_named(level, seed)]))


def columns(found: Iterable[Any]) -> dict[str, list[str | float | bool | None]]:
    """The rows of `check`, `measure` or `compare` as columns, but what is itself a table: what
    `pandas.DataFrame`, `polars.DataFrame` and `pyarrow.table` take. Raises WinnableError for what is no such
    row."""
    kept: list[Any] = [*several("rows", found)]
    kind: Any = type(kept[0]) if kept and isinstance(kept[0], Measured | MethodScore) else Checked
    names = Checked.__slots__ if kind is Checked else kind.__struct_fields__
    kept = [of_kind("rows", row, kind) for row in kept]
    return {name: [getattr(row, name) for row in kept] for name in names if name not in _TABLES}


# -- parts ---------------------------------------------------------------------------------------------------


def _sound(answer: Any) -> Any:
    if isinstance(answer, WinnableError):
        raise answer
    return answer


def _board(named: NamedLevel) -> Board:
    return Board(Session(named))


def _each(levels: Levels) -> list[Any]:
    one = isinstance(levels, str | Path | Board)
    return [levels] if one else [*several("levels", cast("Iterable[Any]", levels))]


def _text(level: Any) -> str:
    return level.id if isinstance(level, Board) else level_text(level)


def _named(levels: Levels, seed: int) -> Iterator[NamedLevel]:
    """Raises WinnableError that names the file or level."""
    for level in _each(levels):
        for source, one in _entries(level, seed):
            try:
                yield read_level(one, seed) if isinstance(one, bytes) else one
            except LevelError as error:
                raise error.within(source[:200]) from None


def _entries(level: Any, seed: int) -> list[tuple[str, bytes | NamedLevel]]:
    """(source, level) of all that are meant. Raises WinnableError."""
    if isinstance(level, Board):
        return [(level.id, level.named)]
    text = level_text(level)
    if (names := files_of(text)) is not None:
        return [entry for name in names for entry in sources(name, read_file(Path(name)))]
    if (found := in_file(text)) is None:
        return [(text, find_named(text, seed, Budget(MAKING_SECONDS)))]
    if found.line is not None:
        return [(text, found.read())]
    return [*sources(text, read_file(Path(text)))]
