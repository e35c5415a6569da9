"""Environments of one game: what Gymnasium's own checker asks, and that they are the readable game."""

from __future__ import annotations

import re
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from numpy.typing import NDArray

import winnable
from tests.fresh_python import printed
from winnable import tasks
from winnable.contract.chance import following_seed
from winnable.contract.registry import GAMES, load_game
from winnable.envs import GameEnv
from winnable.games.triple.rules.level import Level, Tile
from winnable.levels.files import write_file
from winnable.levels.find import find_level

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    *((game, dict[str, Any]()) for game in GAMES),
    ("triple", {"params": "layers=4,sets=1,kinds=4,side=3,variant=tools"}),
    ("triple", {"level": "triple/1-first-steps", "reward": "completion"}),
    ("drops", {"params": "mode=flash,rows=3,columns=4"}),
    ("drops", {"level": "drops:1234/0012,drops=3,every=2"}),
    ("drops", {"params": "rows=3,columns=3,slack=none"}),
    ("rotate", {"params": "rules=pairs,rows=4,columns=4"}),
    ("tetris", {"params": "rules=article,width=6,height=8"}),
    ("tetris", {"params": "rules=travel,preview=yes,width=5,height=7"}),
    ("2048", {"params": "rows=2,columns=3,goal=4", "reward": "win"}),
    ("2048", {"level": "2048/2-the-articles-1024"}),
]
IDS = [f"{game}-{'-'.join(map(str, given.values()))}" for game, given in VARIANTS]


def played(env: GameEnv, seed: int, most: int = 200) -> list[tuple[dict[str, NDArray[Any]], float, bool]]:
    """An episode by chance: what was seen, with the reward and whether it was over."""
    seen, info = env.reset(seed=seed)
    rng, steps = np.random.default_rng(seed), [(seen, 0.0, False)]
    while not steps[-1][2] and len(steps) <= most:
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        seen, reward, over, truncated, info = env.step(action)
        assert not truncated
        steps.append((seen, reward, over))
    return steps


@pytest.mark.parametrize(("game", "given"), VARIANTS, ids=IDS)
def test_gymnasiums_checker_has_nothing_to_say(game: str, given: dict[str, Any]) -> None:
    name = f"winnable/{game.capitalize()}-v0"
    check_env(gymnasium.make(name, render_mode="rgb_array", **given).unwrapped)


@pytest.mark.parametrize(("game", "given"), VARIANTS, ids=IDS)
def test_an_episode_is_a_game_by_the_rules(game: str, given: dict[str, Any]) -> None:
    env = GameEnv(game, **given)
    steps = played(env, 7)
    assert all(seen in env.observation_space for seen, _, _ in steps)
    puzzle, state = env.puzzle, env.puzzle.initial()
    seen, info = env.reset(seed=7)
    rng = np.random.default_rng(7)
    for seen_before, _, over in steps:
        legal = [] if puzzle.is_goal(state) else [*puzzle.legal_actions(state)]
        assert np.flatnonzero(env.action_masks()).tolist() == legal
        assert info["action_mask"].tolist() == env.action_masks().tolist()
        assert over == (not legal)
        assert all((seen[name] == seen_before[name]).all() for name in seen)
        if over:
            break
        action = rng.choice(legal)
        state = puzzle.apply(state, int(action))
        seen, _, _, _, info = env.step(action)
        assert env.state == state


@pytest.mark.parametrize("game", GAMES)
def test_gymnasium_makes_it_by_its_name_and_cuts_it_short(game: str) -> None:
    name = f"winnable/{game.capitalize()}-v0"
    env = gymnasium.make(f"winnable.envs:{name}", render_mode="ansi", max_episode_steps=1)
    _, info = env.reset(seed=1)
    assert isinstance(env.render(), str)
    action = np.flatnonzero(info["action_mask"])[0]
    _, _, terminated, truncated, _ = env.step(action)
    assert truncated
    assert not terminated


