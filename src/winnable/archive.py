"""All that a user has, as one file: games, results, tuning runs, and what a browser remembers.

gzip of JSON, a record a line; the first says what it is. Files may be joined end to end as gzip allows: so a
page adds what its browser alone knows. Reading one in adds what is not here and changes nothing that is: of
a game that is here, too, the branches come together. The same file once more changes nothing.
"""

from __future__ import annotations

import gzip
import hashlib
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from typing import Annotated, Any, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct

from winnable import __version__
from winnable.contract.abilities import Pages
from winnable.contract.core import LevelError, WinnableError
from winnable.contract.registry import loaded_games
from winnable.levels.files import decode, read_level
from winnable.levels.identity import content_id
from winnable.play.deck import answered, card_of, check_memory, session_of
from winnable.play.session import Session, Standing, as_tree
from winnable.play.tree import SavedTree
from winnable.store import deck, results
from winnable.store.database import MAX_SESSIONS, KeptRun, KeptSession, MovedOn, Store, StoreError
from winnable.store.deck import Card
from winnable.store.results import Result, Text, Time
from winnable.tuning import runs

T = TypeVar("T")

FORMAT = "winnable.data/1"
FILE_NAME = "winnable-data.json.gz"
MAX_UNPACKED = 2**30
"""Bytes: a small file may unpack to anything."""
MAX_LINE = 256 * 2**20
MAX_RUNS = 10_000

Id: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
Json: TypeAlias = str


class Record(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    pass


class Head(Record, frozen=True, tag="head"):
    format: str
    version: Text
    """Of winnable."""
    made: Time


class GameRecord(Record, frozen=True, tag="game"):
    """As `KeptSession` has it, texts being JSON."""

    id: Id
    level_id: Text
    level: Json
    actions: Json
    ply: Annotated[int, Meta(ge=0, le=2**53)]
    standing: Standing
    updated: Time
    helped: bool
    seconds: Time | None


class ResultRecord(Record, frozen=True, tag="result"):
    result: Result


class RunRecord(Record, frozen=True, tag="run"):
    """As `KeptRun` has it, texts being JSON."""

    id: Annotated[str, Meta(pattern="^[0-9a-f]{1,32}$")]
    game: Text
    tunable: Text
    optimizer: Text
    arguments: Json
    version: Text
    started: Time
    updated: Time
    status: runs.RunStatus
    checkpoint: Json | None
    result: Json | None
    events: list[Json]


class CardRecord(Record, frozen=True, tag="card"):
    """As `store.deck.Card` has it, texts being JSON."""

    level_id: Text
    level: Json
    actions: Json
    played: Annotated[int, Meta(ge=0, le=2**53)]
    added: Time
    due: Time
    memory: Json


class SettingsRecord(Record, frozen=True, tag="settings"):
    """What a browser remembers, by name."""

    values: Annotated[
        dict[
            Annotated[str, Meta(max_length=100)],
            Annotated[str, Meta(max_length=1_000_000)],
        ],
        Meta(max_length=1000),
    ]


Line: TypeAlias = Head | GameRecord | ResultRecord | RunRecord | CardRecord | SettingsRecord
_decoder: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)


class Packed(Struct, frozen=True):
    """What went out."""

    games: int
    results: int
    runs: int
    cards: int


class TakenIn(Struct, frozen=True):
    """What came in. games: new ones; merged: to which branches were added; left_out: new ones for which there
    is no room, as older games are forgotten first. settings: of browsers, for whoever has one."""

    games: int
    merged: int
    left_out: int
    results: int
    runs: int
    cards: int
    settings: dict[str, str]


def pack(store: Store) -> tuple[bytes, Packed]:
    """The file. Raises StoreError."""
    counts: dict[Any, int] = {"game": 0, "result": 0, "run": 0, "card": 0}
    content = BytesIO()
    with gzip.GzipFile(fileobj=content, mode="wb", mtime=0) as file:
        file.write(msgspec.json.encode(Head(FORMAT, __version__, time.time())) + b"\n")
        for record in _records(store):
            file.write(msgspec.json.encode(record) + b"\n")
            counts[record.__struct_config__.tag] += 1
    return content.getvalue(), Packed(*counts.values())


