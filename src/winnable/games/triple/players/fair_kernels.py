"""Kernels of triple: players that know no more than a person sees.

A *deal* says which kind each tile has, int32[tiles], renumbered as in `Tables.kind`. Beside the real one
there are those that a player makes up (`imagine`): what it has seen stays, what is hidden is drawn. A
position is `waits` (see kernels.py), `direct` and `counts`, all int16; it holds nothing that is hidden, as
the tray and what was picked have been seen.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from winnable.compiled.dice_kernels import draw
from winnable.compiled.jit import kernel
from winnable.games.triple.solve.kernels import FAR, Tables, do_tile, open_tiles, reaches
from winnable.inert.arrays import I16, I32, I64, U64, Bools, np

Flags: TypeAlias = Bools

MATCHING, HURRIED, CAREFUL = range(3)
"""How a player chooses; see fair_players.QUICK."""
TIES: Final = 1024
SLIPS: Final = 6
"""In a hurry, one of so many picks is made without care."""


class Sight(NamedTuple):
    """What hides faces on one level. covers: int16[tiles], how many tiles lie directly on each when the board
    is full; buried: bool[tiles], these leave nothing of it uncovered; blind: bool[tiles], its face shows only
    when nothing lies on it."""

    covers: I16
    buried: Flags
    blind: Flags


class Position(NamedTuple):
    """waits: see kernels.py; direct: int16[tiles], how many tiles lie directly on each; counts: int16[kinds],
    picked, modulo 3."""

    waits: I16
    direct: I16
    counts: I16


@kernel
def look(s: Sight, p: Position, seen: Flags) -> None:
    """Writes which faces are known: those that can be seen (see `Triple.seen_tiles`), and those picked."""
    for tile in range(seen.size):
        left = p.direct[tile]
        seen[tile] = left == 0 or not (s.blind[tile] or (s.buried[tile] and left == s.covers[tile]))


@kernel
def take(t: Tables, deal: I32, p: Position, tile: int) -> int:
    """Picks an open tile; how many more tiles rest in the tray then (1, or -2)."""
    do_tile(t, p.waits, tile)
    for place in range(t.post_start[tile], t.post_start[tile + 1]):
        p.direct[t.post[place]] -= 1
    kind = deal[tile]
    p.counts[kind] = (p.counts[kind] + 1) % 3
    return 1 if p.counts[kind] > 0 else -2


@kernel
def room_left(t: Tables, p: Position) -> int:
    """How many more tiles may rest in the tray."""
    return int(t.limit - np.count_nonzero(p.counts == 1) - 2 * np.count_nonzero(p.counts == 2))


@kernel
def copy_position(source: Position, target: Position) -> None:
    """Copies all arrays of a position into another's."""
    target.waits[:] = source.waits
    target.direct[:] = source.direct
    target.counts[:] = source.counts


@kernel
def imagine(real: I32, s: Sight, p: Position, deals: I32, dice: U64) -> None:
    """Writes `deals`, int32[deals, tiles]. Only faces that are seen are read of the `real` one."""
    seen = np.empty(real.size, np.bool_)
    look(s, p, seen)
    for number in range(deals.shape[0]):
        imagine_one(real, seen, p, deals[number], dice)


@kernel
def imagine_one(real: I32, seen: Flags, p: Position, deal: I32, dice: U64) -> None:
    """Writes a deal that a person may believe in: kinds come in threes, and there are those seen so far.

    Of each kind, the hidden tiles are first as many as are missing to a multiple of three, then threes of any
    kind that was seen; who gets which is drawn.
    """
    deal[:] = real
    hidden = np.flatnonzero(~seen)
    number = hidden.size
    counts = np.bincount(real[seen], minlength=p.counts.size)
    kinds = np.flatnonzero(counts)
    bag = np.empty(number, np.int32)
    filled = 0
    for kind in kinds:
        for _ in range(-counts[kind] % 3):
            bag[filled] = kind
            filled += 1
    while filled < number:
        bag[filled : filled + 3] = kinds[draw(dice, kinds.size)]
        filled += 3
    for place in range(number):
        other = place + draw(dice, number - place)
        bag[place], bag[other] = bag[other], bag[place]
        deal[hidden[place]] = bag[place]


@kernel
def matching_choice(deal: I32, p: Position, opens: I32, found: int, dice: U64) -> int:
    """An open tile of the kind of which most lie in the tray and open, three at the most; of these, in the
    tray; of equals any."""
    number = np.zeros(p.counts.size, np.int64)
    for place in range(found):
        number[deal[opens[place]]] += 1
    best = -1
    chosen = 0
    for place in range(found):
        kind = deal[opens[place]]
        there = p.counts[kind]
        rank = (3 * min(3, number[kind] + there) + there) * TIES + draw(dice, TIES)
        if rank > best:
            best = rank
            chosen = opens[place]
    return int(chosen)


