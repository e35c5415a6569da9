"""What the server sends to the page: an `Event`, told apart by `type`. See protocol.py."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal, TypeAlias

from msgspec import Raw
from msgspec import field as default

from winnable import comparing
from winnable.analysis.costs import Measure, Narrowing
from winnable.analysis.hints import Hint
from winnable.analysis.margin import Margin
from winnable.analysis.verdicts import Verdict, Verdicts
from winnable.contract.abilities import Chance
from winnable.contract.chance import Outlook
from winnable.contract.core import Answer, Reason, Status
from winnable.play.days import Days
from winnable.play.played import Played
from winnable.play.session import Standing
from winnable.stats.difficulty import Rating
from winnable.web.infos import BranchInfo, CostInfo, ForkInfo, GameInfo, SessionInfo
from winnable.web.messages import ToPage
from winnable.web.set_protocol import SetsTold
from winnable.web.tuning_protocol import OptimizerInfo, TuneEvent


class Hello(ToPage, frozen=True, tag="hello"):
    """The first message on each connection."""

    version: str
    games: list[GameInfo]
    sessions: list[SessionInfo]
    optimizers: list[OptimizerInfo]
    """For tuning; the first one is the default."""
    cores: int
    """That can work at the same time."""
    """Of the server's machine."""


class State(ToPage, frozen=True, tag="state"):
    """The board as it is now; sent after each change."""

    session: str
    game: str
    level_id: str
    title: dict[str, str]
    day: date | None
    """Whose daily level it is."""
    code: str
    """The level in the game's text notation; another one under the same session after a `cheat`."""
    cheats: bool
    """Whether there is a `cheat`."""
    follows: bool
    """Whether there is a `next`."""
    player: str
    """Who plays the level where nobody is named."""
    ply: int
    length: int
    """Actions of the line; more than `ply` after an undo."""
    last_action: int | None
    """What led here; None at the start."""
    standing: Standing
    helped: bool
    """Whether a hint, a solver, a player or a cheat had a part in the game."""
    card: Literal["open", "answered"] | None
    """Of a game on a card of the deck, which is not kept."""
    completion: float | None
    """How much of the level is done, 0 to 1; None where the game does not say."""
    view: Any
    """What the game's `observe` shows; a `boards.Picture` of a game that has no module to draw it."""
    legal: list[int] | None
    """None: all actions that the level has."""
    frames: Raw | None
    """What happened on the way here, step by step, as the game's `trace` shows it. None when it has none,
    when it is too long, and when no single action led from the board before to this one."""
    line: int = 0
    """Another number when the line has become another one, and not just longer by one action."""
    fork: ForkInfo | None = None
    """Where `alternate` goes to another branch; None when the line has no fork."""
    forks: list[int] | None = None
    """All plies of the line after which other branches lead off; None: as before."""
    history: list[int] | None = None
    """The line, the undone actions too, for a page that cannot know it: it has just come, or the line or the
    level has become another one. Else None."""
    rating: Rating | None = None
    """How hard the level is for a person; None: that is not known, and a `rated` may follow."""
    known: Verdicts = Verdicts()
    """Of the line. A very long one is not looked up when it turns off; then what was known of its beginning
    is told, and what has been found out since."""


class Rated(ToPage, frozen=True, tag="rated"):
    """How hard the level of the session turned out to be for a person."""

    session: str
    rating: Rating


class Helped(ToPage, frozen=True, tag="helped"):
    """From now on the game of the session is one that had help."""

    session: str


class Branches(ToPage, frozen=True, tag="branches"):
    """The branches at `fork`, in the order in which they were made."""

    session: str
    fork: int | None
    branches: list[BranchInfo]


class Lamp(ToPage, frozen=True, tag="lamp"):
    """The verdict on the state at `ply`. `searching`: the solver is still at it, perhaps only for a shorter
    line. `remaining`: the length of the winning line at hand. `optimal`: it is proved that none is shorter.
    `par`: how many actions an optimal line from the start has, where that is proved here or by a level of our
    own."""

    session: str
    ply: int
    verdict: Verdict
    searching: bool
    remaining: int | None
    optimal: bool
    par: int | None
    seconds: float
    known: Verdicts = Verdicts()
    """Of the line, as in `state`."""
    outlook: Outlook | None = None
    """In a game without a goal, where there is no verdict: what the state promises."""
    first: bool = False
    """What it says needed no compiling; what looks further is still being prepared."""
    busy: bool = False
    """The solver has not begun: the studio has too much to do just now. The next `lamp` says when it has."""


