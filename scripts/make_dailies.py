"""Makes the daily levels of the coming days, of games whose generator has to prove something:
`.venv/bin/python scripts/make_dailies.py drops rotate [--until 2027-12-31]`."""

from __future__ import annotations

import argparse
from datetime import date, timedelta
from typing import Any

import msgspec
from msgspec.structs import replace

from winnable.contract.core import finish
from winnable.contract.registry import GAMES, load_game
from winnable.levels.dailies import FILE, Dailies
from winnable.levels.identity import daily


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="+", choices=sorted(GAMES))
    parser.add_argument("--until", type=date.fromisoformat, default=date.today() + timedelta(400))
    arguments = parser.parse_args()
    # Where it is still yesterday they are wanted too.
    first = date.today() - timedelta(1)
    days = [first + timedelta(ahead) for ahead in range((arguments.until - first).days + 1)]
    for name in arguments.games:
        identities = [daily(load_game(name), day) for day in days]
        made: dict[str, Any] = {
            str(seed): finish(game.generate(params, seed)) for game, params, seed in identities
        }
        levels = {
            seed: msgspec.Raw(msgspec.json.encode(replace(level, provenance=None)))
            for seed, level in made.items()
        }
        content = msgspec.json.encode(Dailies(made[str(identities[0].seed)].provenance, levels))
        for seed in levels:  # a level a line, so that they can be compared
            content = content.replace(f'"{seed}":'.encode(), f'\n"{seed}":'.encode())
        folder = GAMES[name].folder
        assert folder is not None
        (folder / FILE).write_bytes(content + b"\n")
        print(f"{name}: {len(levels)} levels, {days[0]} to {days[-1]}")


if __name__ == "__main__":
    main()
