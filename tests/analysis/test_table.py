"""The table of bounds: what is known of a state only gets more, and memory is bounded."""

from __future__ import annotations

import copy
import pickle
import threading
from collections.abc import Callable
from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from winnable.analysis import table as tables
from winnable.analysis.table import FORGOTTEN, LINES, UNKNOWN, Entry, Table
from winnable.contract.core import Reason

REASON = Reason("tray", (1, 2), {"room": 0})
KEPT = 8
"""States of a line in a small table."""
MOST = KEPT * LINES

lengths = st.integers(0, 12)
states = st.integers(0, 5)


def line_of(length: int, at: int) -> tuple[int, ...]:
    """With `length` actions from there on."""
    return (*range(at + length),)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Table:
    """Holds MOST states."""

    def most_kept(state: Any) -> int:
        return KEPT

    monkeypatch.setattr(tables, "most_kept", most_kept)
    return Table()


def test_of_a_state_that_nobody_asked_about_nothing_is_known() -> None:
    table = Table()
    assert table["any"] == UNKNOWN == Entry()
    assert (UNKNOWN.upper, UNKNOWN.is_lost, UNKNOWN.is_proved, len(table)) == (inf, False, False, 0)


def test_a_line_is_shared_by_the_states_along_it() -> None:
    table, line = Table(), (4, 5, 6)
    for at, state in enumerate("abcd"):
        table.add_line(state, line, at, optimal=False)
    assert [table[state].upper for state in "abcd"] == [3, 2, 1, 0]
    assert all(table[state].line is line for state in "abcd")


def test_it_is_proved_where_the_bounds_meet() -> None:
    table = Table()
    table.raise_lower("a", 2)
    table.add_line("a", (1, 2, 3), 0, optimal=False)
    assert not table["a"].is_proved
    table.raise_lower("a", 3)
    assert table["a"].is_proved
    table.add_line("b", (1, 2, 3), 1, optimal=True)
    assert (table["b"].lower, table["b"].upper, table["b"].is_proved) == (2, 2, True)
    table.raise_lower("c", inf)
    assert (table["c"].is_lost, table["c"].is_proved) == (True, False), "nothing is to be reached"


def test_a_line_is_given_up_only_for_a_shorter_one() -> None:
    table = Table()
    table.add_line("a", (1, 2, 3), 0, optimal=False)
    table.add_line("a", (7, 8, 9), 0, optimal=False)
    assert table["a"].line == (1, 2, 3)
    table.add_line("a", (7, 8, 9), 0, optimal=True)
    assert (table["a"].line, table["a"].is_proved) == ((1, 2, 3), True), "it is as short as the best"
    table.add_line("a", (0, 0, 7, 8), 2, optimal=False)
    assert (table["a"].line, table["a"].at, table["a"].upper) == ((0, 0, 7, 8), 2, 2)


def test_notes_leave_the_bounds_alone() -> None:
    table = Table()
    table.raise_lower("a", 2)
    table.add_line("a", (1, 2, 3), 0, optimal=False)
    table.note("a", searched=9, tried=True)
    table.note("a", reasons=(REASON,))
    assert table["a"] == Entry(2, (1, 2, 3), 0, 9, True, (REASON,))


class Bounds(RuleBasedStateMachine):
    """Whatever is learned in whichever order: bounds close in on what is so."""

    def __init__(self) -> None:
        super().__init__()
        self.table = Table()
        self.lower: dict[int, float] = {}
        self.upper: dict[int, float] = {}
        self.before: dict[int, Entry] = {}

    @rule(state=states, lower=lengths)
    def learn_bound(self, state: int, lower: int) -> None:
        self.lower[state] = max(self.lower.get(state, 0), lower)
        self.table.raise_lower(state, lower)

    @rule(state=states)
    def learn_loss(self, state: int) -> None:
        self.lower[state] = inf
        self.table.raise_lower(state, inf)

    @rule(state=states, length=lengths, at=lengths, optimal=st.booleans())
    def learn_line(self, state: int, length: int, at: int, optimal: bool) -> None:
        self.upper[state] = min(self.upper.get(state, inf), length)
        if optimal:
            self.lower[state] = max(self.lower.get(state, 0), length)
        self.table.add_line(state, line_of(length, at), at, optimal)

    @rule(state=states, searched=st.integers(1, 99), tried=st.booleans())
    def note(self, state: int, searched: int, tried: bool) -> None:
        self.table.note(state, searched=searched, tried=tried)

    @invariant()
    def bounds_are_the_tightest_that_were_told(self) -> None:
        for state in range(6):
            entry, before = self.table[state], self.before.get(state, UNKNOWN)
            assert (entry.lower, entry.upper) == (self.lower.get(state, 0), self.upper.get(state, inf))
            assert entry.lower >= before.lower
            assert entry.upper <= before.upper
            if entry.upper == before.upper:
                assert (entry.line, entry.at) == (before.line, before.at), "given up for one no shorter"
            self.before[state] = entry


