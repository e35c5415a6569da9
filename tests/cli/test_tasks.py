"""`winnable tasks`: the same tasks as in Python, one a line."""

import json
from collections.abc import Mapping
from pathlib import Path

from tests.cli.cli_support import Run, document, one_error
from winnable import tasks
from winnable.tasks.task import opened


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


def with_replies(path: Path, changed: Mapping[str, object], *replies: object) -> str:
    """A file of easy tasks of drops that can be won, with replies; the last task is changed."""
    made = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    made[-1] |= changed
    given = [{**task, "reply": reply} for task, reply in zip(made, replies, strict=True)]
    path.write_text("\n".join(map(json.dumps, given)), "utf-8")
    return str(path)


def test_replies_are_scored(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    run("tasks", "drops", "--count", "3", "--difficulty", "easy", "--solvable", "-o", str(path))
    made = tasks.dataset("drops", 3, difficulty="easy", solvable=True)
    replies = [made[0].answer or "", "unsolvable", "(9,9)"]
    scored = document(run("score", with_replies(path, {}, *replies), "--json"))
    told = [task.score(reply) for task, reply in zip(made, replies, strict=True)]
    assert [(one["id"], one["value"], one["fault"]) for one in scored] == [
        (task.id, score.value, score.fault) for task, score in zip(made, told, strict=True)
    ]
    assert [one["value"] for one in scored] == [1, 0, 0]
    lines = run("score", str(path)).stdout.splitlines()
    assert lines[-2:] == [
        "mean of 3: 0.333",
        "above chance: 0.333 (always “unsolvable” is worth 0.000 here)",
    ]
    assert [line[:5] for line in lines[:-2]] == ["1.000", "0.000", "0.000"]


def test_a_task_is_believed_as_far_as_the_rules_do(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    run("tasks", "drops", "--difficulty", "easy", "--solvable", "-o", str(path))
    task = path.read_text("utf-8")
    line = json.loads(task)["line"]
    for changed, complaint in (
        ({"line": line[:-1]}, "tasks.jsonl:1: line: "),
        ({"line": ["(9,9)"]}, "tasks.jsonl:1: "),
        ({"par": len(line) - 1}, "tasks.jsonl:1: par: "),
        ({"par": None, "least": len(line) + 1}, "tasks.jsonl:1: least: "),
        ({"game": "rotate"}, "tasks.jsonl:1: game: "),
        ({"id": "drops:0/0"}, "tasks.jsonl:1: "),
        ({"verdict": "perhaps"}, "tasks.jsonl:1: verdict: "),
        ({"verdict": "unsolvable"}, "verdict: a line wins that is said to be unsolvable"),
    ):
        path.write_text(task, "utf-8")
        one_error(run("score", with_replies(path, changed, "; ".join(line)), code=2), complaint)
    path.write_text(task, "utf-8")
    one_error(run("score", str(path), code=2), "tasks.jsonl:1: ")
    path.write_text("\n", "utf-8")
    one_error(run("score", str(path), code=2), "replies: ")


def test_one_task_that_lies_loses_no_score(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    run("tasks", "drops", "--count", "4", "--difficulty", "easy", "--solvable", "-o", str(path))
    right = [task.answer for task in tasks.dataset("drops", 4, difficulty="easy", solvable=True)]
    with_replies(path, {}, *right)
    lines = path.read_text("utf-8").splitlines()
    lines[1] = json.dumps(json.loads(lines[1]) | {"verdict": "unsolvable"})
    lines[2] = json.dumps(json.loads(lines[2]) | {"line": []})
    path.write_text("\n".join([*lines[:2], "no task", *lines[2:]]), "utf-8")
    told = run("score", str(path), code=2)
    assert [line[:7] for line in told.stdout.splitlines()] == [
        "1.000  ",
        "1.000  ",
        "mean of",
        "above c",
        "not sco",
    ]
    assert "not scored: 3" in told.stdout
    complaints = told.stderr.splitlines()
    assert [f"tasks.jsonl:{number}: " in line for number, line in zip((2, 3, 4), complaints, strict=True)]
    assert "a line wins that is said to be unsolvable" in complaints[0]
    kept = run("score", str(path), "--json", code=2)
    assert [one["value"] for one in document(kept)] == [1, 1]
    assert len(kept.stderr.splitlines()) == 3


def test_replies_are_what_the_api_takes(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    run("tasks", "drops", "--count", "6", "--difficulty", "easy", "--solvable", "-o", str(path))
    made = tasks.dataset("drops", 6, difficulty="easy", solvable=True)
    numbers = [[opened(task.id)[1].parse_action(move) for move in task.line] for task in made]
    replies = [numbers[0], [*made[1].line], [1.0], None, 5, [[True]]]
    scored = document(run("score", with_replies(path, {}, *replies), "--json"))
    assert [one["value"] for one in scored] == [1, 1, 0, 0, 0, 0]
    assert [one["blind"] for one in scored] == [0] * 6


def test_a_reply_does_not_control_the_terminal(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    run("tasks", "drops", "--difficulty", "easy", "--solvable", "-o", str(path))
    told = run("score", with_replies(path, {}, "\x1b0owned\x07\u202egnorw")).stdout
    assert "\\x1b0owned\\x07\\u202e" in told
    assert all(char.isprintable() or char == "\n" for char in told)


def test_only_unsolvable_ones_in_chinese(run: Run) -> None:
    task = json.loads(
        run("tasks", "drops", "--unsolvable", "--difficulty", "easy", "--language", "zh-CN").stdout
    )
    assert (task["verdict"], task["answer"]) == ("unsolvable", "unsolvable")
    assert "无解" in task["text"]


def test_what_cannot_be_asked_for_is_one_error(run: Run) -> None:
    one_error(run("tasks", "2048", code=2), "tasks: 2048 has none")
    one_error(run("tasks", "drops", "--difficulty", "impossible", code=2), "difficulty: ")
