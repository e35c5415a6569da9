"""Batches of games of triple."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from winnable.compiled.batch_kernels import KernelBatch
from winnable.contract.abilities import Terms
from winnable.contract.core import WinnableError
from winnable.games.triple.arrays import kernels
from winnable.games.triple.rules.level import Level, Tile
from winnable.games.triple.rules.puzzle import Triple
from winnable.games.triple.rules.tools import TripleWithTools
from winnable.inert.arrays import np


def batch(puzzles: Sequence[Triple | TripleWithTools], games: int, terms: Terms) -> KernelBatch:
    """Raises WinnableError for levels with tools."""
    if any(isinstance(puzzle, TripleWithTools) for puzzle in puzzles):
        raise WinnableError("triple.batch", field="level")
    levels = _levels(cast("Sequence[Triple]", puzzles))
    tiles = levels.kinds.shape[1]
    work = kernels.Workspace(
        levels,
        np.zeros((games, tiles), np.int32),
        np.zeros((games, tiles, 3), np.int32),
        np.zeros((games, tiles), np.int8),
        np.zeros((games, tiles), np.int8),
        np.zeros((games, puzzles[0].slots), np.int8),
    )
    shown = {"place": work.place, "lies": work.lies, "kind": work.kind, "tray": work.tray}
    run, rules = (kernels.begin_all, kernels.step), kernels.Rules(terms.reward == "completion")
    return KernelBatch(run, work, rules, shown, games, tiles, terms)


def _levels(puzzles: Sequence[Triple]) -> kernels.Levels:
    below, start = list[int](), list[list[int]]()
    for puzzle in puzzles:
        under: list[list[int]] = [[] for _ in puzzle.covers]
        for tile, covers in enumerate(puzzle.covers):
            for cover in covers:
                under[cover].append(tile)
        start.append([len(below)])
        for tiles in under:
            below += tiles
            start[-1].append(len(below))
    flags = [
        [kernels.SHY * tile.hidden | kernels.BURIED * buried for tile, buried in pairs]
        for pairs in (zip(puzzle.level.tiles, puzzle.buried, strict=True) for puzzle in puzzles)
    ]
    places = [[(tile.x, tile.y, tile.layer) for tile in puzzle.level.tiles] for puzzle in puzzles]
    return kernels.Levels(
        np.array([puzzle.kinds for puzzle in puzzles], np.int8),
        np.array(flags, np.int8),
        np.array(places, np.int32),
        np.array([[len(covers) for covers in puzzle.covers] for puzzle in puzzles], np.int32),
        np.array(below, np.int32),
        np.array(start, np.int64),
    )


def warm() -> None:
    """Compiles the kernels."""
    batch([Triple(Level(tiles=tuple(Tile(0, 0, 0, layer) for layer in range(3))))], 1, Terms("win")).warm()
