"""The messages about sets of levels: part of protocol.py and events.py."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct, field

from winnable.batches.filling import Variation
from winnable.contract.arguments import MAX_SEED
from winnable.levels.checking import Checked
from winnable.web.messages import Name, ToPage, ToServer

SetId = Annotated[str, Meta(pattern="^[0-9a-f]{12}$")]
Number = Annotated[int, Meta(ge=0, le=2**53)]
"""Of a level of a set, which it keeps wherever it stands."""
MOST_LEVELS = 20_000
"""Of a set."""
Numbers = Annotated[list[Number], Meta(max_length=MOST_LEVELS)]
Title = Annotated[str, Meta(max_length=100)]
SetFormat: TypeAlias = Literal["jsonl", "folder", "csv", "tiled", "ldtk", "sheet"]
"""folder: a file for each level, in a zip, as are maps. sheet: a page to print."""
SetWork: TypeAlias = Literal["make", "judge", "repair", "vary"]


class Sets(ToServer, frozen=True, tag="sets"):
    """Asks for the kept sets; from then on the connection hears of every change: `sets`."""


class SetOpen(ToServer, frozen=True, tag="set_open"):
    """Answered by `set` and the `set_rows` of all levels; from then on the connection hears of every change
    of this set, and of no other."""

    set: SetId


class SetLeave(ToServer, frozen=True, tag="set_leave"):
    """The page shows no set any more. What is under way goes on."""


class SetNew(ToServer, frozen=True, tag="set_new"):
    """A new set, empty; answered as `set_open`."""

    title: Title = ""


class SetAdd(ToServer, frozen=True, tag="set_add"):
    """Takes in the levels of a file, of any format that is read; more files one after the other. What in it
    is no level is a row that says why. Answered by `set_rows`, and they are looked into."""

    set: SetId
    name: Annotated[str, Meta(max_length=500)]
    content: Annotated[str, Meta(max_length=16_000_000)]
    """Text; what is none comes as a `data:` address in base 64, as in `load`."""


class SetKeep(ToServer, frozen=True, tag="set_keep"):
    """Takes in the level on the board, or the one that is given in its game's text notation in the place of
    the one of this number. Answered by `set_rows`."""

    set: SetId
    level: Annotated[str, Meta(max_length=2_000_000)] = ""
    game: Name = ""
    number: Number | None = None


class SetMake(ToServer, frozen=True, tag="set_make"):
    """Makes levels by a game's generator, as `winnable generate`, at the end of the set; rows come as they
    are made and judged. One work at a time in the studio."""

    set: SetId
    game: Name
    params: dict[Name, int | float | Name] = field(default_factory=dict[str, int | float | str])
    count: Annotated[int, Meta(ge=1, le=MOST_LEVELS)] = 20
    seed: Annotated[int, Meta(ge=0, le=MAX_SEED)] = 1
    difficulty: Annotated[str, Meta(max_length=40)] = ""
    """As `generate --difficulty` takes it; or a word, `easy` to `fiendish`, of levels as they are made."""
    by: Name = ""
    """Whose games count for a share; empty: `careful`."""
    certify: bool = True
    tight: bool = False
    distinct: bool = True


class SetJudge(ToServer, frozen=True, tag="set_judge"):
    """Looks into levels: verdict, line, difficulty; again those that are named, else those of which that is
    not known yet."""

    set: SetId
    levels: Numbers | None = None
    seconds: Annotated[float, Meta(gt=0, le=3600)] = 10.0
    """To solve each, and as many to rate it."""


class SetRepair(ToServer, frozen=True, tag="set_repair"):
    """Changes these levels so that they can be won; each stays what it was where no repair is found."""

    set: SetId
    levels: Numbers
    seconds: Annotated[float, Meta(gt=0, le=3600)] = 60.0


class SetVary(ToServer, frozen=True, tag="set_vary"):
    """Makes a harder or an easier level in the place of each of these, or one more like it after it."""

    set: SetId
    levels: Numbers
    how: Variation
    seconds: Annotated[float, Meta(gt=0, le=3600)] = 60.0


class SetOrder(ToServer, frozen=True, tag="set_order"):
    """The levels in this order from now on; those that are not named are gone. Answered by `set`."""

    set: SetId
    levels: Numbers
    known: Number | None = None
    """Levels of this number and above stay, at the end: the page did not know of them yet."""


class SetName(ToServer, frozen=True, tag="set_name"):
    set: SetId
    title: Title


class SetDelete(ToServer, frozen=True, tag="set_delete"):
    """Stops its work if need be; answered by `sets`."""

    set: SetId


class SetStop(ToServer, frozen=True, tag="set_stop"):
    """Ends the work on this set, which keeps what has come; `set_go_on` goes on with it."""

    set: SetId


class SetGoOn(ToServer, frozen=True, tag="set_go_on"):
    """Goes on with work that was stopped, or was cut off when the studio ended."""

    set: SetId


class SetPictures(ToServer, frozen=True, tag="set_pictures"):
    """Asks for drawings of these levels; answered by `set_pictures`, perhaps in parts."""

    set: SetId
    levels: Annotated[list[Number], Meta(max_length=100)]


class SetPlay(ToServer, frozen=True, tag="set_play"):
    """Starts a game on a level of a set, as `new` does."""

    set: SetId
    number: Number


class SetExport(ToServer, frozen=True, tag="set_export"):
    """Answered by `set_file`: these levels, in this order; None: all of them."""

    set: SetId
    format: SetFormat
    levels: Numbers | None = None
    language: Literal["en", "zh-CN"] = "en"
    """Of a sheet."""


SetRequest: TypeAlias = (
    Sets
    | SetOpen
    | SetLeave
    | SetNew
    | SetAdd
    | SetMake
    | SetJudge
    | SetRepair
    | SetVary
    | SetOrder
    | SetName
    | SetDelete
    | SetStop
    | SetGoOn
    | SetPictures
    | SetExport
)
"""Not `set_play`, which opens a game, nor `set_keep`, which may be about the board."""


class SetInfo(Struct, frozen=True):
    """levels: how many. updated: seconds since 1970"""

    id: str
    title: str
    levels: int
    updated: float
    works: bool
    """Whether it is being worked on."""
    rests: bool
    """Whether work was stopped or cut off, and can be gone on with."""


class Problem(Struct, frozen=True):
    """What is wrong with a level, told as an `error` is."""

    message: str
    code: str
    values: dict[str, Any]


class SetRow(Struct, frozen=True):
    """A level of a set, and what is known of it."""

    number: int
    name: str
    """The file that it came from, with the line of a file of several; of a level that was made here its seed,
    as `#17`; else empty."""
    title: dict[str, str]
    code: str | None
    """In its game's text notation: for the editor. None: there is no such level, or it is too long."""
    look: Checked
    problem: Problem | None
    judged: bool
    """Whether its verdict and difficulty were looked for."""
    same_as: int | None = None
    """The number of an earlier level in the set that is the same; of one that looks alike."""
    twin_of: int | None = None


