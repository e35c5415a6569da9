"""What makes the levels of `winnable generate`, where it is not the game's generator alone."""

from __future__ import annotations

from math import isfinite, nan
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from winnable.cli.usage import said
from winnable.contract.abilities import DealsAnew, DealsToOrder, skills_of
from winnable.contract.core import Budget, LevelError, WinnableError

if TYPE_CHECKING:
    from winnable.contract.game import Game, Generate


class Difficulty(NamedTuple):
    """A share of games won, or points on the scale of skill."""

    share: float | None
    points: float


def parse_difficulty(ctx: click.Context, param: click.Parameter, text: str | None) -> Difficulty | None:
    if text is None:
        return None
    number = text.removesuffix("%")
    try:
        value = float(number)
    except ValueError:
        value = nan
    if not isfinite(value):
        raise click.BadParameter(said("cli.share", given=text[:40]))
    return Difficulty(value / 100, 0) if text.endswith("%") else Difficulty(None, value)


def dealer(game: Game, path: str) -> Generate:
    """What deals onto the places of that file (`-`: of stdin). Raises WinnableError."""
    from winnable.cli.levels import read_content

    if not isinstance(game, DealsAnew):
        raise WinnableError("cli.layout", field="layout", game=game.name)
    content = read_content(path)
    try:
        return game.dealer(content)
    except LevelError as error:
        raise error.within(path[:200]) from None


def skill_of(game: Game, player: str) -> float:
    """Raises WinnableError for one that does not play by what a person sees."""
    skills = skills_of(game)
    if player not in skills:
        raise WinnableError("cli.by.sees", field="by", given=player[:40], game=game.name, known=list(skills))
    return skills[player]


def to_order(game: Game, generate: Generate, player: str, difficulty: Difficulty) -> Generate:
    """Makes what `generate` makes as hard as asked. Raises WinnableError."""
    from winnable.stats.skill import win_chance

    if not isinstance(game, DealsToOrder):
        raise WinnableError("cli.difficulty", field="difficulty", game=game.name)
    skill, share = skill_of(game, player), difficulty.share
    if share is None:
        share = float(win_chance(skill, difficulty.points))

    def make(params: Any, seed: int, budget: Budget | None = None) -> Any:
        return game.to_order(generate(params, seed, budget), player, share, seed, budget or Budget())

    return make
