"""What must never be in a tracked file: places of one machine, package indexes, lock files."""

import re
import subprocess
from pathlib import Path

import pytest

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
