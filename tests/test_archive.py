"""All data in one file: out and in again, merged, refused."""

import gzip
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.store.test_results import result
from winnable import archive
from winnable.archive import TakenIn
from winnable.contract.core import WinnableError
from winnable.contract.methods import Wanted
from winnable.contract.registry import load_game
from winnable.levels.files import NamedLevel, named_by_content
from winnable.play.deck import card_of, reviewed
from winnable.play.session import Session
from winnable.play.tree import SavedTree
from winnable.store import database, deck, results
from winnable.store.database import KeptSession, Store
from winnable.tuning import runs

NOTHING = TakenIn(0, 0, 0, 0, 0, 0, {})


BOARD = "400/000,drops=2,open"


def board(text: str = BOARD) -> NamedLevel:
    drops = load_game("drops")
    return named_by_content(drops, drops.parse_board(text))


def game(number: int, *actions: int, level: str = BOARD, helped: bool = False) -> KeptSession:
    session = Session(board(level))
    for action in actions:
        session.act(action)
    return as_kept(number, session, helped)


def as_kept(number: int, session: Session, helped: bool = False) -> KeptSession:
    return KeptSession(
        f"{number:032x}",
        session.level_id,
        msgspec.json.encode(session.level),
        msgspec.json.encode(session.saved_tree()),
        session.ply,
        session.standing,
        float(number),
        helped=helped,
        seconds=2.5,
    )


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[str], Store]]:
    stores: list[Store] = []

    def make(name: str) -> Store:
        stores.append(Store(tmp_path / name))
        return stores[-1]

    yield make
    for store in stores:
        store.close()


Opened = Callable[[str], Store]


def filled(store: Store) -> Store:
    store.save(game(1, 1, helped=True))
    store.save(game(2))
    results.add(store, result(1))
    results.add(store, result(2))
    run = runs.new_run(store, "triple", "beam-forward", Wanted("de", {}), 100, 7)
    recorder = runs.Recorder(store, run)
    event = runs.Generation(3, 30, 1.0, 1.0, 2.0, 3.0, [1.0], [0.1], 5.0, 1.0, 9.0)
    recorder.save({"genes": [1.0]}, event)
    recorder.end("stopped")
    deck.add(store, card_of(board(), [1], 5.0))
    deck.add(store, reviewed(card_of(board(), [1, 2], 6.0), True, 60.0))
    return store


def lines(content: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress(content).splitlines()]


def packed(records: list[Any]) -> bytes:
    return gzip.compress(b"".join(msgspec.json.encode(record) + b"\n" for record in records))


def test_all_comes_back_on_another_machine(opened: Opened) -> None:
    here, there = filled(opened("here")), opened("there")
    content, counts = archive.pack(here)
    assert (counts.games, counts.results, counts.runs, counts.cards) == (2, 2, 1, 2)
    assert archive.take_in(there, content) == TakenIn(2, 0, 0, 2, 1, 2, {})
    assert [entry.id for entry in there.sessions()] == [entry.id for entry in here.sessions()]
    for entry in here.sessions():
        assert there.load(entry.id) == here.load(entry.id)
    assert results.every(there) == results.every(here)
    (run,) = here.runs()
    assert there.load_run(run.id) == here.load_run(run.id)
    assert runs.generations(there, run.id) == runs.generations(here, run.id)
    assert deck.every(there) == deck.every(here)
    assert lines(archive.pack(there)[0])[1:] == lines(content)[1:]


def test_once_more_changes_nothing(opened: Opened) -> None:
    store = filled(opened("here"))
    content, _ = archive.pack(store)
    before = [(entry.id, store.load(entry.id).revision) for entry in store.sessions()]
    assert archive.take_in(store, content) == NOTHING
    assert [(entry.id, store.load(entry.id).revision) for entry in store.sessions()] == before


def test_branches_of_one_game_come_together(opened: Opened) -> None:
    here, there = opened("here"), opened("there")
    here.save(game(1, 1, helped=True))
    ours = game(1, 2)
    there.save(ours)
    content, _ = archive.pack(here)
    assert archive.take_in(there, content) == replace_games(merged=1)
    kept = there.load(ours.id)
    assert (kept.ply, kept.helped) == (ours.ply, True)
    session = Session.grown(board(), msgspec.json.decode(kept.actions, type=SavedTree))
    assert session.last_action == 2, "the board stays"
    assert [branch.action for branch in session.branches(0)] == [2, 1]
    assert archive.take_in(there, content) == NOTHING


def replace_games(games: int = 0, merged: int = 0, left_out: int = 0) -> TakenIn:
    return TakenIn(games, merged, left_out, 0, 0, 0, {})


def test_of_two_games_with_one_id_both_stay(opened: Opened) -> None:
    here, there = opened("here"), opened("there")
    here.save(game(1, level="040/000,drops=9,open"))
    there.save(game(1, 1))
    content, _ = archive.pack(here)
    assert archive.take_in(there, content) == replace_games(games=1)
    assert archive.take_in(there, content) == NOTHING
    assert len(there.sessions()) == 2
    assert there.load(game(1).id) == game(1, 1)