class SetsEvent(ToPage, frozen=True, tag="sets"):
    """All kept sets, newest first."""

    sets: list[SetInfo]


class SetEvent(ToPage, frozen=True, tag="set"):
    """The set that the page has opened."""

    set: SetInfo
    order: list[int]
    """The numbers of its levels."""


class SetRows(ToPage, frozen=True, tag="set_rows"):
    """Rows that are new, or are not what they were."""

    set: str
    rows: list[SetRow]


class SetWorking(ToPage, frozen=True, tag="set_work"):
    """How far work is, at most some times a second; the last one has a stage that is an end."""

    set: str
    work: SetWork
    stage: Literal["working", "all", "stopped", "refused"]
    """refused: an `error` says why."""
    done: int
    total: int
    seconds: float
    """Since it began."""
    failed: int
    """Levels of which nothing came: not made, not repaired."""


class SetPicturesEvent(ToPage, frozen=True, tag="set_pictures"):
    """number -> SVG"""

    set: str
    pictures: dict[int, str]


class SetFile(ToPage, frozen=True, tag="set_file"):
    """Something to download, in base 64."""

    name: str
    media: str
    """The type of its content, as `application/zip`."""
    content: str


SetsTold: TypeAlias = SetsEvent | SetEvent | SetRows | SetWorking | SetPicturesEvent | SetFile
