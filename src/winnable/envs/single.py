"""One game at a time, by the readable rules, as an environment of Gymnasium."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Literal, TypeAlias

import gymnasium
import numpy as np
from numpy.typing import NDArray

from winnable.contract.arguments import MAX_SEED, of_kind, whole
from winnable.contract.chance import following_seed
from winnable.contract.core import Action, Puzzle, WinnableError
from winnable.envs.episodes import Episodes, Levels
from winnable.envs.rewards import Reward, RewardName, penalty_of, reward_of
from winnable.envs.spaces import Observation, observation_space

RenderMode: TypeAlias = Literal["ansi", "rgb_array"]


class GameEnv(gymnasium.Env[Observation, np.int64]):
    """Observations are arrays of numbers by name (docs/envs.md has all), new ones at each step. Actions are
    those of the puzzle. An episode is terminated at the goal, and when no action is legal; only Gymnasium's
    own TimeLimit truncates it. `info` has `action_mask`, int8 [actions], 1 for the legal ones, and `seed`,
    that of the episode."""

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        level: Levels | None = None,
        *,
        params: str | Mapping[str, Any] = "",
        reward: RewardName | Reward | None = None,
        illegal: float | Literal["raise"] = 0.0,
        render_mode: RenderMode | None = None,
    ) -> None:
        """level:   what `winnable.load` takes, or several of the same size, of which each seed means one. In
                 a game of chance each episode has dice of its own. None: each has a level of its own, made
                 from its seed: `reset(seed=5)` plays `GAME:params#5`
        params:  of such levels, as `rows=4,columns=4`, or as a mapping
        reward:  a name of `RewardName`, or a function; None: the score where the game has one, else `win`
        illegal: what an action pays that is not legal; nothing else comes of it. `raise`: IllegalAction

        Raises WinnableError.
        """
        known = self.metadata["render_modes"]
        if render_mode is not None and of_kind("render_mode", render_mode, str) not in known:
            raise WinnableError("env.render", field="render_mode", given=render_mode, known=known)
        self.render_mode = render_mode
        self._episodes = Episodes(game, level, params)
        self._reward, self._penalty = reward, penalty_of(illegal)
        self.observation_space = observation_space(self._episodes.fields)
        self.action_space = gymnasium.spaces.Discrete(self._episodes.num_actions)
        self._seed: int | None = None
        self._frame: tuple[int, int] | None = None
        self._begin(self._episodes.first)

    def _begin(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self._arrays = self._episodes.arrays(puzzle)
        self._pays = self._reward if callable(self._reward) else reward_of(puzzle, self._reward)
        self.state: Any = puzzle.initial()
        self._mask = self._legal()

    def __copy__(self) -> GameEnv:
        return deepcopy(self)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """seed: of the episode, and so of those after it; None: the one that follows the last. There are no
        options. Raises WinnableError; then nothing has changed."""
        if options is not None and of_kind("options", options, Mapping):
            raise WinnableError("env.options", field="options", given=[*map(str, options)], known=[])
        seed = None if seed is None else whole("seed", seed, 0, MAX_SEED)
        super().reset(seed=seed)
        if seed is None:
            last = self._seed
            seed = int(self.np_random.integers(MAX_SEED)) if last is None else following_seed(last)
        self._seed = seed
        self._begin(self._episodes.puzzle(seed))
        return self._observed(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Raises IllegalAction for what is no action of the level, with `illegal="raise"` for any that is not
        legal now."""
        number = whole("action", action)
        is_action = 0 <= number < self._episodes.num_actions
        if is_action and not self._mask[number] and self._penalty is not None:
            reward = self._penalty
        else:
            before, self.state = self.state, self.puzzle.apply(self.state, number)
            reward = float(self._pays(self.puzzle, before, number, self.state))
            self._mask = self._legal()
        return self._observed(), reward, not self._mask.any(), False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """bool [actions], True for the legal ones; sb3-contrib asks for them by this name."""
        return self._mask.astype(np.bool_)

    def render(self) -> Any:
        """`ansi`: text; `rgb_array`: uint8 [height, width, 3], of the first picture's size always."""
        game = self._episodes.game
        if self.render_mode == "ansi":
            return game.render(self.puzzle, self.state)
        if self.render_mode == "rgb_array":
            from winnable.envs.pictures import rasterised

            picture = rasterised(game.svg(self.puzzle, self.state), self._frame)
            self._frame = picture.shape[1], picture.shape[0]
            return picture
        return None

    def _legal(self) -> NDArray[np.int8]:
        """None at the goal, whatever the rules would still allow."""
        mask = np.zeros(self._episodes.num_actions, np.int8)
        if not self.puzzle.is_goal(self.state):
            legal: list[Action] = [*self.puzzle.legal_actions(self.state)]
            mask[legal] = 1
        return mask

    def _observed(self) -> Observation:
        into = {name: np.empty(field.shape, field.dtype) for name, field in self._arrays.fields.items()}
        self._arrays.fill(self.state, into)
        return into

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask.copy(), "seed": self._seed}
