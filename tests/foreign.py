"""A package that brings a game, installed as `pip install --target` would."""

import shutil
import tomllib
from pathlib import Path


def install(project: Path, target: Path) -> None:
    """Into a folder that stands on the path of modules."""
    about = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]
    for package in (project / "src").iterdir():
        shutil.copytree(package, target / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    points = about["entry-points"]["winnable.games"]
    describe(target, about["name"], points)


def describe(target: Path, package: str, points: dict[str, str]) -> None:
    """What tells Python which entry points a package has."""
    folder = target / f"{package.replace('-', '_')}-0.1.0.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 0.1.0\n")
    lines = "".join(f"{name} = {value}\n" for name, value in points.items())
    (folder / "entry_points.txt").write_text(f"[winnable.games]\n{lines}")
