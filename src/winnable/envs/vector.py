"""Many games at a time, moved on by one call of a kernel, as a vector environment of Gymnasium."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, Literal, cast

import gymnasium
import numpy as np
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from winnable.contract.abilities import PlaysBatches, Terms
from winnable.contract.arguments import MAX_SEED, of_kind, whole
from winnable.contract.chance import following_seed
from winnable.contract.core import IllegalAction, WinnableError
from winnable.envs.episodes import Episodes, Levels
from winnable.envs.rewards import RewardName, name_of, penalty_of
from winnable.envs.spaces import Observation, observation_space

MOST_GAMES = 1_000_000
_WORKSPACE = {"_batch", "_ledger", "_seen", "_said", "_known"}


class GameVectorEnv(gymnasium.vector.VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Each game is the one that `GameEnv` plays with the same seed, action by action. What ended with one
    step begins anew with the next, whatever its action is (`AutoresetMode.NEXT_STEP`), with the seed that
    follows. `info` has `action_mask`, int8 [games, actions], and `seed`, int64 [games]."""

    observation_space: gymnasium.Space[Observation]
    single_observation_space: gymnasium.Space[Observation]
    action_space: gymnasium.Space[NDArray[np.int64]]
    single_action_space: gymnasium.Space[np.int64]

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        level: Levels | None = None,
        *,
        params: str | Mapping[str, Any] = "",
        reward: RewardName | None = None,
        illegal: float | Literal["raise"] = 0.0,
        max_episode_steps: int | None = None,
        copy: bool = True,
    ) -> None:
        """level, params, reward, illegal: as for `GameEnv`, but rewards have names. A game without chance
                 needs `level`, one or several; in a game of chance levels may differ in their dice only
        max_episode_steps: after so many an episode is truncated
        copy:    whether what is returned stays as it is; else all arrays are overwritten by the next step

        Raises WinnableError.
        """
        num_envs = whole("num_envs", num_envs, 1, MOST_GAMES)
        limit = 0 if max_episode_steps is None else whole("max_episode_steps", max_episode_steps, 0, MAX_SEED)
        self._episodes = Episodes(game, level, params)
        if not isinstance(self._episodes.game, PlaysBatches):
            raise WinnableError("env.batch.none", field="game", given=game)
        puzzles = self._episodes.batch_puzzles()
        penalty = penalty_of(illegal)
        self._terms = Terms(name_of(puzzles[0], reward), limit, penalty or 0.0, strict=penalty is None)
        self.num_envs, self._copies = num_envs, copy
        self.metadata = {"autoreset_mode": gymnasium.vector.AutoresetMode.NEXT_STEP}
        self.single_observation_space = observation_space(self._episodes.fields)
        self.single_action_space = gymnasium.spaces.Discrete(self._episodes.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._all = np.ones(num_envs, np.bool_)
        self._begun = False
        self._lay_out()

    def _lay_out(self) -> None:
        """The workspace that the games are played in, and what is shown of it."""
        game = self._episodes.game
        assert isinstance(game, PlaysBatches)
        self._batch = game.batch(self._episodes.batch_puzzles(), self.num_envs, self._terms)
        self._ledger = ledger = self._batch.ledger
        self._seen = {name: _read_only(array) for name, array in self._batch.arrays.items()}
        self._said = tuple(map(_read_only, (ledger.rewards, ledger.over, ledger.cut)))
        self._known = tuple(map(_read_only, (ledger.masks, ledger.seeds)))

    def __getstate__(self) -> dict[str, Any]:
        """A copy has a workspace of its own, in which all lies as in this one's."""
        kept = {name: value for name, value in vars(self).items() if name not in _WORKSPACE}
        return kept | {"_written": [array.copy() for array in self._batch.written]}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        written = kept.pop("_written")
        vars(self).update(kept)
        self._lay_out()
        for into, array in zip(self._batch.written, written, strict=True):
            into[...] = array

    def __copy__(self) -> GameVectorEnv:
        return deepcopy(self)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | NDArray[np.integer[Any]] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """seed:    of the first game, the others have those after it; or of each, None among them; None: the
                 seed that follows the last one
        options: `reset_mask`, bool [games], as in Gymnasium's own: the games that begin anew, at least one.
                 The others stay as they are, and so do their seeds

        Raises WinnableError; then nothing has changed.
        """
        chosen, wanted = self._chosen(options), self._wanted(seed)
        if not (self._begun or chosen.all()):
            raise WinnableError("env.mask.begun", field="options['reset_mask']")
        if (first := next((one for one in wanted if one is not None), None)) is not None:
            super().reset(seed=first)
        for game in np.flatnonzero(chosen).tolist():
            one = wanted[game]
            if one is None:
                last = int(self._ledger.seeds[game])
                one = following_seed(last) if self._begun else int(self.np_random.integers(MAX_SEED))
            self._ledger.seeds[game] = one
        self._batch.begin(None if chosen.all() else chosen)
        self._begun = True
        return self._observed(), self._info(chosen)

    def _chosen(self, options: dict[str, Any] | None) -> NDArray[np.bool_]:
        """bool [games]: those that begin anew. Raises WinnableError."""
        given = {**cast("Mapping[str, Any]", of_kind("options", {} if options is None else options, Mapping))}
        mask = given.pop("reset_mask", None)
        if given:
            known = ["reset_mask"]
            raise WinnableError("env.options", field="options", given=[*map(str, given)], known=known)
        if mask is None:
            return self._all
        chosen = _array("options['reset_mask']", mask)
        if chosen.shape != (self.num_envs,) or chosen.dtype != np.bool_ or not chosen.any():
            said = f"{chosen.dtype} {chosen.shape}"
            raise WinnableError("env.mask", field="options['reset_mask']", given=said, games=self.num_envs)
        return chosen.copy()

    def _wanted(self, seed: object) -> list[int | None]:
        """A seed of each game; None: the one that comes next. Raises WinnableError."""
        if seed is None:
            return [None] * self.num_envs
        if not isinstance(seed, Sequence | np.ndarray) or isinstance(seed, str):
            first = whole("seed", seed, 0, MAX_SEED + 1 - self.num_envs)
            return [*range(first, first + self.num_envs)]
        seeds = [*cast("Sequence[Any]", seed)]
        if len(seeds) != self.num_envs:
            raise WinnableError("env.seeds", field="seed", given=len(seeds), games=self.num_envs)
        named = [(f"seed[{game}]", one) for game, one in enumerate(seeds)]
        return [None if one is None else whole(name, one, 0, MAX_SEED) for name, one in named]

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """actions: int64 [games]. Raises IllegalAction for one that no level has, with `illegal="raise"` for
        any that is not legal; nothing is played then."""
        if (kind := _array("actions", actions).dtype).kind not in "iu":
            raise WinnableError("env.whole", field="actions", given=str(kind))
        given = np.ascontiguousarray(actions, np.int64)
        if given.shape != (self.num_envs,):
            raise WinnableError("env.actions", field="actions", given=str(given.shape), games=self.num_envs)
        refused = self._batch.step(given)
        if refused >= 0:
            raise IllegalAction("action.here", field=f"actions[{refused}]", given=int(given[refused]))
        paid, over, cut = map(np.copy, self._said) if self._copies else self._said
        return self._observed(), paid, over, cut, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """bool [games, actions], True for the legal ones."""
        return self._ledger.masks.astype(np.bool_)

    def _observed(self) -> Observation:
        if self._copies:
            return {name: array.copy() for name, array in self._seen.items()}
        return self._seen.copy()

    def _info(self, said: NDArray[np.bool_] | None = None) -> dict[str, Any]:
        """said: of which games; None: of all."""
        masks, seeds = map(np.copy, self._known) if self._copies else self._known
        flags = self._all if said is None else said
        return {"action_mask": masks, "_action_mask": flags, "seed": seeds, "_seed": flags}


def _array(field: str, given: Any) -> NDArray[Any]:
    """Raises WinnableError."""
    try:
        return np.asarray(given)
    except ValueError:  # rows of different lengths
        raise WinnableError("shape.kind", field=field, kind="array", given=type(given).__name__) from None


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()
    view.flags.writeable = False
    return view
