"""A site for tests, written once in a run of them: to compile kernels takes the better part of a minute."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from winnable.contract.core import WinnableError
from winnable.site import downloads, writing

GAMES = ("drops", "tetris")
"""That have their kernels: one that is won, one of chance, and the two that compile soonest."""
MOST_SECONDS = 600.0


def written(temporary: pytest.TempPathFactory) -> Path:
    """The folder, which nobody changes; the first process of a run that asks writes it. Skips the test where
    Python for browsers cannot be fetched."""
    base = temporary.getbasetemp()
    root = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, claimed, end = root / "site", root / "site-claimed", time.monotonic() + MOST_SECONDS
    try:
        downloads.python()
    except WinnableError as error:
        pytest.skip(str(error))
    try:
        claimed.mkdir()
    except FileExistsError:
        while not folder.is_dir():
            assert claimed.is_dir() and time.monotonic() < end, "the site was not written"  # noqa: PT018
            time.sleep(0.2)
        return folder
    try:
        writing.write(folder, GAMES)
    except BaseException:
        claimed.rmdir()
        raise
    return folder
