"""Batches play the games that single environments play: the same observations, rewards, masks and ends."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from hypothesis import given, settings
from hypothesis import strategies as st

import winnable
from tests.fresh_python import printed_either_way
from winnable.envs import GameEnv, make_vec

GAMES = 3
VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("2048", {}),
    ("2048", {"params": "rows=2,columns=2"}),
    ("2048", {"params": "rows=2,columns=3,goal=4,fours=50", "reward": "win"}),
    ("2048", {"level": "2048:1230/0000/0001/0000,goal=16,ends"}),
    ("2048", {"level": "2048:eeff/eedd/0000/0000"}),
    ("drops", {"level": [f"drops:rows=4,columns=5#{seed}" for seed in range(3)]}),
    ("drops", {"level": "drops:3344/4444/3434,drops=9,every=2"}),
    ("drops", {"level": ["drops:404/444/000,open", "drops:444/444/444"]}),
    ("drops", {"level": "drops:mode=flash,rows=3,columns=4#1"}),
    ("drops", {"level": "drops:rows=9,columns=9,rules=half#1"}),
    ("rotate", {"level": [f"rotate:rows=2,columns=3,colours=2#{seed}" for seed in range(3)]}),
    ("rotate", {"level": "rotate:rows=5,columns=4,slack=2,par_max=4#2"}),
    ("rotate", {"level": "rotate:rules=pairs,rows=2,columns=4,slack=3#1"}),
    ("triple", {"level": [f"triple:layers=4,sets=1,kinds=5,side=3#{seed}" for seed in range(4)]}),
    ("triple", {"level": "triple/1-first-steps", "reward": "completion"}),
    ("triple", {"level": "triple:layout=grown,tiles=60#3"}),
    ("tetris", {"params": "width=5,height=6"}),
    ("tetris", {"params": "width=6,height=8,preview=yes"}),
    ("tetris", {"params": "rules=travel,width=5,height=7"}),
    ("tetris", {"params": "rules=travel,preview=yes,width=10,height=8"}),
    ("tetris", {"level": "tetris:x...x/xxx.x,height=6"}),
]
IDS = [f"{game}-{'-'.join(map(str, terms.values()))}"[:60] for game, terms in VARIANTS]


def equal(one: Any, other: Any) -> bool:
    return one.keys() == other.keys() and all((one[name] == other[name]).all() for name in one)


@pytest.mark.parametrize(("game", "terms"), VARIANTS, ids=IDS)
def test_a_mask_resets_what_it_names_as_in_gymnasiums_own_loop(game: str, terms: dict[str, Any]) -> None:
    batch: Any = make_vec(game, GAMES, **terms)
    loop: Any = SyncVectorEnv([lambda: GameEnv(game, **terms)] * GAMES)
    rng = np.random.default_rng(1)
    info = batch.reset(seed=[5, 6, 9])[1]
    loop.reset(seed=[5, 6, 9])
    for step in range(24):
        if step % 4 == 3:
            mask = rng.random(GAMES) < 0.5
            mask[step % GAMES] = True
            seeds = [None, 7, None] if step % 8 == 3 else None
            seen, info = batch.reset(seed=seeds, options={"reset_mask": mask})
            other, said = loop.reset(seed=seeds, options={"reset_mask": mask.copy()})
            assert (info["_seed"] == mask).all()
            assert (info["seed"][mask] == said["seed"][mask]).all()
            assert (info["action_mask"][mask] == said["action_mask"][mask]).all()
        else:
            legal = [rng.choice(np.flatnonzero(one)) if one.any() else 0 for one in info["action_mask"]]
            seen, *_, info = batch.step(np.array(legal))
            other, *_, said = loop.step(np.array(legal))
            assert equal(info, said)
        assert equal(seen, other)


@pytest.mark.parametrize(
    "reset",
    [
        {"seed": -1},
        {"seed": [1, -1, 2]},
        {"seed": [1, 2]},
        {"seed": 1.5},
        {"seed": "5"},
        {"seed": True},
        {"seed": [1, 2, "3"]},
        {"seed": np.array([1.0, 2.0, 3.0])},
        {"seed": 2**53 - 1},
        {"options": {"mask": 1}},
        {"options": 5},
        {"options": [1]},
        {"options": {"reset_mask": [[True], [True, False]]}},
        *({"options": {"reset_mask": mask}} for mask in ([True], [1, 0, 1], np.zeros(3, bool), True, "all")),
    ],
)
def test_a_reset_that_means_nothing_is_one_error_and_changes_nothing(reset: dict[str, Any]) -> None:
    batch: Any = make_vec("2048", GAMES)
    with pytest.raises(winnable.WinnableError, match="reset all"):
        batch.reset(options={"reset_mask": np.array([True, False, True])})
    seen, info = batch.reset(seed=3)
    with pytest.raises(winnable.WinnableError, match=r"seed|options"):
        batch.reset(**reset)
    after, said = batch.reset(seed=[9, 9, 9], options={"reset_mask": np.array([False, True, False])})
    assert [*said["seed"]] == [3, 9, 5]
    assert all((seen[name][[0, 2]] == after[name][[0, 2]]).all() for name in seen)
    assert [*info["seed"]] == [3, 4, 5]


def test_seeds_come_in_all_kinds_of_whole_numbers() -> None:
    batch: Any = make_vec("2048", GAMES)
    first = batch.reset(seed=[None, 5, None])[1]["seed"]
    assert first[1] == 5
    for seed in (np.int64(7), np.array([7, 8, 9]), (7, np.int32(8), 9), np.arange(7, 10, dtype=np.uint8)):
        assert [*batch.reset(seed=seed)[1]["seed"]] == [7, 8, 9]
    single: Any = GameEnv("2048")
    assert single.reset(seed=np.int64(7))[1]["seed"] == 7
    for wrong in (-1, 1.5, "5", True, [5]):
        with pytest.raises(winnable.WinnableError, match="seed"):
            single.reset(seed=wrong)
    with pytest.raises(winnable.WinnableError, match="options"):
        single.reset(options={"level": 3})
    assert single.reset()[1]["seed"] != 7


def test_actions_that_are_no_whole_numbers_are_refused() -> None:
    batch: Any = make_vec("2048", GAMES)
    batch.reset(seed=1)
    for actions in ([0.5, 1, 2], ["0", "1", "2"], [True, False, True], [0, 1, 10**5000], [[0], [1, 2]]):
        with pytest.raises(winnable.WinnableError, match="actions"):
            batch.step(actions)


@pytest.mark.parametrize(("game", "terms"), VARIANTS, ids=IDS)
@settings(max_examples=5, deadline=None)
@given(
    seed=st.integers(0, 2**53 - 1 - GAMES),
    wild=st.sampled_from([0.0, 0.05]),
    limit=st.sampled_from([None, 7]),
)
def test_a_batch_is_its_games_one_by_one(
    game: str, terms: dict[str, Any], seed: int, wild: float, limit: int | None
) -> None:
    """Gymnasium's own loop over environments, in its own mode. wild: how often an action is any at all."""
    batch = make_vec(game, GAMES, **terms, illegal=-0.5, max_episode_steps=limit)

    def single() -> gymnasium.Env[Any, Any]:
        env: gymnasium.Env[Any, Any] = GameEnv(game, **terms, illegal=-0.5)
        return env if limit is None else gymnasium.wrappers.TimeLimit(env, limit)

    loop: Any = SyncVectorEnv([single] * GAMES)
    assert loop.metadata["autoreset_mode"] == batch.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    assert batch.observation_space == loop.observation_space
    assert batch.action_space == loop.action_space
    seen, info = batch.reset(seed=seed)
    seen_one_by_one, info_one_by_one = loop.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for _ in range(60):
        assert equal(seen, seen_one_by_one)
        assert equal(info, info_one_by_one)
        assert seen in batch.observation_space
        masks = info["action_mask"]
        assert (batch.action_masks() == masks).all()
        legal = [rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks]
        anyhow = rng.integers(masks.shape[1], size=GAMES)
        actions = np.where(rng.random(GAMES) < wild, anyhow, legal)
        seen, *said, info = batch.step(actions)
        seen_one_by_one, *said_one_by_one, info_one_by_one = loop.step(actions)
        for one, other in zip(said, said_one_by_one, strict=True):
            assert one.dtype == other.dtype
            assert (one == other).all()


