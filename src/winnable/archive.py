"""All that a user has, as one file: games, results, runs, sets of levels, and what a browser remembers.

gzip of JSON, a record a line; the first says what it is. Files may be joined end to end as gzip allows: so a
page adds what its browser alone knows. Reading one in adds what is not here and changes nothing that is: of
a game that is here, too, the branches come together, a run goes on from where it is further, and of a set the
levels come together, in the order of the one that was changed last. The same file once more changes nothing.

A record that cannot be used is passed over and counted, and takes no other one with it; games of kinds that
are not installed are kept as they are. What is taken in is replayed first, and is written all at once.
"""

from __future__ import annotations

import gzip
import hashlib
import logging
import re
import sqlite3
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from io import BytesIO
from typing import Annotated, Any, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct

from winnable import __version__
from winnable.contract.abilities import Pages
from winnable.contract.core import LevelError, WinnableError
from winnable.contract.errors import failing_rules
from winnable.contract.registry import loaded_games, usable_games
from winnable.levels.files import decode, read_level
from winnable.levels.identity import content_id
from winnable.play.deck import answered, card_of, checked_memory, session_of
from winnable.play.session import Session, Standing, as_tree
from winnable.play.tree import SavedTree
from winnable.store import database, deck, results, sets
from winnable.store.database import KeptRun, KeptSession, MovedOn, Store, StoreError, Time
from winnable.store.deck import Card
from winnable.store.results import Id, Result, Text
from winnable.store.sets import KeptLevel, KeptSet
from winnable.tuning import runs

T = TypeVar("T")
log = logging.getLogger("winnable")

FORMAT = "winnable.data/1"
FILE_NAME = "winnable-data.json.gz"
MAX_PACKED = 256 * 2**20
MAX_UNPACKED = 2**30
"""Bytes: a small file may unpack to anything."""
MAX_LINE = 256 * 2**20
MAX_LINES = 1_000_000
MAX_HEAD = 2**16
"""Of the first line, and of what gzip still holds."""
MOST_TOLD = 5
"""Records that are passed over of which the log says why."""
MOST_TRIES = 100
"""While other programs change what is here."""
_NAME_ENDS = re.compile("[:/@]")
ABSENT = {
    *("level.format", "level.no_format", "level.foreign"),
    *("game.unknown", "game.broken", "game.other", "game.tag"),
}
"""Refusals of a level whose game is not installed, or cannot be loaded."""

Json: TypeAlias = str
SetId: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{12}\Z")]
Number: TypeAlias = Annotated[int, Meta(ge=0, le=2**53)]


class Record(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    pass


class Head(Record, frozen=True, tag="head"):
    format: str
    version: Text
    """Of winnable."""
    made: Time


class _AnyHead(Struct, frozen=True):
    format: str


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

    id: Annotated[str, Meta(pattern=r"^[0-9a-f]{1,32}\Z")]
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


class CardRecord(Record, frozen=True, tag="card", omit_defaults=True):
    """As `store.deck.Card` has it, texts being JSON. id, game: for where the game is not installed, which
    else says them"""

    level_id: Text
    level: Json
    actions: Json
    played: Annotated[int, Meta(ge=0, le=2**53)]
    added: Time
    due: Time
    memory: Json
    id: Id | None = None
    game: Text = ""


class SetRecord(Record, frozen=True, tag="set"):
    """As `store.sets.KeptSet` has it, without work that is not over; its levels follow."""

    id: SetId
    title: Text
    order: Annotated[list[Number], Meta(max_length=MAX_LINES)]
    numbers: Number
    updated: Time


class SetLevelRecord(Record, frozen=True, tag="set_level"):
    """As `store.sets.KeptLevel` has it: a level need be no text, and what is no level is one, too."""

    set: SetId
    number: Number
    name: Text
    level: bytes
    found: bytes


class SettingsRecord(Record, frozen=True, tag="settings"):
    """What a browser remembers, by name."""

    values: Annotated[
        dict[
            Annotated[str, Meta(max_length=100)],
            Annotated[str, Meta(max_length=1_000_000)],
        ],
        Meta(max_length=1000),
    ]


Line: TypeAlias = (
    Head | GameRecord | ResultRecord | RunRecord | CardRecord | SetRecord | SetLevelRecord | SettingsRecord
)
_decoder: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)


