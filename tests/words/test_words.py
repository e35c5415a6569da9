"""Every code that is raised has words in both languages, and what the call gives fills them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NamedTuple

import pytest
from msgspec import Meta, Struct

import winnable
from winnable import words
from winnable.contract.core import LevelError
from winnable.levels.files import decode

SOURCE = Path(winnable.__file__).parent
LEFT_OUT = {"optimize"}
"""Library code: its errors are for programmers."""
KINDS = {"WinnableError", "LevelError", "IllegalAction", "GaveUp", "RepairFailed", "StoreError", "RunTaken",
         "TuningError", "Taken", "BudgetEnded", "CheckFailed"}  # fmt: skip
SENTENCES = 20
"""That stand in the code in English only; may only shrink."""


class Small(Struct, forbid_unknown_fields=True):
    slots: Annotated[int, Meta(ge=1)] = 1
    lines: list[list[str]] = []


class Raised(NamedTuple):
    where: str
    codes: list[str]
    given: set[str] | None
    """None where the call spreads a mapping."""


def texts(node: ast.expr) -> list[str]:
    """What an expression can be, where that is plain."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.IfExp(body=body, orelse=other):
            return texts(body) + texts(other)
        case ast.JoinedStr():
            return ["a sentence with values"]
        case _:
            return []


def raised() -> Iterator[Raised]:
    for path in sorted(SOURCE.rglob("*.py")):
        if LEFT_OUT & set(path.relative_to(SOURCE).parts):
            continue
        for node in ast.walk(ast.parse(path.read_bytes())):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in KINDS
                and node.args
            ):
                names = {keyword.arg for keyword in node.keywords}
                given = None if None in names else {name for name in names if name}
                yield Raised(f"{path.relative_to(SOURCE)}:{node.lineno}", texts(node.args[0]), given)


def test_every_code_has_words_that_its_call_fills() -> None:
    found = list(raised())
    assert sum(" " not in code for one in found for code in one.codes) > 250
    for where, codes, given in found:
        for code in codes:
            if " " in code:
                continue
            for language in words.LANGUAGES:
                template = words.catalogue(language).get(f"error.{code}")
                assert template is not None, f"{where}: {code} has no words in {language}"
                missing = set(re.findall(r"\{(\w+)\}", template)) - (given or set())
                assert given is None or not missing, f"{where}: {code} is not given {missing}"


def test_english_sentences_become_fewer() -> None:
    left = [one.where for one in raised() if any(" " in code for code in one.codes)]
    assert len(left) <= SENTENCES, left


def test_an_error_says_itself_in_each_language() -> None:
    error = LevelError("params.range", field="layers", given=1001, low=1, high=1000)
    assert str(error) == "layers: from 1 to 1000, not 1001"
    assert error.said("zh-CN") == "layers: 应在 1 到 1000 之间，而不是 1001"
    inner = error.within("level.json")
    assert inner.said("zh-CN").startswith("level.json: layers: 应在")
    both = LevelError("level.foreign", reason=[error, inner], formats=[])
    assert both.said("zh-CN").count("应在") == 2


@pytest.mark.parametrize("given", ["a\nb", "\x1b[31m"])
def test_what_was_given_cannot_control_a_terminal(given: str) -> None:
    for language in words.LANGUAGES:
        said = LevelError("given.option", field="board", given=given, known=["x"]).said(language)
        assert said.isprintable()


@pytest.mark.parametrize(
    ("content", "english", "chinese"),
    [
        ('{"slots":0}', "slots: Expected `int` >= 1", "slots: 应为不小于 1 的 int"),
        ('{"slots":"x"}', "slots: Expected `int`, got `str`", "slots: 类型应为 int，而不是 str"),
        ('{"colour":1}', "Object contains unknown field `colour`", "没有 colour 这一项"),
        ("{", "not JSON: Input data was truncated", "不是有效的 JSON"),
        (
            '\ufeff{"lines":[["水" 1]]}',
            "not JSON: expected ',' or ']' (column 16)",
            "不是有效的 JSON（第 16 列：expected",
        ),
        (
            '{"lines":\n[["水", x]]}',
            "not JSON: invalid character (line 2, column 8)",
            "不是有效的 JSON（第 2 行第 8 列：inv",
        ),
        (
            b'{"lines":[[\n"\xe6\xb0\xb4\xff"]]}',
            "not JSON: not valid UTF-8 (line 2, column 3)",
            "不是有效的 JSON（第 2 行第 3 列：不",
        ),
        ('{"lines":[[1]]}', "lines[0][0]: Expected `str`, got `int`", "lines[0][0]: 类型应为 str"),
    ],
)
def test_what_msgspec_refuses_is_said_in_both(content: str | bytes, english: str, chinese: str) -> None:
    with pytest.raises(LevelError) as refused:
        decode(content.encode() if isinstance(content, str) else content, Small)
    assert str(refused.value) == english
    assert refused.value.said("zh-CN").startswith(chinese)


def test_a_sentence_with_several_counts_has_each_in_its_form() -> None:
    text = "{cells} {cells|cell|cells} and {n} {n|click|clicks}"
    assert words.fill(text, {"cells": 1, "n": "1"}) == "1 cell and 1 click"
    assert words.fill(text, {"cells": 0, "n": "1,001"}) == "0 cells and 1,001 clicks"
    assert words.fill(text, {"n": 1.0}) == "{cells} {cells|cell|cells} and 1 click"


def test_no_sentence_has_a_plural_that_one_would_make_wrong() -> None:
    """Products and what never is one aside, which are named here."""
    english = words.catalogue("en")
    nouns = (
        "clicks drops cells turns moves lines pieces tiles picks points games clusters pairs positions "
        "levels evaluations records nodes"
    )
    counted = re.compile(rf"\{{(?!most\}}|side\}}|known\}})\w+\}} ({nouns.replace(' ', '|')})\b")
    never_one = re.compile(r"^(reason\.lack|drops\.why\.(row|column)|error\.)|\.other$")
    found = {key: text for key, text in english.items() if counted.search(text) and not never_one.search(key)}
    assert found == {}
