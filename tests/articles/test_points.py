"""The five articles have 114 points: each stands in both lists, and a test carries its number."""

import re
from pathlib import Path

import pytest

from scripts.mutate_articles import mutants

ROOT = Path(__file__).parents[2]
POINTS = [
    f"{letter}{number}"
    for letter, most in (("A", 30), ("B", 28), ("C", 20), ("D", 13), ("E", 23))
    for number in range(1, most + 1)
]


def carried() -> set[str]:
    """By the name of a test, as in `test_a1_a4_...`."""
    found: set[str] = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        for name in re.findall(r"^def test_((?:[a-e]\d+_)+)", path.read_text("utf-8"), re.MULTILINE):
            found |= {point.upper() for point in name.split("_") if point}
    return found


def test_there_are_114_points() -> None:
    assert len(POINTS) == 114


@pytest.mark.parametrize("name", ["articles.md", "articles.zh-CN.md"])
def test_each_point_is_listed_once_in_order(name: str) -> None:
    listed = re.findall(r"^\| ([A-E]\d+) \|", (ROOT / "docs" / name).read_text("utf-8"), re.MULTILINE)
    assert listed == POINTS


def test_each_point_has_a_test_that_carries_its_number() -> None:
    named = carried()
    assert [point for point in POINTS if point not in named] == []


def test_each_point_has_a_mutant_that_the_script_can_make() -> None:
    """Whether tests notice it is for `scripts/mutate_articles.py` to say."""
    table = mutants()
    assert list(dict.fromkeys(mutant.point for mutant in table)) == POINTS
    for mutant in table:
        whole = (ROOT / "src" / "winnable" / mutant.file).read_text("utf-8")
        assert mutant.changed(whole) != whole, mutant.name
