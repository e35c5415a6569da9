"""What is fuzzed: for each target how its inputs are made, and how they are read."""

from __future__ import annotations

import hashlib
import os
import tempfile
import zlib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Protocol

import msgspec

from bench.faults import archives
from bench.faults.fuzz_examine import ACTIONS, SECONDS, SOLVED, Fault, examine, look_at, play_on, solve
from bench.faults.fuzz_mutation import (
    INTEGERS,
    Schema,
    changed_bytes,
    changed_json,
    changed_text,
    dumped,
)
from winnable import words
from winnable.contract.abilities import Recording, formats_of
from winnable.contract.core import Action, Budget, WinnableError, finish
from winnable.contract.params import describe_params
from winnable.contract.registry import GAMES, load_game
from winnable.levels.files import NamedLevel, decode, named_by_content, read_level, shipped_levels
from winnable.levels.identity import parse_identity
from winnable.play.session import SavedSession, Session

SMALL_BYTES = 3_000
"""Of the shipped levels that are changed: with large ones there would be fewer inputs, not other ones."""


class Told(NamedTuple):
    """How an input, which may hold several, was answered.

    said:     the codes of all that was refused, `accepted` for what was not: what is told apart by novelty
    inputs:   how many there were
    accepted: of them
    """

    said: str
    inputs: int = 1
    accepted: int = 0


class Target(Protocol):
    """share: of all inputs that are made."""

    share: float

    def parents(self) -> Sequence[bytes]:
        """Valid inputs, always the same ones."""
        ...

    def make(self, rng: Random, parents: Sequence[bytes], /) -> bytes:
        """A new input."""
        ...

    def read(self, content: bytes) -> Told:
        """Raises whatever is a fault; what the input may do to us is no error here."""
        ...


def dice_of(content: bytes) -> Random:
    """What is done with an input depends on nothing else, so that it can be done again."""
    return Random(zlib.crc32(content))


class Simple:
    """One input, read by a function that raises WinnableError."""

    def __init__(
        self,
        share: float,
        parents: Callable[[], Sequence[bytes]],
        make: Callable[[Random, Sequence[bytes]], bytes],
        use: Callable[[bytes, Random], None],
    ) -> None:
        self.share, self.parents, self.make, self._use = share, cache(parents), make, use

    def read(self, content: bytes) -> Told:
        try:
            self._use(content, dice_of(content))
        except WinnableError as error:
            for language in words.LANGUAGES:
                error.said(language)
            return Told(_said(error))
        return Told("accepted", 1, 1)


def _said(error: WinnableError) -> str:
    """Without numbers: `tiles[7].x` is no news after `tiles[3].x`."""
    field = str(error.values.get("field", ""))
    where = "".join(letter for letter in field[:60] if letter.isalpha() or letter in "._[]")
    return " ".join([error.code, where, *map(_said, error.values.get("complaints", ()))])


# -- making ------------------------------------------------------------------------------------------------


def made_json(rng: Random, parents: Sequence[bytes]) -> bytes:
    """Mostly a valid document with changes, now and then with changed bytes."""
    content, other = rng.choice(parents), rng.choice(parents)
    if rng.random() < 0.85:
        try:
            content = dumped(changed_json(rng, msgspec.json.decode(content), msgspec.json.decode(other)))
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            return changed_bytes(rng, content, other)
        if rng.random() < 0.95:
            return content
    return changed_bytes(rng, content, other)


def made_text(rng: Random, parents: Sequence[bytes]) -> bytes:
    content, other = rng.choice(parents), rng.choice(parents)
    if rng.random() < 0.02:
        return changed_bytes(rng, content, other)
    return changed_text(rng, content.decode(errors="replace"), other.decode(errors="replace")).encode(
        errors="replace"
    )


def drawn_or_changed(*kinds: Any, drawn: float = 0.2) -> Callable[[Random, Sequence[bytes]], bytes]:
    schemas: list[Schema] = []

    def make(rng: Random, parents: Sequence[bytes]) -> bytes:
        if rng.random() >= drawn:
            return made_json(rng, parents)
        if not schemas:
            schemas.extend(map(Schema, kinds or (load_game(name).level_type for name in GAMES)))
        return dumped(rng.choice(schemas).draw(rng))

    return make


# -- levels, boards, identities ----------------------------------------------------------------------------


@cache
def small_levels() -> tuple[NamedLevel, ...]:
    found: list[NamedLevel] = []
    for name in GAMES:
        game = load_game(name)
        found += (NamedLevel(game, level, id) for id, level in shipped_levels(game))
    return tuple(named for named in found if len(msgspec.json.encode(named.level)) <= SMALL_BYTES)


def _levels() -> list[bytes]:
    return [msgspec.json.encode(named.level) for named in small_levels()]


