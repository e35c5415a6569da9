"""Writes how hard the levels that ship with each game are: `.venv/bin/python scripts/rate_levels.py`."""

from __future__ import annotations

import msgspec

from winnable.analysis.rating import FILE, rate_shipped
from winnable.contract.registry import GAMES, load_game
from winnable.stats.difficulty import Rating


def main() -> None:
    for name, entry in GAMES.items():
        folder = entry.folder
        if folder is not None and (rated := rate_shipped(load_game(name))):
            written = {level: _rounded(it) for level, it in rated.items()}
            (folder / FILE).write_bytes(msgspec.json.format(msgspec.json.encode(written)) + b"\n")
            print(f"{name}: {len(rated)} levels")


def _rounded(rating: Rating) -> dict[str, str | float]:
    """What is known of it; points to a tenth, shares to a thousandth."""
    known = {name: value for name, value in msgspec.structs.asdict(rating).items() if value is not None}
    return {
        name: round(value, 3 if name == "luck" else 1) if isinstance(value, float) else value
        for name, value in known.items()
    }


if __name__ == "__main__":
    main()