def _records(store: Store) -> Iterator[Record]:
    for entry in store.sessions(MAX_SESSIONS):
        kept = _or_none(lambda id=entry.id: store.load(id))
        if kept is not None:
            yield GameRecord(
                kept.id, kept.level_id, kept.level.decode(), kept.actions.decode(), kept.ply,
                msgspec.convert(kept.standing, Standing), kept.updated, kept.helped, kept.seconds,
            )  # fmt: skip
    for result in results.every(store):
        yield ResultRecord(result)
    for listed in store.runs(MAX_RUNS):
        run = _or_none(lambda id=listed.id: store.load_run(id))
        if run is not None:
            yield RunRecord(
                run.id, run.game, run.tunable, run.optimizer, run.arguments.decode(), run.version,
                run.started, run.updated, msgspec.convert(run.status, runs.RunStatus),
                _text(run.checkpoint), _text(run.result),
                [event.decode() for event in store.run_events(run.id)],
            )  # fmt: skip

    for card in deck.every(store):
        level, actions, memory = card.level.decode(), card.actions.decode(), card.memory.decode()
        yield CardRecord(card.level_id, level, actions, card.played, card.added, card.due, memory)


def _or_none(load: Callable[[], T]) -> T | None:
    """None: it is not kept. Raises StoreError."""
    try:
        return load()
    except StoreError as error:
        if error.code != "kept.none":
            raise
        return None


# -- in ------------------------------------------------------------------------------------------------------


def take_in(store: Store, content: bytes) -> TakenIn:
    """Looks through all of the file before anything is kept. Raises WinnableError that names line and field;
    then nothing has changed, unless it is a StoreError."""
    pages = {name for game in loaded_games() if isinstance(game, Pages) for name in game.pages}
    for number, record in _read(content):
        try:
            _check(record, pages)
        except WinnableError as error:
            raise error.within(f"line {number}") from None
    new: set[str] = set()
    merged = kept_results = kept_runs = kept_cards = 0
    settings: dict[str, str] = {}
    for _, record in _read(content):
        match record:
            case GameRecord():
                id, branches = _take_game(store, _kept(record), pages)
                new |= {id} if id else set()
                merged += branches
            case ResultRecord():
                kept_results += results.add(store, record.result)
            case RunRecord():
                events = [(_generation(event), event.encode()) for event in record.events]
                kept_runs += store.take_in_run(_run(record), events)
            case CardRecord():
                kept_cards += _take_card(store, _card(record))
            case SettingsRecord():
                settings |= record.values
            case Head():
                pass
    store.prune()
    here = {entry.id for entry in store.sessions(MAX_SESSIONS)}
    return TakenIn(len(new & here), merged, len(new - here), kept_results, kept_runs, kept_cards, settings)


def _read(content: bytes) -> Iterator[tuple[int, Line]]:
    """(number of its line, record). Raises WinnableError."""
    left, number = MAX_UNPACKED, 0
    try:
        with gzip.GzipFile(fileobj=BytesIO(content)) as file:
            while line := file.readline(min(left, MAX_LINE) + 1):
                number += 1
                left -= len(line)
                if left < 0 or len(line) > MAX_LINE:
                    raise WinnableError("data.large", field=f"line {number}", most=MAX_UNPACKED >> 20)
                record = _decoded(line, number)
                if isinstance(record, Head):
                    _check_head(record)
                elif number == 1:
                    raise WinnableError("data.foreign", field="file")
                yield number, record
    except (OSError, EOFError, zlib.error):
        raise WinnableError("data.damaged" if number else "data.foreign", field="file") from None
    if number == 0:
        raise WinnableError("data.foreign", field="file")


def _decoded(line: bytes, number: int) -> Line:
    if number == 1 and b"winnable.data/" not in line[:200]:
        raise WinnableError("data.foreign", field="file")
    return decode(line, Line, f"line {number}")


def _check_head(head: Head) -> None:
    if head.format != FORMAT:
        raise WinnableError("data.newer", field="format", given=head.format, known=FORMAT)


