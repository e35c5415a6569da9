"""What the page sends to the server: JSON over one WebSocket, one object a message, a `Request`.

It is told apart by `type`; whatever does not fit is answered with an `error` that names the field. What the
server sends is in events.py; tuning_protocol.py and set_protocol.py have what is said about tuning and about
sets of levels, both ways. Rules are never in the page: it sends actions and draws what the game's `observe`
shows.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from winnable.analysis.hints import Rung
from winnable.contract.arguments import MAX_SEED
from winnable.web.messages import Name, SetMethod, Settings, ToServer
from winnable.web.set_protocol import SetKeep, SetPlay, SetRequest
from winnable.web.tuning_protocol import TuneRequest

Seconds = Annotated[float, Meta(gt=0, le=3600)]
DEFAULTS: Settings = {}
Ply = Annotated[int, Meta(ge=0, le=1_000_000)]


class New(ToServer, frozen=True, tag="new"):
    """Starts a game on a level: an identity (`triple:layers=12#5`), a shipped level (`triple/NAME`), or a
    board in a game's text notation: `drops:012/340`, or alone, which `game` and then the others may read. Or
    goes on with the game of a link."""

    level: Annotated[str, Meta(max_length=2_000_000)]
    game: Name = ""
    difficulty: Annotated[str, Meta(max_length=40)] = ""
    """Of a level that is made by an identity: as `generate --difficulty` takes it, or a word, `easy` to
    `fiendish`. What comes has an id of its own."""


class Load(ToServer, frozen=True, tag="load"):
    """Starts from the content of a file: a level (ours or a foreign format) or a saved session. What is no
    text comes as a `data:` address in base 64."""

    content: Annotated[str, Meta(max_length=16_000_000)]


class Open(ToServer, frozen=True, tag="open"):
    """Goes on with a session that the server keeps."""

    session: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]


class Next(ToServer, frozen=True, tag="next"):
    """After a win: goes on with the next level of an endless game, as a new session."""


class Cheat(ToServer, frozen=True, tag="cheat"):
    """Makes the level of the game under way easier, with its history as it is. Its id ends in `+` then."""


class Repair(ToServer, frozen=True, tag="repair"):
    """Changes the level of the game under way so that it can be won, and begins a game on that, as a new
    session; `progress` meanwhile."""

    method: Name
    seconds: Seconds = 60.0
    settings: Settings = DEFAULTS
    seed: Annotated[int, Meta(ge=0, le=MAX_SEED)] = 0


class Act(ToServer, frozen=True, tag="act"):
    action: Annotated[int, Meta(ge=-(2**53), le=2**53)]


class GoTo(ToServer, frozen=True, tag="goto"):
    """Undo, redo, restart and the timeline: any point of the line on the board, the actions from the start
    through the board and on along what was visited last."""

    ply: Ply
    action: Annotated[int, Meta(ge=-(2**53), le=2**53)] | None = None
    """The branch that begins with it there, and the point after it; it was played there before."""
    forget: bool = False
    """To the ply before the board: the action between is forgotten if it was the newest."""


class Alternate(ToServer, frozen=True, tag="alternate"):
    """To the next (1) or the previous (-1) of the branches at the `fork` of the last `state`."""

    step: Literal[1, -1] = 1


class ListBranches(ToServer, frozen=True, tag="branches"):
    """Answered by `branches`."""


class Hint(ToServer, frozen=True, tag="hint"):
    """Asks for the next action of a winning line, or for less, or more (see `Rung`); answered by `hint` when
    the lamp has decided. With `by`: what that player would do, or the solver whose line leads on."""

    by: Name = ""
    settings: Settings = DEFAULTS
    rung: Rung = "action"


class Help(ToServer, frozen=True, tag="help"):
    """The game counts as helped from now on: the page shows what it would keep back in a daily level."""


class Demonstrate(ToServer, frozen=True, tag="demo"):
    """On the first level that a game ships, where nothing is played yet: asks for a move to be shown.
    Answered by `demo`; it is no help."""


class Explain(ToServer, frozen=True, tag="explain"):
    """Asks why the state on the board takes so many actions at the least; answered by `explained`."""


class Judge(ToServer, frozen=True, tag="judge"):
    """Asks about a level that is being drawn; touches no game. Answered by `judged`, again and again while
    more is found out, or by an `error`. A new one ends the one before it, which then answers no more. In a
    game without a goal the answer only says that it is a level."""

    game: Name
    level: Annotated[str, Meta(max_length=2_000_000)]
    """In the game's text notation. Empty: only ends the one before."""
    ticket: Annotated[int, Meta(ge=0, le=2**53)] = 0
    """Comes back with each answer."""
    seconds: Annotated[float, Meta(gt=0, le=60)] = 10.0


