"""What the documents say is tried: the README's Python example, and every command that they name."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from winnable import words

ROOT = Path(__file__).parents[1]
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]


def test_the_readme_example_runs() -> None:
    failures, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tried > 0
    assert failures == 0


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_commands_and_links_exist(path: Path) -> None:
    from winnable.cli.app import app

    text = path.read_text("utf-8")
    for command in set(re.findall(r"^\$ winnable ([a-z]+)", text, re.MULTILINE)):
        assert CliRunner().invoke(app, [command, "--help"]).exit_code == 0, command
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    for link in re.findall(r"\]\(([^)#:]+)\)", prose):
        assert (path.parent / link).exists(), link


def test_both_languages_have_the_same_words() -> None:
    english, chinese = map(words.catalogue, ("en", "zh-CN"))
    assert list(english) == list(chinese)
    for key, text in english.items():
        assert text.strip(), key
        assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", chinese[key])), key


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_examples_run(path: Path) -> None:
    result = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=True)
    assert result.stdout.strip()
