"""What `winnable tune` shows on stderr while it works: a live table on a terminal, else nothing."""

from __future__ import annotations

import time
from collections import deque
from typing import Any

from winnable.cli.live_table import SHOWN, LiveTable
from winnable.cli.runs_view import titled, titles, value_text, weights_text
from winnable.tuning.runs import Generation, Run
from winnable.words import t


class TuneView(LiveTable):
    """`judged`, `generation` and `comparing` are called in the thread that works, the rest by who waits."""

    def __init__(self, run: Run) -> None:
        super().__init__()
        self.run = run
        self._latest: deque[Generation] = deque([run.latest] if run.latest else [], maxlen=SHOWN)
        self._begun = self._judged = run.latest.evaluations if run.latest else 0
        self._comparing = False

    def generation(self, event: Generation) -> None:
        """Adds a row."""
        self._latest.append(event)

    def judged(self, evaluations: int) -> None:
        """Takes how many genomes were judged until now."""
        self._judged = evaluations

    def comparing(self) -> None:
        """The weights are compared from now on."""
        self._comparing = True

    def title(self) -> str:
        """Names the run."""
        return f"{self.run.game} {self.run.tunable}, {self.run.method}, run {self.run.id}"

    def fill(self, table: Any) -> None:
        """A row for each of the last generations."""
        gain = self.run.gain
        losses = (titled(name, gain) for name in ("best", "median"))
        for title in (*titles("generation", "evaluations"), *losses, *titles("spread")):
            table.add_column(title, justify="right")
        table.add_column(t("cli.runs.recommended") + "  " + " ".join(self.run.genes))
        for event in list(self._latest):
            table.add_row(
                f"{event.generation:,}", f"{event.evaluations:,}", value_text(event.best, gain),
                value_text(event.median, gain), f"{relative_spread(event):.1%}",
                weights_text(event.recommendation),
            )  # fmt: skip

    def caption(self) -> str:
        """How far the run is, and how fast."""
        if self._comparing:
            return t("cli.tune.comparing")
        seconds = time.monotonic() - self.started
        told = self._judged - self._begun
        rate = t("cli.tune.rate", rate=f"{told / seconds:.1f}") if told else ""
        done, goal = f"{self._judged:,}", f"{self.run.evaluations:,}"
        return t("cli.tune.done", done=done, all=goal, seconds=f"{seconds:.0f}", rate=rate)


def relative_spread(event: Generation) -> float:
    """The population's mean standard deviation for each weight, as a share of the weights' mean size."""
    size = sum(map(abs, event.recommendation))
    return sum(event.spread) / size if size else 0.0
