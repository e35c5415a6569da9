"""The layers, held by reading the imports of every file."""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path

import pytest

from winnable.contract.registry import GAMES

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "winnable"
FILES = sorted(PACKAGE.rglob("*.py"))
GAME_FOLDERS = sorted({path.parent for path in PACKAGE.glob("games/*/game.py")})
RULES = sorted(PACKAGE.glob("games/*/rules/*.py"))
MOST_PARAMETERS, MOST_LINES = 12, 80

IMPORT = re.compile(r"\bfrom (winnable(?:\.\w+)*) import (\([^)]*\)|[^\n;]*)|\bimport (winnable\.[\w.]+)")

SHELLS = {"page", "commands"}
"""Rooms of a game."""

FLOORS = (
    {"inert"},
    {"words", "stats", "optimize"},
    {"contract"},
    {"store", "levels", "search"},
    {"play", "compiled", "workers"},
    {"analysis", "tuning", "testing"},
    {"archive", "calibrating", "comparing", "envs", "tasks"},
    {"batches"},
    {"board"},
    {"sets", "web"},
    {"site"},
    {"cli"},
)
"""The rooms but the games, which nobody imports. A room imports none of its own floor or above."""

OF_MANY_ROOMS = {"articles", "bench", "browser", "clients", "fuzz", "reference"}
"""Folders of tests that are no room of the source."""


@cache
def imports(path: Path) -> set[str]:
    """All that the file imports, also inside functions: modules, and names in modules."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def ours(path: Path) -> set[str]:
    return {name.removeprefix("winnable.") for name in imports(path) if name.startswith("winnable.")}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_layers(path: Path) -> None:
    place = path.relative_to(PACKAGE).with_suffix("").as_posix().replace("/", ".")
    top = place.partition(".")[0]
    used = ours(path)
    rooms = {name.partition(".")[0] for name in used} - {"__version__"}
    if place != "cli.bench":
        assert "bench" not in {name.partition(".")[0] for name in imports(path)}, "the lab is not the product"
    for floor, here in enumerate(FLOORS):
        if top in here:
            assert rooms - {top} <= set[str]().union(*FLOORS[:floor])
    if top == "games":
        others = {name for name in used if name.startswith("games.")}
        assert all(name.startswith(f"games.{place.split('.')[1]}") for name in others), (
            "no game imports another"
        )
    else:
        assert "games" not in rooms, "only a game imports a game"
    if top not in {"cli", "site", "web", "__main__"} and not SHELLS & set(place.split(".")):
        assert not rooms & {"cli", "web"}, "of a game only its pages and commands know a shell"
        assert path.name == "game.py" or not any(SHELLS & set(name.split(".")) for name in used), "nor these"


@pytest.mark.parametrize("top", ["src/winnable", "bench"])
def test_no_modules_import_each_other_in_a_circle(top: str) -> None:
    """Also by imports inside functions, and those for types alone."""
    folder = ROOT / top
    modules = {
        ".".join(path.relative_to(folder.parent).with_suffix("").parts).removesuffix(".__init__"): path
        for path in folder.rglob("*.py")
    }

    def used(path: Path) -> set[str]:
        return {name if name in modules else name.rpartition(".")[0] for name in imports(path)}

    graph = {module: (used(path) & modules.keys()) - {module} for module, path in modules.items()}
    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_rules_know_the_contract_alone_roll_no_dice_and_print_nothing(path: Path) -> None:
    used, foreign = ours(path), {name.partition(".")[0] for name in imports(path)} - {"winnable"}
    itself = path.relative_to(PACKAGE).parent.as_posix().replace("/", ".")
    known = (
        "contract.arguments",
        "contract.core",
        "contract.chance",
        "contract.provenance",
        "levels.base",
        itself,
    )
    assert all(name.startswith(known) for name in used)
    assert foreign <= {*sys.stdlib_module_names, "numpy", "msgspec"}
    assert not foreign & {"random", "time", "logging", "sys"}


def test_every_game_is_looked_at() -> None:
    folders = {folder.name for folder in GAME_FOLDERS}
    assert {game.module.split(".")[2] for game in GAMES.values()} == folders
    assert {path.relative_to(PACKAGE).parts[1] for path in RULES} == folders


def test_tests_lie_in_rooms_as_the_source_does() -> None:
    """`scripts/test.py --fast` finds by this which tests a change needs."""
    rooms = {path.parent.relative_to(PACKAGE) for path in FILES}
    folders = {path.parent.relative_to(ROOT / "tests") for path in (ROOT / "tests").rglob("*.py")}
    assert {folder.as_posix() for folder in folders - rooms} <= OF_MANY_ROOMS


def test_no_function_has_many_parameters_or_lines() -> None:
    """With more of either it wants a named room, or parts."""
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                name = f"{path.relative_to(PACKAGE).as_posix()}: {node.name}"
                given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                assert len(given) <= MOST_PARAMETERS, name
                lines = node.end_lineno - node.lineno + 1 if node.end_lineno else 0
                assert lines <= MOST_LINES, name


def imported(text: str) -> Iterator[tuple[str, str]]:
    """By the program in a string: modules, and names in them."""
    for module, names, alone in IMPORT.findall(text):
        yield from ((module, name.split()[0]) for name in names.strip("()").split(",") if name.strip())
        if alone:
            yield tuple(alone.rsplit(".", 1))


@cache
def spec_of(module: str) -> ModuleSpec | None:
    """Imports nothing but the packages that it lies in."""
    try:
        return find_spec(module)
    except ModuleNotFoundError:
        return None


@cache
def names_in(module: str) -> set[str]:
    spec = spec_of(module)
    nodes = ast.walk(ast.parse(Path(spec.origin).read_text("utf-8"))) if spec and spec.origin else ()
    return {getattr(node, "name", "") or getattr(node, "id", "") for node in nodes}


@pytest.mark.parametrize("top", ["tests", "bench", "scripts"])
def test_what_programs_in_strings_import_is_there(top: str) -> None:
    """Neither types nor linter look into them."""
    for path in (ROOT / top).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for module, name in imported(node.value):
                    place = f"{path.relative_to(ROOT)}:{node.lineno}: {module}.{name}"
                    assert name in names_in(module) or spec_of(f"{module}.{name}"), place
