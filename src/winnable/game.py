"""What a game hands to the shells: one `Game` value, made in `games/<name>/game.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct

from winnable.chance import Outlook
from winnable.core import Action, Budget, LevelError, Player, Puzzle, Solver, SolveResult
from winnable.errors import GaveUp as GaveUp
from winnable.methods import Settable
from winnable.provenance import ClosedSet
from winnable.tables import Table
from winnable.tuning.tunable import Tunable


@dataclass(frozen=True, slots=True)
class Format:
    """A foreign file format of one game."""

    name: str
    about: str
    read: Callable[[bytes, int], Any]
    """(content, deal seed) -> Level. Raises LevelError."""
    write: Callable[[Any], bytes] | None = None


class Figure(Struct, frozen=True):
    """Something measured about a level; `value` encodes to JSON, `said` says it in the language of now."""

    name: str
    value: Any
    said: Callable[[], str]


def keep_to(budget: Budget, tried: int = 0) -> None:
    """What makes levels asks this every few milliseconds. Raises GaveUp when the budget is over."""
    if not budget.allows("boards", tried, 0):
        raise GaveUp("generate.late")


class Generate(Protocol):
    """Makes levels: always the same one for the same parameters and seed, whatever the budget. Raises
    LevelError for parameters that cannot be met, GaveUp (one of these) when the budget ends before; without
    one it goes on until it is done or a count of its own is reached."""

    def __call__(self, params: Any, seed: int, budget: Budget | None = None, /) -> Any: ...


@dataclass(frozen=True, slots=True)
class Game:
    """Everything that a shell needs of a game; levels and states are opaque to the shells.

    level_type:  msgspec struct, the schema of level files (tag field `format`)
    params_type: msgspec struct with a default for each field: what the generator takes
    puzzle:      level -> rules. Raises LevelError for a level that breaks a rule which the schema cannot say.
    generate:    see `Generate`
    parse_board / format_board: the game's one-line text notation of a level
    render:      what `observe` shows, as plain text for a terminal
    solvers:     name -> solver; the first one is the default. A game without goal has none. This, players
                 and repairs may hold a `methods.Settable`
    live:        puzzle -> a solver as the first one, for positions of one game one after the other: it may go
                 on from what it saw before, so that other lines may be found. None: that does not help (see
                 `companion`)
    players:     name -> (puzzle, seed) -> player; the first one is the default. Others may raise
                 WinnableError for levels that they cannot play
    repairs:     name -> (level, seed, budget) -> a winnable level with few changes, or LevelError
    daily:       the parameters of the daily level, whose seed is the date as yyyymmdd
    """

    name: str
    level_type: type[Any]
    params_type: type[Any]
    puzzle: Callable[[Any], Puzzle[Any]]
    generate: Generate
    parse_board: Callable[[str], Any]
    format_board: Callable[[Any], str]
    render: Callable[[Puzzle[Any], Any], str]
    svg: Callable[[Puzzle[Any], Any], str]
    solvers: Mapping[str, Solver]
    players: Mapping[str, Callable[[Puzzle[Any], int], Player[Any]]]
    daily: Any
    levels: Path
    """Folder of the levels that ship with the game, one JSON file each."""
    cover: str
    """The board on the game's card: a shipped level's name, or a board in the text notation."""
    live: Callable[[Any], Solver] | None = None
    skills: Mapping[str, float] = field(default_factory=dict[str, float])
    """Players that know no more than a person sees -> their skill (see skill.py), the quickest first."""
    measure: Callable[[Any, Budget, int], Iterator[Figure]] = lambda level, budget, seed: iter(())
    """(level, budget, seed) -> what can be proved about how hard it is, as it becomes known. Raises
    LevelError."""
    to_order: Callable[[Any, str, float, int, Budget], Any] | None = None
    """(level, player, share, seed, budget) -> the level, changed so that the player wins this share of its
    games, with a line. Raises LevelError, GaveUp (one of these) when it found none."""
    tighter: Callable[[Any], Any] | None = None
    """Level -> the same with less of what helps. It is *tight* when it can be won and this one cannot."""
    repairs: Mapping[str, Callable[..., Any]] = field(default_factory=dict[str, Callable[..., Any]])
    dealer: Callable[[bytes], Generate] | None = None
    """A file that says where the pieces lie (a drawing, or a level) -> what deals anew onto their places.
    Raises LevelError. None: the game has no such thing."""
    formats: Mapping[str, Format] = field(default_factory=dict[str, Format])
    facts: Callable[[Any, Budget], dict[str, Any]] = lambda level, budget: {}
    """(level, budget) -> figures for `check`, each with its name: {"tiles": 360, ...}; fewer where the budget
    ends before."""
    picture: Callable[[Any], str] | None = None
    """Level -> a text that is the same for twins: levels that look alike to a person, as when mirrored. None:
    the game knows of no twins but levels that are the same."""
    notations: Mapping[str, Callable[[Any, Action], str]] = field(
        default_factory=dict[str, Callable[[Any, Action], str]]
    )
    """Name -> (puzzle, action) -> how the action is written in it. The puzzle reads all of them."""
    tunables: Mapping[str, Callable[[], Tunable]] = field(default_factory=dict[str, Callable[[], Tunable]])
    """Name -> makes what has that name: weights of the game's solvers and players that can be tuned."""
    follow: Callable[[Any, Any], Any] = lambda level, won: None
    """(level, its won state) -> the level that an endless game goes on with; None when it ends there."""
    with_dice: Callable[[Any, int], Any] = lambda level, seed: level
    """(level, seed) -> the same with its chance from that seed; the level itself where there is no chance."""
    cheat: Callable[[Any], Any] = lambda level: None
    """Level -> an easier one in which every action of a game on the level stays legal (the articles' 开挂);
    None when there is none."""
    explain: Callable[[Any, Any], Any] | None = None
    """(puzzle, state) -> why the state takes so many actions at the least, in parts that the game's drawing
    module shows; it encodes to JSON by msgspec. None when the game has no such thing."""
    outlook: Callable[[Any, Any, Budget, int], Outlook] | None = None
    """(puzzle, state, budget, seed) -> what a state of a game without a goal promises."""
    first: Callable[[Any, Any, Budget, int], SolveResult | Outlook] | None = None
    """(puzzle, state, budget, seed) -> what can be said within a second where nothing is compiled yet: made
    for kernels that run as plain Python (see `uncompiled`). In a game with a goal a `SolveResult`: a line,
    after which shorter ones are looked for only a moment; a proof where that is cheap; else `budget`. In a
    game without one an `Outlook`, which names the player whose games it is from. Raises nothing but
    WinnableError. Keeps to its budget as nearly as its steps allow, of which one may take some tenths of a
    second; the same seed, the same answer, as long as the clock does not cut it. None: there is nothing so
    quick."""
    weighs_actions: bool = False
    """Whether the outlook says what each action is worth: then a report says what those played cost."""
    weigh: Callable[[Any, Any, Budget, int], Outlook] | None = None
    """(puzzle, state, budget, seed) -> what each action is worth, for the report of a game whose outlook does
    not say it."""
    refute: Callable[[Any, Any, Budget], ClosedSet | None] = lambda puzzle, state, budget: None
    """(puzzle, state, budget) -> why it cannot be won, small enough to be checked by the rules; or None."""
    refutation_fault: Callable[[Any, ClosedSet], LevelError | None] = lambda puzzle, claim: LevelError(
        "closed.unknown", field="closed_set"
    )
    """(puzzle, claim) -> why it does not prove that the level cannot be won; None when it does."""
    proves_fewest: bool = False
    """Whether lines differ in length and the default solver proves which is the shortest. It then also gives
    a line when it has no proof yet."""
    tables: Callable[[], Sequence[Table]] = lambda: ()
    """What the game's players and judges read where it is there."""
    kernels: Mapping[str, Callable[[], None]] = field(default_factory=dict[str, Callable[[], None]])
    """Parts that are compiled, what the lamp needs first -> runs each kernel of the part.
    What that compiles is listed in `kernels.json` (see kernel_lists.py)."""
    unpack: Callable[[], None] = lambda: None
    """Whatever else is made once and kept; nothing where it is there."""

    prefers: Callable[[Any], str | None] = lambda level: None
    """Level -> the player of the one whom it is named after, where that is not the first one."""
    stages: Mapping[str, str] = field(default_factory=dict[str, str])
    """Tunable -> the shipped level where its weights are seen at play, where that is not the first one."""

    def default_player(self, level: Any) -> str:
        """Who plays the level, and gives hints on it where no solver does, when nobody is named."""
        return self.prefers(level) or next(iter(self.players))

    def warm(self) -> None:
        """Compiles every kernel of the game, or loads it, in this process."""
        for compile in self.kernels.values():
            compile()

    @property
    def weigher(self) -> Callable[[Any, Any, Budget, int], Outlook] | None:
        """What a report asks. None: nothing knows what actions are worth."""
        return self.weigh or (self.outlook if self.weighs_actions else None)

    def companion(self, puzzle: Any) -> Solver | None:
        """A solver to ask about the positions of one game as it is played. None: the game has no goal."""
        return self.live(puzzle) if self.live else next(iter(self.solvers.values()), None)


def lazy_solver(module: str, name: str, settings: Any = None) -> Solver:
    """The function of that name, from a module that is imported when it is first called. settings: the
    defaults, a msgspec struct, of one that takes such a struct as its last argument."""

    def solve(*arguments: Any) -> SolveResult:
        return getattr(import_module(module), name)(*arguments)

    return solve if settings is None else Settable(solve, settings)
