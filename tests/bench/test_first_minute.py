"""How the states of a lamp are read; what a browser shows is measured by the benchmark itself."""

from typing import Any

from bench.studio.first_minute import Figures, Seen, figures

FLAGS = ("tells", "compiles", "says_searching", "searches")


def seen(at: float, **shown: Any) -> Seen:
    flags: dict[str, Any] = dict.fromkeys(FLAGS, False)
    return Seen(at, "", "", **flags | shown)


def test_a_cold_start_tells_something_before_it_has_compiled() -> None:
    found = figures(
        [
            seen(0.0, searches=True, says_searching=True),
            seen(0.7, compiles=True, searches=True),
            seen(1.2, tells=True, compiles=True, searches=True),
            seen(6.0, tells=True, searches=True),
            seen(7.5, tells=True),
        ]
    )
    assert found == Figures(first=1.2, whole=7.5, compiled=True, searching_for_compiling=0)


def test_a_search_that_rests_while_its_solver_is_compiled_is_not_the_end() -> None:
    states = [seen(0.5, tells=True), seen(0.9, tells=True, compiles=True), seen(4.0, tells=True)]
    assert figures(states).whole == 4.0
    assert figures([*states, seen(4.5, tells=True)]).whole == 4.0
    assert figures([*states, seen(4.5, tells=True, searches=True)]).whole is None


def test_searching_is_not_to_be_said_for_compiling() -> None:
    wrong = seen(0.5, compiles=True, says_searching=True, searches=True)
    assert figures([wrong, seen(1.0, searches=True, says_searching=True)]).searching_for_compiling == 1


def test_a_lamp_that_never_speaks() -> None:
    assert figures([]) == Figures(None, None, compiled=False, searching_for_compiling=0)
    assert figures([seen(0.1), seen(0.2, searches=True)]) == Figures(None, None, False, 0)
