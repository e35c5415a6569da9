"""A game for the tests of the studio: small enough to foresee, with solvers that wait, fail and never stop.

The state is a number. Actions 0 and 1 take one or two away, 0 is the goal. Action 2 loses: the state becomes
-1, and from there action 0 goes on to -2 and -3, where no action is left.
"""

from __future__ import annotations

import json
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta, Struct

from winnable.contract.abilities import ChangesLevels, Pages, Solves
from winnable.contract.core import Answer, Budget, IllegalAction, LevelError, Search
from winnable.contract.game import Game, keep_to
from winnable.contract.provenance import Certificate, Provenance
from winnable.store.database import KeptSession
from winnable.web.hosts import Services

OPEN = threading.Event()
"""While it is not set, the solver `auto` and the methods `slow` and `failing` wait."""
OPEN.set()


class Level(Struct, frozen=True, forbid_unknown_fields=True, tag_field="format", tag="winnable.toy/1"):
    start: Annotated[int, Meta(ge=1, le=100)]
    title: dict[str, str] = {}
    provenance: Provenance | None = None
    certificate: Certificate | None = None


class Params(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    start: Annotated[int, Meta(ge=1, le=100)] = 5
    method: Literal["plain", "slow", "failing", "endless"] = "plain"


class Toy:
    num_actions = 3

    def __init__(self, level: Level) -> None:
        self.level = level

    def initial(self) -> int:
        return self.level.start

    def legal_actions(self, state: int) -> Sequence[int]:
        if state < 0:
            return [0] if state > -3 else []
        return [action for action in (0, 1, 2) if state > 0 and (action == 2 or action < state)]

    def apply(self, state: int, action: int) -> int:
        if action not in self.legal_actions(state):
            raise IllegalAction(f"action {action} is not one of {self.legal_actions(state)}")
        if state < 0:
            return state - 1
        return -1 if action == 2 else state - action - 1

    def is_goal(self, state: int) -> bool:
        return state == 0

    def cost(self, state: int, action: int) -> int:
        return 1

    def observe(self, state: int) -> Any:
        return {"left": state}

    def action_name(self, action: int) -> str:
        return ("one", "two", "lose")[action]

    def parse_action(self, text: str) -> int:
        return ("one", "two", "lose").index(text)


def generate(params: Params, seed: int, budget: Budget | None = None) -> Search[Level]:
    while params.method == "endless" or (params.method != "plain" and not OPEN.is_set()):
        yield from keep_to(budget or Budget())
        time.sleep(0.001)
    if params.method == "failing":
        raise LevelError("method: this one fails")
    return Level(params.start)


def parse_board(text: str) -> Level:
    if not (text.isascii() and text.isdigit()):
        raise LevelError(f"board: {text[:20]!r} is not a number")
    return msgspec.convert({"format": "winnable.toy/1", "start": int(text)}, Level)


def _answer(state: int) -> Answer:
    if state < 0:
        return Answer("unsolvable", expanded=1)
    return Answer("solved", (0,) * state, expanded=state)


def auto(puzzle: Any, state: int, budget: Budget, seed: int) -> Search[Answer]:
    while not OPEN.is_set():
        if not (yield from budget.allows("waiting for the test", 7, 7)):
            return Answer("budget", expanded=7)
        time.sleep(0.002)
    return _answer(state)


def stuck(puzzle: Any, state: int, budget: Budget, seed: int) -> Search[Answer]:
    """Searches in vain, and in Python, so that it holds the interpreter."""
    expanded = 0
    while (yield from budget.allows("counting", expanded, expanded)):
        expanded += sum(1 for _ in range(20_000))
    return Answer("budget", expanded=expanded, limit=budget.limit(expanded))


def broken(puzzle: Any, state: int, budget: Budget, seed: int) -> Answer:
    raise ZeroDivisionError("a bug in a solver")


class Ones:
    def __init__(self, puzzle: Any, seed: int) -> None:
        self._puzzle = puzzle

    def choose(self, state: int) -> int:
        return 0


class Broken(Ones):
    def choose(self, state: int) -> int:
        raise ZeroDivisionError("a bug in a player")


def _format(level: Level) -> str:
    return str(level.start)


def _draw(puzzle: Any, state: Any) -> str:
    return json.dumps(state)


def _facts(level: Level, budget: Budget) -> dict[str, Any]:
    return {}


class Sold(msgspec.Struct):
    toy: str
    number: int


class Till:
    """Counts what has been sold, at all counters together."""

    def __init__(self, services: Services) -> None:
        self.services, self.sold = services, 0

    def enter(self, send: Callable[[msgspec.Struct], None]) -> Counter:
        return Counter(self, send)


class Counter:
    is_busy = False

    def __init__(self, till: Till, send: Callable[[msgspec.Struct], None]) -> None:
        self._till, self._send = till, send

    def receive(self, message: str | bytes) -> None:
        """Sells, and keeps what was sold last."""
        self._till.sold += 1
        kept = KeptSession(uuid.uuid4().hex, f"toyshop:{message}", b"{}", b"", 0, "playing", time.time())
        self._till.services.store.replace(kept)
        self._send(Sold(str(message), self._till.sold))

    def close(self) -> None:
        pass


class ToyGame(Game, Solves, ChangesLevels, Pages):
    pages: ClassVar = dict.fromkeys(
        ("toyshop", "toymuseum", "toyhouse"), Path(__file__).parent / "page" / "toyshop"
    )
    solvers: ClassVar = {"auto": auto, "stuck": stuck, "broken": broken}

    def host(self, page: str, services: Services) -> Till | None:
        if page == "toyhouse":
            raise ZeroDivisionError("on purpose")
        return Till(services) if page == "toyshop" else None

    def cheat(self, level: Level) -> Level | None:
        """Only of the longest games, so that the others have none."""
        return msgspec.structs.replace(level, start=level.start + 1) if level.start >= 64 else None


GAME = ToyGame(
    name="toy",
    level_type=Level,
    params_type=Params,
    puzzle=Toy,
    generate=generate,
    parse_board=parse_board,
    format_board=_format,
    render=_draw,
    svg=_draw,
    facts=_facts,
    players={"ones": Ones, "broken-player": Broken},
    kernels={},
    daily=Params(start=9),
    levels=Path(__file__).parent / "no-levels",
    cover="5",
)