class Packed(Struct, frozen=True):
    """What went out. passed: records that cannot be read, and stayed."""

    games: int
    results: int
    runs: int
    cards: int
    passed: int = 0
    sets: int = 0

    @property
    def is_empty(self) -> bool:
        return not (self.games or self.results or self.runs or self.cards or self.sets)


class TakenIn(Struct, frozen=True):
    """What came in. games: new ones; merged: to which branches were added; left_out: new ones for which there
    is no room, as older games are forgotten first. settings: of browsers, for whoever has one. passed:
    records that cannot be used."""

    games: int
    merged: int
    left_out: int
    results: int
    runs: int
    cards: int
    settings: dict[str, str]
    passed: int = 0
    sets: int = 0


# -- out -----------------------------------------------------------------------------------------------------


def pack(store: Store) -> tuple[bytes, Packed]:
    """The file. Raises StoreError, also where what the user has cannot be read, and WinnableError where it is
    more than could come in again: neither would be a backup of it."""
    if store.path is not None and not store.is_kept:
        raise StoreError("data.memory", reason=store.fault)
    counts = Counter[str]()
    content, opening, size = BytesIO(), store.openings, 0
    with gzip.GzipFile(fileobj=content, mode="wb", mtime=0) as file:
        file.write(msgspec.json.encode(Head(FORMAT, __version__, time.time())) + b"\n")
        for record in _records(store):
            if record is not None and (line := _line(record)):
                file.write(line + b"\n")
                counts[str(record.__struct_config__.tag)] += 1
                size += len(line) + 1
            else:
                counts["passed"] += 1
            for now, most in ((size, MAX_UNPACKED - MAX_HEAD), (content.tell(), MAX_PACKED - MAX_HEAD)):
                if now > most:
                    raise WinnableError("data.full", field="data", most=most >> 20)
    if store.openings != opening:
        raise store.fault or StoreError("store.replaced")
    told = (counts[name] for name in ("game", "result", "run", "card", "passed", "set"))
    return content.getvalue(), Packed(*told)


def _line(record: Record) -> bytes:
    """Empty where it could not be read in again."""
    with suppress(msgspec.MsgspecError, UnicodeError, ValueError, TypeError):
        line = msgspec.json.encode(record)
        _decoder.decode(line)
        return line if len(line) < MAX_LINE else b""
    return b""


def _records(store: Store) -> Iterator[Record | None]:
    """None: one that cannot be read. Raises StoreError."""
    for id in store.session_ids():
        yield _readable(lambda id=id: _game_record(store, id))
    for result in results.rows(store):
        yield None if result is None else ResultRecord(result)
    for id in store.run_ids():
        yield _readable(lambda id=id: _run_record(store, id))
    for card in deck.rows(store):
        yield None if card is None else _readable(lambda card=card: _card_record(card))
    for kept in sets.every(store):
        yield (record := _readable(lambda kept=kept: _set_record(kept)))
        if record is not None:
            for level in sets.levels(store, kept.id, kept.order).values():
                yield SetLevelRecord(kept.id, level.number, level.name, level.level, level.found)


_UNREADABLE = (UnicodeError, msgspec.MsgspecError)
"""What parts of a damaged row raise."""


def _readable(make: Callable[[], T]) -> T | None:
    """None: it cannot be read, or is not there any more. Raises StoreError."""
    try:
        return make()
    except _UNREADABLE:
        return None
    except StoreError as error:
        if error.code != "kept.none":
            raise
        return None


def _game_record(store: Store, id: str) -> GameRecord:
    kept = store.load(id)
    return GameRecord(
        kept.id, kept.level_id, kept.level.decode(), kept.actions.decode(), kept.ply,
        msgspec.convert(kept.standing, Standing), kept.updated, kept.helped, kept.seconds,
    )  # fmt: skip


def _run_record(store: Store, id: str) -> RunRecord:
    run = store.load_run(id)
    return RunRecord(
        run.id, run.game, run.tunable, run.optimizer, run.arguments.decode(), run.version, run.started,
        run.updated, run.status, _text(run.checkpoint),
        _text(run.result), [event.decode() for event in store.run_events(run.id)],
    )  # fmt: skip


