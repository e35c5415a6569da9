# The packages are no part of what the checker sees.
# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false
"""The datasets of reasoning-gym and the environment of verifiers, by these packages where they are there: the
tests' own requirements leave them out, as with all that they need they take 140 MB, in part to be compiled,
and 690 MB."""

from __future__ import annotations

import asyncio
import json
import pickle
import sys
from typing import Any

import pytest

import winnable
from winnable import tasks

NAMES = ("triple", "drops", "rotate")


@pytest.mark.parametrize("package", ["reasoning_gym", "verifiers"])
def test_a_missing_package_is_one_error(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"winnable.tasks.{package}", raising=False)
    extra = package.replace("_", "-")
    with pytest.raises(winnable.WinnableError, match=rf"pip install 'winnable\[{extra}\]'"):
        __import__(f"winnable.tasks.{package}")


@pytest.fixture
def gym() -> Any:
    gym = pytest.importorskip("reasoning_gym")
    import winnable.tasks.reasoning_gym  # registers

    assert winnable.tasks.reasoning_gym.TasksDataset
    return gym


@pytest.mark.parametrize("game", NAMES)
def test_reasoning_gym_has_datasets(gym: Any, game: str) -> None:
    dataset = gym.create_dataset(f"winnable_{game}", size=4, seed=3, difficulty="easy")
    assert len(dataset) == 4
    assert [*dataset] == [*dataset] == [dataset[i] for i in range(4)]
    for entry, task in zip(dataset, tasks.dataset(game, 4, 3, difficulty="easy"), strict=True):
        assert (entry["question"], entry["answer"]) == (task.text, task.answer)
        kept = json.loads(json.dumps(entry))
        assert dataset.score_answer(kept["answer"], kept) == 1
        other = "unsolvable" if task.line else "1"
        for wrong in (None, "", "nonsense", other):
            assert dataset.score_answer(wrong, kept) == 0
        if task.line:
            part = "; ".join(task.line[:-1])
            assert dataset.score_answer(part, kept) == task.score(part).value > 0
    assert [*pickle.loads(pickle.dumps(dataset))] == [*dataset]
    assert dataset.above_chance([entry["answer"] for entry in dataset]) == 1
    assert dataset.above_chance(["unsolvable"] * 4) == 0


def test_reasoning_gym_draws_a_seed_and_has_a_curriculum(gym: Any) -> None:
    assert gym.create_dataset("winnable_drops", size=1).seed >= 0
    curriculum = gym.factory.create_curriculum("winnable_drops")
    assert curriculum.generate_configuration({"seed": 1}).difficulty == "easy"
    curriculum.increment_attr_level("difficulty")
    assert curriculum.generate_configuration({"seed": 1}).difficulty == "medium"


def test_reasoning_gym_mixes_them_with_its_own(gym: Any) -> None:
    specs = [
        gym.composite.DatasetSpec(name=name, weight=1, config=config)
        for name, config in (("winnable_drops", {"difficulty": "easy"}), ("leg_counting", {}))
    ]
    mixed = gym.create_dataset("composite", seed=1, size=10, datasets=specs)
    entries = [*mixed]
    assert any(entry["metadata"]["source_dataset"] == "winnable_drops" for entry in entries)
    assert all(mixed.score_answer(entry["answer"], entry) == 1 for entry in entries)


@pytest.mark.parametrize("game", NAMES)
def test_verifiers_has_an_environment(game: str) -> None:
    vf = pytest.importorskip("verifiers.v1")
    from winnable.tasks.verifiers import load_environment

    environment = load_environment(game, 4, 3, difficulty="easy")
    assert isinstance(environment, vf.Env)
    found = [*environment.taskset]
    for one, task in zip(found, tasks.dataset(game, 4, 3, difficulty="easy"), strict=True):
        assert (one.data.prompt, one.data.answer, one.data.id) == (task.text, task.answer, task.id)
        for reply, value in ((task.answer, 1), (f"Well. <answer>{task.answer}</answer>", 1), ("no idea", 0)):
            trace = vf.Trace(
                task=vf.TraceTask(type=type(one).__name__, data=one.data, key=one.key, hash=one.hash),
                agent=vf.AgentInfo(config=vf.AgentConfig()),
                root_reply=reply,
            )
            asyncio.run(one.score(trace))
            assert trace.reward == value
            assert trace.metrics["blind"] == float(not task.line)
            assert trace.metrics["won"] == float(bool(task.line) and value == 1)


def test_verifiers_finds_the_taskset_by_its_name() -> None:
    vf = pytest.importorskip("verifiers.v1")
    config = {"taskset": {"id": "winnable-tasks", "game": "rotate", "size": 2, "difficulty": "easy"}}
    environment = vf.load_environment(vf.SingleAgentEnvConfig.model_validate(config))
    assert len([*environment.taskset]) == 2
