"""Tuned weights as players and solvers: a kept run, or a file of weights, wherever a method is named.

`run:last`, `run:ID` (or its beginning) mean what the run recommends so far; `NAME.json` a file that
`winnable runs export RUN --format weights` wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct, json

from winnable.contract.abilities import players_of, solvers_of
from winnable.contract.core import Player, Solver, WinnableError
from winnable.contract.game import Game
from winnable.contract.tunable import Plays, Solves
from winnable.levels.files import decode, read_file
from winnable.store.database import Store, data_folder
from winnable.tuning import runs
from winnable.tuning.runs import Run

M = TypeVar("M")
RUN, FILE = "run:", ".json"


class Weights(Struct, frozen=True, forbid_unknown_fields=True, tag_field="format", tag="winnable.weights/1"):
    """What tuning found. weights: by name; loss: the least of the run; run: its id."""

    game: str
    tunable: str
    weights: dict[str, float]
    loss: float | None = None
    run: str = ""


def as_json_file(weights: Weights) -> bytes:
    """The weights as the content of a file that `winnable` reads."""
    return json.format(json.encode(weights), indent=2) + b"\n"


Find: TypeAlias = Callable[[str], Weights | None]
"""What somebody typed -> the weights that it names; None: it names none. Raises WinnableError."""


def weights_of(run: Run) -> Weights:
    """Those that the run recommends so far. Raises WinnableError before its first generation."""
    if run.latest is None:
        raise WinnableError("run.empty", field="run", given=run.id)
    if len(run.genes) != len(run.latest.recommendation):
        raise WinnableError("run.weights", field="run", given=run.id)
    found = dict(zip(run.genes, run.latest.recommendation, strict=True))
    return Weights(run.game, run.tunable, found, run.latest.best, run.id)


def kept(store: Store) -> Find:
    """The runs of the store, each looked up once: a table asks for the same name again and again."""

    @cache
    def find(text: str) -> Weights | None:
        return weights_of(runs.find(store, text.removeprefix(RUN))) if text.startswith(RUN) else None

    return find


def at_hand(text: str) -> Weights | None:
    """The user's own runs, and files of weights."""
    if text.endswith(FILE):
        found: Weights = decode(read_file(Path(text)), Weights, "weights: not a file of weights")
        return found
    if not text.startswith(RUN):
        return None
    with closing(Store(data_folder(), in_memory=False)) as store:
        return kept(store)(text)


class _Methods(Mapping[str, M]):
    """A game's own methods, and those that somebody's weights make. It lists its own names alone."""

    def __init__(self, own: Mapping[str, M], make: Callable[[str], M | None]) -> None:
        self._own, self._make = own, make

    def __getitem__(self, name: str) -> M:
        found = self._own[name] if name in self._own else self._make(name)
        if found is None:
            raise KeyError(name)
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._own or (isinstance(name, str) and self._make(name) is not None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._own)

    def __len__(self) -> int:
        return len(self._own)


def players(game: Game, find: Find = at_hand) -> Mapping[str, Callable[[Any, int], Player]]:
    """The players in place of `game.players`, wherever one is named. To look for a name raises WinnableError
    when it names weights that cannot play the game."""

    def make(text: str) -> Callable[[Any, int], Player] | None:
        tunable, weights = _found(game, find, text)
        return tunable.player(weights) if isinstance(tunable, Plays) else None

    return _Methods(players_of(game), make)


def solvers(game: Game, find: Find = at_hand) -> Mapping[str, Solver]:
    """The solvers in place of `solvers_of(game)`, like `players`."""

    def make(text: str) -> Solver | None:
        tunable, weights = _found(game, find, text)
        return tunable.solver(weights) if isinstance(tunable, Solves) else None

    return _Methods(solvers_of(game), make)


def methods(game: Game, find: Find = at_hand) -> Mapping[str, Any]:
    """Both: players, and solvers."""
    own_players, own_solvers = players(game, find), solvers(game, find)

    def make(text: str) -> Any:
        return next((table[text] for table in (own_players, own_solvers) if text in table), None)

    return _Methods({**players_of(game), **solvers_of(game)}, make)


def _found(game: Game, find: Find, text: str) -> tuple[Any, tuple[float, ...]]:
    """The tunable, None if `text` names no weights, and the weights in its order. Raises WinnableError."""
    named = find(text)
    if named is None:
        return None, ()
    if named.game != game.name:
        raise WinnableError("weights.game", field="by", given=text[:80], other=named.game, game=game.name)
    tunable = runs.find_tunable(game.name, named.tunable)
    genes = tunable.genes
    if set(named.weights) != set(genes):
        raise WinnableError("weights.genes", field="by", given=text[:80], known=list(genes))
    if not isinstance(tunable, Plays | Solves):
        raise WinnableError("weights.play", field="by", tunable=named.tunable)
    return tunable, tuple(float(named.weights[gene]) for gene in genes)
