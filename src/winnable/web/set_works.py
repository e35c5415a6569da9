"""What is done with the levels of a set, one after the other: a batch, and what is left of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

import msgspec
from msgspec import Struct

from winnable.batches.checking import Check
from winnable.batches.filling import Fill, Mend, Vary, order_of
from winnable.batches.making import Make
from winnable.batches.repairing import Repair
from winnable.batches.requests import LevelGiven, Request
from winnable.batches.running import Row
from winnable.contract.abilities import repairs_of
from winnable.contract.core import WinnableError
from winnable.contract.methods import choose_method
from winnable.contract.params import make_params
from winnable.contract.registry import load_game
from winnable.levels.checking import Checking
from winnable.levels.files import NamedLevel, read_level
from winnable.store.sets import KeptLevel
from winnable.web.set_protocol import SetJudge, SetMake, SetRepair, SetVary, SetWork

Asked: TypeAlias = SetMake | SetJudge | SetRepair | SetVary
FIGURE_SECONDS = 0.6
"""For what can be proved of how hard a level is, which would take longer than all the rest."""
JUDGE_SECONDS = 10.0
"""For each level, where nobody says how many."""


class Work(Struct, frozen=True):
    """left: the numbers of the levels that are still to be done; of those to be made, counted from 0. total:
    how many there were"""

    asked: Asked
    left: list[int]
    total: int

    @property
    def kind(self) -> SetWork:
        kinds: Mapping[type, SetWork] = {
            SetMake: "make", SetJudge: "judge", SetRepair: "repair", SetVary: "vary",
        }  # fmt: skip
        return kinds[type(self.asked)]

    def encoded(self) -> bytes:
        """For the store: nothing where nothing is left."""
        return msgspec.json.encode(self) if self.left else b""


def read_work(content: bytes) -> Work | None:
    """None: there is none, or none that can be read."""
    try:
        return msgspec.json.decode(content, type=Work) if content else None
    except (msgspec.MsgspecError, UnicodeError):
        return None


class Plan(Struct, frozen=True):
    """requests: of what is left, in order. again: see `batches.running.rows`"""

    requests: list[Request]
    again: Callable[[Row], Request | None] = lambda row: None


def plan_of(work: Work, levels: Mapping[int, KeptLevel], pictures: Iterable[str]) -> Plan:
    """levels: those that are worked on. pictures: of the levels of the set, where none is to be there twice.
    Raises WinnableError."""
    match work.asked:
        case SetMake() as asked:
            return _making(asked, work.left, pictures)
        case SetJudge(seconds=seconds):
            how = judging(seconds)
            return Plan([_check(levels[number], how) for number in work.left if number in levels])
        case SetRepair(seconds=seconds):
            return Plan([_mend(levels[number], seconds) for number in work.left if number in levels])
        case SetVary() as asked:
            how, seconds = judging(JUDGE_SECONDS), asked.seconds
            given = [(number, _named(levels[number])) for number in work.left if number in levels]
            return Plan(
                [
                    Vary(game=named.game.name, level=LevelGiven.of(named), by=asked.how, number=number,
                         seconds=seconds, how=how)
                    for number, named in given
                ]
            )  # fmt: skip


def judging(seconds: float) -> Checking:
    """Whether a level can be won, and how hard it is."""
    return Checking(solve=True, seconds=seconds, rate=True, figures=FIGURE_SECONDS)


def _check(level: KeptLevel, how: Checking) -> Request:
    return Check.of(level.name, level.level, how)


def _named(level: KeptLevel) -> NamedLevel:
    return read_level(level.level)


def _mend(level: KeptLevel, seconds: float) -> Request:
    named = _named(level)
    by = choose_method("method", repairs_of(named.game), None, named.game.name)
    repair = Repair(game=named.game.name, level=LevelGiven.of(named), by=by.label, seed=0, seconds=seconds)
    return Mend(game=named.game.name, repair=repair, how=judging(JUDGE_SECONDS))


def _making(asked: SetMake, left: list[int], pictures: Iterable[str]) -> Plan:
    game = load_game(asked.game)
    order, word = order_of(
        game,
        make_params(game.params_type, asked.params, game.name),
        asked.seed,
        asked.difficulty,
        asked.by,
        count=asked.count,
        certify=asked.certify,
        tight=asked.tight,
        distinct=asked.distinct,
    )
    how = judging(JUDGE_SECONDS)
    if asked.distinct:
        order.know(pictures)

    def filling(make: Make) -> Fill:
        return Fill(game=game.name, make=make, how=how, word=word)

    def again(row: Row) -> Request | None:
        fill, answer = row.request, row.answer
        if not isinstance(fill, Fill) or isinstance(answer, WinnableError) or answer.made is None:
            return None
        other = order.again(row._replace(request=fill.make, answer=answer.made)) if asked.distinct else None
        return None if other is None else filling(other)

    return Plan([filling(order.request(number)) for number in left], again)
