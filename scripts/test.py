"""Sets up on a fresh machine and runs every test: `python3 scripts/test.py`. Needs Python >= 3.11 (`PYTHON`
names another one to make `.venv` with) and a package index.

Browser tests need Chromium and a font with Chinese characters: installed by apt when this runs as root and
they are missing, else the tests are skipped, and pytest says so. WINNABLE_REQUIRE_BROWSER=1 makes that a
failure. Best is Chromium's headless shell, which opens a page in half the time; not every distribution has
it. Arguments go to pytest: `python3 scripts/test.py tests/games -k beam`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BIN = ROOT / ".venv" / ("Scripts" if os.name == "nt" else "bin")
SHELL = "chromium-headless-shell"
FONT = "fonts-wqy-microhei"


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


def main() -> None:
    os.chdir(ROOT)
    python = BIN / "python"
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
    # Most tests wait half of their time, for pages, sockets and processes: four workers keep two cores busy.
    # Files go out in their order, so that those of a folder meet: each worker opens its browser once, and
    # long files come early.
    tests = ["-m", "pytest", "-n", "4", "--dist", "loadfile", "--no-loadscope-reorder", *sys.argv[1:]]
    if os.name == "nt":
        run(python, *tests)
    else:  # whoever ends this ends the tests
        os.execv(python, [str(python), *tests])


if __name__ == "__main__":
    main()
