"""What triple hands to the shells. Nothing that compiles is imported before it is used."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from msgspec import structs

from winnable.core import Budget, LevelError, Solver, SolveResult
from winnable.game import Figure, Format, Game, Generate, lazy_solver
from winnable.games.triple import generator, players, sheep_files, svg, text
from winnable.games.triple.layout import layout_of
from winnable.games.triple.layout_text import parse_layout
from winnable.games.triple.level import Level
from winnable.games.triple.live import LiveSolver
from winnable.games.triple.refutation import refutation_fault
from winnable.games.triple.repair_settings import RepairSettings
from winnable.games.triple.rules import Triple
from winnable.games.triple.tools import TripleWithTools
from winnable.methods import Settable
from winnable.provenance import ClosedSet
from winnable.tuning.tunable import Tunable


def puzzle(level: Level) -> Triple | TripleWithTools:
    """The rules of the variant that the level asks for."""
    return TripleWithTools(level) if level.tools else Triple(level)


def _solver(name: str, module: str = "solver") -> Solver:
    """A solver of `solver.py`, or of this module, which also takes the variant `tools`."""
    plain = lazy_solver(f"winnable.games.triple.{module}", name)

    def solve(puzzle: Any, state: Any, budget: Budget, seed: int) -> SolveResult:
        if isinstance(puzzle, TripleWithTools):
            from winnable.games.triple.tools_solver import solve_with_tools

            return solve_with_tools(plain, puzzle, state, budget, seed)
        return plain(puzzle, state, budget, seed)

    return solve


def _live(puzzle: Any) -> Solver:
    """With tools always anew."""
    if isinstance(puzzle, TripleWithTools):
        return GAME.solvers["auto"]
    return LiveSolver()


def _refute(puzzle: Any, state: Any, budget: Budget) -> ClosedSet | None:
    """Only without tools."""
    if isinstance(puzzle, TripleWithTools):
        return None
    return import_module("winnable.games.triple.closed_sets").find_closed_set(puzzle, state, budget)


def _refutation_fault(puzzle: Any, claim: ClosedSet) -> LevelError | None:
    if isinstance(puzzle, TripleWithTools):
        return LevelError("closed.tools", field="closed_set")
    return refutation_fault(puzzle, claim)


def _measure(level: Level, budget: Budget, seed: int) -> Iterator[Figure]:
    return import_module("winnable.games.triple.measure").measure(level, budget, seed)


def _tighter(level: Level) -> Level:
    """With one slot less."""
    return structs.replace(level, slots=max(1, level.slots - 1))


def _to_order(level: Level, player: str, rate: float, seed: int, budget: Budget) -> Level:
    return import_module("winnable.games.triple.to_order").adjusted(level, player, rate, seed, budget)


def _repair(module: str, name: str) -> Callable[..., Level]:
    def repair(*arguments: Any) -> Level:
        return getattr(import_module(f"winnable.games.triple.{module}"), name)(*arguments)

    return repair


def _tunable(name: str) -> Callable[[], Tunable]:
    """One of `tunables.py`."""

    def make() -> Tunable:
        return import_module("winnable.games.triple.tunables").TUNABLES[name]

    return make


def _dealer(content: bytes) -> Generate:
    """Deals onto the places of a drawing, or of a level of ours or the real game."""
    if content.lstrip().startswith((b"{", b"[")):
        from winnable.library import read_level

        level = read_level(content).level
        if not isinstance(level, Level):
            raise LevelError("triple.layout.game", field="layout")
        return partial(generator.deal, layout_of(level))
    try:
        return partial(generator.deal, parse_layout(content.decode()))
    except UnicodeDecodeError as error:
        raise LevelError("file.utf8", field="layout", at=error.start) from None


def _solver_kernels() -> None:
    from winnable.games.triple import solver

    solver.warm()


def _player_kernels() -> None:
    from winnable.games.triple import fair_players, greedy_kernels

    greedy_kernels.warm()
    fair_players.warm()


def _deal_kernels() -> None:
    from winnable.games.triple import mass_deals

    mass_deals.warm()


GAME = Game(
    name="triple",
    level_type=Level,
    params_type=generator.Params,
    puzzle=puzzle,
    generate=generator.generate,
    parse_board=text.parse_board,
    format_board=text.format_board,
    render=text.render,
    facts=lambda level, budget: text.facts(level),
    svg=svg.svg,
    solvers={
        "auto": _solver("solve_auto"),
        "exact": _solver("solve_exact"),
        "beam": _solver("solve_beam"),
        "depth-first": _solver("solve_depth_first"),
    },
    live=_live,
    first=_solver("first_line", "first"),
    players=players.PLAYERS,
    skills=players.SKILLS,
    measure=_measure,
    to_order=_to_order,
    tighter=_tighter,
    refute=_refute,
    refutation_fault=_refutation_fault,
    dealer=_dealer,
    repairs={
        "fewest-swaps": _repair("fewest_swaps", "swap_repair"),
        "de-repair": Settable(_repair("repair", "de_repair"), RepairSettings()),
    },
    formats={
        "sheep": Format(
            "sheep",
            "羊了个羊: the real game's recorded boards, undealt layouts and server files (JSON)",
            sheep_files.read,
            sheep_files.write,
        )
    },
    tunables={name: _tunable(name) for name in ("beam-backward", "beam-forward")},
    daily=generator.Params(layers=14, sets=8, method="backwards"),
    levels=Path(__file__).parent / "levels",
    cover="triple/3-butterfly",
    kernels={"solver": _solver_kernels, "players": _player_kernels, "deals": _deal_kernels},
)
