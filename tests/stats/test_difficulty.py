"""One figure for how hard a level is."""

from hypothesis import given
from hypothesis import strategies as st

from winnable.stats.difficulty import difficulty, in_words

WORDS = ((8, "easy"), (16, "medium"), (28, "hard"))
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
    assert in_words(8, WORDS) == "8.0, easy"
    assert in_words(8.01, WORDS) == "8.0, medium"
    assert in_words(100, WORDS) == "100.0, fiendish"
