"""Can this still be won? Verdicts, lines and the action that lost the game, in any game with a goal.

What is once proved is kept: every state along a winning line is winnable, and of the states of one game all
before a winnable one are winnable and all after a lost one are lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from winnable.analysis.companion import Companion, Known, Means
from winnable.analysis.costs import MOST, Cost, Narrowing, Review, narrowest, worst
from winnable.analysis.margin import Margin, margins, narrowings
from winnable.analysis.verdicts import Point, Verdict, Verdicts
from winnable.contract.abilities import Chance, GivesReasons, HidesSome, ProvesFewest, Reason, Solves
from winnable.contract.core import (
    Action,
    Budget,
    IllegalAction,
    Solver,
    SolveResult,
    completion,
    states_along,
)
from winnable.play.states import most_kept

LOOK_SECONDS = 20.0
FIRST_LOOK_SECONDS, LONGER = 0.08, 4
"""In a game whose solver may take long to prove which line is the shortest: any line tells the verdict. As
long as there is none, the next look is so many times as long."""


class ByProof(Companion):
    """Remembers what one solver proved about the states of one level. A line is given up only for a shorter
    one.

    Worker threads learn while others read. Single dictionary operations are atomic, so a reader sees at worst
    the beginning of a new line, which reads as "no line yet".
    """

    def __init__(self, game: Solves, puzzle: Any, solver: Solver | None = None) -> None:
        """solver: in the place of the game's own one"""
        self.game: Solves = game
        self.puzzle: Any = puzzle
        self._given, self._solver = solver, solver or game.live_solver(puzzle)
        self._proves_fewest = isinstance(game, ProvesFewest)
        self._lost: set[Any] = set()
        self._next: dict[Any, tuple[Action, ...]] = {}
        """A winnable state -> the next actions of a winning line, as far as another such state or the goal:
        one, unless the line is too long for all its states to be kept."""
        self._remaining: dict[Any, int] = {}
        self._fewest: dict[Any, int] = {}
        """Of states on optimal lines: the length of the rest."""
        self._generated: dict[Any, int] = {}
        """Of states about which a search proved all there is: how many states it made."""
        self._tried: set[Any] = set()
        """States whose fewest actions a whole search could not prove."""
        self._reasons: dict[Any, Reason | None] = {}
        """Of lost states; None: a whole search for one was in vain."""
        self._at_least: dict[Any, int] = {}
        """No line from there has fewer actions."""

    def __getstate__(self) -> dict[str, Any]:
        """A copy knows what this one knows, but what its solver goes on from."""
        return {name: value for name, value in vars(self).items() if name != "_solver"}

    def __setstate__(self, known: dict[str, Any]) -> None:
        vars(self).update(known)
        self._solver = self._given or self.game.live_solver(self.puzzle)

    # -- what is known ---------------------------------------------------------------------------------------

    def verdict(self, state: Any) -> Verdict:
        if state in self._next or self.puzzle.is_goal(state):
            return "winnable"
        if state in self._lost or not self.puzzle.legal_actions(state):
            return "lost"
        return "unknown"

    def known(self, state: Any) -> Known:
        verdict = self.verdict(state)
        remaining = self.remaining(state) if verdict == "winnable" else None
        return Known(verdict, remaining, remaining is not None and remaining == self.fewest(state))

    def verdicts(self, states: Sequence[Any], since: int = 0) -> Verdicts:
        found = Verdicts()
        for ply in range(since, len(states)):
            found = found.told(ply, self.verdict(states[ply]))
        return found

    def line(self, state: Any) -> tuple[Action, ...] | None:
        """The winning line at hand; None when there is none."""
        actions: list[Action] = []
        while not self.puzzle.is_goal(state):
            following = self._next.get(state)
            if following is None:
                return None
            actions += following
            state = self._after(state, following)
        return tuple(actions)

    def _after(self, state: Any, actions: Sequence[Action]) -> Any:
        for action in actions:
            state = self.puzzle.apply(state, action)
        return state

    def hint(self, state: Any) -> Action | None:
        return self._next[state][0] if state in self._next else None

    def remaining(self, state: Any) -> int | None:
        """The length of the line at hand. A line is walked once; then every state on it answers at once."""
        walked: list[tuple[Any, int]] = []
        while (known := self._remaining.get(state)) is None:
            if self.puzzle.is_goal(state):
                known = 0
                break
            following = self._next.get(state)
            if following is None:
                return None
            walked.append((state, len(following)))
            state = self._after(state, following)
        self._remaining[state] = known
        for before, length in reversed(walked):
            known += length
            self._remaining[before] = known
        return known

    def fewest(self, state: Any) -> int | None:
        return self._fewest.get(state)

    def at_least(self, state: Any) -> int:
        """No line from there is known to be able to have fewer actions."""
        return self.fewest(state) or self._at_least.get(state, 0)

    def keeps_fewest(self, before: Any, after: Any) -> bool | None:
        """Of an action: whether a shortest line takes it. None: it is not known."""
        if "lost" in (self.verdict(before), self.verdict(after)):
            return False
        fewest = self.fewest(before)
        if fewest is None:
            return None
        if self.remaining(after) == fewest - 1:
            return True
        return False if self.at_least(after) >= fewest else None

    def generated(self, state: Any) -> int | None:
        return self._generated.get(state)

    def settled(self, state: Any) -> bool:
        """The verdict is known, and so are the fewest actions (or a search for them took its whole time in
        vain), in a game where that is a question."""
        verdict = self.verdict(state)
        if verdict != "winnable" or not self._proves_fewest:
            return verdict != "unknown"
        return self.puzzle.is_goal(state) or state in self._fewest or state in self._tried

    # -- what is learned -------------------------------------------------------------------------------------

    def learn(self, state: Any, result: SolveResult) -> None:
        if result.generated and (result.optimal or result.status == "unsolvable"):
            self._generated[state] = result.generated
        self.rule_out(state, result.lower_bound or 0)
        if result.status == "unsolvable":
            self._lost.add(state)
        elif result.status == "solved":
            self._learn_line(state, result)

    def rule_out(self, state: Any, fewer: int) -> None:
        """No line from there has fewer actions."""
        if self._proves_fewest and fewer > self.at_least(state):
            self._at_least[state] = fewer

    def _learn_line(self, state: Any, result: SolveResult) -> None:
        line = self._joined(state, result)
        stride = 1 + len(line) // most_kept(state)
        for ply, on_line in enumerate(states_along(self.puzzle, line, state)):
            if ply % stride == 0 or ply == len(line):
                if ply < len(line):
                    self._next[on_line] = tuple(line[ply : ply + stride])
                if result.optimal:
                    self._fewest[on_line] = len(line) - ply
        self._remaining.clear()  # another line may be longer or shorter

    def _joined(self, state: Any, result: SolveResult) -> tuple[Action, ...]:
        """The result's line, which goes on along the first one it meets that is no longer."""
        if result.optimal:
            return result.actions
        for ply, action in enumerate(result.actions):
            line = None if self.remaining(state) is None else self.line(state)
            if line is not None and len(line) <= len(result.actions) - ply:
                return *result.actions[:ply], *line
            state = self.puzzle.apply(state, action)
        return result.actions

    def follow(self, before: Any, after: Any) -> None:
        if self.verdict(before) == "lost":
            self.learn(after, SolveResult("unsolvable"))

    def inherit(self, before: Any, action: Action, line: Sequence[Action] | None = None) -> None:
        """What is known of a state, for the one after an action, without search: lost stays lost; and the
        line at hand, if it takes this action later, may win without it then; or as it is, once the action is
        taken back. The rules say whether it does.

        line: one that wins, in the place of that at hand"""
        after = self.puzzle.apply(before, action)
        self.follow(before, after)
        line = self.line(before) if line is None else line
        if line is None or self.verdict(after) == "lost":
            return
        taken = line.index(action) if action in line else len(line)
        tries = [(*line[:taken], *line[taken + 1 :])]
        if isinstance(self.game, ProvesFewest) and (undo := self.game.undo(self.puzzle, action)) is not None:
            tries.append((undo, *line))
        for rest in tries:
            if self._gains(after, len(rest)) and (rest := self._as_played(rest, after)) is not None:
                self.learn(after, SolveResult("solved", rest, optimal=self.fewest(before) == len(rest) + 1))
                break

    def _as_played(self, line: Sequence[Action], state: Any) -> tuple[Action, ...] | None:
        """The line from a state that it was not made for, where it wins there. Where lines differ in length,
        without what is not legal by then."""
        played: list[Action] = []
        for action in line:
            if self.puzzle.is_goal(state):
                break
            try:
                state = self.puzzle.apply(state, action)
            except IllegalAction:
                if not self._proves_fewest:
                    return None
            else:
                played.append(action)
        return tuple(played) if self.puzzle.is_goal(state) else None

    def spread(self, point: Point) -> None:
        """From each state before a winnable one the game itself leads on to a win; each state after a lost
        one is lost."""
        states, actions, ply = point
        verdict, most = self.verdict(point.state), most_kept(point.state)
        if verdict == "lost":
            for state in islice(states[ply + 1 :], most):
                self.learn(state, SolveResult("unsolvable"))
        elif verdict == "winnable":
            line = self.line(point.state)
            if line is None:
                return
            near = range(max(0, ply - most), ply)
            first = next((i for i in near if self._gains(states[i], ply - i + len(line))), None)
            if first is not None:
                self.learn(states[first], SolveResult("solved", (*actions[first:ply], *line)))
            self.remaining(point.state)

    def _gains(self, state: Any, length: int) -> bool:
        """Whether a line of this length would be news about the state."""
        known = self.remaining(state)
        return known is None or known > length

    # -- what is asked ---------------------------------------------------------------------------------------

    def decide(self, point: Point, budget: Budget) -> Verdict:
        """What is known, else what can be inferred from the state before, else what the solver proves within
        the budget."""
        self._inherit(point)
        if self.verdict(point.state) == "unknown":
            self._ask(point, budget)
        return self.verdict(point.state)

    def _inherit(self, point: Point) -> None:
        """From the state before; a line that this finds may be shorter for those before as well."""
        if point.ply > 0:
            known = self.remaining(point.state)
            self.inherit(point.states[point.ply - 1], point.actions[point.ply - 1])
            if self.remaining(point.state) != known:
                self.spread(point)

    def _ask(self, point: Point, budget: Budget) -> None:
        """Also about a state that is known to be winnable."""
        self.learn(point.state, self._solver(self.puzzle, point.state, budget, 0))
        self.spread(point)

    def solver_after(self, state: Any) -> Solver:
        """For the states one action after this one."""
        return self._given or self.game.solver_after(self.puzzle, state)

    def search(self, point: Point, means: Means) -> None:
        self._inherit(point)
        if point.ply > 0:
            if self.settled(point.state):
                return
            means.tell()
        if isinstance(found := means.first(), SolveResult):
            self.learn(point.state, found)
            self.spread(point)
            if self.settled(point.state):
                return
            means.tell(first=True)
        means.ready()
        seconds = FIRST_LOOK_SECONDS if self._proves_fewest else LOOK_SECONDS
        while seconds < LOOK_SECONDS and self.verdict(point.state) == "unknown":
            self._ask(point, means.budget(seconds))
            means.tell()
            seconds *= LONGER
        if not self.settled(point.state):
            budget = means.budget(LOOK_SECONDS)
            self._ask(point, budget)
            if not budget.is_cancelled:
                self._tried.add(point.state)

    def margin(self, state: Any, budget: Budget) -> Iterator[Margin]:
        return margins(self, state, budget)

    def chance(self, state: Any, budget: Budget) -> Iterator[Chance]:
        if isinstance(self.game, HidesSome) and self.verdict(state) != "lost":
            yield from self.game.chance(self.puzzle, state, budget, 0)

    def blame(self, point: Point, budget: Callable[[], Budget | None]) -> Iterator[Verdicts]:
        """Narrows down which action lost the game: what is known of it without search, then after each
        question to the solver, until none is left or there is no budget for it. The point's ply is nothing
        to it."""
        tried: set[int] = set()
        found, last = self.verdicts(point.states), len(point.states) - 1
        yield found
        while (ply := found.question(last, tried)) is not None and (given := budget()) is not None:
            tried.add(ply)
            found = found.told(ply, self.decide(point._replace(ply=ply), given))
            yield found

    def needed(self, point: Point, budget: Budget) -> int | None:
        """The fewest actions from the state on; None: they are not proved within the budget."""
        if not self.settled(point.state):
            self._ask(point, budget)
        return 0 if self.puzzle.is_goal(point.state) else self.fewest(point.state)

    def mistake(self, point: Point, budget: Callable[[], Budget | None]) -> int | None:
        """The ply before the action that lost the game; None: it is not lost, or not known exactly. Like
        `blame`."""
        *_, found = self.blame(point, budget)
        return found.mistake

    def detours(self, point: Point, budget: Callable[[], Budget | None]) -> Iterator[Cost]:
        """What the actions cost that did not lose the game, from the last to the first, where the solver
        proves how many are needed before and after; until there is no budget for it. The point's ply is
        nothing to it."""
        if not self._proves_fewest:
            return
        tried: set[Any] = set()
        for ply in reversed(range(self.verdicts(point.states).winnable)):
            needed: list[int] = []
            for at in (ply + 1, ply):
                state = point.states[at]
                if not self.settled(state) and state not in tried:
                    if (given := budget()) is None:
                        return
                    tried.add(state)
                    self._ask(point._replace(ply=at), given)
                if (fewest := 0 if self.puzzle.is_goal(state) else self.fewest(state)) is not None:
                    needed.append(fewest)
            if len(needed) == 2 and (best := self.hint(point.states[ply])) is not None:
                yield Cost(ply, best, needed[0] + 1 - needed[1], needed[1])

    def narrowings(self, point: Point, budget: Callable[[], Budget | None]) -> Iterator[Narrowing]:
        """Where no action is longer than another: how much room the actions left, up to the one that lost the
        game. Like `detours`."""
        if not self._proves_fewest:
            yield from narrowings(self, point, self.verdicts(point.states).winnable, budget)

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

    def reason(self, state: Any, budget: Budget) -> Reason | None:
        """Checked by the rules before anybody sees it; some tenths of a second."""
        game = self.game
        if not isinstance(game, GivesReasons) or self.verdict(state) != "lost":
            return None
        if state not in self._reasons and self.puzzle.legal_actions(state):
            found = game.reason(self.puzzle, state, budget)
            if found is not None:
                if (fault := game.reason_fault(self.puzzle, state, found)) is not None:
                    raise AssertionError("a reason does not hold") from fault
            elif budget.limit(0) is not None:
                return None
            self._reasons[state] = found
        return self._reasons.get(state)
