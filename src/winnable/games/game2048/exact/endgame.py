"""Endgame tables of 4 × 4: how likely one more large tile is made while those that there are lie still.

Late in a game large tiles lie in one corner, each half as large as the one before, and the other cells must
make what merges with the last of them. A *pattern* is these fixed cells and a goal, the tile to make. A
player of the pattern makes only moves that leave the fixed tiles where they are. So it matters not which
they are, as long as no two are alike, and what can happen on the other cells is little enough to be solved:
for each board after a move, the highest chance to make the goal before no such move is left.

Tables hold the boards that come up when all begins with the free cells empty; by the original odds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from winnable.contract.core import Action, Budget, finish
from winnable.games.game2048.board import kernels
from winnable.games.game2048.exact.endgame_boards import Pattern, PatternBoards, PatternForm, starts
from winnable.games.game2048.exact.layers import LayerFile, Layers
from winnable.games.game2048.exact.symmetry import Places, images
from winnable.games.game2048.exact.table import LayerTable, fill
from winnable.games.game2048.rules.level import Level
from winnable.games.game2048.rules.puzzle import Game2048, State
from winnable.inert.arrays import np
from winnable.search.memory import gives_back
from winnable.store.database import data_folder

SIX = (10, 11, 12, 13, 14, 15)
"""The lowest row, and two cells of the one above it."""
FIVE = SIX[1:]
PATTERNS = (
    Pattern("six-512", SIX, 9),
    Pattern("six-1024", SIX, 10),
    Pattern("five-256", FIVE, 8),
    Pattern("five-512", FIVE, 9),
)


class View(NamedTuple):
    """A pattern as it lies on the board.

    places:  of each of the pattern's cells, the cell of the board that it is
    actions: of each of the pattern's actions, the board's
    """

    pattern: Pattern
    form: PatternForm
    places: Places
    actions: Sequence[Action]


class Opened(NamedTuple):
    """identity: what the file was like, to see when there is another one"""

    identity: tuple[int, int, int]
    layers: LayerFile


_opened: dict[Path, Opened] = {}
_lock = Lock()
gives_back(_opened.clear, "2048")


def chances(state: State, folder: Path | None = None) -> dict[Action, float] | None:
    """The chances of each move that the pattern on a board of 4 × 4 allows, the highest chance to make its
    goal; 1 where that makes it. None: no table that is there knows the board. Where several do, the one with
    the largest goal tells. folder: None for `tables_folder`.

    Raises WinnableError when a table is damaged."""
    for view in _views_on(state):
        layers = _layers(view.pattern, folder or tables_folder())
        found = None if layers is None else _chances(state, view, layers)
        if found is not None:
            return found
    return None


def tables_folder() -> Path:
    """The folder of the endgame tables, in the user's data folder."""
    return data_folder() / "2048-endgame"


def tables_there() -> list[str]:
    """Names of the patterns whose tables are built."""
    return [pattern.name for pattern in PATTERNS if _path(pattern, tables_folder()).exists()]


def table_of(pattern: Pattern, folder: Path) -> LayerTable:
    """The pattern's table, a file in this folder."""
    return LayerTable(
        path=_path(pattern, folder),
        title=f"winnable.2048-endgame/1 {','.join(map(str, pattern.fixed))} {pattern.goal}",
        form=PatternForm(pattern),
        boards=partial(PatternBoards, pattern),
        starts=partial(starts, pattern),
        remedy=f"`winnable tables 2048 {pattern.name} --build` makes it",
    )


def warm() -> None:
    """Compiles what tables and players use."""
    pattern = Pattern("", tuple(range(1, 16)), 3)
    layers = Layers()
    finish(fill(layers, PatternBoards(pattern), starts(pattern), Budget()))
    form = PatternForm(pattern)
    form.boards(form.kept_boards(layers.boards(1)).view(np.uint8), 1)


def _path(pattern: Pattern, folder: Path) -> Path:
    return folder / f"{pattern.name}.layers"


def _views_on(state: State) -> Iterator[View]:
    """Where the fixed cells, and no others, hold tiles of the goal's size or larger, all different; the
    largest goal first."""
    for goal, views in _views(PATTERNS).items():
        large = tuple(cell for cell, exponent in enumerate(state) if exponent >= goal)
        if large in views and len({state[cell] for cell in large}) == len(large):
            yield views[large]


@cache
def _views(patterns: Sequence[Pattern]) -> dict[int, dict[Places, View]]:
    """By the goal, the largest first, and the fixed cells of the board, ascending."""
    lines = [sorted(action) for action in Game2048(Level()).lines]
    views: dict[int, dict[Places, View]] = {}
    for pattern in sorted(patterns, key=lambda pattern: pattern.goal, reverse=True):
        for places in images(4, 4):
            actions = [
                lines.index(sorted(tuple(places[cell] for cell in line) for line in action))
                for action in lines
            ]
            fixed = tuple(sorted(places[cell] for cell in pattern.fixed))
            view = View(pattern, PatternForm(pattern), places, actions)
            views.setdefault(pattern.goal, {})[fixed] = view
    return views


def _layers(pattern: Pattern, folder: Path) -> LayerFile | None:
    """None when there is no such file."""
    path = _path(pattern, folder)
    try:
        info = path.stat()
    except OSError:
        return None
    identity = info.st_ino, info.st_mtime_ns, info.st_size
    with _lock:
        if path not in _opened or _opened[path].identity != identity:
            _opened[path] = Opened(identity, table_of(pattern, folder).open())
        return _opened[path].layers


def _chances(state: State, view: View, layers: LayerFile) -> dict[Action, float] | None:
    pattern, word = view.pattern, view.pattern.word
    tiles = [state[view.places[cell]] for cell in pattern.free]
    layer = sum(1 << exponent for exponent in tiles if exponent) // 2
    if layer >= len(layers):
        return None
    board = sum((exponent << 4 * cell for cell, exponent in zip(pattern.free, tiles, strict=True)), word)
    afters, _ = kernels.afterstates(np.uint64(board), kernels.slides())
    found: dict[Action, float] = {}
    for action, after in zip(view.actions, map(int, afters), strict=True):
        if after == board or after & word != word:
            continue
        tiles = [after >> 4 * cell & 15 for cell in pattern.free]
        if pattern.goal in tiles:
            found[action] = 1.0
            continue
        chance = view.form.chance(*layers.mapped(layer), tiles)
        if chance is None:
            return None
        found[action] = chance
    return dict(sorted(found.items()))
