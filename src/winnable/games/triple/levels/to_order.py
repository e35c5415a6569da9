"""Levels as hard as asked: kinds are swapped between tiles until a player wins a given share of its games."""

from __future__ import annotations

import random
from dataclasses import dataclass
from math import sqrt
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from winnable import __version__
from winnable.contract.core import Budget, LevelError, Search
from winnable.contract.game import GaveUp, keep_to
from winnable.contract.provenance import Certificate, Provenance
from winnable.games.triple.levels.draws import shuffled
from winnable.games.triple.players.by_name import SKILLS
from winnable.games.triple.players.fair_players import QUICK, Quick
from winnable.games.triple.rules.level import Level
from winnable.games.triple.rules.puzzle import Triple
from winnable.games.triple.solve.plan import find_plan
from winnable.inert.arrays import I32, np
from winnable.levels.certificates import line_certificate
from winnable.search.meter import Meter

WITHIN = 0.03
"""Of the share that is asked for."""
Z99 = 2.5758293035489004
"""The standard normal quantile of 0.995: more than 95 %, as a deal is looked at more than once."""
FIRST_GAMES, MORE_GAMES, LAST_GAMES = 50, 200, 2000
"""For a look at a deal, for one that looks good, and to be sure of it."""
LOOKS = 4
FRESH = 20
"""Deals to begin with."""
STEPS = 12
"""Swaps at a time where all games are to be lost and all are won."""
MOST_GAMES = 300_000
"""A count, not a clock, so that the same arguments give the same level on a slow machine too."""
SMALLEST_RATE = 0.005
"""Less than this, and the games that tell it from nothing would take too long."""


@dataclass(slots=True)
class _Deal:
    """kinds: int32[tiles], renumbered from 0; won, picked, games: of those played on it"""

    kinds: I32
    won: int = 0
    picked: int = 0
    games: int = 0

    @property
    def rate(self) -> float:
        return self.won / self.games

    def off(self, rate: float) -> float:
        """How far from what is asked; where nothing was won, less when more was picked."""
        missing = 0.0 if self.won else 1 - self.picked / (self.games * self.kinds.size)
        return abs(self.rate - rate) + missing

    def noise(self) -> float:
        """The standard error of the rate, as if one more game had been won and one lost."""
        share = (self.won + 1) / (self.games + 2)
        return sqrt(share * (1 - share) / self.games)


def adjusted(level: Level, player: str, rate: float, seed: int, budget: Budget) -> Search[Level]:
    """`level` with some kinds swapped so that `player` wins this share of its games, within WITHIN with 95 %
    confidence, and by half of the share at the most where that is less, and one of the games as its
    certificate.

    One game counts as one expanded node of the budget. Raises GaveUp when the budget or MOST_GAMES are used
    up, LevelError for a player that is not quick and for shares below SMALLEST_RATE or above 1 -
    SMALLEST_RATE.
    """
    if player not in QUICK:
        raise LevelError("triple.order.by", field="by", given=player[:40], known=list(QUICK))
    if not SMALLEST_RATE <= rate <= 1 - SMALLEST_RATE:
        raise LevelError(
            "triple.order.rate",
            field="difficulty",
            player=player,
            rate=f"{rate:.2%}",
            skill=f"{SKILLS[player]:.0f}",
            low=f"{SMALLEST_RATE:.1%}",
            high=f"{1 - SMALLEST_RATE:.1%}",
        )
    if level.tools is not None:
        raise LevelError("triple.order.tools", field="tools")
    kinds, numbers = np.unique([tile.kind for tile in level.tiles], return_inverse=True)
    puzzle = Triple(level)
    yield from find_plan(puzzle, Meter(budget))
    search = _Search(Quick(puzzle, player, seed), rate, seed, budget)
    found = yield from search.run(_Deal(numbers.astype(np.int32)))
    made = level.with_kinds(kinds[found.kinds].tolist())
    origin: dict[str, Any] | None = level.provenance and to_builtins(level.provenance)
    params: dict[str, Any] = {"player": player, "win_rate": rate, "from": origin}
    return replace(
        made,
        provenance=Provenance("triple/to-order", __version__, params, seed),
        certificate=(yield from _won_game(made, player, budget)),
    )


