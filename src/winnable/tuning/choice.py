"""The final choice: the recommended weights against those in use, on fresh seeds, by a sequential test."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from math import isfinite

from winnable.contract.arguments import whole
from winnable.contract.core import Search
from winnable.contract.tunable import Tunable
from winnable.stats.sequential import LossRace, Verdict
from winnable.tuning.loop import TuningError
from winnable.tuning.seeds import INCUMBENT, RECOMMENDED, evaluation_seed
from winnable.workers.engines import make_engine
from winnable.workers.executor import Evaluator, TaskError


def choose(
    tunable: Tunable,
    challenger: tuple[float, ...],
    *,
    seed: int,
    steps: float,
    pairs: int = 100,
    incumbent: tuple[float, ...] | None = None,
    executor: Evaluator | None = None,
    race: LossRace | None = None,
    on_pair: Callable[[int, Verdict], None] = lambda pairs, verdict: None,
) -> Search[Verdict]:
    """Judges both on seeds of their own that no search uses, pair by pair, until the test decides or `pairs`
    are done; "undecided" then still has its interval.

    incumbent: None: `tunable.start`. Losses that are no log hazards: the ratio is exp(difference).
    executor:  evaluates a batch of pairs at a time; the verdict is the same on every engine.
    Raises TuningError for a judgement that fails or is not finite; WinnableError.
    """
    pairs = whole("pairs", pairs, 2)
    race = race or LossRace()
    both = {RECOMMENDED: challenger, INCUMBENT: incumbent or tunable.start}
    with ExitStack() as stack:
        evaluator = executor or stack.enter_context(Evaluator(make_engine()))
        batch = max(1, evaluator.free // 2)
        for first in range(0, pairs, batch):
            attempts = range(first, min(first + batch, pairs))
            for attempt in attempts:
                for who, genome in both.items():
                    fresh = evaluation_seed(seed, who, attempt)
                    evaluator.submit((who, attempt), tunable.evaluate, genome, fresh, steps)
            found = yield from _losses(tunable, evaluator)
            for attempt in attempts:
                race.tell(found[RECOMMENDED, attempt], found[INCUMBENT, attempt])
                on_pair(attempt + 1, race.verdict)
                if race.decision != "undecided":
                    return race.verdict
    return race.verdict


def _losses(tunable: Tunable, evaluator: Evaluator) -> Search[dict[tuple[int, int], float]]:
    """By who and attempt, of all that was submitted."""
    found: dict[tuple[int, int], float] = {}
    try:
        while (told := (yield from evaluator.following())) is not None:
            task, judgement = told
            if not isfinite(judgement.loss):
                raise TuningError("tune.loss", field=_named(tunable, task), loss=judgement.loss)
            found[task] = judgement.loss
    except TaskError as error:
        raise TuningError(f"{_named(tunable, error.task)}: {error}") from error
    return found


def _named(tunable: Tunable, task: tuple[int, int]) -> str:
    who = "the recommended weights" if task[0] == RECOMMENDED else "the weights in use"
    return f"{tunable.name}, final choice, {who}, attempt {task[1]}"
