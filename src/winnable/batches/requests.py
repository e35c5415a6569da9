"""What a batch is made of: requests by name and bytes, never functions, so that any process with the same
winnable answers them alike. An answer hangs on its request alone, but for what clocks end."""

from __future__ import annotations

import hashlib
import os
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from winnable import __version__, tasks
from winnable.analysis.engine import engine
from winnable.batches.measuring import Told, measured
from winnable.batches.rating import rated
from winnable.comparing import Played, play
from winnable.contract.abilities import repairs_of, solvers_of
from winnable.contract.core import Budget, LevelError, Progress, Search, WinnableError, begun
from winnable.contract.errors import GaveUp
from winnable.contract.guests import bring
from winnable.contract.methods import choose_method, parse_method
from winnable.contract.params import make_params
from winnable.contract.provenance import unchecked_replace
from winnable.contract.registry import load_game
from winnable.levels.certificates import line_fault
from winnable.levels.checking import Checking, Looked, look
from winnable.levels.files import NamedLevel, encode_level, read_level
from winnable.levels.find import made_level
from winnable.levels.identity import MAKING_SECONDS, parse_identity, picture_id
from winnable.levels.making import Criteria, Solving, generator, make_level
from winnable.stats.difficulty import Word
from winnable.tasks.task import Language
from winnable.tuning import tuned
from winnable.tuning.tuned import Weights


class _Request(Struct, frozen=True, kw_only=True, tag=True):
    """game: whose kernels it needs. version: of the winnable that asks"""

    game: str
    version: str = __version__

    def answer(self, whole: Budget) -> Search[Any]:
        """The row. Raises WinnableError."""
        raise NotImplementedError

    @property
    def name(self) -> str:
        """The same for the same request, in every process."""
        return hashlib.sha256(msgspec.msgpack.encode(self)).hexdigest()[:16]


class LevelGiven(Struct, frozen=True):
    """A level by its content. id: what it was asked for by"""

    content: bytes
    id: str

    @classmethod
    def of(cls, named: NamedLevel) -> LevelGiven:
        return cls(encode_level(named.level), named.id)

    def named(self) -> NamedLevel:
        return read_level(self.content)._replace(id=self.id)


class Made(NamedTuple):
    """See `levels.making.Made`. content: the level as a file has it; picture: the same for levels that look
    alike to a person"""

    seed: int
    content: bytes | None
    picture: str
    statuses: frozenset[str]
    gave_up: tuple[tuple[int, GaveUp], ...]


class Make(_Request, frozen=True, kw_only=True):
    """One level, the first that is what is wanted of `tries` seeds from `seed` on, each `step` further.

    layout: what is dealt onto its places: a drawing or a level
    by:     the solver, as `choose_method` reads it; None: the game's first one
    """

    params: dict[str, Any]
    seed: int
    step: int
    tries: int
    criteria: Criteria
    layout: bytes | None = None
    by: str | None = None
    seconds: float | None = None
    memory: int | None = None

    def answer(self, whole: Budget) -> Search[Made]:
        game, criteria = load_game(self.game), self.criteria
        layout = self.layout
        generate = generator(game, criteria, None if layout is None else lambda: layout)
        params = make_params(game.params_type, self.params, game.name)
        decides = bool(self.by or criteria.certify or criteria.tight)
        by = choose_method("solver", solvers_of(game), self.by, game.name) if decides else None
        how = Solving(by, self.seconds, self.memory)
        seeds = range(self.seed, self.seed + self.step * self.tries, self.step)
        made = yield from make_level(game, generate, params, seeds, criteria, how, whole)
        if made.level is None:
            return Made(made.seed, None, "", made.statuses, made.gave_up)
        picture = picture_id(game, made.level) if criteria.distinct else ""
        return Made(made.seed, encode_level(made.level), picture, made.statuses, made.gave_up)


