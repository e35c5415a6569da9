"""One job of a kind counts at a time."""

from __future__ import annotations

from typing import Any, cast

import pytest

from tests.web.test_late_answers import HeldJobs
from winnable.contract.core import WinnableError
from winnable.web.jobs import Job, Jobs, Outcome
from winnable.web.slot import Slot, Turn

jobs = pytest.fixture(lambda: HeldJobs())


class Heard:
    """One that has jobs done, one after the other, in one slot."""

    def __init__(self, jobs: HeldJobs) -> None:
        self.jobs, self.slot = jobs, Slot(cast(Jobs, jobs))
        self.said: list[Any] = []
        self.done: list[Any] = []
        self.late: list[Any] = []

    def begin(self) -> Turn:
        turns: list[Turn] = []

        def start(turn: Turn) -> Job:
            turns.append(turn)
            return self.jobs.submit("play", lambda job: None, turn.done)

        self.slot.begin(
            start,
            lambda outcome: self.done.append(outcome.value),
            lambda outcome: self.late.append(outcome.value),
        )
        return turns[0]


@pytest.fixture
def heard(jobs: HeldJobs) -> Heard:
    return Heard(jobs)


def test_the_current_one_is_heard_and_leaves_the_slot_free(heard: Heard) -> None:
    assert heard.slot.is_free
    turn = heard.begin()
    assert heard.slot.job is heard.jobs.submitted[-1]
    turn.only(heard.said.append)(1)
    turn.done(Outcome(2))
    assert (heard.said, heard.done, heard.late) == ([1], [2], [])
    assert heard.slot.is_free
    turn.only(heard.said.append)(3)
    assert heard.said == [1], "it has ended"


def test_another_one_takes_its_place(heard: Heard) -> None:
    first, second = heard.begin(), heard.begin()
    assert [job.cancelled for job in heard.jobs.submitted] == [True, False]
    for turn, value in ((first, 1), (second, 2)):
        turn.only(heard.said.append)(value)
    first.done(Outcome(1))
    assert not heard.slot.is_free, "the end of the first is not that of the second"
    second.done(Outcome(2))
    assert (heard.said, heard.done, heard.late) == ([2], [2], [1])


def test_one_that_is_given_up_is_cancelled_and_comes_too_late(heard: Heard) -> None:
    turn = heard.begin()
    heard.slot.give_up()
    assert heard.slot.is_free
    assert heard.jobs.submitted[0].cancelled
    turn.done(Outcome(1))
    assert (heard.done, heard.late) == ([], [1])
    heard.slot.give_up()  # there is none


def test_one_that_is_cancelled_is_still_waited_for(heard: Heard) -> None:
    turn = heard.begin()
    heard.slot.cancel()
    assert heard.jobs.submitted[0].cancelled
    turn.done(Outcome(1, cancelled=True))
    assert (heard.done, heard.late) == ([1], [])


def test_what_does_not_begin_changes_nothing(heard: Heard) -> None:
    turn = heard.begin()

    def refuse(_: Turn) -> Job:
        raise WinnableError("jobs.full")

    with pytest.raises(WinnableError):
        heard.slot.begin(refuse, heard.done.append)
    heard.slot.begin(lambda turn: None, heard.done.append)
    assert turn.is_current
    assert not heard.jobs.submitted[0].cancelled
