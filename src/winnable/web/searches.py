"""What runs beside the board when it is asked for: a solver, one step of a player, a look at a drawing.

Each `begin_...` begins a job on the board as it is now, what is on the board later is no concern of it, and
returns it with what listens to it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from winnable.analysis import ByProof
from winnable.analysis.engine import engine
from winnable.analysis.verdicts import Point
from winnable.contract.abilities import ProvesFewest, repairs_of, solvers_of
from winnable.contract.core import (
    Action,
    Answer,
    Budget,
    Limit,
    Progress,
    Search,
    Solver,
    WinnableError,
    collected,
    searching,
)
from winnable.contract.game import Game
from winnable.contract.methods import Chosen, Wanted, choose, choose_method
from winnable.contract.registry import load_game
from winnable.levels.certificates import line_fault
from winnable.play.session import Session
from winnable.tuning import tuned
from winnable.web.answers import cheats_needed, reporter, told, told_hint
from winnable.web.desk import Desk
from winnable.web.events import Event, Judged, Mended
from winnable.web.hub import Hub
from winnable.web.jobs import Followed, Job, at_the_end
from winnable.web.protocol import Hint, Judge, Mend, Solve, Step

STEP_SECONDS = 60.0
JUDGE_LOOKS = (0.3, 2.0)
"""Seconds of the looks at a drawing before the last one, so that something is known soon."""

Send = Callable[[Event], None]
LOST = "step.lost"


def chosen(session: Session, name: str, settings: Mapping[str, Any], table: Mapping[str, Any]) -> Chosen:
    """Raises WinnableError."""
    return choose("by", table, Wanted(name, settings), session.game.name)


def _now(desk: Desk) -> tuple[Session, ByProof, Point]:
    """What a solver is asked about; the board may change before it begins."""
    session, companion = desk.session, desk.companion
    assert isinstance(companion, ByProof)  # only what has a goal has solvers
    return session, companion, Point(session.states, session.actions, session.ply)


# -- a solver ------------------------------------------------------------------------------------------------


def begin_solve(hub: Hub, desk: Desk, request: Solve, send: Send) -> Followed:
    """Raises WinnableError."""
    solver = chosen(desk.session, request.solver, request.settings, solvers_of(desk.session.game))
    session, companion, point, budget = *_now(desk), Budget(request.seconds)
    job = hub.jobs.stream("solve", _solved(session, companion, point, solver.method, budget), budget)
    return job, _tell_solved(desk, session, point, solver, job, send)


def _solved(
    session: Session, companion: ByProof, point: Point, solver: Solver, budget: Budget
) -> Iterator[Progress | tuple[Answer, int | None]]:
    """The answers, which are learned, each with the cheats that it takes; see `Result`."""
    for one in companion.solve(point, solver, budget):
        if isinstance(one, Progress):
            yield one
        else:
            yield one, cheats_needed(session, point.actions[: point.ply], one)


async def _tell_solved(
    desk: Desk,
    session: Session,
    point: Point,
    solver: Chosen,
    job: Job[tuple[Answer, int | None]],
    send: Send,
) -> None:
    """Sends `progress` and, unless it is refused or a `cheat` has changed the level meanwhile, a `result`."""
    report = reporter(solver.name, send)
    report(Progress("waiting", 0, 0, 0.0))
    with at_the_end(desk.lamp.learned):
        found, cheats = await job.result(desk.broadcast, report) or (Answer("budget"), None)
        if desk.session is session:
            if job.cancelled and found.status == "budget":
                found = replace(found, limit=Limit("cancelled"))
            send(told(desk.id, session.puzzle, point.ply, solver, found, cheats))
            desk.lines.keep(point.actions[: point.ply], solver, found)


# -- one action ----------------------------------------------------------------------------------------------


def begin_step(hub: Hub, desk: Desk, request: Step) -> Job[Action] | None:
    """The job tells the action. None when a winning line is at hand: then it was played at once.

    Raises WinnableError when the game is over, or lost and a solver is asked.
    """
    game, session = desk.session.game, desk.session
    if session.standing != "playing":
        raise WinnableError("game.over")
    find = tuned.kept(hub.store)
    by = chosen(session, request.by, request.settings, tuned.methods(game, find))
    if by.name in tuned.players(game, find):
        budget = Budget()
        return hub.jobs.work("play", partial(_chosen_by, desk, by, session.state, budget), budget)
    if desk.companion.verdict(session.state) == "lost":
        raise WinnableError(LOST)
    action = desk.companion.hint(session.state)
    if action is not None:
        desk.act(action)
        return None
    return _first_action_of(hub, desk, by)


def _chosen_by(desk: Desk, by: Chosen, state: Hashable, budget: Budget) -> Search[Action]:
    return engine().run(lambda: _player(desk, by).choose(state), budget)


def _player(desk: Desk, player: Chosen) -> Any:
    """A player may remember the game, so each desk has its own; its chance follows the id."""
    if player.label not in desk.players:
        seed = int(desk.id[:12], 16)
        desk.players[player.label] = player.method(desk.session.puzzle, seed)
    return desk.players[player.label]


def _first_action_of(hub: Hub, desk: Desk, solver: Chosen) -> Job:
    """Of its line."""
    (_, companion, point), budget = _now(desk), Budget(STEP_SECONDS)
    return hub.jobs.stream("solve", _first_action(companion, point, solver.method, budget), budget)


def _first_action(
    companion: ByProof, point: Point, solver: Solver, budget: Budget
) -> Iterator[Progress | Action]:
    found = yield from collected(companion.solve(point, solver, budget))
    if found[-1].status == "budget":
        raise WinnableError("step.time", seconds=STEP_SECONDS)
    if (action := companion.hint(point.state)) is None:
        raise WinnableError(LOST)
    yield action


def begin_advice(hub: Hub, desk: Desk, name: str, request: Hint, send: Send) -> Followed:
    """What the player of this name would do, or the solver whose line leads on. Raises WinnableError."""
    session, find = desk.session, tuned.kept(hub.store)
    game, state = session.game, session.state
    by = chosen(session, name, request.settings, tuned.methods(game, find))
    if name in tuned.solvers(game, find) and session.standing == "playing":
        job: Job = _first_action_of(hub, desk, by)
    else:
        budget = Budget()
        job = hub.jobs.work("play", partial(_advised, session, by, state, budget), budget)
    return job, _tell_advice(desk, session, session.ply, request, job, send)


def _advised(session: Session, by: Chosen, state: Hashable, budget: Budget) -> Search[Action | None]:
    if session.puzzle.is_goal(state) or not session.puzzle.legal_actions(state):
        return None
    return (yield from engine().run(lambda: by.method(session.puzzle, 0).choose(state), budget))


async def _tell_advice(
    desk: Desk, session: Session, ply: int, request: Hint, job: Job[Action | None], send: Send
) -> None:
    """Sends it as `hint`, as far as was asked for."""
    send(told_hint(desk.id, session, desk.companion, ply, request.rung, await job.result(send)))


# -- a drawing -----------------------------------------------------------------------------------------------


def begin_judging(hub: Hub, request: Judge, send: Send) -> Followed:
    """Raises WinnableError when too much waits."""
    budget = Budget()
    job = hub.jobs.stream("lamp", _judged(request, budget), budget, size=len(request.level))
    return job, _tell_judged(request, job, send)


def _judged(request: Judge, budget: Budget) -> Iterator[Progress | Answer]:
    """After a first look, a longer one, and the last; the search begins anew each time. Nothing in a game
    without a goal: there is nothing to search for."""
    game = load_game(request.game)
    puzzle = game.puzzle(game.parse_board(request.level))
    solver, best = next(iter(solvers_of(game).values()), None), Answer("budget")
    if solver is None:
        return
    for seconds in (*(look for look in JUDGE_LOOKS if look < request.seconds), request.seconds):
        look = budget.part(most=seconds)
        found = yield from engine().run(partial(solver, puzzle, puzzle.initial(), look, 0), look, game)
        yield (best := _better(best, found))
        if _is_final(game, best):
            return


def _is_final(game: Game, best: Answer) -> bool:
    is_any_line_best = best.status == "solved" and not isinstance(game, ProvesFewest)
    return best.status == "unsolvable" or best.optimal or is_any_line_best


async def _tell_judged(request: Judge, job: Job[Answer], send: Send) -> None:
    """Sends `judged` after each look, and at the end."""
    best = Answer("budget")
    async for best in job.told(send):
        if not _is_final(load_game(request.game), best):
            send(_judged_event(request, best, False))
    send(_judged_event(request, best, True))


def _judged_event(request: Judge, best: Answer, finished: bool) -> Judged:
    return Judged(
        request.ticket,
        best.status,
        best.cost,
        best.lower_bound,
        best.optimal,
        len(best.actions),
        round(best.seconds, 3),
        finished,
    )


def _better(before: Answer, found: Answer) -> Answer:
    """Both together: the shorter line, the higher bound."""
    seconds = before.seconds + found.seconds
    if found.status == "unsolvable":
        return replace(found, seconds=seconds)
    line = min((before, found), key=lambda result: (result.status != "solved", len(result.actions)))
    lower = max((result.lower_bound or 0 for result in (before, found)), default=0) or None
    optimal = line.optimal or (line.status == "solved" and line.cost == lower)
    return replace(line, lower_bound=lower, optimal=optimal, seconds=seconds)


def begin_mending(hub: Hub, request: Mend, send: Send) -> Followed:
    """Raises WinnableError when no repair is known for the game, or too much waits."""
    game, budget = load_game(request.game), Budget(request.seconds)
    repair = choose_method("method", repairs_of(game), None, game.name)
    work = partial(_mended, game, repair, request.level, budget)
    job = hub.jobs.work("make", partial(engine().run, work, budget), budget, size=len(request.level))
    return job, _tell_mended(request, job, send)


def _mended(game: Game, repair: Chosen, text: str, budget: Budget) -> Search[str]:
    """With a line that the rules accept."""
    level = yield from searching(repair.method(game.parse_board(text), 0, budget))
    if level.certificate is None or line_fault(game.puzzle(level), level.certificate.actions) is not None:
        raise WinnableError("repair.line", field="method", method=repair.name)
    return game.format_board(level)


async def _tell_mended(request: Mend, job: Job[str], send: Send) -> None:
    level = await job.result(send)
    if level is not None:
        send(Mended(request.ticket, level))