class Mend(ToServer, frozen=True, tag="mend"):
    """Changes a level that is being drawn so that it can be won, by the first of the game's repairs; touches
    no game. Answered by `mended`, or by an `error`. A new one ends the one before it, which then answers no
    more."""

    game: Name
    level: Annotated[str, Meta(max_length=2_000_000)]
    """In the game's text notation. Empty: only ends the one before."""
    ticket: Annotated[int, Meta(ge=0, le=2**53)] = 0
    """Comes back with the answer."""
    seconds: Annotated[float, Meta(gt=0, le=600)] = 60.0


class Step(ToServer, frozen=True, tag="step"):
    """One action by a player or a solver, chosen by name; answered by a `state`, or by an `error`."""

    by: Name
    settings: Settings = DEFAULTS


class Solve(ToServer, frozen=True, tag="solve"):
    """Runs a solver from the state on the board; answered by `progress` and one `result`."""

    solver: Name
    seconds: Seconds = 60.0
    settings: Settings = DEFAULTS


class Cancel(ToServer, frozen=True, tag="cancel"):
    """Ends the running `solve`, which then answers with its `result`."""


class Compare(ToServer, frozen=True, tag="compare"):
    """Lets players and solvers of a game play the same games, as `winnable compare` does, whatever is on the
    board; answered by `standings`, again and again. One at a time; it ends when the page leaves."""

    game: Name
    levels: Annotated[list[Annotated[str, Meta(max_length=2_000_000)]], Meta(min_length=1, max_length=64)]
    """Each with rows of its own: what `new` takes, or `GAME:key=value,...`, a new level for each game."""
    by: Annotated[list[SetMethod], Meta(min_length=1, max_length=16)]
    games: Annotated[int, Meta(ge=1, le=1000)] = 10
    """For each row."""
    seconds: Seconds = 10.0
    """For each game."""
    seed: Annotated[int, Meta(ge=0, le=MAX_SEED)] = 1
    """Of the first game; the next ones count up from it."""


class CompareStop(ToServer, frozen=True, tag="compare_stop"):
    """Ends the running `compare`, with the rows so far; `cancel` leaves it alone."""


class Report(ToServer, frozen=True, tag="report"):
    """Looks for the action that lost the game; answered by `timeline`, at last with `done`. In a game without
    a goal: what the actions cost; answered by `costs`."""


class Save(ToServer, frozen=True, tag="save"):
    """Answered by `file`: the session (with its level and history), or the level alone."""

    what: Literal["session", "level"] = "session"


class Write(ToServer, frozen=True, tag="write"):
    """Asks for the game, as far as the board or the `ply`, in a format that other programs read, or for a
    drawing of the board there (`svg`); answered by `written`."""

    format: Name
    ply: Ply | None = None


class AskLink(ToServer, frozen=True, tag="link"):
    """Asks for the game on the board as a link; answered by `link`."""


class AskCode(ToServer, frozen=True, tag="qr"):
    """Asks for the QR code of a text; answered by `qr`."""

    text: Annotated[str, Meta(max_length=16_000)]


class Forget(ToServer, frozen=True, tag="forget"):
    """Deletes a kept session; answered by `sessions`."""

    session: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]


class ListPlayed(ToServer, frozen=True, tag="played"):
    """Answered by `played`: what was played in all games."""


class ListDays(ToServer, frozen=True, tag="days"):
    """Answered by `days`: how the daily levels went, and how many days in a row."""


class AskDeck(ToServer, frozen=True, tag="deck"):
    """Answered by `deck`: how many cards are due."""


class Practise(ToServer, frozen=True, tag="practise"):
    """Begins a game at the position of the card that is due first. The next action is the answer, told by
    `answered`; until then there is no help. The game is not kept."""


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
    | Help
    | Demonstrate
    | Explain
    | Judge
    | Mend
    | Step
    | Solve
    | Cancel
    | Compare
    | CompareStop
    | Report
    | Save
    | Write
    | AskLink
    | AskCode
    | Forget
    | ListPlayed
    | ListDays
    | AskDeck
    | Practise
    | TuneRequest
    | SetPlay
    | SetKeep
    | SetRequest
)
