"""The layers, held by reading the imports of every file."""

import ast
from pathlib import Path

import pytest

from winnable.registry import GAMES

PACKAGE = Path(__file__).parents[1] / "src" / "winnable"
FILES = sorted(PACKAGE.rglob("*.py"))
RULES = {"level", "rules", "tools", "chain", "pieces", "flight", "travel", "blocks", "clusters", "notation"}
"""Of each game: what says how it is played. These files see no solver, no player, no shell."""

LOWEST = {"errors": {"words"}, "budget": {"clock"}}


def imports(path: Path) -> set[str]:
    """Every module that the file imports, also inside functions."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {str(node.module)}
    return found


def ours(path: Path) -> set[str]:
    return {name.removeprefix("winnable.") for name in imports(path) if name.startswith("winnable.")}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_layers(path: Path) -> None:
    place = path.relative_to(PACKAGE).with_suffix("").as_posix().replace("/", ".")
    top = place.partition(".")[0]
    used = ours(path)
    if top not in {"cli", "web", "benchmarks", "__main__"}:
        assert not {name for name in used if name.startswith(("cli", "web"))}, "nothing imports the shells"
    if top in {"clock", "words"}:
        assert not used
    if top == "core":
        assert {name.partition(".")[0] for name in used} == {"budget", "errors"}
    if top in LOWEST:
        assert used <= LOWEST[top]
    if top == "optimize":
        assert all(name.startswith("optimize") for name in used)
    if top == "chance":
        assert all(name.startswith("core") for name in used)
    if top == "search":
        assert all(name.startswith(("core", "chance", "search")) for name in used)
    if top == "games" and place.count(".") >= 2:
        _, game, *_, part = place.split(".")
        others = {name for name in used if name.startswith("games.")}
        assert all(name.startswith(f"games.{game}") for name in others), "no game imports another"
        if part in RULES and place.count(".") == 2:
            siblings = {name.split(".")[2] for name in others if name.count(".") >= 2}
            assert siblings <= RULES
            assert all(name.startswith(("core", "chance", "provenance", "games")) for name in used)
            foreign = {name.partition(".")[0] for name in imports(path)} - {"winnable", "numpy", "msgspec"}
            assert foreign <= set(__import__("sys").stdlib_module_names)


def test_rules_roll_no_dice_and_print_nothing() -> None:
    for game in GAMES.values():
        folder = PACKAGE / "games" / game.module.split(".")[2]
        assert (folder / "rules.py").is_file()
        for part in RULES:
            path = folder / f"{part}.py"
            if path.is_file():
                assert not imports(path) & {"random", "time", "logging", "sys"}, path


def test_files_and_the_contract_stay_small() -> None:
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in FILES}
    assert lengths[PACKAGE / "core.py"] <= 180
    assert not {path.name: length for path, length in lengths.items() if length > 400}
