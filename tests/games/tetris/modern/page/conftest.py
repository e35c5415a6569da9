"""One studio for all tests of a file, and a page of the arcade."""

from collections.abc import Generator
from contextlib import contextmanager

import pytest

from bench.studio.process import talk
from tests.web.studio_harness import Page, Studio, running_studio


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Generator[Studio]:
    with running_studio(tmp_path_factory.mktemp("studio")) as running:
        yield running


@contextmanager
def visit(studio: Studio) -> Generator[Page]:
    with talk(f"127.0.0.1:{studio.port}", "/ws/arcade") as socket:
        page = Page(socket)
        hello = page.next()
        assert hello["type"] == "hello"
        assert len(hello["shapes"]["T"]) == 4
        yield page


@pytest.fixture
def visitor(studio: Studio) -> Generator[Page]:
    with visit(studio) as page:
        yield page
