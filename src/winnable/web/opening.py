"""Where a game on the board comes from: a LEVEL, a file, the store, or the game before.

All of it may take long: a level may be generated, a game of many actions replayed.
"""

from __future__ import annotations

import logging
import time
from base64 import b64decode
from collections import OrderedDict
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import msgspec

from winnable import words
from winnable.analysis import ByProof, Companion, companion_of
from winnable.analysis.engine import engine
from winnable.analysis.rating import shipped_ratings
from winnable.batches.filling import Fill, Filled, order_of
from winnable.contract.abilities import repairs_of
from winnable.contract.core import (
    Answer,
    Budget,
    Found,
    IllegalAction,
    Search,
    WinnableError,
    begun,
    replay,
    searching,
)
from winnable.contract.methods import Chosen, Wanted, choose
from winnable.contract.provenance import Certificate
from winnable.contract.registry import titles, usable_games
from winnable.levels.checking import Checking
from winnable.levels.dailies import made_ahead
from winnable.levels.files import (
    NamedLevel,
    decode,
    entries,
    meant_format,
    named_by_content,
    plain,
    read_level,
    shipped_level,
)
from winnable.levels.find import find_level_or_board
from winnable.levels.identity import CHEATED, MAKING_SECONDS, content_id, daily, day_of, parse_identity
from winnable.play.deck import session_of
from winnable.play.links import session_on
from winnable.play.session import Session, as_tree
from winnable.play.tree import SavedTree
from winnable.store import deck, sets
from winnable.store.database import KeptSession, Store
from winnable.store.deck import Card
from winnable.web.protocol import Cheat, Load, New, Next, Open, Practise, Repair
from winnable.web.set_protocol import SetPlay

log = logging.getLogger("winnable.studio")

ORDER_SECONDS = 60.0
"""For a level that is as hard as asked."""
MAX_LINE = 5000
"""Actions of a certificate that are replayed when a level is opened; more would keep people waiting."""
REMEMBERED = 16
"""Levels whose verdicts are remembered, also while nobody plays them: a reloaded page has its line again."""

Opener: TypeAlias = New | Load | Open | Practise | SetPlay
"""What gives up a level that is being opened."""
Follower: TypeAlias = Next | Cheat | Repair
"""What goes on from the game under way."""


class Opened(NamedTuple):
    """A session, ready to be played.

    level:   as the store keeps it
    content: tells the level by what is played
    code:    the level in its game's text notation
    companion: knows what the level's own certificate proves
    revision: of what is kept
    card: of the deck, on which it is a game that is not kept
    levels: in the file that it is the first of
    """

    session: Session
    level: bytes
    content: str
    code: str
    companion: Companion
    revision: int = 0
    card: Card | None = None
    levels: int = 1


class Known:
    """What is known of the levels that were played last."""

    def __init__(self) -> None:
        self._companions: OrderedDict[str, Companion] = OrderedDict()

    def of(self, opened: Opened) -> Companion:
        """Perhaps from an earlier game on the level."""
        companion = self._companions.pop(opened.content, opened.companion)
        self._companions[opened.content] = companion
        while len(self._companions) > REMEMBERED:
            self._companions.popitem(last=False)
        return companion


def open(request: Opener, store: Store, budget: Budget) -> Found[Opened]:
    """Opens the game that the request names. Raises WinnableError."""
    match request:
        case New() if request.difficulty:
            return _to_order(request, budget.part(most=ORDER_SECONDS))
        case New():
            return from_text(request.level, request.game, budget.part(most=MAKING_SECONDS))
        case Load():
            return from_file(request.content)
        case Open():
            return from_store(store.load(request.session))
        case Practise():
            return _from_deck(store)
        case SetPlay():
            return _from_set(store, request)


def open_after(session: Session, tree: SavedTree, request: Follower, budget: Budget) -> Found[Opened]:
    """tree: what was played on the session. Raises WinnableError."""
    match request:
        case Next():
            return _following(session)
        case Cheat():
            return _cheated(session, tree)
        case Repair():
            repair = repair_of(session, request)
            return engine().run(partial(_repaired, session, repair, request.seed, budget), budget)


def repair_of(session: Session, request: Repair) -> Chosen:
    """The repair that the request names. Raises WinnableError."""
    wanted, game = Wanted(request.method, request.settings), session.game
    return choose("by", repairs_of(game), wanted, game.name)


def from_text(text: str, game: str, budget: Budget) -> Search[Opened]:
    """A game on a level or board, see `find_level_or_board`, the one of a link, or one as another program
    writes it. Raises likewise."""
    if meant_format(content := _encoded(text)) is not None:
        return _opened((yield from Session.reading(content)))
    named = yield from find_level_or_board(text.strip(), game, budget)
    return _opened((yield from session_on(named, text)))


def _to_order(request: New, budget: Budget) -> Search[Opened]:
    """A game on a level that is as hard as asked."""
    game, params, seed = parse_identity(request.level.strip())
    order, word = order_of(game, params, seed, request.difficulty)
    fill = Fill(
        game=game.name,
        make=order.request(0),
        how=Checking(solve=False, seconds=10.0, rate=bool(word)),
        word=word,
    )
    found: Filled = yield from begun(partial(fill.answer, budget))
    if found.content is None:
        raise found.reason or WinnableError("order.none")
    named = read_level(found.content)
    return _opened(Session(named_by_content(game, named.level)))


