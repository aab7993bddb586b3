"""What the environments of other libraries share."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from ._core import Env, Game


def observation_space(game: Game, action_mask: bool = True) -> spaces.Dict:
    """{observation: float32 [observation_size], action_mask: int8 [num_actions]}"""
    low = np.empty(game.observation_size, np.float32)
    high = np.empty(game.observation_size, np.float32)
    for part in game.observation_parts:
        low[part.offset : part.offset + part.size] = part.low
        high[part.offset : part.offset + part.size] = part.high
    seen: dict[str, spaces.Space] = {"observation": spaces.Box(low, high, dtype=np.float32)}
    if action_mask:
        seen["action_mask"] = spaces.Box(0, 1, (game.num_actions,), dtype=np.int8)
    return spaces.Dict(seen)


def action_space(game: Game) -> spaces.Discrete:
    """The actions alone: amounts are none of it."""
    return spaces.Discrete(game.num_actions)


def observe(table: Env, seat: int) -> dict[str, np.ndarray]:
    """New arrays, as in observation_space()."""
    observation, mask = table.observe_arrays(seat)
    return {"observation": observation, "action_mask": mask}


def info_of(table: Env) -> dict[str, Any]:
    """{amounts: (low, high, step)} where the seat to act may bet any amount, else nothing."""
    amounts = table.amounts
    return {} if amounts is None else {"amounts": amounts}
