"""The games as environments of Gymnasium; see docs/envs.md.

Importing this registers them: `gymnasium.make("winnable/Drops-v0")`. Whoever imports gymnasium only names
this module besides: `gymnasium.make("winnable.envs:winnable/Drops-v0")`. No game is imported before it is
made. Without the extra `gym` the import raises WinnableError.
"""

from importlib import import_module as _import_module
from typing import Any as _Any

from winnable.contract.errors import WinnableError

try:
    _registration: _Any = _import_module("gymnasium.envs.registration")
except ModuleNotFoundError as error:
    raise WinnableError("extra", field="winnable.envs", name="gymnasium", extra="gym") from error

from winnable.contract.registry import GAMES
from winnable.envs.rewards import Reward as Reward
from winnable.envs.rewards import RewardName as RewardName
from winnable.envs.single import GameEnv as GameEnv
from winnable.envs.vector import GameVectorEnv as GameVectorEnv

make_vec = GameVectorEnv

for _game in GAMES:
    _registration.register(
        id=f"winnable/{''.join(part.capitalize() for part in _game.split('-'))}-v0",
        entry_point=f"{__name__}:GameEnv",
        vector_entry_point=f"{__name__}:GameVectorEnv",
        kwargs={"game": _game},
    )
