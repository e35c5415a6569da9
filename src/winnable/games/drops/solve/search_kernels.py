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
    END,
    SCALE,
    UNPRICED,
    Cells,
    Chain,
    Play,
    advance,
    begin,
    burst,
    chain_at,
    copy,
    copy_chain,
    full_price,
    link,
)
from winnable.games.drops.solve.price_kernels import price, tabulate, weigh
from winnable.games.drops.solve.table_kernels import Table, known_bound, least_clicks, log2, part, store
from winnable.inert.arrays import F64, I64, U64

DEPTH, STATE, CHOICE_TOP, PART_TOP, ANSWER, ROUND, FRAMES, CHAINS, STORED = range(9)
"""Places in `Workspace.at`: where the machine stands, and counts."""
ENTER, NEXT_TRIGGER, ADVANCE, BACK, AT_REST, NEXT_PART, LEAVE, WEIGH, WEIGHED = range(9)
RUNNING, WEIGHING, DONE = range(3)
WEIGH_AFTER = 8_000
"""Chains that a frame runs before it looks for weights of its own."""
FIRST_ROUNDS, MOST_ROUNDS, MORE = 100, 10_000, 10
"""Of subgradients, at first and at last. After `MORE` times the chains, they are looked for again with as
many times the rounds: the bound of a full 6 × 6 board is often a click higher after 1,000 than after 100."""


class Frames(NamedTuple):
    """The components on the way, by depth; int64 [depth] unless another type is named.

    board:         uint16 [depth, 5 (n + 1)], linked
    key:           uint64 [depth + 1, words]
    masks:         int64 [depth, 64], which cells of each line hold drops, where its chains are priced
    limit, highest: how many clicks are tried now, and at most
    trigger:       the cell that is clicked until it bursts
    chains_before: how many chains had been run before
    choices:       where its choices begin
    surplus, loss: cells - drops, and the least loss of droplets
    priced_by:     which row of weights prices its chains (UNPRICED: none does)
    price:         of its board, by these
    rounds:        how long weights were last looked for
    parts, part_count: where the parts of what rests begin, and their number
    part, slack:   the one being searched, and how many clicks more than their bounds they may take
    """

    board: Cells
    key: U64
    masks: I64
    limit: I64
    highest: I64
    trigger: I64
    chains_before: I64
    choices: I64
    surplus: I64
    loss: I64
    priced_by: I64
    price: I64
    rounds: I64
    parts: I64
    part_count: I64
    part: I64
    slack: I64


class Choices(NamedTuple):
    """The hits of chains on the way after which the cell was paid.

    cell:         int64 [choices]
    board, chain: before it was paid: uint16 [choices, 5 (n + 1)], and arrays one deeper than a chain's
    spent:        int64 [choices + 1], the clicks of the phase before each choice, and until now
    """

    cell: I64
    board: Cells
    chain: Chain
    spent: I64


class Workspace(NamedTuple):
    """All that the search works on.

    at:    int64 [9], see DEPTH
    play:  the phase being played; of its prices each depth may have a row
    parts: uint16 [parts, n], boards at rest; part_bound: int64 [parts]
    lines: int64 [64]
    trial: float64 [n + 1], of `weigh`
    """

    at: I64
    play: Play
    frames: Frames
    choices: Choices
    parts: Cells
    part_bound: I64
    lines: I64
    trial: F64
    table: Table


@borrowing_kernel
def leave_with(work: Workspace, depth: int, clicks: int, exact: bool) -> None:
    """Notes what was proved about the frame's board."""
    at = work.at
    effort = log2(at[CHAINS] - work.frames.chains_before[depth])
    at[STORED] += store(work.table, work.frames.key[depth], clicks, exact, effort)
    at[ANSWER], at[STATE] = clicks, LEAVE


@borrowing_kernel
def enter(work: Workspace, depth: int, line_wanted: bool) -> None:
    """Begins with a board at rest, unless what is known of it decides."""
    at, play, frames = work.at, work.play, work.frames
    geometry, here, key = play.geometry, frames.board[depth], frames.key[depth]
    at[FRAMES] += 1
    known, exact = known_bound(work.table, here, geometry.cells, key)
    least, frames.surplus[depth], frames.loss[depth] = least_clicks(here, geometry, work.lines)
    bound = max(known, least)
    if (exact and (depth > 0 or not line_wanted)) or bound > frames.highest[depth]:
        at[ANSWER], at[STATE] = bound, LEAVE
        return
    link(here, geometry)
    frames.limit[depth], frames.trigger[depth], frames.choices[depth] = bound, -1, at[CHOICE_TOP]
    frames.chains_before[depth], frames.rounds[depth] = at[CHAINS], 0
    by = frames.priced_by[depth - 1] if depth > 0 else UNPRICED
    frames.priced_by[depth] = by
    if by >= 0:
        frames.price[depth] = price(here, geometry, play.prices, by, frames.masks[depth])
    at[STATE] = NEXT_TRIGGER


