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
    afterstates,
    decks,
    derive,
    evaluate,
    fantasyland,
    feature_names,
    games,
    make_agent,
    make_game,
    models,
    num_afterstate_features,
    play_match,
    rankings,
)
from ._vector_env import VectorEnv

if TYPE_CHECKING:
    from ._gymnasium import GymEnv
    from ._pettingzoo import AecEnv
    from ._torch import AfterstateNetwork, PolicyNetwork

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
    "afterstates",
    "decks",
    "derive",
    "env",
    "evaluate",
    "fantasyland",
    "feature_names",
    "features",
    "games",
    "gym_env",
    "load_torch",
    "make_agent",
    "make_game",
    "models",
    "named_parts",
    "num_afterstate_features",
    "play_match",
    "rankings",
    "vector_env",
]


def vector_env(spec: str | Game, num_envs: int, threads: int = 1, **options: Any) -> VectorEnv:
    """num_envs tables, stepped together into NumPy arrays: a VectorEnv, which lists the options.

    With Gymnasium it is a gymnasium.vector.VectorEnv.
    """
    return VectorEnv(spec, num_envs, threads, **options)


def env(spec: str | Game, **options: Any) -> AecEnv:
    """A PettingZoo AEC environment; AecEnv lists the options. Raises ImportError without PettingZoo."""
    return _optional("_pettingzoo", "pettingzoo").AecEnv(spec, **options)


def gym_env(spec: str | Game, opponents: Any = "rule", seat: int | None = 0, **options: Any) -> GymEnv:
    """A Gymnasium environment: one seat, the others played by agents. GymEnv lists the options.

    Raises ImportError without Gymnasium.
    """
    return _optional("_gymnasium", "gymnasium").GymEnv(spec, opponents, seat, **options)


def features(game: str | Game, observation: Observation | np.ndarray) -> np.ndarray:
    """What networks of the game are told beside the observation: float32 [..., len(feature_names(game))].

    observation: of a seat to act, or an array [..., observation_size] of them. What the features are called is
    feature_names(game); games without any give none. docs/weights.md says how networks take them. Other threads of
    Python run meanwhile. Raises UsageError when it is not an observation of the game.
    """
    game = make_game(game)
    data = _data_of(game, observation)
    made = _core._features(game, np.ascontiguousarray(data.reshape(-1, game.observation_size)))
    return made.reshape(*data.shape[:-1], -1) if made.size else made.reshape(*data.shape[:-1], made.shape[1])


def load_torch(file: Any, game: str | Game | None = None) -> PolicyNetwork | AfterstateNetwork:
    """A trained network, models()[name] or a file of your own, as a torch.nn.Module. Raises ImportError without PyTorch.

    game: None for the one that it was trained for.
    """
    return _optional("_torch", "torch").load_torch(file, game)


def named_parts(game: Game, observation: Observation | np.ndarray) -> dict[str, np.ndarray]:
    """The parts of an observation by name, each a view in its own shape: Game.observation_parts.

    Leading dimensions stay: of an array [num_envs, observation_size] the parts are [num_envs, *shape].
    """
    data = _data_of(game, observation)
    return {
        part.name: data[..., part.offset : part.offset + part.size].reshape(data.shape[:-1] + part.shape)
        for part in game.observation_parts
    }


def _data_of(game: Game, observation: Observation | np.ndarray) -> np.ndarray:
    data = observation.data if isinstance(observation, Observation) else np.asarray(observation, np.float32)
    if data.ndim == 0 or data.shape[-1] != game.observation_size:
        numbers = data.shape[-1] if data.ndim else 1
        raise UsageError(f"an observation of {numbers} numbers; '{game.spec}' has {game.observation_size}")
    return data


def __getattr__(name: str) -> Any:
    # Without importing PyTorch, which takes seconds, for those who do not ask.
    if name in ("PolicyNetwork", "AfterstateNetwork"):
        return getattr(_optional("_torch", "torch"), name)
    raise AttributeError(f"module 'dealers_choice' has no attribute '{name}'")


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
