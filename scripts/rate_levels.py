"""Writes how hard the levels that ship with each game are: `.venv/bin/python scripts/rate_levels.py`."""

from __future__ import annotations

import msgspec

from winnable.analysis.rating import FILE, rate_shipped
from winnable.contract.registry import GAMES, load_game


def main() -> None:
    for name, entry in GAMES.items():
        folder = entry.folder
        if folder is not None and (rated := rate_shipped(load_game(name))):
            written = {level: {"word": it.word, "figure": round(it.figure, 1)} for level, it in rated.items()}
            (folder / FILE).write_bytes(msgspec.json.format(msgspec.json.encode(written)) + b"\n")
            print(f"{name}: {len(rated)} levels")


if __name__ == "__main__":
    main()
