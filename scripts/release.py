"""All that a release consists of: `.venv/bin/python scripts/release.py FOLDER [TAG]`.

It sees that all files say the same version, builds and uses what would be uploaded (scripts/smoke.py), and
leaves it in FOLDER/packages; beside it the bill of materials, in the form of CycloneDX, of all that
`requirements-hashed.txt` installs.

Uploads nothing. The same commit and the same environment give the same bill.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from winnable import __version__

ROOT = Path(__file__).resolve().parents[1]
OURS = "winnable"


class Pinned(NamedTuple):
    """A package in one version. hashes: SHA-256 of each of its files"""

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]

    @property
    def purl(self) -> str:
        return f"pkg:pypi/{self.name}@{self.version}"


def pinned(text: str) -> list[Pinned]:
    """Reads a list of requirements with hashes."""
    found: list[Pinned] = []
    for line in text.replace("\\\n", " ").splitlines():
        if wanted := line.partition(" --hash=")[0].strip():
            one = Requirement(wanted)
            version = str(one.specifier).removeprefix("==")
            hashes = tuple(re.findall(r"--hash=sha256:([0-9a-f]{64})", line))
            found.append(Pinned(canonicalize_name(one.name), version, str(one.marker or ""), hashes))
    return found


def bill(packages: list[Pinned]) -> dict[str, Any]:
    """The bill of materials, as JSON has it. Raises PackageNotFoundError where one of them is not installed
    that has no marker."""
    ours = f"pkg:pypi/{OURS}@{__version__}"
    edges = {one.purl: _needed(one.name, packages) for one in packages if _is_here(one)}
    edges[ours] = _needed(OURS, packages)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": _component("application", OURS, __version__, ours)},
        "components": [_described(one) for one in packages],
        "dependencies": [{"ref": ref, "dependsOn": needed} for ref, needed in sorted(edges.items())],
    }


def _described(one: Pinned) -> dict[str, Any]:
    hashes = [{"alg": "SHA-256", "content": digest} for digest in one.hashes]
    files = {"type": "distribution", "url": one.purl, "hashes": hashes}
    marker = [{"name": f"{OURS}:marker", "value": one.marker}] if one.marker else []
    described = _component("library", one.name, one.version, one.purl, _is_here(one))
    return described | {"externalReferences": [files]} | ({"properties": marker} if marker else {})


def _component(kind: str, name: str, version: str, purl: str, is_here: bool = True) -> dict[str, Any]:
    licence = {"licenses": _licences(name)} if is_here else {}
    return {"type": kind, "bom-ref": purl, "name": name, "version": version, "purl": purl} | licence


def _is_here(one: Pinned) -> bool:
    """What is for another Python or system is not installed, or in another version."""
    return not one.marker or Marker(one.marker).evaluate()


def _licences(name: str) -> list[dict[str, Any]]:
    about = metadata.metadata(name)
    if expressions := about.get_all("License-Expression"):
        return [{"expression": expressions[0]}]
    kinds = [one for one in about.get_all("Classifier") or [] if one.startswith("License ::")]
    names = [one.rpartition(" :: ")[2] for one in kinds]
    names = names or [one.partition("\n")[0] for one in about.get_all("License") or []]
    return [{"license": {"name": one}} for one in names]


def _needed(name: str, packages: list[Pinned]) -> list[str]:
    """What of these a package asks for itself, on whichever system."""
    asked = map(Requirement, metadata.requires(name) or [])
    names = {canonicalize_name(one.name) for one in asked if "extra ==" not in str(one.marker)}
    return sorted(one.purl for one in packages if one.name in names)


def faults(root: Path, tag: str | None = None) -> list[str]:
    """What does not say the version that is to be released."""
    wanted = {
        "CITATION.cff": f"\nversion: {__version__}\n",
        "CHANGELOG.md": f"\n## {__version__} - ",
        "conda/recipe.yaml": f'\n  version: "{__version__}"\n',
    }
    wrong = [name for name, text in wanted.items() if text not in (root / name).read_text("utf-8")]
    return wrong + ([f"tag {tag}"] if tag not in (None, f"v{__version__}") else [])


def main() -> None:
    if not 2 <= len(sys.argv) <= 3:
        sys.exit("scripts/release.py: FOLDER is needed, and TAG may follow")
    folder, tag = Path(sys.argv[1]), (*sys.argv, None)[2]
    if wrong := faults(ROOT, tag):
        sys.exit(f"scripts/release.py: not of version {__version__}: {', '.join(wrong)}")
    if folder.exists():
        sys.exit(f"scripts/release.py: {folder} is there already")
    (folder / "packages").mkdir(parents=True)
    if code := subprocess.call([sys.executable, ROOT / "scripts" / "smoke.py", folder / "packages"]):
        sys.exit(code)
    written = bill(pinned((ROOT / "requirements-hashed.txt").read_text("utf-8")))
    path = folder / f"{OURS}-{__version__}.cdx.json"
    path.write_text(json.dumps(written, indent=2, ensure_ascii=False) + "\n", "utf-8")
    print(f"{path}: {len(written['components'])} packages")


if __name__ == "__main__":
    main()
