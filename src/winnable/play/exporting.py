"""A game in another format: its level, its board, or as far as it was played."""

from __future__ import annotations

from winnable.contract.abilities import Recording, formats_of
from winnable.contract.core import WinnableError
from winnable.contract.provenance import unchecked_replace
from winnable.levels.files import encode_level
from winnable.play.session import Session


def exported(session: Session, form: str, schema: str | None = None) -> bytes:
    """form: `json`, the level as ours; `text`, as one line; `svg`, the board as a picture; or one of the
    game's `formats`. schema: of `json`, where its JSON Schema lies. Raises WinnableError, also for
    what the format cannot say."""
    game, formats = session.game, formats_of(session.game)
    if form == "json":
        if schema is not None and not hasattr(session.level, "schema"):  # of another package's game
            raise WinnableError("none", field="schema", game=game.name)
        told = {} if schema is None else {"schema": schema}
        return encode_level(unchecked_replace(session.level, **told)) + b"\n"
    if form == "text":
        return f"{game.format_board(session.level)}\n".encode()
    if form == "svg":
        return game.svg(session.puzzle, session.state).encode()
    if form in formats and (write := formats[form].write) is not None:
        return write(Recording(session.level, session.actions[: session.ply]))
    writable = [name for name, known in formats.items() if known.write]
    known = ["json", "text", "svg", *writable]
    raise WinnableError("cli.format", field="format", given=form[:40], known=known)