@pytest.mark.parametrize("game", GAMES)
def test_the_seed_of_an_episode_is_that_of_its_level(game: str) -> None:
    env = GameEnv(game, render_mode="ansi")
    _, info = env.reset(seed=11)
    assert info["seed"] == 11
    assert env.render() == str(winnable.load(f"{game}:#11"))
    _, info = env.reset()
    assert info["seed"] == following_seed(11)
    assert env.render() == str(winnable.load(f"{game}:#{following_seed(11)}"))
    other = GameEnv(game)
    first, again = played(env, 3, 50), played(other, 3, 50)
    assert len(first) == len(again)
    for (seen, *rest), (seen_again, *rest_again) in zip(first, again, strict=True):
        assert rest == rest_again
        assert all((seen[name] == seen_again[name]).all() for name in seen)


def test_a_level_of_chance_keeps_its_board_and_gets_new_dice() -> None:
    env = GameEnv("2048", "2048:1230/0000/0001/0000,dice=5")
    first, _ = env.reset(seed=1)
    assert first["board"].ravel().tolist() == [1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]
    games = [[seen["board"].tobytes() for seen, _, _ in played(env, seed)] for seed in (1, 2, 1)]
    assert games[0] == games[2] != games[1]


def test_what_is_seen_of_each_game() -> None:
    seen, _ = GameEnv("drops", "drops:1204/0010,drops=3").reset()
    assert seen["board"].tolist() == [[1, 2, 0, 4], [0, 0, 1, 0]]
    assert (seen["left"].tolist(), seen["bursts"].tolist()) == ([3], [0])
    seen, _ = GameEnv("rotate", "rotate:123/231/312").reset()
    assert seen["board"].tolist() == [*map(list, find_level("rotate", board="123/231/312").level.board)]
    assert seen["left"].tolist() == [-1]
    env = GameEnv("tetris", "tetris:x...x/xxx.x,height=6")
    seen, _ = env.reset(seed=2)
    assert seen["board"].tolist() == [[0] * 5] * 4 + [[1, 0, 0, 0, 1], [1, 1, 1, 0, 1]]
    assert seen["piece"].tolist() == [env.state.state.piece]
    assert seen["next"].tolist() == [-1]


def pile(kinds: tuple[int, ...]) -> Level:
    """Tiles 0 and 1 side by side, over each two more, which see nothing of the sky."""
    places = ((0, 0, 2), (8, 0, 2), (0, 0, 1), (8, 0, 1), (0, 0, 0), (8, 0, 0))
    return Level(tiles=tuple(Tile(kind, *place) for kind, place in zip(kinds, places, strict=True)), slots=4)


def test_what_a_person_does_not_see_is_not_there(tmp_path: Any) -> None:
    """Two deals that look alike are told apart only when their tiles come to light."""
    envs: list[GameEnv] = []
    for index, kinds in enumerate(((0, 1, 0, 1, 0, 1), (0, 1, 1, 0, 0, 1))):
        path = tmp_path / f"{index}.json"
        write_file(path, winnable.Session(find_level_of(pile(kinds))).save())
        envs.append(GameEnv("triple", path))
    (one, _), (other, _) = (env.reset() for env in envs)
    assert one["kind"].tolist() == [0, 1, -1, -1, -1, -1]
    assert one["lies"].tolist() == [2, 2, 1, 1, 1, 1]
    assert one["place"][2].tolist() == [0, 0, 1]
    assert all((one[name] == other[name]).all() for name in one)
    one, other = (env.step(0)[0] for env in envs)
    assert one["kind"].tolist() == [-1, 1, 0, -1, -1, -1]
    assert other["kind"].tolist() == [-1, 1, 1, -1, -1, -1]
    assert one["lies"].tolist() == [0, 2, 2, 1, 1, 1]
    assert one["tray"].tolist() == other["tray"].tolist() == [0, -1, -1, -1]


def find_level_of(level: Level) -> Any:
    from winnable.levels.files import named_by_content

    return named_by_content(winnable.load_game("triple"), level)