class MarginEvent(ToPage, frozen=True, tag="margin"):
    """How much room there is in the state at `ply`, as far as it is known; `done` in the last one. Sent after
    the lamp has come to rest, in a game with a goal that is not over or known to be lost."""

    session: str
    ply: int
    margin: Margin
    chance: Chance | None
    """Of a player who sees no more than a person; None where all can be seen, or before it is known."""
    done: bool


class Compiling(ToPage, frozen=True, tag="compiling"):
    """How many of the kernels that something waits for are compiled, on a machine where they were not; the
    last one has `done` equal to `total`: nothing waits any more. What is known without them is told
    meanwhile: a lamp may be `searching` then."""

    game: str
    part: str | None
    """Of the game's kernels, the first one where it is empty; None: all of them."""
    done: int
    total: int
    seconds: float
    """Since it began."""


class HintEvent(Hint, frozen=True, kw_only=True, tag="hint"):
    """Tells as much as was asked for, about the state at `ply`."""

    session: str
    ply: int


class Demo(ToPage, frozen=True, tag="demo"):
    """A move at the start, and the board after it, as in `state`: it is shown and not played."""

    session: str
    action: int
    view: Any
    legal: list[int] | None
    frames: Raw | None


class Explained(ToPage, frozen=True, tag="explained"):
    """Why the state at `ply` takes so many actions at the least."""

    session: str
    ply: int
    why: Any
    """What the game's `explain` says; for its drawing module."""
    verdict: Verdict
    remaining: int | None
    """Like the lamp's, as is `optimal`."""
    optimal: bool
    generated: int | None
    """States made by the search which proved that; None when no search was about just this state."""
    searching: bool
    """Whether more may be known soon."""


class Judged(ToPage, frozen=True, tag="judged"):
    """What is known of the level of the `judge` with this ticket; `done` in the last answer."""

    ticket: int
    status: Status
    cost: int | None
    """Of the best line at hand."""
    lower_bound: int | None
    optimal: bool
    actions: int
    """How many the best line has."""
    seconds: float
    done: bool


class Mended(ToPage, frozen=True, tag="mended"):
    """The level of the `mend` with this ticket, changed so that it can be won."""

    ticket: int
    level: str
    """In the game's text notation."""


class ProgressEvent(ToPage, frozen=True, tag="progress"):
    """Of the running `solve` or `repair`."""

    method: str
    stage: str
    """A name of the catalogues, `stage.STAGE`, to be filled with the values."""
    values: dict[str, Any]
    expanded: int
    generated: int
    seconds: float


class Result(ToPage, frozen=True, tag="result"):
    """The answer of a `solve`; its actions lead from the state at `ply` to the goal when it is `solved`."""

    session: str
    ply: int
    solver: str
    settings: dict[str, Any]
    """Of the solver, all of them."""
    answer: Answer
    cheats: int | None
    """Of a line that the level does not give enough for: how often a `cheat` lets it win; None: no number
    does."""


class Timeline(ToPage, frozen=True, tag="timeline"):
    """What is known of the line with this number, of so many actions. The losing one is among `first`..`last`
    (action i leads from ply i to ply i + 1); both None while, or if, it is not known."""

    session: str
    line: int
    length: int
    known: Verdicts
    first: int | None
    last: int | None
    name: str
    """The losing action's name when `first` equals `last`, else empty."""
    reason: Reason | None
    """Why the state at ply `known.lost` is lost; only when `done`, and where one could be found."""
    done: bool
    cancelled: bool = False
    """It ended before its time."""


class Costs(ToPage, frozen=True, tag="costs"):
    """What actions of the line with this number cost: in a game with a goal, how many actions more than the
    fewest."""

    session: str
    line: int
    costs: list[CostInfo]
    """Of those looked at since the `costs` before; from the last action to the first."""
    worst: list[int]
    """The plies before the actions that cost most so far, the worst first."""
    by: str
    """The player that the values are about; empty while none was found, or where there were several."""
    rewards: bool
    """Whether costs are in what the game counts; else only their share of the value tells anything."""
    done: bool
    chances: bool = False
    """Or whether values are chances to make the goal, 0 to 1."""
    limit: Literal["time", "cancelled"] | None = None
    """What ended it before all was looked at; what it does not tell was not found out by then."""


