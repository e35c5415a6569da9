"""N-tuple networks over afterstates, compiled: values, games by one ply, and learning from them.

A board is seen in its 8 symmetric images. Each tuple of cells is a mask: the bits of an image under it are
the place of a weight. What takes time is to fetch weights from memory, so boards are first laid out in
planes: bit 16 * b + cell is bit b of the cell's exponent. Then a place begins with the lowest bits of all
the cells, and boards that differ by small exponents, as those before and after a move do, find their weights
side by side. And places are found for all moves, and their weights asked for, before any is added up.

`places`, uint32 [boards, tuples, 8], is room for where the weights of some boards are.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from winnable.compiled.bit_kernels import gather_bits
from winnable.compiled.jit import inlined_kernel, kernel
from winnable.compiled.memory_kernels import prefetch
from winnable.games.game2048.board.kernels import Words, afterstates, largest, with_new_tile
from winnable.inert.arrays import F32, I16, U8, U32, U64, U, np

Word: TypeAlias = "np.uint64"


class Net(NamedTuple):
    """A network.

    weights: float32 [stages * size], by stage, tuple and place
    masks:   uint64 [tuples, 2]: of the cells, in planes; and where the tuple's weights begin in a stage
    limits:  uint64 [stages, 2], with 16 - e in every byte: first, boards with an exponent of e or more are
             seen folded, and 0; then, where the next stage is from exponent e on, and size
    """

    weights: F32
    masks: U64
    limits: U64


class Learning(NamedTuple):
    """How it learns; see `learn`.

    rate:      of each weight
    decay:     lambda
    coherence: float32 [2 * stages * size], for each weight the sum of its errors and of their absolute
               values; or float32 [0] to learn without
    """

    rate: np.float32
    decay: np.float32
    coherence: F32


@kernel
def change(weights: F32, flags: U8, changes: I16, step: np.float32) -> int:
    """Adds so many steps to the weights that have a flag, a bit of uint8 [weights / 8] -> how many these are;
    the first ones only, if there are more of them than changes."""
    done = 0
    for place in range(len(flags)):
        if flags[place] == 0:
            continue
        for bit in range(8):
            if flags[place] >> (7 - bit) & 1:
                if done < len(changes):
                    weights[8 * place + bit] += np.float32(changes[done]) * step
                done += 1
    return done


@kernel
def planes(board: Word) -> Word:
    """A board of cells in planes."""
    return (
        gather_bits(board, U(0x1111111111111111))
        | gather_bits(board, U(0x2222222222222222)) << U(16)
        | gather_bits(board, U(0x4444444444444444)) << U(32)
        | gather_bits(board, U(0x8888888888888888)) << U(48)
    )


@kernel
def turned(board: Word) -> Word:
    """The board in planes with its rows as columns."""
    swap = (board ^ board >> U(3)) & U(0x0A0A0A0A0A0A0A0A)
    board ^= swap ^ swap << U(3)
    swap = (board ^ board >> U(6)) & U(0x00CC00CC00CC00CC)
    return board ^ swap ^ swap << U(6)


@kernel
def mirrored(board: Word) -> Word:
    """The board in planes with left and right exchanged."""
    board = (board & U(0x5555555555555555)) << U(1) | board >> U(1) & U(0x5555555555555555)
    return (board & U(0x3333333333333333)) << U(2) | board >> U(2) & U(0x3333333333333333)


@kernel
def flipped(board: Word) -> Word:
    """The board in planes with above and below exchanged."""
    board = (board & U(0x0F0F0F0F0F0F0F0F)) << U(4) | board >> U(4) & U(0x0F0F0F0F0F0F0F0F)
    return (board & U(0x00FF00FF00FF00FF)) << U(8) | board >> U(8) & U(0x00FF00FF00FF00FF)


@kernel
def images(board: Word) -> tuple[Word, Word, Word, Word, Word, Word, Word, Word]:
    """A board of cells in planes, in all 8 ways to turn and mirror it."""
    a = planes(board)
    b, c = mirrored(a), flipped(a)
    d, e = flipped(b), turned(a)
    f, g = mirrored(e), flipped(e)
    return a, b, c, d, e, f, g, flipped(f)


@inlined_kernel
def reaches(board: Word, limit: Word) -> bool:
    """Whether an exponent is e or more, by 16 - e in every byte: added up, one of 16 or more has a one in its
    byte's high half."""
    even = board & U(0x0F0F0F0F0F0F0F0F)
    odd = board >> U(4) & U(0x0F0F0F0F0F0F0F0F)
    return (even + limit | odd + limit) & U(0x1010101010101010) != U(0)


