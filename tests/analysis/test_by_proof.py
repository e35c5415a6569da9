"""Verdicts, hints and blunders, on levels that a naive search can decide whole."""

import random
from dataclasses import replace
from functools import cache
from itertools import islice, pairwise
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.driving import driven, told
from winnable.analysis import by_proof, table
from winnable.analysis.by_proof import ByProof, pacing
from winnable.analysis.costs import CLEARLY, MOST, NARROW, Narrowing, Room
from winnable.analysis.margin import narrowings
from winnable.analysis.verdicts import Blunder, Point, Verdicts
from winnable.contract.core import (
    Action,
    Answer,
    Budget,
    Progress,
    Reason,
    Search,
    Solver,
    finish,
    replay,
)
from winnable.games.drops.game import GAME as DROPS
from winnable.games.drops.levels.text import parse_board
from winnable.games.drops.rules.level import Level as DropsLevel
from winnable.games.drops.rules.puzzle import Drops
from winnable.games.triple.game import GAME as TRIPLE
from winnable.games.triple.levels.generator import Params, generate
from winnable.games.triple.levels.text import parse_board as parse_tiles
from winnable.games.triple.rules.level import Level, Tile
from winnable.games.triple.rules.puzzle import Triple
from winnable.search import meter
from winnable.search.depth_first import depth_first_search


@cache
def small(seed: int) -> Triple:
    return Triple(finish(generate(Params(layers=3, sets=1, kinds=6, side=3, slots=4), seed)))


@cache
def winnable(seed: int, state: int) -> bool:
    puzzle = small(seed)
    if puzzle.is_goal(state):
        return True
    return any(winnable(seed, puzzle.apply(state, action)) for action in puzzle.legal_actions(state))


def solve(puzzle: Triple, state: int, budget: Budget, seed: int) -> Search[Answer]:
    return depth_first_search(puzzle, state, budget)


def by(puzzle: Any, solver: Solver) -> ByProof:
    return ByProof(TRIPLE, puzzle, solver)


def played(seed: int, choices: list[int]) -> Point:
    """A game, at its end."""
    puzzle = small(seed)
    states, actions = [puzzle.initial()], list[Action]()
    for choice in choices:
        legal = puzzle.legal_actions(states[-1])
        if not legal:
            break
        actions.append(legal[choice % len(legal)])
        states.append(puzzle.apply(states[-1], actions[-1]))
    return Point(states, actions, len(actions))


games = st.tuples(st.integers(0, 30), st.lists(st.integers(0, 8), min_size=18, max_size=18))


@given(games)
def test_verdicts_lines_and_hints(game: tuple[int, list[int]]) -> None:
    seed, choices = game
    puzzle, end = small(seed), played(seed, choices)
    companion = by(puzzle, solve)
    for ply in reversed(range(len(end.states))):
        state = end.states[ply]
        truth = "winnable" if winnable(seed, state) else "lost"
        assert finish(companion.decide(end._replace(ply=ply), Budget())) == truth
        line, hint = companion.line(state), companion.hint(state)
        if truth == "winnable" and not puzzle.is_goal(state):
            assert line is not None
            assert hint == line[0]
            for action in line:
                state = puzzle.apply(state, action)
                assert companion.verdict(state) == "winnable"
            assert puzzle.is_goal(state)


@given(games)
def test_a_state_inherits_from_the_one_before_only_what_is_true(game: tuple[int, list[int]]) -> None:
    seed, choices = game
    puzzle = small(seed)
    for state in played(seed, choices).states:
        companion = by(puzzle, solve)
        verdict = finish(companion.decide(Point([state], [], 0), Budget()))
        for action in puzzle.legal_actions(state):
            finish(companion.inherit(state, action, pacing(Budget())))
            after = puzzle.apply(state, action)
            truth = "winnable" if winnable(seed, after) else "lost"
            if verdict == "lost":
                assert companion.verdict(after) == "lost"
            assert companion.verdict(after) in (truth, "unknown")


