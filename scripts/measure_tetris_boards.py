"""Writes src/winnable/games/tetris/measure/long_runs.json: what is known of the boards that
the shipped levels and the default parameters have. Takes some minutes; prints each board's mean lines."""

from __future__ import annotations

from typing import get_args

import msgspec

from winnable.contract.core import finish
from winnable.games.tetris.game import GAME
from winnable.games.tetris.levels.generator import Params
from winnable.games.tetris.measure.long_run import FILE, Board, LongRun, find_calm
from winnable.games.tetris.players.shape_kernels import ControlledRules
from winnable.games.tetris.rules.level import Level

COPIES, BASE_PIECES, MOST_PIECES = 16_000, 200_000, 1_000_000_000
"""See `expected_lines`."""


def boards() -> list[Board]:
    levels = [msgspec.json.decode(path.read_bytes(), type=Level) for path in GAME.levels.glob("*.json")]
    shapes = {(level.width, level.height) for level in [*levels, Params()] if level.rules != "article"}
    return [Board(*shape, rules=rules) for shape in sorted(shapes) for rules in get_args(ControlledRules)]


def measured(board: Board) -> LongRun:
    found = LongRun(board, finish(find_calm(board)), board.mean_lines(1, COPIES, MOST_PIECES, BASE_PIECES))
    print(found, flush=True)
    return found


def main() -> None:
    found = [measured(board) for board in boards()]
    FILE.write_text("[\n" + ",\n".join(msgspec.json.encode(one).decode() for one in found) + "\n]\n")


if __name__ == "__main__":
    main()
