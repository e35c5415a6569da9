"""Methods that can be set: how they are named, and what is refused."""

import pickle
from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta, Struct

from winnable.contract.core import WinnableError
from winnable.contract.methods import Chosen, Settable, choose, parse_method, parse_methods, settings_of


class Settings(Struct, frozen=True):
    k: Annotated[float, Meta(ge=0, le=100)] = 2.0
    depth: Annotated[int, Meta(ge=1, le=9)] = 4
    keep: Literal["improving", "always"] = "improving"


def told(number: int, settings: Settings) -> tuple[int, Settings]:
    return number, settings


METHODS: dict[str, Any] = {"a": Settable(told, Settings()), "plain": abs}


def chosen(text: str) -> Chosen[Any]:
    return choose("solver", METHODS, parse_method(text), "drops")


def test_a_settable_has_its_defaults_until_it_is_set() -> None:
    assert METHODS["a"](1) == (1, Settings())
    assert chosen("a(k=0.5, depth=3)").method(1) == (1, Settings(0.5, 3))


def test_what_can_be_set_is_described_once() -> None:
    k, depth, keep = settings_of(METHODS["a"])
    assert (k.default, k.minimum, k.maximum, k.whole) == (2.0, 0, 100, False)
    assert (depth.default, depth.whole) == (4, True)
    assert keep.choices == ["improving", "always"]
    assert settings_of(METHODS["plain"]) == []


@pytest.mark.parametrize("text", ["a", "a(k=1)", "a(k=0.1234567)", "a(k=1e-09,depth=9,keep=always)", "plain"])
def test_a_label_names_the_same_again(text: str) -> None:
    assert chosen(text).label == text
    assert chosen(chosen(text).label).settings == chosen(text).settings


def test_wide_characters_are_plain_ones() -> None:
    assert parse_methods("ａ（k＝１，depth＝３），plain") == parse_methods("a(k=1,depth=3),plain")


def test_several_are_told_apart_by_their_settings() -> None:
    found = parse_methods("a(k=1), a(k=2),plain,a(k=1)")
    assert [(name, dict(values)) for name, values in found] == [
        ("a", {"k": "1"}), ("a", {"k": "2"}), ("plain", {}),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("b", "solver: drops has no 'b'; there are: a, plain"),
        ("a(q=1)", "q: a has no such parameter; there are: k, depth, keep"),
        ("a(k=101)", "k: from 0 to 100, not 101"),
        ("a(k=nan)", "k: from 0 to 100, not nan"),
        ("a(depth=2.5)", "depth: 2.5 is not a whole number"),
        ("a(depth=)", "depth: '' is not a whole number"),
        ("a(keep=)", "keep: '' is none of improving, always"),
        ("a(keep=never)", "keep: never is none of improving, always"),
        ("a(k)", "params: k is not of the form key=value"),
        ("a(k=1,k=2)", "k: given twice"),
        ("a(k=1", "by: "),
        ("a)", "by: "),
        ("(k=1)", "by: "),
        ("a,plain", "a,plain: name one method"),
        pytest.param(" " * 10_000 + "(", "by: ", id="blanks"),
        ("plain(k=1)", "k: plain cannot be set to anything"),
    ],
)
def test_what_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(WinnableError) as caught:
        chosen(text)
    assert str(caught.value).startswith(complaint)


def test_an_error_is_said_in_both_languages_and_outlives_a_process() -> None:
    with pytest.raises(WinnableError) as caught:
        chosen("a(k=101)")
    error = pickle.loads(pickle.dumps(caught.value))
    assert (error.code, error.values["field"]) == ("params.range", "k")
    assert error.said("zh-CN") == "k: 应在 0 到 100 之间，而不是 101"