@kernel
def careful_choice(t: Tables, deal: I32, seen: Flags, p: Position, opens: I32, found: int, dice: U64) -> int:
    """The next pick for the triple that takes the fewest picks; where none is in sight, as matching.

    A triple takes its missing tiles, the cheapest of those whose face was `seen` (bool[tiles]), and what lies
    on each. Where something lies on the cheapest of them, the pick is one of the open tiles on it, chosen as
    by `matching_choice`.
    """
    cheapest = np.full((p.counts.size, 3), FAR, np.int64)
    first = np.zeros(p.counts.size, np.int64)
    start = draw(dice, deal.size)  # of tiles that cost the same, any may be the first
    for step in range(deal.size):
        tile = start + step - (deal.size if start + step >= deal.size else 0)
        cost = p.waits[tile] + 1
        kind = deal[tile]
        if cost <= 0 or cost >= cheapest[kind, 2] or not seen[tile]:
            continue
        if cost < cheapest[kind, 0]:
            first[kind] = tile
            cheapest[kind, 2] = cheapest[kind, 1]
            cheapest[kind, 1] = cheapest[kind, 0]
            cheapest[kind, 0] = cost
        elif cost < cheapest[kind, 1]:
            cheapest[kind, 2] = cheapest[kind, 1]
            cheapest[kind, 1] = cost
        else:
            cheapest[kind, 2] = cost
    best = np.int64(FAR) * TIES
    goal = -1
    for kind in range(p.counts.size):
        picks = cheapest[kind, : 3 - p.counts[kind]].sum()
        if picks >= FAR:
            continue
        rank = picks * TIES + draw(dice, TIES)
        if rank < best:
            best = rank
            goal = first[kind]
    if goal < 0 or p.waits[goal] == 0:
        return goal if goal >= 0 else matching_choice(deal, p, opens, found, dice)
    on_it = 0
    for place in range(found):
        tile = opens[place]
        if reaches(t, tile, goal):
            opens[on_it] = tile
            on_it += 1
    return matching_choice(deal, p, opens, on_it, dice)


@kernel
def play_on(t: Tables, s: Sight, deal: I32, p: Position, picks: int, dice: U64) -> int:
    """Picks carefully, at most so many tiles; how many before the game was lost; all when it was won. What
    the deal says of tiles that are hidden still is not looked at."""
    opens = np.empty(deal.size, np.int32)
    seen = np.empty(deal.size, np.bool_)
    room = room_left(t, p)
    for pick in range(picks):
        if room < 0:
            return pick
        found = open_tiles(p.waits, opens)
        if found == 0:
            break
        look(s, p, seen)
        room -= take(t, deal, p, careful_choice(t, deal, seen, p, opens, found, dice))
    return picks


@kernel
def until_news(t: Tables, s: Sight, p: Position, line: I32) -> int:
    """Makes the picks of `line` until a face shows that was hidden; how many that were."""
    before = np.empty(t.kind.size, np.bool_)
    after = np.empty(t.kind.size, np.bool_)
    look(s, p, before)
    for place in range(line.size):
        take(t, t.kind, p, line[place])
        look(s, p, after)
        if np.any(before != after):
            return place + 1
    return int(line.size)


@kernel
def rate_plans(
    t: Tables, s: Sight, p: Position, plans: I32, start: I32, deals: I32, dice: U64, values: I64
) -> None:
    """Adds to the value of each plan how far it and careful play after it get in each deal.

    plans: the picks of plan i are `plans[start[i] : start[i + 1]]`, with room for each in the tray;
    deals: int32[deals, tiles]; values: int64[plans]
    """
    after = Position(p.waits.copy(), p.direct.copy(), p.counts.copy())
    for number in range(deals.shape[0]):
        for plan in range(values.size):
            copy_position(p, after)
            for place in range(start[plan], start[plan + 1]):
                take(t, deals[number], after, plans[place])
            left = t.kind.size
            values[plan] += start[plan + 1] - start[plan] + play_on(t, s, deals[number], after, left, dice)


@kernel
def best_value(values: I64, dice: U64) -> int:
    """The place of the highest value; of equals any."""
    best = np.int64(-1)
    chosen = 0
    for place in range(values.size):
        rank = values[place] * TIES + draw(dice, TIES)
        if rank > best:
            best = rank
            chosen = place
    return chosen


@kernel
def fair_choice(t: Tables, s: Sight, p: Position, style: int, dice: U64) -> int:
    """What a player of this style picks; the game is not over. Of `t.kind` it looks only at what shows."""
    opens = np.empty(p.waits.size, np.int32)
    found = open_tiles(p.waits, opens)
    if style == MATCHING or (style == HURRIED and draw(dice, SLIPS) == 0):
        return matching_choice(t.kind, p, opens, found, dice)
    seen = np.empty(p.waits.size, np.bool_)
    look(s, p, seen)
    return careful_choice(t, t.kind, seen, p, opens, found, dice)


@kernel
def fair_game(t: Tables, s: Sight, p: Position, style: int, dice: U64, clicks: I32) -> int:
    """Plays a position to its end; the picks go to `clicks`. Returns how many; the game is won when nothing
    is left, and lost after the last pick else."""
    left = np.count_nonzero(p.waits >= 0)
    room = room_left(t, p)
    for pick in range(left):
        tile = fair_choice(t, s, p, style, dice)
        clicks[pick] = tile
        room -= take(t, t.kind, p, tile)
        if room < 0:
            return pick + 1
    return int(left)


@kernel
def fair_games(
    t: Tables, s: Sight, start: Position, style: int, games: int, dice: U64, clicks: I32
) -> tuple[int, int]:
    """(games won, tiles picked) of so many games from one position."""
    p = Position(start.waits.copy(), start.direct.copy(), start.counts.copy())
    left = np.count_nonzero(start.waits >= 0)
    won = 0
    picked = 0
    for _ in range(games):
        copy_position(start, p)
        picks = fair_game(t, s, p, style, dice, clicks)
        picked += picks
        won += picks == left
    return won, picked
