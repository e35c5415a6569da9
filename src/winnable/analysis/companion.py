"""What shells ask about the states of one level, whether its game can be won or only goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from winnable.analysis.margin import Margin
from winnable.analysis.verdicts import Point, Verdict, Verdicts
from winnable.contract.abilities import Chance, Reason
from winnable.contract.chance import Outlook
from winnable.contract.core import Action, Budget, SolveResult
from winnable.stats.difficulty import Rating

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a state without search.

    remaining: the length of the winning line at hand
    optimal:   it is proved that none is shorter
    """

    verdict: Verdict = "unknown"
    remaining: int | None = None
    optimal: bool = False


class Means(Protocol):
    """What a shell gives to a `search`, in its thread. All but `tell` may raise what ends the search."""

    def first(self) -> SolveResult | Outlook | None:
        """What can be said of the state before anything is compiled; None: all is, or nothing can."""
        ...

    def ready(self) -> None:
        """Waits until the search may begin."""
        ...

    @property
    def seconds(self) -> float:
        """Since the search could begin; it stands still while `run` waits."""
        ...

    def budget(self, seconds: float) -> Budget: ...

    def run(self, work: Callable[[], T]) -> T:
        """What `work` returns; it may have to begin anew."""
        ...

    def tell(self, outlook: Outlook | None = None, first: bool = False) -> None:
        """More is known. first: by a first answer"""
        ...


class Companion(Protocol):
    """Worker threads learn while others read. As it stands here it knows nothing and settles at once."""

    rating: Rating | None = None
    """How hard the level is for a person; None: it is not known (yet)."""

    @property
    def adviser(self) -> str | None:
        """The player whose choices are the hints; None: the lines at hand are."""
        return None

    def verdict(self, state: Any) -> Verdict:
        """What is known without search."""
        return "unknown"

    def known(self, state: Any) -> Known:
        return Known()

    def verdicts(self, states: Sequence[Any], since: int = 0) -> Verdicts:
        """What is known without search of the states of one game, in order, from that ply on."""
        return Verdicts()

    def settled(self, state: Any) -> bool:
        """Whether a search would tell nothing new."""
        return True

    def search(self, point: Point, means: Means) -> Outlook | None:
        """Until the state is settled or the time is over; the outlook is that of a game without a goal."""
        return None

    def margin(self, state: Any, budget: Budget) -> Iterator[Margin]:
        """How many actions still win, as more of them are looked into; see `margins`."""
        return iter(())

    def chance(self, state: Any, budget: Budget) -> Iterator[Chance]:
        """Of a player who sees what a person sees, where that is not all; as more games are played."""
        return iter(())

    def hint(self, state: Any) -> Action | None:
        """The next action of the line at hand."""
        return None

    def line(self, state: Any) -> tuple[Action, ...] | None:
        """The winning line at hand."""
        return None

    def fewest(self, state: Any) -> int | None:
        """The length of an optimal line from there, where one is known."""
        return None

    def generated(self, state: Any) -> int | None:
        """How many states the search made that proved the verdict, or the fewest actions; None when no search
        was about just this state."""
        return None

    def reason(self, state: Any, budget: Budget) -> Reason | None:
        """Why a state that is known to be lost is; None where nothing short says it, or the game is over."""
        return None

    def learn(self, state: Any, result: SolveResult) -> None:
        """Takes over what a solver found for `state`. A line is replayed by the rules before it counts."""

    def spread(self, point: Point) -> None:
        """What is known of the state tells about others of the game."""

    def follow(self, before: Any, after: Any) -> None:
        """An action leads from one to the other: what is lost stays lost."""
