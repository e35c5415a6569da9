"""`winnable deck`: the mistakes of one's own games, to be answered in the terminal."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from winnable.cli.options import Command, json_option, time_option
from winnable.cli.output import emit_json, note, one_line, print_table, say, short_name
from winnable.contract.abilities import Solves
from winnable.contract.core import Action, Budget, WinnableError, action_name, finish, parsed_action
from winnable.contract.registry import usable_games
from winnable.words import language, t

if TYPE_CHECKING:
    from winnable.store.database import Store
    from winnable.store.deck import Card

PASSED: Action = -1
"""No action: the card is passed by."""


class CardInfo(Struct, frozen=True):
    """What `deck --list --json` prints of a card. ply: of its position; due: seconds since 1970"""

    id: str
    game: str
    level_id: str
    ply: int
    due: float


class Given(Struct, frozen=True):
    """What `deck --json` prints of an answer. right, better: None where they could not be found out; due:
    when the card comes back, seconds since 1970"""

    card: str
    game: str
    level_id: str
    action: int
    action_name: str
    right: bool | None
    better: int | None
    due: float


@click.command("deck", cls=Command)
@click.option(
    "--list", "only_list", is_flag=True, help="List all cards instead, the one that is due first first."
)
@time_option(20, "Seconds that judging an answer may take.")
@json_option
def deck_command(only_list: bool, seconds: float, as_json: bool) -> int:
    """Answer the cards of the deck that are due: positions of your own games in which an action was a
    mistake.

    Each is shown as it was before; any action that is no mistake is right, and that is proved where the game
    has a goal. `?` shows what can be answered, an empty line passes a card by, `q` leaves. A card that was
    answered comes back when it is about to be forgotten.

    Examples:
      winnable deck
      winnable deck --list
      echo '(2,1)' | winnable deck --json
    """
    from winnable.cli.users_store import opened_store
    from winnable.store import deck

    with opened_store() as store:
        if only_list:
            _list(store, as_json)
            return 0
        due = deck.due(store, time.time(), usable_games())
        given = _practise(store, due, seconds, partial(say, err=as_json))
        if as_json:
            emit_json(given)
    return 0


def _list(store: Store, as_json: bool) -> None:
    from winnable.play.deck import actions_of
    from winnable.store import deck

    infos = [
        CardInfo(card.id, card.game, card.level_id, len(actions_of(card)), card.due)
        for card in deck.every(store)
    ]
    if as_json:
        emit_json(infos)
    elif not infos:
        note(t("cli.deck.empty"))
    else:
        rows = [(info.level_id, f"{info.ply:,}", _when(info)) for info in infos]
        print_table((t("cli.deck.level"), t("cli.deck.ply"), t("cli.deck.due")), rows)


def _practise(store: Store, due: list[Card], seconds: float, show: Callable[[str], None]) -> list[Given]:
    """Until all were answered or passed by, or the person leaves."""
    from winnable.cli.table import lines
    from winnable.store import deck

    given: list[Given] = []
    answers = lines("> ")
    for number, card in enumerate(due, 1):
        try:
            practice = _Practice(card, seconds, show)
        except WinnableError as error:  # it stops no other
            note(f"{one_line(card.level_id)}: {error.said(language())}")
            continue
        show(t("cli.deck.card", number=number, total=len(due), level=one_line(card.level_id)))
        if (action := practice.chosen(answers)) is None:
            return given
        if action != PASSED:
            kept, answer = practice.judged(action)
            deck.put(store, kept)
            given.append(answer)
    show(t("deck.done") if due else t("cli.deck.none"))
    return given


class _Practice:
    """One card before the person."""

    def __init__(self, card: Card, seconds: float, show: Callable[[str], None]) -> None:
        from winnable.play.deck import session_of

        self._card, self._seconds, self._show = card, seconds, show
        self._session = session_of(card)
        self._puzzle, self._state = self._session.puzzle, self._session.state

    def chosen(self, answers: Iterator[str]) -> Action | None:
        """An action that was legal, and is played by now, or PASSED; None: the person leaves."""
        game = self._session.game
        self._show(game.render(self._puzzle, self._state))
        self._show(t("deck.ask" if isinstance(game, Solves) else "deck.ask.best", move=t("move")))
        for line in answers:
            match line.strip():
                case "":
                    return PASSED
                case "q" | "quit":
                    return None
                case "?":
                    legal = self._puzzle.legal_actions(self._state)
                    names = ", ".join(short_name(self._name(action)) for action in legal)
                    self._show(t("cli.deck.help", actions=names))
                case text:
                    try:
                        self._session.act(parsed_action(self._puzzle, text))
                        return self._session.last_action
                    except WinnableError as error:
                        self._show(one_line(error.said(language())))
        return None

    def _name(self, action: Action) -> str:
        return action_name(self._puzzle, action)

    def judged(self, action: Action) -> tuple[Card, Given]:
        """The card as it is kept from now on, and what was told."""
        from winnable.analysis import companion_of
        from winnable.analysis.answering import judge
        from winnable.analysis.verdicts import Point
        from winnable.play.deck import reviewed

        card, session = self._card, self._session
        companion = companion_of(session.game, session.level, self._puzzle)
        point = Point(session.states, session.actions, session.ply)
        answer = finish(judge(companion, point, Budget(), self._seconds))
        played, better = self._name(action), answer.better
        said = {True: "right", False: "wrong", None: "unknown"}[answer.right]
        self._show(t(f"deck.{said}", played=played))
        if better is not None:
            self._show(t("deck.better", better=self._name(better)))
        if answer.right is not None:
            card = reviewed(card, answer.right, time.time())
            self._show(t("cli.deck.back", when=_when(card)))
        return card, Given(card.id, card.game, card.level_id, action, played, answer.right, better, card.due)


def _when(card: Card | CardInfo) -> str:
    return f"{datetime.fromtimestamp(card.due):%Y-%m-%d %H:%M}"
