"""Players of triple that know no more than a person sees, from careless to strong; see fair_kernels.py."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from winnable.compiled.dice_kernels import new_dice
from winnable.contract.core import Action, Budget, LevelError, Player, Search, finish
from winnable.games.triple.players import fair_kernels
from winnable.games.triple.players.fair_kernels import CAREFUL, HURRIED, MATCHING, Position, Sight
from winnable.games.triple.rules.level import Level, Tile
from winnable.games.triple.rules.puzzle import Picked, Triple
from winnable.games.triple.solve.kernel_search import BeamSearch, Weights
from winnable.games.triple.solve.kernels import Tables
from winnable.games.triple.solve.plan import MAX_CLOSED_TILES, plan_of
from winnable.inert.arrays import I32, U64, np
from winnable.search.meter import Meter

QUICK: Mapping[str, int] = {"matching": MATCHING, "hurried": HURRIED, "careful": CAREFUL}
"""Name -> the kernel's rule."""
DEALS: Mapping[str, int] = {"sampling-4": 4, "sampling-16": 16}
"""Name -> deals that are imagined for each pick."""
GAMES_AT_ONCE, TILES_AT_ONCE = 20, 8_000
"""Of those players; so many games, with so many tiles, between two looks at a budget."""
MOST_TILES = 400
"""For those that imagine deals: a game takes up to half a minute here, and its time grows with the cube."""
BEAM_WEIGHTS: Weights = (2, 4, 8, 1)
Plan: TypeAlias = tuple[Action, ...]
"""Picks, one after the other."""


class _Fair:
    """What fair players have in common: the level as their kernels have it, and dice. The same seed, the same
    game; nothing hidden is looked at."""

    def __init__(self, puzzle: Triple, seed: int, most_tiles: int) -> None:
        """Raises LevelError for more tiles."""
        if puzzle.num_actions > most_tiles:
            raise LevelError("tiles.most", field="tiles", given=puzzle.num_actions, most=most_tiles)
        self._puzzle = puzzle
        self._plan = plan_of(puzzle)
        self._tables = self._plan.forward
        self._dice = new_dice(seed)
        self._sight = Sight(
            np.array([len(covers) for covers in puzzle.covers], np.int16),
            np.array(puzzle.buried, np.bool_),
            np.array([tile.hidden for tile in puzzle.level.tiles], np.bool_),
        )

    def _position(self, state: Picked) -> Position:
        root = self._plan.root(self._tables, state)
        direct = [sum(not state >> above & 1 for above in covers) for covers in self._puzzle.covers]
        return Position(root.waits, np.array(direct, np.int16), root.counts)


