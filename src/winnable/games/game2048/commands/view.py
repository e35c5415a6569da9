"""What `winnable train` shows: on stderr while it works, the curve and a table on a terminal, else nothing;
and at the end how strong the network is.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from winnable.cli.live_table import SHOWN, LiveTable
from winnable.cli.output import say, seconds_text
from winnable.words import t

if TYPE_CHECKING:
    from winnable.games.game2048.network.games import Strength
    from winnable.games.game2048.network.training import Point, Settings, Trainer
    from winnable.games.game2048.network.training_store import KeptTraining

WIDTH = 60
"""Of the curve, in characters."""
_BARS = "▁▂▃▄▅▆▇█"


class Training(Struct, frozen=True):
    """What `--json` prints. latest, strength: None before the first point, and when it was interrupted."""

    id: str
    settings: Settings
    games: int
    moves: int
    seconds: float
    interrupted: bool
    latest: Point | None
    strength: Strength | None


class TrainView(LiveTable):
    """`round` and `testing` are called in the thread that works, the rest by who waits."""

    def __init__(self, kept: KeptTraining, trainer: Trainer) -> None:
        super().__init__()
        self._title = f"2048 {kept.settings.network}, {kept.settings.learning}, run {kept.id}"
        self._trainer, self._points = trainer, kept.points()
        self._begun = trainer.moves
        self._testing = False

    def __exit__(self, *raised: Any) -> None:
        self._testing = False
        super().__exit__(*raised)

    def round(self, points: Sequence[Point]) -> None:
        """Takes in the new points of the curve."""
        self._points += points

    def testing(self) -> None:
        """Says from now on that the network is being measured."""
        self._testing = True

    def title(self) -> str:
        return self._title

    def fill(self, table: Any) -> None:
        tiles = list(self._points[-1].reached) if self._points else []
        for name in ("games", "moves", "mean", "best"):
            table.add_column(t(f"cli.train.{name}"), justify="right")
        for tile in tiles:
            table.add_column(tile, justify="right")
        for point in self._points[-SHOWN:]:
            shares = (f"{share:.1%}" for share in point.reached.values())
            table.add_row(
                f"{point.games:,}", f"{point.moves / 1e6:,.1f} M", f"{point.mean:,.0f}", f"{point.best:,}",
                *shares,
            )  # fmt: skip

    def caption(self) -> str:
        if self._testing:
            return t("cli.train.testing")
        seconds, moves = time.monotonic() - self.started, self._trainer.moves
        rate = (moves - self._begun) / seconds / 1e6
        curve = sparkline([point.mean for point in self._points], WIDTH)
        so_far, time_text = f"{moves / 1e6:,.1f}", f"{self._trainer.seconds:.0f}"
        return curve + "\n" + t("cli.train.rate", moves=so_far, rate=f"{rate:.2f}", seconds=time_text)


def sparkline(values: Sequence[float], width: int) -> str:
    """A bar for each value above 0 or, where there are more than `width`, for the last one of so many."""
    bars = min(width, len(values))
    picked = [values[len(values) * (bar + 1) // bars - 1] for bar in range(bars)]
    return "".join(_BARS[min(7, int(8 * value / max(picked)))] for value in picked)


def tell(ended: Training) -> None:
    """Prints what came of a training, for people."""
    settings = ended.settings
    say(
        t(
            "cli.train.run", id=ended.id, network=settings.network, learning=settings.learning,
            seed=settings.seed, games=f"{ended.games:,}", moves=f"{ended.moves:,}",
            time=seconds_text(ended.seconds),
        )
    )  # fmt: skip
    if ended.strength is None:
        return
    tested = ended.strength
    mean, low, high = (f"{score:,.0f}" for score in (tested.mean, tested.low, tested.high))
    say("  " + t("cli.train.score", mean=mean, low=low, high=high, games=f"{tested.games:,}"))
    for tile, share in tested.reached.items():
        say(f"  {int(tile):>6,}: {share.share:6.1%} [{share.low:.1%}, {share.high:.1%}]")
