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

from winnable.contract.core import Action, LevelError
from winnable.levels.files import NamedLevel, decode, read_level
from winnable.levels.identity import content_id
from winnable.play.session import Session, as_tree
from winnable.store.deck import Card, card_id


def card_of(named: NamedLevel, actions: Sequence[Action], now: float) -> Card:
    """Of a game whose last one of these actions was the mistake; due at once."""
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


def session_of(card: Card) -> Session:
    """With the position on the board. Raises WinnableError."""
    named = read_level(card.level)._replace(id=card.level_id)
    actions: list[int] = decode(card.actions, list[int], "actions")
    return Session.grown(named, as_tree(actions, len(actions)))


class _Memory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What FSRS keeps of a card."""

    card_id: int
    state: Annotated[int, Meta(ge=1, le=3)]
    step: Annotated[int, Meta(ge=0, le=10)] | None
    stability: Annotated[float, Meta(ge=0.001, le=1e6)] | None
    difficulty: Annotated[float, Meta(ge=1, le=10)] | None
    due: datetime
    last_review: datetime | None

    def __post_init__(self) -> None:
        if self.state > 1 and (self.stability is None or self.difficulty is None):
            raise LevelError("shape.missing", name="stability")


def check_memory(card: Card) -> None:
    """Raises WinnableError where the scheduler has not written it."""
    if card.memory:
        decode(card.memory, _Memory, "memory")


def answered(card: Card) -> float:
    """When it was last; 0: never."""
    memory: _Memory | None = decode(card.memory, _Memory) if card.memory else None
    return memory.last_review.timestamp() if memory and memory.last_review else 0.0


def reviewed(card: Card, right: bool, now: float) -> Card:
    """As it is kept after an answer."""
    from fsrs import Card as Memory
    from fsrs import Rating, Scheduler

    kept: Any = msgspec.json.decode(card.memory) if card.memory else Memory().to_dict()
    memory, _ = Scheduler(enable_fuzzing=False).review_card(
        Memory.from_dict(kept), Rating.Good if right else Rating.Again, datetime.fromtimestamp(now, UTC)
    )
    return replace(card, due=memory.due.timestamp(), memory=msgspec.json.encode(memory.to_dict()))
