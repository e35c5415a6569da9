"""Games as links, see levels/links.py."""

from __future__ import annotations

from winnable.contract.core import IllegalAction, Search, WinnableError
from winnable.levels.files import NamedLevel
from winnable.levels.identity import CHEATED
from winnable.levels.links import Link, read_link, write_link
from winnable.play.session import REPLAYED, Session, replayed


def link_of(session: Session) -> str | None:
    """What stands behind the `#` of a link to the game, its line and the ply on the board; None where it
    would be too long."""
    game, id = session.game, session.level_id
    # The level as it is: an easier one than its name tells is written out.
    named = id.startswith((f"{game.name}:", f"{game.name}/")) and not id.endswith(CHEATED)
    level = id if named else f"{game.name}:{game.format_board(session.level)}"
    return write_link(Link(level, session.ply, session.actions, session.helped))


def session_on(named: NamedLevel, text: str) -> Search[Session]:
    """The game on what a LEVEL has been found to name: where it is a link to a game, as far as that goes.
    Raises WinnableError, for an action that the rules refuse one which says the how manieth it is."""
    link, session = read_link(text), Session(named)
    if link is None or not link.actions:
        return session
    for move, action in enumerate(link.actions, 1):
        if not move % REPLAYED:
            yield replayed(move)
        try:
            session.act(action)
        except IllegalAction:
            raise WinnableError("link.move", move=move) from None
    session.go_to_ply(link.ply)
    session.helped, session.seconds = link.helped, None
    return session
