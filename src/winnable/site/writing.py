"""Writes a site: the studio as a folder of files, for any host of such."""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatch
from functools import partial
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

import winnable
from winnable import words
from winnable.contract.core import WinnableError
from winnable.contract.registry import GAMES
from winnable.site import downloads, kernels
from winnable.web import boards, pages
from winnable.web.catalog import picture
from winnable.web.hosts import brought

OURS = Path(winnable.__file__).parent
PAGE = Path(__file__).with_name("page")
SERVICE, LIST = "service.js", "files.json"
COMPILE = Path(__file__).with_name("compile.mjs")
STANDARD, LOCK, PACKAGES = "python_stdlib.zip", "pyodide-lock.json", "packages.tar.zst"
OTHERS = ("platformdirs", "fsrs", "segno", "typing_extensions")
"""Packages in Python alone that a browser needs too."""
UNUSED = (
    *("cli/*", "envs/*", "site/*", "testing.py", "*/4x4.network"),
    *("web/static/*", "web/server.py", "web/wire.py", "web/guard.py", "web/pages.py", "web/outbox.py"),
    *("games/*/page/[!_]*.*s", "games/*/page/static/*"),
)
"""Of ours, that no browser's Python uses."""
UNUSED_STANDARD = (
    *("_pyrepl/*", "curses/*", "http/[!c_]*", "logging/[ch]*", "unittest/*"),
    *("wsgiref/*", "xml/[!eps_]*", "xmlrpc/*", "encodings/[!alruip_c]*", "encodings/cp[!4]*"),
    *("encodings/iso*", "encodings/pt*", "encodings/palm*", "_pydatetime.py", "_pyio.py", "argparse.py"),
    *("bdb.py", "configparser.py", "doctest.py", "ftplib.py", "imaplib.py", "mailbox.py", "optparse.py"),
    *("pdb.py", "pickletools.py", "plistlib.py", "profile.py", "pstats.py", "pydoc.py", "smtplib.py"),
    *("trace.py", "webbrowser.py"),
)
"""Of Python's own, likewise."""
DATE = (1980, 1, 1, 0, 0, 0)
"""Of all files in an archive: the same site again is the same to the byte."""
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval' 'sha256-{digest}'; "
    "img-src 'self' data: blob:; base-uri 'none'; form-action 'none'"
)


class Written(NamedTuple):
    """What a site is made of: files and their bytes in all."""

    files: int
    bytes: int


def write(folder: Path, games: Iterable[str], tell: Callable[[str], None] = lambda game: None) -> Written:
    """Writes the site into a folder that is new, empty, or has an older one in it; all of it or nothing.
    games: those whose kernels are compiled, the others are slower; `tell` hears of each as it begins. Raises
    WinnableError, OSError."""
    if folder.is_dir() and any(folder.iterdir()) and not (folder / SERVICE).is_file():
        raise WinnableError("site.folder", field="FOLDER", given=str(folder))
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as beside:
        made, old = Path(beside, "new"), Path(beside, "old")
        made.mkdir()
        _write_page(made)
        _write_python(made / "python")
        for game in games:
            tell(game)
            kernels.build(game, made / "kernels")
        write_service(made)
        sizes = [path.stat().st_size for path, _ in files_in(made, "")]
        if folder.exists():
            folder.rename(old)
        made.rename(folder)
    return Written(len(sizes), sum(sizes))