def _use_level(content: bytes, rng: Random) -> None:
    examine(read_level(content, rng.randrange(100)), rng)


def _boards() -> list[bytes]:
    return [f"{named.game.name}:{named.game.format_board(named.level)}".encode() for named in small_levels()]


def _use_board(content: bytes, rng: Random) -> None:
    text = content.decode(errors="surrogateescape")
    name, _, board = text.partition(":")
    for game in (load_game(name),) if name in GAMES else map(load_game, GAMES):
        try:
            named = named_by_content(game, game.parse_board(board if name in GAMES else text))
        except WinnableError:
            if name in GAMES:
                raise
        else:
            examine(named, rng)


def _identities() -> list[bytes]:
    names = [name for name in GAMES for _ in range(4)]
    return [f"{name}:#{seed}".encode() for seed, name in enumerate(names)] + [
        f"{name}:daily".encode() for name in GAMES
    ]


def _made_identity(rng: Random, parents: Sequence[bytes]) -> bytes:
    if rng.random() < 0.6:
        return made_text(rng, parents)
    game = load_game(rng.choice(list(GAMES)))
    params = describe_params(game.params_type)
    pairs: list[str] = []
    for param in rng.sample(params, rng.randrange(min(5, len(params) + 1))):
        low, high = int(param.minimum or 0), int(param.maximum or 100)
        near = rng.randrange(low, min(high, low + 12) + 1)
        value = rng.choice(param.choices) if param.choices else rng.choice((near, near, near, low, high))
        pairs.append(f"{param.name}={rng.choice(INTEGERS) if rng.random() < 0.05 else value}")
    text = f"{game.name}:{','.join(pairs)}#{rng.randrange(10 ** rng.randrange(1, 16))}"
    return changed_text(rng, text, "").encode(errors="replace") if rng.random() < 0.2 else text.encode()


def _use_identity(content: bytes, rng: Random) -> None:
    identity = parse_identity(content.decode(errors="surrogateescape"))
    if parse_identity(str(identity)) != identity:
        raise Fault("an identity is another one when it is read again")
    level = finish(identity.game.generate(identity.params, identity.seed, Budget(SECONDS)))
    if len(msgspec.json.encode(level)) <= 10 * SMALL_BYTES:
        examine(NamedLevel(identity.game, level, str(identity)), rng)


# -- sessions ----------------------------------------------------------------------------------------------


def _sessions() -> list[bytes]:
    rng = Random(28)
    found: list[bytes] = []
    for named in small_levels():
        session = Session(named)
        for _ in range(2):
            play_on(session, rng)
        found.append(session.save())
        line = [session.puzzle.legal_actions(session.start)[0]]
        level, id = msgspec.Raw(msgspec.json.encode(named.level)), named.id
        saved = {"format": "winnable.session/1", "level_id": id, "level": level, "actions": line, "ply": 1}
        found.append(msgspec.json.encode(saved))
    return found


def _use_session(content: bytes, rng: Random) -> None:
    session = Session.load(content)
    if len(session.states) > 20 * ACTIONS:
        return
    look_at(session)
    for _ in range(2):
        if session.forks:
            session.alternate(rng.choice((1, -1)))
    play_on(session, rng)
    if rng.random() < SOLVED:
        solve(session)


# -- fumens and the files of other programs ----------------------------------------------------------------


def _fumens() -> list[bytes]:
    from winnable.games.tetris.levels import fumen

    rng = Random(28)
    found: list[bytes] = []
    for pages in (1, 1, 2, 3, 5):
        for _ in range(4):
            rows = [
                "".join(rng.choice(fumen.LETTERS) for _ in range(fumen.WIDTH))
                for _ in range(rng.randrange(6))
            ]
            comment = rng.choice(("", "hello", "#Q=[](I)TSZ", "十滴水"))
            found.append(fumen.encode([fumen.page_of(rows, comment=comment) for _ in range(pages)]).encode())
    return found


def _use_fumen(content: bytes, rng: Random) -> None:
    from winnable.games.tetris.levels import fumen

    pages = fumen.decode(content.decode(errors="surrogateescape"))
    if fumen.decode(fumen.encode(pages)) != pages:
        raise Fault("a fumen is another one when it is read again")
    _ = [page.board for page in pages]


def _foreign() -> list[bytes]:
    found: list[bytes] = []
    for named in small_levels():
        for form in formats_of(named.game).values():
            if form.write is not None:
                try:
                    found.append(form.write(Recording(named.level)))
                    found.append(form.write(Recording(named.level, _few_actions(named))))
                except WinnableError:
                    continue  # it cannot say what is in this level
    return found


def _few_actions(named: NamedLevel) -> list[Action]:
    session, rng = Session(named), Random(28)
    while session.standing == "playing" and session.ply < 12:
        session.act(rng.choice(session.puzzle.legal_actions(session.state)))
    return session.actions


