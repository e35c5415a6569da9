"""What drops hands to the shells. What solves, plays or measures is read when it is used."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from winnable.contract.abilities import (
    AnswersFirst,
    Arrays,
    Batch,
    ChangesLevels,
    Converts,
    Explains,
    HasSkills,
    PlaysBatches,
    PointsOut,
    ProvesFewest,
    Refutes,
    SetsTasks,
    Terms,
    Within,
)
from winnable.contract.areas import Area, quarter
from winnable.contract.core import Action, Answer, Budget, LevelError, Reason, Search
from winnable.contract.game import Game
from winnable.contract.methods import Settable
from winnable.games.drops.article.comparisons import COMPARISONS
from winnable.games.drops.article.settings import Evolution, Weighted, WithinDepth
from winnable.games.drops.levels import generator, maps, svg, text
from winnable.games.drops.measure import symmetry
from winnable.games.drops.players import by_name as players
from winnable.games.drops.rules import bounds
from winnable.games.drops.rules.level import MAX_DROPS, TANK, Level
from winnable.games.drops.rules.puzzle import Drops, State
from winnable.inert.late import late_modules, later
from winnable.stats.difficulty import Rating

if TYPE_CHECKING:
    from winnable.games.drops.arrays import batch, seen
    from winnable.games.drops.article import solver as article_solver
    from winnable.games.drops.measure import difficulty
    from winnable.games.drops.players import first
    from winnable.games.drops.solve import reasons, solver, within
else:
    batch, seen = late_modules("winnable.games.drops.arrays", "batch", "seen")
    (article_solver,) = late_modules("winnable.games.drops.article", "solver")
    (difficulty,) = late_modules("winnable.games.drops.measure", "difficulty")
    (first,) = late_modules("winnable.games.drops.players", "first")
    reasons, solver, within = late_modules("winnable.games.drops.solve", "reasons", "solver", "within")


def facts(level: Level, budget: Budget) -> dict[str, Any]:
    """The level's size, and how hard it is."""
    return text.facts(level) | difficulty.facts(level, budget)


def _solver_kernels() -> None:
    solver.warm()
    reasons.warm()


class DropsGame(
    Game[Level, State],
    ProvesFewest,
    AnswersFirst,
    PointsOut,
    ChangesLevels,
    Converts,
    Explains,
    Refutes,
    SetsTasks,
    PlaysBatches,
    HasSkills,
):
    skills: ClassVar = players.SKILLS
    comparisons: ClassVar = COMPARISONS
    formats: ClassVar = maps.MAPS
    solvers: ClassVar = {
        "optimal": later(lambda: solver.solve_optimal),
        "bfs": Settable(later(lambda: article_solver.solve_bfs), WithinDepth()),
        "a": Settable(later(lambda: article_solver.solve_a), Weighted()),
        "a-star": Settable(later(lambda: article_solver.solve_a_star), WithinDepth()),
        "genetic": Settable(later(lambda: article_solver.solve_genetic), Evolution()),
    }

    tasks: ClassVar = {
        "easy": ["rows=3,columns=3,par_min=2,par_max=3,slack=2"],
        "medium": ["rows=3,columns=4,par_min=3,slack=2", "rows=4,columns=4,par_min=4,slack=2"],
        "tricky": ["rows=4,columns=4,par_min=6,slack=2", "rows=5,columns=5,par_min=6,slack=2"],
        "hard": [
            "rows=5,columns=5,par_min=10,filled=80,slack=2",
            "rows=6,columns=6,par_min=16,filled=50,slack=2",
        ],
    }

    def can_be_lost(self, puzzle: Drops) -> bool:
        """Whether clicks are limited."""
        return puzzle.initial().left is not None

    def within(self, puzzle: Drops) -> Within | None:
        """The test whether so many clicks suffice. None where bursts give drops back: there more clicks may
        leave more of them, and only winning counts."""
        if puzzle.level.flash or puzzle.level.every:
            return None
        if puzzle.level.open:
            return super().within(puzzle)
        return within.Within(puzzle)

    def first(self, puzzle: Drops, state: State, budget: Budget, seed: int) -> Search[Answer]:
        """A line that needs no compiler."""
        return first.first_line(puzzle, state, budget, seed)

    def area(self, puzzle: Drops, state: State, action: Action) -> Area:
        """The quarter of the board in which the cell lies."""
        row, column = divmod(action, puzzle.columns)
        return quarter(column + 0.5, row + 0.5, puzzle.columns, puzzle.rows)

    def follow(self, level: Level, won: State) -> Level | None:
        """The next board of an endless game, with what is left in the tank."""
        return None if level.flash is None else generator.next_flash_board(level, won.left or 0)

    def cheat(self, level: Level) -> Level | None:
        """Ten more drops (the article's 开挂 button)."""
        drops = TANK if level.drops is None and level.flash else level.drops
        if drops is None:
            return None
        proof = level.certificate
        if proof is not None and proof.status == "unsolvable":
            proof = None
        return msgspec.structs.replace(level, drops=min(drops + TANK, MAX_DROPS), certificate=proof)

    def explain(self, puzzle: Drops, state: State) -> Any:
        """The lower bound of the clicks, as an argument for people."""
        return bounds.explain(puzzle, state)

    def reason(self, puzzle: Drops, state: State, budget: Budget) -> Search[Reason | None]:
        """A reason why the position is lost, only where there is a number of clicks."""
        return reasons.find_reason(puzzle, state, budget)

    def reason_fault(self, puzzle: Drops, state: State, reason: Reason) -> LevelError | None:
        """The fault in a reason, if it has one, by the readable rules alone."""
        return reasons.reason_fault(puzzle, state, reason)

    def rate(self, level: Level, budget: Budget, seed: int) -> Search[Rating | None]:
        """The level's rating; None where it cannot be said."""
        return difficulty.rate(level, budget)

    def tighter(self, level: Level) -> Level:
        """The level with one drop less."""
        return level if level.drops is None else msgspec.structs.replace(level, drops=max(0, level.drops - 1))

    def tells_rules(self, level: Level) -> bool:
        """Whether the level is played by the usual rules: classic chains, no tank, empty cells closed."""
        return level.rules == "classic" and not (level.flash or level.every or level.open)

    def arrays(self, puzzle: Drops) -> Arrays:
        """The arrays that show what a person sees."""
        return seen.DropsArrays(puzzle)

    def batch(self, puzzles: Sequence[Drops], games: int, terms: Terms) -> Batch:
        """Many games at once, for programs that learn."""
        return batch.batch(puzzles, games, terms)

    def picture(self, level: Level) -> str:
        """The same text for all boards that are one picture, turned or mirrored."""
        return symmetry.picture(level)


GAME = DropsGame(
    name="drops",
    level_type=Level,
    params_type=generator.Params,
    puzzle=Drops,
    generate=generator.generate,
    daily=generator.Params(par_min=6, greedy_over=1, slack="1"),
    parse_board=text.parse_board,
    format_board=text.format_board,
    render=text.render,
    svg=svg.svg,
    facts=facts,
    players=players.PLAYERS,
    levels=Path(__file__).parent / "levels",
    cover="drops/07-butterfly",
    article="drops/article-01-fountain",
    kernels={
        "solver": _solver_kernels,
        "article": later(lambda: article_solver.warm),
        "batches": later(lambda: batch.warm),
    },
)
