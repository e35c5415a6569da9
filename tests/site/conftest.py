"""One site for all tests of this folder."""

from pathlib import Path

import pytest

from tests import sites


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sites.written(tmp_path_factory)