@pytest.mark.parametrize("level", ["drops/05-puddle", "rotate/02-bulls-eye", "triple/1-first-steps"])
def test_a_solvers_line_ends_it_with_a_win(level: str) -> None:
    board = winnable.load(level)
    assert board.verdict(60) == "winnable"
    for reward in ("win", "completion") if board.game == "triple" else ("win",):
        env = GameEnv(board.game, level, reward=reward)
        env.reset()
        steps = [env.step(env.puzzle.parse_action(move)) for move in board.line() or ()]  # type: ignore[attr-defined]
        assert [over for _, _, over, _, _ in steps] == [False] * (len(steps) - 1) + [True]
        assert sum(paid for _, paid, *_ in steps) == pytest.approx(1)
        assert not env.action_masks().any()


def test_points_and_a_tile_that_is_reached_are_paid() -> None:
    env = GameEnv("2048", params="rows=2,columns=3,goal=4")
    assert sum(reward for _, reward, _ in played(env, 5)) == env.state.score > 0
    env = GameEnv("2048", params="rows=2,columns=3,goal=4", reward="win")
    paid = [sum(reward for _, reward, _ in played(env, seed)) for seed in range(9)]
    assert set(paid) == {0, 1}
    assert paid == [max(played(env, seed)[-1][0]["board"].ravel()) >= 4 for seed in range(9)]
    env = GameEnv("drops", "drops/05-puddle", reward=lambda puzzle, state, action, after: -float(action))
    env.reset()
    assert env.step(np.int64(3))[1] == -3


def test_actions_that_are_not_legal() -> None:
    level = "drops:1204/0010,drops=3"
    env = GameEnv("drops", level, illegal=-0.5)
    before, _ = env.reset()
    seen, reward, over, _, info = env.step(2)
    assert (reward, over) == (-0.5, False)
    assert all((seen[name] == before[name]).all() for name in seen)
    assert info["action_mask"].tolist() == [1, 1, 0, 1, 0, 0, 1, 0]
    for given, action in (("raise", 2), ("raise", 99), (0.0, 99)):
        env = GameEnv("drops", level, illegal=given)  # type: ignore[arg-type]
        env.reset()
        with pytest.raises(winnable.IllegalAction):
            env.step(action)


@pytest.mark.parametrize(
    ("game", "given", "said"),
    [
        ("chess", {}, "chess"),
        ("drops", {"level": "rotate/02-bulls-eye"}, "rotate"),
        ("drops", {"level": "drops/none"}, "none"),
        ("drops", {"params": "rows=0"}, "rows"),
        ("drops", {"params": "rows=4", "level": "drops/05-puddle"}, "params"),
        ("drops", {"reward": "score"}, "win"),
        ("2048", {"reward": "win"}, "score"),
        ("2048", {"render_mode": "human"}, "rgb_array"),
        *(("2048", {"illegal": given}, "illegal") for given in ("ignore", None, [1], np.nan, np.inf, True)),
        *(("2048", {"reward": given}, "reward") for given in (5, ["score"])),
        ("2048", {"render_mode": ["ansi"]}, "render_mode"),
        ("2048", {"params": {"rows": 10**5000}}, "rows"),
        ("2048", {"level": []}, "level"),
        ("2048", {"level": 5}, "level"),
    ],
)
def test_what_cannot_be_made_is_one_error(game: str, given: dict[str, Any], said: str) -> None:
    with pytest.raises(winnable.WinnableError, match=said):
        GameEnv(game, **given)


@pytest.mark.parametrize("action", [1.0, "1", None, True, np.array([1]), np.float32(1)], ids=repr)
def test_what_is_no_action_is_refused_by_name(action: Any) -> None:
    env = GameEnv("2048")
    env.reset()
    with pytest.raises(winnable.WinnableError, match="action"):
        env.step(action)
    scalar: Any = np.array(1)
    assert env.step(scalar)[4].keys() == env.reset()[1].keys()


def test_a_seed_that_no_level_has_is_refused() -> None:
    for seed, said in ((2**53, "seed: from 0 to"), (True, "seed: True is not a whole number")):
        with pytest.raises(winnable.WinnableError, match=said):
            GameEnv("2048").reset(seed=seed)


