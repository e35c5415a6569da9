"""Writes the JSON Schemas of the level files of our games: `.venv/bin/python scripts/write_schemas.py`.

tests/levels/test_schemas.py holds what is written equal to what `written` returns.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from winnable.contract.registry import OURS, load_game
from winnable.levels.schemas import level_schema

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "schemas"


def written() -> dict[Path, str]:
    """The text of each file; the number is that of the format."""
    return {
        FOLDER / f"{name}-1.json": msgspec.json.format(
            msgspec.json.encode(level_schema(load_game(name)))
        ).decode()
        + "\n"
        for name in OURS
    }


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for path, text in written().items():
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
