"""What `winnable bench NAME` runs. The modules are imported only when their benchmark is asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from winnable.contract.core import WinnableError

if TYPE_CHECKING:
    from bench.report import Row

CHECKOUT = Path(__file__).parents[1]
SHARED = CHECKOUT.parent / "shared" / "data"
"""Recorded boards, where there are any."""
PYTHON_PATH = os.pathsep.join([str(CHECKOUT / "src"), str(CHECKOUT)])
"""With which another Python finds both packages, this one and what it measures."""

Rows: TypeAlias = "Callable[..., Iterator[Row]]"
"""`rows(games=..., seed=0, progress=None)` yields each row when it is measured; `progress` is told
(done, total). What a benchmark cannot be told is none of its parameters."""


class Entry(NamedTuple):
    """A benchmark as lists show it.

    where:    `module:function`
    document: the same, of what makes a document of all rows, where something does
    """

    about: str
    where: str
    document: str = ""


BENCHMARKS: dict[str, Entry] = {
    "triple-article-table": Entry(
        "The article's table of 马了个马: how far its greedy player gets on boards of 12 to 30 layers",
        "bench.triple.article_table:rows",
    ),
    "triple-repair": Entry(
        "The article's level repair beside ours: swaps, seconds and how often, on lost boards, too",
        "bench.triple.repair:rows",
    ),
    "triple-tools": Entry(
        "Boards that cannot be won without tools: the fewest move-outs and shuffles with which they can",
        "bench.triple.tools:rows",
    ),
    "triple-article-boards": Entry(
        "The same boards for the default solver: how many can be won, and how soon that is known",
        "bench.triple.article_boards:rows",
    ),
    "triple-recorded": Entry(
        "Verdicts of the default solver on recorded boards of the real game, 60 seconds each",
        "bench.triple.recorded:rows",
    ),
    "triple-decide": Entry(
        "Fresh deals of the real game's layouts, 10 s each: winnable or proved not, and how small the proofs",
        "bench.triple.decide:rows",
    ),
    "triple-threads": Entry(
        "Hard deals of the real game's layouts: how much sooner two threads decide than one",
        "bench.triple.threads:rows",
    ),
    "triple-deals": Entry(
        "Winnable deals of triple a second and core: by kernels, by readable functions, written into a file",
        "bench.triple.deals:rows",
    ),
    "triple-lamp": Entry(
        "Positions that players reach, 1 s each: how many verdicts the studio's lamp has by then, how soon",
        "bench.triple.lamp:rows",
    ),
    "triple-report": Entry(
        "The real game and the article's boards: proved verdicts, tools, difficulty (for an hour; goes on)",
        "bench.triple.report:rows",
        "bench.triple.report:as_document",
    ),
    "triple-tray": Entry(
        "The smallest tray with which the article's boards can be won: how often it is known (for hours)",
        "bench.triple.tray:rows",
    ),
    "triple-brute-force": Entry(
        "10,000 small boards of 马了个马: every stage of its solvers against brute force over the rules",
        "bench.triple.brute_force:rows",
    ),
    "triple-skills": Entry(
        "Players who see what a person sees: their skill, and what difficulties by it are worth",
        "bench.triple.skills:rows",
        "bench.triple.skills:as_document",
    ),
    "triple-chance": Entry(
        "What the page says of a person's chance beside games on the same levels: intervals and bias",
        "bench.triple.chance:rows",
    ),
    "triple-layouts": Entry(
        "The layouts of triple: their size, and how many random deals can be won, with 7 slots and with 6",
        "bench.triple.layouts:rows",
    ),
    "calibration": Entry(
        "Simulated people: how often intervals of `calibrate` hold the truth, and chance seems to predict",
        "bench.calibration:rows",
    ),
    "reasons": Entry(
        "Positions of triple and drops right after the losing action: how many get a reason, how short",
        "bench.reasons:rows",
    ),
    "tetris-modern": Entry(
        "The bot of modern tetris by its real keys: sprints, lines sent per piece, marathons to level 15",
        "bench.tetris.modern:rows",
    ),
    "tetris-article-table": Entry(
        "The article's player of 俄罗斯方块: lines of its published weights, and how far its tuning gets",
        "bench.tetris.article_table:rows",
    ),
    "tetris-article-rivals": Entry(
        "The article's two ways of tuning beside ours in its game, pieces being equal: lines they find",
        "bench.tetris.article_rivals:rows",
    ),
    "drops-article-table": Entry(
        "The article's four solvers of 十滴水 side by side, with its limits: clicks, nodes and seconds",
        "bench.drops.article_table:rows",
    ),
    "drops-skills": Entry(
        "Players of 十滴水 who look as people do: their skill, and whether figures by par rank levels alike",
        "bench.drops.skills:rows",
    ),
    "drops-engine": Entry(
        "Whole chains of 十滴水 on one core: a second, and beside the readable rules",
        "bench.drops.engine:rows",
    ),
    "drops-all-ones": Entry(
        "Boards of ones from 2 × 2 to 32 × 32: the construction's clicks beside the bound",
        "bench.drops.all_ones:rows",
    ),
    "drops-recorded": Entry(
        "Recorded boards of 十滴水: fewest clicks proved, beside what was recorded, and processor time",
        "bench.drops.recorded:rows",
    ),
    "drops-random": Entry(
        "1,000 random 6 × 6 boards of 十滴水 (0 to 4 alike, classic), 30 seconds each: proved, and how soon",
        "bench.drops.random_boards:rows",
    ),
    "drops-frontier": Entry(
        "100 boards of 十滴水 of 1.0 to 1.6 units per cell, 30 and 60 seconds each: proved, and the gap",
        "bench.drops.frontier:rows",
    ),
    "drops-large": Entry(
        "十滴水 on 10 × 10 and 20 × 20 cells: the beam's clicks in 60 s, the lower bound, the article's A",
        "bench.drops.large:rows",
    ),
    "drops-generate": Entry(
        "Levels of 十滴水 made to order: processor time for each, with the proof of its par",
        "bench.drops.generate:rows",
    ),
    "rotate-generate": Entry(
        "Levels of 平面魔方 made to order: processor time for each, with the proof of its par",
        "bench.rotate.generate:rows",
    ),
    "rotate-finish": Entry(
        "10,000 random boards of 平面魔方, 3 × 3 to 30 × 30: finished, turns per cell, and how soon",
        "bench.rotate.finish:rows",
    ),
    "rotate-optimal": Entry(
        "Fewest turns proved on random boards of 平面魔方, 4 × 4 to 6 × 6, by colours, and how soon",
        "bench.rotate.optimal:rows",
    ),
    "rotate-tables": Entry(
        "Every board of 平面魔方 to 4 × 4, and of two colours on 5 × 5: how many take how many turns",
        "bench.rotate.tables:rows",
    ),
    "rotate-article-table": Entry(
        "The article's methods for 平面魔方 beside ours, 10 seconds for each board: finished, proved, turns",
        "bench.rotate.article_table:rows",
    ),
    "rotate-article-claims": Entry(
        "What the article says of its methods for 平面魔方: its 5 × 5 in 10 seconds, 4 × 4 to 10 × 10, F",
        "bench.rotate.article_claims:rows",
    ),
    "rotate-engine": Entry(
        "Turns of 平面魔方 rated on one core: a second, and beside the readable rules",
        "bench.rotate.engine:rows",
    ),
    "rotate-frontier": Entry(
        "The beam of 平面魔方 from 8 × 8 to 30 × 30, 20 boards each, 60 s each: turns (for hours)",
        "bench.rotate.frontier:rows",
    ),
    "rotate-pairs": Entry(
        "Pairs of 平面魔方 (Kosen Procon 36), 8 × 8 to 24 × 24: turns, beside a team's answers",
        "bench.rotate.pairs:rows",
    ),
    "tetris-engine": Entry(
        "Pieces of 俄罗斯方块 a second and core: controllers, beside the readable rules and other packages",
        "bench.tetris.engine:rows",
    ),
    "tetris-controllers": Entry(
        "Published controllers of 俄罗斯方块: lines per game, played on 10 × 10, by splitting on 10 × 20",
        "bench.tetris.controllers:rows",
    ),
    "tetris-record": Entry(
        "Our own controller of 俄罗斯方块 beside DT-20 on 10 × 20, judged and in whole games (for hours)",
        "bench.tetris.record:rows",
    ),
    "tetris-ahead": Entry(
        "What looking one piece ahead gains 俄罗斯方块's controllers on 10 × 10, and what it costs in speed",
        "bench.tetris.ahead:rows",
    ),
    "tetris-exact": Entry(
        "Controllers of 俄罗斯方块 on 4 × 6: exact means, beside the best player's and what the Judge says",
        "bench.tetris.exact:rows",
    ),
    "tetris-judge": Entry(
        "The Judge of 俄罗斯方块: splitting beside playing on 10 × 10 to 10 × 14, and what it saves",
        "bench.tetris.judge:rows",
    ),
    "2048-article-table": Entry(
        "The article's player of 2048 and an expectimax over its features: 1,024s, 2,048s and scores",
        "bench.game2048.article_table:rows",
    ),
    "env-speed": Entry(
        "Steps a second of environments at random, one game to 4,096 at once, beside other packages",
        "bench.env_speed:rows",
    ),
    "2048-speed": Entry(
        "Random moves of 2048 a second and core: kernels, beside the readable rules and other packages",
        "bench.game2048.speed:rows",
    ),
    "2048-strength": Entry(
        "The players of 2048 that look ahead: tiles they make, scores, time of a move (for hours; goes on)",
        "bench.game2048.strength:rows",
    ),
    "2048-tiles": Entry(
        "How surely 2048's search-1ms makes a 2,048 and a 4,096: games up to there (an hour; goes on)",
        "bench.game2048.tiles:rows",
    ),
    "2048-library": Entry(
        "A player of 2048 in a shared library, beside ours on the same dice (for hours; goes on)",
        "bench.game2048.library:rows",
    ),
    "2048-training": Entry(
        "How fast networks of 2048 learn on one core, beside TDL2048+",
        "bench.game2048.training:rows",
    ),
    "2048-perfect": Entry(
        "2048 when the new tiles are chosen, too: games that score the most there can be, to 4 × 4",
        "bench.game2048.perfect:rows",
        "bench.game2048.perfect:as_document",
    ),
    "2048-exact": Entry(
        "Small boards of 2048 solved, to 3 × 3: means and odds beside known ones, other players' share",
        "bench.game2048.exact:rows",
    ),
    "2048-exact-2x5": Entry(
        "2048 on 2 × 5 cells solved, into a file of many GiB that every run goes on with (for hours)",
        "bench.game2048.exact:rows_2x5",
    ),
    "tuning-noise": Entry(
        "How noisy players are judged: ranks for their cost, gain of splitting, tests that keep their rates",
        "bench.tuning.noise:rows",
    ),
    "studio-latency": Entry(
        "How long the studio takes to answer a click while solvers run",
        "bench.studio.latency:rows",
    ),
    "footprint": Entry(
        "The studio's memory, with all that it starts: cold, warm, after twenty games, for --soak minutes",
        "bench.studio.footprint:rows",
    ),
    "first-minute": Entry(
        "A new user's first minute in a headless Chromium: how soon the lamp speaks, and all of it is there",
        "bench.studio.first_minute:rows",
    ),
    "site": Entry(
        "The studio as a static page: download, first board and lamp, speed, memory; 10,000 positions alike",
        "bench.site.figures:rows",
    ),
    "studio-load": Entry(
        "200, 500 and 2,000 players at once in one studio: time of an action, memory, lamps that had to wait",
        "bench.studio.load:rows",
    ),
    "designer": Entry(
        "A level designer's waits: sets of 1,000 made and judged in the studio, verdicts while one draws",
        "bench.studio.designer:rows",
    ),
    "arcade-latency": Entry(
        "The arcade's page in a headless Chromium: frames per second, and how soon a key is seen",
        "bench.tetris.arcade_latency:rows",
    ),
    "rotate-page": Entry(
        "Turns of 平面魔方 on the page in a headless Chromium: frames per second, and how soon a turn begins",
        "bench.rotate.page:rows",
    ),
    "fuzz": Entry(
        "Everything that is read, fuzzed: inputs, tracebacks, slow ones, memory (a minute; goes on)",
        "bench.faults.fuzz:rows",
    ),
    "kill": Entry(
        "kill -9 in play, editor, generate, tune, train and tables: what is lost (for half an hour; goes on)",
        "bench.faults.kill:rows",
    ),
    "margin": Entry(
        "Positions of recorded games: how often it is known within 1 s how many actions still win, how soon",
        "bench.margin:rows",
    ),
    "task-scores": Entry(
        "Attempts that lose tasks (winnable.tasks): how often the losing move is found, how soon the score",
        "bench.task_scores:rows",
    ),
    "task-chance": Entry(
        "What answers to tasks are worth without a thought: always unsolvable, and any legal moves",
        "bench.task_chance:rows",
    ),
    "signature": Entry(
        "What all solvers find and all players choose on fixed positions, as one number each",
        "bench.signature:rows",
    ),
    "determinism": Entry(
        "The same seed, the same result: over processes, threads, hash seeds and Pythons (some minutes)",
        "bench.faults.determinism:rows",
    ),
    "damage": Entry(
        "Stores, kernel caches, networks, tables and levels, damaged: healed or refused in one sentence",
        "bench.faults.damage:rows",
    ),
    "optimize-sphere": Entry(
        "The article's sphere: best value after 50,000 evaluations, and time per evaluation",
        "bench.tuning.sphere:rows",
    ),
    "optimize-bbob": Entry(
        "COCO's BBOB for our optimisers and the installed rivals: targets reached, running time, overhead",
        "bench.tuning.bbob:rows",
    ),
    "batches": Entry(
        "Batches: what workers gain, and whether rows are lost, doubled or different (some minutes)",
        "bench.batches:rows",
    ),
    "executor-utilisation": Entry(
        "How busy worker processes are with tasks of random length: a barrier against steady state",
        "bench.tuning.executor_utilisation:rows",
    ),
}


def load_benchmark(name: str) -> Rows:
    """Imports the benchmark. Raises WinnableError for an unknown name."""
    try:
        entry = BENCHMARKS[name]
    except KeyError:
        raise WinnableError(
            f"benchmark: unknown benchmark {name[:40]!r}; `winnable bench` lists them"
        ) from None
    return _loaded(entry.where)


def load_document(name: str) -> Callable[[Sequence[Row]], str]:
    """What makes a document of its rows. Raises WinnableError where nothing does."""
    if not (entry := BENCHMARKS[name]).document:
        raise WinnableError(f"document: the benchmark {name} makes none")
    return _loaded(entry.document)


def _loaded(where: str) -> Any:
    module, _, function = where.partition(":")
    return getattr(import_module(module), function)
