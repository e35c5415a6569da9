"""Answers as models write them: what is right counts however it is written, what is wrong never does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from winnable import tasks
from winnable.tasks.scoring import above_chance
from winnable.tasks.task import opened

NAMES = ("triple", "drops", "rotate")


def task_of(game: str, solvable: bool) -> tasks.Task:
    return tasks.make(game, 2 if solvable else 1, difficulty="easy", solvable=solvable)


AROUND = [
    "<answer>{}</answer> (written between <answer> tags)",
    "<answer>{}</answer> (as asked, between <answer> and </answer>)",
    "I write between <answer> and </answer>.\n<answer>\n{}\n</answer>",
    "<ANSWER>{}</ANSWER>",
    "<answer>{}",
    "<answer>The answer is {}</answer>",
    "<answer>```\n{}\n```</answer>",
    "<answer>\\boxed{{{}}}</answer>",
    "\\boxed{{{}}}",
    "So it is $\\boxed{{\\text{{{}}}}}$, in \\boxed{{}} as always.",
    "<think>Perhaps <answer>(1,1)</answer>? Or unsolvable.</think>\n{}",
    "Perhaps (1,1), perhaps unsolvable.</think>\n\n{}",
    "<thinking>unsolvable</thinking><answer>{}</answer>",
    "Let me see. I look at 12 of them.\n\n{}",
    "Let me see: 1, 2, 3.\n```\n{}\n```",
    "答案是：{}",
    "最终答案：{}",
    "**最终答案：** {}",
    "想了想 1、2。\n因此，答案是：\n{}",
    "答案为 {}。",
    "Well.\n\n### Final Answer\n\n{}",
    "Well.\n\n**Answer**\n{}\n\nThat is all there is to say.",
    "Well. The final answer is: {}",
    "So the answer is {}.",
    "Well.\n**Final answer:** {}",
    "Final Answer: \\(\\boxed{{{}}}\\)",
    '{{"answer": "{}"}}',
    '["{}"]',
    "> {}",
    "“{}”",
    "**{}**",
    "\ufeff{}",
    "<|im_start|>assistant\n{}<|im_end|>",
    "<|start_header_id|>assistant<|end_header_id|>\n\n{}<|eot_id|>",
    "{}<|endoftext|>",
    "<s>{}</s>",
    "<final_answer>{}</final_answer>",
    "<solution>\n{}\n</solution>",
    "final_answer: {}",
    "ANSWER = {}",
    "Output: {}",
    "✅ {} 🎉",
    "<答案>{}</答案>",
    '<answer format="moves">{}</answer>',
    "结论：{}",
    "Conclusion: {}",
    "『{}』",
    "【{}】",
    'Here it is:\n```json\n{{"answer": "{}"}}\n```\nThat is all.',
    "{}<｜end▁of▁sentence｜>",
    "◁think▷ (1,1) or unsolvable? ◁/think▷{}",
    "<seed:think>unsolvable</seed:think>{}",
    "<reflection>unsolvable</reflection>\n{}",
    "<|channel|>analysis<|message|>unsolvable?<|end|>"
    "<|start|>assistant<|channel|>final<|message|>{}<|return|>",
]


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("game", NAMES)
def test_what_stands_around_a_right_answer_is_no_matter(game: str, around: str) -> None:
    won, lost = task_of(game, True), task_of(game, False)
    for line in ("; ".join(won.line), " -> ".join(won.line)):
        assert won.score(around.format(line)).value == 1, around.format(line)
    for claim in ("unsolvable", "无解"):
        right, wrong = lost.score(around.format(claim)), won.score(around.format(claim))
        assert (right.value, right.claimed) == (1, True)
        assert (wrong.value, wrong.claimed) == (0, True)


CLAIMS: list[Any] = [
    "- unsolvable",
    "* unsolvable",
    "1. unsolvable",
    '["unsolvable"]',
    "['unsolvable']",
    "unsolvable;",
    "(unsolvable)",
    "_Unsolvable_.",
    "unsolvable\nunsolvable",
    "Therefore the puzzle is unsolvable.",
    "I tried all that there is.\nThis level is unsolvable.",
    "The answer is unsolvable.",
    "Answer: unsolvable\n\nOnly (1,1) could be tried, and it leaves 3.",
    "$\\text{unsolvable}$",
    "答案是无解。",
    "此题无解。",
    "所以这一关无解",
    "無解",
    "这个谜题无解。",
    "本题目无解！",
    "ｕｎｓｏｌｖａｂｌｅ",
    ["unsolvable"],
    ("无解",),
    np.array(["unsolvable"]),
]


@pytest.mark.parametrize("claim", CLAIMS, ids=repr)
@pytest.mark.parametrize("game", NAMES)
def test_a_claim_is_one_however_it_is_written(game: str, claim: Any) -> None:
    right, wrong = task_of(game, False).score(claim), task_of(game, True).score(claim)
    assert (right.value, right.claimed, right.fault) == (1, True, None)
    assert (wrong.value, wrong.claimed) == (0, True)


@pytest.mark.parametrize("game", NAMES)
def test_lines_are_read_as_models_write_them(game: str) -> None:
    task = task_of(game, True)
    line, puzzle = task.line, opened(task.id)[1]
    numbers = [puzzle.parse_action(move) for move in line]
    written: list[Any] = [
        numbers,
        np.array(numbers),
        [np.int64(number) for number in numbers],
        str(numbers),
        f"Well:\n```json\n[\n{', '.join(map(str, numbers))}\n]\n```",
        f"<answer>{numbers}</answer>",
        "\\(" + " \\to ".join(line) + "\\)",
        "$" + ";\\ ".join(line) + "$",
        "Steps:\n" + "\n".join(f"Step {number}: {move}" for number, move in enumerate(line, 1)),
        "操作：\n" + "\n".join(f"第{number}步： {move}" for number, move in enumerate(line, 1)),
        "; ".join(line) + "\nThis wins, so it is not unsolvable.",
        "The winning sequence is " + "; ".join(line) + ".",
        "I would play:\n"
        + "\n".join(f"{number}. {move}" for number, move in enumerate(line, 1))
        + "\nThat wins.",
        " ➡️ ".join(line),
        *(f" {between} ".join(line) for between in ("then", "and then", "⇒", "-->", "然后", "—>")),
        ", ".join(line[:-1]) + " and " + line[-1],
        *(
            mark.join(f"{before}{number}{after}{move}" for number, move in enumerate(line, 1))
            for before, after, mark in (
                ("Move ", ": ", "\n"),
                ("Step ", " - ", "\n"),
                ("**Step ", ":** ", "\n"),
                ("第", "步：", "\n"),
                ("第", "步：", "；"),
                ("步骤", "：", "\n"),
                ("步骤 ", ". ", "\n"),
            )
        ),
        "\n".join(f"第{'一二三四五六七八九十'[place % 10]}步：{move}" for place, move in enumerate(line)),
        " ".join(f"{'①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳'[place % 20]}{move}" for place, move in enumerate(line)),
        "\n".join(f"+ {move}" for move in line),
        [f"{number}. {move}" for number, move in enumerate(line, 1)],
        "；".join(line).translate({ord(sign): ord(sign) + 0xFEE0 for sign in "0123456789(),:@"}),
    ]
    if game != "triple":
        written.append("\n".join(f"{number}、{move}" for number, move in enumerate(line, 1)))
    if game != "triple":
        cells = [[int(one) for one in move.strip("()").split(",")] for move in line]
        written += [cells, np.array(cells), str(cells), [*map(tuple, cells)]]
    for answer in written:
        assert task.score(answer).value == 1, answer


HEDGES = [
    "unsolvable or {}",
    "{} or unsolvable",
    "Either unsolvable or {}",
    "{}; unsolvable",
    "{}, unsolvable",
    "{} unsolvable",
    "{}\nunsolvable",
    "unsolvable\n{}",
    "{}或无解",
    "无解，或者 {}",
    "It could be\n{}\nor\nunsolvable",
    "It is unsolvable.\nOr maybe:\n{}",
    "Not sure at all, or\n{}",
    "<answer>{} or unsolvable</answer>",
    "<answer>unsolvable</answer> or <answer>{}</answer>",
    "<answer>{}</answer> or <answer>unsolvable</answer>",
    "\\boxed{{{}}} or \\boxed{{unsolvable}}",
    "<answer>{}</answer> No: <answer>I do not know</answer>",
    "<think>{}</think>",
    "<think>{}",
    "not {}",
    "The answer is not {}",
    "I do not think that the answer is {}",
    "do not play: {}",
    "I would play:\n{0}\nor else:\n{0}\nThat wins.",
    "unsolvable?",
    "perhaps unsolvable",
    "It is not unsolvable.",
    "unsolvable; perhaps",
    "I cannot tell whether it is unsolvable",
    "并非无解",
    "unsolvable and {}",
    "{}，然后 unsolvable",
    "{} and then unsolvable",
    "It may be\n```\n{}\n```\nor\n```\nunsolvable\n```\nWho knows.",
    "I would play\n{}\nor unsolvable, who knows.",
    "I would play\n{}\nPerhaps not:\nunsolvable\nWho knows.",
    'Here:\n```json\n{{"answer": "{}"}}\n```\nor:\n```json\n{{"answer": "unsolvable"}}\n```\nWho knows.',
    "<|channel|>analysis<|message|>{}",
    "◁think▷{}",
    "结论：不是 {}",
]


@pytest.mark.parametrize("hedge", HEDGES)
@pytest.mark.parametrize("game", NAMES)
def test_what_says_several_things_or_none_is_worth_nothing(game: str, hedge: str) -> None:
    line = "; ".join(task_of(game, True).line)
    for solvable in (True, False):
        score = task_of(game, solvable).score(hedge.format(line))
        assert (score.value, score.won, score.claimed) == (0, False, False)
        assert score.fault


@pytest.mark.parametrize("game", NAMES)
def test_the_question_is_no_answer(game: str) -> None:
    for solvable in (True, False):
        task = task_of(game, solvable)
        for language in ("en", "zh-CN"):
            text = tasks.make(game, task.seed, difficulty="easy", solvable=solvable, language=language).text
            for reply in (text, f"{text}\n\nI do not know.", text.replace("\n", " ")):
                assert task.score(reply).value == 0


def deep() -> Any:
    found: list[Any] = []
    for _ in range(100_000):
        found = [found]
    return found


class Unreadable(list[int]):
    def __iter__(self) -> Iterator[int]:
        raise RuntimeError("on fire")

    def tolist(self) -> list[int]:
        raise RuntimeError("on fire")


NO_ANSWERS: list[Any] = [
    range(10**12),
    [range(10**12)],
    Unreadable([1]),
    [Unreadable([1])],
    *(
        5,
        1.0,
        True,
        None,
        b"unsolvable",
        {},
        {"unsolvable"},
        {"answer": "unsolvable"},
        object(),
        float("nan"),
        10**5000,
    ),
    *(
        [1.0],
        [[1.0]],
        [True],
        [False],
        [None],
        [[]],
        [[[]]],
        [b"unsolvable"],
        [10**5000],
        [[10**5000]],
        [object()],
    ),
    *(np.array(5), np.array([1.0]), np.array([True]), np.zeros((2, 2, 2), int), [np.True_], np.array([])),
    *("[1.0]", "[true]", "[null]", "[[true]]", '{"answer": 1.0}', "{}"),
    iter([1]),
]


@pytest.mark.parametrize("make", [lambda one=one: one for one in NO_ANSWERS] + [deep])
def test_what_is_no_answer_is_worth_nothing_and_says_why(make: Callable[[], Any]) -> None:
    for game in NAMES:
        for solvable in (True, False):
            score = task_of(game, solvable).score(make())
            assert (score.value, score.won, score.claimed) == (0, False, False)
            assert score.fault
            assert len(score.fault) < 500


def test_a_fault_shows_what_would_control_a_terminal() -> None:
    fault = task_of("drops", True).score("\x1b2J\u202e").fault
    assert fault is not None
    assert fault.isprintable()
    assert "\\x1b2J\\u202e" in fault


@pytest.mark.parametrize("game", NAMES)
def test_always_the_same_claim_is_worth_nothing_above_chance(game: str) -> None:
    some = [*tasks.dataset(game, 8, 3, difficulty="easy")]
    blind = above_chance(task.score("unsolvable") for task in some)
    right = above_chance(task.score(task.answer or "") for task in some)
    none = above_chance(task.score("") for task in some)
    assert (blind, right) == (0, 1)
    assert none is not None
    assert none < 0
    assert above_chance([]) is None
    assert above_chance([task_of(game, False).score("unsolvable")]) is None
    assert above_chance([task_of(game, True).score("unsolvable")]) == 0


@pytest.mark.parametrize(
    "filler", [" ", "\t", "\n", "-", "1", "①", "or\n", "and ", "Move 1: ", "<|channel|>analysis", "```\n"]
)
def test_no_reply_takes_long(filler: str) -> None:
    """Each would take minutes where a search goes back over what it has read."""
    for game in NAMES:
        for before in ("", "1", "(", "(1,", "r:"):
            score = task_of(game, True).score(before + filler * (30_000 // len(filler)) + "x")
            assert score.value == 0
            assert score.fault
