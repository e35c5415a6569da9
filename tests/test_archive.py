"""All data in one file: out and in again, merged, refused."""

import gzip
import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import msgspec
import pytest

from tests.store.test_results import result
from winnable import archive
from winnable.archive import TakenIn
from winnable.contract import registry
from winnable.contract.core import WinnableError
from winnable.contract.methods import Wanted
from winnable.contract.registry import load_game
from winnable.levels.files import NamedLevel, named_by_content
from winnable.play.deck import actions_of, card_of, reviewed, session_of
from winnable.play.session import Session
from winnable.play.tree import SavedTree
from winnable.store import database, deck, results
from winnable.store.database import KeptSession, RunTaken, Store, StoreError, take_in_run
from winnable.store.deck import Card
from winnable.tuning import runs

NOTHING = TakenIn(0, 0, 0, 0, 0, 0, {})


BOARD = "400/000,drops=2,open"
GAMES, RESULTS, RUNS, CARDS, NONE = range(5)
"""Where counts stand."""


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


def generation(number: int) -> runs.Generation:
    return runs.Generation(number, 30, 1.0, 1.0, 2.0, 3.0, [1.0], [0.1], 5.0, 1.0, 9.0)


def filled(store: Store) -> Store:
    store.save(game(1, 1, helped=True))
    store.save(game(2))
    results.add(store, result(1))
    results.add(store, result(2))
    run = runs.new_run(store, "triple", "beam-forward", Wanted("de", {}), 100, 7)
    recorder = runs.Recorder(store, run)
    recorder.save({"genes": [1.0]}, generation(3))
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


def test_of_a_run_the_one_that_is_further_stays_and_the_other_stops(opened: Opened) -> None:
    here, there = filled(opened("here")), opened("there")
    archive.take_in(there, archive.pack(here)[0])
    run = runs.find(here, "last")
    ahead, behind = runs.Recorder(here, run), runs.Recorder(there, run)
    ahead.save({"genes": [2.0]}, generation(4))
    assert archive.take_in(here, archive.pack(there)[0]).runs == 0
    assert archive.take_in(there, archive.pack(here)[0]).runs == 1
    assert there.load_run(run.id) == here.load_run(run.id)
    assert runs.generations(there, run.id) == runs.generations(here, run.id)
    with pytest.raises(RunTaken):
        behind.save({"genes": [3.0]}, generation(5))
    ahead.end("finished")
    assert archive.take_in(there, archive.pack(here)[0]).runs == 1
    assert there.load_run(run.id).status == "finished"


@pytest.mark.parametrize("change", [{"optimizer": "cma"}, {"arguments": b"{}"}])
def test_another_run_of_the_same_name_changes_nothing(opened: Opened, change: dict[str, Any]) -> None:
    store = filled(opened("here"))
    (run,) = store.runs()
    further = replace(store.load_run(run.id), status="finished", **change)
    assert not store.transact(lambda it: take_in_run(it, further, []))
    assert store.load_run(run.id).status == "stopped"


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


def test_one_stands_where_it_was_played_last(opened: Opened) -> None:
    here, there = opened("here"), opened("there")
    ours, theirs = game(1, 1), game(1, 1, 2)
    here.save(replace(theirs, updated=ours.updated + 1))
    there.save(ours)
    content, _ = archive.pack(here)
    assert archive.take_in(there, content) == replace_games(merged=1)
    assert there.load(ours.id).ply == 2
    there.save(replace(there.load(ours.id), ply=1, updated=ours.updated + 2))
    assert archive.take_in(there, content) == NOTHING
    assert there.load(ours.id).ply == 1


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
    monkeypatch.setattr(database.prune_in, "__defaults__", (5, database.MAX_LEVEL_BYTES))
    assert archive.take_in(there, content) == replace_games(games=2, left_out=2)
    ids = [int(entry.id, 16) for entry in there.sessions()]
    assert ids == [13, 12, 11, 4, 3]