def _use_foreign(content: bytes, rng: Random) -> None:
    session = Session.read(content)
    if session.length:
        play_on(session, rng)
    else:
        _use_level(content, rng)


def _made_foreign(rng: Random, parents: Sequence[bytes]) -> bytes:
    return (made_json if rng.choice((True, True, False)) else made_text)(rng, parents)


def _replays() -> list[bytes]:
    from winnable.games.tetris.modern.players.replay import Play
    from winnable.games.tetris.modern.rules.level import Handling, Level

    rng = Random(28)
    found: list[bytes] = []
    levels = [Level(mode=mode, dice=7) for mode in ("sprint", "marathon", "zen", "endless")]
    for level in [*levels, Level(rules="article", dice=3), Level(board=("XXXXXXXXX.",) * 3)]:
        play = Play(level, Handling())
        while len(play.runs) < 20 and not play.is_over:
            keys = rng.choice((0, 1 << rng.randrange(8), rng.randrange(256)))
            for _ in range(rng.randrange(1, 9)):
                if not play.is_over:
                    play.step(keys)
        found.append(msgspec.json.encode(play.film))
    return found


def _use_replay(content: bytes, rng: Random) -> None:
    from winnable.games.tetris.modern.players.replay import Film, Play

    film: Film = decode(content, Film, "content")
    play = Play(film.level, film.log.handling, film.by_bot)
    for keys, _ in zip(film.log.keys(), range(300), strict=False):
        if play.is_over:
            break
        play.step(keys)
        if rng.random() < 0.05:
            msgspec.json.encode(play.puzzle.observe(play.state))
    msgspec.json.encode(play.film)


# -- networks of 2048 --------------------------------------------------------------------------------------


@cache
def _networks() -> list[bytes]:
    import numpy as np

    from winnable.games.game2048.network.file import Progress, quantised, write_checkpoint
    from winnable.games.game2048.network.network import Network, parse_tuples

    found: list[bytes] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "network"
        for tuples, coherent in (("01", True), ("04", False), ("012", True)):
            network = Network(parse_tuples(tuples))
            network.weights[::7] = 100
            found.append(quantised(network, Progress(games=3)))
            coherence = np.zeros(2 * len(network.weights) if coherent else 0, np.float32)
            write_checkpoint(path, network, coherence, Progress(games=5, dice=[1], scores=[4, 8]))
            found.append(path.read_bytes())
    return found


def _made_network(rng: Random, parents: Sequence[bytes]) -> bytes:
    """Mostly with a checksum that is right, so that what lies behind it is reached."""
    from winnable.games.game2048.network.file import MAGIC

    content, other = rng.choice(parents), rng.choice(parents)
    if rng.random() < 0.2:
        return changed_bytes(rng, content, other)
    header, _, parts = content[len(MAGIC) : -32].partition(b"\n")
    if rng.random() < 0.7:
        header = changed_bytes(rng, header, other) if rng.random() < 0.2 else made_json(rng, [header])
    if rng.random() < 0.5:
        parts = changed_bytes(rng, parts, other[len(MAGIC) :])
    body = MAGIC + header + b"\n" + parts
    return body + hashlib.sha256(body).digest()


def _use_network(content: bytes, rng: Random) -> None:
    from winnable.games.game2048.network import file as network_file

    path = _memory_folder() / f"winnable-fuzz-{os.getpid()}"
    try:
        path.write_bytes(content)
        found = network_file.read(path)
    finally:
        path.unlink(missing_ok=True)
    weights = found.network.weights
    if weights.nbytes <= 1 << 22 and abs(weights).max(initial=0) < 1e9:
        network_file.quantised(found.network, found.progress)


@cache
def _memory_folder() -> Path:
    """A disk would take longer than the reading."""
    memory = Path("/dev/shm")
    return memory if os.access(memory, os.W_OK) else Path(tempfile.gettempdir())


@cache
def simple_targets() -> dict[str, Target]:
    from winnable.games.tetris.modern.players.replay import Film

    return {
        "archives": Simple(0.03, archives.parents, archives.made, archives.use),
        "levels": Simple(0.14, _levels, drawn_or_changed(), _use_level),
        "boards": Simple(0.17, _boards, made_text, _use_board),
        "identities": Simple(0.01, _identities, _made_identity, _use_identity),
        "sessions": Simple(0.10, _sessions, drawn_or_changed(SavedSession, drawn=0.05), _use_session),
        "fumens": Simple(0.10, _fumens, made_text, _use_fumen),
        "foreign": Simple(0.10, _foreign, _made_foreign, _use_foreign),
        "replays": Simple(0.05, _replays, drawn_or_changed(Film), _use_replay),
        "networks": Simple(0.05, _networks, _made_network, _use_network),
    }