def test_arrays_stay_as_they_are_unless_told_otherwise() -> None:
    for copy in (True, False):
        envs = make_vec("2048", 2, copy=copy)
        first, info = envs.reset(seed=1)
        before = first["board"].copy()
        actions = info["action_mask"].argmax(axis=1)
        _, rewards, *_ = envs.step(actions)
        assert (first["board"] == before).all() == copy
        assert rewards.flags.writeable == copy
    with pytest.raises(ValueError, match="read-only"):
        first["board"][:] = 0


def test_resets_go_on_and_can_be_told_apart() -> None:
    envs, other = make_vec("2048", 2), make_vec("2048", 2)
    first, info = envs.reset(seed=[5, 9])
    assert info["seed"].tolist() == [5, 9]
    assert (first["board"][1] == GameEnv("2048").reset(seed=9)[0]["board"]).all()
    _, again = envs.reset()
    other.reset(seed=[5, 9])
    assert again["seed"].tolist() == other.reset()[1]["seed"].tolist() != [5, 9]
    assert make_vec("2048", 2).reset()[1]["seed"].tolist() != make_vec("2048", 2).reset()[1]["seed"].tolist()


def test_gymnasium_makes_it() -> None:
    envs = gymnasium.make_vec("winnable/2048-v0", num_envs=3, params="rows=2,columns=2", max_episode_steps=4)
    envs.reset(seed=1)
    cut = [envs.step(np.zeros(3, np.int64))[3].all() for _ in range(4)]
    assert cut == [False, False, False, True]