@kernel
def folded(board: Word, limit: Word) -> Word:
    """Folds the board: while an exponent reaches the limit, and one is missing below the largest: all that
    are larger than the missing one less by 1. So equal tiles stay equal, and others different
    (tile-downgrading, H. Guei et al., IEEE Trans. Games 14, 2022)."""
    while reaches(board, limit):
        there = U(0)
        for cell in range(16):
            there |= U(1) << (board >> U(4 * cell) & U(15))
        missing = 15
        while there >> U(missing) == U(0):
            missing -= 1
        while missing > 0 and there >> U(missing) & U(1) != U(0):
            missing -= 1
        if missing == 0:
            break
        for cell in range(16):
            if board >> U(4 * cell) & U(15) > U(missing):
                board -= U(1) << U(4 * cell)
    return board


@inlined_kernel
def as_seen(board: Word, limits: U64) -> Word:
    """What weights are looked up of."""
    return folded(board, limits[0, 0]) if reaches(board, limits[0, 0]) else board


@inlined_kernel
def stage_start(board: Word, limits: U64) -> Word:
    """The place where the weights of the board's stage begin."""
    start = U(0)
    for number in range(1, len(limits)):
        if reaches(board, limits[number, 0]):
            start += limits[number, 1]
    return start


@kernel
def value(board: Word, net: Net) -> np.float32:
    """What a board after a move is worth: the rewards to come."""
    weights, masks, limits = net
    board = as_seen(board, limits)
    seen, start = images(board), stage_start(board, limits)
    whole: Any = np.float32(0)
    for number in range(len(masks)):
        mask, first, part = masks[number, 0], masks[number, 1] + start, np.float32(0)
        for image in range(8):
            part += weights[first + gather_bits(seen[image], mask)]
        whole += part
    return whole


@inlined_kernel
def look_up(board: Word, row: int, places: U32, weights: F32, masks: U64, limits: U64) -> None:
    """Finds places[row], and asks for the weights there."""
    board = as_seen(board, limits)
    seen, start = images(board), stage_start(board, limits)
    for number in range(len(masks)):
        mask, first = masks[number, 0], masks[number, 1] + start
        for image in range(8):
            place = first + gather_bits(seen[image], mask)
            places[row, number, image] = place
            prefetch(weights, place)


@inlined_kernel
def looked_up(row: int, places: U32, weights: F32) -> np.float32:
    """The same as `value`, of the board that was looked up."""
    whole: Any = np.float32(0)
    for number in range(places.shape[1]):
        part = np.float32(0)
        for image in range(8):
            part += weights[places[row, number, image]]
        whole += part
    return whole


@inlined_kernel
def look_up_moves(board: Word, afters: Words, places: U32, weights: F32, masks: U64, limits: U64) -> int:
    """Looks up the afterstate of each legal action, in the action's row -> how many there are."""
    legal = 0
    for action in range(4):
        if afters[action] != board:
            look_up(afters[action], action, places, weights, masks, limits)
            legal += 1
    return legal


@inlined_kernel
def best_move(
    board: Word, places: U32, weights: F32, masks: U64, limits: U64, slides: U64
) -> tuple[Word, Word]:
    """The afterstate that is worth most together with its reward, and the reward; the board itself when no
    move is legal."""
    afters, rewards = afterstates(board, slides)
    look_up_moves(board, afters, places, weights, masks, limits)
    best, chosen, gained = np.float32(-np.inf), board, U(0)
    for action in range(4):
        if afters[action] != board:
            worth = np.float32(rewards[action]) + looked_up(action, places, weights)
            if worth > best:
                best, chosen, gained = worth, afters[action], rewards[action]
    return chosen, gained


@kernel
def play(fours: int, folding: bool, history: U64, places: U32, net: Net, slides: U64, dice: U64) -> int:
    """A game from the beginning, each move the best one -> how many there were. history, uint64 [MOST_MOVES,
    2], gets the afterstates and rewards. `folding`: it goes on as boards are seen, so that it stays among
    those that weights are for; and for so long that `history` may be full before it is over."""
    weights, masks, limits = net
    board, made = with_new_tile(with_new_tile(U(0), fours, dice), fours, dice), 0
    while made < len(history):
        after, reward = best_move(board, places, weights, masks, limits, slides)
        if after == board:
            break
        history[made, 0], history[made, 1] = after, reward
        made += 1
        board = with_new_tile(as_seen(after, limits) if folding else after, fours, dice)
    return made