def _check(record: Record, pages: set[str]) -> None:
    """Raises WinnableError."""
    if isinstance(record, GameRecord):
        if _page_of(record.level_id) in pages:  # which reads it itself when it is opened
            return
        try:
            session = _session(_kept(record))
        except WinnableError as error:
            raise error.within("game") from None
        if (session.ply, session.standing) != (record.ply, record.standing):
            raise LevelError("data.board", field="game: ply")
    elif isinstance(record, CardRecord):
        try:
            _card(record)
        except WinnableError as error:
            raise error.within("card") from None
    elif isinstance(record, RunRecord):
        for event in record.events:
            _generation(event)
        if record.checkpoint is not None:
            decode(record.checkpoint.encode(), dict[str, Any], "run: checkpoint")
        last = record.events[-1].encode() if record.events else None
        try:
            runs.described(replace(_run(record), last_event=last))
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            raise LevelError("shape.other", field="run: arguments", reason=record.id) from None


def _generation(event: Json) -> int:
    return decode(event.encode(), runs.Generation, "run: events").generation


def _card(record: CardRecord) -> Card:
    """Raises WinnableError."""
    named = read_level(record.level.encode())._replace(id=record.level_id)
    actions: list[int] = decode(record.actions.encode(), list[int], "actions")
    card = card_of(named, [*actions, record.played], record.added)
    card = replace(card, due=record.due, memory=record.memory.encode())
    session_of(card)
    check_memory(card)
    return card


def _take_card(store: Store, theirs: Card) -> bool:
    """Of two memories of one mistake the later one stays."""
    ours = deck.find(store, theirs.id)
    if ours is None or answered(theirs) > answered(ours):
        deck.put(store, theirs)
        return True
    return False


def _page_of(level_id: str) -> str:
    return level_id.partition(":")[0]


def _kept(record: GameRecord) -> KeptSession:
    return KeptSession(
        record.id, record.level_id, record.level.encode(), record.actions.encode(), record.ply,
        record.standing, record.updated, helped=record.helped, seconds=record.seconds,
    )  # fmt: skip


def _run(record: RunRecord) -> KeptRun:
    return KeptRun(
        record.id, record.game, record.tunable, record.optimizer, record.arguments.encode(), record.version,
        record.started, record.updated, record.status, _encoded(record.checkpoint),
        _encoded(record.result),
    )  # fmt: skip


def _encoded(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def _text(content: bytes | None) -> str | None:
    return None if content is None else content.decode()


def _session(kept: KeptSession) -> Session:
    """Raises WinnableError."""
    named = read_level(kept.level)._replace(id=kept.level_id)
    return Session.grown(named, _tree(kept))


def _tree(kept: KeptSession) -> SavedTree:
    tree: SavedTree | list[int] = decode(kept.actions, SavedTree | list[int], "actions")
    return as_tree(tree, kept.ply) if isinstance(tree, list) else tree


def _take_game(store: Store, theirs: KeptSession, pages: set[str]) -> tuple[str, bool]:
    """(the id under which it is new here, else "", whether branches were added to one that is here)."""
    while True:
        ours = _or_none(lambda: store.load(theirs.id))
        if ours is None:
            return (theirs.id if store.take_in(theirs) else ""), False
        if _page_of(theirs.level_id) in pages or (ours.level, ours.actions) == (theirs.level, theirs.actions):
            return "", False
        named, session = read_level(theirs.level), _session(ours)
        content = content_id(named.game, named.level)
        if content != content_id(session.game, session.level):  # of two games with one id, another one
            id = hashlib.sha256(f"{theirs.id} {content}".encode()).hexdigest()[:32]
            return (id if store.take_in(replace(theirs, id=id)) else ""), False
        before = session.saved_tree()
        session.merge(_tree(theirs))
        if len(session.saved_tree().actions) == len(before.actions):
            return "", False
        actions = msgspec.json.encode(session.saved_tree())
        try:
            store.save(replace(ours, actions=actions, helped=ours.helped or theirs.helped))
        except MovedOn:
            continue  # another program was faster
        return "", True
