"""Cards of the deck: made of a mistake, answered, and due again when it is about to be forgotten (FSRS, the
free spaced repetition scheduler: J. Ye et al., A stochastic shortest path algorithm for optimizing spaced
repetition scheduling, KDD 2022)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from winnable.contract.core import Action, LevelError, WinnableError
from winnable.contract.errors import failing_rules
from winnable.levels.files import NamedLevel, decode, read_level
from winnable.levels.identity import content_id
from winnable.play.session import Session, as_tree
from winnable.store.deck import Card, card_id


def card_of(named: NamedLevel, actions: Sequence[Action], now: float) -> Card:
    """Makes a card of a game whose last one of these actions was the mistake; due at once."""
    before = msgspec.json.encode([*actions[:-1]])
    return Card(
        id=card_id(content_id(named.game, named.level), before),
        game=named.game.name,
        level_id=named.id,
        level=msgspec.json.encode(named.level),
        actions=before,
        played=actions[-1],
        added=now,
        due=now,
    )


def actions_of(card: Card) -> list[Action]:
    """The actions from the start to the position; of a card that cannot be read there are none."""
    try:
        return decode(card.actions, list[int])
    except WinnableError:
        return []


def session_of(card: Card) -> Session:
    """A session with the position on the board. Raises WinnableError."""
    with failing_rules():
        named = read_level(card.level)._replace(id=card.level_id)
        actions: list[int] = decode(card.actions, list[int], "actions")
        return Session.grown(named, as_tree(actions, len(actions)))


class _Memory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What FSRS keeps of a card."""

    card_id: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    state: Annotated[int, Meta(ge=1, le=3)]
    step: Annotated[int, Meta(ge=0, le=10)] | None
    stability: Annotated[float, Meta(ge=0.001, le=1e6)] | None
    difficulty: Annotated[float, Meta(ge=1, le=10)] | None
    due: Annotated[datetime, Meta(tz=True)]
    last_review: Annotated[datetime, Meta(tz=True)] | None

    def __post_init__(self) -> None:
        """A card that is learnt (1) or learnt anew (3) is at a step; one that was learnt has a strength."""
        if self.state != LEARNT and self.step is None:
            raise LevelError("shape.missing", name="step")
        if (self.state != 1 or self.last_review) and (self.stability is None or self.difficulty is None):
            raise LevelError("shape.missing", name="stability")
        for when in (self.due, self.last_review):
            if when is not None and not 1970 <= when.year < 3000:
                raise LevelError("shape.value", given=str(when))


LEARNT = 2


def checked_memory(content: bytes) -> bytes:
    """The memory as the scheduler writes it. Raises WinnableError where it cannot go on from it."""
    if not content:
        return b""
    memory: _Memory = decode(content, _Memory, "card: memory")
    due, last = memory.due.astimezone(UTC), memory.last_review and memory.last_review.astimezone(UTC)
    times = {"due": due.isoformat(), "last_review": last and last.isoformat()}
    return msgspec.json.encode(msgspec.structs.asdict(memory) | times)


def _memory(card: Card) -> _Memory | None:
    """None: it was never answered, or its memory is lost, so that it begins again."""
    try:
        return decode(card.memory, _Memory) if card.memory else None
    except LevelError:
        return None


def answered(card: Card) -> float:
    """The time when the card was answered last; 0: never."""
    memory = _memory(card)
    return memory.last_review.timestamp() if memory and memory.last_review else 0.0


def reviewed(card: Card, right: bool, now: float) -> Card:
    """The card as it is kept after an answer."""
    from fsrs import Card as Memory
    from fsrs import Rating, Scheduler

    kept: Any = Memory().to_dict() if _memory(card) is None else msgspec.json.decode(card.memory)
    memory, _ = Scheduler(enable_fuzzing=False).review_card(
        Memory.from_dict(kept), Rating.Good if right else Rating.Again, datetime.fromtimestamp(now, UTC)
    )
    return replace(card, due=memory.due.timestamp(), memory=msgspec.json.encode(memory.to_dict()))