def _card_record(card: Card) -> CardRecord:
    level, actions, memory = card.level.decode(), card.actions.decode(), card.memory.decode()
    return CardRecord(
        card.level_id, level, actions, card.played, card.added, card.due, memory, card.id, card.game
    )


def _set_record(kept: KeptSet) -> SetRecord:
    return SetRecord(kept.id, kept.title, kept.order, kept.numbers, kept.updated)


# -- in ------------------------------------------------------------------------------------------------------


class _Step(Struct):
    """One record, ready to be written. A game that is here goes on from its revision."""

    game: KeptSession | None = None
    is_new: bool = False
    run: KeptRun | None = None
    events: list[tuple[int, bytes]] = []
    result: Result | None = None
    card: Card | None = None
    kept_set: KeptSet | None = None
    of_set: str = ""
    level: KeptLevel | None = None


class _Plan:
    """What of a file is to be written. It is held packed: a small file may hold much."""

    def __init__(self, store: Store) -> None:
        self.passed = 0
        self.settings: dict[str, str] = {}
        self._store = store
        self._pages = {name for game in loaded_games() if isinstance(game, Pages) for name in game.pages}
        self._steps: list[bytes] = []
        self._games: dict[str, int] = {}
        """Their steps: the file may have one twice."""

    @property
    def steps(self) -> Iterator[_Step]:
        return (self._step(number) for number in range(len(self._steps)))

    def _step(self, number: int) -> _Step:
        return msgspec.msgpack.decode(zlib.decompress(self._steps[number]), type=_Step)

    def add(self, record: Line) -> None:
        """Raises WinnableError where it cannot be used."""
        match record:
            case GameRecord():
                self._add_game(_checked_game(record, self._pages))
            case ResultRecord():
                self._put(_Step(result=record.result))
            case RunRecord():
                run, events = _checked_run(record)
                self._put(_Step(run=run, events=events))
            case CardRecord():
                self._put(_Step(card=_checked_card(record)))
            case SetRecord():
                places = msgspec.json.encode([*dict.fromkeys(record.order)])
                kept = KeptSet(record.id, record.title, places, record.numbers, b"", record.updated)
                self._put(_Step(kept_set=kept))
            case SetLevelRecord():
                level = KeptLevel(record.number, record.name, record.level, record.found)
                self._put(_Step(of_set=record.set, level=level))
            case SettingsRecord():
                self.settings |= record.values
            case Head():
                pass

    def _put(self, step: _Step, at: int | None = None) -> int:
        """In the place of another one, or at the end."""
        content = zlib.compress(msgspec.msgpack.encode(step), 1)
        if at is None:
            self._steps.append(content)
            return len(self._steps) - 1
        self._steps[at] = content
        return at

    def _known(self, id: str) -> KeptSession | None:
        if id in self._games:
            return self._step(self._games[id]).game
        try:
            return self._store.load(id)
        except StoreError as error:
            if error.code != "kept.none":
                raise
            return None

    def _add_game(self, theirs: KeptSession) -> None:
        """Nothing is to be written where all of it is here."""
        ours = self._known(theirs.id)
        if ours is not None:
            if (ours.level, ours.actions) == (theirs.level, theirs.actions):
                return
            # What only its game's own page reads cannot be brought together.
            is_sealed = _is_sealed(theirs, self._pages)
            content = f"{theirs.level} {theirs.actions}" if is_sealed else _content(theirs)
            if is_sealed or _content(ours) != content:  # of two games with one id, another one
                id = hashlib.sha256(f"{theirs.id} {content}".encode()).hexdigest()[:32]
                theirs, ours = replace(theirs, id=id), self._known(id)
                if is_sealed and ours is not None:
                    return
        grown = theirs if ours is None else _grown(ours, theirs)
        if grown is not None:
            at = self._games.get(grown.id)
            is_new = ours is None or (at is not None and self._step(at).is_new)
            self._games[grown.id] = self._put(_Step(game=grown, is_new=is_new), at)


