"""What comes along with a wheel: under which licences; and the list of hashes is that of constraints.txt."""

import itertools
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]
SYSTEMS = [("linux", "Linux", "posix"), ("darwin", "Darwin", "posix"), ("win32", "Windows", "nt")]
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
COPYLEFT = re.compile(
    r"GPL|General Public|MPL|Mozilla|EUPL|CDDL|EPL|Eclipse|OSL|CC-BY-SA|copyleft", re.IGNORECASE
)
PERMISSIVE = re.compile(r"\b(MIT|BSD|Apache|PSF|Python Software Foundation|ISC)\b", re.IGNORECASE)


def wanted_somewhere(requirement: Requirement) -> bool:
    """On a system and under a Python that we name, without extras."""
    if requirement.marker is None:
        return True
    here = {name: str(value) for name, value in default_environment().items()}
    return any(
        requirement.marker.evaluate(
            here
            | {"sys_platform": platform, "platform_system": system, "os_name": name, "extra": ""}
            | {"python_version": python, "python_full_version": f"{python}.0"}
        )
        for platform, system, name in SYSTEMS
        for python in PYTHONS
    )


@cache
def runtime() -> frozenset[str]:
    """All that `pip install winnable` may bring along."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    waiting, found = [Requirement(text) for text in project["dependencies"]], set[str]()
    while waiting:
        name = canonicalize_name(waiting.pop().name)
        if name in found:
            continue
        found.add(name)
        try:
            required = metadata.requires(name) or []
        except metadata.PackageNotFoundError:  # of another system
            continue
        waiting += [one for one in map(Requirement, required) if wanted_somewhere(one)]
    return frozenset(found)


def licence(name: str) -> str:
    about = metadata.metadata(name)
    named = [*(about.get_all("License-Expression") or []), *(about.get_all("Classifier") or [])]
    named += [line.partition("\n")[0] for line in about.get_all("License") or []]
    return "; ".join(line for line in named if "::" not in line or line.startswith("License ::"))


def test_no_dependency_is_copyleft() -> None:
    installed = {canonicalize_name(one.name) for one in metadata.distributions()} & runtime()
    assert len(installed) >= 15
    licences = {name: licence(name) for name in installed}
    assert not {name: text for name, text in licences.items() if COPYLEFT.search(text)}
    assert not {name: text for name, text in licences.items() if not PERMISSIVE.search(text)}


def pinned(lines: Iterator[str]) -> set[str]:
    """`name==version` of what a wheel needs."""
    pins = {line.partition(";")[0].strip(" \\") for line in lines if "==" in line}
    return {pin for pin in pins if canonicalize_name(pin.partition("==")[0]) in runtime()}


def test_the_list_of_hashes_is_that_of_the_constraints() -> None:
    text = (ROOT / "requirements-hashed.txt").read_text("utf-8")
    entries = re.split(r"\n(?=\S)", text.strip())
    for entry in entries:
        first, *hashes = entry.split("\n")
        assert re.fullmatch(r"[a-z0-9-]+==[0-9.]+( ; [^\\]+)? \\", first), first
        assert hashes
        for line in hashes:
            assert re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", line), (first, line)
    constraints = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    hashed = {entry.split("\n")[0].partition(";")[0].strip(" \\") for entry in entries}
    assert hashed == pinned(iter(constraints))
    assert set(runtime()) == {pin.partition("==")[0] for pin in hashed}


def test_the_lowest_versions_are_those_that_are_allowed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    parts: list[list[str]] = [project["dependencies"], extras["cma"], extras["cluster"], extras["optuna"]]
    wanted = map(Requirement, itertools.chain(*parts))
    allowed = {one.name: str(one.specifier).removeprefix(">=") for one in wanted}
    lines = (ROOT / "constraints-lowest.txt").read_text("utf-8").splitlines()
    tested = dict(line.partition(";")[0].strip().split("==") for line in lines)
    for name, lowest in allowed.items():
        assert Version(tested[name]) == Version(lowest), name
