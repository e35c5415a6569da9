"""Can this still be won? Verdicts, lines and the action that lost the game, in any game with a goal.

What is once proved is kept: every state along a winning line is winnable, and of the states of one game all
before a winnable one are winnable and all after a lost one are lost.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from math import inf
from typing import Any, cast

from winnable.analysis.costs import MOST, Cost, Narrowing, Review, narrowest, worst
from winnable.analysis.engine import engine
from winnable.analysis.table import Table
from winnable.analysis.verdicts import Point, Verdict, Verdicts
from winnable.contract.abilities import Chance, HidesSome, ProvesFewest, Refutes, Solves
from winnable.contract.core import (
    Action,
    Answer,
    Budget,
    IllegalAction,
    Progress,
    Puzzle,
    Reason,
    Search,
    Solver,
    WinnableError,
    collected,
    completion,
    finish,
    states_along,
)
from winnable.contract.game import Game
from winnable.contract.guests import CLAIM
from winnable.play.states import most_kept
from winnable.search.meter import Meter
from winnable.stats.difficulty import Rating

LOOK_SECONDS = 20.0
FIRST_LOOK_SECONDS, LONGER = 0.08, 4
"""In a game whose solver may take long to prove which line is the shortest: any line tells the verdict. As
long as there is none, the next look is so many times as long."""


def pacing(budget: Budget) -> Meter:
    """For what is done without search: what ends within milliseconds is one step, whatever the budget."""
    meter = Meter(budget)
    assert meter.is_due
    return meter


class ByProof:
    """What one solver proved about the states of one level, in a table that threads write while others read.

    adviser: the player whose choices are the hints; None: the lines at hand are
    rating:  how hard the level is for a person; None: it is not known (yet)
    """

    adviser = None
    rating: Rating | None = None

    def __init__(self, game: Solves, puzzle: Puzzle, solver: Solver | None = None, level: Any = None) -> None:
        """solver: in the place of the game's own one. level: for first answers; None: there are none"""
        self.game: Solves = game
        self._game = cast("Game", game)
        self.level: Any = level
        self.puzzle: Puzzle = puzzle
        self._given, self._solver = solver, solver or game.live_solver(puzzle)
        self._proves_fewest = isinstance(game, ProvesFewest)
        self._table = Table()

    def __getstate__(self) -> dict[str, Any]:
        """A copy knows what this one knows, but what its solver goes on from."""
        return {name: value for name, value in vars(self).items() if name != "_solver"}

    def __setstate__(self, known: dict[str, Any]) -> None:
        vars(self).update(known)
        self._solver = self._given or self.game.live_solver(self.puzzle)

    # -- what is known ---------------------------------------------------------------------------------------

    def verdict(self, state: Hashable) -> Verdict:
        entry = self._table[state]
        if entry.line is not None or self.puzzle.is_goal(state):
            return "winnable"
        return "lost" if entry.is_lost or not self.puzzle.legal_actions(state) else "unknown"

    def answer(self, state: Hashable) -> Answer:
        entry, verdict = self._table[state], self.verdict(state)
        line = self.line(state) or ()
        if verdict == "winnable":
            lower = None if entry.lower == 0 else int(entry.lower)
            optimal = entry.is_proved or not line
            return Answer("solved", line, len(line), lower, optimal, generated=entry.searched)
        return Answer("unsolvable" if verdict == "lost" else "budget", generated=entry.searched)

    def verdicts(self, states: Sequence[Hashable], since: int = 0) -> Verdicts:
        """What is known without search of the states of one game, in order, from that ply on."""
        return finish(self.finding_verdicts(states, pacing(Budget()), since))

    def finding_verdicts(self, states: Sequence[Hashable], meter: Meter, since: int = 0) -> Search[Verdicts]:
        """The same step by step: of a long game it takes seconds."""
        found = Verdicts()
        for ply in range(since, len(states)):
            if meter.is_due:
                yield from meter.allows("next")
            found = found.told(ply, self.verdict(states[ply]))
        return found

    def line(self, state: Hashable) -> tuple[Action, ...] | None:
        """The winning line at hand; None when there is none."""
        entry = self._table[state]
        if entry.line is None:
            return () if self.puzzle.is_goal(state) else None
        return entry.line[entry.at :]

    def hint(self, state: Hashable) -> Action | None:
        entry = self._table[state]
        return None if entry.line is None or entry.at == len(entry.line) else entry.line[entry.at]

    def remaining(self, state: Hashable) -> int | None:
        """The length of the line at hand."""
        entry = self._table[state]
        if entry.line is None:
            return 0 if self.puzzle.is_goal(state) else None
        return len(entry.line) - entry.at

    def fewest(self, state: Hashable) -> int | None:
        return self.remaining(state) if self._table[state].is_proved else None

    def at_least(self, state: Hashable) -> float:
        """No line from there is known to be able to have fewer actions."""
        return self._table[state].lower

    def keeps_fewest(self, before: Hashable, after: Hashable) -> bool | None:
        """Of an action: whether a shortest line takes it. None: it is not known."""
        if "lost" in (self.verdict(before), self.verdict(after)):
            return False
        fewest = self.fewest(before)
        if fewest is None:
            return None
        if self.remaining(after) == fewest - 1:
            return True
        return False if self.at_least(after) >= fewest else None

    def generated(self, state: Hashable) -> int | None:
        return self._table[state].searched or None

    def settled(self, state: Hashable) -> bool:
        """The verdict is known, and so are the fewest actions (or a search for them took its whole time in
        vain), in a game where that is a question."""
        verdict = self.verdict(state)
        if verdict != "winnable" or not self._proves_fewest:
            return verdict != "unknown"
        entry = self._table[state]
        return entry.is_proved or entry.tried or self.puzzle.is_goal(state)

    # -- what is learned -------------------------------------------------------------------------------------

    def learn(self, state: Hashable, result: Answer) -> None:
        finish(self.learning(state, result, pacing(Budget())))

    def learning(self, state: Hashable, result: Answer, meter: Meter) -> Search[None]:
        """Learns it step by step: the rules replay a line."""
        if result.generated and (result.optimal or result.status == "unsolvable"):
            self._table.note(state, searched=result.generated)
        self.rule_out(state, result.lower_bound or 0)
        if result.status == "unsolvable":
            self._table.raise_lower(state, inf)
        elif result.status == "solved":
            yield from self._learn_line(state, result, meter)

    def rule_out(self, state: Hashable, fewer: int) -> None:
        """No line from there has fewer actions."""
        if self._proves_fewest:
            self._table.raise_lower(state, fewer)

    def _learn_line(self, state: Hashable, result: Answer, meter: Meter) -> Search[None]:
        line = yield from self._joined(state, result, meter)
        stride = 1 + len(line) // most_kept(state)
        for ply, on_line in enumerate(states_along(self.puzzle, line, state)):
            if meter.is_due:
                yield from meter.allows("check")
            if ply % stride == 0 or ply == len(line):
                self._table.add_line(on_line, line, ply, result.optimal)
        self._table.add_line(state, line, 0, result.optimal)  # a full table may have forgotten it meanwhile

    def _joined(self, state: Hashable, result: Answer, meter: Meter) -> Search[tuple[Action, ...]]:
        """The result's line, which goes on along the first one it meets that is no longer."""
        if result.optimal:
            return result.actions
        for ply, action in enumerate(result.actions):
            if meter.is_due:
                yield from meter.allows("check")
            known = self._table[state]
            if known.line is not None and known.upper <= len(result.actions) - ply:
                return *result.actions[:ply], *known.line[known.at :]
            state = self.puzzle.apply(state, action)
        return result.actions

    def follow(self, before: Hashable, after: Hashable) -> None:
        if self.verdict(before) == "lost":
            self.learn(after, Answer("unsolvable"))

    def inherit(
        self, before: Hashable, action: Action, meter: Meter, line: Sequence[Action] | None = None
    ) -> Search[None]:
        """What is known of a state, for the one after an action, without search: lost stays lost; and the
        line at hand, if it takes this action later, may win without it then; or as it is, once the action is
        taken back. The rules say whether it does.

        line: one that wins, in the place of that at hand"""
        line = self.line(before) if line is None else line
        if line is None and self.verdict(before) != "lost":
            return
        after = self.puzzle.apply(before, action)
        self.follow(before, after)
        if line is None or self.verdict(after) == "lost":
            return
        taken = line.index(action) if action in line else len(line)
        tries = [(*line[:taken], *line[taken + 1 :])]
        if isinstance(self.game, ProvesFewest) and (undo := self.game.undo(self.puzzle, action)) is not None:
            tries.append((undo, *line))
        for rest in tries:
            if not self._gains(after, len(rest)):
                continue
            if (rest := (yield from self._as_played(rest, after, meter))) is not None:
                optimal = self.fewest(before) == len(rest) + 1
                yield from self.learning(after, Answer("solved", rest, optimal=optimal), meter)
                break

    def _as_played(
        self, line: Sequence[Action], state: Hashable, meter: Meter
    ) -> Search[tuple[Action, ...] | None]:
        """The line from a state that it was not made for, where it wins there. Where lines differ in length,
        without what is not legal by then."""
        played: list[Action] = []
        for action in line:
            if self.puzzle.is_goal(state):
                break
            if meter.is_due:
                yield from meter.allows("check")
            try:
                state = self.puzzle.apply(state, action)
            except IllegalAction:
                if not self._proves_fewest:
                    return None
            else:
                played.append(action)
        return tuple(played) if self.puzzle.is_goal(state) else None

    def spread(self, point: Point, meter: Meter) -> Search[None]:
        """From each state before a winnable one the game itself leads on to a win; each state after a lost
        one is lost."""
        states, actions, ply = point
        verdict, most = self.verdict(point.state), most_kept(point.state)
        if verdict == "lost":
            for state in islice(states[ply + 1 :], most):
                if meter.is_due:
                    yield from meter.allows("next")
                yield from self.learning(state, Answer("unsolvable"), meter)
        elif verdict == "winnable":
            line = self.line(point.state)
            if line is None:
                return
            for first in range(max(0, ply - most), ply):
                if meter.is_due:
                    yield from meter.allows("next")
                if self._gains(states[first], ply - first + len(line)):
                    whole = (*actions[first:ply], *line)
                    yield from self.learning(states[first], Answer("solved", whole), meter)
                    break

    def _gains(self, state: Hashable, length: int) -> bool:
        """Whether a line of this length would be news about the state."""
        known = self.remaining(state)
        return known is None or known > length

    # -- what is asked ---------------------------------------------------------------------------------------

    def ask(self, point: Point, budget: Budget, most: float = LOOK_SECONDS) -> Iterator[Progress | Answer]:
        """Answers about the state that get better, until it is settled: what is known, a first answer where
        nothing is compiled yet, then looks of the solver. most: seconds of the last one"""
        yield from self._inherit(point, budget)
        yield self.answer(point.state)
        if self.settled(point.state):
            return
        if (yield from self._ask_first(point, budget)):
            yield replace(self.answer(point.state), first=True)
            if self.settled(point.state):
                return
        yield from engine().ready(self._game, budget)
        seconds = FIRST_LOOK_SECONDS if self._proves_fewest else most
        while seconds < most and self.verdict(point.state) == "unknown" and budget.limit(0) is None:
            yield from self._ask(point, budget.part(most=seconds))
            yield self.answer(point.state)
            seconds *= LONGER
        if not self.settled(point.state) and budget.limit(0) is None:
            whole = budget.part(most=most)
            yield from self._ask(point, whole)
            if not whole.is_cancelled:
                self._table.note(point.state, tried=True)
            yield self.answer(point.state)

    def solve(
        self, point: Point, solver: Solver, budget: Budget, seed: int = 0
    ) -> Iterator[Progress | Answer]:
        """What this solver says, which is learned; before that a first answer, if it is the default one."""
        is_default = solver is next(iter(self.game.solvers.values()))
        if is_default and (found := (yield from self._ask_first(point, budget))):
            yield replace(found, first=True)
        part = "" if is_default else None
        found = yield from engine().run(
            lambda: solver(self.puzzle, point.state, budget, seed), budget, self._game, part
        )
        if found.limit == CLAIM and self.verdict(point.state) == "winnable":
            raise WinnableError("guest.wrong", field="solver", moves=self.remaining(point.state))
        yield from self._learn_at(point, found, budget)
        yield found

    def _ask_first(self, point: Point, budget: Budget) -> Search[Answer | None]:
        if self.level is None:
            return None
        found = yield from engine().first(self._game, self.level, point.state, budget)
        if not isinstance(found, Answer):
            return None
        yield from self._learn_at(point, found, budget)
        return found

    def _learn_at(self, point: Point, found: Answer, budget: Budget) -> Search[None]:
        meter = pacing(budget)
        meter.expanded, meter.generated = found.expanded, found.generated
        yield from self.learning(point.state, found, meter)
        yield from self.spread(point, meter)

    def decide(self, point: Point, budget: Budget) -> Search[Verdict]:
        """What is known, else what can be inferred from the state before, else what the solver proves within
        the budget."""
        yield from self._inherit(point, budget)
        if self.verdict(point.state) == "unknown":
            yield from self._ask(point, budget)
        return self.verdict(point.state)

    def _inherit(self, point: Point, budget: Budget) -> Search[None]:
        """From the state before; a line that this finds may be shorter for those before as well."""
        if point.ply > 0:
            known, meter = self.remaining(point.state), pacing(budget)
            yield from self.inherit(point.states[point.ply - 1], point.actions[point.ply - 1], meter)
            if self.remaining(point.state) != known:
                yield from self.spread(point, meter)

    def _ask(self, point: Point, budget: Budget) -> Search[None]:
        """Also about a state that is known to be winnable."""
        solve, game = partial(self._solver, self.puzzle, point.state, budget, 0), self._game
        found = yield from engine().run(solve, budget, game)
        yield from self._learn_at(point, found, budget)

    def solver_after(self, state: Hashable) -> Solver:
        """For the states one action after this one."""
        return self._given or self.game.solver_after(self.puzzle, state)

    def chance(self, state: Hashable, budget: Budget) -> Iterator[Progress | Chance]:
        if isinstance(self.game, HidesSome) and self.verdict(state) != "lost":
            yield from self.game.chance(self.puzzle, state, budget, 0)

    def blame(self, point: Point, budget: Budget, each: float = inf) -> Iterator[Progress | Verdicts]:
        """Narrows down which action lost the game: what is known of it without search, then after each
        question to the solver, until none is left or the budget ends. The point's ply is nothing to it.

        each: seconds of a question at the most"""
        tried: set[int] = set()
        found, last = (yield from self.finding_verdicts(point.states, pacing(budget))), len(point.states) - 1
        yield found
        while (ply := found.question(last, tried)) is not None and budget.limit(0) is None:
            tried.add(ply)
            verdict = yield from self.decide(point._replace(ply=ply), budget.part(most=each))
            found = found.told(ply, verdict)
            yield found

    def needed(self, point: Point, budget: Budget) -> Search[int | None]:
        """The fewest actions from the state on; None: they are not proved within the budget."""
        if not self.settled(point.state):
            yield from self._ask(point, budget)
        return 0 if self.puzzle.is_goal(point.state) else self.fewest(point.state)

    def mistake(self, point: Point, budget: Budget, each: float = inf) -> Search[int | None]:
        """The ply before the action that lost the game; None: it is not lost, or not known exactly. Like
        `blame`."""
        found = yield from collected(self.blame(point, budget, each))
        return found[-1].mistake

    def detours(self, point: Point, budget: Budget, each: float = inf) -> Iterator[Progress | Cost]:
        """What the actions cost that did not lose the game, from the last to the first, where the solver
        proves how many are needed before and after; until the budget ends. Like `blame`."""
        if not self._proves_fewest:
            return
        tried: set[Any] = set()
        for ply in reversed(range((yield from self.finding_verdicts(point.states, pacing(budget))).winnable)):
            needed: list[int] = []
            for at in (ply + 1, ply):
                state = point.states[at]
                if not self.settled(state) and state not in tried:
                    if budget.limit(0) is not None:
                        return
                    tried.add(state)
                    yield from self._ask(point._replace(ply=at), budget.part(most=each))
                if (fewest := 0 if self.puzzle.is_goal(state) else self.fewest(state)) is not None:
                    needed.append(fewest)
            if len(needed) == 2 and (best := self.hint(point.states[ply])) is not None:
                yield Cost(ply, best, needed[0] + 1 - needed[1], needed[1])

    def review(self, point: Point, costs: Sequence[Cost], narrowed: Sequence[Narrowing] = ()) -> Review:
        """Of the whole game. costs, narrowed: what `detours` and `narrowings` told"""
        puzzle, blunder = self.puzzle, self.verdicts(point.states).blunder
        lost = [] if blunder is None else [blunder.first]
        losing = [one for one in narrowed if not one.after.wins]
        narrow = narrowest(narrowed)[: MOST - len(lost)]
        turned = [one.ply for one in narrow]
        slips = [one.ply for one in narrow if losing and losing[0].says_little and one.is_slip(losing[0])][:1]
        turning = list(dict.fromkeys([*slips, *lost, *turned, *(cost.ply for cost in worst(costs, share=0))]))
        turning = turning[:MOST]
        done = [completion(puzzle, state) for state in point.states]
        if done[0] is not None:
            return Review(turning, done, "completion", [*losing, *narrow])
        needed = [0 if puzzle.is_goal(state) else self.fewest(state) for state in point.states]
        return Review(turning, needed, "remaining")

    def reason(self, state: Hashable, budget: Budget) -> Search[Reason | None]:
        """Checked by the rules before anybody sees it; some tenths of a second."""
        game, entry = self.game, self._table[state]
        if not isinstance(game, Refutes) or self.verdict(state) != "lost":
            return None
        if entry.reasons is None and self.puzzle.legal_actions(state):
            found = yield from engine().run(lambda: game.reason(self.puzzle, state, budget), budget)
            if found is not None and (fault := game.reason_fault(self.puzzle, state, found)) is not None:
                raise AssertionError("a reason does not hold") from fault
            if found is not None or budget.limit(0) is None:
                self._table.note(state, reasons=() if found is None else (found,))
        return next(iter(self._table[state].reasons or ()), None)
