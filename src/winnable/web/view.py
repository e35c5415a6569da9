"""The board of a desk as pages are told it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from winnable.contract.abilities import Explains
from winnable.contract.core import WinnableError, action_name, completion, step
from winnable.levels.files import NamedLevel, shipped_levels
from winnable.levels.identity import day_of
from winnable.play.session import Session
from winnable.web.boards import view_of
from winnable.web.events import Branches, Demo, Explained, State
from winnable.web.infos import BranchInfo, ForkInfo
from winnable.web.watched import Watched

MAX_FRAMES = 400
MAX_FRAME_BYTES = 4_000_000
"""Of frames as JSON; nobody could follow more."""


class DeskView:
    """Tells the board, and of its line only what pages do not know by now."""

    def __init__(self, desk: Watched) -> None:
        self._desk = desk
        self._turns = desk.session.turns
        self._forks: list[int] = desk.session.forks

    def state(self, frames: Sequence[Any] = (), whole: bool = False) -> State:
        """The board for pages that know the state before; with `whole` for one that knows nothing.

        frames: what happened on the way here
        """
        desk, session = self._desk, self._desk.session
        forks, fork = session.forks, session.fork
        whole_line = whole or session.turns != self._turns
        new_forks = whole or forks != self._forks
        self._turns, self._forks = session.turns, forks
        return State(
            session=desk.id,
            game=session.game.name,
            level_id=session.level_id,
            title=dict(session.level.title),
            day=day_of(session.game, session.level_id),
            code=desk.code,
            cheats=session.easier_level is not None,
            follows=session.next_level is not None,
            player=session.game.default_player(session.level),
            ply=session.ply,
            length=session.length,
            last_action=session.last_action,
            standing=session.standing,
            helped=session.helped,
            card=None if desk.card is None else "answered" if desk.is_answered else "open",
            completion=completion(session.puzzle, session.state),
            view=view_of(session),
            legal=session.legal,
            frames=_encoded(frames),
            line=session.turns,
            fork=None if fork is None else ForkInfo(fork, *session.place(fork)),
            forks=forks if new_forks else None,
            history=session.actions if whole_line else None,
            rating=desk.companion.rating,
            known=desk.verdicts(),
        )


def branches(desk: Watched) -> Branches:
    """The branches of the fork that matters at the state on the board (see `Session.fork`)."""
    session, fork = desk.session, desk.session.fork
    infos = [
        BranchInfo(
            branch.action,
            action_name(session.puzzle, branch.action),
            branch.length,
            branch.here,
            desk.companion.verdict(branch.first),
            session.standing_of(branch.end),
        )
        for branch in ([] if fork is None else session.branches(fork))
    ]
    return Branches(desk.id, fork, infos)


def demonstration(desk: Watched) -> Demo:
    """The first move of the line at hand, else any. Raises WinnableError elsewhere than at the beginning of
    the first level, where it would be help."""
    session, puzzle, start = desk.session, desk.session.puzzle, desk.session.start
    first = next(shipped_levels(session.game), None)
    if session.length or first is None or session.level_id != first[0]:
        raise WinnableError("none", field="demo", game=session.game.name)
    action = (desk.companion.line(start) or puzzle.legal_actions(start))[0]
    after, frames = step(puzzle, start, action)
    shown = Session(NamedLevel(session.game, session.level, session.level_id))
    shown.act(action, after)
    return Demo(desk.id, action, view_of(shown), shown.legal, _encoded(frames))


def explanation(desk: Watched, searching: bool) -> Explained:
    """Why the state takes so many actions. searching: whether more may be known soon. Raises WinnableError
    when the game has no explanations."""
    session, state, game = desk.session, desk.session.state, desk.session.game
    if not isinstance(game, Explains):
        raise WinnableError("none", field="explain", game=game.name)
    why = game.explain(session.puzzle, state)
    answer = desk.companion.answer(state)
    return Explained(
        desk.id,
        session.ply,
        why,
        desk.companion.verdict(state),
        len(answer.actions) if answer.status == "solved" else None,
        answer.optimal,
        answer.generated or None,
        searching,
    )


def _encoded(frames: Sequence[Any]) -> msgspec.Raw | None:
    """None when there is nothing to see, or too much."""
    if not 1 < len(frames) <= MAX_FRAMES:
        return None
    content = msgspec.json.encode(frames)
    return msgspec.Raw(content) if len(content) <= MAX_FRAME_BYTES else None