class Review(ToPage, frozen=True, tag="review"):
    """The line with this number, all of it; see `analysis.costs.Review`."""

    session: str
    line: int
    names: list[str]
    """Of its actions."""
    turning: list[int]
    course: list[float | None]
    measure: Measure
    narrowings: list[Narrowing]


class Several(ToPage, frozen=True, tag="several"):
    """A file of so many levels was opened; the first is on the board."""

    levels: int


class FileEvent(ToPage, frozen=True, tag="file"):
    """Something to download."""

    name: str
    content: str


class Written(ToPage, frozen=True, tag="written"):
    """The game of a `write`, as text to copy or a picture; a FileEvent where it is a file."""

    session: str
    format: str
    content: str


class LinkEvent(ToPage, frozen=True, tag="link"):
    """The line on the board as a link, and the ply that it is at."""

    session: str
    link: str | None
    """What stands behind the `#` of the page's address; None where it would be too long."""


class CodeEvent(ToPage, frozen=True, tag="qr"):
    """A QR code, without the light margin of four modules."""

    text: str
    rows: list[str] | None
    """From the top, `1` for a dark module; None where the text is too long for one that a phone can read."""


class Standings(ToPage, frozen=True, tag="standings"):
    """How far a comparison is; the last one of each has a stage that is an end."""

    game: str
    rows: list[comparing.MethodScore]
    """Those of which a game was played, in the order of the levels and then of the methods."""
    played: int
    """Games, of `games` in all rows together."""
    games: int
    level: str
    name: str
    """Of the row whose game is being played; empty before and after."""
    aims: bool
    """Whether there is something to be won; else only scores."""
    hurry: comparing.Hurry | None
    """What the clock has done to the rows."""
    stage: Literal["waiting", "playing", "all", "cancelled", "time", "refused"]
    """waiting: another comparison is under way. The rest are ends: `time`: all together took too long;
    `refused`: an `error` says why."""


class Sessions(ToPage, frozen=True, tag="sessions"):
    sessions: list[SessionInfo]


class DeckEvent(ToPage, frozen=True, tag="deck"):
    due: int
    """Cards."""


class Answered(ToPage, frozen=True, tag="answered"):
    """Whether the action that answered the session's card was right; None: that could not be found out."""

    session: str
    right: bool | None
    action: int | None
    """A better one, where one is known; and its name."""
    better: str
    played: str
    """The name of the answer."""
    due: int
    """Cards that are due now."""


class PlayedEvent(ToPage, frozen=True, tag="played"):
    """Of the games of which any came to an end, in the order of all games."""

    games: list[Played]


class DaysEvent(ToPage, frozen=True, tag="days"):
    """Of the games of which any came to an end, in the order of all games."""

    today: date
    first: date
    """The earliest day whose level is offered."""
    games: list[Days]


class ErrorEvent(ToPage, frozen=True, tag="error"):
    """The request was refused and changed nothing."""

    request: str
    """The request's type, empty when it had none."""
    message: str
    """Names the field or the cause, in English."""
    code: str = ""
    """The page says `error.CODE`, filled with the values; empty where there is only the message."""
    values: dict[str, Any] = default(default_factory=dict[str, Any])
    field: str = ""
    """What was entered wrongly, where that is known."""


Event: TypeAlias = (
    Hello
    | State
    | Rated
    | Helped
    | Branches
    | Lamp
    | MarginEvent
    | Compiling
    | HintEvent
    | Demo
    | Explained
    | Judged
    | Mended
    | ProgressEvent
    | Result
    | Standings
    | Timeline
    | Costs
    | Review
    | Several
    | FileEvent
    | Written
    | LinkEvent
    | CodeEvent
    | Sessions
    | PlayedEvent
    | DaysEvent
    | DeckEvent
    | Answered
    | TuneEvent
    | SetsTold
    | ErrorEvent
)
