"""The user's own file of defaults, and what is told about the work."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.cli_support import SMALL, Run, document, one_error
from winnable.cli import config


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Written to a file, which is the user's from now on: its path."""
    path = tmp_path / "mine.toml"
    monkeypatch.setenv("WINNABLE_CONFIG", str(path))

    def write(text: str) -> str:
        path.write_text(text, "utf-8")
        return str(path)

    return write


def test_what_the_file_says_is_the_default_and_no_more(run: Run, settings: Callable[[str], str]) -> None:
    settings("[solve]\njson = true\nseed = 7\n[export]\nformat = 'text'")
    assert document(run("solve", "triple", SMALL))["seed"] == 7
    assert document(run("solve", "triple", SMALL, "--seed", "8"))["seed"] == 8
    assert "[default: 7" in run("solve", "--help").stdout
    assert run("export", "triple", SMALL).stdout.strip() == SMALL
    settings("")
    assert run("solve", "triple", SMALL).stdout.startswith("triple")


def test_options_that_may_be_given_often_take_a_list_or_one(run: Run, settings: Callable[[str], str]) -> None:
    for text in ("'k=3'", "['k=3']", "['seconds=2', 'k=3']"):
        settings(f"[solve]\nwith = {text}\nsolver = 'a'\njson = true")
        assert document(run("solve", "drops:#1", code=None))["settings"]["k"] == 3


@pytest.mark.parametrize(
    ("text", "place", "complaint"),
    [
        ("x = 1", "x", "no such option"),
        ("solve = 1", "solve", "no such option"),
        ("log-level = 3", "log-level", "'3' is not one of"),
        ("[slove]\ntime = 1", "slove", "no such command"),
        ("[solve]\nx = 1", "solve.x", "no such option"),
        ("[solve]\nhelp = true", "solve.help", "no such option"),
        ("[solve]\ntime = 'abc'", "solve.time", "not a number of seconds"),
        ("[solve]\ntime = true", "solve.time", "not true"),
        ("[solve]\ntime = [1]", "solve.time", "not [1]"),
        ("[solve]\nmemory = 2.5", "solve.memory", "not a valid integer"),
        ("[solve]\njson = 1", "solve.json", "true or false"),
        ("[solve.json]\nx = 1", "solve.json", "true or false"),
        ("[solve]\noutput = 'none/x'", "solve.output", "No such folder"),
        ("[runs]\nexport = 3", "runs.export", "a table"),
        ("[runs.export]\nformat = 'x'", "runs.export.format", "not one of"),
        ("[arcade]\nmode = 'x'", "arcade.mode", "not one of"),
    ],
)
def test_what_is_wrong_is_named_with_file_and_key(
    run: Run, settings: Callable[[str], str], text: str, place: str, complaint: str
) -> None:
    path = settings(text)
    result = run("config", code=2)
    one_error(result, f"{path}: {place}: ")
    assert complaint in result.stderr


@pytest.mark.parametrize("text", ["[solve", "x = " + "[" * 9999, "a = 1\na = 2"])
def test_what_is_no_toml_is_one_error(run: Run, settings: Callable[[str], str], text: str) -> None:
    path = settings(text)
    one_error(run("games", code=2), f"{path}: not TOML")


def test_a_file_that_is_named_must_be_there(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WINNABLE_CONFIG", "missing.toml")
    one_error(run("games", code=2), "missing.toml: No such file")
    Path("latin.toml").write_bytes(b"# \xff")
    monkeypatch.setenv("WINNABLE_CONFIG", "latin.toml")
    one_error(run("games", code=2), "latin.toml: not valid UTF-8")


def test_errors_are_in_the_reader_s_language(
    run: Run, settings: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings("[solve]\njson = 1")
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert "应为 true 或 false" in run("config", code=2).stderr


def nowhere(name: str, appauthor: bool) -> Path:
    return Path("none")


def test_config_says_where_it_lies_and_what_it_says(
    run: Run, settings: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = settings("[solve]\ntime = 3\n")
    assert run("config").stdout == f"{path}\n[solve]\ntime = 3\n"
    told = document(run("config", "--json"))
    assert told == {"file": path, "exists": True, "settings": {"solve": {"time": 3}}}
    monkeypatch.delenv("WINNABLE_CONFIG")
    monkeypatch.setattr(config.platformdirs, "user_config_path", nowhere)
    missing = os.path.join("none", "config.toml")
    assert run("config").stdout == f"There is no {missing}\n"


def test_what_is_told_about_the_work(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    run("--log-level", "debug", "solve", "triple", SMALL)
    assert "solving: " in caplog.text
    caplog.clear()
    run("solve", "triple", SMALL)
    assert not caplog.text
    one_error(run("--log-level", "loud", "games", code=2), "'loud' is not one of")
