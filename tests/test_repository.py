"""What must never be in a tracked file: places of one machine, package indexes, lock files."""

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from winnable import __version__
from winnable.contract.abilities import formats_of, repairs_of, solvers_of, tunables_of
from winnable.contract.params import describe_params
from winnable.contract.registry import GAMES, load_game

ROOT = Path(__file__).parents[1]
MACHINE = re.compile(r"(?<![\w.])/(?:work|farm|root|home)/\w")
INDEX = re.compile(
    r"--inde[x]\b|index[-_]ur[l]|find[-_]link[s]|trusted[-_]hos[t]|pip3? install\b[^\n]* -[if]\b",
    re.IGNORECASE,
)
"""Options and settings that say where packages come from: that is for the machine to know."""
INDEX_ADDRESS = re.compile(r"://[^/\s]*(?:pyp|registry|mirror|\bdeb\.|\bfiles\.)", re.IGNORECASE)
ADDRESS = re.compile(r"[a-z][a-z+.-]*://", re.IGNORECASE)
INSTALLS = re.compile(
    r"(?:examples/\w+/)?[\w-]+\.(?:txt|toml)|(?:scripts|\.ci)/.*|.*\.sh|(?:.*/)?Dockerfile.*"
)
"""What is read, or run, when something is installed: no address at all."""
LOCK = re.compile(r".+\.lock|pylock.*\.toml|.+-lock\.\w+|.+-shrinkwrap\.json")


def tracked() -> list[Path]:
    try:
        listing = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    return [ROOT / name for name in listing.split("\0") if name and (ROOT / name).is_file()]


def found(pattern: re.Pattern[str], paths: Iterable[Path]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in paths
        for match in pattern.finditer(path.read_text("utf-8", errors="ignore"))
    ]


@pytest.mark.parametrize("pattern", [MACHINE, INDEX, INDEX_ADDRESS], ids=["machine", "option", "index"])
def test_no_place_of_a_machine_and_no_package_index(pattern: re.Pattern[str]) -> None:
    assert not found(pattern, tracked())


def test_nothing_that_installs_names_an_address() -> None:
    paths = [path for path in tracked() if INSTALLS.fullmatch(path.relative_to(ROOT).as_posix())]
    names = {path.name for path in paths}
    assert {"constraints.txt", "requirements-hashed.txt", "test.py", "run", "pyproject.toml"} <= names
    assert not found(ADDRESS, paths)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (MACHINE, f"cd {'/'}home/someone"),
        (INDEX, "pip install --inde" + "x-url there"),
        (INDEX, "[tool.uv]\nextra-inde" + "x-url = 1"),
        (INDEX, "--find" + "-links here"),
        (INDEX_ADDRESS, "https:" + "//registry.example/x"),
        (ADDRESS, "git+ssh:" + "//example"),
    ],
)
def test_the_patterns_find_what_they_are_for(pattern: re.Pattern[str], text: str) -> None:
    assert pattern.search(text)


def test_no_lock_files_and_nothing_large() -> None:
    for path in tracked():
        assert not LOCK.fullmatch(path.name), path
        assert path.stat().st_size < (5_000_000 if path.suffix == ".network" else 2_000_000), path


def test_the_citation_is_of_this_version() -> None:
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")


CALLS_AN_ARTICLE_SEED = re.compile(
    r"\b[Tt]he seeds?'|\bseed's\b|\bseed article|\bseed-(?:min|mean|hazard|player|rules|table)"
    r"|\bSeed(?:Player|Rules|Hazard)\b|rules=seed\b|种子文章|种子 ?A ?算法"
)


def test_a_seed_is_what_chance_starts_from_and_nothing_else() -> None:
    """What comes from one of the five articles is called `article`, 原文."""
    for path in tracked():
        name = path.relative_to(ROOT).as_posix()
        assert not re.search(r"(?:^|/)seed_|the-seeds?-|_seed_(?:table|rivals)", name), name
        if path != Path(__file__) and path.suffix in {".py", ".md", ".js", ".json", ".html", ".toml"}:
            assert not CALLS_AN_ARTICLE_SEED.search(path.read_text("utf-8", errors="ignore")), name


def test_no_method_option_or_rule_set_is_called_seed() -> None:
    for name in GAMES:
        game = load_game(name)
        known = {*game.players, *solvers_of(game), *repairs_of(game), *tunables_of(game), *formats_of(game)}
        params = describe_params(game.params_type)
        known |= {choice for param in params for choice in param.choices or ()}
        assert not {word for word in known if "seed" in word}
