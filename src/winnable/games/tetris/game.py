"""What tetris hands to the shells. What solves, plays or measures is read when it is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec.structs import replace

from winnable.contract.abilities import (
    AnswersFirst,
    Arrays,
    Batch,
    Commands,
    Converts,
    Explains,
    Foresees,
    Format,
    Pages,
    PlaysBatches,
    PointsOut,
    Rates,
    RollsDice,
    Terms,
    Tunes,
    Weighs,
    when_named,
)
from winnable.contract.areas import Area
from winnable.contract.chance import Outlook, Turn
from winnable.contract.core import Action, Budget, Search
from winnable.contract.game import Game
from winnable.contract.hosts import Host
from winnable.contract.methods import Wanted
from winnable.contract.tunable import Tunable
from winnable.games.tetris.article.comparisons import COMPARISONS
from winnable.games.tetris.levels import fumen_games, generator, maps, svg, text
from winnable.games.tetris.players import by_name as players
from winnable.games.tetris.rules.level import Level
from winnable.games.tetris.rules.puzzle import SeededTetris, State
from winnable.inert.late import late_modules, later
from winnable.stats.difficulty import Rating

if TYPE_CHECKING:
    from click import Command

    from winnable.games.tetris.arrays import batch, seen
    from winnable.games.tetris.article import figures
    from winnable.games.tetris.article import hazard as article_hazard
    from winnable.games.tetris.article import tuning as article_tuning
    from winnable.games.tetris.measure import difficulty, outlook, tunables, weighing
    from winnable.games.tetris.modern.commands import arcade
    from winnable.games.tetris.modern.page import arcade as page_arcade
    from winnable.games.tetris.modern.players import bot
    from winnable.games.tetris.players import first, herd
else:
    batch, seen = late_modules("winnable.games.tetris.arrays", "batch", "seen")
    figures, article_hazard, article_tuning = late_modules(
        "winnable.games.tetris.article", "figures", "hazard", "tuning"
    )
    difficulty, outlook, tunables, weighing = late_modules(
        "winnable.games.tetris.measure", "difficulty", "outlook", "tunables", "weighing"
    )
    (arcade,) = late_modules("winnable.games.tetris.modern.commands", "arcade")
    (page_arcade,) = late_modules("winnable.games.tetris.modern.page", "arcade")
    (bot,) = late_modules("winnable.games.tetris.modern.players", "bot")
    first, herd = late_modules("winnable.games.tetris.players", "first", "herd")


def _tunable(name: str) -> Tunable:
    every = tunables.TUNABLES | article_tuning.TUNABLES | article_hazard.TUNABLES
    return every[name]


BY_FEATURES = ("features-9", "features-11", "features-50")
BY_LINES = ("article-mean", "article-min", "article-ten-rows")
TUNABLES: Mapping[str, Callable[[], Tunable]] = {
    name: partial(_tunable, name) for name in (*BY_FEATURES, *BY_LINES, "article-hazard")
}


class TetrisGame(
    Game[Level, Turn[State]],
    Explains,
    Foresees,
    Weighs,
    AnswersFirst,
    PointsOut,
    RollsDice,
    Tunes,
    Converts,
    Commands,
    Pages,
    Rates,
    PlaysBatches,
):
    comparisons: ClassVar = COMPARISONS
    forgets: ClassVar = True
    tunables: ClassVar = TUNABLES
    gains: ClassVar = dict.fromkeys(BY_LINES, "lines")
    formats: ClassVar = {
        "fumen": Format(
            "fumen",
            "fumen: a position with the pieces that are seen; reads whole games, from page N on after #N",
            fumen_games.read,
            fumen_games.write_position,
            fumen_games.knows,
        ),
        "fumen-game": Format(
            "fumen-game", "fumen: a page for each piece", fumen_games.read, fumen_games.write_game, when_named
        ),
        **maps.MAPS,
    }
    pages: ClassVar = {"arcade": Path(__file__).parent / "modern" / "page" / "static"}

    def outlook(self, puzzle: SeededTetris, state: Turn[State], budget: Budget, seed: int) -> Search[Outlook]:
        """Foresee how many lines are to come in a published controller's hands."""
        return outlook.outlook(puzzle, state, budget, seed)

    def weigh(self, puzzle: SeededTetris, state: Turn[State], budget: Budget, seed: int) -> Search[Outlook]:
        """Foresee which share of the lines to come is left after each placement."""
        return weighing.weigh(puzzle, state, budget, seed)

    def first(self, puzzle: SeededTetris, state: Turn[State], budget: Budget, seed: int) -> Search[Outlook]:
        """Foresee what a player gets in the next pieces."""
        return first.first_outlook(puzzle, state, budget, seed)

    def explain(self, puzzle: SeededTetris, state: Turn[State]) -> Any:
        """The article's figures of the wall."""
        return figures.figures(state.state.wall, puzzle.game.width, puzzle.game.height)

    def area(self, puzzle: SeededTetris, state: Turn[State], action: Action) -> Area:
        """The third of the columns in which the piece's middle comes to rest."""
        landing, width = puzzle.game.landing(state.state, action), puzzle.game.width
        third = min(2, int((landing.column + landing.shape.width / 2) * 3 / width))
        left, right = third * width // 3, (third + 1) * width // 3
        return Area("columns", {"first": left + 1, "last": right}, left=left, right=right)

    def rate(self, level: Level, budget: Budget, seed: int) -> Search[Rating | None]:
        """Rate the level by how soon a hasty player's game is over."""
        return difficulty.rate(level, budget, seed)

    def with_dice(self, level: Level, seed: int) -> Level:
        """The level with other dice, and no pieces that are known."""
        return replace(level, pieces="", dice=seed)

    def arrays(self, puzzle: SeededTetris) -> Arrays:
        """The fields of a game as arrays."""
        return seen.TetrisArrays(puzzle)

    def batch(self, puzzles: Sequence[SeededTetris], games: int, terms: Terms) -> Batch:
        """A batch of so many games, played by kernels."""
        return batch.batch(puzzles, games, terms)

    def as_in_its_article(self, tunable: str) -> Wanted | None:
        """The article's settings: 20 genomes, 1,000 iterations within ±10, CR 0.3, F 0.5."""
        rates = {"size": 20, "iterations": 1000, "low": -10, "high": 10, "cr": 0.3, "f": 0.5}
        return Wanted("de", rates) if tunable in self.gains else None

    def live(self, tunable: str) -> str | None:
        """The page where the tuned weights play: the arcade, for those of the article's player."""
        return "arcade" if tunable.startswith("article") else None

    def stage(self, tunable: str) -> str | None:
        """The level on which the tuned weights are shown, for those of the article's player."""
        return "tetris/7-the-articles-game" if tunable.startswith("article") else None

    def commands(self) -> Mapping[str, Command]:
        """The command `arcade`."""
        return {"arcade": arcade.arcade_command}

    def host(self, page: str, services: Any) -> Host:
        """The arcade, that serves all of its pages."""
        return page_arcade.Arcade(services)

    def default_player(self, level: Level) -> str:
        """The article's player under its rules, else the published controllers' first."""
        return "article" if level.rules == "article" else super().default_player(level)


GAME = TetrisGame(
    name="tetris",
    level_type=Level,
    params_type=generator.Params,
    puzzle=SeededTetris,
    generate=generator.generate,
    daily=generator.Params(),
    parse_board=text.parse_board,
    format_board=text.format_board,
    render=text.render,
    svg=svg.svg,
    facts=lambda level, budget: text.facts(level),
    players=players.PLAYERS,
    levels=Path(__file__).parent / "levels",
    cover="x........x/xx...xxxxx/xxxx.xxx.x/xxx.xxxxxx,height=8,dice=1",
    article="tetris/7-the-articles-game",
    kernels={
        "outlook": later(lambda: herd.warm),
        "ahead": later(lambda: herd.warm_ahead),
        "article": later(lambda: article_tuning.warm),
        "arcade": later(lambda: bot.warm),
        "batches": later(lambda: batch.warm),
    },
)
