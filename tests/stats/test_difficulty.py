"""One figure for how hard a level is."""

from hypothesis import given
from hypothesis import strategies as st

from winnable.stats.difficulty import Rating, Word, difficulty, rating

WORDS: tuple[tuple[float, Word], ...] = ((8, "easy"), (16, "medium"), (28, "hard"))
counts = st.integers(1, 40)


@given(counts, counts, counts, st.integers(0, 50))
def test_it_grows_with_par_with_fewer_good_actions_and_with_what_the_obvious_loses(
    par: int, good: int, others: int, astray: int
) -> None:
    choices = good + others
    figure = difficulty(par, choices, good, astray)
    assert difficulty(par + 1, choices, good, astray) > figure
    assert difficulty(par, choices, good + 1, astray) < figure
    assert difficulty(par, choices, good, astray + 1) > figure
    assert difficulty(1, choices, choices) == 1


def test_words() -> None:
    assert rating(8, WORDS) == Rating("easy", 8)
    assert rating(8.01, WORDS) == Rating("medium", 8.01)
    assert rating(100, WORDS) == Rating("fiendish", 100)
