"""The words of page and command line, and what each game brings: two languages, one set of keys."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

import winnable
from tests.fresh_python import printed
from winnable import words
from winnable.contract.registry import GAMES

ENGLISH, CHINESE = map(words.catalogue, ("en", "zh-CN"))
CHARACTER = "[\u4e00-\u9fff]"
PACKAGE = Path(winnable.__file__).parent
FOLDERS = {name: folder for name, entry in GAMES.items() if (folder := entry.folder)}
BROUGHT = {name: json.loads((folder / "words.en.json").read_bytes()) for name, folder in FOLDERS.items()}
SOURCES = {
    path: path.read_text("utf-8") for kind in ("py", "js", "html") for path in PACKAGE.rglob(f"*.{kind}")
}


def test_both_languages_have_the_same_keys() -> None:
    assert set(ENGLISH) == set(CHINESE)
    for english in (
        PACKAGE / "words" / "en.json",
        *(folder / "words.en.json" for folder in FOLDERS.values()),
    ):
        chinese = english.with_name(english.name.replace("en.json", "zh-CN.json"))
        assert [*json.loads(english.read_bytes())] == [*json.loads(chinese.read_bytes())], english


def test_each_word_stands_once() -> None:
    files = (json.loads((PACKAGE / "words" / "en.json").read_bytes()), *BROUGHT.values())
    assert [key for key, files in Counter(key for words in files for key in words).items() if files > 1] == []


@pytest.mark.parametrize("name", BROUGHT)
def test_nobody_else_says_a_game_s_words(name: str) -> None:
    elsewhere = [text for path, text in SOURCES.items() if FOLDERS[name] not in path.parents]
    quoted = {found for text in elsewhere for found in re.findall(r"""(?<=["'`])[\w.-]+(?=["'`])""", text)}
    assert [
        key for key in BROUGHT[name] if key.partition(".")[2] != name and {key, _stem(key)} & quoted
    ] == []


def test_no_word_is_left_over() -> None:
    text = "\n".join(SOURCES.values())
    whole = {*re.findall(r"[\w-]+(?:\.[\w-]+)*", text)}
    begun = {*re.findall(r"""["'`}]\.?([\w.-]+)\.(?:\$?\{|["'`])""", text)}
    assert begun > {"method", "drops.why", "editor", "command"}
    assert [key for key in ENGLISH if not _is_said(_stem(key), whole, begun)] == []


def _stem(key: str) -> str:
    """As code writes it: without what is appended for a count, and the `error.` of a code."""
    stem = re.sub(r"\.(one|other)$", "", key)
    return (stem if {f"{stem}.one", f"{stem}.other"} <= set(ENGLISH) else key).removeprefix("error.")


def _is_said(key: str, whole: set[str], begun: set[str]) -> bool:
    """It may begin with the name of the game, and end in a value, a number in a list or that name."""
    parts = key.split(".")
    ended = key.rpartition(".")[0] if parts[-1] in GAMES or parts[-1].isdigit() else key
    names = [".".join(parts[first:last]) for first in (0, 1) for last in range(first + 1, len(parts))]
    spoken = {key, ended, *([".".join(parts[1:])] if len(parts) > 2 else [])}
    return bool(spoken & whole or {*names} & begun)


def test_who_imports_a_game_has_its_words() -> None:
    script = """
from winnable.games.drops.levels.text import parse_board
try:
    parse_board("x9")
except ValueError as error:
    print(error)
"""
    assert "is not a digit" in printed(script, jit=False)


def test_both_languages_fill_in_the_same_values() -> None:
    # A plural form may do without its number.
    assert [
        key
        for key, text in ENGLISH.items()
        if not key.endswith((".one", ".other"))
        and {*re.findall(r"\{\w+\}", text)} != {*re.findall(r"\{\w+\}", CHINESE[key])}
    ] == []


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
