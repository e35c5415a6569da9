"""What other repositories' builds read of this one: the hook and the action, which themselves never ran."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.cli_support import Run

ROOT = Path(__file__).parents[1]


def read(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text("utf-8"))


def test_the_hook(run: Run) -> None:
    (hook,) = read(".pre-commit-hooks.yaml")
    assert {"id", "name", "entry", "language", "files"} <= set(hook)
    assert all(re.search(hook["files"], path) for path in ("levels/a.json", "game/levels/x/b.jsonl"))
    assert not any(
        re.search(hook["files"], path) for path in ("package.json", "levels.py", "mylevels/a.json")
    )
    program, *arguments = hook["entry"].split()
    assert program == "winnable"
    Path("levels").mkdir()
    for name, content, code in (
        ("good", '{"format":"winnable.drops/1","board":["13"]}', 0),
        ("bad", "{}", 1),
    ):
        path = Path("levels", f"{name}.json")
        path.write_text(content)
        run(*arguments, str(path), code=code)


def test_the_action_names_what_it_has() -> None:
    action = read("action.yml")
    assert "never run" in (ROOT / "action.yml").read_text("utf-8").splitlines()[0]
    text = str(action["runs"]) + str(action["outputs"])
    assert set(re.findall(r"inputs\.(\w+)", text)) == set(action["inputs"])
    steps = {step["id"]: step for step in action["runs"]["steps"] if "id" in step}
    for name, output in action["outputs"].items():
        assert output["value"] == f"${{{{ steps.check.outputs.{name} }}}}"
    assert "${{" not in steps["check"]["run"], "what is entered is no part of a script"
    assert all(step.get("shell") for step in action["runs"]["steps"] if "run" in step)


@pytest.mark.skipif(sys.platform == "win32" or shutil.which("bash") is None, reason="no bash")
@pytest.mark.parametrize(("board", "code"), [("13", 0), ("9", 1)])
def test_the_script_of_the_action(tmp_path: Path, board: str, code: int) -> None:
    *_, step = read("action.yml")["runs"]["steps"]
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels" / "a.json").write_text(f'{{"format":"winnable.drops/1","board":["{board}"]}}')
    files = {name: tmp_path / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    env = {
        **os.environ,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
        "LC_ALL": "C",
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_RUN_ID": "1",
        **{name: str(path) for name, path in files.items()},
        "LEVELS": "levels",
        "OPTIONS": "--solve --fewest",
        "AGAINST": "levels",
    }
    ran = subprocess.run(["bash", "-eo", "pipefail", "-c", step["run"]], cwd=tmp_path, env=env, check=False)
    assert ran.returncode == code
    outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
    assert set(outputs) == {"junit", "sarif", "markdown"}
    assert all(Path(path).is_file() for path in outputs.values())
    summary = files["GITHUB_STEP_SUMMARY"].read_text("utf-8")
    assert summary == Path(outputs["markdown"]).read_text("utf-8")
    assert f"# Levels: {1 - code} of 1 {'are' if code else 'is'} fine" in summary