def from_file(text: str) -> Search[Opened]:
    """The game in a file, see `Session.read`. Bytes that are no text come as a `data:` address."""
    content = content_of(text)
    session = yield from Session.reading(content)
    return _opened(session)._replace(levels=len(entries(plain(content))))


def content_of(text: str) -> bytes:
    """The bytes of a file as a message says it. Raises WinnableError."""
    if text.startswith("data:") and (head := text[:200].partition(",")[0]).endswith(";base64"):
        try:
            return b64decode(text[len(head) + 1 :], validate=True)
        except ValueError:
            raise WinnableError("binary") from None
    return _encoded(text)


def _encoded(text: str) -> bytes:
    try:
        return plain(text.encode())
    except UnicodeEncodeError:
        raise WinnableError("unicode") from None


def _following(session: Session) -> Opened:
    """The level that an endless game goes on with."""
    if (level := session.next_level) is None:
        raise WinnableError("next.none")
    return _opened(Session(named_by_content(session.game, level)))


def _cheated(session: Session, tree: SavedTree) -> Search[Opened]:
    """The same game, with this tree, on an easier level."""
    level = session.easier_level
    if level is None:
        raise WinnableError("cheat.none")
    id = session.level_id.rstrip(CHEATED) + CHEATED
    easier = yield from Session.growing(NamedLevel(session.game, level, id), tree)
    easier.helped, easier.seconds = True, session.seconds
    return _opened(easier)


def _repaired(session: Session, repair: Chosen, seed: int, budget: Budget) -> Search[Opened]:
    """A new game on the level, changed so that its own certificate wins it."""
    level = yield from searching(repair.method(session.level, seed, budget))
    before = session.level.title or titles(session.game.name)
    title = {
        language: words.fill(words.catalogue(language)["repair.title"], {"level": before.get(language, "")})
        for language in words.LANGUAGES
    }
    level = msgspec.structs.replace(level, title=title)
    opened = _opened(Session(named_by_content(session.game, level)))
    if opened.companion.verdict(opened.session.start) != "winnable":
        raise WinnableError("repair.line", field="method", method=repair.name)
    return opened


def from_store(kept: KeptSession) -> Search[Opened]:
    """The game that is kept so. Raises WinnableError."""
    named = read_level(kept.level)._replace(id=kept.level_id)
    session = yield from Session.growing(named, _tree(kept))
    session.helped, session.seconds = kept.helped, kept.seconds
    return _opened(session)._replace(revision=kept.revision)


def _from_set(store: Store, request: SetPlay) -> Search[Opened]:
    if (found := sets.levels(store, request.set, [request.number])) == {}:
        raise WinnableError("sets.gone")
    return _opened((yield from Session.reading(found[request.number].level)))


def _from_deck(store: Store) -> Opened:
    """The first that can be read. Raises WinnableError."""
    for card in deck.due(store, time.time(), usable_games()):
        try:
            return _opened(session_of(card))._replace(card=card)
        except WinnableError as error:
            log.error("card %s: %s", card.id, error)
    raise WinnableError("deck.none")


def merge(session: Session, kept: KeptSession) -> bool:
    """Takes in what another program has kept of the game; False when it cannot: the game is on another level
    there by now, or unreadable."""
    try:
        level = read_level(kept.level)
        if content_id(level.game, level.level) != content_id(session.game, session.level):
            return False
        session.merge(_tree(kept))
        session.helped |= kept.helped
    except WinnableError:
        return False
    return True


def _tree(kept: KeptSession) -> SavedTree:
    tree: SavedTree | list[int] = decode(kept.actions, SavedTree | list[int])
    return as_tree(tree, kept.ply) if isinstance(tree, list) else tree


def _opened(session: Session) -> Opened:
    level: Any = session.level
    companion = companion_of(session.game, level, session.puzzle)
    ships = _ships(session)
    if ships:
        companion.rating = shipped_ratings(session.game.name).get(session.level_id)
    _learn_certificate(companion, session, ships or _made_ahead(session))
    content, code = content_id(session.game, level), session.game.format_board(level)
    return Opened(session, msgspec.json.encode(level), content, code, companion)


def _ships(session: Session) -> bool:
    """Whether the level is one of ours, just as its file has it."""
    try:
        shipped = shipped_level(session.level_id)
    except WinnableError:
        return False
    return shipped is not None and shipped.level == session.level


def _made_ahead(session: Session) -> bool:
    """Whether it is a level of the day, just as our file of them has it."""
    day = day_of(session.game, session.level_id)
    return day is not None and made_ahead(daily(session.game, day)) == session.level


def _learn_certificate(companion: Companion, session: Session, shipped: bool) -> None:
    """A line proves itself, wherever the file came from; that there is none or none cheaper, only a search
    can prove, or a file of our own."""
    certificate: Certificate | None = session.level.certificate
    if (
        not isinstance(companion, ByProof)
        or certificate is None
        or certificate.status != "solved"
        or len(certificate.actions) > MAX_LINE
    ):
        return
    try:
        end = replay(session.puzzle, certificate.actions)
    except IllegalAction:
        return
    if session.puzzle.is_goal(end):
        optimal = shipped and certificate.cost is not None and certificate.cost == certificate.lower_bound
        line = Answer("solved", certificate.actions, certificate.cost, optimal=optimal)
        companion.learn(session.start, line)
