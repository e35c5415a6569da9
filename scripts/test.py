"""Sets up on a fresh machine and runs every test: `python3 scripts/test.py`. Needs Python >= 3.11 (`PYTHON`
names another one to make `.venv` with) and a package index.

Browser tests need Chromium and a font with Chinese characters: installed by apt when this runs as root and
they are missing, else the tests are skipped, and pytest says so. WINNABLE_REQUIRE_BROWSER=1 makes that a
failure. Best is Chromium's headless shell, which opens a page in half the time; not every distribution has
it. Arguments go to pytest: `python3 scripts/test.py tests/games -k beam`.

`python3 scripts/test.py --fast` installs and warms nothing: with the `.venv` that there is it runs the tests
of the rooms that a change touches, up to the first failure; a change in one room takes less than a minute.
The change is what differs from the last commit, new files included; where nothing does, what the branch did
since it left main, and on main the last commit. Tests lie as the source does: those of
`src/winnable/games/rotate/solve/exact.py` are `tests/games/rotate/solve`; where a room has none, those of the
nearest folder around it. What holds for the whole tree runs too; browser tests, which take minutes, only
where the page or they themselves changed. Whether others can still use the room, the whole run tells.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTS = Path("tests")
DOCUMENTS, BROWSER = TESTS / "test_documents.py", TESTS / "browser"
GUARDS = {TESTS / "test_architecture.py", TESTS / "test_repository.py", TESTS / "words"}
"""What holds for the whole tree and is told in seconds."""
BIN = ROOT / ".venv" / ("Scripts" if os.name == "nt" else "bin")
SHELL = "chromium-headless-shell"
FONT = "fonts-wqy-microhei"
NOT_COMPILED = """
import sys
from winnable.compiled.compiling import Compilers
from winnable.contract.registry import GAMES
compilers = Compilers()
for name, game in GAMES.items():
    if game.module.split(".")[-2] in sys.argv:
        done, total = compilers.standing(name, None)
        if done < total:
            print(f"{name}: {total - done} of {total} kernels are not compiled: tests wait for theirs.")
            print("`.venv/bin/winnable warm` compiles all of them side by side.")
"""


def run(*command: str | Path) -> None:
    if code := subprocess.call(command):
        sys.exit(code)


def has_chinese_font() -> bool:
    """macOS and Windows come with one."""
    if not sys.platform.startswith("linux"):
        return True
    if shutil.which("fc-list") is None:
        return False
    return bool(subprocess.run(["fc-list", ":lang=zh"], capture_output=True, check=False).stdout.strip())


def install_for_browser_tests() -> None:
    wanted = [] if os.environ.get("WINNABLE_BROWSER") or shutil.which(SHELL) else [SHELL]
    wanted += [] if has_chinese_font() else [FONT]
    if not wanted:
        return
    names = " ".join(wanted)
    if not (hasattr(os, "getuid") and os.getuid() == 0 and shutil.which("apt-get")):
        print(
            f"scripts/test.py: {names} missing and not root: browser tests are skipped without any Chromium,",
            "and their pictures lack Chinese characters without a font",
        )
        return
    print(f"scripts/test.py: installing {names} for the browser tests", flush=True)

    def apt(*arguments: str) -> bool:
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        return not subprocess.call(["apt-get", "-qq", *arguments], env=quiet, stdout=subprocess.DEVNULL)

    def install(names: list[str]) -> bool:
        return apt("install", "-y", "--no-install-recommends", *names)

    plain = [name.removesuffix("-headless-shell") for name in wanted]
    if not (apt("update") and (install(wanted) or install(plain))):
        print(f"scripts/test.py: could not install {names}", flush=True)


def changed() -> list[str]:
    def git(*command: str) -> list[str]:
        done = subprocess.run(["git", *command, "-z"], capture_output=True, encoding="utf-8", check=False)
        return [name for name in done.stdout.split("\0") if name]

    def since(commit: str) -> list[str]:
        return git("diff", "--name-only", commit)

    here = since("HEAD") + git("ls-files", "--others", "--exclude-standard")
    return here or since("main...") or since("HEAD~1")


def about(name: str) -> set[Path]:
    """The tests about one file, a folder where they can be."""
    path = Path(name)
    if path.suffix == ".md":
        return {DOCUMENTS}
    match path.parts:
        case ["tests", *_, file] if file.startswith("test_") and path.exists():
            return {path}
        case ["src", "winnable", *room, file] if not file.startswith("words."):
            folder = TESTS.joinpath(*room)
        case ["tests", *room, _]:
            folder = TESTS.joinpath(*room)
        case ["bench", *_]:
            folder = TESTS / "bench"
        case ["clients", *_]:
            folder = TESTS / "clients"
        case _:
            return set()
    while not any(folder.rglob("test_*.py")):
        folder = folder.parent
    found = set(TESTS.glob("test_*.py")) if folder == TESTS else {folder}
    return found | {BROWSER} if path.suffix in (".js", ".css", ".html") else found


def touched(python: Path) -> list[str]:
    """What pytest is to run of the change; says so."""
    if shutil.which(str(python)) is None:
        sys.exit("scripts/test.py: no .venv yet: without --fast this makes it")
    if not (names := changed()):
        sys.exit("scripts/test.py: nothing has changed")
    found = sorted(path.as_posix() for path in GUARDS.union(*map(about, names)))
    without = "" if any(name.startswith("tests/browser") for name in found) else "; not tests/browser"
    print(f"scripts/test.py: {', '.join(found)}{without}", flush=True)
    if games := {Path(name).parts[2] for name in found if name.startswith("tests/games/")}:
        run(python, "-c", NOT_COMPILED, *games)
    return ["-x", "-q", *found]


def set_up(python: Path) -> None:
    if shutil.which(str(python)) is None:
        run(os.environ.get("PYTHON") or sys.executable, "-m", "venv", ".venv")
    # Most of what is installed is never imported: it is translated when it is.
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]
    with ThreadPoolExecutor() as pool:
        browser = pool.submit(install_for_browser_tests)
        run(*pip, "-c", "constraints.txt", "-e", ".[test]")
        browser.result()
    # Hundreds of processes are started: none of them needs to translate the sources again.
    os.environ["PYTHONDONTWRITEBYTECODE"] = ""
    # One process compiles the kernels, so that the parallel workers below find them in the cache.
    run(BIN / "winnable", "warm")


def main() -> None:
    os.chdir(ROOT)
    python, arguments = BIN / "python", sys.argv[1:]
    if "--fast" in arguments:
        arguments.remove("--fast")
        arguments += touched(python)
    else:
        set_up(python)
    # Most tests wait half of their time, for pages, sockets and processes: four workers keep two cores busy.
    # Files go out in their order, so that those of a folder meet: each worker opens its browser once, and
    # long files come early.
    tests = ["-m", "pytest", "-n", "4", "--dist", "loadfile", "--no-loadscope-reorder", *arguments]
    if os.name == "nt":
        run(python, *tests)
    else:  # whoever ends this ends the tests
        os.execv(python, [str(python), *tests])


if __name__ == "__main__":
    main()