@pytest.mark.parametrize("illegal", [0.0, "raise"])
def test_refused_actions_play_nothing(illegal: Any) -> None:
    envs = make_vec("2048", 2, "2048:1000/0000/0000/0000", illegal=illegal)
    seen, _ = envs.reset(seed=1)
    for action in (4, -1) + ((0,) if illegal == "raise" else ()):
        with pytest.raises(winnable.IllegalAction, match=r"actions\[1\]"):
            envs.step(np.array([1, action]))
        assert not (envs.step(np.array([1, 1]))[0]["board"] == seen["board"]).all()
        envs.reset(seed=1)


@pytest.mark.parametrize(
    ("game", "terms", "said"),
    [
        ("drops", {}, "level"),
        ("drops", {"level": ["drops:11/11", "drops:11/11,rules=half"]}, "half"),
        ("triple", {"level": "triple/6-second-chance"}, "tools"),
        ("2048", {"params": "moves=20"}, "dice"),
        ("2048", {"level": ["2048:1000/0000/0000/0000", "2048:2000/0000/0000/0000"]}, "dice"),
        ("tetris", {"params": "garbage=3"}, "dice"),
        ("tetris", {"params": "rules=article"}, "article"),
        ("2048", {"reward": "completion"}, "score"),
        *(("2048", {"num_envs": given}, "num_envs") for given in (0, "3", 2.0, None, 10**9, 10**5000)),
        *(("2048", {"max_episode_steps": given}, "max_episode_steps") for given in (-1, "9", 1.5, 10**40)),
        ("2048", {"illegal": None}, "illegal"),
        ("2048", {"reward": max}, "reward"),
    ],
)
def test_what_no_batch_plays_is_one_error(game: str, terms: dict[str, Any], said: str) -> None:
    with pytest.raises(winnable.WinnableError, match=said):
        make_vec(game, **terms)


def test_wrong_shapes_and_seeds_are_refused() -> None:
    envs = make_vec("2048", 2)
    for seed in ([1], -1, 2**53 - 1):
        with pytest.raises(winnable.WinnableError, match="seed"):
            envs.reset(seed=seed)
    envs.reset(seed=0)
    with pytest.raises(winnable.WinnableError, match="actions"):
        envs.step(np.zeros(3, np.int64))


def test_as_plain_python() -> None:
    levels = {
        "2048": None,
        "tetris": None,
        "drops": "drops/05-puddle",
        "rotate": "rotate/02-bulls-eye",
        "triple": "triple/1-first-steps",
    }
    printed_either_way(f"""
from winnable.envs import make_vec
for game, level in {levels}.items():
    envs = make_vec(game, 2, level)
    seen, info = envs.reset(seed=3)
    for _ in range(30):
        seen, *_, info = envs.step(info["action_mask"].argmax(axis=1))
    print(seen, info["seed"])
""")