@inlined_kernel
def is_due(work: Workspace, depth: int) -> bool:
    """Whether it is time that the frame gets weights of its own, or better ones."""
    rounds = work.frames.rounds[depth]
    if work.play.geometry.bits == 0 or rounds >= MOST_ROUNDS:
        return False
    after = WEIGH_AFTER if rounds == 0 else WEIGH_AFTER * MORE * rounds // FIRST_ROUNDS
    return work.at[CHAINS] - work.frames.chains_before[depth] > after


@borrowing_kernel
def weigh_on(work: Workspace, depth: int) -> None:
    """Finds weights of the frame's own, from those that it had, in FIRST_ROUNDS further rounds; in the end,
    what follows from their bound."""
    at, frames, geometry, prices = work.at, work.frames, work.play.geometry, work.play.prices
    here, weights, by = frames.board[depth], prices.weights, frames.priced_by[depth]
    rounds, first = MORE * frames.rounds[depth] if frames.rounds[depth] else FIRST_ROUNDS, at[ROUND]
    if first == 0:
        for cell in range(geometry.cells):
            weights[depth, cell] = weights[by, cell] if by >= 0 else SCALE
    last = first + FIRST_ROUNDS
    bound = weigh(here, geometry, weights[depth], work.trial, first, last, frames.highest[depth])
    if last < rounds and bound <= frames.highest[depth]:
        at[ROUND] = last
        return
    at[ROUND], at[STATE] = 0, WEIGHED
    tabulate(here, geometry, weights[depth], prices.worth[depth])
    frames.rounds[depth], frames.priced_by[depth] = rounds, depth
    frames.price[depth] = price(here, geometry, prices, depth, frames.masks[depth])
    if bound > frames.limit[depth]:
        frames.limit[depth], frames.trigger[depth] = bound - 1, geometry.cells - 1


@inlined_kernel
def next_trigger(work: Workspace, depth: int) -> None:
    """Begins with the chain of the next cell that the limit allows to click until it bursts; else the limit
    rises."""
    at, play, frames = work.at, work.play, work.frames
    n, here, limit = play.geometry.cells, frames.board[depth], frames.limit[depth]
    trigger = frames.trigger[depth] + 1
    while trigger < n and (here[trigger] == 0 or FULL + 1 - here[trigger] > limit):
        trigger += 1
    frames.trigger[depth] = trigger
    if trigger == n:
        frames.limit[depth], frames.trigger[depth] = limit + 1, -1
        if limit + 1 > frames.highest[depth]:
            leave_with(work, depth, limit + 1, False)
        return
    copy(here, play.board)
    work.choices.spent[at[CHOICE_TOP]] = FULL + 1 - here[trigger]
    by = frames.priced_by[depth]
    begin(play.chain.counters, frames.loss[depth], frames.price[depth], by)
    if by >= 0:
        copy(frames.masks[depth], play.chain.masks)
    burst(play, trigger)
    at[STATE] = ADVANCE


@inlined_kernel
def play_on(work: Workspace, depth: int) -> None:
    """Plays the chain to its end. Each hit of a cell that may have been paid is a choice: first it was."""
    at, play, choices, spent = work.at, work.play, work.choices, work.choices.spent
    board = play.board
    top: int = at[CHOICE_TOP]
    limit, most_lost = work.frames.limit[depth], work.frames.limit[depth] - work.frames.surplus[depth]
    is_priced = work.frames.priced_by[depth] >= 0
    cell, over = 0, False
    while not over:
        allowance = limit - spent[top]
        cell = advance(play, allowance, most_lost, allowance * SCALE)
        if cell < 0:
            break
        if is_priced:
            over = full_price(play) > allowance * SCALE
        if not over:
            copy(board, choices.board[top])
            copy_chain(play.chain, chain_at(choices.chain, top), play.geometry)
            choices.cell[top] = cell
            spent[top + 1] = spent[top] + FULL + 1 - board[cell]
            top += 1
            burst(play, cell)
    at[CHAINS] += 1
    at[CHOICE_TOP], at[STATE] = top, AT_REST if cell == END else BACK


