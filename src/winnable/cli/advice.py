"""What `play` can say about the state on the board: by the game's solver, or, where nothing can be won, by a
player and the game's outlook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from winnable.abilities import Foresees, ForeseesActions, Solves, solvers_of
from winnable.chance import Outlook, Values
from winnable.core import Action, WinnableError, action_name
from winnable.methods import Chosen
from winnable.words import t, tn

if TYPE_CHECKING:
    from winnable.game import Game


class Hint(NamedTuple):
    action: Action | None
    verdict: str
    """Also says why there is no action."""


class Adviser(Protocol):
    """Of the games on one level."""

    def verdict(self, state: Any) -> str: ...
    def hint(self, state: Any) -> Hint: ...
    def values(self, state: Any) -> dict[str, float]:
        """What each action is worth, by its name, the best first; {} where that is not known."""
        ...


def adviser(session: Any, solver: str | None, by: str | None, seconds: float) -> Adviser:
    """by: the player whose choices are the hints, with its settings. Raises WinnableError for a solver or a
    player that the game does not have."""
    from winnable import tuned
    from winnable.cli.levels import chosen_method

    game: Game = session.game
    puzzle = session.puzzle
    if by is None and solver is None and not isinstance(game, Solves):
        by = game.default_player(session.level)
    player = None if by is None else chosen_method("by", tuned.players(game), by, (), game)
    if solver is not None:
        known = _BySolver(puzzle, chosen_method("solver", solvers_of(game), solver, (), game).method, seconds)
    elif isinstance(game, Solves):
        known = _BySolver(puzzle, game.companion(puzzle), seconds)
    else:
        assert player is not None
        return _ByPlayer(game, puzzle, player, seconds)
    return known if player is None else _WithHints(known, puzzle, player)


class _BySolver:
    def __init__(self, puzzle: Any, solver: Any, seconds: float) -> None:
        from winnable.analysis import Analyst

        self._analyst, self._solver, self._seconds = Analyst(puzzle, solver), solver, seconds

    def verdict(self, state: Any) -> str:
        """Asks the solver when the verdict is not known yet."""
        from winnable.cli.work import Work

        analyst = self._analyst
        if analyst.verdict(state) == "unknown":
            with Work(t("cli.work.looking_ahead")) as work:
                analyst.learn(state, work.solve(self._solver, analyst.puzzle, state, self._seconds, 0))
        verdict, line = analyst.verdict(state), analyst.line(state)
        if verdict == "winnable" and line is not None:
            return t("cli.play.winnable", actions=tn("cli.actions", len(line)))
        return t(f"cli.play.is_{verdict}", seconds=self._seconds)

    def hint(self, state: Any) -> Hint:
        verdict = self.verdict(state)
        return Hint(self._analyst.hint(state), verdict)

    def values(self, state: Any) -> dict[str, float]:
        return {}


class _WithHints:
    """The verdicts of one, the hints of a player."""

    def __init__(self, known: Adviser, puzzle: Any, player: Chosen[Any]) -> None:
        self._puzzle, self._name, self._player = puzzle, player.label, player.method(puzzle, 0)
        self.verdict, self.values = known.verdict, known.values

    def hint(self, state: Any) -> Hint:
        if not self._puzzle.legal_actions(state):
            return Hint(None, t("cli.play.is_over"))
        return Hint(self._player.choose(state), t("cli.play.by", name=self._name))


class _ByPlayer:
    """In a game without a goal."""

    def __init__(self, game: Any, puzzle: Any, player: Chosen[Any], seconds: float) -> None:
        self._game, self._puzzle, self._seconds = game, puzzle, seconds
        self._name, self._player = player.label, player.method(puzzle, 0)

    def verdict(self, state: Any) -> str:
        """What is to come. Raises WinnableError when the game cannot say."""
        if not isinstance(self._game, Foresees):
            raise WinnableError("cli.lamp", field="lamp")
        if not self._puzzle.legal_actions(state):
            return t("cli.play.is_over")
        found = self._outlook(state)
        words = [*outlook_in_words(found), *_in_words(self._ranked(found.values))]
        return t("list.comma").join(words) or t("cli.play.nothing")

    def hint(self, state: Any) -> Hint:
        if not self._puzzle.legal_actions(state):
            return Hint(None, t("cli.play.is_over"))
        values = ", ".join(_in_words(self.values(state)))
        return Hint(
            self._player.choose(state),
            t("cli.play.by_values" if values else "cli.play.by", name=self._name, values=values),
        )

    def values(self, state: Any) -> dict[str, float]:
        return self._ranked(self._outlook(state).values) if isinstance(self._game, ForeseesActions) else {}

    def _outlook(self, state: Any) -> Outlook:
        from winnable.cli.work import Work

        with Work(t("cli.work.looking_ahead")) as work:
            return work.search(
                lambda budget: self._game.outlook(self._puzzle, state, budget, 0), self._seconds
            )

    def _ranked(self, values: Values) -> dict[str, float]:
        best_first = sorted(values, key=lambda pair: -pair[1])
        return {action_name(self._puzzle, action): value for action, value in best_first}


def outlook_in_words(found: Outlook) -> list[str]:
    """All but what actions are worth."""
    words: list[str] = []
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


def _in_words(values: dict[str, float]) -> list[str]:
    return [f"{name} {_figure(value)}" for name, value in values.items()]


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.3g}"
