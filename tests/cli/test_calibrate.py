"""`winnable calibrate`: our difficulty beside the tries of people, who are simulated."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.cli_support import Run, document, one_error
from winnable.analysis.rating import shipped_ratings
from winnable.levels.find import find_named
from winnable.levels.identity import content_id
from winnable.store import results
from winnable.store.database import Store, data_folder

SKILL, TENFOLD = {"beginners": 14.0, "others": 24.0}, 15.0
LEVELS = list(shipped_ratings("drops").items())[:20]


def lines(rng: random.Random) -> list[str]:
    """What 40 tries a level of each group come to."""
    told = ["level,tries,wins,seconds,group"]
    for name, rating in LEVELS:
        for group, skill in SKILL.items():
            chance = 1 / (1 + 10 ** ((rating.figure - skill) / TENFOLD))
            wins = sum(rng.random() < chance for _ in range(40))
            told.append(f"{name},40,{wins},{5 + rating.figure:.1f},{group}")
    return told


@pytest.fixture
def tried(tmp_path: Path) -> Path:
    path = tmp_path / "tries.csv"
    path.write_text("\n".join(lines(random.Random(1))) + "\n")
    return path


def test_the_curve_of_simulated_people_is_found_again(run: Run, tried: Path) -> None:
    found = document(run("calibrate", str(tried), "--json"))
    assert (found["game"], found["levels"], found["left_out"]) == ("drops", 20, [])
    for group in found["groups"]:
        assert group["low"] < SKILL[group["name"]] < group["high"]
        assert group["tries"] == 800
    assert found["tenfold_low"] < TENFOLD < found["tenfold_high"]
    ours = found["features"][0]
    assert (ours["name"], ours["tells"], ours["levels"]) == ("difficulty", True, 20)
    assert ours["ranks"] < -0.8
    assert ours["seconds"] == pytest.approx(1)
    rates = [point["rate"] for point in found["curve"] if point["group"] == "others"]
    assert rates == sorted(rates, reverse=True)
    assert sum(point["tries"] for point in found["curve"]) == 1600


def test_it_says_what_was_seen_and_what_is_a_guess(run: Run, tried: Path) -> None:
    told = run("calibrate", str(tried))
    assert told.exit_code == 0
    assert "levels seen: 20, of difficulty" in told.stdout
    assert "What lies beyond is a guess" in told.stdout
    again = run("calibrate", str(tried))
    assert again.stdout == told.stdout


def test_json_lines_and_names_of_a_set_do_as_well(run: Run, tmp_path: Path) -> None:
    levels, tries = tmp_path / "set.jsonl", tmp_path / "tries.jsonl"
    content = [run("export", name, "--format", "json").stdout for name, _ in LEVELS[:4]]
    levels.write_text("".join(content))
    tries.write_text("".join(f'{{"level": "{n}", "tries": 9, "wins": {9 - 2 * n}}}\n' for n in range(1, 5)))
    found = document(run("calibrate", str(tries), "--levels", str(levels), "--json"))
    assert found["levels"] == 4
    assert not any(feature["tells"] for feature in found["features"]), "four levels show nothing"
    tries.write_text('{"level": "9", "tries": 9, "wins": 1}\n')
    one_error(run("calibrate", str(tries), "--levels", str(levels), code=2), "tries.jsonl:1: level: no level")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("level,tries,wins\ndrops/05-puddle,3,4\n", "t.csv:2: wins: 4 of 3 tries cannot be won"),
        ("level,tries,wins\ndrops/05-puddle,many,4\n", "t.csv:2: tries:"),
        ("level,tries,wins\ndrops/05-puddle,3\n", "t.csv:2"),
        ("level,tries,wins,second\ndrops/05-puddle,3,1,2\n", "second"),
        ("level,tries,wins\nnothing at all,3,1\n", "t.csv:2: level"),
        ('{"level": "drops/05-puddle", "tries": 0, "wins": 0}\n', "t.csv:1: tries:"),
        ("", "t.csv: no tries in it"),
        ("level,tries,wins\ndrops/05-puddle,3,1\n", "1 level with a figure of ours"),
        ("level,tries,wins\ndrops/05-puddle,3,3\n", "all of these tries were won"),
        ("level,tries,wins\ndrops/05-puddle,3,1\nrotate/15-heart,3,1\n", "several games"),
    ],
)
def test_what_is_wrong_is_named_with_its_row(run: Run, tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / "t.csv").write_text(text)
    one_error(run("calibrate", str(tmp_path / "t.csv"), code=2), complaint)


def test_a_file_or_ones_own_games(run: Run, tried: Path) -> None:
    one_error(run("calibrate", code=2), "--own")
    one_error(run("calibrate", str(tried), "--own", code=2), "not both")


def test_ones_own_games_are_read_when_asked_for_and_left_as_they_are(run: Run) -> None:
    assert "no games without help" in run("calibrate", "--own", code=2).stderr
    store = Store(data_folder())
    for number in range(30):
        named = find_named(LEVELS[number % 5][0])
        results.add(store, own(number, named.id, content_id(named.game, named.level)))
    results.add(store, own(30, "drops/27-broken-heart", "another"))
    results.add(store, replace(own(31, "drops/26-slow-motion", "x"), helped=True))
    kept = results.every(store)
    store.close()
    told = run("calibrate", "--own", "--json")
    found = document(told)
    assert "nothing of this is kept or sent" in told.stderr
    assert "drops/27-broken-heart" in told.stderr
    assert found["levels"] == 5
    assert sum(group["tries"] for group in found["groups"]) == 30
    store = Store(data_folder())
    assert results.every(store) == kept
    store.close()


def own(number: int, level_id: str, content: str) -> results.Result:
    outcome: results.Ended = "won" if number % 3 else "lost"
    name = f"{number:032x}"
    return results.Result(
        name, name, "drops", level_id, content, None, outcome, False, 5, None, None, 9.0, 1e9 + number
    )
