"""Style, formatting and types: ruff and pyright (strict), and tsc for the modules of the page.
`python3 scripts/lint.py --fix` mends what can be mended."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BIN = ROOT / ".venv" / ("Scripts" if os.name == "nt" else "bin")
TYPESCRIPT = "7.0.2"
"""No Python package: npm, which is one, puts it into .venv."""


def run(name: str, *arguments: str) -> None:
    """What is in .venv; on Windows some of it are scripts."""
    if code := subprocess.call([shutil.which(str(BIN / name)) or name, *arguments]):
        sys.exit(code)


def main() -> None:
    os.chdir(ROOT)
    if shutil.which(str(BIN / "ruff")) is None:
        print("scripts/lint.py: run scripts/test.py first, it makes .venv", file=sys.stderr)
        sys.exit(2)
    if sys.argv[1:2] == ["--fix"]:
        run("ruff", "check", "--fix", ".")
        run("ruff", "format", ".")
    run("ruff", "check", ".")
    run("ruff", "format", "--check", ".")
    run("pyright")

    folder = ROOT / ".venv" / "typescript"
    kept = folder / "version"
    if not kept.is_file() or kept.read_text("utf-8").strip() != TYPESCRIPT:
        os.environ["PATH"] = os.pathsep.join([str(BIN), os.environ.get("PATH", "")])
        quiet = ["--silent", "--no-audit", "--no-fund", "--no-package-lock"]
        run("npm", "install", *quiet, "--prefix", str(folder), f"typescript@{TYPESCRIPT}")
        kept.write_text(f"{TYPESCRIPT}\n", "utf-8")
    run("node", str(folder / "node_modules" / "typescript" / "bin" / "tsc"), "-p", ".")


if __name__ == "__main__":
    main()
