"""What triple hands to the shells. What solves, plays or measures is read when it is used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec import structs

from winnable.contract.abilities import (
    AnswersFirst,
    Arrays,
    Batch,
    Chance,
    Converts,
    DealsToOrder,
    Explains,
    Figure,
    Format,
    HidesSome,
    PlaysBatches,
    PointsOut,
    Rates,
    Refutes,
    SetsTasks,
    Terms,
    Tunes,
)
from winnable.contract.areas import Area, quarter
from winnable.contract.core import Action, Answer, Budget, Found, LevelError, Progress, Reason, Search, Solver
from winnable.contract.game import Game, Generate
from winnable.contract.methods import Settable
from winnable.contract.provenance import ClosedSet
from winnable.contract.tunable import Tunable
from winnable.games.triple.article.comparisons import COMPARISONS
from winnable.games.triple.levels import generator, layout_text, maps, sheep_files, svg, text
from winnable.games.triple.levels.layout import Layout, layout_of
from winnable.games.triple.players import by_name as players
from winnable.games.triple.repair.settings import RepairSettings
from winnable.games.triple.rules.level import SIDE, Level
from winnable.games.triple.rules.puzzle import Triple
from winnable.games.triple.rules.tools import TripleWithTools, plain_position
from winnable.games.triple.solve.live import LiveSolver, SolverAfter
from winnable.inert.late import late_modules, later
from winnable.levels.files import plain
from winnable.stats.difficulty import Rating

if TYPE_CHECKING:
    from winnable.games.triple.arrays import batch, seen
    from winnable.games.triple.levels import mass_deals, to_order
    from winnable.games.triple.measure import chance, clicks, difficulty, measure, tunables
    from winnable.games.triple.players import fair_players, first, greedy_kernels
    from winnable.games.triple.repair import fewest_swaps, repair
    from winnable.games.triple.solve import closed_sets, reasons, refutation, solver, tools_solver
else:
    batch, seen = late_modules("winnable.games.triple.arrays", "batch", "seen")
    mass_deals, to_order = late_modules("winnable.games.triple.levels", "mass_deals", "to_order")
    chance, clicks, difficulty, measure, tunables = late_modules(
        "winnable.games.triple.measure", "chance", "clicks", "difficulty", "measure", "tunables"
    )
    fair_players, first, greedy_kernels = late_modules(
        "winnable.games.triple.players", "fair_players", "first", "greedy_kernels"
    )
    fewest_swaps, repair = late_modules("winnable.games.triple.repair", "fewest_swaps", "repair")
    closed_sets, reasons, refutation, solver, tools_solver = late_modules(
        "winnable.games.triple.solve", "closed_sets", "reasons", "refutation", "solver", "tools_solver"
    )


def puzzle(level: Level) -> Triple | TripleWithTools:
    """The rules of the variant that the level asks for."""
    return TripleWithTools(level) if level.tools else Triple(level)


def _both(plain: Solver) -> Solver:
    """The same solver, which also takes the variant `tools`."""

    def solve(puzzle: Any, state: Any, budget: Budget, seed: int) -> Found[Answer]:
        if isinstance(puzzle, TripleWithTools):
            return tools_solver.solve_with_tools(plain, puzzle, state, budget, seed)
        return plain(puzzle, state, budget, seed)

    return solve


def _tunable(name: str) -> Tunable:
    return tunables.TUNABLES[name]


def _player_kernels() -> None:
    greedy_kernels.warm()
    fair_players.warm()


class TripleGame(
    Game[Level, Any],
    Explains,
    SetsTasks,
    AnswersFirst,
    PointsOut,
    Refutes,
    Rates,
    HidesSome,
    DealsToOrder,
    Converts,
    Tunes,
    PlaysBatches,
):
    comparisons: ClassVar = COMPARISONS
    solvers: ClassVar = {
        "auto": _both(later(lambda: solver.solve_auto)),
        "exact": _both(later(lambda: solver.solve_exact)),
        "beam": _both(later(lambda: solver.solve_beam)),
        "depth-first": _both(later(lambda: solver.solve_depth_first)),
    }
    skills: ClassVar = players.SKILLS
    repairs: ClassVar = {
        "fewest-swaps": later(lambda: fewest_swaps.swap_repair),
        "de-repair": Settable(later(lambda: repair.de_repair), RepairSettings()),
    }
    formats: ClassVar = {
        "sheep": Format.of_levels(
            "sheep",
            "羊了个羊: the real game's recorded boards, undealt layouts and server files (JSON)",
            sheep_files.read,
            sheep_files.write,
            sheep_files.knows,
        ),
        "layout": Format.of_levels(
            "layout",
            "a drawing of the places, which is dealt onto (text)",
            lambda content, seed: generator.dealt(_layout(content), seed),
            None,
            layout_text.knows,
        ),
        **maps.MAPS,
    }
    tasks: ClassVar = {
        "easy": ["layers=3,side=3,sets=1,kinds=4", "layers=5,side=3,sets=2,kinds=4"],
        "medium": ["layers=4,side=3,sets=1,kinds=6", "layers=6,side=3,sets=2,kinds=5"],
        "tricky": ["layers=6,side=3,sets=2,kinds=5", "layers=6,side=4,sets=2,kinds=6"],
        "hard": ["layers=6,side=4,sets=2,kinds=6", "layers=8,side=4,sets=3,kinds=8"],
        "fiendish": ["layers=8,side=4,sets=3,kinds=8"],
    }
    tunables: ClassVar = {name: partial(_tunable, name) for name in ("beam-backward", "beam-forward")}

    def live_solver(self, puzzle: Triple | TripleWithTools) -> Solver:
        """A solver that goes on from what it saw of earlier positions; with tools, one that begins anew."""
        return self.solvers["auto"] if isinstance(puzzle, TripleWithTools) else LiveSolver()

    def solver_after(self, puzzle: Triple | TripleWithTools, state: Any) -> Solver:
        """A solver for the positions one click after `state`, which share what they search."""
        return self.solvers["auto"] if isinstance(puzzle, TripleWithTools) else SolverAfter(state)

    def first(self, puzzle: Any, state: Any, budget: Budget, seed: int) -> Found[Answer]:
        """An answer where nothing is compiled."""
        return _both(later(lambda: first.first_line))(puzzle, state, budget, seed)

    def explain(self, puzzle: Triple | TripleWithTools, state: Any) -> Any:
        """The clicks until tiles are free and kinds are gone; as if there were no tools."""
        if isinstance(puzzle, TripleWithTools):
            return clicks.clicks(*plain_position(puzzle, state))
        return clicks.clicks(puzzle, state)

    def area(self, puzzle: Triple | TripleWithTools, state: Any, action: Action) -> Area:
        """The quarter of the board with the tile's middle; or the tools, or the tiles beside the board."""
        if isinstance(puzzle, TripleWithTools):
            if action >= puzzle.plain.num_actions:
                return Area("tools")
            if action in state.aside:
                return Area("aside")
            puzzle = puzzle.plain
        tile, bounds = puzzle.level.tiles[action], puzzle.bounds
        width, height = bounds.right - bounds.left, bounds.bottom - bounds.top
        half = SIDE / 2
        return quarter(tile.x + half, tile.y + half, width, height, bounds.left, bounds.top, reach=half)

    def refute(self, puzzle: Triple | TripleWithTools, state: Any, budget: Budget) -> Found[ClosedSet | None]:
        """A closed set that proves the state lost; none with tools."""
        if isinstance(puzzle, TripleWithTools):
            return None
        return closed_sets.find_closed_set(puzzle, state, budget)

    def refutation_fault(self, puzzle: Triple | TripleWithTools, claim: ClosedSet) -> LevelError | None:
        """What is wrong with the claim, by the readable rules; None: it holds."""
        if isinstance(puzzle, TripleWithTools):
            return LevelError("closed.tools", field="closed_set")
        return refutation.refutation_fault(puzzle, claim)

    def reason(self, puzzle: Triple | TripleWithTools, state: Any, budget: Budget) -> Found[Reason | None]:
        """Few tiles that show why the state is lost; none with tools."""
        if isinstance(puzzle, TripleWithTools):
            return None
        return reasons.find_reason(puzzle, state, budget)

    def reason_fault(self, puzzle: Triple | TripleWithTools, state: Any, reason: Reason) -> LevelError | None:
        """What is wrong with the reason, by the readable rules; None: it shows that the state is lost."""
        if isinstance(puzzle, TripleWithTools):
            return LevelError("reason.escape")
        return reasons.reason_fault(puzzle, state, reason)

    def measure(self, level: Level, budget: Budget, seed: int) -> Iterator[Figure | Progress]:
        """The level's figures, one by one."""
        return measure.measure(level, budget, seed)

    def rate(self, level: Level, budget: Budget, seed: int) -> Search[Rating | None]:
        """How hard the level is for a person."""
        return difficulty.rate(level, budget, seed)

    def chance(
        self, puzzle: Triple | TripleWithTools, state: Any, budget: Budget, seed: int
    ) -> Iterator[Chance | Progress]:
        """Estimates how surely a person wins, as if there were no tools."""
        if isinstance(puzzle, TripleWithTools):
            return chance.chance(*plain_position(puzzle, state), budget, seed)
        return chance.chance(puzzle, state, budget, seed)

    def to_order(self, level: Level, player: str, share: float, seed: int, budget: Budget) -> Search[Level]:
        """The level with kinds swapped until the player wins this share of its games."""
        return to_order.adjusted(level, player, share, seed, budget)

    def arrays(self, puzzle: Triple | TripleWithTools) -> Arrays:
        """What a person sees of a state, as arrays."""
        return seen.TripleArrays(puzzle)

    def batch(self, puzzles: Sequence[Triple | TripleWithTools], games: int, terms: Terms) -> Batch:
        """Many games at once, by kernels. Raises WinnableError for levels with tools."""
        return batch.batch(puzzles, games, terms)

    def tighter(self, level: Level) -> Level:
        """The level with one slot less."""
        return structs.replace(level, slots=max(1, level.slots - 1))

    def tells_rules(self, level: Level) -> bool:
        """Whether the rules that a task's text tells are all that the level has."""
        return level.tools is None

    def dealer(self, content: bytes) -> Generate:
        """Deals onto the places of a drawing, or of a level of ours or the real game."""
        if content.lstrip().startswith((b"{", b"[")):
            from winnable.levels.files import read_level

            level = read_level(content).level
            if not isinstance(level, Level):
                raise LevelError("triple.layout.game", field="layout")
            return partial(generator.deal, layout_of(level))
        return partial(generator.deal, _layout(content))


def _layout(content: bytes) -> Layout:
    """Of a drawing. Raises LevelError."""
    try:
        return layout_text.parse_layout(plain(content).decode())
    except UnicodeDecodeError as error:
        raise LevelError("file.utf8", field="layout", at=error.start) from None


GAME = TripleGame(
    name="triple",
    level_type=Level,
    params_type=generator.Params,
    puzzle=puzzle,
    generate=generator.generate,
    daily=generator.Params(layers=14, sets=8, method="backwards"),
    parse_board=text.parse_board,
    format_board=text.format_board,
    render=text.render,
    svg=svg.svg,
    facts=lambda level, budget: text.facts(level),
    players=players.PLAYERS,
    levels=Path(__file__).parent / "levels",
    cover="triple/3-butterfly",
    article="triple:layers=26,sets=10",
    kernels={
        "solver": later(lambda: solver.warm),
        "players": _player_kernels,
        "deals": later(lambda: mass_deals.warm),
        "batches": later(lambda: batch.warm),
    },
)