def _won_game(level: Level, player: str, budget: Budget) -> Search[Certificate]:
    """The player's first one."""
    puzzle, seed = Triple(level), 0
    yield from find_plan(puzzle, Meter(budget))
    while len(line := Quick(puzzle, player, seed).play()) < puzzle.num_actions:
        yield from keep_to(budget)
        seed += 1
    return line_certificate(f"triple/{player}", line)


class _Search:
    def __init__(self, player: Quick, rate: float, seed: int, budget: Budget) -> None:
        self._player = player
        self._rate = rate
        self._draw = random.Random(seed).random
        self._budget = budget
        self._games = 0

    def run(self, deal: _Deal) -> Search[_Deal]:
        """A deal that is as asked."""
        yield from self._play(deal, MORE_GAMES)
        dealt = deal
        for _ in range(FRESH):
            deal = min(deal, (yield from self._fresh(dealt)), key=lambda one: one.off(self._rate))
        while True:
            if deal.off(self._rate) <= deal.noise():
                deal = _Deal(deal.kinds)  # the games that it was chosen for flatter it
                if (yield from self._is_as_asked(deal)):
                    return deal
            other = self._swapped(deal)
            yield from self._play(other, FIRST_GAMES)
            if other.off(self._rate) - 2 * other.noise() > deal.off(self._rate):
                continue
            yield from self._play(other, MORE_GAMES)
            if other.off(self._rate) < deal.off(self._rate):
                deal = other

    def _is_as_asked(self, deal: _Deal) -> Search[bool]:
        for _ in range(LOOKS):
            yield from self._play(deal, LAST_GAMES)
            off, doubt = deal.off(self._rate), Z99 * deal.noise()
            if off + doubt <= WITHIN and off <= min(self._rate, 1 - self._rate) / 2:
                return True
            if off - doubt > WITHIN / 2:
                return False
        return False

    def _play(self, deal: _Deal, games: int) -> Search[None]:
        for _ in range(0, games, FIRST_GAMES):
            if self._games >= MOST_GAMES or self._budget.limit(self._games) is not None:
                raise self._failure(deal)
            yield from self._play_some(deal)

    def _failure(self, deal: _Deal) -> GaveUp:
        if not deal.games:
            return GaveUp("triple.order.budget", field="difficulty", games=self._games)
        rates = {"rate": f"{self._rate:.1%}", "last": f"{deal.rate:.1%}"}
        return GaveUp("triple.order.none", field="difficulty", games=self._games, **rates)

    def _play_some(self, deal: _Deal) -> Search[None]:
        """FIRST_GAMES: so often their number is asked."""
        end = deal.games + FIRST_GAMES
        while deal.games < end:
            yield from self._budget.allows("making", self._games, self._games)
            if self._budget.limit(0) is not None:
                raise self._failure(deal)
            games = min(self._player.at_once, end - deal.games)
            won, picked = self._player.play_deal(deal.kinds, games)
            deal.won, deal.picked, deal.games = deal.won + won, deal.picked + picked, deal.games + games
            self._games += games

    def _fresh(self, deal: _Deal) -> Search[_Deal]:
        """All kinds dealt anew."""
        fresh = _Deal(np.array(shuffled(deal.kinds.tolist(), self._draw), np.int32))
        yield from self._play(fresh, FIRST_GAMES)
        return fresh

    def _swapped(self, deal: _Deal) -> _Deal:
        """Some pairs of tiles have exchanged their kinds; more of them the further there is to go."""
        kinds = deal.kinds.copy()
        for _ in range(1 + int(STEPS * deal.off(self._rate))):
            one, other = int(self._draw() * kinds.size), int(self._draw() * kinds.size)
            kinds[one], kinds[other] = kinds[other], kinds[one]
        return _Deal(kinds)