def take_in(store: Store, content: bytes) -> TakenIn:
    """Looks through all of the file before anything is kept, and keeps all of it or nothing. Raises
    WinnableError where it is no file of ours or cannot be kept."""
    for _ in range(MOST_TRIES):
        if store.path is not None and not store.is_kept:
            break
        plan = _planned(store, content)
        try:
            found = store.transact(lambda connection, plan=plan: _written(connection, plan))
        except MovedOn:
            continue  # another program was faster
        if store.path is None or store.is_kept:
            return found
    raise StoreError("data.memory", reason=store.fault) if store.fault else StoreError("store.replaced")


def _planned(store: Store, content: bytes) -> _Plan:
    plan = _Plan(store)
    for number, line in _lines(content):
        try:
            record = _decoded(line, number)
            with failing_rules():
                plan.add(record)
        except StoreError:
            raise
        except WinnableError as error:
            if number == 1 or error.code == "data.newer":
                raise (error if error.code.startswith("data.") else error.within("line 1")) from None
            plan.passed += 1
            if plan.passed <= MOST_TOLD:
                log.warning("passed over: %s", error.within(f"line {number}"))
    return plan


def _written(connection: sqlite3.Connection, plan: _Plan) -> TakenIn:
    """In a transaction. Raises MovedOn."""
    new: set[str] = set()
    merged = kept_results = kept_runs = kept_cards = 0
    wanted: dict[str, set[int]] = {}
    for step in plan.steps:
        if step.game is not None and step.is_new:
            database.take_in(connection, step.game)
            new.add(step.game.id)
        elif step.game is not None:
            database.save_in(connection, step.game)
            merged += 1
        if step.result is not None:
            kept_results += results.add_in(connection, step.result)
        if step.run is not None:
            kept_runs += database.take_in_run(connection, step.run, step.events)
        if step.card is not None:
            kept_cards += _take_card(connection, step.card)
        if step.kept_set is not None and (numbers := sets.take_in(connection, step.kept_set)):
            wanted[step.kept_set.id] = numbers
        if step.level is not None and step.level.number in wanted.get(step.of_set, ()):
            sets.put_levels_in(connection, step.of_set, [step.level])
    database.prune_in(connection)
    here = {id for (id,) in connection.execute("SELECT id FROM games")}
    return TakenIn(
        len(new & here), merged, len(new - here), kept_results, kept_runs, kept_cards, plan.settings,
        plan.passed, len(wanted),
    )  # fmt: skip


def _lines(content: bytes) -> Iterator[tuple[int, bytes]]:
    """With their numbers, from 1. Raises WinnableError."""
    left, number = MAX_UNPACKED, 0
    try:
        with gzip.GzipFile(fileobj=BytesIO(content)) as file:
            while line := file.readline(min(left, MAX_LINE) + 1):
                number += 1
                left -= len(line)
                if left < 0 or len(line) > MAX_LINE:
                    most = MAX_UNPACKED if left < 0 else MAX_LINE
                    raise WinnableError("data.large", field=f"line {number}", most=most >> 20)
                if number > MAX_LINES:
                    raise WinnableError("data.lines", field="file", most=MAX_LINES)
                yield number, line
    except (OSError, EOFError, zlib.error):
        raise WinnableError("data.damaged" if number else "data.foreign", field="file") from None
    if number == 0:
        raise WinnableError("data.foreign", field="file")


def _decoded(line: bytes, number: int) -> Line:
    if number == 1 or b'"head"' in line[:200]:
        _check_head(line)
    record = decode(line, Line)
    if number == 1 and not isinstance(record, Head):
        raise WinnableError("data.foreign", field="file")
    return record


def _check_head(line: bytes) -> None:
    """Of what another version has written, no more than the format is known."""
    if b"winnable.data/" not in line[:200]:
        raise WinnableError("data.foreign", field="file")
    head: _AnyHead = decode(line, _AnyHead)
    if head.format != FORMAT:
        raise WinnableError("data.newer", field="format", given=head.format, known=FORMAT)


# -- what records must be: raise WinnableError ---------------------------------------------------------------


