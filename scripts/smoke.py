"""What would be uploaded, alone: `python3 scripts/smoke.py` builds the sdist, and the wheel from it, installs
this into an environment of its own with an empty home, and uses all of it once. `python3 scripts/smoke.py
FOLDER` keeps both files there.

Needs Python >= 3.11 and a package index. All but one solver runs without the compiler, which would take
minutes.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import venv
import zipfile
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parents[1]
LEVEL = "drops/05-puddle"
COMMANDS = f"""
games
games --schema triple
solve {LEVEL} --output solution.json
verify {LEVEL} solution.json
margin {LEVEL}
check {LEVEL} triple/1-first-steps
generate triple layers=4 sets=2 kinds=6 --seed 1 --output level.json
solve level.json --json
export level.json --format svg --output board.svg
import level.json --output again.json
repair level.json --method de-repair --time 5 --output repaired.json
measure level.json --games 1 --by random --time 5
compare {LEVEL} --games 1 --by bfs
watch tetris:height=6#1 --by random
watch 2048:rows=2,columns=2#1 --by random
solve rotate 112/221/212
play {LEVEL} --json
tables 2048
runs
deck --json
tasks drops --difficulty easy --output tasks.jsonl
data export mine.json.gz
data import mine.json.gz
config
completion bash
"""
"""One of each kind, in an empty folder."""


def fail(text: str) -> NoReturn:
    sys.exit(f"scripts/smoke.py: {text}")


def call(*command: str | Path) -> None:
    """With the user's own settings, which say where packages come from."""
    if code := subprocess.call(command):
        fail(f"{' '.join(map(str, command))}: exit code {code}")


class Environment:
    """A virtual environment, and a home that nobody has lived in."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=True)
        self.bin = folder / ("Scripts" if os.name == "nt" else "bin")
        self.home = folder / "home"
        self.home.mkdir()
        ours = ("WINNABLE_", "XDG_", "PYTHON")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        self.environ = kept | dict.fromkeys(
            ("HOME", "USERPROFILE", "LOCALAPPDATA", "APPDATA"), str(self.home)
        )

    def install(self, *what: str) -> None:
        pip = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile")
        call(self.bin / "python", *pip, *what)

    def run(self, name: str, *arguments: str, jit: bool = False, code: int = 0) -> str:
        """What it prints; it must end with this code and no traceback."""
        done = subprocess.run(
            [str(self.bin / name), *arguments],
            cwd=self.home,
            env=self.environ | ({} if jit else {"WINNABLE_JIT": "0"}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        if done.returncode != code or "Traceback" in done.stderr:
            fail(f"{name} {' '.join(arguments)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout


def built(folder: Path) -> Path:
    """The wheel, built from the sdist beside it."""
    tools = Environment(folder / "tools")
    tools.install("build", "hatchling>=1.27")
    call(tools.bin / "python", "-m", "build", "--no-isolation", "--outdir", folder, ROOT)
    wheel = next(folder.glob("*.whl"))
    names = set(zipfile.ZipFile(wheel).namelist())
    for needed in ("winnable/py.typed", "winnable/__init__.pyi", "winnable/web/static/index.html"):
        if needed not in names:
            fail(f"the wheel has no {needed}")
    if not any(name.endswith("/licenses/LICENSE") for name in names):
        fail("the wheel has no licence")
    return wheel


def open_studio(installed: Environment) -> None:
    command = [str(installed.bin / "winnable"), "studio", "--no-open", "--port", "0"]
    studio = subprocess.Popen(
        command, cwd=installed.home, env=installed.environ, stdout=subprocess.PIPE, encoding="utf-8"
    )
    try:
        assert studio.stdout is not None
        line = studio.stdout.readline()
        address = re.search(r"[\d.]+:\d+", line)
        if address is None:
            fail(f"the studio says {line!r}")
        connection = HTTPConnection(address[0], timeout=30)
        connection.request("GET", "/")
        if b"<title>" not in connection.getresponse().read():
            fail("the studio's page is no page")
        connection.close()
    finally:
        studio.terminate()
        studio.wait()


def main() -> None:
    began = time.monotonic()

    def tell(what: str) -> None:
        print(f"{time.monotonic() - began:6.1f} s  {what}", flush=True)

    with tempfile.TemporaryDirectory(prefix="winnable-smoke-") as text:
        folder = Path(text)
        wheel = built(folder)
        tell(f"built {wheel.name} from the sdist")
        installed = Environment(folder / "installed")
        installed.install("-c", str(ROOT / "constraints.txt"), str(wheel))
        tell("installed")
        listed = "import winnable.cli.app as app; print(*app.COMMANDS, *app.brought())"
        names = installed.run("python", "-c", listed).split()

        def explain(name: str) -> None:
            installed.run("winnable", name, "--help", code=2 if name == "bench" else 0)

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(explain, names))
        tell(f"{len(names)} commands say --help (bench: that it is in no wheel)")
        for line in COMMANDS.split("\n")[1:-1]:
            installed.run("winnable", *line.split())
        tell(f"{COMMANDS.count(chr(10)) - 1} commands did something")
        open_studio(installed)
        tell("the studio answered")
        shutil.copy(ROOT / "README.md", installed.home)
        installed.run("python", "-m", "doctest", "README.md")
        tell("the README's Python ran")
        installed.run("winnable", "solve", "level.json", "--solver", "beam", jit=True)
        tell("a solver was compiled")
        for path in sys.argv[1:]:
            for file in (wheel, next(folder.glob("*.tar.gz"))):
                shutil.copy(file, path)


if __name__ == "__main__":
    main()
