"""`winnable tasks`: the same tasks as in Python, one a line."""

import json
from pathlib import Path

from tests.cli.cli_support import Run, document, one_error
from winnable import tasks


def test_tasks_are_written(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    options = ("tasks", "drops", "--count", "3", "--seed", "4", "--difficulty", "easy")
    assert run(*options, "-o", str(path)).exit_code == 0
    found = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    made = tasks.dataset("drops", 3, 4, difficulty="easy")
    assert [(one["text"], one["id"], one["answer"]) for one in found] == [
        (task.text, task.id, task.answer) for task in made
    ]
    assert document(run(*options, "--json")) == found


def test_only_unsolvable_ones_in_chinese(run: Run) -> None:
    task = json.loads(
        run("tasks", "drops", "--unsolvable", "--difficulty", "easy", "--language", "zh-CN").stdout
    )
    assert (task["verdict"], task["answer"]) == ("unsolvable", "unsolvable")
    assert "无解" in task["text"]


def test_what_cannot_be_asked_for_is_one_error(run: Run) -> None:
    one_error(run("tasks", "2048", code=2), "tasks: 2048 has none")
    one_error(run("tasks", "drops", "--difficulty", "impossible", code=2), "difficulty: ")