def test_an_action_that_comes_later_in_the_line_needs_no_search() -> None:
    puzzle = Triple(
        Level(tuple(Tile(kind, 8 * x, 8 * kind, 0) for kind in range(4) for x in range(3)), slots=4)
    )
    companion = by(puzzle, solve)
    companion.learn(0, Answer("solved", tuple(range(12))))
    finish(companion.inherit(0, 3, pacing(Budget())))
    assert companion.line(1 << 3) == (0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11)
    finish(companion.inherit(1 << 3, 6, pacing(Budget())))
    assert companion.verdict(1 << 3 | 1 << 6) == "unknown", "two more of kind 0 fill the tray"


def test_a_goal_is_winnable_although_nothing_can_be_done_there() -> None:
    puzzle = Triple(Level(tuple(Tile(0, 8 * x, 0, 0) for x in range(3)), slots=3))
    companion = by(puzzle, solve)
    assert not puzzle.legal_actions(0b111)
    assert (companion.verdict(0b111), companion.line(0b111)) == ("winnable", ())


def test_a_line_counts_only_when_the_rules_say_that_it_wins() -> None:
    puzzle = Drops(parse_board("44,drops=9"))
    companion = by(puzzle, cast(Any, None))
    with pytest.raises(AssertionError, match="does not reach the goal"):
        companion.learn(puzzle.initial(), Answer("solved", ()))
    companion.learn(puzzle.initial(), Answer("solved", (0,)))
    assert companion.line(puzzle.initial()) == (0,)


def test_an_action_beside_the_line_inherits_nothing() -> None:
    puzzle = Drops(parse_board("34/00,drops=9"))
    start = puzzle.initial()
    companion = by(puzzle, cast(Any, None))
    companion.learn(start, Answer("solved", (0, 0)))
    finish(companion.inherit(start, 1, pacing(Budget())))
    assert companion.verdict(puzzle.apply(start, 1)) in ("unknown", "winnable")


class Straight:
    """A game of one line, 32 to 0, and lost."""

    def apply(self, state: int, action: int) -> int:
        return state - 1

    def legal_actions(self, state: int) -> list[int]:
        return [0] if state else []

    def is_goal(self, state: int) -> bool:
        return False


@pytest.mark.parametrize("turn", range(32))
def test_the_blunder_is_looked_for_by_halves(turn: int) -> None:
    asked: list[int] = []

    def solve(puzzle: Any, state: int, budget: Budget, seed: int) -> Answer:
        asked.append(32 - state)
        return Answer("unsolvable") if 32 - state > turn else Answer("budget")

    companion = by(Straight(), solve)
    game = Point([*range(32, -1, -1)], [0] * 32, 0)
    before, *_ = found = told(companion.blame(game, Budget()))
    assert before == Verdicts(-1, 32)
    assert asked[0] in (15, 16)
    for verdicts, ply in zip(found, asked, strict=False):
        assert verdicts.lost is not None
        assert verdicts.winnable < ply < verdicts.lost
    assert len(asked) == len({*asked}) == len(found) - 1


@given(games)
def test_the_blunder_is_the_action_that_turned_winnable_into_lost(game: tuple[int, list[int]]) -> None:
    seed, choices = game
    end = played(seed, choices)
    truth = [winnable(seed, state) for state in end.states]
    companion = by(small(seed), solve)
    *_, found = told(companion.blame(end, Budget(), 60))
    if truth[0] and not truth[-1]:
        turn = truth.index(False) - 1
        assert found.blunder == Blunder(turn, turn)
        assert found == companion.verdicts(end.states) == Verdicts(turn, turn + 1)
    else:
        assert found.blunder is None


@cache
def lost_games() -> list[tuple[int, Point]]:
    """(level seed, game): random games that were lost from a winnable start."""
    rng = random.Random(0)
    games = [
        (seed, played(seed, [rng.randrange(60) for _ in range(18)])) for seed in range(31) for _ in range(8)
    ]
    return [(seed, game) for seed, game in games if winnable(seed, 0) and not winnable(seed, game.state)]


@given(st.integers(0), st.sets(st.integers(0, 18)))
def test_a_solver_that_cannot_decide_widens_the_answer_but_never_makes_it_wrong(
    number: int, dark: set[int]
) -> None:
    seed, game = lost_games()[number % len(lost_games())]
    truth = [winnable(seed, state) for state in game.states]
    undecided = {game.states[ply] for ply in dark if 0 < ply < len(game.states)}

    def sometimes(puzzle: Triple, state: int, budget: Budget, seed: int) -> Answer:
        if state in undecided:
            return Answer("budget")
        return finish(solve(puzzle, state, budget, seed))

    *_, found = told(by(small(seed), sometimes).blame(game, Budget(), 60))
    blunder, turn = found.blunder, truth.index(False) - 1
    assert blunder is not None
    assert blunder.first <= turn <= blunder.last