@kernel
def makes(
    after: Word, limit: Word, fours: int, games: int, places: U32, net: Net, slides: U64, dice: U64
) -> int:
    """Games that go on from a board after a move, each move the best one -> how many of them make the tile of
    `limit`, see `reaches`."""
    weights, masks, limits = net
    made = 0
    for _ in range(games):
        before, board = U(0), after
        while board != before and not reaches(board, limit):
            before = with_new_tile(board, fours, dice)
            board, _reward = best_move(before, places, weights, masks, limits, slides)
        made += reaches(board, limit)
    return made


@kernel
def fetch_coherence(row: int, places: U32, coherence: F32) -> None:
    """Asks for what `correct_coherently` will need of it."""
    for number in range(places.shape[1]):
        for image in range(8):
            prefetch(coherence, U(2) * U(places[row, number, image]))


@kernel
def correct(row: int, error: np.float32, rate: np.float32, places: U32, weights: F32) -> None:
    """Adds rate * error to each weight."""
    for number in range(places.shape[1]):
        for image in range(8):
            weights[places[row, number, image]] += rate * error


@kernel
def correct_coherently(
    row: int, error: np.float32, rate: np.float32, places: U32, weights: F32, coherence: F32
) -> None:
    """Temporal coherence (D. F. Beal and M. C. Smith, IJCAI 1999): each weight also has a rate of its own, 1
    as long as all its errors had one sign, and less the more they cancelled out."""
    step, size = rate * error, abs(error)
    for number in range(places.shape[1]):
        for image in range(8):
            place = U(places[row, number, image])
            pair = U(2) * place
            net, gross = coherence[pair], coherence[pair + U(1)]
            weights[place] += step * (abs(net) / gross) if gross > 0 else step
            coherence[pair] = net + error
            coherence[pair + U(1)] = gross + size


@kernel
def learn(made: int, history: U64, learning: Learning, places: U32, net: Net) -> np.float32:
    """Goes from the last move of a game back to the first: corrects the value of each afterstate towards its
    lambda return (R. S. Sutton, Machine Learning 3, 1988): what came of it, mixed with the corrected value of
    the next afterstate. While one learns, the weights of the one before it are fetched. -> what the game's
    beginning is worth."""
    (weights, masks, limits), (rate, decay, coherence) = net, learning
    goal: Any = np.float32(0)
    for move in range(made, -1, -1):
        if move > 0:
            look_up(history[move - 1, 0], move - 1 & 1, places, weights, masks, limits)
            if len(coherence) > 0:
                fetch_coherence(move - 1 & 1, places, coherence)
        if move < made:
            row = move & 1
            error = goal - looked_up(row, places, weights)
            if len(coherence) > 0:
                correct_coherently(row, error, rate, places, weights, coherence)
            else:
                correct(row, error, rate, places, weights)
            corrected = looked_up(row, places, weights)
            goal = np.float32(history[move, 1]) + (np.float32(1) - decay) * corrected + decay * goal
    return goal


@kernel
def train(
    quota: int, learning: Learning, fours: int, scores: U64, largest_tiles: U8, history: U64, places: U32,
    net: Net, slides: U64, dice: U64,
) -> tuple[int, int]:  # fmt: skip
    """Plays, and learns from each game unless the rate is 0, until `quota` moves are made, `scores` is full,
    or weights are no finite numbers any more -> games and moves. largest_tiles: of each game, the exponent of
    the largest tile that was made."""
    games, moves = 0, 0
    while moves < quota and games < len(scores):
        learns = bool(learning.rate > 0)
        made = play(fours, learns, history, places, net, slides, dice)
        worth = learn(made, history, learning, places, net) if learns else np.float32(0)
        if made == 0 or not np.isfinite(worth):
            break
        score, top = U(0), largest(history[made - 1, 0])
        for move in range(made):
            score += history[move, 1]
            if history[move, 1] >> U(top) > U(1):
                top = max(top, largest(history[move, 0]))
        scores[games], largest_tiles[games] = score, top
        games += 1
        moves += made
    return games, moves
