"""How hard a level that is checked is for a person, and whether that is what was declared."""

from __future__ import annotations

from dataclasses import replace

from winnable.analysis.rating import SEED, rating_of
from winnable.contract.abilities import Rates
from winnable.contract.core import Budget, Search, WinnableError, collected
from winnable.levels.checking import Checking, Looked
from winnable.levels.files import NamedLevel
from winnable.words import speaking


def rated(looked: Looked, named: NamedLevel, how: Checking, whole: Budget) -> Search[Looked]:
    """The level with its rating, and among its facts what can be proved of how hard it is; each has the
    seconds. Refused where the rating is none of the difficulty that is asked for, or could not be told."""
    game, facts, numbers = named.game, dict(looked.checked.facts), dict[str, float]()
    rating = yield from rating_of(named, whole.part(most=how.seconds))
    if isinstance(game, Rates):
        seconds = how.seconds if how.figures is None else how.figures
        figures = yield from collected(game.measure(named.level, whole.part(most=seconds), SEED))
        with speaking("en"):
            told = {figure.name: figure.said() for figure in figures if figure.name != "verdict"}
        facts |= {name: text for name, text in told.items() if text}
        numbers = {figure.name: figure.number for figure in figures if figure.number is not None}
    checked = replace(looked.checked, facts=facts, figures=numbers)
    looked = looked._replace(checked=checked)
    if rating is not None:
        checked = replace(checked, rating=rating.figure, word=rating.word, luck=rating.luck)
        checked = replace(checked, rating_low=rating.low, rating_high=rating.high)
        looked = looked._replace(checked=checked)
    if (wanted := how.difficulty) is None:
        return looked
    if rating is None:
        code = "difficulty.open" if isinstance(game, Rates) else "difficulty.game"
        return looked.refused(WinnableError(code, game=game.name))
    if wanted.low <= rating.figure <= wanted.high:
        return looked
    figure = round(rating.figure, 1)
    return looked.refused(WinnableError("difficulty.outside", figure=figure, wanted=str(wanted)))
