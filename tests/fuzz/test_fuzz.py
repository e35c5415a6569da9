"""Half a minute of `winnable bench fuzz` with fixed seeds, and every input that ever failed."""

import asyncio
import re
from contextlib import nullcontext
from pathlib import Path
from random import Random

import msgspec
import pytest

from bench.faults import fuzz, fuzz_all, fuzz_http
from bench.faults.fuzz_all import all_targets
from bench.faults.fuzz_examine import Overdue
from bench.faults.fuzz_targets import Simple, Told
from bench.report import CheckFailed

CORPUS = Path(__file__).parent / "corpus"
INPUTS = {
    "archives": 40, "levels": 2000, "boards": 3000, "identities": 50, "sessions": 1000, "fumens": 4000,
    "foreign": 4000, "replays": 2000, "networks": 800, "studio": 300, "arcade": 1000, "addresses": 2000,
    "http": 200,
}  # fmt: skip


def tracebacks(failure: fuzz.Failure | None) -> list[str]:
    return [] if failure is None or failure.kind != "traceback" else [failure.said]


def test_each_target_is_fuzzed_here() -> None:
    assert INPUTS.keys() == all_targets().keys()
    assert sum(target.share for target in all_targets().values()) == pytest.approx(1)


@pytest.mark.parametrize("name", all_targets())
def test_valid_inputs_are_accepted(name: str) -> None:
    """Else mutations of them would only be refused."""
    target = all_targets()[name]
    told = [target.read(content) for content in target.parents()[:12]]
    assert sum(one.accepted for one in told) >= sum(one.inputs for one in told) / 4


@pytest.mark.parametrize("name", all_targets())
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_nothing_but_clean_refusals(name: str) -> None:
    found = fuzz.read_some(all_targets()[name], Random(f"tests:{name}"), (), float("inf"), INPUTS[name])
    assert found.inputs >= INPUTS[name]
    assert [failure.said for failure in found.failures if failure.kind == "traceback"] == []


@pytest.mark.parametrize(
    "path", sorted(CORPUS.rglob("*/*")), ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_what_failed_once(path: Path) -> None:
    failure, _ = fuzz.attempt(all_targets()[path.parent.name], path.read_bytes())
    assert tracebacks(failure) == []


def test_a_traceback_is_found_and_told() -> None:
    def use(content: bytes, rng: Random) -> None:
        raise KeyError(content)

    failure, told = fuzz.attempt(Simple(1, list, lambda rng, parents: b"", use), b"x")
    assert failure is not None
    assert "KeyError" in failure.said
    assert told == Told("traceback")


def test_an_answer_that_does_not_come_is_overdue(monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(fuzz_http, "ANSWER_SECONDS", 0.01)
    target = all_targets()["addresses"]
    monkeypatch.setattr(target, "_app", never)
    failure, told = fuzz.attempt(target, b"GET /")
    assert failure is not None
    assert failure.kind == "overdue"
    assert re.fullmatch(r"no answer in 0 s, \d+\.\d\d s of a processor", failure.said)
    assert told == Told("overdue")


def test_a_time_out_of_ours_is_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    async def gives_up(*_: object) -> None:
        raise TimeoutError

    target = all_targets()["addresses"]
    monkeypatch.setattr(target, "_app", gives_up)
    failure, _ = fuzz.attempt(target, b"GET /")
    assert failure is not None
    assert failure.kind == "traceback"


@pytest.mark.parametrize("fails", [True, False])
def test_what_failed_before_is_tried_again(
    fails: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stays in the figures."""

    def use(content: bytes, rng: Random) -> None:
        if fails:
            raise Overdue

    monkeypatch.setenv("WINNABLE_DATA", str(tmp_path))
    monkeypatch.setattr(
        fuzz_all, "all_targets", lambda: {"levels": Simple(1, list, lambda rng, parents: b"", use)}
    )
    kept = fuzz.Kept({"levels": fuzz.Tally(inputs=9, failed={"overdue": 1})})
    failed = tmp_path / "fuzz" / "overdue" / "levels" / "0123456789abcdef"
    failed.parent.mkdir(parents=True)
    failed.write_bytes(b"x")
    failed.with_suffix(".txt").write_text("no answer in 100 s")
    (tmp_path / "fuzz" / "0.json").write_bytes(msgspec.json.encode(kept))
    found: dict[str, float] = {}
    with pytest.raises(CheckFailed) if fails else nullcontext():
        found.update((row.name, row.value) for row in fuzz.rows(seconds=0, workers=1))
    if not fails:
        assert found["no answer in 100 s"] == 1
        assert found["of all inputs that ever failed, failing now"] == 0


@pytest.mark.parametrize("name", all_targets())
def test_a_seed_makes_the_same_inputs_again(name: str) -> None:
    """What was put into one once changed those that came after it."""
    target = all_targets()[name]
    parents = target.parents()
    once, again = ([target.make(rng, parents) for _ in range(300)] for rng in (Random(1), Random(1)))
    assert once == again


def test_a_slow_input_is_found_when_it_is_slow_again(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 9.0, 9.0, 9.5, 0.0, 9.0, 9.0, 18.0])
    monkeypatch.setattr(fuzz.time, "process_time", lambda: next(clock))
    target = Simple(1, list, lambda rng, parents: b"", lambda content, rng: None)
    assert fuzz.attempt(target, b"compiled the first time")[0] is None
    failure, _ = fuzz.attempt(target, b"slow")
    assert failure is not None
    assert failure.kind == "slow"
