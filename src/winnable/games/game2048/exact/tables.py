"""The tables that players of 2048 read, as `winnable tables` lists them."""

from __future__ import annotations

from collections.abc import Iterator

from winnable.contract.tables import Table
from winnable.games.game2048.exact import endgame
from winnable.games.game2048.exact import small as exact
from winnable.games.game2048.rules.level import Level

ENDGAME_SIZES = {
    "six-512": 284_983_708,
    "six-1024": 542_409_009,
    "five-256": 894_786_365,
    "five-512": 2_154_383_837,
}
"""In bytes; every build makes the same file."""
EXACT_SIZES = {(3, 3): 503_000_000, (2, 5): 19_000_000_000}
"""That of 2 × 5 is a guess from the number of its states."""


def tables() -> tuple[Table, ...]:
    """All tables that players of 2048 read, built or not."""
    return (*_endgame(), *_exact())


def _endgame() -> Iterator[Table]:
    folder = endgame.tables_folder()
    for pattern in endgame.PATTERNS:
        tile, fixed = 1 << pattern.goal, len(pattern.fixed)
        about = f"{fixed} tiles of {tile:,} or more lie still on 4 × 4: the best chance of another {tile:,}"
        yield Table(pattern.name, about, ENDGAME_SIZES[pattern.name], endgame.table_of(pattern, folder))


def _exact() -> Iterator[Table]:
    folder = exact.tables_folder()
    for (rows, columns), size in EXACT_SIZES.items():
        about = f"{rows} × {columns}: what every board is worth to the best player, `exact`"
        problem = exact.problem_of(Level(rows=rows, columns=columns))
        yield Table(f"exact-{rows}x{columns}", about, size, exact.table_of(problem, folder))
