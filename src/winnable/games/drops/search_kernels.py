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

from winnable.games.drops.kernels import (
    ABSORB,
    BITS,
    BURSTS,
    CELLS,
    COLUMNS,
    END,
    HEAD,
    I64,
    LIST,
    MASKS,
    PRICE,
    SCALE,
    SENT,
    TAIL,
    Cells,
    Prices,
    advance,
    begin,
    burst,
    link,
    to_int,
)
from winnable.games.drops.level import FULL
from winnable.games.drops.price_kernels import overpriced_flights, price, tabulate, weigh
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

(
    LIMIT,
    HIGHEST,
    TRIGGER,
    SPENT_BEFORE,
    CHOICES,
    SURPLUS,
    LOSS,
    PRICED,
    COST,
    PARTS,
    PART_COUNT,
    PART,
    SLACK,
    ROUNDS,
) = range(14)
"""Places in a frame, int64 [14]: how many clicks are tried now, and at most; the trigger; how many chains had
been run before; where its choices begin; cells - drops and the least loss of its board; which frame's weights
price its chains (-1: none do), and the price of its board; where its parts begin, their number, the one being
searched, and how many clicks more than their bounds they may take; how long weights were last looked for."""
DEPTH, STATE, CHOICE_TOP, PART_TOP, ANSWER, FRAMES, CHAINS, STORED = range(8)
"""Places in `at`, int64 [8]: where the machine stands, and counts."""
ENTER, NEXT_TRIGGER, ADVANCE, BACK, AT_REST, NEXT_PART, LEAVE = range(7)
RUNNING, DONE = range(2)
WEIGH_AFTER = 8_000
"""Chains that a frame runs before it looks for weights of its own."""
FIRST_ROUNDS, MOST_ROUNDS, MORE = 100, 10_000, 10
"""Of subgradients, at first and at last. After `MORE` times the chains, they are looked for again with as
many times the rounds: the bound of a full 6 × 6 board is often a click higher after 1,000 than after 100."""


