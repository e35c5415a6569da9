"""What only some games can do: a Protocol for each ability, and one question: `isinstance(game, Refutes)`.

A game has an ability when its class inherits from it. What has to be imported for it is imported inside the
method, so that a shell that lists games imports nothing that compiles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, TypeAlias, runtime_checkable

from msgspec import Struct

from winnable.contract import guests
from winnable.contract.core import (
    Action,
    Answer,
    Budget,
    Found,
    LevelError,
    Player,
    Progress,
    Reason,
    Search,
    Solver,
    searching,
)
from winnable.contract.game import Game, Generate
from winnable.contract.generics import TypeVar
from winnable.contract.methods import Wanted

if TYPE_CHECKING:
    import numpy as np
    from click import Command
    from numpy.typing import NDArray

    from winnable.contract.areas import Area
    from winnable.contract.chance import Outlook
    from winnable.contract.hosts import Host
    from winnable.contract.provenance import ClosedSet
    from winnable.contract.tables import Table
    from winnable.contract.tunable import Tunable
    from winnable.stats.difficulty import Rating, Word

Lent = TypeVar("Lent", default=Any, contravariant=True)
Repair: TypeAlias = Callable[[Any, int, Budget], Found[Any]]
"""(level, seed, budget) -> a winnable level with few changes. Raises LevelError."""
Within: TypeAlias = Callable[[Any, int, Budget], Found[Answer]]
"""(state, most, budget) -> a line of at most `most` actions, or `unsolvable`: no line has so few."""


@runtime_checkable
class Solves(Protocol):
    """The game has a goal."""

    solvers: ClassVar[Mapping[str, Solver]]
    """By name; the first one is the default. They may be `methods.Settable`, as may players and repairs."""

    def live_solver(self, puzzle: Any) -> Solver:
        """A solver as the first one, for positions of one game one after the other: it may go on from what it
        saw before, so that other lines may be found."""
        return next(iter(self.solvers.values()))

    def solver_after(self, puzzle: Any, state: Any) -> Solver:
        """A solver as the first one, for the states one action after this one: what these have in common it
        may search only once. For one thread."""
        return next(iter(self.solvers.values()))


class ProvesFewest(Solves):
    """Lines differ in length, and the default solver proves which is the shortest. It then also gives a line
    when it has no proof yet."""

    def can_be_lost(self, puzzle: Any) -> bool:
        """Whether an action may lead from a state that can be won to one that cannot."""
        return True

    def undo(self, puzzle: Any, action: Action) -> Action | None:
        """The action that takes this one back, whatever the state; None: there is none."""
        return None

    def within(self, puzzle: Any) -> Within | None:
        """What tells whether few actions suffice, for many positions of one game: it may go on from what it
        saw before. For one thread. None: on this level the fewest actions are not what counts."""

        def solve(state: Any, most: int, budget: Budget) -> Search[Answer]:
            found = yield from searching(next(iter(self.solvers.values()))(puzzle, state, budget, 0))
            if found.status == "solved" and len(found.actions) <= most:
                return found
            if found.status != "unsolvable" and (found.lower_bound or 0) <= most:
                return Answer("budget", limit=found.limit)
            return Answer("unsolvable", generated=found.generated)

        return solve


MOST_MARKED = 8


@runtime_checkable
class Refutes(Protocol):
    """It can say why a position is lost, so that the readable rules and a person can check it."""

    def reason(self, puzzle: Any, state: Any, budget: Budget) -> Found[Reason | None]:
        """Counts that a person can redo, about a few tiles or cells. None: there is none so short, or it was
        not found, or the position is not lost."""
        ...

    def reason_fault(self, puzzle: Any, state: Any, reason: Reason) -> LevelError | None:
        """Why the reason does not show, by the readable rules, that the position is lost, or says something
        that is not so; None when it holds."""
        ...

    def refute(self, puzzle: Any, state: Any, budget: Budget) -> Found[ClosedSet | None]:
        """A closed set of positions that is small enough to be walked through; None: there is none, or it was
        not found, or the game has no such thing."""
        return None

    def refutation_fault(self, puzzle: Any, claim: ClosedSet) -> LevelError | None:
        """Why the claim does not prove that the level cannot be won; None when it does."""
        return LevelError("closed.unknown", field="closed_set")


@runtime_checkable
class Foresees(Protocol):
    """There is no goal, but a state promises something."""

    forgets: ClassVar[bool] = False
    """The end of a game comes at each action about as likely as at any other, however long it has lasted: so
    games that were cut short tell the mean too (see `winnable.tuning.survival`)."""

    def outlook(self, puzzle: Any, state: Any, budget: Budget, seed: int) -> Found[Outlook]:
        """The score to come, the risk, and what actions are worth, as far as the game can say it."""
        ...


@runtime_checkable
class Weighs(Protocol):
    """What actions cost can be said where there is no goal."""

    def weigh(self, puzzle: Any, state: Any, budget: Budget, seed: int) -> Found[Outlook]:
        """What each action is worth."""
        ...


class ForeseesActions(Foresees, Weighs):
    """The outlook itself says what each action is worth."""

    def weigh(self, puzzle: Any, state: Any, budget: Budget, seed: int) -> Found[Outlook]:
        return self.outlook(puzzle, state, budget, seed)


@runtime_checkable
class AnswersFirst(Protocol):
    """Something can be said within a second where nothing is compiled yet."""

    def first(self, puzzle: Any, state: Any, budget: Budget, seed: int) -> Found[Answer | Outlook]:
        """Made for kernels that run as plain Python (see `uncompiled`). In a game with a goal a
        `Answer`: a line, after which shorter ones are looked for only a moment; a proof where that is
        cheap; else `budget`. In a game without one an `Outlook`, which names the player whose games it is
        from. Raises nothing but WinnableError. Keeps to its budget as nearly as its steps allow, of which one
        may take some tenths of a second; the same seed, the same answer, as long as the clock does not cut
        it."""
        ...


@runtime_checkable
class RollsDice(Protocol):
    """Levels have dice of their own."""

    def with_dice(self, level: Any, seed: int) -> Any:
        """The same level with its chance from that seed."""
        ...


@runtime_checkable
class ChangesLevels(Protocol):
    """One level leads to another while it is played."""

    def follow(self, level: Any, won: Any) -> Any:
        """(level, its won state) -> the level that an endless game goes on with; None when it ends there."""
        return None

    def cheat(self, level: Any) -> Any:
        """An easier level in which every action of a game on this one stays legal (the articles' 开挂); None:
        there is none."""
        return None


@runtime_checkable
class PointsOut(Protocol):
    """It can say where to look for an action."""

    def area(self, puzzle: Any, state: Any, action: Action) -> Area:
        """Large enough not to give the action away. action: a legal one."""
        ...


@runtime_checkable
class Explains(Protocol):
    """It can say why a state takes so many actions at the least, or by what figures a player judges it."""

    def explain(self, puzzle: Any, state: Any) -> Any:
        """In parts that the game's drawing module shows; it encodes to JSON by msgspec."""
        ...


class Figure(Struct, frozen=True):
    """Something measured about a level; `value` encodes to JSON, `said` says it in the language of now.
    number: what tables sort it by; None: nothing"""

    name: str
    value: Any
    said: Callable[[], str]
    number: float | None = None


@runtime_checkable
class Rates(Protocol):
    """It can say in a word how hard a level is for a person."""

    def rate(self, level: Any, budget: Budget, seed: int) -> Found[Rating | None]:
        """The same for the same seed. None: the budget ended before, or it cannot be told of such a level."""
        ...

    def measure(self, level: Any, budget: Budget, seed: int) -> Iterator[Figure | Progress]:
        """What can be proved of how hard it is: figures as they become known. Raises LevelError."""
        return iter(())


class Chance(Struct, frozen=True):
    """An estimate of how surely a player wins from a state without seeing what is hidden from a person.

    player:    who played
    won:       of so many `games`
    low, high: 95 % interval of the share
    """

    player: str
    won: int
    games: int
    low: float
    high: float


@runtime_checkable
class HidesSome(Protocol):
    """A person does not see all of a state."""

    def chance(self, puzzle: Any, state: Any, budget: Budget, seed: int) -> Iterator[Chance | Progress]:
        """By games from there, as more of them are played, by a player who does not see what is hidden, on
        the level as it is. Nothing where all can be seen."""
        ...


@runtime_checkable
class HasSkills(Protocol):
    """Some of its players know and look at no more than a person does."""

    skills: ClassVar[Mapping[str, float]]
    """These -> their skill (see skill.py), the quickest first."""


@runtime_checkable
class DealsToOrder(HasSkills, Protocol):
    """Levels can be made as hard as asked, dealt onto places that are given, and repaired."""

    repairs: ClassVar[Mapping[str, Repair]]

    def to_order(self, level: Any, player: str, share: float, seed: int, budget: Budget) -> Found[Any]:
        """The level, changed so that the player wins this share of its games, with a line. Raises LevelError,
        GaveUp (one of these) when it found none."""
        ...

    def dealer(self, content: bytes) -> Generate:
        """A file that says where the pieces lie (a drawing, or a level) -> what deals anew onto their places.
        Raises LevelError."""
        ...


class SetsTasks(Solves, Rates):
    """Its levels are set as tasks for programs (see `winnable.tasks`). Their rules are, in short and exactly,
    `task.GAME` in its words, and `task.GAME.moves` says how moves are written."""

    tasks: ClassVar[Mapping[Word, Sequence[str]]]
    """How hard -> parameters of the generator that often make such levels, so that they can be won."""

    def tells_rules(self, level: Any) -> bool:
        """Whether these words are the rules of this level, which may be of a variant."""
        return True

    def tighter(self, level: Any) -> Any:
        """The level with less of what helps, or the level itself where it has nothing of that. It is *tight*
        when it can be won and this one cannot."""
        return level

    def picture(self, level: Any) -> str | None:
        """The same text for levels that look alike to a person, as when mirrored; None: all differ."""
        return None


class Recording(NamedTuple):
    """A game of another program, as far as it was played."""

    level: Any
    actions: Sequence[Action] = ()


def when_named(content: bytes) -> bool:
    """Of a format that looks like another one: it reads nothing unless it is named."""
    return False


@dataclass(frozen=True, slots=True)
class Format:
    """What other programs write of one game: a level, a position, or all that was played. What it is called
    on the page is `format.GAME.NAME` in the game's words."""

    name: str
    about: str
    read: Callable[[bytes, int], Recording]
    """(content, deal seed) -> the game. Raises LevelError."""
    write: Callable[[Recording], bytes] | None = None
    """UTF-8. Raises LevelError for what it cannot say."""
    knows: Callable[[bytes], bool] | None = None
    """Whether the content is meant as this and as nothing else: then it alone reads it, or says what is
    wrong. None: it cannot tell, and is tried where no other knows."""
    suffix: str = ""
    """Ends the names of its files; "": it is text that people copy."""

    @classmethod
    def of_levels(
        cls,
        name: str,
        about: str,
        read: Callable[[bytes, int], Any],
        write: Callable[[Any], bytes] | None,
        knows: Callable[[bytes], bool] | None = None,
        suffix: str = "",
    ) -> Format:
        """It says nothing of what was played. read: (content, deal seed) -> level."""
        written: Callable[[Recording], bytes] | None = write and (lambda game: write(game.level))
        return cls(name, about, lambda content, seed: Recording(read(content, seed)), written, knows, suffix)


class Field(NamedTuple):
    """An array of whole numbers from `low` to `high`, both included; dtype: numpy's name of it."""

    shape: tuple[int, ...]
    dtype: str
    low: int
    high: int


class Arrays(Protocol):
    """What a person sees of each state of one level, as arrays of the same shapes: nothing that is hidden."""

    @property
    def fields(self) -> Mapping[str, Field]: ...
    def fill(self, state: Any, into: Mapping[str, NDArray[Any]]) -> None:
        """into: an array for each of the fields, by its name; anything may stand in it before"""
        ...


@runtime_checkable
class GivesArrays(Protocol):
    """Programs that learn can look at its states."""

    def arrays(self, puzzle: Any) -> Arrays: ...


class Ledger(NamedTuple):
    """What a batch keeps beside its games, an entry for each.

    masks:   int8 [games, actions], 1 for the legal ones; all 0 when the game is over
    rewards: float64, of the last step
    over:    bool, the last step left no legal action
    cut:     bool, there were `limit` actions
    seeds:   int64, of the game under way
    steps:   int64, actions since it began
    turns:   int64, those that were legal
    """

    masks: NDArray[np.int8]
    rewards: NDArray[np.float64]
    over: NDArray[np.bool_]
    cut: NDArray[np.bool_]
    seeds: NDArray[np.int64]
    steps: NDArray[np.int64]
    turns: NDArray[np.int64]


class Batch(Protocol):
    """Many games side by side, which a kernel moves on. All its arrays are overwritten as it does."""

    @property
    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """The fields of all games: of a field's shape and a dimension more before, the games."""
        ...

    @property
    def written(self) -> Sequence[NDArray[Any]]:
        """All that the games change; a batch of the same games that has the same in them goes on alike."""
        ...

    @property
    def ledger(self) -> Ledger:
        """Who plays on, what was paid, which seeds are played."""
        ...

    def begin(self, chosen: NDArray[np.bool_] | None = None) -> None:
        """chosen: bool [games], those that begin, each by its seed in the ledger; None: all."""
        ...

    def step(self, actions: NDArray[np.int64]) -> int:
        """An action of each game; in place of it what ended with the step before begins anew, by the seed
        that follows. Returns the first game whose action is refused, and plays none then; -1: there is none.
        """
        ...


class Terms(NamedTuple):
    """Of a batch.

    reward:  its name, see `envs.rewards`
    limit:   actions after which a game is cut; 0: never
    illegal: what an action pays that is not legal, and does nothing
    strict:  these are refused
    """

    reward: str
    limit: int = 0
    illegal: float = 0.0
    strict: bool = False


@runtime_checkable
class PlaysBatches(GivesArrays, Protocol):
    """Many of its games can be played at once."""

    def batch(self, puzzles: Sequence[Any], games: int, terms: Terms) -> Batch:
        """puzzles: of the same fields; a game with seed s is on the one at s modulo their number, in games of
        chance with the dice of s. Raises WinnableError."""
        ...


@runtime_checkable
class Converts(Protocol):
    """It reads or writes what other programs do, and actions as others write them."""

    formats: ClassVar[Mapping[str, Format]]
    notations: ClassVar[Mapping[str, Callable[[Any, Action], str]]] = {}
    """Name -> (puzzle, action) -> how the action is written in it; the puzzle reads all of them."""


@runtime_checkable
class Tunes(Protocol):
    """Weights of its solvers and players can be tuned."""

    tunables: ClassVar[Mapping[str, Callable[[], Tunable]]]
    """Name -> makes what has that name."""

    gains: ClassVar[Mapping[str, str]] = {}
    """Of those whose loss is the negative of what people count: what that is, `measure.WHAT` in the words."""

    def as_in_its_article(self, tunable: str) -> Wanted | None:
        """The optimiser with which an article tunes these weights, and what it is set to; None: none does."""
        return None

    def live(self, tunable: str) -> str | None:
        """The game's own page where what is made of these weights plays in real time: it reads `#by=run:ID`;
        None: there is none."""
        return None

    def stage(self, tunable: str) -> str | None:
        """The shipped level where these weights are seen at play; None: the first one."""
        return None


@runtime_checkable
class KeepsFiles(Protocol):
    """Its players and judges read files that are made once and kept."""

    def tables(self) -> Sequence[Table]:
        """The tables that are read where they are there."""
        ...

    def unpack(self) -> None:
        """Makes whatever else is made once and kept; does nothing where it is there."""
        ...


@runtime_checkable
class Commands(Protocol):
    """It has commands of its own. Their lines in `--help` stand in its words, as `command.NAME`: so none is
    imported to be listed."""

    def commands(self) -> Mapping[str, Command]:
        """By name; imported here."""
        ...


@runtime_checkable
class Pages(Protocol[Lent]):
    """It has pages of its own in the studio, each at `/NAME`, a name that no game has. What leads there is in
    its words: the title is `page.NAME`, then there are `.about`, `.go` and `.invite`, and for the help
    `rules.NAME.1` and on."""

    pages: ClassVar[Mapping[str, Path]]
    """Name -> folder with `index.html` and `card.svg`; its files are served as `/NAME/...`."""

    def host(self, page: str, services: Lent) -> Host | None:
        """(name, what the studio lends) -> who answers the page at `/ws/NAME`; imported here. Made when it is
        first needed, in a thread. None: nobody does."""
        return None


# -- what can be named on a command line or the page: nothing where the game has no such ability -----------


def solvers_of(game: Game) -> Mapping[str, Solver]:
    """The game's own ones, then those of others."""
    return {**game.solvers, **guests.solvers(game.name)} if isinstance(game, Solves) else {}


def players_of(game: Game) -> Mapping[str, Callable[[Any, int], Player]]:
    """Likewise."""
    return {**game.players, **guests.players(game.name)}


def repairs_of(game: Game) -> Mapping[str, Repair]:
    return game.repairs if isinstance(game, DealsToOrder) else {}


def formats_of(game: Game) -> Mapping[str, Format]:
    return game.formats if isinstance(game, Converts) else {}


def notations_of(game: Game) -> Mapping[str, Callable[[Any, Action], str]]:
    return game.notations if isinstance(game, Converts) else {}


def tunables_of(game: Game) -> Mapping[str, Callable[[], Tunable]]:
    return game.tunables if isinstance(game, Tunes) else {}


def skills_of(game: Game) -> Mapping[str, float]:
    return game.skills if isinstance(game, HasSkills) else {}
