"""The review of a game, found out beside it, and as pages are told it."""

from __future__ import annotations

from winnable.analysis.by_proof import ByProof
from winnable.analysis.costs import Narrowing, Review
from winnable.analysis.verdicts import Point
from winnable.contract.core import Budget, action_name
from winnable.web.desk import Desk
from winnable.web.events import Review as ReviewEvent
from winnable.web.jobs import Job

ROOM_SECONDS_EACH = 1.0
"""For each state."""


def narrowings_of(desk: Desk, companion: ByProof, point: Point, job: Job, seconds: float) -> list[Narrowing]:
    """As many as are found out in this time, while somebody sits there to be told. Raises Cancelled."""
    end = job.now() + seconds

    def budget() -> Budget | None:
        left = min(ROOM_SECONDS_EACH, end - job.now())
        return job.budget(left, small=True) if left > 0 and desk.members else None

    return list(companion.narrowings(point, budget))


def review_of(desk: Desk, line: int, point: Point, review: Review) -> ReviewEvent:
    """Of the line with this number."""
    names = [action_name(desk.session.puzzle, action) for action in point.actions]
    turning, course = list(review.turning), list(review.course)
    return ReviewEvent(desk.id, line, names, turning, course, review.measure, list(review.narrowings))
