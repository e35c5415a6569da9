"""Tasks: the same for the same request; what they say of a level is so; answers are worth what is said."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

import winnable
from tests.fresh_python import printed
from winnable import tasks
from winnable.contract.abilities import SetsTasks
from winnable.contract.core import replay
from winnable.contract.errors import GaveUp, LevelError
from winnable.contract.registry import GAMES, load_game
from winnable.tasks.task import opened

NAMES = ("triple", "drops", "rotate")
SMALL = {
    "triple": "layers=3,side=3,sets=1,kinds=3",
    "drops": "rows=3,columns=3,par_min=2,par_max=4,slack=1",
    "rotate": "rows=3,columns=3,colours=3,par_min=2,slack=1",
}
"""For brute force."""


def small(game: str, seed: int, solvable: bool) -> tasks.Task:
    return tasks.make(game, seed, solvable=solvable, params=SMALL[game])


def brute_force(puzzle: Any) -> Any:
    """state -> whether some sequence of legal actions leads to the goal, by the readable rules alone."""

    @cache
    def can_be_won(state: Any) -> bool:
        return puzzle.is_goal(state) or any(
            can_be_won(puzzle.apply(state, action)) for action in puzzle.legal_actions(state)
        )

    return can_be_won


def fewest(puzzle: Any, state: Any) -> int:
    """Of a state that can be won."""
    reached, length = {state}, 0
    while not any(map(puzzle.is_goal, reached)):
        reached = {puzzle.apply(one, action) for one in reached for action in puzzle.legal_actions(one)}
        length += 1
    return length


def test_all_games_that_can_set_tasks_are_these() -> None:
    assert {name for name in GAMES if isinstance(load_game(name), SetsTasks)} == set(NAMES)


@pytest.mark.parametrize("game", NAMES)
def test_a_task_is_what_was_asked_for(game: str) -> None:
    for difficulty in ("easy", "medium"):
        for solvable in (True, False):
            task = tasks.make(game, 7, difficulty=difficulty, solvable=solvable)
            assert task.verdict == ("solvable" if solvable else "unsolvable")
            assert (task.game, task.seed, task.difficulty) == (game, 7, difficulty)
            board = winnable.load(task.id)
            assert (board.game, f"{game}:{board.code}") == (game, task.id)
            assert board.verdict() == ("winnable" if solvable else "lost")
            assert str(board) in task.text
            if solvable:
                assert board.push(*task.line).standing == "won"
                assert task.par == task.least == len(task.line)
                rating = winnable.load(task.id).difficulty()
                assert rating is not None
                assert rating.word == difficulty
            else:
                assert (task.line, task.par) == ((), None)


@cache
def made_elsewhere() -> dict[str, list[tasks.Task]]:
    """Three tasks of each game, by another process."""
    script = f"""