def test_a_game_of_a_games_own_page_comes_along(opened: Opened) -> None:
    here, there = opened("here"), opened("there")
    arcade = KeptSession("a" * 32, "arcade:sprint#1", b'{"x":1}', b"[[]]", 3, "playing", 1.0)
    here.save(arcade)
    assert archive.take_in(there, archive.pack(here)[0]).games == 1
    assert there.load(arcade.id) == arcade


def test_a_game_that_only_its_page_reads_comes_along_as_another_where_it_differs(opened: Opened) -> None:
    here, there = opened("here"), opened("there")
    arcade = KeptSession("a" * 32, "arcade:sprint#1", b'{"x":1}', b"[[]]", 3, "playing", 1.0)
    longer = replace(arcade, actions=b"[[],[]]", ply=9)
    here.save(longer)
    there.save(arcade)
    content = archive.pack(here)[0]
    assert archive.take_in(there, content).games == 1
    assert archive.take_in(there, content) == NOTHING
    assert there.load(arcade.id) == arcade
    (other,) = (there.load(id) for id in there.session_ids() if id != arcade.id)
    assert replace(other, id=longer.id) == longer


def test_what_could_not_come_in_again_is_no_backup(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    here = filled(opened("here"))
    content, out = archive.pack(here)
    with monkeypatch.context() as patch:
        patch.setattr(archive, "MAX_LINE", 600)
        assert archive.pack(here)[1].passed > out.passed
    with monkeypatch.context() as patch:
        patch.setattr(archive, "MAX_UNPACKED", archive.MAX_HEAD + 2000)
        with pytest.raises(WinnableError, match="data: it is more than"):
            archive.pack(here)
    monkeypatch.setattr(archive, "MAX_LINES", 3)
    with pytest.raises(WinnableError, match="more than 3 lines"):
        archive.take_in(opened("there"), content)


def test_rules_that_fail_take_no_other_record_with_them(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = filled(opened("here")), opened("there")
    content = archive.pack(here)[0]
    drops = load_game("drops")
    puzzle = type(drops.puzzle(drops.parse_board(BOARD)))
    monkeypatch.setattr(puzzle, "initial", Mock(side_effect=RuntimeError("on fire")))
    taken = archive.take_in(there, content)
    assert (taken.runs, taken.results, taken.passed) == (1, 2, 4)
    for card in deck.every(here):
        with pytest.raises(WinnableError, match="on fire"):
            session_of(card)


def test_the_count_of_saves_may_be_gone(opened: Opened) -> None:
    store = filled(opened("here"))
    broken(store, "DELETE FROM saves")
    assert store.save(game(3)) > 0
    assert store.sessions()[0].id == game(3).id


GONE = KeptSession(
    "b" * 32, "gone:size=3#1", b'{"format":"winnable.gone/1","size":3}', b"[7,7]", 2, "won", 1.0
)


def test_games_whose_package_is_gone_stay_as_they_are(opened: Opened) -> None:
    here, there = opened("here"), opened("there")
    untagged = replace(GONE, id="c" * 32, level=b'{"size":3}')
    for kept in (GONE, untagged):
        here.save(kept)
    card = Card("d" * 32, "gone", "gone:#1", GONE.level, b"[7]", 5, 1.0, 2.0)
    deck.add(here, card)
    content, out = archive.pack(here)
    assert (out.games, out.cards, out.passed) == (2, 1, 0)
    assert archive.take_in(there, content) == TakenIn(2, 0, 0, 0, 0, 1, {})
    assert [there.load(kept.id) for kept in (GONE, untagged)] == [GONE, untagged]
    assert deck.every(there) == [card]
    assert archive.take_in(there, content) == NOTHING
    assert deck.count_due(there, 9.0, registry.GAMES) == 0, "nobody can answer it"


def test_a_card_says_no_other_game_than_its_level(opened: Opened) -> None:
    here, there = opened("here"), opened("there")
    deck.add(here, Card("d" * 32, "triple", "gone:#1", GONE.level, b"[7]", 5, 1.0, 2.0))
    taken = archive.take_in(there, archive.pack(here)[0])
    assert (taken.cards, deck.every(there)) == (0, [])


def broken(store: Store, *statements: str) -> Store:
    for statement in statements:
        store.transact(lambda connection, statement=statement: connection.execute(statement))
    return store


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("UPDATE games SET actions = x'ff' WHERE helped", GAMES),
        ("UPDATE levels SET level = x'7bff' WHERE game LIKE '%1'", GAMES),
        ("UPDATE games SET level_id = CAST(x'ff' AS TEXT), id = 'odd' WHERE helped", GAMES),
        ("UPDATE games SET ply = 'many' WHERE helped", GAMES),
        ("UPDATE games SET standing = 'odd' WHERE helped", GAMES),
        ("UPDATE games SET updated = 1e300 WHERE helped", GAMES),
        ("UPDATE games SET actions = 5 WHERE helped", GAMES),
        ("UPDATE results SET day = 'never' WHERE helped", RESULTS),
        ("UPDATE results SET outcome = CAST(x'ff' AS TEXT) WHERE helped", RESULTS),
        ("UPDATE results SET finished = 'long ago' WHERE helped", RESULTS),
        ("UPDATE runs SET arguments = x'ff'", RUNS),
        ("UPDATE runs SET status = 'odd'", RUNS),
        ("UPDATE run_events SET content = x'ff'", RUNS),
        ("UPDATE cards SET level = x'ff' WHERE memory = x''", CARDS),
        ("UPDATE cards SET due = 'soon' WHERE memory = x''", CARDS),
    ],
)
def test_a_row_that_cannot_be_read_is_counted_and_hides_no_other(
    opened: Opened, statement: str, kind: int
) -> None:
    here, there = broken(filled(opened("here")), statement), opened("there")
    content, out = archive.pack(here)
    whole = [2, 2, 1, 2]
    whole[kind] -= 1
    assert [*msgspec.structs.astuple(out)] == [*whole, 1, 0]
    found = archive.take_in(there, content)
    assert [found.games, found.results, found.runs, found.cards, found.passed] == [*whole, 0]


