"""Shared by all tests: hypothesis profiles, and a data folder that is never the user's own."""

import gc
import time

import pytest
from hypothesis import HealthCheck, settings

from winnable.contract import clock

pytest.register_assert_rewrite("winnable.testing")
settings.register_profile(
    "winnable", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("winnable")


def pytest_collection_finish() -> None:
    """The thousands of tests stay to the end: no search for garbage looks through them again."""
    gc.freeze()


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WINNABLE_DATA", str(tmp_path_factory.mktemp("data")))


@pytest.fixture
def processor_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Budgets go by the time of the processor: a search gets all of it, whoever else is at work."""
    monkeypatch.setattr(time, "monotonic", time.process_time)
    monkeypatch.setattr(clock, "_stood_still", 0.0)
