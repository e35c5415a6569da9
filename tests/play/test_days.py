"""What is told of the days of the daily levels; streaks are held against brute force in test_played.py."""

from datetime import date, timedelta

from tests.play.test_played import TODAY, result
from winnable.contract.registry import load_game
from winnable.levels.identity import daily
from winnable.play.days import DayPlayed, days_of
from winnable.store.results import Ended

YESTERDAY = TODAY - timedelta(1)


def level(game: str, day: date) -> str:
    return str(daily(load_game(game), day))


def test_of_a_day_the_best_end_is_told_whenever_it_came_about() -> None:
    found = days_of(
        [
            result(1, "lost", level=level("drops", TODAY), day=TODAY),
            result(2, "won", level=level("drops", TODAY), day=TODAY, actions=9),
            result(3, "won", level=level("drops", TODAY), day=TODAY, actions=7, helped=True),
            result(4, "lost", level=level("drops", YESTERDAY)),
            result(5, "won", level="drops:#1"),
            result(6, "won", level=f"{level('drops', YESTERDAY)}+"),
        ],
        ["drops", "2048"],
        TODAY,
    )
    (drops,) = found
    assert drops.days == [
        DayPlayed(YESTERDAY, "lost", False, 5, None, f"{4:032x}"),
        DayPlayed(TODAY, "won", False, 9, None, f"{2:032x}"),
    ]
    assert (drops.streak, drops.longest, drops.on_time) == (1, 1, 1)


def test_a_level_of_the_day_before_its_goal_changed_stays_its_days() -> None:
    """`day` was written down when it was played."""
    (found,) = days_of(
        [result(1, "over", game="2048", level="2048:#20261125", day=TODAY, score=5)], ["2048"], TODAY
    )
    assert [(one.day, one.score) for one in found.days] == [(TODAY, 5)]
    assert found.streak == 1


def test_a_late_win_is_shown_and_makes_no_streak() -> None:
    (found,) = days_of([result(1, level=level("drops", YESTERDAY))], ["drops"], TODAY)
    assert [one.day for one in found.days] == [YESTERDAY]
    assert (found.streak, found.longest, found.on_time) == (0, 0, 0)


def test_the_highest_score_is_the_best_of_a_day() -> None:
    kinds: list[tuple[Ended, int]] = [("lost", 9000), ("won", 7000), ("won", 8000)]
    ends = [
        result(n, outcome, game="2048", level=level("2048", TODAY), day=TODAY, score=score)
        for n, (outcome, score) in enumerate(kinds)
    ]
    (found,) = days_of(ends, ["2048"], TODAY)
    assert [(one.outcome, one.score) for one in found.days] == [("won", 8000)]