def test_pictures_show_what_changes() -> None:
    env = GameEnv("2048", render_mode="rgb_array")
    env.reset(seed=1)
    first = env.render()
    assert first.dtype == np.uint8
    assert first.shape[2] == 3
    env.step(np.flatnonzero(env.action_masks())[0])
    assert (env.render() != first).any()


PICTURED: list[tuple[str, dict[str, Any]]] = [
    ("tetris", {"params": {"width": 5, "height": 6}}),
    ("tetris", {"params": {"rules": "article"}}),
    ("tetris", {}),
    ("drops", {"level": ["drops:404/444/000,open", "drops:444/444/444"]}),
    ("drops", {"params": {"rows": 4, "columns": 5}}),
    ("rotate", {}),
    ("2048", {"params": {"rows": 2, "columns": 3}}),
    ("triple", {}),
    ("triple", {"params": {"variant": "tools"}}),
    ("triple", {"params": {"layout": "grown", "tiles": 60}}),
]


@pytest.mark.parametrize(("game", "given"), PICTURED)
def test_all_pictures_of_an_environment_have_one_size(game: str, given: dict[str, Any]) -> None:
    env: Any = GameEnv(game, **given, render_mode="rgb_array")
    sizes, rng = set[tuple[int, ...]](), np.random.default_rng(0)
    for seed in range(3):
        env.reset(seed=seed)
        for _ in range(200):
            over = env.step(rng.choice(np.flatnonzero(env.action_masks())))[2]
            if over or rng.random() < 0.1:
                sizes.add(env.render().shape)
            if over:
                break
    assert len(sizes) == 1


def test_pictures_of_tetris_grow_with_no_wall() -> None:
    env: Any = GameEnv("tetris", params={"width": 5, "height": 6})
    tetris = load_game("tetris")
    env.reset(seed=1)
    sizes, over = set[str](), False
    while not over:
        over = env.step(np.flatnonzero(env.action_masks())[0])[2]
        sizes |= {re.findall(r'viewBox="[^"]*"', tetris.svg(env.puzzle, env.state))[0]}
    assert len(sizes) == 1


def test_a_video_is_recorded(tmp_path: Any) -> None:
    pytest.importorskip("moviepy")
    env: Any = gymnasium.wrappers.RecordVideo(
        GameEnv("tetris", params={"width": 5, "height": 6}, render_mode="rgb_array"), str(tmp_path / "videos")
    )
    env.reset(seed=1)
    over = False
    while not over:
        over = env.step(np.flatnonzero(env.unwrapped.action_masks())[0])[2]
    env.close()
    assert [*tmp_path.glob("videos/*.mp4")]


def test_params_are_a_mapping_or_a_text() -> None:
    made = GameEnv("drops", params={"rows": 4, "columns": np.int64(5)})
    assert made.observation_space == GameEnv("drops", params="rows=4,columns=5").observation_space
    named: list[Any] = [{"rows": "many"}, {"row": 4}, {"rows": 4.5}, {"rows": None}]
    named += [{"rows": "4,columns=3"}, {"rows": "4，columns＝3"}, {"rows=4,columns": 3}]
    wrongs: list[Any] = [*named, 4, [("rows", 4)], None, b"rows=4"]
    for wrong in wrongs:
        with pytest.raises(winnable.WinnableError, match=r"row|params"):
            GameEnv("drops", params=wrong)
    small = {"rows": 3, "columns": 3}
    assert tasks.make("drops", 1, params=small) == tasks.make("drops", 1, params="rows=3,columns=3")


def test_without_the_extra_one_error_names_it() -> None:
    script = "import sys\nsys.modules['gymnasium'] = None\nimport winnable\ntry:\n    import winnable.envs\n"
    script += "except winnable.WinnableError as error:\n    print(error)"
    assert "winnable[gym]" in printed(script, jit=True)


def test_whoever_makes_nothing_imports_no_game() -> None:
    script = "import sys, winnable.envs\nnames = [name for name in sys.modules if 'winnable.games' in name]\n"
    assert printed(f"{script}print(names, 'numba' in sys.modules)", jit=True) == "[] False\n"
