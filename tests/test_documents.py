"""What the documents say is tried: the README's Python example, the trees that they draw, and all that they
name: commands, files, links, modules."""

import ast
import doctest
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest
from click import Context
from click.testing import CliRunner

import winnable
from scripts.docstrings import as_markdown
from winnable import words

ROOT = Path(__file__).parents[1]
ROOMS = ("src", "bench", "tests", "docs", "scripts", "examples", "clients")
FILES = {
    path.relative_to(ROOT).as_posix()
    for room in ROOMS
    for path in (*ROOT.glob("*"), *(ROOT / room).rglob("*"))
}
GAMES = sorted(path.parent for path in ROOT.glob("src/winnable/games/*/game.py"))
DOCUMENTS = [
    *ROOT.glob("*.md"),
    *(ROOT / "docs").glob("*.md"),
    *(ROOT / "clients").rglob("*.md"),
    *(game / "README.md" for game in GAMES),
]
FLAGS = re.DOTALL | re.MULTILINE
TREE = re.compile(r"^```\n(\S+/\n.*?)^```$", FLAGS)
DEEPEST = 16
"""Columns from which on a line of a tree goes on with what the one above it says."""


@pytest.mark.parametrize(
    "path",
    [path for path in DOCUMENTS if ">>>" in path.read_text("utf-8")],
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_the_examples_run(path: Path) -> None:
    failures, tried = doctest.testfile(str(path), module_relative=False, encoding="utf-8")
    assert tried > 0
    assert failures == 0


GIVEN = (winnable.Board, winnable.Boards, winnable.Margin, winnable.Node, winnable.Report, winnable.Animation)
"""What programs are given; other types are what those who extend winnable write or go below with."""


def test_whatever_programs_use_has_a_docstring_and_an_example() -> None:
    examples = "\n".join(
        line
        for path in DOCUMENTS
        for line in path.read_text("utf-8").splitlines()
        if line.lstrip().startswith((">>> ", "... "))
    )
    names: list[str] = vars(winnable)["__all__"]
    for name in names:
        one: Any = getattr(winnable, name)
        members: dict[str, Any] = {"": one}
        if isinstance(one, type):
            members |= {key: value for key, value in vars(one).items() if not key.startswith("_")}
        for member, value in members.items():
            code: Any = getattr(value, "fget", None) or getattr(value, "__func__", value)
            if not callable(code):
                continue
            assert (code.__doc__ or "").strip(), f"{name}.{member}"
            if one in GIVEN and member:
                assert re.search(rf"\.{member}\b", examples), f"{name}.{member}"
            elif not isinstance(one, type):
                assert re.search(rf"\b{name}\(", examples), name


def test_the_programs_about_environments_run() -> None:
    programs = re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs" / "envs.md").read_text("utf-8"), FLAGS)
    assert len(programs) == 2
    for program in programs:
        exec(program, {})


def test_the_site_is_whole(tmp_path: Path) -> None:
    """No link leads nowhere, no page is left out; what the reference describes exists."""
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    told = subprocess.run(build, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr[-2000:]
    for page in ("index.html", "zh-CN/index.html", "python/index.html"):
        assert (tmp_path / "site" / page).is_file()
    for notebook in (ROOT / "examples").rglob("*.ipynb"):
        assert "<svg" in (tmp_path / "site" / "notebooks" / notebook.stem / "index.html").read_text("utf-8")
    assert 'id="winnable.Board.push"' in (tmp_path / "site" / "python" / "index.html").read_text("utf-8")


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_commands_and_links_exist(path: Path) -> None:
    from winnable.cli.app import app

    text = path.read_text("utf-8")
    for command in set(re.findall(r"^\$ winnable ([a-z]+)", text, re.MULTILINE)):
        assert CliRunner().invoke(app, [command, "--help"]).exit_code == 0, command
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    for link in re.findall(r"\]\(([^)#:]+)\)", prose):
        assert (path.parent / link).exists(), link


def test_entries_of_docstrings_become_lists() -> None:
    text = """What it is.

    low, high: the ends
    seed:      of the
               chance

    Raises: nothing.
    """
    entries = ["- `low`, `high`: the ends", "- `seed`: of the", "    chance"]
    assert as_markdown(text).splitlines() == ["What it is.", "", "", *entries, "", "Raises: nothing."]


ENGLISH_ONLY = "*本页只有英文；[词汇表](glossary.md)有中文。*"
ENTRY = re.compile(r'- <a id="([a-z-]+)"></a>\*\*(.+?)\*\*(?: \((.+?)\): |（(.+?)）：)\S.+[.。]')
NO_PROSE = re.compile(r"^```.*?^```|^#[^\n]*|!\[[^]]*\]\([^)]*\)|`[^`\n]*`|\]\([^)]*\)", FLAGS)
EXPLAINED = re.compile(r"\[([^\]]+)\]\(glossary\.md#([a-z-]+)\)")


def glossary(page: str) -> dict[str, tuple[str, str]]:
    """Of each word what it is called, and that in the other language."""
    lines = (ROOT / "docs" / page).read_text("utf-8").split("\n\n", 2)[2].splitlines()
    entries = {line: ENTRY.fullmatch(line) for line in lines}
    assert not [line for line, entry in entries.items() if entry is None]
    return {one[1]: (one[2], one[3] or one[4]) for one in entries.values() if one}


def test_the_glossary_has_the_same_words_in_both_languages() -> None:
    english, chinese = glossary("glossary.md"), glossary("glossary.zh-CN.md")
    assert [*english] == sorted(english) == [*chinese]
    assert {word: (there, here) for word, (here, there) in chinese.items()} == english


@pytest.mark.parametrize("page", ["index", "play", "design", "research"])
@pytest.mark.parametrize("end", [".md", ".zh-CN.md"])
def test_words_are_explained_where_they_are_first_used(page: str, end: str) -> None:
    path = ROOT / "docs" / f"{page}{end}"
    if not path.exists():
        assert page == "research"
        return
    text, known = path.read_text("utf-8"), glossary(f"glossary{end}")
    links = [*EXPLAINED.finditer(text)]
    assert len({link[2] for link in links}) == len(links) >= 3
    for link in links:
        word, (name, _) = link[1].removesuffix("s").lower(), known[link[2]]
        assert word in name or name in word
        before = NO_PROSE.sub("", text[: link.start()])
        assert not re.search(rf"\b{word}s?\b" if word.isascii() else word, before, re.IGNORECASE), word


@pytest.mark.parametrize(
    "path",
    [path for path in (ROOT / "docs").glob("*.md") if not path.name.endswith(".zh-CN.md")],
    ids=lambda path: path.stem,
)
def test_a_page_in_english_only_says_so_in_chinese_at_its_head(path: Path) -> None:
    after_title = re.split(r"^# .+\n\n", path.read_text("utf-8"), maxsplit=1, flags=re.MULTILINE)[1]
    assert after_title.startswith(ENGLISH_ONLY) != path.with_suffix(".zh-CN.md").exists()


def named(text: str) -> set[str]:
    """What stands in backticks, outside blocks."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    return set(re.findall(r"`([^`\n]+)`", prose))


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_is_named_exists(path: Path) -> None:
    """Files by their path or its end; modules and what is in them; commands and benchmarks."""
    from bench import BENCHMARKS
    from winnable.cli.app import app

    text = path.read_text("utf-8")
    spans = named(text)
    assert not {span for span in spans if not is_there(span)}
    imported = re.findall(r"^(?:>>> )?from (winnable\S*) import (.+)$", text, re.MULTILINE)
    for name in {*spans, *(f"{module}.{part}" for module, parts in imported for part in parts.split(", "))}:
        if re.fullmatch(r"winnable(\.\w+)+", name):
            assert resolve_name(name) is not None
    commands = app.list_commands(Context(app))
    for command in (span.split() for span in spans if re.match(r"winnable [a-z]", span)):
        assert command[1] in commands, command
        if command[1] == "bench" and command[2:] and command[2].islower():
            assert command[2] in BENCHMARKS, command


def is_there(span: str) -> bool:
    if span.startswith(tuple(f"{room}/" for room in ROOMS)):
        return span.rstrip("/") in FILES
    is_file = re.fullmatch(r"\w[\w./-]*\.(py|js|css|html|ts|sh)", span)
    return not is_file or any(f"/{known}".endswith(f"/{span}") for known in FILES)


def tree(text: str) -> Iterator[str]:
    """Every path that the trees of a document draw. A line: a name, or some with commas; what it is."""
    for block in TREE.findall(text):
        folders: list[tuple[int, str]] = []
        for line in block.splitlines():
            indent = len(line) - len(line.lstrip())
            if not line.strip() or indent >= DEEPEST:
                continue
            folders = [(depth, name) for depth, name in folders if depth < indent]
            before = "".join(name for _, name in folders)
            for name in line.strip().split("  ")[0].split(", "):
                yield before + name
                if name.endswith("/"):
                    folders.append((indent, name))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_tree_of_a_game_is_whole(game: Path) -> None:
    drawn = {f"src/winnable/games/{path}" for path in tree((game / "README.md").read_text("utf-8"))}
    assert {path.rstrip("/") for path in drawn} <= FILES
    rooms = {f"{path.parent.relative_to(ROOT).as_posix()}/" for path in game.rglob("*.py")}
    assert rooms <= drawn


def test_the_map_shows_every_room() -> None:
    drawn = {path.rstrip("/") for path in tree((ROOT / "ARCHITECTURE.md").read_text("utf-8"))}
    for path in drawn:
        assert any(path.replace("NAME", game.name) in FILES for game in GAMES), path
    packages = {path.parent.relative_to(ROOT) for path in (ROOT / "src" / "winnable").rglob("__init__.py")}
    rooms = {path.as_posix() for path in packages if path.parts[2:3] not in {(), ("games",)}}
    assert rooms | {room for room in ROOMS if room != "src"} <= drawn


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


@pytest.mark.parametrize("path", sorted((ROOT / "examples").rglob("*.ipynb")), ids=lambda path: path.stem)
def test_notebooks_run(path: Path) -> None:
    """Cell by cell; what the last line of each came to is what stands there."""
    space: dict[str, Any] = {}
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        tree = ast.parse("".join(cell["source"]))
        shown = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, path.name, "exec"), space)
        if isinstance(shown, ast.Expr):
            found = eval(compile(ast.Expression(shown.value), path.name, "eval"), space)
            (output,) = cell["outputs"]
            assert repr(found) == "".join(output["data"]["text/plain"]), "".join(cell["source"])
            assert ("image/svg+xml" in output["data"]) == isinstance(found, winnable.Board)
