"""`winnable games`: what there is to play and to solve, and with which options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any

import click
from msgspec import Struct

from winnable.cli.options import Command, json_option
from winnable.cli.output import emit_json, padded, say
from winnable.contract.abilities import (
    formats_of,
    notations_of,
    players_of,
    repairs_of,
    solvers_of,
    tunables_of,
)
from winnable.contract.methods import settings_of
from winnable.contract.params import Param, describe_params
from winnable.words import language, t


class Method(Struct, frozen=True):
    name: str
    params: list[Param]
    """What it can be set to."""


class GameInfo(Struct, frozen=True):
    name: str
    title: dict[str, str]
    about: dict[str, str]
    solvers: list[Method]
    players: list[Method]
    repairs: list[Method]
    tunables: list[str]
    formats: dict[str, str]
    notations: list[str]
    comparisons: list[str]
    """Tables of its article, for `winnable compare --preset`."""
    params: list[Param]
    levels: list[str]


@click.command("games", cls=Command)
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--schema", metavar="GAME", help="Print the JSON Schema of this game's level files instead.")
@json_option
def games_command(games: tuple[str, ...], schema: str | None, as_json: bool) -> int:
    """List all games, or each GAME, with their methods and what these can be set to, parameters and shipped
    levels.

    Examples:
      winnable games drops
      winnable games --json
      winnable games --schema triple
    """
    if schema is not None:
        from winnable.contract.registry import load_game
        from winnable.levels.schemas import level_schema

        emit_json(level_schema(load_game(schema)))
        return 0
    infos = game_infos(games)
    if as_json:
        emit_json(infos)
        return 0
    for info in infos:
        _tell(info)
    return 0


def game_infos(names: Sequence[str] = ()) -> list[GameInfo]:
    """names: of these games; else of all. Raises WinnableError."""
    from winnable.contract.registry import abouts, load_game, loaded_games, titles

    return [
        GameInfo(
            game.name,
            titles(game.name),
            abouts(game.name),
            _methods(solvers_of(game)),
            _methods(players_of(game)),
            _methods(repairs_of(game)),
            list(tunables_of(game)),
            {name: form.about for name, form in formats_of(game).items()},
            list(notations_of(game)),
            list(game.comparisons),
            describe_params(game.params_type),
            [f"{game.name}/{path.stem}" for path in sorted(game.levels.glob("*.json"))],
        )
        for game in (map(load_game, dict.fromkeys(names)) if names else loaded_games())
    ]


def _methods(table: Mapping[str, Any]) -> list[Method]:
    return [Method(name, settings_of(method)) for name, method in table.items()]


def _tell(info: GameInfo) -> None:
    say(f"{info.name}  {' / '.join(info.title.values())}")
    say(f"  {info.about[language()]}")
    for label, names in (
        ("solvers", [method.name for method in info.solvers]),
        ("players", [method.name for method in info.players]),
        ("repairs", [method.name for method in info.repairs]),
        ("tunables", info.tunables),
        ("formats", list(info.formats)),
        ("notations", info.notations),
        ("comparisons", info.comparisons),
        ("levels", info.levels),
    ):
        if names:
            say(f"  {_label(label)}{', '.join(names)}")
    for index, param in enumerate(info.params):
        say(f"  {_label('' if index else 'params')}{_shown(param)}")
    settable = [method for method in (*info.solvers, *info.players, *info.repairs) if method.params]
    for index, method in enumerate(settable):
        settings = ", ".join(map(_shown, method.params))
        say(fill(f"{method.name}: {settings}", 110, initial_indent=f"  {_label('' if index else 'settings')}",
                 subsequent_indent=" " * 14))  # fmt: skip


def _label(word: str) -> str:
    return padded(t(f"cli.games.{word}") if word else "", 10)


def _shown(param: Param) -> str:
    """`k=3 (1 to 100)`."""
    steps = f" by {param.step}" if param.step > 1 else ""
    low, high = (None if end is None else f"{end:.12g}" for end in (param.minimum, param.maximum))
    values = " | ".join(param.choices) if param.choices else f"{low} to {high}{steps}"
    only = "".join(f"; only {name}={'|'.join(choices)}" for name, choices in param.only.items())
    return f"{param.name}={param.default} ({values}{only})"
