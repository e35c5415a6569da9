"""What runs beside the board when it is asked for: a solver, one step of a player, a look at a drawing.

Each `start_...` submits a job and returns it; `send` and `done` are called on the event loop. The job works
on the board as it is now: what is on the board later is no concern of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from winnable.analysis.verdicts import Point
from winnable.contract.abilities import ProvesFewest, solvers_of
from winnable.contract.core import Action, Limit, Progress, Solver, SolveResult, WinnableError
from winnable.contract.methods import Chosen, Wanted, choose
from winnable.contract.registry import load_game
from winnable.play.session import Session
from winnable.tuning import tuned
from winnable.web.answers import cheats_needed, reporter, told, told_hint
from winnable.web.desk import Desk
from winnable.web.events import Event, Judged
from winnable.web.hub import Hub
from winnable.web.jobs import Job, Outcome
from winnable.web.protocol import Hint, Judge, Solve, Step

STEP_SECONDS = 60.0
JUDGE_LOOKS = (0.3, 2.0)
"""Seconds of the looks at a drawing before the last one, so that something is known soon."""

Send = Callable[[Event], None]
LOST = "step.lost"


def start_solve(hub: Hub, desk: Desk, request: Solve, send: Send, done: Callable[[Outcome], None]) -> Job:
    """Sends `progress` and, unless the outcome is an error or a `cheat` has changed the level meanwhile, one
    `result`. Raises WinnableError."""
    session, ply = desk.session, desk.session.ply
    before = session.actions[:ply]
    solver = chosen(session, request.solver, request.settings, solvers_of(session.game))
    report = reporter(solver.name, send)
    part = "" if solver.name == next(iter(solvers_of(session.game))) else None

    def ended(outcome: Outcome) -> None:
        if not outcome.error and desk.session is session:
            answer: tuple[SolveResult, int | None] = outcome.value or (SolveResult("budget"), None)
            found, cheats = answer
            if outcome.cancelled and found.status == "budget":
                found = replace(found, limit=Limit("cancelled"))
            send(told(desk.id, session.puzzle, ply, solver, found, cheats))
            desk.lines.keep(before, solver, found)
        done(outcome)
        desk.lamp.learned()

    search = _search(hub, desk, solver.method, request.seconds, report, part)

    def work(job: Job) -> tuple[SolveResult, int | None]:
        found = search(job)
        return found, cheats_needed(session, before, found)

    job = hub.jobs.submit("solve", work, ended)
    report(Progress("waiting", 0, 0, 0.0))
    return job


def chosen(session: Session, name: str, settings: Mapping[str, Any], table: Mapping[str, Any]) -> Chosen[Any]:
    """Raises WinnableError."""
    return choose("by", table, Wanted(name, settings), session.game.name)


def _search(
    hub: Hub,
    desk: Desk,
    solver: Solver,
    seconds: float,
    on_progress: Callable[[Progress], None] | None,
    part: str | None,
) -> Callable[[Job], SolveResult]:
    """The work of a job: the solver, and what its answer teaches. part: of the kernels, that it needs."""
    session, companion = desk.session, desk.companion
    point = Point(session.states, session.actions, session.ply)

    def search(job: Job) -> SolveResult:
        hub.kernels.wait(job, session.game, desk.broadcast, part)
        result = solver(session.puzzle, point.state, job.budget(seconds, on_progress), 0)
        companion.learn(point.state, result)
        companion.spread(point)
        return result

    return search


def start_step(hub: Hub, desk: Desk, request: Step, done: Callable[[Outcome], None]) -> Job | None:
    """The outcome's value is the action. None when a winning line is at hand: then it was played at once.

    Raises WinnableError when the game is over, or lost and a solver is asked.
    """
    game, session = desk.session.game, desk.session
    if session.standing != "playing":
        raise WinnableError("game.over")
    find = tuned.kept(hub.store)
    by = chosen(session, request.by, request.settings, tuned.methods(game, find))
    if by.name in tuned.players(game, find):
        state, run, send = session.state, hub.kernels.run, desk.broadcast
        return hub.jobs.submit(
            "play", lambda job: run(job, send, lambda: _player(desk, by).choose(state)), done
        )
    if desk.companion.verdict(session.state) == "lost":
        raise WinnableError(LOST)
    action = desk.companion.hint(session.state)
    if action is not None:
        desk.act(action)
        return None
    return hub.jobs.submit("solve", _first_action(hub, desk, by), done)


def _player(desk: Desk, player: Chosen[Any]) -> Any:
    """In a thread. A player may remember the game, so each desk has its own; its chance follows the id."""
    if player.label not in desk.players:
        seed = int(desk.id[:12], 16)
        desk.players[player.label] = player.method(desk.session.puzzle, seed)
    return desk.players[player.label]


def _first_action(hub: Hub, desk: Desk, solver: Chosen[Any]) -> Callable[[Job], Action]:
    search, state = _search(hub, desk, solver.method, STEP_SECONDS, None, None), desk.session.state

    def choose_one(job: Job) -> Action:
        if search(job).status == "budget":
            raise WinnableError("step.time", seconds=STEP_SECONDS)
        action = desk.companion.hint(state)
        if action is None:
            raise WinnableError(LOST)
        return action

    return choose_one


def start_advice(
    hub: Hub, desk: Desk, name: str, request: Hint, send: Send, done: Callable[[Outcome], None]
) -> Job:
    """Sends as `hint` what the player of this name would do, or the solver whose line leads on, as far as was
    asked for. Raises WinnableError."""
    session, ply = desk.session, desk.session.ply
    game, state, playing = session.game, session.state, session.standing == "playing"
    find = tuned.kept(hub.store)
    by = chosen(session, name, request.settings, tuned.methods(game, find))
    ask = _first_action(hub, desk, by) if name in tuned.solvers(game, find) else None

    def choose_one(job: Job) -> Action | None:
        if not playing:
            return None
        if ask:
            return ask(job)
        return hub.kernels.run(job, send, lambda: by.method(session.puzzle, 0).choose(state))

    def ended(outcome: Outcome) -> None:
        if not outcome.error:
            send(told_hint(desk.id, session, ply, state, request.rung, outcome.value, desk.companion))
        done(outcome)

    return hub.jobs.submit("play" if ask is None else "solve", choose_one, ended)


def start_judge(hub: Hub, request: Judge, send: Send, done: Callable[[Outcome], None]) -> Job:
    """Sends `judged` after a first look, a longer one, and at the end; the search begins anew each time. In a
    game without a goal there is nothing to search for."""
    best = SolveResult("budget")

    def event(finished: bool) -> Judged:
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

    def judge(job: Job) -> None:
        nonlocal best
        game = load_game(request.game)
        puzzle = game.puzzle(game.parse_board(request.level))
        solver = next(iter(solvers_of(game).values()), None)
        if solver is None:
            return
        hub.kernels.wait(job, game, send)
        for seconds in (*(look for look in JUDGE_LOOKS if look < request.seconds), request.seconds):
            best = _better(best, solver(puzzle, puzzle.initial(), job.budget(seconds), 0))
            if best.status == "unsolvable" or best.optimal:
                return
            if best.status == "solved" and not isinstance(game, ProvesFewest):
                return
            job.call(send, event(False))

    def ended(outcome: Outcome) -> None:
        if not outcome.error:
            send(event(True))
        done(outcome)

    return hub.jobs.submit("lamp", judge, ended, size=len(request.level))


def _better(before: SolveResult, found: SolveResult) -> SolveResult:
    """Both together: the shorter line, the higher bound."""
    seconds = before.seconds + found.seconds
    if found.status == "unsolvable":
        return replace(found, seconds=seconds)
    line = min((before, found), key=lambda result: (result.status != "solved", len(result.actions)))
    lower = max((result.lower_bound or 0 for result in (before, found)), default=0) or None
    optimal = line.optimal or (line.status == "solved" and line.cost == lower)
    return replace(line, lower_bound=lower, optimal=optimal, seconds=seconds)
