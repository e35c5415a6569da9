"""What the page may choose from: the games with their parameters, players, solvers and shipped levels."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache
from threading import Lock
from typing import Any

from winnable.analysis.rating import shipped_ratings
from winnable.contract.abilities import (
    Explains,
    Pages,
    PointsOut,
    Tunes,
    Weighs,
    formats_of,
    players_of,
    repairs_of,
    solvers_of,
)
from winnable.contract.core import WinnableError
from winnable.contract.game import Game
from winnable.contract.methods import Chosen, Wanted, choose_method, parse_method, settings_of
from winnable.contract.params import describe_params
from winnable.contract.registry import GAMES, abouts, load_game, titles
from winnable.levels.files import series_of, shipped_levels
from winnable.web.infos import ArticleRun, ComparisonInfo, GameInfo, LevelInfo, MethodInfo, TunableInfo
from winnable.web.messages import SetMethod

log = logging.getLogger("winnable.studio")
_lock = Lock()


def game_infos() -> list[GameInfo]:
    """All there is of every game that can be imported; slow the first time (it imports them)."""
    with _lock:
        infos = [_describe(name) for name in GAMES]
    return [info for info in infos if info is not None]


@cache
def picture(name: str) -> str:
    """The game's card: a board of it as SVG. Raises WinnableError for an unknown name."""
    game = load_game(name)
    shipped = dict(shipped_levels(game))
    if game.cover.startswith(f"{name}/"):
        level = shipped.get(game.cover) or next(iter(shipped.values()))  # any other, if its file is damaged
    else:
        level = game.parse_board(game.cover)
    puzzle = game.puzzle(level)
    return game.svg(puzzle, puzzle.initial())


@cache
def _describe(name: str) -> GameInfo | None:
    try:
        game, ratings = load_game(name), shipped_ratings(name)
        levels = [
            LevelInfo(level_name, dict(level.title), series_of(level_name), ratings.get(level_name))
            for level_name, level in shipped_levels(game)
        ]
    except WinnableError as error:  # which names the package that brings it
        log.error("%s", error)
        return None
    except Exception:  # one broken game must not take the others with it
        log.exception("%s cannot be loaded", name)
        return None
    return GameInfo(
        name=name,
        title=titles(name),
        about=abouts(name),
        params=describe_params(game.params_type),
        players=_methods(players_of(game)),
        solvers=_methods(solvers_of(game)),
        repairs=_methods(repairs_of(game)),
        formats=[name for name, form in formats_of(game).items() if form.write],
        tunables=_tunables(game, levels[0].name if levels else "") if isinstance(game, Tunes) else [],
        comparisons=_comparisons(game),
        levels=levels,
        points=isinstance(game, PointsOut),
        explains=isinstance(game, Explains),
        weighs=isinstance(game, Weighs),
        pages=list(game.pages) if isinstance(game, Pages) else [],
        article=game.article,
    )


def _tunables(game: Any, first: str) -> list[TunableInfo]:
    found: list[TunableInfo] = []
    for name in game.tunables:
        article: Wanted | None = game.as_in_its_article(name)
        run = article and ArticleRun(article.name, dict(article.values))
        found.append(TunableInfo(name, game.stage(name) or first, game.live(name), game.gains.get(name), run))
    return found


def _comparisons(game: Game) -> list[ComparisonInfo]:
    known = {**players_of(game), **solvers_of(game)}
    infos: list[ComparisonInfo] = []
    for name, one in game.comparisons.items():
        by = [_as_set(choose_method("by", known, text, game.name), text) for text in one.by]
        infos.append(ComparisonInfo(name, list(one.levels), by, one.games, one.seconds, one.seed))
    return infos


def _as_set(chosen: Chosen, text: str) -> SetMethod:
    return SetMethod(chosen.name, {name: chosen.settings[name] for name in parse_method(text).values})


def _methods(table: Mapping[str, Any]) -> list[MethodInfo]:
    return [MethodInfo(name, settings_of(method)) for name, method in table.items()]