CHAIN = ["402204", "304403", "144441", "144441", "304403", "402204"]
"""A click on (3,2) sets off everything; so does one on (1,2) and then one on (3,2)."""


def test_a_longer_line_never_takes_the_place_of_a_shorter_one() -> None:
    puzzle = Drops(DropsLevel(tuple(CHAIN)))
    start = puzzle.initial()
    companion = ByProof(DROPS, puzzle)
    companion.learn(start, Answer("solved", (6, 8), 2))
    companion.learn(start, Answer("solved", (2, 6, 8), 3))
    assert companion.line(start) == (6, 8)
    companion.learn(start, Answer("solved", (8,), 1))
    assert companion.line(start) == (8,)
    aside = puzzle.apply(start, 6)
    companion.learn(aside, Answer("solved", (0, 8), 2))
    assert (companion.line(aside), companion.line(start)) == ((8,), (8,))
    assert not companion.settled(start), "nobody proved that one click is the least"
    companion.learn(start, Answer("solved", (8,), 1, 1, optimal=True, generated=7))
    assert (companion.settled(start), companion.generated(start)) == (True, 7)


def test_a_better_line_from_later_in_the_game_is_news_for_the_start() -> None:
    puzzle = Drops(DropsLevel(tuple(CHAIN)))
    states, actions = [puzzle.initial()], [6]
    states.append(puzzle.apply(states[0], 6))
    companion = ByProof(DROPS, puzzle)
    companion.learn(states[0], Answer("solved", (2, 6, 8), 3))
    companion.learn(states[1], Answer("solved", (8,), 1))
    finish(companion.spread(Point(states, actions, 1), pacing(Budget())))
    assert companion.line(states[0]) == (6, 8)


