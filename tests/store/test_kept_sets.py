"""Sets of levels in the store, and as they go from one store to another."""

from __future__ import annotations

from winnable import archive
from winnable.store import sets
from winnable.store.database import Store
from winnable.store.sets import KeptLevel, KeptSet

ID = "0123456789ab"


def store(*levels: bytes, updated: float = 1.0) -> Store:
    made = Store(None)
    sets.add(made, KeptSet(ID, "mine", b"[]", 0, b"", updated))
    sets.change(made, ID, put=[KeptLevel(n, "", level, b"{}") for n, level in enumerate(levels)])
    return made


def contents(kept_in: Store) -> list[bytes]:
    found = sets.levels(kept_in, ID)
    return [found[number].level for number in sets.find(kept_in, ID).order]


def taken_in(here: Store, there: Store) -> int:
    return archive.take_in(here, archive.pack(there)[0]).sets


def test_a_set_goes_to_another_store_once() -> None:
    one, other = store(b"a", b"\xff"), Store(None)
    assert archive.pack(one)[1].sets == 1
    assert [taken_in(other, one), taken_in(other, one)] == [1, 0]
    assert contents(other) == [b"a", b"\xff"]


def test_levels_that_the_later_one_did_not_know_of_come_after_its_own() -> None:
    one, other = store(b"a", b"b"), Store(None)
    taken_in(other, one)
    sets.change(other, ID, put=[KeptLevel(2, "", b"c")])
    sets.change(one, ID, title="later", order=[1, 0], put=[KeptLevel(0, "", b"A")])
    assert taken_in(one, other) == 1
    assert (contents(one), sets.find(one, ID).title) == ([b"b", b"A", b"c"], "later")
    assert taken_in(other, one) == 1
    assert contents(other) == contents(one)
    assert [taken_in(one, other), taken_in(other, one)] == [0, 0]


def test_what_was_removed_later_stays_removed() -> None:
    one, other = store(b"a", b"b"), Store(None)
    taken_in(other, one)
    sets.change(one, ID, order=[1])
    taken_in(one, other)
    assert contents(one) == [b"b"]
    taken_in(other, one)
    assert contents(other) == [b"b"]
