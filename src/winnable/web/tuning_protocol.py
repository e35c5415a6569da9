"""The messages about tuning runs: part of protocol.py and events.py."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct, field

from winnable.contract.params import Param
from winnable.tuning.optimizers import MAX_EVALUATIONS
from winnable.tuning.runs import Generation, Run
from winnable.web.messages import Name, ToPage, ToServer

RunId = Annotated[str, Meta(pattern="^[0-9a-f]{12}$")]
Workers = Annotated[int, Meta(ge=1, le=64)]


class Runs(ToServer, frozen=True, tag="runs"):
    """Asks for the kept tuning runs; from then on the connection hears of every change: `runs`, `tuning`."""


class Tune(ToServer, frozen=True, tag="tune"):
    """Begins a tuning run, which goes on when the page is closed; answered by `run`."""

    game: Name
    tunable: Name
    optimizer: Name
    evaluations: Annotated[int, Meta(ge=1, le=MAX_EVALUATIONS)] | None = None
    """None: what the settings say."""
    settings: dict[Name, int | float | str] = field(default_factory=dict[str, int | float | str])
    """Of the optimiser."""
    held: Annotated[dict[Name, float], Meta(max_length=1000)] = field(default_factory=dict[str, float])
    """Weights that are not tuned, and the values at which they stay."""
    seed: Annotated[int, Meta(ge=0, le=2**53 - 1)] = 0
    workers: Workers = 1


class TuneResume(ToServer, frozen=True, tag="tune_resume"):
    """Goes on with a run that was stopped or interrupted; answered by `run`."""

    run: RunId
    workers: Workers = 1


class TuneStop(ToServer, frozen=True, tag="tune_stop"):
    """Its last generation is kept; answered by `runs`."""

    run: RunId


class RunOpen(ToServer, frozen=True, tag="run_open"):
    """Answered by `run`."""

    run: RunId


class RunExport(ToServer, frozen=True, tag="run_export"):
    """Answered by `file`; one run as JSONL or its weights, or up to two curves in one SVG."""

    runs: Annotated[list[RunId], Meta(min_length=1, max_length=2)]
    format: Literal["jsonl", "svg", "weights"]


class RunDelete(ToServer, frozen=True, tag="run_delete"):
    """Stops it if need be; answered by `runs`."""

    run: RunId


class TunableOpen(ToServer, frozen=True, tag="tunable_open"):
    """Asks for the weights that can be tuned; answered by `tunable`."""

    game: Name
    tunable: Name


class OptimizerInfo(Struct, frozen=True):
    name: str
    params: list[Param]
    """What it can be set to."""


TuneRequest: TypeAlias = Runs | Tune | TuneResume | TuneStop | RunOpen | RunExport | RunDelete | TunableOpen


class RunsEvent(ToPage, frozen=True, tag="runs"):
    """All kept runs, newest first."""

    runs: list[Run]


class RunEvent(ToPage, frozen=True, tag="run"):
    """One run with its course, thinned to a few hundred generations."""

    run: Run
    course: list[Generation]


class TuningEvent(ToPage, frozen=True, tag="tuning"):
    """Of the run under way: what is new, at most about ten times a second."""

    run: str
    stage: Literal["starting", "tuning", "comparing"]
    evaluations: int
    """Judged so far, also in the generation that is not over."""
    course: list[Generation]


class TunableEvent(ToPage, frozen=True, tag="tunable"):
    """The weights of a tunable by name, with those in use."""

    game: str
    tunable: str
    weights: dict[str, float]


TuneEvent: TypeAlias = RunsEvent | RunEvent | TuningEvent | TunableEvent
