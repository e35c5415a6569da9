"""What must never be in a tracked file: places of one machine, package indexes, lock files."""

import re
import subprocess
from pathlib import Path

import pytest

from winnable.abilities import formats_of, repairs_of, solvers_of, tunables_of
from winnable.levels.params import describe_params
from winnable.registry import GAMES, load_game

ROOT = Path(__file__).parents[1]
FORBIDDEN = re.compile(
    r"(?<![\w.])/(?:work|farm|root|home)/\w|pypi\.org|pythonhosted\.org|registry\.npmjs|deb\.debian|extra-index-url"
)


def tracked() -> list[Path]:
    try:
        listing = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    return [ROOT / name for name in listing.split("\0") if name and (ROOT / name).is_file()]


def test_no_machine_paths_or_index_hosts() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in tracked()
        if path != Path(__file__)
        for match in FORBIDDEN.finditer(path.read_text("utf-8", errors="ignore"))
    ]
    assert not found


def test_no_lock_files_and_nothing_large() -> None:
    for path in tracked():
        assert path.name != "uv.lock"
        assert not (path.name.startswith("pylock") and path.suffix == ".toml")
        assert path.stat().st_size < (5_000_000 if path.suffix == ".network" else 2_000_000), path


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
