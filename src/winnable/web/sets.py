"""The sets of levels of a server: kept in its store, one of them worked on at a time, whoever looks.

Work belongs to no page: it goes on when all are closed. What has come of it is in the store at once, with
what is left, so that whatever ends the server it can be gone on with.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import Any, Literal, TypeAlias, assert_never

from winnable.batches.filling import Filled
from winnable.batches.running import Row, rows
from winnable.contract.core import Budget, Progress, WinnableError
from winnable.levels.checking import Checked, Looked, sources
from winnable.levels.files import NamedLevel, encode_level, read_level
from winnable.store import sets
from winnable.store.database import Store, StoreError
from winnable.store.sets import ID_LENGTH, KeptLevel, KeptSet
from winnable.web import set_protocol as protocol
from winnable.web.events import Event
from winnable.web.jobs import Job, Jobs
from winnable.web.open_sets import OpenSet, found_of
from winnable.web.opening import content_of
from winnable.web.refusals import only_logged
from winnable.web.set_protocol import (
    MOST_LEVELS,
    SetEvent,
    SetInfo,
    SetPicturesEvent,
    SetRequest,
    SetRows,
    SetsEvent,
    SetWorking,
)
from winnable.web.set_works import Asked, Work, plan_of, read_work
from winnable.workers.engines import make_engine

ROWS_AT_ONCE = 200
"""In a message."""
FLUSH_SECONDS = 0.4
"""Rows that come meanwhile are kept, and told, together."""
FEW = 8
"""Levels for which it is not worth while to start processes."""
BUSY = "sets.busy"

Send: TypeAlias = Callable[[Event], None]
Refuse: TypeAlias = Callable[[WinnableError], None]
Stage: TypeAlias = Literal["working", "all", "stopped", "refused"]


class Sets:
    """All methods are called on the event loop, and return at once."""

    def __init__(self, store: Store, jobs: Jobs) -> None:
        self._store, self._jobs = store, jobs
        self._followers: list[Send] = []
        self._viewers: dict[Send, str] = {}
        self._open: dict[str, OpenSet] = {}
        """Those that somebody looks at, or that are worked on."""
        self._under_way: _UnderWay | None = None

    def handle(self, request: SetRequest, send: Send, refuse: Refuse) -> None:
        """Does what the request asks for. Raises WinnableError for what can be refused at once."""
        match request:
            case protocol.Sets():
                if send not in self._followers:
                    self._followers.append(send)
                self._tell_sets(send)
            case protocol.SetNew():
                id = uuid.uuid4().hex[:ID_LENGTH]
                sets.add(self._store, KeptSet(id, request.title, b"[]", 0, b"", time.time()))
                self._enter(id, send, refuse)
                self._tell_sets()
            case protocol.SetOpen():
                self._enter(request.set, send, refuse)
            case protocol.SetLeave():
                self._viewers.pop(send, None)
                self._forget_some()
            case protocol.SetAdd():
                work = partial(_read, request.name, request.content)
                self._jobs.answer(work, partial(self._add, request.set), refuse)
            case protocol.SetMake() | protocol.SetJudge() | protocol.SetRepair() | protocol.SetVary():
                self._with(request.set, refuse, lambda one: self._begin(one, _new_work(request, one), refuse))
            case protocol.SetGoOn():
                self._with(request.set, refuse, lambda one: self._begin(one, _kept_work(one), refuse))
            case protocol.SetStop():
                if self._under_way is None or self._under_way.id != request.set:
                    raise WinnableError("sets.idle")
                self._under_way.budget.cancel()
            case protocol.SetOrder():
                self._reorder(request)
            case protocol.SetName():
                self._changed(sets.change(self._store, request.set, title=request.title))
                self._tell_sets()
            case protocol.SetDelete():
                self._delete(request.set)
            case protocol.SetPictures():
                work = partial(_pictures, self._store, request)
                self._jobs.answer(work, send, refuse)
            case protocol.SetExport():
                self._with(request.set, refuse, lambda one: self._export(one, request, send, refuse))
            case _:
                assert_never(request)

    def keep(self, request: protocol.SetKeep, named: NamedLevel) -> None:
        """Takes in this level, or puts it in the place of the one of that number."""
        content = encode_level(named.level)
        kept = sets.find(self._store, request.set)
        number = kept.numbers if request.number is None else request.number
        if request.number is not None and number not in kept.order:
            raise WinnableError("sets.gone")
        self._add(request.set, [KeptLevel(number, "", content, _unjudged("", content))], replaces=True)

    def leave(self, send: Send) -> None:
        """Tells this page nothing more."""
        if send in self._followers:
            self._followers.remove(send)
        self._viewers.pop(send, None)
        self._forget_some()

    def reload(self) -> None:
        """Another program has kept sets in the store."""
        for id in [*self._open]:
            with only_logged():
                self._open[id] = one = OpenSet.load(self._store, id)
                self._broadcast(id, SetEvent(self._info(one.kept), one.order))
                self._tell_rows(one, one.order)
        self._tell_sets()

    def close(self) -> None:
        """Stops the work; what is left of it can be gone on with. From any thread."""
        if self._under_way is not None:
            self._under_way.budget.cancel()

    # -- sets ------------------------------------------------------------------------------------------------

    def _enter(self, id: str, send: Send, refuse: Refuse) -> None:
        def show(one: OpenSet) -> None:
            self._viewers[send] = id
            self._forget_some()
            send(SetEvent(self._info(one.kept), one.order))
            for at in range(0, len(one.order), ROWS_AT_ONCE):
                send(SetRows(id, one.rows(one.order[at : at + ROWS_AT_ONCE])))
            if self._under_way is not None and self._under_way.id == id:
                send(self._under_way.event("working"))

        self._with(id, refuse, show)

    def _with(self, id: str, refuse: Refuse, use: Callable[[OpenSet], None]) -> None:
        """`use` with the set, at once where it is open."""
        if id in self._open:
            use(self._open[id])
            return

        def opened(one: OpenSet) -> None:
            use(self._open.setdefault(id, one))

        self._jobs.answer(partial(OpenSet.load, self._store, id), opened, refuse)

    def _forget_some(self) -> None:
        used = {*self._viewers.values(), *([self._under_way.id] if self._under_way else ())}
        self._open = {id: one for id, one in self._open.items() if id in used}

    def _add(self, id: str, levels: Sequence[KeptLevel], replaces: bool = False) -> None:
        """At the end, numbered anew unless they replace others; then they are looked into."""
        kept = sets.find(self._store, id)
        if len(kept.order) + len(levels) > MOST_LEVELS:
            raise WinnableError("sets.full", most=MOST_LEVELS)
        if not replaces:
            levels = [
                KeptLevel(kept.numbers + place, one.name, one.level, one.found)
                for place, one in enumerate(levels)
            ]
        self._take(sets.change(self._store, id, put=levels), levels)
        self._tell_sets()
        self._judge_rest(id)

    def _reorder(self, request: protocol.SetOrder) -> None:
        kept = sets.find(self._store, request.set)
        named = dict.fromkeys(request.levels)
        newer = [number for number in kept.order if request.known is not None and number >= request.known]
        order = [*named, *(number for number in newer if number not in named)]
        self._changed(sets.change(self._store, request.set, order=order))
        self._tell_sets()

    def _delete(self, id: str) -> None:
        if self._under_way is not None and self._under_way.id == id:
            self._under_way.budget.cancel()
        sets.delete(self._store, id)
        self._open.pop(id, None)
        self._tell_sets()

    def _changed(self, kept: KeptSet) -> None:
        """Title or order."""
        if (one := self._open.get(kept.id)) is not None:
            numbers = one.take(kept, ())
            self._broadcast(kept.id, SetEvent(self._info(kept), one.order))
            self._tell_rows(one, numbers)

    def _take(self, kept: KeptSet, levels: Sequence[KeptLevel]) -> None:
        """Levels that are new, or are not what they were."""
        if (one := self._open.get(kept.id)) is not None:
            before = one.order
            numbers = one.take(kept, levels)
            self._tell_rows(one, numbers)
            if one.order != before:
                self._broadcast(kept.id, SetEvent(self._info(kept), one.order))

    def _tell_rows(self, one: OpenSet, numbers: Sequence[int]) -> None:
        for at in range(0, len(numbers), ROWS_AT_ONCE):
            self._broadcast(one.kept.id, SetRows(one.kept.id, one.rows(numbers[at : at + ROWS_AT_ONCE])))

    def _info(self, kept: KeptSet) -> SetInfo:
        works = self._under_way is not None and self._under_way.id == kept.id
        rests = not works and read_work(kept.work) is not None
        return SetInfo(kept.id, kept.title, len(kept.order), kept.updated, works, rests)

    def _tell_sets(self, send: Send | None = None) -> None:
        event = SetsEvent([self._info(kept) for kept in sets.every(self._store)])
        for one in [send] if send else list(self._followers):
            one(event)

    def _broadcast(self, id: str, event: Event) -> None:
        for send, seen in list(self._viewers.items()):
            if seen == id:
                send(event)

    def _export(self, one: OpenSet, request: protocol.SetExport, send: Send, refuse: Refuse) -> None:
        numbers = one.order if request.levels is None else request.levels
        looks, title = one.looks(numbers), one.kept.title
        work = partial(_exported, self._store, request, title, looks)
        self._jobs.answer(work, send, refuse)

    # -- work ------------------------------------------------------------------------------------------------

    def _begin(self, one: OpenSet, work: Work, refuse: Refuse) -> None:
        if self._under_way is not None:
            raise WinnableError(BUSY)
        if not work.left:
            return
        levels = sets.levels(self._store, one.kept.id, None if work.kind == "make" else work.left)
        pictures = one.pictures()
        plan_of(work, levels, pictures)  # what is refused is refused at once
        kept = sets.change(self._store, one.kept.id, work=work.encoded())
        under_way = _UnderWay(self._store, kept, work, levels, pictures, self._jobs.has_threads)
        self._under_way = under_way
        self._changed(kept)
        job = self._jobs.stream("set", under_way.told(), under_way.budget, nice=False, small=True)
        self._jobs.follow(job, self._follow(job, under_way), refuse)
        self._broadcast(kept.id, under_way.event("working"))
        self._tell_sets()

    async def _follow(self, job: Job[tuple[KeptSet, list[KeptLevel]]], under_way: _UnderWay) -> None:
        stage: Stage = "refused"
        try:
            async for kept, levels in job.told():
                self._take(kept, levels)
                self._broadcast(kept.id, under_way.event("working"))
            stage = "stopped" if under_way.left else "all"
        except StoreError:
            if not under_way.budget.is_cancelled:  # the set was deleted
                raise
        finally:
            self._under_way = None
            self._broadcast(under_way.id, under_way.event(stage))
            with only_logged():  # the studio may be at its end
                self._tell_sets()
                if (one := self._open.get(under_way.id)) is not None:
                    self._changed(sets.find(self._store, under_way.id))
                    if stage == "all" and one.unjudged():
                        self._judge_rest(under_way.id)
            self._forget_some()

    def _judge_rest(self, id: str) -> None:
        """Levels that have come are looked into, as soon as nothing else is worked on."""

        def begin(one: OpenSet) -> None:
            if self._under_way is None and (numbers := one.unjudged()):
                asked = protocol.SetJudge(id, numbers)
                self._begin(one, Work(asked, numbers, len(numbers)), lambda error: None)

        self._with(id, lambda error: None, begin)


class _UnderWay:
    """Work on a set: driven by a job, told on the event loop."""

    def __init__(
        self,
        store: Store,
        kept: KeptSet,
        work: Work,
        levels: dict[int, KeptLevel],
        pictures: set[str],
        has_threads: bool,
    ) -> None:
        self.id, self.budget = kept.id, Budget()
        self.left = [*work.left]
        self._store, self._work, self._levels = store, work, levels
        self._plan = plan_of(work, levels, pictures)
        if work.kind != "make":  # levels may be gone
            self.left = [number for number in work.left if number in levels]
        self._numbers = kept.numbers
        self._fails, self._began = 0, time.monotonic()
        self._has_threads = has_threads
        self._came: list[KeptLevel] = []
        self._after: list[tuple[int, int]] = []

    def event(self, stage: Stage) -> SetWorking:
        total = self._work.total
        seconds = round(time.monotonic() - self._began, 1)
        return SetWorking(
            self.id, self._work.kind, stage, total - len(self.left), total, seconds, self._fails
        )

    def told(self) -> Iterator[Progress | tuple[KeptSet, list[KeptLevel]]]:
        """What has come, each time that it is kept."""
        requests = self._plan.requests
        many = self._has_threads and len(requests) > FEW
        flushed = time.monotonic()
        engine = make_engine("auto" if many else None)
        with closing(rows(requests, engine, self.budget, self._plan.again)) as stream:
            for told in stream:
                if self.budget.is_cancelled:
                    break
                if not isinstance(told, Row):
                    yield told
                    continue
                self._row(told.answer)
                if time.monotonic() - flushed >= FLUSH_SECONDS:
                    yield self._flush()
                    flushed = time.monotonic()
        yield self._flush()

    def _row(self, answer: Any) -> None:
        number = self.left.pop(0)
        found: KeptLevel | None = None
        if isinstance(answer, Looked):
            old = self._levels[number]
            found = KeptLevel(number, old.name, old.level, found_of(old.level, answer, judged=True))
        elif isinstance(answer, Filled) and answer.content is not None and answer.looked is not None:
            content = found_of(answer.content, answer.looked, judged=True)
            if self._work.kind == "make" or self._is_beside:
                name = "" if answer.made is None else f"#{answer.made.seed}"
                found = KeptLevel(self._numbers, name, answer.content, content)
                if self._is_beside:
                    self._after.append((number, self._numbers))
                self._numbers += 1
            else:
                found = KeptLevel(number, self._levels[number].name, answer.content, content)
        if found is None:
            self._fails += 1
        else:
            self._came.append(found)

    @property
    def _is_beside(self) -> bool:
        """Whether what comes stands after the level that it is like, and not in its place."""
        return isinstance(self._work.asked, protocol.SetVary) and self._work.asked.how == "like"

    def _flush(self) -> tuple[KeptSet, list[KeptLevel]]:
        """Raises StoreError, also where the set is gone."""
        came, self._came = self._came, []
        work = Work(self._work.asked, self.left, self._work.total).encoded()
        order = None
        if self._after:
            order = sets.find(self._store, self.id).order
            for old, new in self._after:
                order.insert(order.index(old) + 1 if old in order else len(order), new)
            self._after = []
        return sets.change(self._store, self.id, order=order, put=came, work=work), came


def _new_work(asked: Asked, one: OpenSet) -> Work:
    """Raises WinnableError."""
    if isinstance(asked, protocol.SetMake):
        if len(one.order) + asked.count > MOST_LEVELS:
            raise WinnableError("sets.full", field="count", most=MOST_LEVELS)
        return Work(asked, [*range(asked.count)], asked.count)
    known = set(one.order)
    wanted = one.unjudged() if asked.levels is None else dict.fromkeys(asked.levels)
    numbers = [number for number in wanted if number in known]
    return Work(asked, numbers, len(numbers))


def _kept_work(one: OpenSet) -> Work:
    """Raises WinnableError where nothing is left."""
    if (work := read_work(one.kept.work)) is None:
        raise WinnableError("sets.idle")
    return work


def _read(name: str, text: str) -> list[KeptLevel]:
    """The levels of a file, unnumbered. Raises WinnableError."""
    found = sources(name, content_of(text))
    if len(found) > MOST_LEVELS:
        raise WinnableError("sets.full", most=MOST_LEVELS)
    return [KeptLevel(0, source, level, _unjudged(source, level)) for source, level in found]


def _unjudged(source: str, content: bytes) -> bytes:
    """What can be said of a level at once: whether it is one."""
    try:
        named = read_level(content)
    except WinnableError as error:
        return found_of(content, Looked(Checked(source, False, str(error), "invalid"), error), judged=True)
    look = Checked(source, True, None, level_id=named.id, game=named.game.name)
    return found_of(content, Looked(look, None), judged=False)


def _pictures(store: Store, request: protocol.SetPictures) -> SetPicturesEvent:
    drawn = dict[int, str]()
    for number, one in sets.levels(store, request.set, request.levels).items():
        try:
            named = read_level(one.level)
            puzzle = named.game.puzzle(named.level)
            drawn[number] = named.game.svg(puzzle, puzzle.initial())
        except WinnableError:
            drawn[number] = ""
    return SetPicturesEvent(request.set, drawn)


def _exported(
    store: Store, request: protocol.SetExport, title: str, looks: Sequence[tuple[int, Checked]]
) -> protocol.SetFile:
    from winnable.web.set_files import Entry, file_of  # 14 modules that no start needs

    levels = sets.levels(store, request.set)
    entries = [Entry(number, levels[number].level, look) for number, look in looks if number in levels]
    return file_of(title, entries, request.format, request.language)
