"""Errors quote at most a line of an input of any length, wherever they are said."""

from __future__ import annotations

import subprocess
import sys

import pytest

from winnable.contract.core import Budget, LevelError, WinnableError, finish
from winnable.contract.errors import MOST_QUOTED, MOST_SENTENCE
from winnable.web.opening import from_file, from_text
from winnable.web.refusals import refusal

LONG = "ab" * 50_000


@pytest.mark.parametrize(
    "value", [LONG, "\0" * 5000, 10**4000, ValueError(LONG), [LONG] * 500, LevelError("unicode", field=LONG)]
)
def test_a_value_is_quoted_in_a_line(value: object) -> None:
    error = WinnableError("level.unknown", field="level", given=value)
    most = MOST_QUOTED * (51 if isinstance(value, list) else 2)
    assert len(str(error)) < most + 300
    event = refusal("new", error)
    assert len(event.message) < most + 300
    assert len(str(event.values)) < most + 400


def test_both_ends_of_it_are_seen() -> None:
    given: str = WinnableError("level.unknown", given="head" + LONG + "tail").values["given"]
    assert given.startswith("head")
    assert given.endswith("tail")
    assert len(given) == MOST_QUOTED
    assert WinnableError("x", given="y" * MOST_QUOTED).values["given"] == "y" * MOST_QUOTED


def test_a_sentence_without_a_code_is_no_longer_than_some_lines() -> None:
    assert len(str(WinnableError(f"the studio refused: {LONG}"))) <= MOST_SENTENCE


@pytest.mark.parametrize("text", [f"triple:{LONG}=1#5", f"drops:{LONG}", LONG, f"2048:size={LONG}#1"])
def test_what_is_no_level(text: str) -> None:
    with pytest.raises(WinnableError) as refused:
        finish(from_text(text, "", Budget()))
    assert len(str(refused.value)) < 1000
    with pytest.raises(WinnableError) as refused:
        finish(from_file('{"format": "' + text + '"}'))
    assert len(str(refused.value)) < 1000


@pytest.mark.parametrize(
    "arguments", [["solve", LONG], ["solve", "--time", LONG, "x"], [LONG], ["games", LONG]]
)
def test_the_command_line_too(arguments: list[str]) -> None:
    command = [sys.executable, "-m", "winnable", *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert 0 < len(done.stderr) < 1500
