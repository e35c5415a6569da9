"""The pieces of a seed."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from winnable.contract.arguments import MAX_SEED
from winnable.games.tetris.modern.rules.bag import bag, form_of, piece_of

SEEDS = st.integers(0, MAX_SEED)
GOLDEN_BAGS = ["ZJOSILT", "SIZTOJL", "OJIZTSL"]
GOLDEN_FORMS = [8, 18, 17, 2, 8, 12, 16, 2]


@settings(max_examples=50, deadline=None)
@given(SEEDS, st.integers(0, 1000))
def test_each_seven_are_all_seven(seed: int, number: int) -> None:
    pieces = [piece_of(seed, 7 * number + index) for index in range(7)]
    assert sorted(pieces) == sorted("IOTSZJL")


@settings(max_examples=20, deadline=None)
@given(SEEDS, st.integers(0, 1000))
def test_the_same_seed_deals_the_same(seed: int, number: int) -> None:
    before = bag(seed, number), form_of(seed, number)
    bag.cache_clear()
    form_of.cache_clear()
    assert (bag(seed, number), form_of(seed, number)) == before


def test_the_first_bags_of_a_seed_never_change() -> None:
    assert [bag(2026, number) for number in range(3)] == GOLDEN_BAGS
    assert [form_of(2026, number) for number in range(8)] == GOLDEN_FORMS


def test_every_order_and_every_form_comes_about_as_often() -> None:
    first = Counter(bag(7, number)[0] for number in range(1400))
    last = Counter(bag(7, number)[6] for number in range(1400))
    # 200 expected, standard deviation 13.
    assert all(130 < count < 270 for count in (*first.values(), *last.values()))
    forms = Counter(form_of(7, number) for number in range(1900))
    assert len(forms) == 19
    assert all(50 < count < 150 for count in forms.values())