class Check(_Request, frozen=True, kw_only=True):
    """Whether a level is valid, its certificate holds, and it can be won. game: "" where that is not known;
    level: bytes that may be none. source: as the system has it: the name of a file need be no text"""

    source: bytes
    level: bytes | LevelGiven
    how: Checking

    @classmethod
    def of(cls, source: str, level: bytes | NamedLevel, how: Checking) -> Check:
        if isinstance(level, bytes):
            return cls(game="", source=os.fsencode(source), level=level, how=how)
        return cls(game=level.game.name, source=os.fsencode(source), level=LevelGiven.of(level), how=how)

    def answer(self, whole: Budget) -> Search[Looked]:
        content = self.level.named() if isinstance(self.level, LevelGiven) else self.level
        looked = yield from look(os.fsdecode(self.source), content, self.how, whole)
        if not self.how.is_rated or not looked.checked.ok:
            return looked
        named = content if isinstance(content, NamedLevel) else read_level(content, self.how.seed)
        return (yield from rated(looked, named, self.how, whole))


class Measure(_Request, frozen=True, kw_only=True):
    """How hard a level is for people. by: players, each of whom plays so many games"""

    level: LevelGiven
    by: tuple[str, ...]
    games: int
    seed: int
    seconds: float

    def answer(self, whole: Budget) -> Search[Told | None]:
        return measured(self.level.named(), self.by, self.games, self.seed, self.seconds, whole)


class Repaired(NamedTuple):
    """content: the level as a file has it; None: none was found, for a reason"""

    content: bytes | None
    reason: LevelError | None = None
    told: Progress | None = None
    """The last that the method told."""


class Repair(_Request, frozen=True, kw_only=True):
    """A level changed so that it can be won. named: the new one says that it was made for this request"""

    level: LevelGiven
    by: str
    seed: int
    seconds: float
    memory: int | None = None
    named: bool = False

    def answer(self, whole: Budget) -> Search[Repaired]:
        game, named = load_game(self.game), self.level.named()
        method = choose_method("method", repairs_of(game), self.by, game.name)
        budget, told = whole.part(most=self.seconds, memory_mb=self.memory), None
        steps = begun(partial(method.method, named.level, self.seed, budget))
        try:
            while True:
                told = next(steps)
                yield told
        except StopIteration as end:
            level = end.value
        except LevelError as error:
            return Repaired(None, error, told)
        claim = level.certificate
        fault = None if claim is None else line_fault(game.puzzle(level), claim.actions)
        if fault is not None:
            raise WinnableError(f"method {method.name}: {fault}")
        if self.named and level.provenance is not None:
            origin = replace(level.provenance, request=self.name)
            level = unchecked_replace(level, provenance=origin)
        return Repaired(encode_level(level), None, told)


class Play(_Request, frozen=True, kw_only=True):
    """One game of a player or a solver, see `comparing.play`.

    level:   or the identity of one that is still to be made
    weights: that `by` names, where these are not the game's own
    guest:   where to find what `by` names, where that is not ours
    """

    level: LevelGiven | str
    by: str
    seed: int
    seconds: float
    weights: Weights | None = None
    guest: str = ""

    def answer(self, whole: Budget) -> Search[Played | None]:
        game = load_game(self.game)
        bring(game.name, parse_method(self.by).name, self.guest)
        if isinstance(self.level, str):
            named = yield from made_level(parse_identity(self.level), whole.part(most=MAKING_SECONDS))
        else:
            named = self.level.named()

        def find(text: str) -> Weights | None:
            return self.weights

        by = choose_method("by", tuned.methods(game, find), self.by, game.name)
        is_solver = by.name in tuned.solvers(game, find)
        return (yield from play(whole, named, by, self.seed, self.seconds, is_solver))


class SetTask(_Request, frozen=True, kw_only=True):
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


Request: TypeAlias = Make | Check | Measure | Repair | Play | SetTask


def answered(request: Request, whole: Budget) -> Search[Any]:
    """The row, once the kernels are there that it needs. Raises WinnableError, also for a request of another
    version."""
    if request.version != __version__:
        raise WinnableError("batch.version", field="executor", ours=request.version, other=__version__)
    return engine().run(partial(request.answer, whole), whole)


def answer_encoded(request: bytes) -> Search[Any]:
    """Likewise, on a worker; what it refuses is returned."""
    try:
        return (yield from answered(msgspec.msgpack.decode(request, type=Request), Budget()))
    except WinnableError as error:
        return error
