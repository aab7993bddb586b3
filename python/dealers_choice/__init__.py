"""Dealer's Choice: games, environments, agents and matches of the poker family.

    import dealers_choice as dc

    dc.games()                                   # the games there are
    table = dc.Env("ofc")                        # one table
    tables = dc.vector_env("draw", 4096)         # many tables, NumPy arrays without copies
    env = dc.env("leduc")                        # PettingZoo (extra 'pettingzoo')
    env = dc.gym_env("leduc", opponents="rule")  # Gymnasium (extra 'gymnasium'): gymnasium.make("dealers_choice/leduc")
    dc.play_match("ofc", ["rule", "random"], deals=500)

docs/python.md has a page on each.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._core import (
    Agent,
    AgentFailure,
    CheckpointError,
    ConfigError,
    Decision,
    Deck,
    Env,
    Error,
    Evaluator,
    FileError,
    Game,
    Hand,
    IllegalAction,
    Observation,
    ObservationPart,
    ParseError,
    Ranking,
    Step,
    UsageError,
    decks,
    derive,
    evaluate,
    fantasyland,
    games,
    make_agent,
    make_game,
    play_match,
    rankings,
)
from ._vector_env import VectorEnv

if TYPE_CHECKING:
    from ._gymnasium import GymEnv
    from ._pettingzoo import AecEnv

__version__ = _core.__version__

__all__ = [
    "Agent",
    "AgentFailure",
    "CheckpointError",
    "ConfigError",
    "Decision",
    "Deck",
    "Env",
    "Error",
    "Evaluator",
    "FileError",
    "Game",
    "Hand",
    "IllegalAction",
    "Observation",
    "ObservationPart",
    "ParseError",
    "Ranking",
    "Step",
    "UsageError",
    "VectorEnv",
    "decks",
    "derive",
    "env",
    "evaluate",
    "fantasyland",
    "games",
    "gym_env",
    "make_agent",
    "make_game",
    "named_parts",
    "play_match",
    "rankings",
    "vector_env",
]


def vector_env(spec: str | Game, num_envs: int, threads: int = 1, **options: Any) -> VectorEnv:
    """num_envs tables, stepped together into NumPy arrays: a VectorEnv, which tells the options.

    With Gymnasium it is a gymnasium.vector.VectorEnv.
    """
    return VectorEnv(spec, num_envs, threads, **options)


def env(spec: str | Game, **options: Any) -> AecEnv:
    """A PettingZoo AEC environment; AecEnv tells the options. Raises ImportError without PettingZoo."""
    return _optional("_pettingzoo", "pettingzoo").AecEnv(spec, **options)


def gym_env(spec: str | Game, opponents: Any = "rule", seat: int | None = 0, **options: Any) -> GymEnv:
    """A Gymnasium environment: one seat, the others played by agents. GymEnv tells the options.

    Raises ImportError without Gymnasium.
    """
    return _optional("_gymnasium", "gymnasium").GymEnv(spec, opponents, seat, **options)


def named_parts(game: Game, observation: Observation | np.ndarray) -> dict[str, np.ndarray]:
    """The parts of an observation by name, each a view in its own shape: Game.observation_parts.

    Leading dimensions stay: of an array [num_envs, observation_size] the parts are [num_envs, *shape].
    """
    data = observation.data if isinstance(observation, Observation) else observation
    if data.shape[-1] != game.observation_size:
        raise UsageError(f"an observation of {data.shape[-1]} numbers; '{game.spec}' has {game.observation_size}")
    return {
        part.name: data[..., part.offset : part.offset + part.size].reshape(data.shape[:-1] + part.shape)
        for part in game.observation_parts
    }


# Pickle finds functions of Python's by their names, but not compiled ones.
def _restore_game(spec: str) -> Game:
    return make_game(spec)


def _restore_env(spec: str, options: tuple[bool, bool, int], data: bytes) -> Env:
    hold_hands, keep_events, max_steps = options
    table = Env(spec, hold_hands=hold_hands, keep_events=keep_events, max_steps=max_steps)
    table.deserialize(data)
    return table


def _restore_agent(source: Any, game: Game, state: tuple[Any, ...]) -> Agent:
    return _core._restore_agent(source, game, state)


def _optional(module: str, extra: str) -> Any:
    try:
        return importlib.import_module(f".{module}", __name__)
    except ModuleNotFoundError as missing:
        raise ImportError(f"{missing.name} is not installed: pip install 'dealers_choice[{extra}]'") from None


# gymnasium.make("dealers_choice/leduc") knows the games as soon as this package is imported.
try:
    from ._gymnasium import register_games
except ImportError:
    pass
else:
    register_games()
