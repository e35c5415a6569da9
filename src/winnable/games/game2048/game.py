"""What 2048 hands to the shells. What solves, plays or measures is read when it is used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace

from winnable.contract.abilities import (
    AnswersFirst,
    Arrays,
    Batch,
    Commands,
    Converts,
    ForeseesActions,
    Format,
    KeepsFiles,
    PlaysBatches,
    PointsOut,
    Rates,
    RollsDice,
    Terms,
    when_named,
)
from winnable.contract.areas import Area
from winnable.contract.chance import Outlook, Turn
from winnable.contract.core import Action, Budget, Search, WinnableError
from winnable.contract.game import Game
from winnable.contract.tables import Table
from winnable.games.game2048.article.comparisons import COMPARISONS
from winnable.games.game2048.article.features import FOUR
from winnable.games.game2048.article.player import ARTICLE_PLAYERS
from winnable.games.game2048.levels import generator, hexadecimal, maps, replays, svg, text
from winnable.games.game2048.players import by_name as players
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import LEFT, RIGHT, Seeded2048, State
from winnable.inert.late import late_modules, later
from winnable.stats.difficulty import Rating

if TYPE_CHECKING:
    from click import Command

    from winnable.games.game2048.arrays import batch, seen
    from winnable.games.game2048.article import games as article_games
    from winnable.games.game2048.commands import train
    from winnable.games.game2048.exact import endgame, tables
    from winnable.games.game2048.exact import small as exact
    from winnable.games.game2048.measure import chance, difficulty, outlook
    from winnable.games.game2048.network import games as network_games
    from winnable.games.game2048.players import expectimax, first, rollouts
else:
    batch, seen = late_modules("winnable.games.game2048.arrays", "batch", "seen")
    (article_games,) = late_modules("winnable.games.game2048.article", "games")
    (train,) = late_modules("winnable.games.game2048.commands", "train")
    endgame, exact, tables = late_modules("winnable.games.game2048.exact", "endgame", "small", "tables")
    chance, difficulty, outlook = late_modules(
        "winnable.games.game2048.measure", "chance", "difficulty", "outlook"
    )
    (network_games,) = late_modules("winnable.games.game2048.network", "games")
    expectimax, first, rollouts = late_modules(
        "winnable.games.game2048.players", "expectimax", "first", "rollouts"
    )


def _board_kernels() -> None:
    """Of all boards but those of 4 × 4, which most people play."""
    chance.warm()
    exact.warm()
    rollouts.warm()


def _training_kernels() -> None:
    network_games.warm()
    endgame.warm()


class Game2048(
    Game[Level, Turn[State]],
    ForeseesActions,
    AnswersFirst,
    PointsOut,
    RollsDice,
    KeepsFiles,
    Converts,
    Commands,
    Rates,
    PlaysBatches,
):
    comparisons: ClassVar = COMPARISONS
    formats: ClassVar = {
        "hex": Format(
            "hex",
            "a position as 0x and 16 hexadecimal digits, the first one the upper left cell",
            hexadecimal.read,
            hexadecimal.write,
            hexadecimal.knows,
        ),
        "hex-low": Format(
            "hex-low",
            "the same with the last digit the upper left cell",
            partial(hexadecimal.read, low=True),
            partial(hexadecimal.write, low=True),
            when_named,
        ),
        "replay": Format(
            "replay",
            "2048verse: a whole game as text; reads .rpl of 2048EndgameTablebase too",
            replays.read,
            replays.write,
            replays.knows,
        ),
        **maps.MAPS,
    }

    def outlook(self, puzzle: Seeded2048, state: Turn[State], budget: Budget, seed: int) -> Search[Outlook]:
        """What each move is worth."""
        return outlook.outlook(puzzle, state, budget, seed)

    def weigh(self, puzzle: Seeded2048, state: Turn[State], budget: Budget, seed: int) -> Search[Outlook]:
        """The same by fewer games to the goal, where there is one."""
        if puzzle.game.goal is None:
            return self.outlook(puzzle, state, budget, seed)
        return outlook.weigh(puzzle, state, budget, seed)

    def first(self, puzzle: Seeded2048, state: Turn[State], budget: Budget, seed: int) -> Search[Outlook]:
        """What a random player gets."""
        return first.first_outlook(puzzle, state, budget, seed)

    def area(self, puzzle: Seeded2048, state: Turn[State], action: Action) -> Area:
        """Along which lines tiles slide."""
        return Area("2048.sideways" if action in (LEFT, RIGHT) else "2048.upright")

    def rate(self, level: Level, budget: Budget, seed: int) -> Search[Rating | None]:
        """Rates a level by how far its goal is from where random play ends."""
        return difficulty.rate(level, budget, seed)

    def with_dice(self, level: Level, seed: int) -> Level:
        """The level with the dice of another seed, and no tiles given."""
        return replace(level, given="", dice=seed)

    def arrays(self, puzzle: Seeded2048) -> Arrays:
        """What a person sees of a state, as arrays."""
        return seen.Arrays2048(puzzle)

    def batch(self, puzzles: Sequence[Seeded2048], games: int, terms: Terms) -> Batch:
        """Many games of one level at once, by kernels."""
        return batch.batch(puzzles, games, terms)

    def tables(self) -> Sequence[Table]:
        """The tables that players read, built or not."""
        return tables.tables()

    def unpack(self) -> None:
        """Unpacks the network that players use into the cache."""
        with suppress(WinnableError):  # players say what is wrong with it
            expectimax.load(expectimax.network_path())

    def commands(self) -> Mapping[str, Command]:
        """The command `train`."""
        return {"train": train.train_command}

    def default_player(self, level: Level) -> str:
        """The article's, of its game, which ends with its goal and has fours of its own."""
        articles = level.ends and level.fours == round(100 * FOUR)
        return next(iter(ARTICLE_PLAYERS)) if articles else super().default_player(level)


GAME = Game2048(
    name="2048",
    level_type=Level,
    params_type=generator.Params,
    puzzle=Seeded2048,
    generate=generator.generate,
    daily=generator.Params(goal=10, ends="yes"),
    parse_board=text.parse_board,
    format_board=text.format_board,
    render=text.render,
    svg=svg.svg,
    facts=lambda level, budget: text.facts(level),
    players=players.PLAYERS,
    levels=Path(__file__).parent / "levels",
    cover="a631/5421/3100/1000,dice=1",
    article="2048/2-the-articles-1024",
    kernels={
        "network": later(lambda: expectimax.warm),
        "boards": _board_kernels,
        "article": later(lambda: article_games.warm),
        "training": _training_kernels,
        "batches": later(lambda: batch.warm),
    },
)