TestBounds = Bounds.TestCase


def test_a_full_table_forgets_a_part_of_what_is_found_again_most_cheaply(small: Table) -> None:
    for state in range(MOST):
        small.note(state, searched=1 + (state * 7) % MOST)
    assert len(small) == MOST
    small.raise_lower("new", 3)
    forgotten = int(MOST * FORGOTTEN)
    assert len(small) == MOST - forgotten + 1
    kept = [small[state].searched for state in range(MOST) if small[state] != UNKNOWN]
    assert sorted(kept) == [*range(1 + forgotten, MOST + 1)]
    assert small["new"].lower == 3


def test_of_equals_it_forgets_the_oldest(small: Table) -> None:
    for state in range(MOST):
        small.raise_lower(state, 1)
    small.raise_lower(MOST, 1)
    forgotten = int(MOST * FORGOTTEN)
    assert [state for state in range(MOST + 1) if small[state] == UNKNOWN] == [*range(forgotten)]


def test_what_is_learned_of_a_state_that_it_holds_makes_it_forget_nothing(small: Table) -> None:
    for state in range(MOST):
        small.raise_lower(state, 1)
    for state in range(MOST):
        small.raise_lower(state, 2)
        small.note(state, tried=True)
    assert len(small) == MOST
    small.raise_lower(0, 1)
    assert small[0].lower == 2


def through_pickle(table: Table) -> Table:
    return pickle.loads(pickle.dumps(table))


HOW: list[Callable[[Table], Table]] = [copy.copy, copy.deepcopy, through_pickle]


@given(st.lists(st.tuples(st.integers(0, 99), st.integers(0, 3)), max_size=150))
def test_it_keeps_to_its_bound_and_always_to_what_is_new(learned: list[tuple[int, int]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "most_kept", lambda _: KEPT)  # pyright: ignore
        table = Table()
        for state, searched in learned:
            table.note(state, searched=searched, tried=True)
            assert table[state].searched == searched
            assert len(table) <= MOST
            assert len(through_pickle(table)) == len(table)


@pytest.mark.parametrize("how", HOW)
def test_copies_are_independent(how: Callable[[Table], Table]) -> None:
    for known in (0, 1):
        table = Table()
        if known:
            table.add_line("a", (1, 2), 0, optimal=True)
            table.note("a", reasons=(REASON,))
        other = how(table)
        assert other["a"] == table["a"]
        other.raise_lower("b", 5)
        table.raise_lower("c", 6)
        assert (table["b"], other["c"]) == (UNKNOWN, UNKNOWN)
        assert (len(table), len(other)) == (known + 1, known + 1)


def test_readers_see_whole_entries_while_others_write(small: Table) -> None:
    """A bound, a line and the effort that belong together, whatever is written and forgotten meanwhile."""
    ended, torn = threading.Event(), list[Entry]()

    def write(first: int) -> None:
        for number in range(3000):
            state = first + number % (MOST + KEPT)
            length = 1 + state % 7
            small.add_line(state, line_of(length, state % 3), state % 3, optimal=True)

    def read() -> None:
        while not ended.is_set():
            for state in range(2 * MOST + KEPT):
                entry = small[state]
                if entry is not UNKNOWN and not (entry.lower == entry.upper == 1 + state % 7):
                    torn.append(entry)

    readers = [threading.Thread(target=read) for _ in range(2)]
    writers = [threading.Thread(target=write, args=(first,)) for first in (0, 5)]
    for thread in (*readers, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    ended.set()
    for thread in readers:
        thread.join()
    assert torn == []
    assert len(small) <= MOST


def test_several_writers_lose_nothing() -> None:
    table, together = Table(), threading.Barrier(4)

    def write(number: int) -> None:
        together.wait()
        for step in range(500):
            table.raise_lower("a", 4 * step + number)
            table.add_line("a", line_of(4000 - 4 * step - number, 0), 0, optimal=False)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (table["a"].lower, table["a"].upper) == (4 * 499 + 3, 4000 - 4 * 499 - 3)