class Quick(_Fair):
    """One of QUICK on one level."""

    def __init__(self, puzzle: Triple, name: str, seed: int = 0) -> None:
        """Raises LevelError for more than MAX_CLOSED_TILES tiles."""
        super().__init__(puzzle, seed, MAX_CLOSED_TILES)
        self._style, self._seed = QUICK[name], seed
        self._start = self._position(puzzle.initial())
        self.at_once = max(1, min(GAMES_AT_ONCE, TILES_AT_ONCE // puzzle.num_actions))
        """Games to play between two looks at a budget."""

    def choose(self, state: Picked) -> Action:
        """The next pick."""
        position = self._position(state)
        return int(fair_kernels.fair_choice(self._tables, self._sight, position, self._style, self._dice))

    def play(self) -> tuple[Action, ...]:
        """A whole game from the start, to the last tile or the one that filled the tray."""
        clicks = np.empty(self._puzzle.num_actions, np.int32)
        position = Position(*(part.copy() for part in self._start))
        picks = fair_kernels.fair_game(self._tables, self._sight, position, self._style, self._dice, clicks)
        return tuple(clicks[:picks].tolist())

    def play_deal(self, deal: I32, games: int) -> tuple[int, int]:
        """(games won, tiles picked) of so many games with other kinds on the tiles; deal: int32[tiles], the
        kinds renumbered from 0 without gaps."""
        return self._play(self._plan.dealt(self._tables, deal), self._start, games, self._dice)

    def _play(self, tables: Tables, position: Position, games: int, dice: U64) -> tuple[int, int]:
        clicks = np.empty(self._puzzle.num_actions, np.int32)
        won, picked = fair_kernels.fair_games(tables, self._sight, position, self._style, games, dice, clicks)
        return int(won), int(picked)

    def play_from(self, state: Picked, games: int) -> Iterator[bool]:
        """Whether it wins so many games from there, one after the other: each as a player made with the next
        seed, from its own on, plays them pick by pick. So all who count such games count the same ones."""
        position = self._position(state)
        for seed in range(self._seed, self._seed + games):
            yield self._play(self._tables, position, 1, new_dice(seed))[0] > 0


class _Imagining(_Fair):
    """Of those that imagine deals."""

    def __init__(self, puzzle: Triple, deals: int, seed: int = 0) -> None:
        """Raises LevelError for more than MOST_TILES tiles."""
        super().__init__(puzzle, seed, MOST_TILES)
        self._deals, self._meter = deals, Meter(Budget())

    def _imagine(self, position: Position) -> I32:
        """int32[deals, tiles], those that a person may believe in."""
        imagined = np.empty((self._deals, self._puzzle.num_actions), np.int32)
        fair_kernels.imagine(self._tables.kind, self._sight, position, imagined, self._dice)
        return imagined

    def _best(self, position: Position, plans: Sequence[Plan], deals: I32) -> Search[Plan]:
        """The one after which careful play gets furthest, on the mean of the deals."""
        start = np.cumsum([0, *map(len, plans)]).astype(np.int32)
        picks = np.array([tile for plan in plans for tile in plan], np.int32)
        values = np.zeros(len(plans), np.int64)
        tables, sight, dice = self._tables, self._sight, self._dice
        for deal in deals:
            yield from self._meter.allows("outlook")
            fair_kernels.rate_plans(tables, sight, position, picks, start, deal[None], dice, values)
        return plans[fair_kernels.best_value(values, dice)]


class Sampling(_Imagining):
    """Picks the tile after which careful play gets furthest, on the mean of imagined deals."""

    def choose(self, state: Picked) -> Search[Action]:
        """The pick that does best in the imagined deals."""
        position, tiles = self._position(state), self._puzzle.uncovered(state)
        deals = self._imagine(position)
        return (yield from self._best(position, [(tile,) for tile in tiles], deals))[0]


class Foresight(_Imagining):
    """Imagines deals and finds a line that wins each by a beam. Of these, each as far as the next hidden
    face, and of all single picks it follows the one after which careful play gets furthest in all the
    deals."""

    def __init__(self, puzzle: Triple, seed: int = 0, deals: int = 8, width: int = 5) -> None:
        """Raises LevelError for more than MOST_TILES tiles."""
        super().__init__(puzzle, deals, seed)
        self._width = width
        self._planned: dict[Picked, Action] = {}

    def choose(self, state: Picked) -> Search[Action]:
        """The next pick of its plan; where that has ended, the first one of a new plan."""
        if state not in self._planned:
            plan, reached = (yield from self._best_plan(state)), state
            self._planned = {}
            for action in plan:
                self._planned[reached] = action
                reached |= 1 << action
        return self._planned[state]

    def _best_plan(self, state: Picked) -> Search[Plan]:
        position = self._position(state)
        deals = self._imagine(position)
        plans: set[Plan] = {(tile,) for tile in self._puzzle.uncovered(state)}
        for deal in deals if len(plans) > 1 else ():
            if line := (yield from self._line(state, deal)):
                plans.add(self._until_news(position, line))
        return (yield from self._best(position, sorted(plans), deals))

    def _line(self, state: Picked, deal: I32) -> Search[Plan]:
        """One that wins if the tiles lie so; empty when none was found."""
        tables = self._plan.dealt(self._tables, deal)
        search = BeamSearch(self._plan, tables, state, self._width, BEAM_WEIGHTS, 0)
        return search.line() if (yield from search.run(self._meter)) == "solved" else ()

    def _until_news(self, position: Position, line: Plan) -> Plan:
        after = Position(*(part.copy() for part in position))
        picks = fair_kernels.until_news(self._tables, self._sight, after, np.array(line, np.int32))
        return line[:picks]


def make_player(name: str, puzzle: Triple, seed: int) -> Player[Picked]:
    """One of QUICK or DEALS, or `foresight`."""
    if name in QUICK:
        return Quick(puzzle, name, seed)
    return Sampling(puzzle, DEALS[name], seed) if name in DEALS else Foresight(puzzle, seed)


def warm() -> None:
    """Compiles every kernel."""
    puzzle = Triple(Level((Tile(0, 0, 0, 0), Tile(0, 0, 0, 1), Tile(0, 8, 0, 0))))
    for player in (Quick(puzzle, "matching"), Sampling(puzzle, 1), Foresight(puzzle)):
        finish(player.choose(puzzle.initial()))
    Quick(puzzle, "matching").play()
    Quick(puzzle, "matching").play_deal(np.zeros(3, np.int32), 1)
