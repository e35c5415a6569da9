"""Signals wait where the main thread may not be interrupted, and come after it."""

import asyncio
import os
import signal
import threading
from collections.abc import Generator

import pytest

from winnable.contract import ending

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")


@pytest.fixture(autouse=True)
def handlers() -> Generator[None]:
    before = {number: signal.getsignal(number) for number in ending.SIGNALS}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def ctrl_c() -> None:
    signal.raise_signal(signal.SIGINT)


def test_a_signal_waits_for_the_last_one_that_holds_it() -> None:
    ending.hold()
    ending.hold()
    ctrl_c()
    ctrl_c()
    ending.release()
    with pytest.raises(KeyboardInterrupt):
        ending.release()
    ending.hold()
    ending.release()  # it came once
    with pytest.raises(KeyboardInterrupt):
        ctrl_c()


def test_one_that_only_waits_is_interrupted_at_once_and_holds_again() -> None:
    ending.hold()
    with pytest.raises(KeyboardInterrupt), ending.heard():
        ctrl_c()
    ctrl_c()
    with pytest.raises(KeyboardInterrupt), ending.heard():
        pytest.fail("what came before is heard first")
    ending.release()


def test_other_threads_hold_nothing_and_let_nothing_go() -> None:
    def both() -> None:
        ending.release()
        with ending.heard():
            ending.hold()

    ending.hold()
    thread = threading.Thread(target=both)
    thread.start()
    thread.join()
    ctrl_c()
    with pytest.raises(KeyboardInterrupt):
        ending.release()
    ending.release()
    with pytest.raises(KeyboardInterrupt):
        ctrl_c()


def test_an_event_loop_hears_a_signal_once() -> None:
    heard: list[bool] = []

    async def play() -> None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, heard.append, True)
        ending.hold()
        signal.raise_signal(signal.SIGTERM)
        await asyncio.sleep(0.05)
        ending.release()
        await asyncio.sleep(0.05)

    asyncio.run(play())
    assert heard == [True]


def test_who_ignores_signals_goes_on_to() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    ending.hold()
    signal.raise_signal(signal.SIGTERM)
    ending.release()
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN


def test_the_end_begins_though_the_signal_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[bool] = []
    monkeypatch.setattr(ending, "begin", lambda: begun.append(True))
    signal.signal(signal.SIGTERM, ending.interrupt)
    ending.hold()
    signal.raise_signal(signal.SIGTERM)
    assert begun == [True]
    with pytest.raises(KeyboardInterrupt):
        ending.release()
