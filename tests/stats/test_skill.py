"""Players and levels on one scale, against chances that are known."""

from math import exp, inf

import numpy as np
import pytest

from bench.triple.skills import fit_skills
from winnable.stats.skill import CHI_95, Played, difficulty, share_of_luck, win_chance


def test_equal_skill_and_difficulty_are_even_and_400_points_are_ten_to_one() -> None:
    assert win_chance(700, 700) == 0.5
    assert win_chance(1100, 700) == pytest.approx(10 / 11)


def test_a_level_is_as_difficult_as_the_skill_that_wins_half() -> None:
    found = difficulty([Played(0, 10, 110), Played(400, 50, 100), Played(800, 100, 110)])
    assert found.points == pytest.approx(400, abs=0.01)
    assert 340 < found.low < 399 < 401 < found.high < 460


def test_all_is_luck_where_it_does_not_matter_who_plays_and_none_where_that_alone_does() -> None:
    assert share_of_luck([Played(0, 3, 10), Played(900, 30, 100)]) == pytest.approx(1)
    assert share_of_luck([Played(0, 0, 10), Played(900, 100, 100)]) == 0
    assert share_of_luck([Played(0, 2, 10), Played(900, 80, 100), Played(1, 0, 0)]) == pytest.approx(0.64)
    assert share_of_luck([Played(0, 0, 10), Played(900, 0, 10)]) is None
    assert share_of_luck([Played(0, 10, 10)]) is None
    assert share_of_luck([]) is None


def test_more_games_narrow_the_interval() -> None:
    few, many = difficulty([Played(300, 5, 10)]), difficulty([Played(300, 500, 1000)])
    assert few.points == pytest.approx(many.points)
    assert (few.high - few.low) / (many.high - many.low) == pytest.approx(10, rel=0.2)


def test_where_all_or_none_were_won_the_interval_is_open() -> None:
    lost, won = difficulty([Played(500, 0, 40)]), difficulty([Played(500, 40, 40)])
    assert (lost.points, lost.high) == (inf, inf)
    assert 900 < lost.low < 1100
    assert (won.points, won.low) == (-inf, -inf)
    assert 500 - won.high == pytest.approx(lost.low - 500, abs=0.01)


def test_the_interval_covers_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(0)
    skills = np.array([0.0, 300.0, 600.0])
    hits = 0
    for _ in range(400):
        won = rng.binomial(20, win_chance(skills, 350.0))
        found = difficulty([Played(*one, 20) for one in zip(skills, won, strict=True)])
        hits += found.low <= 350 <= found.high
    assert 0.92 <= hits / 400 <= 0.98


def test_skills_are_found_again() -> None:
    rng = np.random.default_rng(1)
    skills, levels = np.array([0.0, 250.0, 500.0, 900.0]), rng.normal(450, 300, 300)
    games = np.full((300, 4), 40)
    won = rng.binomial(40, win_chance(skills[None, :], levels[:, None]))
    won[:5] = 0  # nobody's levels say nothing
    assert fit_skills(won, games) == pytest.approx(skills, abs=25)


def test_who_never_loses_has_no_skill_on_the_scale() -> None:
    with pytest.raises(ValueError, match="each player must win some games"):
        fit_skills(np.array([[3, 10]]), np.array([[10, 10]]))
    with pytest.raises(ValueError, match="no games"):
        difficulty([Played(0, 0, 0)])


def test_a_level_that_everybody_wins_has_an_upper_end() -> None:
    """Also where the likeliest difficulty is so low that chances are 1 to the last digit."""
    points, low, high = difficulty([Played(2000, 20, 20), Played(790, 20, 20), Played(2360, 10, 10)])
    assert (points, low) == (-inf, -inf)
    assert win_chance(790, high) ** 20 == pytest.approx(exp(-CHI_95 / 2), rel=0.01)