def _write_page(folder: Path) -> None:
    copied = partial(shutil.copytree, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.d.ts"))
    copied(pages.STATIC, folder / "static")
    for name in ("host.js", "cached.js"):
        shutil.copyfile(PAGE / name, folder / "static/base" / name)
    for part in ("boards", "games", "pictures", "locales", "site"):
        (folder / part).mkdir(exist_ok=True)
    for name in ("early.js", "worker.js", "kept.js"):
        shutil.copyfile(PAGE / name, folder / "site" / name)
    for game in GAMES:
        if (made_of := boards.folder_of(game)) is not None:
            copied(made_of, folder / "games" / game)
        module = f'export * from "{boards.module_of(game)}";\n'
        (folder / "boards" / f"{game}.js").write_text(module, "utf-8")
        (folder / "pictures" / f"{game}.svg").write_text(picture(game), "utf-8")
    (folder / "boards.css").write_text(boards.styles(), "utf-8")
    for language in words.LANGUAGES:
        content = msgspec.json.encode(words.catalogue(language))
        (folder / "locales" / f"{language}.json").write_bytes(content)
    (folder / "index.html").write_text(_html(pages.STATIC, ""), "utf-8")
    for name, game in brought().items():
        copied(game.pages[name], folder / name)
        (folder / f"{name}.html").write_text(_html(game.pages[name], name), "utf-8")


def _html(folder: Path, page: str) -> str:
    """The page of the folder, with the policy that a host may not send, and imports that go by where the page
    lies, not by the host's root."""
    mapped = {f"/{part}/": f"./{part}/" for part in ("static", "boards", "games", *brought())}
    imports = json.dumps({"imports": mapped})
    file = json.dumps({name: words.catalogue(name)["site.file"] for name in words.LANGUAGES})
    digest = base64.b64encode(hashlib.sha256(imports.encode()).digest()).decode()
    head = (
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY.format(digest=digest)}">',
        f'<script type="importmap">{imports}</script>',
        f'<script src="site/early.js" data-page="{page}" data-file="{escape(file)}"></script>',
    )
    return pages.html(folder / "index.html").replace(head[0], "\n  ".join(head))


def _write_python(folder: Path) -> None:
    """All modules compiled: Python's own come as text, which a browser would compile at each start."""
    folder.mkdir(exist_ok=True)
    made = downloads.python()
    for name in downloads.FILES:
        shutil.copyfile(made / name, folder / name)
    (folder / LOCK).write_bytes(msgspec.json.encode(_no_packages(made)))
    with tempfile.TemporaryDirectory() as work:
        standard, packages = Path(work, "standard"), Path(work, "packages")
        with zipfile.ZipFile(made / STANDARD) as archive:
            archive.extractall(standard, _needed(archive.namelist(), UNUSED_STANDARD))
        for path, name in _packages(made):
            (packages / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, packages / name)
        downloads.output([*downloads.NODE, str(COMPILE), str(made), work], "site.kernels", "packages")
        shutil.copyfile(Path(work, PACKAGES), folder / PACKAGES)
        with zipfile.ZipFile(folder / STANDARD, "w") as archive:
            for path, name in files_in(standard, ""):
                archive.writestr(zipfile.ZipInfo(name[1:], DATE), path.read_bytes(), zipfile.ZIP_DEFLATED, 9)


def _no_packages(made: Path) -> dict[str, Any]:
    """The list of the packages that Python may fetch, without any."""
    return msgspec.json.decode((made / LOCK).read_bytes()) | {"packages": {}}


def _needed(names: Iterable[str], unused: Iterable[str]) -> list[str]:
    return [name for name in names if not any(fnmatch(name, one) for one in unused)]


def _packages(made: Path) -> Iterator[tuple[Path, str]]:
    """Each file, with its name in Python's folder of packages."""
    yield from files_in(made / "msgspec", "msgspec")
    for package in OTHERS:
        spec = find_spec(package)
        assert spec is not None
        origin = Path(spec.origin or "")
        yield from files_in(origin.parent, package) if spec.parent else [(origin, origin.name)]
    for path, name in files_in(OURS, "winnable"):
        # That there is a `board.js` tells how a board is drawn.
        if name.endswith("/board.js") or not any(fnmatch(name, f"winnable/{one}") for one in UNUSED):
            yield path, name


def write_service(folder: Path) -> None:
    """What keeps all files in the browser, and the list of them; the last ones to be written."""
    paths = {name.removeprefix("./"): path for path, name in files_in(folder, ".")}
    kept = {name: path for name, path in paths.items() if name not in {SERVICE, LIST}}
    files = {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in kept.items()}
    version = hashlib.sha256(msgspec.json.encode(files)).hexdigest()[:16]
    (folder / LIST).write_bytes(msgspec.json.encode({"version": version, "files": files}))
    shutil.copyfile(PAGE / SERVICE, folder / SERVICE)


def files_in(folder: Path, name: str) -> Iterator[tuple[Path, str]]:
    """All files of the folder, in order, each with its name below `name`; nothing that Python keeps there."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path, f"{name}/{path.relative_to(folder).as_posix()}"
