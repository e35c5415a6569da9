"""What an argument or option may be, for shells that ask at Tab: by the names that commands give to them, so
that one name means one thing in all of them. Looks no further than lists and schemas: nothing is compiled."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

import click
from click.shell_completion import CompletionItem

from winnable.contract.abilities import (
    notations_of,
    players_of,
    repairs_of,
    skills_of,
    solvers_of,
    tunables_of,
)
from winnable.contract.game import Game
from winnable.contract.methods import settings_of
from winnable.contract.params import Param, describe_params
from winnable.contract.registry import GAMES, load_game, titles
from winnable.levels.files import read_level
from winnable.levels.find import in_file
from winnable.words import language

Candidates: TypeAlias = "Iterator[CompletionItem[str]]"
FILE = "file"
OPEN = "open"
"""The type of what is not all of a word."""


class _Completed(click.types.StringParamType):
    def __init__(self, candidates: Callable[[click.Context, str], Candidates]) -> None:
        self._candidates = candidates

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem[str]]:
        found = self._candidates(ctx, incomplete)
        return [item for item in found if item.type == FILE or item.value.startswith(incomplete)]


def complete_values(command: click.Command) -> None:
    """Tells the arguments and options of the command, and of those in it, what they may be."""
    for param in command.params:
        known = BY_NAME.get(param.name or "")
        if known is not None and type(param.type) is click.types.StringParamType:
            param.type = _Completed(known)
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            complete_values(inner)


def _file(ctx: click.Context, text: str) -> Candidates:
    yield CompletionItem(text, FILE)


def _games(ctx: click.Context, text: str) -> Candidates:
    for name in GAMES:
        yield CompletionItem(name, help=titles(name)[language()])


def _levels(ctx: click.Context, text: str) -> Candidates:
    name, mark = next(((text[:at], text[at]) for at, char in enumerate(text) if char in "/:"), ("", ""))
    if name not in GAMES:
        for item in _games(ctx, text):
            yield from (item, CompletionItem(f"{item.value}:", OPEN), CompletionItem(f"{item.value}/", OPEN))
    elif mark == "/":
        for path in sorted(load_game(name).levels.glob("*.json")):
            yield CompletionItem(f"{name}/{path.stem}")
    else:
        yield CompletionItem(f"{name}:daily")
        head, _, rest = text.partition(":")
        yield from _pairs(describe_params(load_game(name).params_type), rest, f"{head}:")
    yield CompletionItem(text, FILE)


def _pairs(params: Iterable[Param], text: str, head: str = "") -> Candidates:
    """Of `key=value,key=value` the last one. head: stands before, and then something must follow."""
    before, comma, last = text.rpartition(",")
    key, equals, _ = last.partition("=")
    for param in params:
        if not equals:
            yield CompletionItem(f"{head}{before}{comma}{param.name}=", OPEN, help=str(param.default))
        elif key == param.name:
            for value in param.choices or (f"{param.default}",):
                yield CompletionItem(f"{head}{before}{comma}{key}={value}", OPEN if head else "plain")


def _game_of(ctx: click.Context) -> Game:
    """That of the first word before the cursor which names one, or is a level's file: click has not read all
    of an unfinished line. Raises WinnableError."""
    words: list[str] = ctx.find_root().obj
    for word in words:
        name = re.split("[:/]", word, maxsplit=1)[0]
        if name in GAMES:
            return load_game(name)
        if (found := in_file(word)) is not None:
            return read_level(found.read()).game
    return load_game("")


def _params(ctx: click.Context, text: str) -> Candidates:
    return _pairs(describe_params(_game_of(ctx).params_type), text)


def _players(ctx: click.Context) -> Mapping[str, Any]:
    game = _game_of(ctx)
    if ctx.info_name in ("generate", "measure"):
        return skills_of(game)
    return players_of(game) if ctx.info_name == "play" else {**players_of(game), **solvers_of(game)}


def _methods(of: Callable[[click.Context], Mapping[str, Any]]) -> Callable[[click.Context, str], Candidates]:
    """`NAME`, `NAME(key=value,...)`, and several of them with commas between."""

    def candidates(ctx: click.Context, text: str) -> Candidates:
        known = of(ctx)
        before, open_, inside = text.rpartition("(")
        if open_ and ")" not in inside:
            yield from _pairs(settings_of(known.get(before.rpartition(",")[2])), inside, f"{before}(")
            return
        before, comma, _ = text.rpartition(",")
        for name in known:
            yield CompletionItem(f"{before}{comma}{name}")

    return candidates


def _settings(ctx: click.Context, text: str) -> Candidates:
    known = {**_players(ctx), **repairs_of(_game_of(ctx))}
    named = ctx.params.get("by") or ctx.params.get("solver") or ctx.params.get("method") or ""
    return _pairs(settings_of(known.get(named)), text)


def _benchmarks(ctx: click.Context, text: str) -> Candidates:
    """Where they are; the command itself refuses an installed winnable."""
    if ctx.info_name == "bench":
        from winnable.cli.bench import abouts

        for name, about in abouts().items():
            yield CompletionItem(name, help=about)


def _of_game(table: Callable[[Game], Iterable[str]]) -> Callable[[click.Context, str], Candidates]:
    return lambda ctx, text: map(CompletionItem, table(_game_of(ctx)))


BY_NAME: Mapping[str, Callable[[click.Context, str], Candidates]] = {
    "level": _levels,
    "levels": _levels,
    "game": _games,
    "games": _games,
    "schema": _games,
    "params": _params,
    "settings": _params,
    "by": _methods(_players),
    "solver": _methods(lambda ctx: solvers_of(_game_of(ctx))),
    "method": _methods(lambda ctx: repairs_of(_game_of(ctx))),
    "set_to": _settings,
    "notation": _of_game(notations_of),
    "tunable": _of_game(tunables_of),
    "preset": _of_game(lambda game: game.comparisons),
    "name": _benchmarks,
    **dict.fromkeys(("solution", "output", "file", "layout", "document", "film", "replay", "save"), _file),
}
"""Parameter of a command -> what it may be."""
