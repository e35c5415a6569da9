"""What a release consists of, and what stands around it: the bill of materials, the recipe for conda, the
classifiers, the forms for issues."""

import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts.release import bill, faults, pinned
from winnable import __version__
from winnable.contract.registry import GAMES

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
FORMS = [ROOT / ".github" / "ISSUE_TEMPLATE" / f"{name}.yml" for name in ("bug", "idea", "level")]


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text("utf-8"))


def test_the_bill_lists_what_the_hashes_install() -> None:
    text = (ROOT / "requirements-hashed.txt").read_text("utf-8")
    packages = pinned(text)
    found = bill(packages)
    listed = [f"{one['name']}=={one['version']}" for one in found["components"]]
    assert listed == re.findall(r"^([a-z][\w.-]*==[\w.]+)", text, re.MULTILINE)
    hashes = [part["hashes"] for one in found["components"] for part in one["externalReferences"]]
    assert all(hashes)
    assert sum(map(len, hashes)) == text.count("--hash=")
    edges = {one["ref"]: one["dependsOn"] for one in found["dependencies"]}
    refs = {one["bom-ref"] for one in found["components"]}
    ours = found["metadata"]["component"]["bom-ref"]
    assert edges.keys() <= refs | {ours}
    assert {ref for needed in edges.values() for ref in needed} == refs  # nothing that nobody asks for
    asked = {canonicalize_name(Requirement(text).name) for text in PROJECT["dependencies"]}
    assert {ref.removeprefix("pkg:pypi/").partition("@")[0] for ref in edges[ours]} == asked
    licences = {one["name"]: one["licenses"] for one in found["components"] if "licenses" in one}
    assert licences.keys() == {one.name for one in packages}
    assert bill(pinned(text)) == found


def test_a_file_of_another_version_stops_a_release(tmp_path: Path) -> None:
    (tmp_path / "conda").mkdir()
    for name in ("CITATION.cff", "CHANGELOG.md", "conda/recipe.yaml"):
        shutil.copy(ROOT / name, tmp_path / name)
    released = faults(tmp_path)
    assert released in ([], ["CHANGELOG.md"])  # the latter while a version is in work
    assert faults(tmp_path, f"v{__version__}") == released
    assert faults(tmp_path, "v0.0.1") == [*released, "tag v0.0.1"]
    for name in ("CITATION.cff", "CHANGELOG.md", "conda/recipe.yaml"):
        text = (tmp_path / name).read_text("utf-8")
        (tmp_path / name).write_text(text.replace(__version__, "0.0.1"), "utf-8")
    assert faults(tmp_path) == ["CITATION.cff", "CHANGELOG.md", "conda/recipe.yaml"]


def test_the_recipe_for_conda_asks_for_the_same() -> None:
    recipe = read(ROOT / "conda" / "recipe.yaml")
    assert recipe["context"]["version"] == __version__
    python, *packages = recipe["requirements"]["run"]
    assert python == f"python {PROJECT['requires-python']}"
    assert [one.replace(" ", "") for one in packages] == PROJECT["dependencies"]
    build = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"]
    assert [one.replace(" ", "") for one in recipe["requirements"]["host"][2:]] == build
    points = [f"{name} = {place}" for name, place in PROJECT["scripts"].items()]
    assert recipe["build"]["python"]["entry_points"] == points
    assert (recipe["about"]["license"], recipe["about"]["summary"]) == (
        PROJECT["license"],
        PROJECT["description"],
    )


def test_no_classifier_names_what_never_ran() -> None:
    (never,) = re.findall(
        r"^# .*Never run: (.+)\.$", (ROOT / ".github/workflows/test.yml").read_text("utf-8"), re.MULTILINE
    )
    for name in never.split(", "):
        assert not [one for one in PROJECT["classifiers"] if name.lower() in one.lower()], name


def test_the_workflow_that_publishes_runs_scripts_that_exist() -> None:
    jobs = read(ROOT / ".github" / "workflows" / "publish.yml")["jobs"]
    assert jobs["upload"]["permissions"] == {"id-token": "write"}
    steps = [step["run"] for step in jobs["build"]["steps"] if "run" in step]
    scripts = re.findall(r"scripts/\w+\.py", " ".join(steps))
    assert scripts == ["scripts/test.py", "scripts/lint.py", "scripts/release.py"]
    assert all((ROOT / script).is_file() for script in scripts)


@pytest.mark.parametrize(
    "path", [path for path in FORMS if path.stem != "config"], ids=lambda path: path.stem
)
def test_forms_are_ones_that_can_be_filled_in(path: Path) -> None:
    form = read(path)
    assert {"name", "description", "labels", "body"} == form.keys()
    ids = [part["id"] for part in form["body"]]
    assert len(ids) == len(set(ids))
    for part in form["body"]:
        assert part["type"] in {"textarea", "input", "dropdown", "checkboxes"}
        assert part["attributes"]["label"]
        assert ("options" in part["attributes"]) == (part["type"] in {"dropdown", "checkboxes"})
    assert any(part.get("validations", {}).get("required") for part in form["body"])


def test_levels_are_asked_about_by_game() -> None:
    form = read(FORMS[-1])
    (game,) = (part for part in form["body"] if part["id"] == "game")
    ours = [name for name, game in GAMES.items() if game.module.startswith("winnable.games.")]
    assert game["attributes"]["options"] == sorted(ours)
