"""The dice of kernels are those of `SeededDice`."""

from hypothesis import given
from hypothesis import strategies as st

from tests.fresh_python import printed_either_way
from winnable.compiled.dice_kernels import U
from winnable.compiled.philox_kernels import below, following_seed, seeded_rolls
from winnable.contract import chance
from winnable.contract.arguments import MAX_SEED

SEEDS = st.integers(0, MAX_SEED)


@given(SEEDS, st.integers(0, 2**40), st.lists(st.integers(1, 100_000), min_size=4, max_size=4))
def test_rolls_are_those_of_the_rules(seed: int, turn: int, sides: list[int]) -> None:
    dice, rolls = chance.SeededDice(seed, turn), seeded_rolls(seed, turn)
    for roll, each in zip(rolls, sides, strict=True):
        assert below(U(roll), each) == dice.below(each)


@given(SEEDS)
def test_the_seed_of_the_next_game(seed: int) -> None:
    assert following_seed(seed) == chance.following_seed(seed)
    assert 0 <= chance.following_seed(seed) <= MAX_SEED


def test_as_plain_python() -> None:
    printed_either_way(
        "from winnable.compiled.philox_kernels import seeded_rolls, following_seed\n"
        "print(*map(int, seeded_rolls(2**53 - 1, 7)), int(following_seed(2**53 - 1)))"
    )
