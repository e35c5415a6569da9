"""`winnable games`: what there is to play and to solve, and with which options."""

from __future__ import annotations

from typing import Any

import click
import msgspec
from msgspec import Struct

from winnable.cli.options import example, json_option
from winnable.cli.output import emit_json, say


class GameInfo(Struct, frozen=True):
    name: str
    title: dict[str, str]
    about: dict[str, str]
    solvers: list[str]
    players: list[str]
    repairs: list[str]
    tunables: list[str]
    formats: dict[str, str]
    notations: list[str]
    params: list[Any]
    levels: list[str]


@click.command(
    "games",
    epilog=example("Examples:\n  winnable games\n  winnable games --json\n  winnable games --schema triple"),
)
@click.option("--schema", metavar="GAME", help="Print the JSON Schema of this game's level files instead.")
@json_option
def games_command(schema: str | None, as_json: bool) -> int:
    """List the games with their solvers, players, parameters and shipped levels."""
    if schema is not None:
        from winnable.registry import load_game

        emit_json(msgspec.json.schema(load_game(schema).level_type))
        return 0
    infos = game_infos()
    if as_json:
        emit_json(infos)
        return 0
    for info in infos:
        _tell(info)
    return 0


def game_infos() -> list[GameInfo]:
    from winnable.params import describe_params
    from winnable.registry import GAMES, load_game

    return [
        GameInfo(
            entry.name,
            entry.title,
            entry.about,
            list(game.solvers),
            list(game.players),
            list(game.repairs),
            list(game.tunables),
            {name: form.about for name, form in game.formats.items()},
            list(game.notations),
            describe_params(game.params_type),
            [f"{entry.name}/{path.stem}" for path in sorted(game.levels.glob("*.json"))],
        )
        for entry in GAMES.values()
        for game in [load_game(entry.name)]
    ]


def _tell(info: GameInfo) -> None:
    say(f"{info.name}  {' / '.join(info.title.values())}")
    say(f"  {info.about['en']}")
    for label, names in (
        ("solvers", info.solvers),
        ("players", info.players),
        ("repairs", info.repairs),
        ("tunables", info.tunables),
        ("formats", list(info.formats)),
        ("notations", info.notations),
        ("levels", info.levels),
    ):
        if names:
            say(f"  {label:<10}{', '.join(names)}")
    for index, param in enumerate(info.params):
        steps = f" by {param.step}" if param.step > 1 else ""
        values = " | ".join(param.choices) if param.choices else f"{param.minimum} to {param.maximum}{steps}"
        only = "".join(f"; only {name}={'|'.join(choices)}" for name, choices in param.only.items())
        say(f"  {'' if index else 'params':<10}{param.name}={param.default}  ({values}{only})")
