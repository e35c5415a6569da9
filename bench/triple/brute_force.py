"""Every stage of triple's solvers against brute force over the readable rules, on small random boards."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from typing import Literal, TypeAlias

from msgspec.structs import replace

from bench.report import CheckFailed, Row
from bench.triple.stages import STAGES, Answer
from winnable.contract.core import Budget, IllegalAction, finish, replay
from winnable.games.triple.levels.text import format_board
from winnable.games.triple.measure.tray import smallest_tray
from winnable.games.triple.rules.level import SIDE, Level, Tile
from winnable.games.triple.rules.puzzle import Picked, Triple
from winnable.games.triple.solve import solver
from winnable.games.triple.solve.refutation import refutation_fault

MOST_STATES = 100_000
"""Brute force gives a board up that has more."""
FROM_START = 3
"""So many boards out of four are looked at from their start, the fourth some random clicks later."""

Judgement: TypeAlias = Literal["right", "undecided", "wrong"]
JUDGEMENTS: tuple[Judgement, ...] = ("right", "undecided", "wrong")
TRAY = "smallest tray"
TRAY_EVERY = 4
"""It is looked for on the boards whose number this divides: brute force takes longest there."""
_VERDICTS = {True: "winnable", False: "unsolvable", None: "too large for brute force"}


def rows(
    games: int = 10_000, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """Board i is that of seed + i. For each stage: how many boards it decides as brute force does, how many
    it leaves undecided, and how many wrong. Lines are replayed and closed sets are walked through by the
    rules. Raises CheckFailed behind the last row when anything is wrong."""
    solver.warm()
    tally = _Tally()
    try:
        for done, one in enumerate(range(seed, seed + games), 1):
            tally.add(one)
            if progress is not None:
                progress(done, games)
    except KeyboardInterrupt:  # of `progress`: these are the rows so far
        pass
    for name, boards in tally.boards.items():
        yield Row(f"boards: {name}", boards, n=tally.looked_at, seed=seed)
    for name, judgements in tally.judgements.items():
        for judgement in JUDGEMENTS:
            yield Row(f"{name}: {judgement}", judgements[judgement], n=judgements.total(), seed=seed)
    if tally.wrong:
        raise CheckFailed(
            f"triple-brute-force: {len(tally.wrong)} wrong answers; the first is of {tally.wrong[0]}"
        )


class _Tally:
    """What the stages said of the boards so far; `wrong` names the stage and the board of wrong answers."""

    def __init__(self) -> None:
        self.looked_at = 0
        self.boards = {"winnable": 0, "unsolvable": 0, "some clicks later": 0, "too large for brute force": 0}
        self.judgements: dict[str, Counter[Judgement]] = {name: Counter() for name in (*STAGES, TRAY)}
        self.wrong: list[str] = []

    def add(self, seed: int) -> None:
        """Looks at one board."""
        level, state = random_position(random.Random(seed))
        puzzle = Triple(level)
        winnable = can_be_won(puzzle, state)
        self.looked_at += 1
        self.boards["some clicks later"] += state > 0
        self.boards[_VERDICTS[winnable]] += 1
        where = f"board {seed}, state {state}: {format_board(level)}"
        for name, stage in STAGES.items() if winnable is not None else ():
            self._note(name, judge(puzzle, state, winnable is True, stage(puzzle, state)), where)
        if seed % TRAY_EVERY == 0 and (smallest := smallest_by_brute_force(level)) is not None:
            self._note(TRAY, judge_tray(level, smallest), where)

    def _note(self, name: str, judgement: Judgement, where: str) -> None:
        self.judgements[name][judgement] += 1
        if judgement == "wrong":
            self.wrong.append(f"{name}, {where}")


def random_position(rng: random.Random) -> tuple[Level, Picked]:
    """9 to 27 tiles of 3 to 9 kinds in heaps of many layers, some of them blind, 3 to 7 slots; and a state in
    play."""
    kinds = rng.randint(3, 9)
    faces = list(range(kinds)) + [rng.randrange(kinds) for _ in range(rng.randint(0, 9 - kinds))]
    faces = [kind for kind in faces for _ in range(3)]
    rng.shuffle(faces)
    width, step, crowd = rng.choice([8, 12, 16, 24, 32]), rng.choice([4, 4, 1]), rng.randint(2, 9)
    blind = rng.choice([0.0, 0.0, 0.3])
    tiles: list[Tile] = []
    for tries in count():
        if len(tiles) == len(faces):
            break
        x, y, layer = rng.randrange(0, width + 1, step), rng.randrange(0, width + 1, step), tries // crowd
        if all(tile.layer < layer or abs(tile.x - x) >= SIDE or abs(tile.y - y) >= SIDE for tile in tiles):
            tiles.append(Tile(faces[len(tiles)], x, y, layer, rng.random() < blind))
    rng.shuffle(tiles)
    puzzle = Triple(Level(tuple(tiles), slots=rng.randint(3, 7)))
    state = puzzle.initial()
    for _ in range(rng.choice([0] * FROM_START + [rng.randrange(1, len(tiles))])):
        after = puzzle.apply(state, rng.choice(puzzle.legal_actions(state)))
        if puzzle.is_full(after):
            break
        state = after
    return puzzle.level, state


def can_be_won(puzzle: Triple, start: Picked) -> bool | None:
    """By trying every click; None: there are more than MOST_STATES states."""
    seen, waiting = {start}, [start]
    while waiting:
        state = waiting.pop()
        if puzzle.is_goal(state):
            return True
        for action in puzzle.legal_actions(state):
            after = state | 1 << action  # a state is the set of picked tiles
            if after not in seen:
                seen.add(after)
                waiting.append(after)
        if len(seen) > MOST_STATES:
            return None
    return False


def smallest_by_brute_force(level: Level) -> int | None:
    """The first of 1, 2, 3, ... slots with which the level can be won; None: see `can_be_won`."""
    for slots in count(1):
        won = can_be_won(Triple(replace(level, slots=slots)), 0)
        if won is not False:
            return slots if won else None
    raise AssertionError


def judge(puzzle: Triple, state: Picked, winnable: bool, answer: Answer) -> Judgement:
    """Right is a true verdict whose proof the rules accept."""
    if answer.status == "budget":
        return "undecided"
    if (answer.status == "solved") != winnable:
        return "wrong"
    if winnable:
        return "right" if wins(puzzle, state, answer.line) else "wrong"
    proof = answer.closed_set
    return "right" if proof is None or refutation_fault(puzzle, proof, state) is None else "wrong"


def judge_tray(level: Level, smallest: int) -> Judgement:
    """What `smallest_tray` claims must be true, also where it does not know the smallest."""
    found = finish(smallest_tray(level, Budget()))
    if found.lost >= smallest:
        return "wrong"
    if found.won is not None and (
        found.won < smallest or not wins(Triple(replace(level, slots=found.won)), 0, found.line)
    ):
        return "wrong"
    return "right" if found.exact else "undecided"


def wins(puzzle: Triple, state: Picked, line: tuple[int, ...]) -> bool:
    """By the rules."""
    try:
        return puzzle.is_goal(replay(puzzle, line, state))
    except IllegalAction:
        return False
