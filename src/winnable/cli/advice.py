"""What `play` can say about the state on the board: verdicts with their lines, or, where nothing can be won,
the game's outlook and a player."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from winnable.analysis import companion_of
from winnable.analysis.by_outlook import ByOutlook
from winnable.analysis.by_proof import ByProof
from winnable.analysis.verdicts import Point
from winnable.cli.answers import reason_text
from winnable.contract.abilities import solvers_of
from winnable.contract.chance import GoalChance, Outlook, Values
from winnable.contract.core import Action, Budget, Search, WinnableError, action_name, finish
from winnable.contract.methods import Chosen
from winnable.words import t, tn

if TYPE_CHECKING:
    from winnable.play.session import Session

T = TypeVar("T")


class Advice(NamedTuple):
    action: Action | None
    verdict: str
    """Also says why there is no action."""


class Adviser(Protocol):
    """Of one game, about the state on its board."""

    def verdict(self) -> str: ...
    def hint(self) -> Advice: ...
    def values(self) -> dict[str, float]:
        """What each action is worth, by its name, the best first; {} where that is not known."""
        ...


def adviser(session: Session, solver: str | None, by: str | None, seconds: float) -> Adviser:
    """by: the player whose choices are the hints, with its settings. Raises WinnableError for a solver or a
    player that the game does not have."""
    from winnable.contract.methods import choose_method
    from winnable.tuning import tuned

    game = session.game

    def player(name: str) -> Chosen:
        return choose_method("by", tuned.players(game), name, game.name)

    chosen = None if by is None else player(by)
    method = None if solver is None else choose_method("solver", solvers_of(game), solver, game.name).method
    companion = companion_of(game, session.level, session.puzzle, method)
    if isinstance(companion, ByOutlook):
        return _Foreseen(session, companion, chosen or player(companion.adviser), seconds)
    proved = _Proved(session, companion, seconds)
    return proved if chosen is None else _WithHints(proved, session, chosen)


class _Proved:
    def __init__(self, session: Session, companion: ByProof, seconds: float) -> None:
        self._session, self._companion, self._seconds = session, companion, seconds

    def verdict(self) -> str:
        """Asks the solver when the verdict is not known yet."""
        from winnable.cli.work import Work

        session, companion = self._session, self._companion
        if companion.verdict(session.state) == "unknown":
            point = Point(session.states, session.actions, session.ply)
            with Work(t("cli.work.looking_ahead")) as work:
                work.search(lambda budget: companion.decide(point, budget), self._seconds)
        remaining = companion.remaining(session.state)
        if remaining is not None:
            return t("cli.play.winnable", actions=tn("cli.actions", remaining))
        verdict = t(f"cli.play.is_{companion.verdict(session.state)}", seconds=self._seconds)
        reason = finish(companion.reason(session.state, Budget(self._seconds)))
        return verdict if reason is None else f"{verdict}\n{reason_text(session.puzzle, reason)}"

    def hint(self) -> Advice:
        verdict = self.verdict()
        return Advice(self._companion.hint(self._session.state), verdict)

    def values(self) -> dict[str, float]:
        return {}


class _WithHints:
    """The verdicts of one, the hints of a player."""

    def __init__(self, known: Adviser, session: Session, player: Chosen) -> None:
        self._session, self._name, self._player = session, player.label, player.method(session.puzzle, 0)
        self.verdict, self.values = known.verdict, known.values

    def hint(self) -> Advice:
        if not self._session.puzzle.legal_actions(self._session.state):
            return Advice(None, t("cli.play.is_over"))
        return Advice(finish(self._player.choose(self._session.state)), t("cli.play.by", name=self._name))


class _Foreseen:
    """In a game without a goal."""

    def __init__(self, session: Session, companion: ByOutlook, player: Chosen, seconds: float) -> None:
        self._session, self._companion, self._seconds = session, companion, seconds
        self._name, self._player = player.label, player.method(session.puzzle, 0)

    def verdict(self) -> str:
        """What is to come. Raises WinnableError when the game cannot say."""
        if not self._companion.foresees:
            raise WinnableError("cli.lamp", field="lamp")
        if self._companion.settled(self._session.state):
            return t("cli.play.is_over")
        found = self._look(self._companion.outlook)
        words = [*outlook_in_words(found), *_in_words(self._ranked(found.compared), found)]
        return t("list.comma").join(words) or t("cli.play.nothing")

    def hint(self) -> Advice:
        if not self._session.puzzle.legal_actions(self._session.state):
            return Advice(None, t("cli.play.is_over"))
        found = self._look(self._companion.outlook)
        values = ", ".join(_in_words(self._ranked(found.compared), found))
        return Advice(
            finish(self._player.choose(self._session.state)),
            t("cli.play.by_values" if values else "cli.play.by", name=self._name, values=values),
        )

    def values(self) -> dict[str, float]:
        return self._ranked(self._look(self._companion.values))

    def _look(self, look: Callable[[Any, Budget], Search[T]]) -> T:
        from winnable.cli.work import Work

        state = self._session.state
        with Work(t("cli.work.looking_ahead")) as work:
            return work.search(lambda budget: look(state, budget), self._seconds)

    def _ranked(self, values: Values) -> dict[str, float]:
        best_first = sorted(values, key=lambda pair: -pair[1])
        return {action_name(self._session.puzzle, action): value for action, value in best_first}


def outlook_in_words(found: Outlook) -> list[str]:
    """All but what actions are worth."""
    words: list[str] = []
    if found.goal is not None:
        return _chance_in_words(found.goal)
    if found.score is not None and found.within is not None:
        actions = tn("cli.actions", found.within)
        words.append(t("cli.play.within", score=_figure(found.score), actions=actions))
    elif found.score is not None:
        words.append(t("cli.play.to_come", score=_figure(found.score)))
    if found.by:
        words.append(t("cli.play.played_by", name=found.by))
    if found.low is not None and found.high is not None:
        words.append(t("cli.play.interval", low=_figure(found.low), high=_figure(found.high)))
    if found.risk_low is not None and found.risk_high is not None:
        between = t("cli.play.between", low=f"{found.risk_low:.1%}", high=f"{found.risk_high:.1%}")
        words.append(t("cli.play.risk", risk=between))
    elif found.risk is not None:
        words.append(t("cli.play.risk", risk=f"{found.risk:.1%}"))
    return words


def _chance_in_words(goal: GoalChance) -> list[str]:
    if goal.share is None:
        return [t("cli.play.goal.far" if goal.by else "cli.play.goal.late")]
    if goal.low is None or goal.high is None:
        return [t("cli.play.goal.exact", share=f"{goal.share:.1%}")]
    interval = t("cli.play.interval", low=f"{goal.low:.1%}", high=f"{goal.high:.1%}")
    by, games = t("cli.play.played_by", name=goal.by), t("cli.play.games", games=goal.games)
    return [t("cli.play.goal", share=f"{goal.share:.1%}"), interval, by, games]


def _in_words(values: dict[str, float], found: Outlook) -> list[str]:
    """Chances to make a goal, or rewards."""
    chances = found.goal is not None and found.goal.share is not None
    figures = (f"{value:.1%}" if chances else _figure(value) for value in values.values())
    return [f"{name} {figure}" for name, figure in zip(values, figures, strict=True)]


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.3g}"
