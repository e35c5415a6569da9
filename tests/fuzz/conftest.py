"""What fuzzing changes in its process."""

import logging
from collections.abc import Generator

import pytest

NAMES = "winnable", "winnable.studio", "uvicorn.error", "asyncio"


@pytest.fixture(scope="package", autouse=True)
def loggers() -> Generator[None]:
    """Those that it silences are heard again by the tests after it."""
    changed = [logging.getLogger(name) for name in NAMES]
    before = [(logger.level, logger.propagate, logger.handlers[:]) for logger in changed]
    yield
    for logger, (level, propagate, handlers) in zip(changed, before, strict=True):
        logger.setLevel(level)
        logger.propagate, logger.handlers = propagate, handlers
