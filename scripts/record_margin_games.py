"""Plays the games of `winnable bench margin` anew (for minutes), and writes them where it reads them."""

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
