"""Plays and writes the games of `winnable bench margin` anew: `.venv/bin/python scripts/record_margin_games.py`."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parents[1]))
from bench.margin_games import FILE, record


def main() -> None:
    FILE.write_bytes(b"".join(msgspec.json.encode(game) + b"\n" for game in record(seed=0)))


if __name__ == "__main__":
    main()