def test_what_is_here_is_not_pushed_out(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = opened("here"), opened("there")
    for number in range(1, 5):
        here.save(game(number))
    for number in range(11, 14):
        there.save(game(number))
    content, _ = archive.pack(here)
    monkeypatch.setattr(archive, "MAX_SESSIONS", 5)
    monkeypatch.setattr(Store.prune, "__defaults__", (5, database.MAX_LEVEL_BYTES))
    assert archive.take_in(there, content) == replace_games(games=2, left_out=2)
    ids = [int(entry.id, 16) for entry in there.sessions()]
    assert ids == [13, 12, 11, 4, 3]


def test_a_game_of_a_games_own_page_comes_along(opened: Opened) -> None:
    here, there = opened("here"), opened("there")
    arcade = KeptSession("a" * 32, "arcade:sprint#1", b'{"x":1}', b"[[]]", 3, "playing", 1.0)
    here.save(arcade)
    assert archive.take_in(there, archive.pack(here)[0]).games == 1
    assert there.load(arcade.id) == arcade


def test_what_browsers_remember_is_handed_on(opened: Opened) -> None:
    content, _ = archive.pack(opened("here"))
    settings = {"kind": "settings", "values": {"lamp": "off"}}
    assert archive.take_in(opened("there"), content + packed([settings])).settings == {"lamp": "off"}


def changed(content: bytes, kind: str, **fields: Any) -> bytes:
    records = lines(content)
    at = next(record for record in records if record["kind"] == kind)
    (at["result"] if kind == "result" else at).update(fields)
    return packed(records)


TREE = json.dumps({"actions": [99], "branches": [], "node": 1, "onward": []})


SPOILT: list[tuple[Callable[[bytes], bytes], str]] = [
    (lambda content: b"", "file: this is no file of winnable's data"),
    (lambda content: b"hello", "file: this is no file"),
    (lambda content: packed([{"format": "other"}]), "file: this is no file"),
    (lambda content: packed(lines(content)[1:]), "file: this is no file"),
    (lambda content: content[:-20], "file: .*damaged"),
    (lambda content: content + b"rubbish", "file: .*damaged"),
    (lambda content: content[:60] + bytes([content[60] ^ 255]) + content[61:], "file: |line "),
    (lambda content: changed(content, "head", format="winnable.data/2"), "format: .*newer"),
    (lambda content: changed(content, "head", new=1), "line 1: .*`?new"),
    (lambda content: changed(content, "game", level="{}"), "line 2: game: "),
    (lambda content: changed(content, "game", level="["), "line 2: game: "),
    (lambda content: changed(content, "game", actions=TREE), "line 2: game: actions"),
    (lambda content: changed(content, "game", actions='{"actions":1}'), "line 2: game: actions"),
    (lambda content: changed(content, "game", ply=7), "line 2: game: ply"),
    (lambda content: changed(content, "game", id="../x"), "line 2: id"),
    (lambda content: changed(content, "game", level_id="x" * 401), "line 2: level_id"),
    (lambda content: changed(content, "result", outcome="drawn"), "line 4: result.outcome"),
    (lambda content: changed(content, "result", actions=-1), "line 4: result.actions"),
    (lambda content: changed(content, "result", day="2026-13-45"), "line 4: result"),
    (lambda content: changed(content, "result", seconds="long"), "line 4: result.seconds"),
    (lambda content: changed(content, "run", arguments="{}"), "line 6: run: arguments"),
    (lambda content: changed(content, "run", events=["{}"]), "line 6: run: events"),
    (lambda content: changed(content, "run", checkpoint="[]"), "line 6: run: checkpoint"),
    (lambda content: changed(content, "run", status="odd"), "line 6: status"),
    (lambda content: changed(content, "card", actions="[99]"), "line 7: card: actions"),
    (lambda content: changed(content, "card", memory='{"card_id":1}'), "line 7: card: memory"),
    (lambda content: changed(content, "card", memory="[]"), "line 7: card: memory"),
    (lambda content: content + packed([{"kind": "settings", "values": {"a": 1}}]), "line 9: values"),
    (lambda content: content + packed([{"kind": "poem"}]), "line 9: kind"),
    (lambda content: content + gzip.compress(b"[" * 100_000), "line 9"),
]


@pytest.mark.parametrize(("spoil", "said"), SPOILT)
def test_what_is_wrong_is_named_and_nothing_changes(
    opened: Opened, spoil: Callable[[bytes], bytes], said: str
) -> None:
    content, _ = archive.pack(filled(opened("here")))
    there = opened("there")
    with pytest.raises(WinnableError, match=said):
        archive.take_in(there, spoil(content))
    assert archive.pack(there)[1] == archive.Packed(0, 0, 0, 0)


def test_a_small_file_that_unpacks_to_much_is_refused(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    content, _ = archive.pack(filled(opened("here")))
    monkeypatch.setattr(archive, "MAX_UNPACKED", 1000)
    with pytest.raises(WinnableError, match="too much data"):
        archive.take_in(opened("there"), content)


def test_of_two_memories_of_a_mistake_the_later_one_stays(opened: Opened) -> None:
    here, there = opened("here"), opened("there")
    new = card_of(board(), [1], 5.0)
    early, late = reviewed(new, True, 50.0), reviewed(reviewed(new, True, 50.0), False, 80.0)
    for ours, theirs, kept in ((early, late, late), (late, early, late), (new, early, early)):
        deck.put(there, ours)
        deck.put(here, theirs)
        assert archive.take_in(there, archive.pack(here)[0]).cards == (kept != ours)
        assert deck.every(there) == [kept]


def test_bits_that_flip_never_crash_it(opened: Opened) -> None:
    """Of the packed file and of what it holds."""
    content, _ = archive.pack(filled(opened("here")))
    there = opened("there")
    plain = gzip.decompress(content)
    for at in range(0, len(plain), 7):
        spoilt = plain[:at] + bytes([plain[at] ^ 1 << at % 7]) + plain[at + 1 :]
        with suppress(WinnableError):
            archive.take_in(there, gzip.compress(spoilt, 1))
    for entry in there.sessions(1000):
        if not entry.level_id.startswith("arcade"):
            archive._session(there.load(entry.id))  # pyright: ignore[reportPrivateUsage]
    assert len(runs.listed(there)) >= 0
    assert replace(result(1)) in results.every(there)
