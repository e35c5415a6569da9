"""What is told of all that was played."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from winnable.contract.registry import load_game
from winnable.levels.files import shipped_level, shipped_levels
from winnable.levels.identity import content_id
from winnable.play.played import MOST_POINTS, WINDOW, Played, played
from winnable.store.results import Ended, Result

TODAY = date(2026, 11, 25)


def result(
    number: int,
    outcome: Ended = "won",
    *,
    session: int | None = None,
    game: str = "drops",
    level: str = "drops:#1",
    content: str = "drops@0",
    day: date | None = None,
    helped: bool = False,
    actions: int = 5,
    score: int | None = None,
    seconds: float | None = None,
) -> Result:
    return Result(
        id=f"{number:032x}",
        session=f"{number if session is None else session:032x}",
        game=game,
        level_id=level,
        content=content,
        day=None if day is None else str(day),
        outcome=outcome,
        helped=helped,
        actions=actions,
        par=None,
        score=score,
        seconds=seconds,
        finished=float(number),
    )


def only(*results: Result, today: date = TODAY) -> Played:
    (found,) = played(results, ["drops", "2048"], today)
    return found


def test_a_game_counts_by_its_first_end() -> None:
    found = only(
        result(1, "lost", session=1),
        result(2, "won", session=1),
        result(3, "won", session=3),
        result(4, "won", session=4, helped=True),
        result(5, "lost", session=5),
    )
    assert (found.ended, found.won, found.first, found.helped) == (4, 2, 1, 1)
    assert found.course == [0, 1 / 2, 1 / 3]


def test_only_games_that_were_played_are_told_in_the_given_order() -> None:
    two = [result(1, "over", game="2048", score=9), result(2)]
    assert [one.game for one in played(two, ["drops", "triple", "2048"], TODAY)] == ["drops", "2048"]
    assert played([], ["drops"], TODAY) == []


def test_without_a_goal_the_course_is_the_median_score() -> None:
    found = only(*(result(n, "over", game="2048", score=n * n) for n in range(1, 20)))
    assert (found.won, found.first) == (None, None)
    assert found.course[:3] == [1, 2.5, 4]
    assert found.course[-1] == (14**2 + 15**2) / 2
    assert WINDOW == 10


def test_a_scored_game_with_a_goal_on_the_way_has_wins_scores_and_bests() -> None:
    game = load_game("2048")
    name, level = next(shipped_levels(game))
    content = content_id(game, level)
    found = only(
        result(1, "won", game="2048", score=40, day=TODAY - timedelta(days=1)),
        result(2, "lost", game="2048", level=name, content=content, score=16, day=TODAY),
        result(3, "over", game="2048", score=8),
    )
    assert (found.won, found.first, found.scored, found.course) == (1, 1, True, [40, 28, 16])
    assert (found.streak, found.days) == (1, 1)
    assert [one.score for one in found.best] == [16]


def test_a_long_course_is_thinned_and_ends_with_the_last_games() -> None:
    found = only(*(result(n, "won" if n > 500 else "lost") for n in range(1000)))
    assert len(found.course) == MOST_POINTS
    assert (found.course[0], found.course[-1]) == (0, 1)


@given(st.sets(st.integers(0, 40)), st.integers(0, 42))
def test_streaks_by_brute_force(offsets: set[int], now: int) -> None:
    start = date(2026, 2, 10)
    days = sorted(start + timedelta(days=offset) for offset in offsets)
    found = played([result(n, day=day) for n, day in enumerate(days)], ["drops"], start + timedelta(now))
    runs = [
        length for length in range(1, 42) for first in range(42) if {*range(first, first + length)} <= offsets
    ]
    ending = [
        length
        for length in range(1, 42)
        for last in (now, now - 1)
        if {*range(last - length + 1, last + 1)} <= offsets
    ]
    told = (found[0].streak, found[0].longest, found[0].days) if found else (0, 0, 0)
    assert told == (max(ending, default=0), max(runs, default=0), len(offsets))


def test_a_day_counts_when_its_level_was_won_alone_at_whichever_try() -> None:
    before = result(1, day=TODAY - timedelta(days=1))
    assert only(before, result(2, "lost", day=TODAY), result(3, "won", session=2, day=TODAY)).streak == 2
    assert only(before, result(2, "lost", day=TODAY)).streak == 1
    assert only(before, result(2, day=TODAY, helped=True)).streak == 1
    assert only(before, result(2, day=TODAY), result(3, "lost", day=TODAY)).streak == 2
    assert only(result(1, "over", day=TODAY, score=4)).streak == 1


def test_bests_are_of_shipped_levels_as_they_ship() -> None:
    game = load_game("drops")
    name = next(name for name, _ in shipped_levels(game))
    shipped = shipped_level(name)
    assert shipped is not None
    content = content_id(game, shipped.level)
    found = only(
        result(1, level=name, content=content, actions=7, seconds=3.0),
        result(2, level=name, content=content, actions=6, seconds=None),
        result(3, level=name, content=content, actions=6, seconds=9.0),
        result(4, level=name, content=content, actions=2, helped=True),
        result(5, "lost", level=name, content=content, actions=1),
        result(6, level=name, content="drops@other", actions=1),
        result(7, level="drops/none", content=content, actions=1),
        result(8, actions=1),
    )
    assert [(one.level_id, one.actions, one.seconds) for one in found.best] == [(name, 6, 9.0)]


def test_the_highest_score_is_the_best_without_a_goal() -> None:
    game = load_game("2048")
    name, level = next(shipped_levels(game))
    content = content_id(game, level)
    found = only(
        *(
            result(n, "over", game="2048", level=name, content=content, score=score)
            for n, score in enumerate([4, 16, 8])
        )
    )
    assert [one.score for one in found.best] == [16]