@inlined_kernel
def go_back(work: Workspace, depth: int) -> None:
    """Goes back to the last choice, which was not paid then, or to the next trigger."""
    at, play, choices, frames = work.at, work.play, work.choices, work.frames
    first = frames.choices[depth]
    if at[CHOICE_TOP] == first:
        at[STATE] = NEXT_TRIGGER
    elif is_due(work, depth):
        at[CHOICE_TOP], at[STATE] = first, NEXT_TRIGGER
        frames.trigger[depth] -= 1
    else:
        at[CHOICE_TOP] -= 1
        copy(choices.board[at[CHOICE_TOP]], play.board)
        copy_chain(chain_at(choices.chain, at[CHOICE_TOP]), play.chain, play.geometry)
        at[STATE] = ADVANCE


@inlined_kernel
def slack_of(work: Workspace, depth: int, first: int, count: int, rest: int) -> int:
    """The clicks that these parts may take beyond their bounds when `rest` are left; negative: too many.
    Fills `part_bound`."""
    geometry, parts, bounds, lines = work.play.geometry, work.parts, work.part_bound, work.lines
    by, key = work.frames.priced_by[depth], work.frames.key[depth + 1]
    slack = rest
    for one in range(first, first + count):
        bounds[one], _, _ = least_clicks(parts[one], geometry, lines)
        if by >= 0:
            bounds[one] = max(
                bounds[one], -(-price(parts[one], geometry, work.play.prices, by, lines) // SCALE)
            )
        slack -= bounds[one]
        if slack < 0:
            return slack
    for one in range(first, first + count):
        known, _ = known_bound(work.table, parts[one], geometry.cells, key)
        if known > bounds[one]:
            slack -= known - bounds[one]
            bounds[one] = known
            if slack < 0:
                return slack
    return slack


@inlined_kernel
def rest(work: Workspace, depth: int) -> None:
    """Parts what rests after a chain."""
    at, play, frames, first = work.at, work.play, work.frames, work.at[PART_TOP]
    top: int = at[CHOICE_TOP]
    left = frames.limit[depth] - work.choices.spent[top]
    count = part(play.board, play.geometry, work.lines, work.parts[first:])
    slack = slack_of(work, depth, first, count, left) if count <= left else -1
    if slack < 0:
        at[STATE] = BACK
        return
    frames.parts[depth], frames.part_count[depth], frames.part[depth] = first, count, 0
    frames.slack[depth] = slack
    at[PART_TOP], at[STATE] = first + count, NEXT_PART


@borrowing_kernel
def next_part(work: Workspace, depth: int) -> None:
    """Begins with the next part of what rests; all of them within the limit: that is the answer."""
    at, frames = work.at, work.frames
    first, done, slack = frames.parts[depth], frames.part[depth], frames.slack[depth]
    if slack < 0:
        at[PART_TOP], at[STATE] = first, BACK
    elif done == frames.part_count[depth]:
        at[PART_TOP] = first
        leave_with(work, depth, frames.limit[depth], True)
        if depth > 0:
            at[CHOICE_TOP] = frames.choices[depth]
    else:
        cells = work.parts[first + done]
        copy(cells, frames.board[depth + 1, : cells.size])
        frames.highest[depth + 1] = work.part_bound[first + done] + slack
        at[DEPTH], at[STATE] = depth + 1, ENTER


@borrowing_kernel
def leave(work: Workspace, depth: int) -> None:
    """Goes back to the board of which this one was a part."""
    at, frames = work.at, work.frames
    frames.slack[depth - 1] -= at[ANSWER] - work.part_bound[frames.parts[depth - 1] + frames.part[depth - 1]]
    frames.part[depth - 1] += 1
    at[DEPTH], at[STATE] = depth - 1, NEXT_PART


@borrowing_kernel
def search(work: Workspace, line_wanted: bool, chains: int) -> int:
    """Runs about so many chains; WEIGHING: fewer, as it looks for weights. DONE: at[ANSWER] is the fewest
    clicks that empty the first frame's board, or one more than its `highest` when it takes more than that; in
    the first case its trigger and the choices up to at[CHOICE_TOP] are the first phase, when `line_wanted`.
    """
    at, stop = work.at, work.at[CHAINS] + chains
    while True:
        state, depth = at[STATE], at[DEPTH]
        if at[CHAINS] >= stop and state in (NEXT_TRIGGER, BACK):
            return RUNNING
        if state == ENTER:
            enter(work, depth, line_wanted)
        elif state == NEXT_TRIGGER and is_due(work, depth):
            at[STATE] = WEIGH
        elif state in (NEXT_TRIGGER, WEIGHED):
            next_trigger(work, depth)
        elif state == ADVANCE:
            play_on(work, depth)
        elif state == BACK:
            go_back(work, depth)
        elif state == AT_REST:
            rest(work, depth)
        elif state == NEXT_PART:
            next_part(work, depth)
        elif state == WEIGH:
            weigh_on(work, depth)
            if at[STATE] == WEIGH:
                return WEIGHING
        elif depth == 0:
            return DONE
        else:
            leave(work, depth)
