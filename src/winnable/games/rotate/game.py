"""What rotate hands to the shells. What solves, plays or measures is read when it is used."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec import structs

from winnable.contract.abilities import (
    AnswersFirst,
    Arrays,
    Batch,
    Converts,
    Format,
    PlaysBatches,
    PointsOut,
    ProvesFewest,
    SetsTasks,
    Terms,
    Within,
)
from winnable.contract.areas import Area, quarter
from winnable.contract.core import Action, Answer, Budget, Search
from winnable.contract.game import Game
from winnable.contract.methods import Settable
from winnable.games.rotate.article.comparisons import COMPARISONS
from winnable.games.rotate.article.settings import GeneticSettings, ImprovedSettings, SearchSettings
from winnable.games.rotate.levels import files, generator, maps, svg, text
from winnable.games.rotate.measure import symmetry
from winnable.games.rotate.players import by_name as players
from winnable.games.rotate.rules.level import Level
from winnable.games.rotate.rules.puzzle import Rotate, State
from winnable.inert.late import late_modules, later
from winnable.stats.difficulty import Rating

if TYPE_CHECKING:
    from winnable.games.rotate.arrays import batch, seen
    from winnable.games.rotate.article import solver as article_solver
    from winnable.games.rotate.measure import difficulty
    from winnable.games.rotate.players import first
    from winnable.games.rotate.solve import exact, solver, within
else:
    batch, seen = late_modules("winnable.games.rotate.arrays", "batch", "seen")
    (article_solver,) = late_modules("winnable.games.rotate.article", "solver")
    (difficulty,) = late_modules("winnable.games.rotate.measure", "difficulty")
    (first,) = late_modules("winnable.games.rotate.players", "first")
    exact, solver, within = late_modules("winnable.games.rotate.solve", "exact", "solver", "within")


def facts(level: Level, budget: Budget) -> dict[str, Any]:
    """State how large the level is and how hard."""
    return text.facts(level) | difficulty.facts(level, budget)


class RotateGame(
    Game[Level, State],
    ProvesFewest,
    AnswersFirst,
    PointsOut,
    SetsTasks,
    Converts,
    PlaysBatches,
):
    comparisons: ClassVar = COMPARISONS
    solvers: ClassVar = {
        "optimal": later(lambda: exact.solve_optimal),
        "beam": later(lambda: solver.solve_beam),
        "constructive": later(lambda: solver.solve_constructive),
        "genetic": Settable(later(lambda: article_solver.solve_genetic), GeneticSettings()),
        "improved-genetic": Settable(
            later(lambda: article_solver.solve_improved_genetic), ImprovedSettings()
        ),
        "pruned-search": Settable(later(lambda: article_solver.solve_pruned_search), SearchSettings()),
    }
    notations: ClassVar = {"side": Rotate.action_name, "radius": Rotate.radius_name}
    formats: ClassVar = {
        "procon20": Format.of_levels(
            "procon20",
            "Kosen Procon 20 (2009): size and colours, then the rows, as text",
            files.read_procon20,
            files.write_procon20,
            files.knows_procon20,
        ),
        "procon36": Format.of_levels(
            "procon36",
            "Kosen Procon 36 (2025): a match of its server, pairs of labels (JSON)",
            files.read_procon36,
            files.write_procon36,
            files.knows_procon36,
        ),
        **maps.MAPS,
    }

    tasks: ClassVar = {
        "easy": [
            "rows=3,columns=3,colours=3,par_min=2,slack=2",
            "rows=4,columns=4,par_min=2,par_max=2,slack=2",
        ],
        "medium": [
            "rows=4,columns=4,par_min=3,par_max=4,slack=2",
            "rows=5,columns=5,par_min=3,par_max=3,slack=2",
        ],
        "tricky": ["rows=5,columns=5,colours=5,par_min=5,par_max=6,slack=2"],
    }

    def can_be_lost(self, puzzle: Rotate) -> bool:
        """Every turn can be undone."""
        return puzzle.level.turns is not None

    def undo(self, puzzle: Rotate, action: Action) -> Action | None:
        """The quarters of the same block that take the turn back; `pairs` has no such turn."""
        if puzzle.level.rules == "pairs":
            return None
        block, way = divmod(action, puzzle.ways)
        return block * puzzle.ways + puzzle.ways - 1 - way

    def within(self, puzzle: Rotate) -> Within | None:
        """The search for lines of so many turns, where boards are small enough."""
        if puzzle.level.rules == "pairs" or puzzle.rows * puzzle.columns > exact.MOST_SEARCHED:
            return super().within(puzzle)
        return within.Within(puzzle)

    def first(self, puzzle: Rotate, state: State, budget: Budget, seed: int) -> Search[Answer]:
        """The construction's line, made shorter by beams for a moment."""
        return first.first_line(puzzle, state, budget, seed)

    def area(self, puzzle: Rotate, state: State, action: Action) -> Area:
        """The quarter with the middle of the block."""
        block, _ = puzzle.block(action)
        half = block.side / 2
        return quarter(block.left + half, block.top + half, puzzle.columns, puzzle.rows)

    def rate(self, level: Level, budget: Budget, seed: int) -> Search[Rating | None]:
        """Rate the level by its fewest turns and its good first turns."""
        return difficulty.rate(level, budget)

    def tighter(self, level: Level) -> Level:
        """The level with one turn less."""
        return level if level.turns is None else structs.replace(level, turns=max(0, level.turns - 1))

    def tells_rules(self, level: Level) -> bool:
        """Whether the rules are `clusters`: what `pairs` asks for is told by its labels."""
        return level.rules == "clusters"

    def arrays(self, puzzle: Rotate) -> Arrays:
        """The fields of a board as arrays."""
        return seen.RotateArrays(puzzle)

    def batch(self, puzzles: Sequence[Rotate], games: int, terms: Terms) -> Batch:
        """A batch of so many games, played by kernels."""
        return batch.batch(puzzles, games, terms)

    def picture(self, level: Level) -> str:
        """The same text for all levels that are one picture."""
        return symmetry.picture(level)


GAME = RotateGame(
    name="rotate",
    level_type=Level,
    params_type=generator.Params,
    puzzle=Rotate,
    generate=generator.generate,
    daily=generator.Params(slack="2"),
    parse_board=text.parse_board,
    format_board=text.format_board,
    render=text.render,
    svg=svg.svg,
    facts=facts,
    players=players.PLAYERS,
    levels=Path(__file__).parent / "levels",
    cover="rotate/15-heart",
    article="rotate:rows=5,columns=5,scramble=6",
    kernels={
        "solver": later(lambda: exact.warm),
        "others": later(lambda: solver.warm),  # of boards of pairs, and of the construction
        "article": later(lambda: article_solver.warm),
        "batches": later(lambda: batch.warm),
    },
)
