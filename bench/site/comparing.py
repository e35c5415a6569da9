"""The same positions, asked about natively and in the Python of a site, under Node."""

from __future__ import annotations

import os
import random
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from bench.site import tuning
from bench.site.asking import Question, Told
from bench.studio.process import python_command, python_environment
from winnable.contract.core import WinnableError
from winnable.contract.registry import load_game
from winnable.games.game2048.players.expectimax import SMALL
from winnable.levels.files import shipped_levels
from winnable.site import kernels, writing

A = TypeVar("A")
NODES = {"triple": 300, "drops": 300, "rotate": 300, "tetris": 3000, "2048": 50}
"""Of a search: so few that thousands of positions take a minute or two. Pieces in tetris, games in 2048."""
DEEPEST = {"tetris": 60, "2048": 150}
"""Actions of a random game, at most; in other games MOST_ACTIONS."""
MOST_ACTIONS = 30


class Pair(NamedTuple):
    """What is said of a position, natively and by the site."""

    question: Question
    native: Told
    site: Told

    @property
    def differs(self) -> bool:
        return self.native.same != self.site.same


def drawn(name: str, n: int, seed: int = 0) -> list[Question]:
    """So many positions of random games on the levels that the game ships, the same for the same seed."""
    game, rng = load_game(name), random.Random(f"{name} {seed}")
    levels = [*shipped_levels(game)]
    questions: list[Question] = []
    for title, level in islice(cycle(levels), n):
        puzzle = game.puzzle(level)
        state, actions = puzzle.initial(), list[int]()
        while len(actions) < DEEPEST.get(name, MOST_ACTIONS) and (legal := puzzle.legal_actions(state)):
            actions.append(int(rng.choice(legal)))
            state = puzzle.apply(state, actions[-1])
        questions.append(Question(title, actions[: rng.randrange(len(actions) + 1)], NODES[name]))
    return sorted(questions, key=lambda one: one.level)


def natively(questions: Sequence[Question]) -> list[Told]:
    """By this Python, in a process of its own that has no tables, and a site's network."""
    with tempfile.TemporaryDirectory() as work:
        asked = _written(questions, Path(work))
        environment = {**python_environment(), "WINNABLE_DATA": work, "WINNABLE_NETWORK": str(SMALL)}
        return _answers(python_command("bench.site.asking", str(asked)), environment, list[Told])


def on_site(folder: Path, questions: Sequence[Question]) -> list[Told]:
    """By the Python, the packages and the kernels in a site's folder. Raises WinnableError."""
    with tempfile.TemporaryDirectory() as work:
        given = [_written(questions, Path(work))]
        return _there(folder, {*map(_game, questions)}, "bench.site.asking", given, list[Told])


def tuned(folder: Path, run: tuning.Run) -> tuple[tuning.Told, tuning.Told]:
    """How a run goes natively, then how on the site. Raises WinnableError."""
    with tempfile.TemporaryDirectory() as work:
        asked = Path(work, "run")
        asked.write_bytes(msgspec.json.encode(run))
        command = python_command("bench.site.tuning", str(asked))
        native = _answers(command, python_environment(), tuning.Told)
        return native, _there(folder, {run.game}, "bench.site.tuning", [asked], tuning.Told)


def _there(folder: Path, games: Iterable[str], module: str, given: Iterable[Path], answer: type[A]) -> A:
    """What the module says in the site's Python."""
    files = [folder / "kernels" / f"{game}.{kind}" for game in games for kind in ("so", "json")]
    packages = (folder / "python" / writing.PACKAGES, Path(__file__).parents[1])
    command = kernels.under_node(folder / "python", packages, module, *given, *files)
    return _answers(command, {**os.environ}, answer)


def asked(folder: Path, questions: Sequence[Question]) -> list[Pair]:
    """Both at once. Raises WinnableError."""
    with ThreadPoolExecutor() as threads:
        native = threads.submit(natively, questions)
        site = on_site(folder, questions)
    return [Pair(*three) for three in zip(questions, native.result(), site, strict=True)]


def _game(question: Question) -> str:
    return question.level.replace(":", "/").partition("/")[0]


def _written(questions: Sequence[Question], work: Path) -> Path:
    (work / "questions").write_bytes(msgspec.json.encode(questions))
    return work / "questions"


def _answers(command: Iterable[str], environment: dict[str, str], answer: type[A]) -> A:
    done = subprocess.run([*command], env=environment, capture_output=True, encoding="utf-8")
    if done.returncode:
        raise WinnableError(f"answers: {done.stderr[-2000:]}")
    return msgspec.json.decode(done.stdout.strip().splitlines()[-1], type=answer)
