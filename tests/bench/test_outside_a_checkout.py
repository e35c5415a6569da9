"""`winnable bench` where there is nothing beside the package, as in an installed wheel."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import winnable

PACKAGE = Path(winnable.__file__).parent
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lib") / "python" / "site-packages"
    shutil.copytree(PACKAGE, folder / "winnable", ignore=shutil.ignore_patterns("__pycache__", "networks"))
    return folder


@pytest.mark.parametrize("arguments", [[], ["--help"], ["signature", "--json"]], ids=" ".join)
@pytest.mark.parametrize(
    ("language", "said"),
    [("C.UTF-8", "runs in a checkout of the source"), ("zh_CN.UTF-8", "请在源代码检出目录中运行")],
)
def test_an_installed_winnable_says_that_benchmarks_are_not_part_of_it(
    installed: Path, tmp_path: Path, arguments: list[str], language: str, said: str
) -> None:
    places = {"PYTHONPATH": str(installed), "LC_ALL": language, "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "winnable", "bench", *arguments]
    done = subprocess.run(
        command, cwd=tmp_path, env=os.environ | places, capture_output=True, check=False, encoding="utf-8"
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_wheel_holds_the_package_alone() -> None:
    targets = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]
    assert targets["wheel"] == {"packages": ["src/winnable", "src/winnable_tasks"]}