@pytest.mark.parametrize("level_id", ["x" * 401, "x" * 10_000])
def test_a_long_name_comes_along(opened: Opened, level_id: str) -> None:
    here, there = opened("here"), opened("there")
    named = replace(game(1, 1), level_id=level_id)
    here.save(named)
    assert archive.take_in(there, archive.pack(here)[0]) == replace_games(games=1)
    assert there.load(named.id) == named
    assert Session.load(Session(board()._replace(id=level_id)).save()).level_id == level_id


def test_all_games_go_out(opened: Opened) -> None:
    here = opened("here")
    for number in range(database.MAX_SESSIONS + 5):
        here.save(replace(GONE, id=f"{number:032x}"))
    assert archive.pack(here)[1].games == database.MAX_SESSIONS + 5


def test_a_file_may_have_a_game_twice(opened: Opened) -> None:
    """As two files end to end have."""
    here, elsewhere, there = opened("here"), opened("elsewhere"), opened("there")
    here.save(game(1, 1))
    elsewhere.save(game(1, 2))
    both = archive.pack(here)[0] + archive.pack(elsewhere)[0]
    assert archive.take_in(there, both) == replace_games(games=1)
    session = archive._session(there.load(game(1).id))  # pyright: ignore[reportPrivateUsage]
    assert [branch.action for branch in session.branches(0)] == [1, 2]
    assert archive.take_in(there, both) == NOTHING


