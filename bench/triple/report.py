"""What the real game and the article's boards are like, by verdicts with proofs, and how hard they are.

Layouts and boards of the real game are read as in triple-decide and triple-recorded. Only their names and
figures are told.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import isinf
from pathlib import Path
from typing import Final

import msgspec

from bench.document import document
from bench.kept_games import KeptGames
from bench.processor_budget import ProcessorBudget
from bench.report import Row, mean_row, rate_row
from bench.triple.article_table import PUBLISHED
from bench.triple.decide import layout_name, real_layouts
from bench.triple.recorded import recorded_boards
from winnable.contract.core import Status, finish, replay
from winnable.games.triple.game import GAME
from winnable.games.triple.levels.generator import Params, generate
from winnable.games.triple.measure.fewest_tools import TOOL_SETS, fewest_tools
from winnable.games.triple.measure.tray import smallest_tray
from winnable.games.triple.players.by_name import PLAYERS, SKILLS
from winnable.games.triple.players.fair_players import QUICK
from winnable.games.triple.players.greedy_kernels import play_greedy
from winnable.games.triple.rules.level import Level
from winnable.games.triple.rules.puzzle import Triple
from winnable.games.triple.solve.solver import solve_auto
from winnable.levels.find import find_level
from winnable.play.playing import whole_game
from winnable.stats.skill import Played, difficulty

SECONDS: Final = 10.0
"""Of the processor, for each verdict."""
WORDS: Final = {"solved": "winnable", "unsolvable": "unsolvable", "budget": "undecided"}
PLAYED: Final = (*QUICK, "sampling-4")
TAKEN_BY: Final = "careful"
"""Of these games it is also told how far they got: most boards of the real game nobody wins."""
FAIR_GAMES: Final = 100
SLOW_GAMES: Final = 10
"""On a board, of players that are not quick."""
HELPED: Final = 4
"""Unsolvable deals of each layout, at most, for which tools are tried."""

SECTIONS: Final = {
    "real": """# Triple: the real game, proved

*本页只有英文；[词汇表](glossary.md)有中文。*