def _checked_game(record: GameRecord, pages: set[str]) -> KeptSession:
    kept = KeptSession(
        record.id, record.level_id, record.level.encode(), record.actions.encode(), record.ply,
        record.standing, record.updated, helped=record.helped, seconds=record.seconds,
    )  # fmt: skip
    if _is_sealed(kept, pages):
        decode(kept.level, Any, "game: level")
        decode(kept.actions, Any, "game: actions")
        return kept
    try:
        session = _session(kept)
    except WinnableError as error:
        raise error.within("game") from None
    if (session.ply, session.standing) != (record.ply, record.standing):
        raise LevelError("data.board", field="game: ply")
    return kept


def _is_sealed(kept: KeptSession, pages: set[str]) -> bool:
    """Whether it is kept as it is: a page of a game reads it itself, or its game is not installed."""
    return kept.level_id.partition(":")[0] in pages or _is_absent(kept.level_id, kept.level)


def _is_absent(level_id: str, level: bytes) -> bool:
    if _NAME_ENDS.split(level_id, 1)[0] in usable_games():
        return False
    try:
        read_level(level)
    except WinnableError as error:
        return error.code in ABSENT
    return False


def _checked_run(record: RunRecord) -> tuple[KeptRun, list[tuple[int, bytes]]]:
    run = KeptRun(
        record.id, record.game, record.tunable, record.optimizer, record.arguments.encode(), record.version,
        record.started, record.updated, record.status, _encoded(record.checkpoint),
        _encoded(record.result),
    )  # fmt: skip
    if run.checkpoint is not None:
        decode(run.checkpoint, dict[str, Any], f"run {run.id}: checkpoint")
    runs.described(run)
    events: list[tuple[int, bytes]] = []
    for event in map(str.encode, record.events):
        found: runs.Generation = decode(event, runs.Generation, f"run {run.id}: events")
        events.append((found.generation, event))
    return run, events


def _checked_card(record: CardRecord) -> Card:
    level, actions = record.level.encode(), record.actions.encode()
    line: list[int] = decode(actions, list[int], "card: actions")
    memory = checked_memory(record.memory.encode())
    if record.id is not None and record.game not in usable_games() and _is_absent(record.level_id, level):
        return Card(
            record.id, record.game, record.level_id, level, actions, record.played, record.added, record.due,
            memory,
        )  # fmt: skip
    try:
        named = read_level(level)._replace(id=record.level_id)
        card = card_of(named, [*line, record.played], record.added)
        session_of(card).act(card.played)
    except WinnableError as error:
        raise error.within("card") from None
    return replace(card, due=record.due, memory=memory)


def _take_card(connection: sqlite3.Connection, theirs: Card) -> bool:
    """Of two memories of one mistake the later one stays."""
    ours = deck.find_in(connection, theirs.id)
    if ours is None or answered(theirs) > answered(ours):
        deck.put_in(connection, theirs)
        return True
    return False


def _encoded(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def _text(content: bytes | None) -> str | None:
    return None if content is None else content.decode()


def _session(kept: KeptSession) -> Session:
    named = read_level(kept.level)._replace(id=kept.level_id)
    return Session.grown(named, _tree(kept))


def _tree(kept: KeptSession) -> SavedTree:
    tree: SavedTree | list[int] = decode(kept.actions, SavedTree | list[int], "actions")
    return as_tree(tree, kept.ply) if isinstance(tree, list) else tree


def _content(kept: KeptSession) -> str:
    """Tells the level; of one that cannot be read, as it is written."""
    try:
        named = read_level(kept.level)
    except WinnableError:
        return hashlib.sha256(kept.level).hexdigest()
    return content_id(named.game, named.level)


def _grown(ours: KeptSession, theirs: KeptSession) -> KeptSession | None:
    """The branches of both, where the one stood that was played last; None: that is ours already."""
    older, newer = sorted((theirs, ours), key=lambda game: game.updated)
    session = _session(newer)
    session.merge(_tree(older))
    actions = msgspec.json.encode(session.saved_tree())
    grown = replace(
        newer, id=ours.id, revision=ours.revision, actions=actions, helped=ours.helped or theirs.helped
    )
    has_more = session.size > _session(ours).size
    return grown if has_more or (newer is theirs and grown.ply != ours.ply) else None