def test_what_cannot_be_written_leaves_nothing_of_the_file(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    content, _ = archive.pack(filled(opened("here")))
    there = opened("there")
    there.save(game(9))

    def full(*given: object) -> bool:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(deck, "put_in", full)  # the last record
    with pytest.raises(StoreError, match="full"):
        archive.take_in(there, content)
    assert archive.pack(there)[1] == archive.Packed(1, 0, 0, 0)


def test_another_program_may_save_meanwhile(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = opened("here"), opened("there")
    here.save(game(1, 1))
    revision = there.save(game(1, 2))
    plan, plans = archive._planned, list[Any]()  # pyright: ignore[reportPrivateUsage]

    def late(*given: Any) -> Any:
        plans.append(plan(*given))
        if len(plans) == 1:
            there.save(replace(game(1, 2, 2), revision=revision))
        return plans[-1]

    monkeypatch.setattr(archive, "_planned", late)
    assert archive.take_in(there, archive.pack(here)[0]).merged == 1
    assert len(plans) == 2
    session = archive._session(there.load(game(1).id))  # pyright: ignore[reportPrivateUsage]
    assert ([branch.action for branch in session.branches(0)], session.ply) == ([2, 1], 2)


def test_what_is_in_memory_is_not_all_that_a_user_has(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    content = gzip.compress(b'{"kind":"head","format":"winnable.data/1","version":"1","made":0}')
    with closing(Store(tmp_path / "data")) as store:
        with pytest.raises(StoreError, match="in memory only"):
            archive.pack(store)
        with pytest.raises(StoreError, match="in memory only"):
            archive.take_in(store, content)


def test_a_file_that_is_damaged_on_the_way_is_no_backup(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = filled(opened("here"))
    listed = here.run_ids

    def runs_of_a_new_file(prefix: str = "") -> list[str]:
        assert here.path is not None
        here.path.unlink()
        return listed(prefix)

    monkeypatch.setattr(here, "run_ids", runs_of_a_new_file)
    with pytest.raises(StoreError, match="meanwhile"):
        archive.pack(here)


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


NEWER = {"kind": "head", "format": "winnable.data/2", "version": "9", "made": 0}
DAMAGED: list[tuple[Callable[[bytes], bytes], str]] = [
    (lambda content: b"", "file: this is no file of winnable's data"),
    (lambda content: b"hello", "file: this is no file"),
    (lambda content: packed([{"format": "other"}]), "file: this is no file"),
    (lambda content: packed(lines(content)[1:]), "file: this is no file"),
    (lambda content: content[:-20], "file: .*damaged"),
    (lambda content: content + b"rubbish", "file: .*damaged"),
    (lambda content: content[:60] + bytes([content[60] ^ 255]) + content[61:], "file: |line "),
    (lambda content: changed(content, "head", format="winnable.data/2"), "format: .*newer"),
    (lambda content: changed(content, "head", new=1), "line 1: .*`?new"),
    (lambda content: changed(content, "head", format="winnable.data/2", new=1), "format: .*newer"),
    (lambda content: content + packed([NEWER]), "format: .*newer"),
]


@pytest.mark.parametrize(("spoil", "said"), DAMAGED)
def test_a_file_that_is_not_whole_changes_nothing(
    opened: Opened, spoil: Callable[[bytes], bytes], said: str
) -> None:
    content, _ = archive.pack(filled(opened("here")))
    there = opened("there")
    with pytest.raises(WinnableError, match=said):
        archive.take_in(there, spoil(content))
    assert archive.pack(there)[1] == archive.Packed(0, 0, 0, 0)


def memory(**fields: Any) -> str:
    """Of the card that was answered, with changes."""
    kept = msgspec.json.decode(reviewed(card_of(board(), [1, 2], 6.0), True, 60.0).memory)
    return json.dumps(kept | fields)


def of_card(**fields: Any) -> Callable[[bytes], bytes]:
    return lambda content: changed(content, "card", memory=memory(**fields))


def event(**fields: Any) -> Callable[[bytes], bytes]:
    kept: dict[str, Any] = msgspec.to_builtins(runs.Generation(3, 30, 1, 1, 2, 3, [1], [0.1], 5, 1, 9))
    return lambda content: changed(content, "run", events=[json.dumps(kept | fields)])


def raw(text: bytes) -> Callable[[bytes], bytes]:
    return lambda content: content + gzip.compress(text + b"\n")


PASSED: list[tuple[int, Callable[[bytes], bytes], str]] = [
    (GAMES, lambda content: changed(content, "game", level="{}"), "line 2: game: "),
    (GAMES, lambda content: changed(content, "game", level="["), "line 2: game: "),
    (GAMES, lambda content: changed(content, "game", actions=TREE), "line 2: game: actions"),
    (GAMES, lambda content: changed(content, "game", actions='{"actions":1}'), "line 2: game: actions"),
    (GAMES, lambda content: changed(content, "game", actions=f"[{2**70}]", ply=1), "line 2: game: actions"),
    (GAMES, lambda content: changed(content, "game", ply=7), "line 2: game: ply"),
    (GAMES, lambda content: changed(content, "game", ply=2**63), "line 2: .*ply"),
    (GAMES, lambda content: changed(content, "game", updated=1e300), "line 2: .*updated"),
    (GAMES, lambda content: changed(content, "game", seconds=-1), "line 2: .*seconds"),
    (GAMES, lambda content: changed(content, "game", id="../x"), "line 2: id"),
    (GAMES, lambda content: changed(content, "game", id="a" * 32 + "\n"), "line 2: id"),
    (GAMES, lambda content: changed(content, "game", level_id="x" * 10_001), "line 2: level_id"),
    (
        GAMES,
        lambda content: gzip.compress(gzip.decompress(content).replace(b"drops@", b"drops\xff", 1)),
        "line 2",
    ),
    (RESULTS, lambda content: changed(content, "result", outcome="drawn"), "line 4: result.outcome"),
    (RESULTS, lambda content: changed(content, "result", actions=-1), "line 4: result.actions"),
    (RESULTS, lambda content: changed(content, "result", actions=2**63), "line 4: result.actions"),
    (RESULTS, lambda content: changed(content, "result", score=-(2**63)), "line 4: result.score"),
    (RESULTS, lambda content: changed(content, "result", day="2026-13-45"), "line 4: result"),
    (RESULTS, lambda content: changed(content, "result", day="0001-01-01"), "line 4: result"),
    (RESULTS, lambda content: changed(content, "result", day="2026-11-25\n"), "line 4: result"),
    (RESULTS, lambda content: changed(content, "result", seconds="long"), "line 4: result.seconds"),
    (RESULTS, lambda content: changed(content, "result", finished=1e12), "line 4: result.finished"),
    (RUNS, lambda content: changed(content, "run", arguments="{}"), "line 6: run .*: arguments"),
    (RUNS, lambda content: changed(content, "run", events=["{}"]), "line 6: run .*: events"),
    (RUNS, event(generation=2**63), "line 6: run .*: events: generation"),
    (RUNS, event(generation=-1), "line 6: run .*: events: generation"),
    (RUNS, event(evaluations=2**63), "line 6: run .*: events: evaluations"),
    (RUNS, event(best=None), "line 6: run .*: events: best"),
    (RUNS, lambda content: changed(content, "run", checkpoint="[]"), "line 6: run .*: checkpoint"),
    (RUNS, lambda content: changed(content, "run", status="odd"), "line 6: status"),
    (RUNS, lambda content: changed(content, "run", started=1e11), "line 6: started"),
    (CARDS, lambda content: changed(content, "card", actions="[99]"), "line 7: card: actions"),
    (CARDS, lambda content: changed(content, "card", played=2**53), "line 7: card: "),
    (CARDS, lambda content: changed(content, "card", due=1e12), "line 7: due"),
    (CARDS, lambda content: changed(content, "card", memory='{"card_id":1}'), "line 7: card: memory"),
    (CARDS, lambda content: changed(content, "card", memory="[]"), "line 7: card: memory"),
    (CARDS, of_card(due="2026-01-01T00:00:00"), "line 7: card: memory"),
    (CARDS, of_card(last_review="2026-01-01T00:00:00"), "line 7: card: memory"),
    (CARDS, of_card(last_review="9999-12-31T23:59:59Z"), "line 7: card: memory"),
    (CARDS, of_card(step=None), "line 7: card: memory"),
    (CARDS, of_card(state=3, step=None), "line 7: card: memory"),
    (CARDS, of_card(state=2, stability=None), "line 7: card: memory"),
    (CARDS, of_card(stability=None), "line 7: card: memory"),
    (CARDS, of_card(card_id=2**70), "line 7: card: memory"),
    (NONE, lambda content: content + packed([{"kind": "settings", "values": {"a": 1}}]), "line 9: values"),
    (NONE, lambda content: content + packed([{"kind": "poem"}]), "line 9: kind"),
    (NONE, raw(b"[" * 100_000), "line 9"),
    (NONE, raw(b"\xff\xfe"), "line 9"),
    (NONE, raw(b"null"), "line 9"),
]


@pytest.mark.parametrize(("kind", "spoil", "said"), PASSED)
def test_a_record_that_cannot_be_used_takes_no_other_with_it(
    opened: Opened,
    kind: int,
    spoil: Callable[[bytes], bytes],
    said: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    content, _ = archive.pack(filled(opened("here")))
    there = opened("there")
    found = archive.take_in(there, spoil(content))
    whole = [2, 2, 1, 2, 0, 0]
    if kind != NONE:
        whole[kind] -= 1
    assert [found.games, found.results, found.runs, found.cards] == whole[:4]
    assert found.passed == 1
    assert re.search(f"passed over: {said}", caplog.text)
    assert [*msgspec.structs.astuple(archive.pack(there)[1])] == whole


@pytest.mark.parametrize("name", ["card", "game", "run"])
def test_what_is_taken_in_is_used_without_a_crash(opened: Opened, name: str) -> None:
    """Values at the edges of what is allowed."""
    edges: dict[str, list[dict[str, Any]]] = {
        "card": [
            {"memory": memory(**fields)}
            for fields in (
                {"due": "1970-01-01T00:00:00+14:00", "last_review": "2999-12-31T00:00:00-12:00"},
                {"state": 3, "step": 10, "stability": 1e6, "difficulty": 10},
                {"state": 2, "step": None, "stability": 0.001, "difficulty": 1},
                {"stability": None, "difficulty": None, "last_review": None},
                {"last_review": None},
            )
        ],
        "game": [{"updated": 3.2e10, "seconds": 3.2e10, "level_id": "x" * 10_000}],
        "run": [{"started": 3.2e10, "updated": 0, "optimizer": "unheard of", "game": "gone"}],
    }
    content, _ = archive.pack(filled(opened("here")))
    for number, fields in enumerate(edges[name]):
        there = opened(f"there{number}")
        assert archive.take_in(there, changed(content, name, **fields)).passed == 0
        for card in deck.every(there):
            assert session_of(card).standing == "playing"
            for right in (True, False):
                again = reviewed(reviewed(card, right, 1e9), right, 2e9)
                assert again.due > 2e9
        assert [run.method for run in runs.listed(there)]
        assert len(there.sessions()) == 2


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


def columns(store: Store) -> list[tuple[str, str]]:
    tables = [name for (name,) in store.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return [(table, row[1]) for table in tables for row in store.rows(f"PRAGMA table_info({table})")]


def read_all(store: Store) -> None:
    """As commands and pages read: what cannot be read may be refused, each by itself."""
    ids, names = store.session_ids(), store.run_ids()
    tries: list[Callable[[], Any]] = [
        *(partial(store.load, id) for id in ids),
        *(partial(read, store, id) for id in names for read in (runs.load, runs.generations)),
        *(partial(session_of, card) for card in deck.due(store, 1e12, registry.GAMES)),
        partial(runs.find, store, "last"),
    ]
    for one in tries:
        with suppress(WinnableError):
            one()
    for card in deck.every(store):
        actions_of(card)
        datetime.fromtimestamp(card.due)
    for entry in (*store.sessions(), *runs.listed(store), *results.every(store)):
        msgspec.json.encode(entry)
    archive.pack(store)
    for id in names:
        store.delete_run(id)


@pytest.mark.parametrize(
    "value", ["5", "-5", "1e300", "9e999", "'soon'", "x'ff'", "x'00'", "CAST(x'ff00' AS TEXT)"]
)
def test_no_value_in_any_column_crashes_who_reads_it(opened: Opened, value: str) -> None:
    """SQLite takes any value in any column."""
    changed = 0
    for table, column in columns(opened("columns")):
        store = filled(opened(f"{table}-{column}"))
        try:
            broken(store, f"UPDATE {table} SET {column} = {value}")
        except StoreError:  # two rows would have one name
            continue
        changed += 1
        read_all(store)
    assert changed > 40