class Room(NamedTuple):
    """at: int64 [8]. frames: int64 [depth, 14]; boards: [depth, 5 (n + 1)]; keys: uint64 [depth + 1, words].
    board, chain: of the phase being played. spent: int64 [choices + 1], its clicks, also at each choice;
    choice_cell: int64 [choices], the cell paid there; choice_board, choice_chain: before it was paid.
    parts: [parts, n]; part_bound: int64 [parts]. lines: int64 [64]. masks: int64 [depth, 64]; weights: int64
    [depth, n + 1]; worth: int64 [depth, lines << BITS]. table_keys, table_info: see
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
    masks: I64
    weights: I64
    worth: I64
    table_keys: NDArray[np.uint64]
    table_info: NDArray[np.uint32]


@kernel
def copy_masks(source: I64, target: I64, geometry: I64) -> None:
    columns = geometry[COLUMNS]
    for row in range(geometry[CELLS] // columns):
        target[row] = source[row]
    for column in range(32, 32 + columns):
        target[column] = source[column]


@kernel
def copy_chain(source: I64, at: int, target: I64, to: int, geometry: I64, priced: bool) -> None:
    """What chain source[at] still needs, to target[to]."""
    n = geometry[CELLS]
    end_of_masks = MASKS + 32 + geometry[COLUMNS] if priced else MASKS
    for place in range(end_of_masks):
        target[to, place] = source[at, place]
    ticks = LIST + n + 1
    queue = ticks + n + 1
    for place in range(LIST + source[at, SENT], LIST + source[at, BURSTS]):
        entry = source[at, place]
        target[to, place] = entry
        cell = entry & 0xFFFF
        target[to, ticks + cell] = source[at, ticks + cell]
    if geometry[ABSORB]:
        for place in range(ticks, queue):
            target[to, place] = source[at, place]
    for place in range(queue + source[at, HEAD], queue + source[at, TAIL]):
        target[to, place] = source[at, place]


@kernel
def is_due(geometry: I64, frames: I64, depth: int, chains: int) -> bool:
    """Whether it is time that the frame gets weights of its own, or better ones."""
    rounds = frames[depth, ROUNDS]
    if geometry[BITS] == 0 or rounds >= MOST_ROUNDS:
        return False
    after = WEIGH_AFTER if rounds == 0 else WEIGH_AFTER * MORE * rounds // FIRST_ROUNDS
    return chains - frames[depth, SPENT_BEFORE] > after


@kernel
def search(room: Room, geometry: I64, line_wanted: bool, chains: int) -> int:
    """Runs about so many chains. DONE: at[ANSWER] is the fewest clicks that empty boards[0], or one more than
    frames[0, HIGHEST] when it takes more than that; in the first case frames[0, TRIGGER] and the choices up
    to at[CHOICE_TOP] are the first phase, when `line_wanted`.
    """
    at, frames, boards, keys = room.at, room.frames, room.boards, room.keys
    board, chain, parts, part_bound, lines = room.board, room.chain, room.parts, room.part_bound, room.lines
    spent, choice_cell = room.spent, room.choice_cell
    choice_board, choice_chain, running = room.choice_board, room.choice_chain, chain.reshape(1, chain.size)
    table_keys, table_info = room.table_keys, room.table_info
    masks, weights, worth = room.masks, room.weights, room.worth
    n, columns = geometry[CELLS], geometry[COLUMNS]
    depth, state, choice_top = at[DEPTH], at[STATE], at[CHOICE_TOP]
    answer, stop = at[ANSWER], at[CHAINS] + chains
    result = RUNNING
    while result == RUNNING:
        if state == ENTER:
            at[FRAMES] += 1
            here = boards[depth]
            make_key(here, n, keys[depth])
            bound = least_clicks(here, n, columns, lines)
            entry = find(table_keys, table_info, keys[depth])
            exact = False
            if entry >= 0:
                known = to_int(table_info[entry])
                bound = max(bound, known & BOUND)
                exact = known & EXACT != 0 and (depth > 0 or not line_wanted)
            if exact or bound > frames[depth, HIGHEST]:
                answer = bound
                state = LEAVE
                continue
            link(here, geometry)
            frames[depth, SURPLUS], frames[depth, LOSS] = balance(here, n)
            frames[depth, LIMIT], frames[depth, TRIGGER], frames[depth, CHOICES] = bound, -1, choice_top
            frames[depth, SPENT_BEFORE], frames[depth, ROUNDS] = at[CHAINS], 0
            frames[depth, PRICED] = frames[depth - 1, PRICED] if depth > 0 else -1
            if frames[depth, PRICED] >= 0:
                by = frames[depth, PRICED]
                frames[depth, COST] = price(here, geometry, weights, worth, by, masks[depth])
            state = NEXT_TRIGGER
        elif state == NEXT_TRIGGER:
            limit = frames[depth, LIMIT]
            if is_due(geometry, frames, depth, at[CHAINS]):
                if frames[depth, PRICED] < 0:
                    for cell in range(n):
                        weights[depth, cell] = SCALE
                else:
                    for cell in range(n):
                        weights[depth, cell] = weights[frames[depth, PRICED], cell]
                rounds = MORE * frames[depth, ROUNDS] if frames[depth, ROUNDS] else FIRST_ROUNDS
                frames[depth, ROUNDS] = rounds
                bound = weigh(boards[depth], geometry, weights[depth], rounds, frames[depth, HIGHEST])
                tabulate(boards[depth], geometry, weights[depth], worth[depth])
                frames[depth, PRICED] = depth
                frames[depth, COST] = price(boards[depth], geometry, weights, worth, depth, masks[depth])
                if bound > limit:
                    frames[depth, LIMIT], frames[depth, TRIGGER] = bound - 1, n - 1
                    limit = bound - 1
            trigger = frames[depth, TRIGGER] + 1
            while trigger < n and (boards[depth, trigger] == 0 or FULL + 1 - boards[depth, trigger] > limit):
                trigger += 1
            frames[depth, TRIGGER] = trigger
            if trigger == n:
                limit += 1
                frames[depth, LIMIT], frames[depth, TRIGGER] = limit, -1
                if limit > frames[depth, HIGHEST]:
                    effort = logarithm(at[CHAINS] - frames[depth, SPENT_BEFORE])
                    at[STORED] += store(table_keys, table_info, keys[depth], limit, False, effort)
                    answer = limit
                    state = LEAVE
                elif depth == 0 and at[CHAINS] >= stop:
                    break
                continue
            for place in range(board.size):
                board[place] = boards[depth, place]
            spent[choice_top] = FULL + 1 - boards[depth, trigger]
            begin(chain, frames[depth, LOSS], frames[depth, COST])
            by = frames[depth, PRICED]
            if by >= 0:
                copy_masks(masks[depth], chain[MASKS:], geometry)
            burst(board, chain, geometry, Prices(weights, worth, by), trigger)
            state = ADVANCE
            if at[CHAINS] >= stop:
                break
        elif state == ADVANCE:
            allowance = frames[depth, LIMIT] - spent[choice_top]
            by = frames[depth, PRICED]
            cell = advance(
                board, chain, geometry, Prices(weights, worth, by),
                allowance, frames[depth, LIMIT] - frames[depth, SURPLUS], allowance * SCALE,
            )  # fmt: skip
            if (
                cell >= 0
                and by >= 0
                and chain[PRICE] + overpriced_flights(board, chain, geometry, weights, by) > allowance * SCALE
            ):
                at[CHAINS] += 1
                state = BACK
            elif cell >= 0:
                for place in range(board.size):
                    choice_board[choice_top, place] = board[place]
                copy_chain(running, 0, choice_chain, choice_top, geometry, by >= 0)
                choice_cell[choice_top] = cell
                spent[choice_top + 1] = spent[choice_top] + FULL + 1 - board[cell]
                choice_top += 1
                burst(board, chain, geometry, Prices(weights, worth, by), cell)
            else:
                at[CHAINS] += 1
                state = AT_REST if cell == END else BACK
        elif state == BACK:
            if at[CHAINS] >= stop:
                break
            if choice_top == frames[depth, CHOICES]:
                state = NEXT_TRIGGER
                continue
            if is_due(geometry, frames, depth, at[CHAINS]):
                choice_top = frames[depth, CHOICES]
                frames[depth, TRIGGER] -= 1
                state = NEXT_TRIGGER
                continue
            choice_top -= 1
            for place in range(board.size):
                board[place] = choice_board[choice_top, place]
            copy_chain(choice_chain, choice_top, running, 0, geometry, frames[depth, PRICED] >= 0)
            state = ADVANCE
        elif state == AT_REST:
            rest = frames[depth, LIMIT] - spent[choice_top]
            first = at[PART_TOP]
            count = part(board, n, columns, lines, parts[first:])
            if count > rest:
                state = BACK
                continue
            slack = rest
            for one in range(first, first + count):
                part_bound[one] = least_clicks(parts[one], n, columns, lines)
                by = frames[depth, PRICED]
                if by >= 0:
                    cost = price(parts[one], geometry, weights, worth, by, lines)
                    part_bound[one] = max(part_bound[one], -(-cost // SCALE))
                slack -= part_bound[one]
                if slack < 0:
                    break
            if slack >= 0:
                for one in range(first, first + count):
                    make_key(parts[one], n, keys[depth + 1])
                    entry = find(table_keys, table_info, keys[depth + 1])
                    if entry >= 0:
                        known = to_int(table_info[entry]) & BOUND
                        if known > part_bound[one]:
                            slack -= known - part_bound[one]
                            part_bound[one] = known
                            if slack < 0:
                                break
            if slack < 0:
                state = BACK
                continue
            frames[depth, PARTS], frames[depth, PART_COUNT], frames[depth, PART], frames[depth, SLACK] = (
                first,
                count,
                0,
                slack,
            )
            at[PART_TOP] = first + count
            state = NEXT_PART
        elif state == NEXT_PART:
            if frames[depth, SLACK] < 0:
                at[PART_TOP] = frames[depth, PARTS]
                state = BACK
            elif frames[depth, PART] == frames[depth, PART_COUNT]:
                at[PART_TOP] = frames[depth, PARTS]
                effort = logarithm(at[CHAINS] - frames[depth, SPENT_BEFORE])
                at[STORED] += store(table_keys, table_info, keys[depth], frames[depth, LIMIT], True, effort)
                answer = frames[depth, LIMIT]
                if depth > 0:
                    choice_top = frames[depth, CHOICES]
                state = LEAVE
            else:
                one = frames[depth, PARTS] + frames[depth, PART]
                depth += 1
                for cell in range(n):
                    boards[depth, cell] = parts[one, cell]
                frames[depth, HIGHEST] = part_bound[one] + frames[depth - 1, SLACK]
                state = ENTER
        elif depth == 0:
            result = DONE
        else:
            depth -= 1
            frames[depth, SLACK] -= answer - part_bound[frames[depth, PARTS] + frames[depth, PART]]
            frames[depth, PART] += 1
            state = NEXT_PART
    at[DEPTH], at[STATE], at[CHOICE_TOP], at[ANSWER] = depth, state, choice_top, answer
    return result
