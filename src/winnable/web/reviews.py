"""The review of a game, found out beside it, and as pages are told it."""

from __future__ import annotations

from winnable.analysis.costs import Review
from winnable.analysis.verdicts import Point
from winnable.contract.core import action_name
from winnable.web.events import Review as ReviewEvent
from winnable.web.watched import Watched


def review_of(desk: Watched, line: int, point: Point, review: Review) -> ReviewEvent:
    """The review as a message, of the line with this number."""
    names = [action_name(desk.session.puzzle, action) for action in point.actions]
    turning, course = list(review.turning), list(review.course)
    return ReviewEvent(desk.id, line, names, turning, course, review.measure, list(review.narrowings))
