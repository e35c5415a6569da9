"""The exhaustive search for the fewest clicks, as one loop that can be stopped and gone on with.

A solution is a sequence of *phases*: some cells get all the drops they lack but for one droplet that will hit
them (they are *paid*), and one cell, the trigger, is clicked until it bursts. Clicks elsewhere can wait
(postponement), so nothing is missed. Payments are decided while the chain runs: at each hit of a cell that
does not burst, it may have been paid what it still lacks. This meets each outcome of a phase once.

What rests after a phase falls into components, which never touch each other and are searched one by one. For
each, `limit` rises from its lower bound to the highest that would still be of use; the table keeps what was
proved. A chain ends as soon as clicks = cells - drops + droplets lost is bound to exceed the limit.

The search is a machine over a stack of frames, one for each component on the way, without recursion. Choices
within chains, and components that wait, lie on stacks of their own. None can run over: a phase bursts a cell,
and n cells absorb fewer than 4 n droplets.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from winnable.games.drops.flat_kernels import (
    ABSORB,
    BURSTS,
    CELLS,
    COLUMNS,
    END,
    FLOW,
    HEAD,
    I64,
    SENT,
    TAIL,
    Cells,
    advance,
    begin,
    burst,
    link,
)
from winnable.games.drops.level import FULL
from winnable.games.drops.table_kernels import (
    BOUND,
    EXACT,
    balance,
    find,
    least_clicks,
    logarithm,
    make_key,
    part,
    store,
)
from winnable.jit import kernel

LIMIT, HIGHEST, TRIGGER, SPENT_BEFORE, CHOICES, SURPLUS, LOSS, PARTS, PART_COUNT, PART, SLACK = range(11)
"""Places in a frame, int64 [11]: how many clicks are tried now, and at most; the trigger; how many chains had
been run before; where its choices begin; cells - drops and the least loss of its board; where its parts begin,
their number, the one being searched, and how many clicks more than their bounds they may take."""
DEPTH, STATE, CHOICE_TOP, PART_TOP, ANSWER, FRAMES, CHAINS, STORED = range(8)
"""Places in `at`, int64 [8]: where the machine stands, and counts."""
ENTER, NEXT_TRIGGER, ADVANCE, BACK, AT_REST, NEXT_PART, LEAVE = range(7)
RUNNING, DONE = range(2)


class Room(NamedTuple):
    """at: int64 [8]. frames: int64 [depth, 11]; boards: [depth, 5 (n + 1)]; keys: uint64 [depth + 1, words].
    board, chain: of the phase being played. spent: int64 [choices + 1], its clicks, also at each choice;
    choice_cell: int64 [choices], the cell paid there; choice_board, choice_chain: before it was paid.
    parts: [parts, n]; part_bound: int64 [parts]. lines: int64 [64]. table_keys, table_info: see
    table_kernels.py."""

    at: I64
    frames: I64
    boards: Cells
    keys: NDArray[np.uint64]
    board: Cells
    chain: I64
    spent: I64
    choice_cell: I64
    choice_board: Cells
    choice_chain: I64
    parts: Cells
    part_bound: I64
    lines: I64
    table_keys: NDArray[np.uint64]
    table_info: NDArray[np.uint32]


@kernel
def copy(source: Cells, target: Cells) -> None:
    for place in range(source.size):
        target[place] = source[place]


@kernel
def copy_chain(source: I64, target: I64, geometry: I64) -> None:
    """What the chain still needs."""
    n = geometry[CELLS]
    for place in range(FLOW):
        target[place] = source[place]
    ticks = FLOW + n + 1
    queue = ticks + n + 1
    for place in range(FLOW + source[SENT], FLOW + source[BURSTS]):
        target[place] = source[place]
        target[ticks + source[place]] = source[ticks + source[place]]
    if geometry[ABSORB]:
        for place in range(ticks, queue):
            target[place] = source[place]
    for place in range(queue + source[HEAD], queue + source[TAIL]):
        target[place] = source[place]


@kernel
def search(room: Room, geometry: I64, line_wanted: bool, chains: int) -> int:
    """Runs about so many chains. DONE: at[ANSWER] is the fewest clicks that empty boards[0], or one more than
    frames[0, HIGHEST] when it takes more than that; in the first case frames[0, TRIGGER] and the choices up
    to at[CHOICE_TOP] are the first phase, when `line_wanted`.
    """
    at, frames, boards, keys = room.at, room.frames, room.boards, room.keys
    board, chain, parts, part_bound, lines = room.board, room.chain, room.parts, room.part_bound, room.lines
    spent, choice_cell = room.spent, room.choice_cell
    choice_board, choice_chain = room.choice_board, room.choice_chain
    table_keys, table_info = room.table_keys, room.table_info
    n, columns = geometry[CELLS], geometry[COLUMNS]
    depth, state, choice_top = at[DEPTH], at[STATE], at[CHOICE_TOP]
    answer, stop = at[ANSWER], at[CHAINS] + chains
    result = RUNNING
    while result == RUNNING:
        frame = frames[depth]
        if state == ENTER:
            at[FRAMES] += 1
            here = boards[depth]
            make_key(here, n, keys[depth])
            bound = least_clicks(here, n, columns, lines)
            entry = find(table_keys, table_info, keys[depth])
            exact = False
            if entry >= 0:
                known = np.int64(table_info[entry])
                bound = max(bound, known & BOUND)
                exact = known & EXACT != 0 and (depth > 0 or not line_wanted)
            if exact or bound > frame[HIGHEST]:
                answer = bound
                state = LEAVE
                continue
            link(here, geometry)
            frame[SURPLUS], frame[LOSS] = balance(here, n)
            frame[LIMIT], frame[TRIGGER], frame[CHOICES] = bound, -1, choice_top
            frame[SPENT_BEFORE] = at[CHAINS]
            state = NEXT_TRIGGER
        elif state == NEXT_TRIGGER:
            here, limit = boards[depth], frame[LIMIT]
            trigger = frame[TRIGGER] + 1
            while trigger < n and (here[trigger] == 0 or FULL + 1 - here[trigger] > limit):
                trigger += 1
            frame[TRIGGER] = trigger
            if trigger == n:
                limit += 1
                frame[LIMIT], frame[TRIGGER] = limit, -1
                if limit > frame[HIGHEST]:
                    effort = logarithm(at[CHAINS] - frame[SPENT_BEFORE])
                    at[STORED] += store(table_keys, table_info, keys[depth], limit, False, effort)
                    answer = limit
                    state = LEAVE
                elif depth == 0 and at[CHAINS] >= stop:
                    break
                continue
            copy(here, board)
            spent[choice_top] = FULL + 1 - here[trigger]
            begin(board, chain, n, trigger, frame[LOSS])
            state = ADVANCE
            if at[CHAINS] >= stop:
                break
        elif state == ADVANCE:
            allowance = frame[LIMIT] - spent[choice_top]
            cell = advance(board, chain, geometry, allowance, frame[LIMIT] - frame[SURPLUS])
            if cell >= 0:
                copy(board, choice_board[choice_top])
                copy_chain(chain, choice_chain[choice_top], geometry)
                choice_cell[choice_top] = cell
                spent[choice_top + 1] = spent[choice_top] + FULL + 1 - board[cell]
                choice_top += 1
                burst(board, chain, n, cell)
            else:
                at[CHAINS] += 1
                state = AT_REST if cell == END else BACK
        elif state == BACK:
            if choice_top == frame[CHOICES]:
                state = NEXT_TRIGGER
                continue
            choice_top -= 1
            copy(choice_board[choice_top], board)
            copy_chain(choice_chain[choice_top], chain, geometry)
            state = ADVANCE
        elif state == AT_REST:
            rest = frame[LIMIT] - spent[choice_top]
            first = at[PART_TOP]
            count = part(board, n, columns, lines, parts[first:])
            if count > rest:
                state = BACK
                continue
            slack = rest
            for one in range(first, first + count):
                part_bound[one] = least_clicks(parts[one], n, columns, lines)
                slack -= part_bound[one]
                if slack < 0:
                    break
            if slack >= 0:
                for one in range(first, first + count):
                    make_key(parts[one], n, keys[depth + 1])
                    entry = find(table_keys, table_info, keys[depth + 1])
                    if entry >= 0:
                        known = np.int64(table_info[entry]) & BOUND
                        if known > part_bound[one]:
                            slack -= known - part_bound[one]
                            part_bound[one] = known
                            if slack < 0:
                                break
            if slack < 0:
                state = BACK
                continue
            frame[PARTS], frame[PART_COUNT], frame[PART], frame[SLACK] = first, count, 0, slack
            at[PART_TOP] = first + count
            state = NEXT_PART
        elif state == NEXT_PART:
            if frame[SLACK] < 0:
                at[PART_TOP] = frame[PARTS]
                state = BACK
            elif frame[PART] == frame[PART_COUNT]:
                at[PART_TOP] = frame[PARTS]
                effort = logarithm(at[CHAINS] - frame[SPENT_BEFORE])
                at[STORED] += store(table_keys, table_info, keys[depth], frame[LIMIT], True, effort)
                answer = frame[LIMIT]
                if depth > 0:
                    choice_top = frame[CHOICES]
                state = LEAVE
            else:
                one = frame[PARTS] + frame[PART]
                depth += 1
                for cell in range(n):
                    boards[depth, cell] = parts[one, cell]
                frames[depth, HIGHEST] = part_bound[one] + frame[SLACK]
                state = ENTER
        elif depth == 0:
            result = DONE
        else:
            depth -= 1
            frame = frames[depth]
            frame[SLACK] -= answer - part_bound[frame[PARTS] + frame[PART]]
            frame[PART] += 1
            state = NEXT_PART
    at[DEPTH], at[STATE], at[CHOICE_TOP], at[ANSWER] = depth, state, choice_top, answer
    return result