def test_a_line_is_learned_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever goes on no more leaves what is true."""
    monkeypatch.setattr(meter, "POLL_SECONDS", 0.0)
    puzzle = small(18)
    start, line = puzzle.initial(), finish(solve(puzzle, 0, Budget(), 0)).actions
    companion = by(puzzle, solve)
    learning = companion.learning(start, Answer("solved", line), pacing(Budget()))
    assert len([*islice(learning, len(line) + 3)]) == len(line) + 3
    learning.close()
    assert companion.verdict(start) == companion.verdict(puzzle.apply(start, line[0])) == "winnable"
    assert companion.verdict(replay(puzzle, line[:-1])) == "unknown"
    states = [replay(puzzle, line[:ply]) for ply in range(len(line))]
    told: list[Progress] = []
    found = driven(companion.finding_verdicts(states, pacing(Budget())), told.append)
    assert found == companion.verdicts(states)
    assert len(told) == len(states)


def test_an_optimal_line_is_never_given_up_for_a_longer_one() -> None:
    puzzle = Drops(parse_board("0300/0000/0003,drops=9"))
    start = puzzle.initial()
    companion = ByProof(DROPS, puzzle)
    best, wasteful = (1, 1, 11, 11), (1, 11, 1, 11)
    companion.learn(start, Answer("solved", best, 4, 4, True))
    assert (companion.remaining(start), companion.fewest(start)) == (4, 4)
    companion.learn(start, Answer("solved", wasteful, 4))
    assert companion.line(start) == best
    aside = puzzle.apply(start, 11)
    companion.learn(aside, Answer("solved", (11, 1, 1), 3))
    assert (companion.remaining(aside), companion.fewest(aside)) == (3, None)
    assert companion.line(start) == best


def test_a_line_goes_on_along_the_optimal_one_that_it_meets() -> None:
    puzzle = Drops(parse_board("0300/0000/0004,drops=9"))
    start = puzzle.initial()
    companion = ByProof(DROPS, puzzle)
    met = puzzle.apply(start, 1)
    companion.learn(met, Answer("solved", (1, 11), 2, 2, True))
    companion.learn(start, Answer("solved", (1, 11, 1), 3))
    assert companion.line(start) == (1, 1, 11)
    assert companion.fewest(start) is None, "nobody proved that the first click is a good one"


TRAY = "3:0@0.0,0@8.0,0@16.0,1@24.0,1@32.0,1@40.0"
"""A tile of each kind fills the tray."""


def test_only_what_is_known_to_be_lost_has_a_reason() -> None:
    puzzle = Triple(parse_tiles(TRAY))
    lost = replay(puzzle, [0, 3])
    companion = ByProof(TRIPLE, puzzle)
    assert finish(companion.reason(lost, Budget())) is None, "nobody has proved it"
    companion.learn(lost, Answer("unsolvable"))
    reason = finish(companion.reason(lost, Budget()))
    assert reason is not None
    assert TRIPLE.reason_fault(puzzle, lost, reason) is None
    assert finish(companion.reason(0, Budget())) is None
    over = puzzle.apply(lost, 4)
    assert companion.verdict(over) == "lost"
    assert finish(companion.reason(over, Budget())) is None, "everybody sees it"


def test_a_reason_that_was_not_found_in_time_may_be_found_later() -> None:
    puzzle = Triple(parse_tiles(TRAY))
    lost = replay(puzzle, [0, 3])
    companion = ByProof(TRIPLE, puzzle)
    companion.learn(lost, Answer("unsolvable"))
    assert finish(companion.reason(lost, Budget(seconds=0))) is None
    assert finish(companion.reason(lost, Budget())) is not None


def test_a_reason_that_does_not_hold_is_never_handed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = Triple(parse_tiles(TRAY))
    lost = replay(puzzle, [0, 3])

    def wrong(*_: object) -> Reason:
        return Reason("tray", (1, 2), {"room": 0, "more": 2})

    monkeypatch.setattr(type(TRIPLE), "reason", wrong)
    companion = ByProof(TRIPLE, puzzle)
    companion.learn(lost, Answer("unsolvable"))
    with pytest.raises(AssertionError, match="does not hold"):
        finish(companion.reason(lost, Budget()))


@settings(max_examples=25)
@given(games)
def test_room_is_counted_by_what_every_line_shows(game: tuple[int, list[int]]) -> None:
    seed, choices = game
    puzzle, end = small(seed), played(seed, choices)
    companion = by(puzzle, solve)
    mistake = finish(companion.mistake(end, Budget()))

    def room(state: int) -> Room | None:
        legal = puzzle.legal_actions(state)
        return (
            Room(sum(winnable(seed, puzzle.apply(state, action)) for action in legal), len(legal))
            if legal
            else None
        )

    last = next((ply for ply in reversed(range(end.ply + 1)) if winnable(seed, end.states[ply])), -1)
    rooms = [room(state) for state in end.states[: last + 1]]
    if mistake is not None:
        rooms.append(Room(0, len(puzzle.legal_actions(end.states[last + 1]))))
    found = told(narrowings(companion, end, Budget()))
    for one in found:
        if one.better is not None:
            more = room(puzzle.apply(end.states[one.ply], one.better))
            assert more is not None
            assert more.share >= one.after.share + CLEARLY
    assert [replace(one, better=None) for one in found] == [
        Narrowing(ply, before, after)
        for ply, (before, after) in reversed([*enumerate(pairwise(rooms))])
        if before is not None and after is not None
    ]
    review = companion.review(end, (), found)
    assert len(review.turning) <= MOST
    assert all((one.loss >= NARROW or one.ply == mistake) and one in found for one in review.narrowings)
    assert {one.ply for one in review.narrowings} == set(review.turning)
    if mistake is not None and review.turning[0] != mistake:
        slip, losing = (next(one for one in found if one.ply == ply) for ply in (review.turning[0], mistake))
        assert losing.says_little
        assert slip.is_slip(losing)


def test_when_the_time_is_over_no_room_is_known() -> None:
    assert not told(narrowings(by(small(0), solve), played(0, [0] * 18), Budget(0)))


class Ways:
    """From the start 0 leads to the goal by a long way, 1 at once, 2 nowhere."""

    def initial(self) -> str:
        return "start"

    def apply(self, state: str, action: int) -> str:
        after = {"start": ("aside", "end", "trap"), "aside": ("far",), "far": ("end",), "trap": ("trap",)}
        return after[state][action]

    def legal_actions(self, state: str) -> list[int]:
        return {"start": [0, 1, 2], "end": []}.get(state, [0])

    def is_goal(self, state: str) -> bool:
        return state == "end"


LOOKS = [
    Answer("budget", generated=10),
    Answer("solved", (0, 0, 0), lower_bound=1),
    Answer("solved", (1,), lower_bound=1, optimal=True, generated=30),
]


def looking(*looks: Answer) -> tuple[ByProof, list[float]]:
    """Answers one after the other; the seconds that it was given each time."""
    left, given = list(looks), list[float]()

    def solve(puzzle: Any, state: str, budget: Budget, seed: int) -> Search[Answer]:
        yield Progress("looking", 1, 1, 0.0)
        given.append(budget.seconds)
        return left.pop(0)

    return ByProof(DROPS, cast(Any, Ways()), solve), given


START = Point(["start"], [], 0)


def test_answers_get_better_until_it_is_known_how_many_actions_are_needed() -> None:
    known, given = looking(*LOOKS)
    answers = told(known.ask(START, Budget()))
    assert [(one.status, one.actions, one.optimal) for one in answers] == [
        ("budget", (), False),
        ("budget", (), False),
        ("solved", (0, 0, 0), False),
        ("solved", (1,), True),
    ]
    first = by_proof.FIRST_LOOK_SECONDS
    assert given == [first, by_proof.LONGER * first, by_proof.LOOK_SECONDS], "longer while nothing is known"
    assert not any(one.first for one in answers), "that game needs no compiler"
    assert answers[-1] == known.answer("start") == Answer("solved", (1,), 1, 1, True, generated=30)
    assert told(known.ask(START, Budget())) == answers[-1:], "and is not asked again"


def test_whoever_heard_enough_asks_no_more() -> None:
    known, given = looking(*LOOKS)
    stream = known.ask(START, Budget())
    assert next(one for one in stream if isinstance(one, Answer) and one.status == "solved")
    stream.close()  # type: ignore[attr-defined]  # pyright: ignore
    assert len(given) == 2
    assert (known.verdict("start"), known.settled("start")) == ("winnable", False)


def test_a_search_that_is_dropped_learned_nothing() -> None:
    known, given = looking(*LOOKS)
    stream = iter(known.ask(START, Budget()))
    assert isinstance(list(islice(stream, 2))[-1], Progress)
    del stream
    assert (known.verdict("start"), given) == ("unknown", [])


def test_a_whole_search_in_vain_settles_it() -> None:
    """The fewest actions are not looked for again; but a search that was cancelled was no whole one."""
    longer = LOOKS[1]
    known, given = looking(longer, longer)
    assert told(known.ask(START, Budget()))[-1].actions == (0, 0, 0)
    assert (known.settled("start"), known.fewest("start"), len(given)) == (True, None, 2)
    known, given = looking(longer, longer)
    budget = Budget()
    for answer in known.ask(START, budget):
        if isinstance(answer, Progress) and given:
            budget.cancel()
    assert not known.settled("start")


def test_what_is_lost_is_settled_by_one_look() -> None:
    known, given = looking(Answer("unsolvable", generated=5))
    trap = Point(["start", "trap", "trap"], [2, 0], 1)
    assert [one.status for one in told(known.ask(trap, Budget()))] == ["budget", "unsolvable"]
    assert (known.verdict("trap"), len(given)) == ("lost", 1)


class Chain(Straight):
    """8 to 0, which is the goal."""

    def initial(self) -> int:
        return 8

    def is_goal(self, state: int) -> bool:
        return state == 0


def test_a_full_table_forgets_others_than_the_state_that_was_asked_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def most_kept(state: Any) -> int:
        return 8

    for module in (by_proof, table):
        monkeypatch.setattr(module, "most_kept", most_kept)
    known = ByProof(DROPS, cast(Any, Chain()), cast(Any, None))
    for state in (8, *range(100, 115)):
        known.rule_out(state, 1)
    known.learn(8, Answer("solved", (0,) * 8))
    assert (known.verdict(8), known.remaining(8)) == ("winnable", 8), "although it is the oldest"


def test_a_budget_that_is_over_gets_what_is_known() -> None:
    known, given = looking()
    assert [one.status for one in told(known.ask(START, Budget(0)))] == ["budget"]
    assert not given