Every verdict is proved: winnable boards by a line that the readable rules replayed, unsolvable ones by a
search that was exhaustive. Shares have 95 % intervals (Wilson's), difficulties theirs by the likelihood.

## Can the real game be won?

Deals by the real game's own shuffle onto layouts of its days, with 7 slots and no tools; 10 seconds of
the processor for each.""",
    "tools": """## What tools are worth

Of the first unsolvable deals of each layout: how many can be won with more slots, how many of them on the
mean; and how many with one use of a tool, moving three tiles out of the tray or dealing the kinds on the
board anew. 10 seconds of the processor for each of the three; a line that the rules replayed for each.""",
    "article": """## The article's boards

The article's random boards of 360 tiles. Its automatic player loses most of them, from which it concludes
that they have no solution.""",
    "daily": """## How hard are daily levels?

Boards that players recorded. The players here see what a person sees; `careful` has 2,000 points, and a
level is as difficult as the skill with which half of the games are won. Where nobody won, that is the
lower end of its interval; how many of the tiles `careful` took, on the mean, tells how early these games
were lost.""",
}


def rows(
    games: int = 100, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Iterator[Row]:
    """games: deals onto each layout, and boards of each number of layers. Deals are decided on worker
    processes and kept, so that the next run goes on from there. What is not at hand is left out."""
    GAME.warm()
    layouts = real_layouts()
    steps = [
        *(partial(_layout, path, games, seed) for path in layouts),
        partial(_all_layouts, layouts, games, seed),
        *(partial(_tools, path, games, seed) for path in layouts),
        *(partial(_layers, number, games, seed) for number in PUBLISHED),
        *(partial(_daily, path, seed) for path in recorded_boards()),
    ]
    for done, step in enumerate(steps, 1):
        yield from step()
        if progress is not None:
            progress(done, len(steps))


def as_document(rows: list[Row]) -> str:
    """In Markdown."""
    return document("winnable bench triple-report --document docs/triple-report.md", rows, SECTIONS)


class Decided(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deal, by its seed, and what is known of it."""

    deal: int
    status: Status = "budget"
    over: bool = False


class Helped(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An unsolvable deal, the smallest tray with which a line is known, and the fewest uses of each tool with
    which one is; None: with none."""

    deal: int
    slots: int | None = None
    move_outs: int | None = None
    shuffles: int | None = None
    over: bool = False


def _layout(path: Path, games: int, seed: int) -> Iterator[Row]:
    name, deals = layout_name(path), _deals(path).play_out(range(seed, seed + games))
    yield Row(f"real: {name}: tiles", len(find_level(str(path), seed).level.tiles))
    yield from _verdicts(name, deals, seed)


def _all_layouts(paths: Sequence[Path], games: int, seed: int) -> Iterator[Row]:
    """After `_layout` of each."""
    seeds = range(seed, seed + games)
    if deals := [deal for path in paths for deal in _deals(path).as_they_stand(seeds)]:
        yield from _verdicts("all", deals, seed)


def _verdicts(item: str, deals: Sequence[Decided], seed: int) -> Iterator[Row]:
    every = [deal.status for deal in deals]
    for status, word in WORDS.items():
        yield rate_row(f"real: {item}: {word}", every.count(status), len(every), seed)


def _tools(path: Path, games: int, seed: int) -> Iterator[Row]:
    """After `_layout`."""
    deals = _deals(path).as_they_stand(range(seed, seed + games))
    lost = [one.deal for one in deals if one.status == "unsolvable"][:HELPED]
    if not lost:
        return
    kept = KeptGames("triple-report-tools", [_digest(path), SECONDS], Helped, Helped, partial(_help, path))
    helped, item = kept.play_out(lost), f"tools: {layout_name(path)}"
    slots = [one.slots for one in helped if one.slots is not None]
    yield Row(f"{item}: deals", len(helped), seed=seed)
    yield Row(f"{item}: won with more slots", len(slots), seed=seed)
    if slots:
        yield mean_row(f"{item}: slots", slots, "slots", seed)
    for tool, uses in (
        ("move-out", [one.move_outs for one in helped]),
        ("shuffle", [one.shuffles for one in helped]),
    ):
        yield Row(f"{item}: won with one {tool}", uses.count(1), seed=seed)


def _deals(path: Path) -> KeptGames[Decided]:
    return KeptGames("triple-report", [_digest(path), SECONDS], Decided, Decided, partial(_decide, path))


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _help(path: Path, deal: Helped) -> Helped:
    level = find_level(str(path), deal.deal).level
    move_outs, shuffles = (
        finish(fewest_tools(level, TOOL_SETS[name], ProcessorBudget(SECONDS), 0)).won
        for name in ("move-outs", "shuffles")
    )
    slots = finish(smallest_tray(level, ProcessorBudget(SECONDS), 0)).won
    return Helped(deal.deal, slots, move_outs, shuffles, over=True)


def _decide(path: Path, deal: Decided) -> Decided:
    return Decided(deal.deal, _verdict(find_level(str(path), deal.deal).level), over=True)


def _verdict(level: Level) -> Status:
    return finish(solve_auto(Triple(level), 0, ProcessorBudget(SECONDS), 0)).status


def _layers(number: int, games: int, seed: int) -> Iterator[Row]:
    levels = [finish(generate(Params(layers=number), one)) for one in range(seed, seed + games)]
    item, verdicts = f"{number} layers", [_verdict(level) for level in levels]
    won = sum(play_greedy(level).won for level in levels)
    yield Row(f"article: {item}: won by its player, says the article (%)", 100 * PUBLISHED[number][0])
    yield rate_row(f"article: {item}: won by its player, here", won, games, seed)
    yield rate_row(f"article: {item}: winnable", verdicts.count("solved"), games, seed)
    yield rate_row(f"article: {item}: unsolvable", verdicts.count("unsolvable"), games, seed)


def _daily(path: Path, seed: int) -> Iterator[Row]:
    level = find_level(str(path)).level
    puzzle, verdict = Triple(level), _verdict(level)
    item = f"{path.stem} ({WORDS[verdict]})"
    yield Row(f"daily: {item}: tiles", len(level.tiles))
    if verdict == "unsolvable":
        return
    played: list[Played] = []
    for name in PLAYED:
        games = FAIR_GAMES if name in QUICK else SLOW_GAMES
        lines = [whole_game(puzzle, PLAYERS[name](puzzle, seed + game)) for game in range(games)]
        won = sum(puzzle.is_goal(replay(puzzle, line)) for line in lines)
        played.append(Played(SKILLS[name], won, games))
        yield rate_row(f"daily: {item}: won by {name}", won, games, seed)
        if name == TAKEN_BY:
            shares = [len(line) / puzzle.num_actions for line in lines]
            yield mean_row(f"daily: {item}: tiles taken by {name}", shares, seed=seed)
    points, low, high = difficulty(played)
    if isinf(points):
        yield Row(f"daily: {item}: difficulty", low, "points or more")
    else:
        yield Row(f"daily: {item}: difficulty", points, "points", low, high)