from winnable import tasks
print({{game: [*tasks.dataset(game, 3, 5, difficulty="easy")] for game in {NAMES}}})
"""
    return eval(printed(script, jit=True), {"Task": tasks.Task})


@pytest.mark.parametrize("game", NAMES)
def test_the_same_request_gives_the_same_task_in_another_process(game: str) -> None:
    here = [tasks.make(game, seed, difficulty="easy") for seed in (5, 6, 7)]
    assert made_elsewhere()[game] == here


def test_a_dataset_is_a_sequence() -> None:
    ten = tasks.dataset("drops", 10, 3, difficulty="easy")
    assert len(ten) == 10
    assert ten[-1] == ten[9] == tasks.make("drops", 12, difficulty="easy")
    assert ten[2:4] == [ten[2], ten[3]]
    assert len({task.id for task in ten}) == 10
    assert {task.verdict for task in ten} == {"solvable", "unsolvable"}
    with pytest.raises(IndexError):
        ten[10]


@pytest.mark.parametrize("game", NAMES)
@pytest.mark.parametrize("solvable", [True, False])
def test_verdicts_and_par_agree_with_brute_force(game: str, solvable: bool) -> None:
    for seed in range(6):
        task = small(game, seed, solvable)
        _, puzzle = opened(task.id)
        assert brute_force(puzzle)(puzzle.initial()) == solvable
        if solvable:
            assert puzzle.is_goal(replay(puzzle, [puzzle.parse_action(move) for move in task.line]))
            assert task.par == fewest(puzzle, puzzle.initial())


@pytest.mark.parametrize("game", NAMES)
def test_the_first_losing_move_and_the_score_agree_with_brute_force(game: str) -> None:
    lost = 0
    for seed in range(6):
        task = small(game, seed, solvable=True)
        _, puzzle = opened(task.id)
        can_be_won = brute_force(puzzle)
        for attempt in range(6):
            states, moves = random_game(puzzle, random.Random(attempt))
            score = task.score(moves)
            verdicts = [can_be_won(state) for state in states]
            assert score.won == puzzle.is_goal(states[-1])
            if score.won:
                assert task.par is not None
                assert score.value == (1 + task.par / len(moves)) / 2
                continue
            lost += 1
            assert not verdicts[-1]
            assert score.lost_at is not None
            assert score.lost_at == verdicts.index(False) - 1
            assert score.move == moves[score.lost_at]
            assert score.better is not None
            better = puzzle.apply(states[score.lost_at], puzzle.parse_action(score.better))
            assert can_be_won(better)
            assert score.value == progress(task, puzzle, states[score.lost_at], score.lost_at) / 2
    assert lost > 3


def random_game(puzzle: Any, rng: random.Random) -> tuple[list[Any], list[str]]:
    states, moves = [puzzle.initial()], list[str]()
    while legal := puzzle.legal_actions(states[-1]):
        if puzzle.is_goal(states[-1]):
            break
        action = rng.choice(legal)
        states.append(puzzle.apply(states[-1], action))
        moves.append(puzzle.action_name(action))
    return states, moves


def progress(task: tasks.Task, puzzle: Any, state: Any, ply: int) -> float:
    """As the document defines it."""
    if task.game == "triple":
        return ply / puzzle.num_actions
    assert task.par is not None
    return max(0.0, 1 - fewest(puzzle, state) / task.par) if ply else 0.0


@pytest.mark.parametrize("game", NAMES)
def test_a_longer_win_is_worth_less_and_any_win_more_than_none(game: str) -> None:
    task = tasks.make(game, 11, difficulty="medium", solvable=True)
    _, puzzle = opened(task.id)
    values = [task.score(list(task.line[:length])).value for length in range(1, len(task.line) + 1)]
    assert values == sorted(set(values))
    assert values[-1] == 1
    assert values[-2] < 0.5
    if game == "rotate":
        task = next(
            task for task in tasks.dataset(game, 40, solvable=True, params=SMALL[game]) if loose(task, puzzle)
        )
        there = task.line[0].rpartition(",")[0]
        detour = [f"{there},1", f"{there},{(int(task.line[0][-1]) - 2) % 4 + 1}", *task.line[1:]]
        if not detour[1].endswith(",4"):
            score = task.score(detour)
            assert task.par is not None
            assert (score.won, score.value) == (True, (1 + task.par / (task.par + 1)) / 2)


def loose(task: tasks.Task, puzzle: Any) -> bool:
    """There is a turn more than it takes, and the first one can be made in two."""
    _, puzzle = opened(task.id)
    return puzzle.level.turns > len(task.line) and not task.line[0].endswith(",1")


@pytest.mark.parametrize("game", NAMES)
def test_answers_are_read_as_they_are_written(game: str) -> None:
    task = tasks.make(game, 2, difficulty="easy", solvable=True)
    line = list(task.line)
    numbers = [opened(task.id)[1].parse_action(move) for move in line]
    written = [
        line,
        tuple(numbers),
        "; ".join(line),
        "；".join(line),
        ", ".join(line),
        " ".join(line),
        "\n".join(line),
        " -> ".join(line),
        str(line),
        str(line).replace("'", '"'),
        "\n".join(f"{number}. {move}" for number, move in enumerate(line, 1)),
        "\n".join(f"- {move}" for move in line),
        f"```\n{'; '.join(line)}\n```",
        f"First I thought of <answer>unsolvable</answer>, but <answer>{'; '.join(line)}</answer>.",
        f"Some thoughts: 1, 2, 3.\n**Answer:** {'; '.join(line)}",
        "; ".join([*line, "and nothing more"]),
    ]
    if game == "triple":
        written += [str(numbers), ",".join(map(str, numbers))]
    for answer in written:
        assert task.score(answer).value == 1, answer


@pytest.mark.parametrize("game", NAMES)
@pytest.mark.parametrize("solvable", [True, False])
def test_claims(game: str, solvable: bool) -> None:
    task = tasks.make(game, 1, difficulty="easy", solvable=solvable)
    for claim in ("unsolvable", " Unsolvable.\n", "**unsolvable**", "无解", "<answer>无解。</answer>"):
        score = task.score(claim)
        assert (score.claimed, score.value, score.won) == (True, float(not solvable), False)


WRONG: list[tasks.Reply] = [
    "",
    "   \n",
    [],
    "no idea",
    "<answer></answer>",
    "unsolvable; perhaps",
    [-1],
    [10**9],
    ["nowhere"],
    "\0\ud800",
    "9" * 5000,
    "[" * 50_000,
    "(((" * 30_000,
    "1, " * 30_000,
    "x" * 1_000_000,
    "<answer>" * 125_000,
    "\n" * 1_000_000,
    "answer:" * 140_000,
]


@pytest.mark.parametrize("game", NAMES)
@pytest.mark.parametrize("solvable", [True, False])
def test_wrong_answers_are_worth_nothing_and_say_why(game: str, solvable: bool) -> None:
    task = tasks.make(game, 4, difficulty="easy", solvable=solvable)
    for answer in WRONG:
        score = task.score(answer)
        assert 0 <= score.value < 0.5, str(answer)[:40]
        assert not score.won
        assert score.fault, str(answer)[:40]
        assert len(score.fault) < 500


def test_an_illegal_move_ends_the_attempt_where_it_stands() -> None:
    task = tasks.make("triple", 3, difficulty="easy", solvable=True)
    before = list(task.line[:4])
    score, whole = task.score([*before, before[0], *task.line[4:]]), task.score(before)
    assert (score.length, score.value, score.lost_at) == (4, whole.value, None)
    assert score.fault is not None
    assert score.fault.startswith("move 5")


def test_a_score_does_not_hang_on_what_was_asked_before() -> None:
    for game in NAMES:
        task = tasks.make(game, 21, difficulty="medium", solvable=True)
        _, puzzle = opened(task.id)
        games = [random_game(puzzle, random.Random(seed))[1] for seed in range(4)]
        first = [task.score(moves) for moves in games]
        assert [task.score(moves) for moves in reversed(games)] == first[::-1]


def test_moves_on_what_cannot_be_won_are_worth_nothing() -> None:
    for game in NAMES:
        task = tasks.make(game, 9, difficulty="easy", solvable=False)
        moves = random_game(opened(task.id)[1], random.Random(1))[1]
        assert (task.score(moves).value, task.score(moves).lost_at) == (0, None)


def test_what_is_undecided_counts_as_neither(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("winnable.tasks.making.EFFORT", 1)
    params = "layers=26,sets=10,kinds=12"
    task = tasks.make("triple", 0, params=params)
    assert (task.verdict, task.line, task.par, task.difficulty) == ("undecided", (), None, None)
    assert task.score("unsolvable").value == 0
    assert task.score([winnable.load(task.id).legal_moves[0]]).value == 0
    monkeypatch.setattr("winnable.tasks.making.MOST_LEVELS", 2)
    with pytest.raises(GaveUp):
        tasks.make("triple", 0, params=params, solvable=True)


def test_both_languages() -> None:
    for game in NAMES:
        english = tasks.make(game, 3, difficulty="easy")
        chinese = tasks.make(game, 3, difficulty="easy", language="zh-CN")
        assert (english.id, english.verdict, english.line) == (chinese.id, chinese.verdict, chinese.line)
        assert "unsolvable" in english.text
        assert "无解" in chinese.text
        assert "没有作答" in str(chinese.score("").fault)
        assert "there is no answer" in str(english.score("").fault)


@pytest.mark.parametrize(
    ("game", "seed", "more"),
    [
        ("tetris", 1, {}),
        ("2048", 1, {}),
        ("chess", 1, {}),
        ("drops", -1, {}),
        ("drops", 2**53, {}),
        ("drops", 1, {"difficulty": "impossible"}),
        ("drops", 1, {"language": "fr"}),
        ("drops", 1, {"params": "rows=0"}),
        ("drops", 1, {"params": "rules=half"}),
        ("drops", 1, {"params": "mode=flash"}),
        ("rotate", 1, {"params": "rules=pairs,columns=4"}),
        ("triple", 1, {"params": "variant=tools"}),
    ],
)
def test_what_cannot_be_asked_for_is_one_error(game: str, seed: int, more: dict[str, Any]) -> None:
    with pytest.raises(winnable.WinnableError):
        tasks.make(game, seed, **more)


def test_a_dataset_has_a_size() -> None:
    for size in (-1, 2**53 + 1):
        with pytest.raises(LevelError):
            tasks.dataset("drops", size)
