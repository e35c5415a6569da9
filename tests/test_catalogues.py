"""The words of page and command line, and what each game brings: two languages, one set of keys."""

import re

import pytest

from winnable import words
from winnable.contract.registry import GAMES

ENGLISH, CHINESE = map(words.catalogue, ("en", "zh-CN"))
CHARACTER = "[\u4e00-\u9fff]"


def test_both_languages_have_the_same_keys() -> None:
    assert set(ENGLISH) == set(CHINESE)


@pytest.mark.parametrize("key", ENGLISH)
def test_both_languages_fill_in_the_same_values(key: str) -> None:
    # A plural form may do without its number.
    placeholders = [set(re.findall(r"\{\w+\}", one[key])) for one in (ENGLISH, CHINESE)]
    if not key.endswith((".one", ".other")):
        assert placeholders[0] == placeholders[1]


def test_chinese_has_the_punctuation_of_chinese() -> None:
    wrong = {
        key: text
        for key, text in CHINESE.items()
        if re.search(rf"{CHARACTER}[,:;!?]|[,;!?]{CHARACTER}|{CHARACTER}\(|\){CHARACTER}", text)
    }
    assert wrong == {}


def test_a_seed_is_what_chance_starts_from() -> None:
    """What comes from the articles is 原文 in Chinese, `article` in English."""
    seeds = {key for key, text in ENGLISH.items() if re.search(r"\bseeds?\b", text, re.IGNORECASE)}
    chinese = {key for key, text in CHINESE.items() if "种子" in text}
    assert chinese <= seeds | {"arcade.dice"}
    assert not [key for key in seeds | chinese if "article" in ENGLISH[key] or "原文" in CHINESE[key]]
    assert not [key for key in seeds if re.search("'s seed|seed.s ", ENGLISH[key])]


def test_undo_has_one_word() -> None:
    assert not [key for key, text in CHINESE.items() if "撤回" in text]


@pytest.mark.parametrize("name", [*GAMES, "arcade"])
def test_the_help_has_the_rules_of_each_game(name: str) -> None:
    assert f"rules.{name}.1" in CHINESE
    assert f"rules.{name}.2" in CHINESE
