"""2048 in the terminal: what each move is worth."""

import re

import pytest

from tests.cli.cli_support import Run, document

BOARD = "1230/0000/0001/0000"


def values(text: str) -> dict[str, int]:
    return {name: int(value.replace(",", "")) for name, value in re.findall(r"([a-z]+) ([\d,]+\d)", text)}


def test_hints_and_the_lamp_say_what_moves_are_worth(run: Run) -> None:
    shown = run("play", "2048", BOARD, stdin="h\nl\nup\n").stdout
    (hint,) = re.findall(r"Hint: .*, by [^ ]+ \((.*)\)", shown)
    lamps = re.findall("Lamp    (.*)", shown)
    assert set(values(hint)) == {"up", "right", "down", "left"}
    assert list(values(hint).values()) == sorted(values(hint).values(), reverse=True)
    assert re.sub(r"^[\d,]+ to come, if played by [^,]+, ", "", lamps[0]) == hint != lamps[0]
    assert len(lamps) == 2
    assert "up" not in values(lamps[1])


def test_json_has_the_values_where_it_ended(run: Run) -> None:
    played = document(run("play", "2048", BOARD, "--json", stdin="up\n"))
    assert played["moves"] == ["up"]
    assert list(played["values"].values()) == sorted(played["values"].values(), reverse=True)
    assert set(played["values"]) == {"right", "down", "left"}
    assert "values" not in document(run("play", "tetris:height=10#1", "--json", stdin=""))


@pytest.mark.parametrize(
    ("level", "said"),
    [
        ("2048:rows=2,columns=2,goal=3#1", r"[\d.]+% to make the goal \(exact\)"),
        (
            "2048:goal=5#1",
            r"≈ 100.0% to make the goal, 95 %: .* if played by network, 200 games a move",
        ),
        ("2048/6-five-by-five", "the chance of the goal is not known"),
    ],
)
def test_the_lamp_says_the_chance_of_a_goal(run: Run, level: str, said: str) -> None:
    shown = run("play", level, "--lamp", stdin="h\nq\n").stdout
    (lamp,) = re.findall("Lamp    (.*)", shown)
    assert re.match(said, lamp)
    (hint,) = re.findall(r"Hint: \w+, by \w+.* \((.*)\)", shown)
    assert ("%" in hint) == ("%" in lamp)


def test_the_end_says_whether_the_goal_was_made(run: Run) -> None:
    for goal, said in ((1024, "The goal was missed. The game is over."), (16, "The goal was made. The game")):
        ends = ",ends" if goal == 16 else ""
        moves = "left\nright\nup\ndown\n" * 40
        shown = run("play", "2048", f"33/12,goal={goal}{ends},dice=1", stdin=moves).stdout
        assert said in shown


def test_when_the_game_is_over_nothing_is_to_come(run: Run) -> None:
    script = "right\nup\nh\nl\n"
    shown = run("play", "2048", "14/20", stdin=script).stdout
    assert "The game is over." in shown
    assert "No hint: the game is over" in shown
    assert "Lamp    the game is over" in shown
    assert "values" not in document(run("play", "2048", "14/20", "--json", stdin=script))


def test_the_lamp_of_another_game_without_a_goal(run: Run) -> None:
    """Whether its mean lines are known yet depends on what ran before."""
    assert re.search(r"Lamp    (.* )?risk 0\.0%", run("play", "tetris:height=10#1", stdin="l\n").stdout)


def test_letters_and_arrows_move_and_other_letters_are_commands(run: Run) -> None:
    script = "a\nw\n\x1b[B\nu\nalternate\n"
    played = run("play", "2048", BOARD, "--json", stdin=script)
    assert document(played)["moves"] == ["left", "up"]
    assert "alternate: nothing else was played" in played.stderr
