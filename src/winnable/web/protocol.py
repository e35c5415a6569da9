"""The messages between the page and the server: JSON over one WebSocket, one object a message.

What the page sends is a `Request`, told apart by `type`; whatever does not fit is answered with an `error`
that names the field. What the server sends is an `Event`. tuning_protocol.py has those about tuning. Rules
are never in the page: it sends actions and draws what the game's `observe` shows.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Raw, Struct

from winnable.analysis import Verdict
from winnable.chance import Outlook
from winnable.core import MAX_SEED, Limit
from winnable.session import Standing
from winnable.web.infos import BestInfo, BranchInfo, CostInfo, ForkInfo, GameInfo, SessionInfo
from winnable.web.tuning_protocol import Name, OptimizerInfo, TuneEvent, TuneRequest

Seconds = Annotated[float, Meta(gt=0, le=3600)]
Settings = Annotated[dict[Name, int | float | Name], Meta(max_length=32)]
"""What a method is set to; what is missing has its default."""
Ply = Annotated[int, Meta(ge=0, le=1_000_000)]


class _Request(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    pass


class New(_Request, frozen=True, tag="new"):
    """Starts a game on a level: an identity (`triple:layers=12#5`), a shipped level (`triple/NAME`), or a
    board in a game's text notation: `drops:012/340`, or alone, which `game` and then the others may read."""

    level: Annotated[str, Meta(max_length=2_000_000)]
    game: Name = ""


class Load(_Request, frozen=True, tag="load"):
    """Starts from the content of a file: a level (ours or a foreign format) or a saved session."""

    content: Annotated[str, Meta(max_length=16_000_000)]


class Open(_Request, frozen=True, tag="open"):
    """Goes on with a session that the server keeps."""

    session: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]


class Next(_Request, frozen=True, tag="next"):
    """After a win: goes on with the next level of an endless game, as a new session."""


class Cheat(_Request, frozen=True, tag="cheat"):
    """Makes the level of the game under way easier, with its history as it is. Its id ends in `+` then."""


class Repair(_Request, frozen=True, tag="repair"):
    """Changes the level of the game under way so that it can be won, and begins a game on that, as a new
    session; `progress` meanwhile."""

    method: Name
    seconds: Seconds = 60.0
    settings: Settings = {}
    seed: Annotated[int, Meta(ge=0, le=MAX_SEED)] = 0


class Act(_Request, frozen=True, tag="act"):
    action: Annotated[int, Meta(ge=-(2**53), le=2**53)]


class GoTo(_Request, frozen=True, tag="goto"):
    """Undo, redo, restart and the timeline: any point of the line on the board, the actions from the start
    through the board and on along what was visited last."""

    ply: Ply
    action: Annotated[int, Meta(ge=-(2**53), le=2**53)] | None = None
    """The branch that begins with it there, and the point after it; it was played there before."""
    forget: bool = False
    """To the ply before the board: the action between is forgotten if it was the newest."""


class Alternate(_Request, frozen=True, tag="alternate"):
    """To the next (1) or the previous (-1) of the branches at the `fork` of the last `state`."""

    step: Literal[1, -1] = 1


class ListBranches(_Request, frozen=True, tag="branches"):
    """Answered by `branches`."""


class Hint(_Request, frozen=True, tag="hint"):
    """Asks for the next action of a winning line; answered by `hint` when the lamp has decided. With `by`:
    what that player would do, or the solver whose line leads on."""

    by: Name = ""
    settings: Settings = {}


class Explain(_Request, frozen=True, tag="explain"):
    """Asks why the state on the board takes so many actions at the least; answered by `explained`."""


class Judge(_Request, frozen=True, tag="judge"):
    """Asks about a level that is being drawn; touches no game. Answered by `judged`, again and again while
    more is found out, or by an `error`. A new one ends the one before it, which then answers no more. In a
    game without a goal the answer only says that it is a level."""

    game: Name
    level: Annotated[str, Meta(max_length=2_000_000)]
    """In the game's text notation. Empty: only ends the one before."""
    ticket: Annotated[int, Meta(ge=0, le=2**53)] = 0
    """Comes back with each answer."""
    seconds: Annotated[float, Meta(gt=0, le=60)] = 10.0


class Step(_Request, frozen=True, tag="step"):
    """One action by a player or a solver, chosen by name; answered by a `state`, or by an `error`."""

    by: Name
    settings: Settings = {}


class Solve(_Request, frozen=True, tag="solve"):
    """Runs a solver from the state on the board; answered by `progress` and one `result`."""

    solver: Name
    seconds: Seconds = 60.0
    settings: Settings = {}


class Cancel(_Request, frozen=True, tag="cancel"):
    """Ends the running `solve`, which then answers with its `result`."""


class Report(_Request, frozen=True, tag="report"):
    """Looks for the action that lost the game; answered by `timeline`, at last with `done`. In a game without
    a goal: what the actions cost; answered by `costs`."""


