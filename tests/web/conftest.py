"""The registry with the toy game in it, and one studio for all tests of a file: with threads, and once more
with none, where the event loop does all work between its own."""

from collections.abc import Generator

import pytest

from tests.web import toy_game
from tests.web.studio_harness import Page, Studio, running_studio
from winnable.contract.registry import GAMES, Entry


@pytest.fixture(scope="module", params=["threads", "loop"])
def studio(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Generator[Studio]:
    entry, threads = Entry("toy", "tests.web.toy_game:GAME"), request.param == "threads"
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAMES, "toy", entry)
        with running_studio(tmp_path_factory.mktemp("studio"), threads=threads) as running:
            yield running


@pytest.fixture
def page(studio: Studio) -> Generator[Page]:
    with studio.page() as connected:
        yield connected


@pytest.fixture
def closed() -> Generator[None]:
    """The solver `auto` and the method `slow` of the toy game wait until the test sets `toy_game.OPEN`."""
    toy_game.OPEN.clear()
    yield
    toy_game.OPEN.set()
