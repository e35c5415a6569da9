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

from winnable.compiled.jit import borrowing_kernel, inlined_kernel
from winnable.games.drops.rules.level import FULL
from winnable.games.drops.solve.kernels import (
    ABSORB,
    BITS,
    BURSTS,
    CELLS,
    COLUMNS,
    END,
    HEAD,
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
from winnable.games.drops.solve.price_kernels import overpriced_flights, price, tabulate, weigh
from winnable.games.drops.solve.table_kernels import (
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
from winnable.inert.arrays import I64, NDArray, np

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


@borrowing_kernel
def copy_masks(source: I64, target: I64, geometry: I64) -> None:
    columns = geometry[COLUMNS]
    for row in range(geometry[CELLS] // columns):
        target[row] = source[row]
    for column in range(32, 32 + columns):
        target[column] = source[column]


@borrowing_kernel
def copy_board(source: Cells, target: Cells) -> None:
    for place in range(target.size):
        target[place] = source[place]


@borrowing_kernel
def copy_chain(source: I64, target: I64, geometry: I64, priced: bool) -> None:
    """What the chain still needs."""
    n = geometry[CELLS]
    end_of_masks = MASKS + 32 + geometry[COLUMNS] if priced else MASKS
    for place in range(end_of_masks):
        target[place] = source[place]
    ticks = LIST + n + 1
    queue = ticks + n + 1
    for place in range(LIST + source[SENT], LIST + source[BURSTS]):
        entry = source[place]
        target[place] = entry
        cell = entry & 0xFFFF
        target[ticks + cell] = source[ticks + cell]
    if geometry[ABSORB]:
        for place in range(ticks, queue):
            target[place] = source[place]
    for place in range(queue + source[HEAD], queue + source[TAIL]):
        target[place] = source[place]


@inlined_kernel
def prices_at(room: Room, depth: int) -> Prices:
    """Those of the frame's chains."""
    return Prices(room.weights, room.worth, room.frames[depth, PRICED])


@inlined_kernel
def known_bound(room: Room, key: NDArray[np.uint64]) -> tuple[int, bool]:
    """What the table says of a board: clicks that it takes at least, and whether that is exact."""
    entry = find(room.table_keys, room.table_info, key)
    if entry < 0:
        return 0, False
    known = to_int(room.table_info[entry])
    return known & BOUND, known & EXACT != 0


@borrowing_kernel
def leave_with(room: Room, clicks: int, exact: bool) -> None:
    """Notes what was proved about the frame's board."""
    at, depth = room.at, room.at[DEPTH]
    effort = logarithm(at[CHAINS] - room.frames[depth, SPENT_BEFORE])
    at[STORED] += store(room.table_keys, room.table_info, room.keys[depth], clicks, exact, effort)
    at[ANSWER], at[STATE] = clicks, LEAVE


@borrowing_kernel
def enter(room: Room, geometry: I64, line_wanted: bool) -> None:
    """Begins with a board at rest, unless what is known of it decides."""
    at, frames, depth, n = room.at, room.frames, room.at[DEPTH], geometry[CELLS]
    at[FRAMES] += 1
    here, frame = room.boards[depth], frames[depth]
    make_key(here, n, room.keys[depth])
    known, exact = known_bound(room, room.keys[depth])
    bound = max(known, least_clicks(here, n, geometry[COLUMNS], room.lines))
    if (exact and (depth > 0 or not line_wanted)) or bound > frame[HIGHEST]:
        at[ANSWER], at[STATE] = bound, LEAVE
        return
    link(here, geometry)
    frame[SURPLUS], frame[LOSS] = balance(here, n)
    frame[LIMIT], frame[TRIGGER], frame[CHOICES] = bound, -1, at[CHOICE_TOP]
    frame[SPENT_BEFORE], frame[ROUNDS] = at[CHAINS], 0
    frame[PRICED] = frames[depth - 1, PRICED] if depth > 0 else -1
    if frame[PRICED] >= 0:
        frame[COST] = price(here, geometry, prices_at(room, depth), room.masks[depth])
    at[STATE] = NEXT_TRIGGER


@borrowing_kernel
def is_due(geometry: I64, frame: I64, chains: int) -> bool:
    """Whether it is time that the frame gets weights of its own, or better ones."""
    rounds = frame[ROUNDS]
    if geometry[BITS] == 0 or rounds >= MOST_ROUNDS:
        return False
    after = WEIGH_AFTER if rounds == 0 else WEIGH_AFTER * MORE * rounds // FIRST_ROUNDS
    return chains - frame[SPENT_BEFORE] > after


@borrowing_kernel
def weigh_anew(room: Room, geometry: I64) -> None:
    """Weights of the frame's own, from those that it had, and what follows from their bound."""
    depth, n = room.at[DEPTH], geometry[CELLS]
    here, frame, weights = room.boards[depth], room.frames[depth], room.weights
    for cell in range(n):
        weights[depth, cell] = weights[frame[PRICED], cell] if frame[PRICED] >= 0 else SCALE
    frame[ROUNDS] = MORE * frame[ROUNDS] if frame[ROUNDS] else FIRST_ROUNDS
    bound = weigh(here, geometry, weights[depth], frame[ROUNDS], frame[HIGHEST])
    tabulate(here, geometry, weights[depth], room.worth[depth])
    frame[PRICED] = depth
    frame[COST] = price(here, geometry, prices_at(room, depth), room.masks[depth])
    if bound > frame[LIMIT]:
        frame[LIMIT], frame[TRIGGER] = bound - 1, n - 1


@inlined_kernel
def next_trigger(room: Room, geometry: I64) -> None:
    """Begins with the chain of the next cell that the limit allows to click until it bursts; else the limit
    rises."""
    at, board, chain, n = room.at, room.board, room.chain, geometry[CELLS]
    depth, frame = at[DEPTH], room.frames[at[DEPTH]]
    if is_due(geometry, frame, at[CHAINS]):
        weigh_anew(room, geometry)
    here, limit, trigger = room.boards[depth], frame[LIMIT], frame[TRIGGER] + 1
    while trigger < n and (here[trigger] == 0 or FULL + 1 - here[trigger] > limit):
        trigger += 1
    frame[TRIGGER] = trigger
    if trigger == n:
        frame[LIMIT], frame[TRIGGER] = limit + 1, -1
        if limit + 1 > frame[HIGHEST]:
            leave_with(room, limit + 1, False)
        return
    copy_board(here, board)
    room.spent[at[CHOICE_TOP]] = FULL + 1 - here[trigger]
    begin(chain, frame[LOSS], frame[COST])
    if frame[PRICED] >= 0:
        copy_masks(room.masks[depth], chain[MASKS:], geometry)
    burst(board, chain, geometry, prices_at(room, depth), trigger)
    at[STATE] = ADVANCE


@inlined_kernel
def play_on(room: Room, geometry: I64) -> None:
    """The chain, to its end. Each hit of a cell that may have been paid is a choice: first it was."""
    at, board, chain, spent, top = room.at, room.board, room.chain, room.spent, room.at[CHOICE_TOP]
    frame, prices = room.frames[at[DEPTH]], prices_at(room, at[DEPTH])
    limit, most_lost = frame[LIMIT], frame[LIMIT] - frame[SURPLUS]
    cell, over = 0, False
    while not over:
        allowance = limit - spent[top]
        cell = advance(board, chain, geometry, prices, allowance, most_lost, allowance * SCALE)
        if cell < 0:
            break
        if prices.by >= 0:
            over = chain[PRICE] + overpriced_flights(board, chain, geometry, prices) > allowance * SCALE
        if not over:
            copy_board(board, room.choice_board[top])
            copy_chain(chain, room.choice_chain[top], geometry, prices.by >= 0)
            room.choice_cell[top] = cell
            spent[top + 1] = spent[top] + FULL + 1 - board[cell]
            top += 1
            burst(board, chain, geometry, prices, cell)
    at[CHAINS] += 1
    at[CHOICE_TOP], at[STATE] = top, AT_REST if cell == END else BACK


@inlined_kernel
def go_back(room: Room, geometry: I64) -> None:
    """To the last choice, which was not paid then, or to the next trigger."""
    at, frame = room.at, room.frames[room.at[DEPTH]]
    if at[CHOICE_TOP] == frame[CHOICES]:
        at[STATE] = NEXT_TRIGGER
        return
    if is_due(geometry, frame, at[CHAINS]):
        at[CHOICE_TOP] = frame[CHOICES]
        frame[TRIGGER] -= 1
        at[STATE] = NEXT_TRIGGER
        return
    at[CHOICE_TOP] -= 1
    copy_board(room.choice_board[at[CHOICE_TOP]], room.board)
    copy_chain(room.choice_chain[at[CHOICE_TOP]], room.chain, geometry, frame[PRICED] >= 0)
    at[STATE] = ADVANCE


@inlined_kernel
def slack_of(room: Room, geometry: I64, first: int, count: int, rest: int) -> int:
    """How many clicks more than their bounds these parts may take when `rest` are left; negative: too many.
    Fills `part_bound`."""
    n, columns, lines, bounds = geometry[CELLS], geometry[COLUMNS], room.lines, room.part_bound
    prices, key = prices_at(room, room.at[DEPTH]), room.keys[room.at[DEPTH] + 1]
    slack = rest
    for one in range(first, first + count):
        bounds[one] = least_clicks(room.parts[one], n, columns, lines)
        if prices.by >= 0:
            bounds[one] = max(bounds[one], -(-price(room.parts[one], geometry, prices, lines) // SCALE))
        slack -= bounds[one]
        if slack < 0:
            return slack
    for one in range(first, first + count):
        make_key(room.parts[one], n, key)
        known, _ = known_bound(room, key)
        if known > bounds[one]:
            slack -= known - bounds[one]
            bounds[one] = known
            if slack < 0:
                return slack
    return slack


@inlined_kernel
def rest(room: Room, geometry: I64) -> None:
    """After a chain: what rests falls into parts."""
    at, frame, first = room.at, room.frames[room.at[DEPTH]], room.at[PART_TOP]
    left = frame[LIMIT] - room.spent[at[CHOICE_TOP]]
    count = part(room.board, geometry[CELLS], geometry[COLUMNS], room.lines, room.parts[first:])
    slack = slack_of(room, geometry, first, count, left) if count <= left else -1
    if slack < 0:
        at[STATE] = BACK
        return
    frame[PARTS], frame[PART_COUNT], frame[PART], frame[SLACK] = first, count, 0, slack
    at[PART_TOP] = first + count
    at[STATE] = NEXT_PART


@borrowing_kernel
def next_part(room: Room, geometry: I64) -> None:
    """Of what rests; all of them within the limit: that is the answer."""
    at, frames, depth = room.at, room.frames, room.at[DEPTH]
    frame = frames[depth]
    if frame[SLACK] < 0:
        at[PART_TOP] = frame[PARTS]
        at[STATE] = BACK
    elif frame[PART] == frame[PART_COUNT]:
        at[PART_TOP] = frame[PARTS]
        leave_with(room, frame[LIMIT], True)
        if depth > 0:
            at[CHOICE_TOP] = frame[CHOICES]
    else:
        one = frame[PARTS] + frame[PART]
        for cell in range(geometry[CELLS]):
            room.boards[depth + 1, cell] = room.parts[one, cell]
        frames[depth + 1, HIGHEST] = room.part_bound[one] + frame[SLACK]
        at[DEPTH], at[STATE] = depth + 1, ENTER


@borrowing_kernel
def leave(room: Room) -> None:
    """To the board of which this one was a part."""
    at = room.at
    at[DEPTH] -= 1
    frame = room.frames[at[DEPTH]]
    frame[SLACK] -= at[ANSWER] - room.part_bound[frame[PARTS] + frame[PART]]
    frame[PART] += 1
    at[STATE] = NEXT_PART


@borrowing_kernel
def search(room: Room, geometry: I64, line_wanted: bool, chains: int) -> int:
    """Runs about so many chains. DONE: at[ANSWER] is the fewest clicks that empty boards[0], or one more than
    frames[0, HIGHEST] when it takes more than that; in the first case frames[0, TRIGGER] and the choices up
    to at[CHOICE_TOP] are the first phase, when `line_wanted`.
    """
    at, stop = room.at, room.at[CHAINS] + chains
    while True:
        state = at[STATE]
        if at[CHAINS] >= stop and state in (NEXT_TRIGGER, BACK):
            return RUNNING
        if state == ENTER:
            enter(room, geometry, line_wanted)
        elif state == NEXT_TRIGGER:
            next_trigger(room, geometry)
        elif state == ADVANCE:
            play_on(room, geometry)
        elif state == BACK:
            go_back(room, geometry)
        elif state == AT_REST:
            rest(room, geometry)
        elif state == NEXT_PART:
            next_part(room, geometry)
        elif at[DEPTH] == 0:
            return DONE
        else:
            leave(room)