class Save(_Request, frozen=True, tag="save"):
    """Answered by `file`: the session (with its level and history), or the level alone."""

    what: Literal["session", "level"] = "session"


class Forget(_Request, frozen=True, tag="forget"):
    """Deletes a kept session; answered by `sessions`."""

    session: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]


Request: TypeAlias = (
    New
    | Load
    | Open
    | Next
    | Cheat
    | Repair
    | Act
    | GoTo
    | Alternate
    | ListBranches
    | Hint
    | Explain
    | Judge
    | Step
    | Solve
    | Cancel
    | Report
    | Save
    | Forget
    | TuneRequest
)


class _Event(Struct, frozen=True, tag_field="type"):
    pass


class Hello(_Event, frozen=True, tag="hello"):
    """The first message on each connection."""

    version: str
    games: list[GameInfo]
    sessions: list[SessionInfo]
    optimizers: list[OptimizerInfo]
    """For tuning; the first one is the default."""
    cores: int
    """Of the server's machine."""


class State(_Event, frozen=True, tag="state"):
    """The board as it is now; sent after each change."""

    session: str
    game: str
    level_id: str
    title: dict[str, str]
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
    view: Any
    """What the game's `observe` shows."""
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
    known: list[Verdict] | None = None
    """What is known of each ply of a new line without search. None where the page knows as much, for very
    long lines, and in a game without a goal."""


class Branches(_Event, frozen=True, tag="branches"):
    """The branches at `fork`, in the order in which they were made."""

    session: str
    fork: int | None
    branches: list[BranchInfo]


class Lamp(_Event, frozen=True, tag="lamp"):
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
    outlook: Outlook | None = None
    """In a game without a goal, where there is no verdict: what the state promises."""


class HintEvent(_Event, frozen=True, tag="hint"):
    """`action` is None when no winning line is known: the game is lost, or the search ran out of time."""

    session: str
    ply: int
    action: int | None
    name: str
    verdict: Verdict


class Explained(_Event, frozen=True, tag="explained"):
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


class Judged(_Event, frozen=True, tag="judged"):
    """What is known of the level of the `judge` with this ticket; `done` in the last answer."""

    ticket: int
    status: Literal["solved", "unsolvable", "budget"]
    cost: int | None
    """Of the best line at hand."""
    lower_bound: int | None
    optimal: bool
    actions: int
    """How many the best line has."""
    seconds: float
    done: bool


class ProgressEvent(_Event, frozen=True, tag="progress"):
    """Of the running `solve` or `repair`."""

    method: str
    stage: str
    """A name of the catalogues, `stage.STAGE`, to be filled with the values."""
    values: dict[str, Any]
    expanded: int
    generated: int
    seconds: float


class Result(_Event, frozen=True, tag="result"):
    """Of a `solve`; `actions` lead from the state at `ply` to the goal when `status` is `solved`."""

    session: str
    ply: int
    solver: str
    settings: dict[str, Any]
    """Of the solver, all of them."""
    status: Literal["solved", "unsolvable", "budget"]
    actions: list[int]
    names: list[str]
    """Of the actions."""
    cost: int | None
    lower_bound: int | None
    optimal: bool
    expanded: int
    generated: int
    seconds: float
    limit: Limit | None
    """Of a `budget` one: what ended it."""
    best: BestInfo | None
    """Of a `budget` one: how far it came."""


class Timeline(_Event, frozen=True, tag="timeline"):
    """A verdict for each ply of the line with this number, from 0 to its length. The losing action is among
    `first`..`last` (action i leads from ply i to ply i + 1); both None while, or if, it is not known."""

    session: str
    line: int
    verdicts: list[Verdict]
    first: int | None
    last: int | None
    name: str
    """The losing action's name when `first` equals `last`, else empty."""
    done: bool


class Costs(_Event, frozen=True, tag="costs"):
    """What actions of the line with this number cost, in a game without a goal."""

    session: str
    line: int
    costs: list[CostInfo]
    """Of those looked at since the `costs` before; from the last action to the first."""
    worst: list[int]
    """The plies before the actions that cost most so far, the worst first."""
    done: bool


class FileEvent(_Event, frozen=True, tag="file"):
    """Something to download."""

    name: str
    content: str


class Sessions(_Event, frozen=True, tag="sessions"):
    sessions: list[SessionInfo]


class ErrorEvent(_Event, frozen=True, tag="error"):
    """The request was refused and changed nothing."""

    request: str
    """The request's type, empty when it had none."""
    message: str
    """Names the field or the cause, in English."""
    code: str = ""
    """The page says `error.CODE`, filled with the values; empty where there is only the message."""
    values: dict[str, Any] = {}
    field: str = ""
    """What was entered wrongly, where that is known."""


Event: TypeAlias = (
    Hello | State | Branches | Lamp | HintEvent | Explained | Judged
    | ProgressEvent | Result | Timeline | Costs | FileEvent | Sessions | TuneEvent | ErrorEvent
)  # fmt: skip
