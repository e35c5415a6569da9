"""Shared by all tests: hypothesis profiles, a data folder and settings that are never the user's own, and the
command line in this process."""

import gc
import itertools
import os
import signal
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, settings

from tests.cli.cli_support import Run
from winnable import words
from winnable.contract import clock, guests
from winnable.search import meter, slices

pytest.register_assert_rewrite("winnable.testing")
settings.register_profile(
    "winnable", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("winnable")
NUMBERS = itertools.count()
"""Of the data folders of this process."""
# Programs that a shell starts behind others ignore Ctrl-C, as do those that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)
# Programs buffer what they print, whatever those want who start the tests.
os.environ.pop("PYTHONUNBUFFERED", None)
DAY = date(2026, 11, 25)
"""Today, for every test in this process; one that is about another day sets `clock.today`."""


def pytest_collection_finish() -> None:
    """The thousands of tests stay to the end: no search for garbage looks through them again."""
    gc.freeze()


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not made before it is needed: pytest would look through thousands for the next free name."""
    monkeypatch.setenv("WINNABLE_CONFIG", os.devnull)
    monkeypatch.setenv("WINNABLE_DATA", str(tmp_path_factory.getbasetemp() / f"data-{next(NUMBERS)}"))


@pytest.fixture(autouse=True)
def given_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "today", lambda: DAY)


@pytest.fixture(autouse=True)
def no_guests(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test registers is forgotten after it."""
    for table in ("_solvers", "_players"):
        monkeypatch.setattr(guests, table, {})


@pytest.fixture
def no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches tell as often as they can, and slices get no longer than the first one."""
    monkeypatch.setattr(meter, "POLL_SECONDS", 0.0)
    monkeypatch.setattr(slices, "SLICE_SECONDS", 0.0)


@pytest.fixture
def processor_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Budgets go by the time of the processor: a search gets all of it, whoever else is at work."""
    monkeypatch.setattr(time, "monotonic", time.process_time)
    monkeypatch.setattr(clock, "_stood_still", 0.0)


@pytest.fixture
def english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever the locale of those who test; a test may set LC_ALL to another before it runs a command."""
    monkeypatch.setenv("LC_ALL", "C")
    yield
    words.use("en")


@pytest.fixture
def run(english: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """`run("solve", "level.json", code=0)`, in an empty folder; failures never show a traceback."""
    monkeypatch.chdir(tmp_path)

    def run(*args: str, code: int | None = 0, stdin: str | bytes | None = None) -> Result:
        from winnable.cli.app import app

        result = CliRunner().invoke(app, list(args), input=stdin)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
        assert "Traceback" not in result.output
        if code is not None:
            assert result.exit_code == code, result.output
        return result

    return run
