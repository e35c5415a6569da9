"""The messages between the arcade's page and the server: JSON over one WebSocket, one object a message.

Like those of the studio: the page sends a `Request`, told apart by `type`; whatever does not fit is answered
with one `error`. Rules are never in the page: it sends which keys are down and draws what `observe` shows.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from winnable.contract.arguments import MAX_SEED
from winnable.games.tetris.levels.fumen import MAX_TEXT as MAX_FUMEN
from winnable.games.tetris.levels.fumen import decode as read_fumen
from winnable.games.tetris.modern.players.replay import Film as Film
from winnable.games.tetris.modern.players.weights import Style
from winnable.games.tetris.modern.rules.level import Handling, Level, Mode, RuleName, asked_level
from winnable.games.tetris.modern.rules.state import ALL_KEYS
from winnable.web.events import Compiling, ErrorEvent, FileEvent
from winnable.web.messages import Name, ToPage, ToServer

ID_PREFIX = "arcade:"
"""Of the level ids of the arcade's games in the store (see `Services`)."""
ARTICLE = "article"
"""The player of the article's game, where nobody is named."""
MAX_CONTENT = 4_000_000
"""Characters of a replay file."""

Phase: TypeAlias = Literal["playing", "paused", "over"]


class Start(ToServer, frozen=True, tag="start"):
    """A new game, paused before its first frame. It takes the place of the cabinet's game before.

    dice:  the seed of the pieces; None: any
    fumen: its first page's board is what the game begins with; empty: an empty board
    The other fields are those of the level.
    """

    mode: Mode = "sprint"
    rules: RuleName = "guideline"
    lines: int | None = None
    start_level: int = 1
    dice: Annotated[int, Meta(ge=0, le=MAX_SEED)] | None = None
    fumen: Annotated[str, Meta(max_length=MAX_FUMEN)] = ""
    handling: Handling = Handling()

    def level(self) -> Level:
        """The level that is asked for. Raises LevelError that names the field."""
        return asked_level(
            self.dice,
            mode=self.mode,
            rules=self.rules,
            lines=self.lines,
            start_level=self.start_level,
            board=read_fumen(self.fumen)[0].board if self.fumen.strip() else (),
        )


class Open(ToServer, frozen=True, tag="open"):
    """Goes on with a game that the server keeps, paused."""

    session: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]


class Keys(ToServer, frozen=True, tag="keys"):
    """The keys that are down now, as bits. Each message counts for one frame at least, in order."""

    held: Annotated[int, Meta(ge=0, le=ALL_KEYS)]


class Go(ToServer, frozen=True, tag="go"):
    """Starts the clock, or lets it go on."""


class Pause(ToServer, frozen=True, tag="pause"):
    pass


class Watch(ToServer, frozen=True, tag="watch"):
    """Shows what is seen from its first frame: the game, as far as it was played, or the replay again."""


class Load(ToServer, frozen=True, tag="load"):
    """Shows the content of a replay file."""

    content: Annotated[str, Meta(max_length=MAX_CONTENT)]


class Speed(ToServer, frozen=True, tag="speed"):
    """How many times as fast as a person's game a replay goes, and the bot plays; None: as fast as it can."""

    times: Annotated[float, Meta(ge=0.25, le=64)] | None


class Leave(ToServer, frozen=True, tag="leave"):
    """Ends the replay: back to the game."""


class Save(ToServer, frozen=True, tag="save"):
    """Asks for the replay, or the game, as a file."""


class Copy(ToServer, frozen=True, tag="copy"):
    """Asks for the board as a fumen string."""


class TheBot(ToServer, frozen=True, tag="bot"):
    """Hands the cabinet's game to the bot, which plays on at once, from where it stands.

    style: under the guideline's rules
    by:    under the article's: a player of tetris, or `run:ID`
    """

    style: Style = "attack"
    by: Name = ARTICLE


class Hands(ToServer, frozen=True, tag="hands"):
    """The person takes the game over from the bot; it is paused then."""


class Advance(ToServer, frozen=True, tag="advance"):
    """While the bot pauses: plays on until something has moved, or until the piece lies."""

    to: Literal["move", "lock"] = "move"


class AskHint(ToServer, frozen=True, tag="hint"):
    """What would the bot do with the piece in play? The fields are those of `bot`."""

    style: Style = "attack"
    by: Name = ARTICLE


class Appraise(ToServer, frozen=True, tag="appraise"):
    """Asks for the value of the board, now and after each lock, in the style of the bot; None: no more."""

    style: Style | None = "attack"


Playing: TypeAlias = Start | Open | Keys | Go | Pause | TheBot | Hands | Advance | AskHint | Appraise
Request: TypeAlias = Playing | Watch | Load | Speed | Leave | Save | Copy


# -- events ------------------------------------------------------------------------------------------------


class TunedInfo(Struct, frozen=True):
    name: str
    tunable: str


class Hello(ToPage, frozen=True, tag="hello"):
    """The first event.

    shapes:  for each piece the cells (x, y up) of its four turns, to draw it aside
    players: who may play the article's game; tuned: the kept runs whose weights may, as `run:ID`
    """

    version: str
    shapes: dict[str, list[list[tuple[int, int]]]]
    players: list[str]
    tuned: list[TunedInfo]


class LevelInfo(Struct, frozen=True):
    mode: Mode
    rules: RuleName
    start_level: int
    dice: int


class Table(ToPage, frozen=True, tag="table"):
    """Everything that is to be seen: after `start`, `open`, `watch`, `load` and `leave`.

    seen:   the observation, without its events
    frame:  how many frames were played
    length: of a replay, in frames; None: this is a game
    style:  of the bot that plays the game, or who plays the article's; None: the person plays
    by_bot: the bot played some of what is seen
    """

    session: str
    phase: Phase
    level: LevelInfo
    handling: Handling
    frame: int
    seen: dict[str, Any]
    length: int | None
    style: str | None
    by_bot: bool


class Frame(ToPage, frozen=True, tag="frame"):
    """After one frame or a few. seen: what changed of the observation. events: of each frame that had any,
    without those that say that nothing happened."""

    frame: int
    seen: dict[str, Any]
    events: list[dict[str, Any]]


class PhaseEvent(ToPage, frozen=True, tag="phase"):
    phase: Phase


class FumenEvent(ToPage, frozen=True, tag="fumen"):
    text: str


class BotEvent(ToPage, frozen=True, tag="bot"):
    """Who plays from now on; the fields are those of `table`."""

    style: str | None
    by_bot: bool


class Hint(ToPage, frozen=True, tag="hint"):
    """The bot's plan. placed: of the observation that it is for. cells: where the piece would lie, (x, y up).
    path: what to press for it, names of keys in order; it begins with `hold` when that is better."""

    placed: int
    piece: str
    cells: list[tuple[int, int]]
    path: list[str]


class Appraisal(ToPage, frozen=True, tag="appraisal"):
    """value: of the board as it lies: near 0 when it is empty, less when it is worse."""

    value: float


class Taken(ToPage, frozen=True, tag="taken"):
    """Another page goes on with this game; here it is over."""


Event: TypeAlias = (
    Hello
    | Table
    | Frame
    | PhaseEvent
    | FumenEvent
    | BotEvent
    | Compiling
    | Hint
    | Appraisal
    | Taken
    | FileEvent
    | ErrorEvent
)
