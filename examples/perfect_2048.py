"""Checks a game of 2048 whose new tiles were chosen, too, with nothing but Python: that each turn moves or
merges something, that each new tile appears on an empty cell; and adds up the points.

python perfect_2048.py [FILE], by default docs/2048-perfect-game.txt, which says how it is written.
"""

import sys
from pathlib import Path

SIDE = 4
CEILING = 3_932_100
GAME = Path(__file__).parents[1] / "docs" / "2048-perfect-game.txt"
ROWS = [[SIDE * row + column for column in range(SIDE)] for row in range(SIDE)]
COLUMNS = [list(column) for column in zip(*ROWS, strict=True)]
LINES = {
    "u": COLUMNS,
    "r": [row[::-1] for row in ROWS],
    "d": [column[::-1] for column in COLUMNS],
    "l": ROWS,
}
"""Of each move the lines of cells, from the side on to which tiles slide."""


def slid(tiles: list[int]) -> tuple[list[int], int]:
    """A line after the move, and the points."""
    after: list[int] = []
    points, may_merge = 0, False
    for tile in tiles:
        if tile == 0:
            continue
        if may_merge and after[-1] == tile:
            after[-1] += tile
            points += after[-1]
            may_merge = False
        else:
            after.append(tile)
            may_merge = True
    return after + [0] * (SIDE - len(after)), points


def moved(board: list[int], move: str) -> tuple[list[int], int]:
    after, points = board.copy(), 0
    for line in LINES[move]:
        tiles, gained = slid([board[cell] for cell in line])
        points += gained
        for cell, tile in zip(line, tiles, strict=True):
            after[cell] = tile
    return after, points


def put(board: list[int], cell: int, tile: int) -> None:
    if board[cell]:
        raise ValueError(f"cell {cell} is not empty")
    board[cell] = tile


def played(text: str) -> tuple[list[int], int, int]:
    """The last board, the points, and the number of turns. Raises ValueError where the rules forbid it."""
    signs = "".join(line.strip() for line in text.splitlines() if not line.startswith("#"))
    board, score = [0] * SIDE * SIDE, 0
    for cell in signs[:2]:
        put(board, int(cell, 16), 2)
    turns = [signs[at : at + 2] for at in range(2, len(signs), 2)]
    for number, (letter, cell) in enumerate(turns, 1):
        if letter.lower() not in LINES:
            raise ValueError(f"turn {number}: {letter!r} is no move")
        after, points = moved(board, letter.lower())
        if after == board:
            raise ValueError(f"turn {number}: nothing moves")
        score += points
        board = after
        put(board, int(cell, 16), 4 if letter.isupper() else 2)
    return board, score, len(turns)


def main() -> None:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else GAME
    try:
        board, score, turns = played(path.read_text("ascii"))
    except (OSError, ValueError) as error:
        sys.exit(f"{path}: {error}")
    for row in ROWS:
        print(" ".join(f"{board[cell]:6}" for cell in row))
    print(f"{turns:,} turns, {score:,} points; {CEILING - score:,} less than the most there can be")


if __name__ == "__main__":
    main()
