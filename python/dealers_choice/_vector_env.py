"""dealers_choice.vector_env(): a gymnasium.vector.VectorEnv where Gymnasium is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._core import Game, Tables, UsageError

if TYPE_CHECKING:
    from gymnasium.vector import VectorEnv as _Base
else:
    try:
        from gymnasium.vector import VectorEnv as _Base
    except ImportError:

        class _Base:
            """Stands for Gymnasium's, which is not installed."""

            closed = False
            _np_random = None

            def __class_getitem__(cls, types):
                return cls

            @property
            def np_random(self):
                if self._np_random is None:
                    self._np_random = np.random.default_rng()
                return self._np_random

            def reset(self, *, seed=None, options=None):
                if seed is not None:
                    self._np_random = np.random.default_rng(seed)

            def close(self):
                self.closed = True


_Observations = dict[str, np.ndarray]
_Result = tuple[_Observations, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]
_ALWAYS = [
    "observations",
    "legal_mask",
    "rewards",
    "actors",
    "actor_rewards",
    "current_players",
    "terminated",
    "truncated",
]
_ON_WISH = ["action_mask", "all_observations", "final_observations", "returns", "statistics"]


class _NotAskedFor(UsageError, AttributeError):
    """An array that the tables do not write, unless told to."""


class VectorEnv(_Base[_Observations, ArrayLike, NDArray[Any]]):
    """Many tables, stepped together and dealt anew at once when an episode ends; every seat is the caller's.

    A gymnasium.vector.VectorEnv where Gymnasium is installed. Observations are {observation: float32 [num_envs,
    observation_size], action_mask: int8 [num_envs, num_actions]}, those of the player to act. step() returns the
    rewards of the seats that acted, [num_envs]. infos has rewards, those of all seats [num_envs, players]; actors, who
    acted, and current_players, who is to act [num_envs]; and with final_observations, where an episode has ended or was
    cut off, final_obs, what the seat that acted last sees of its end.

    spec: a game. threads: change no result. max_steps: an episode is cut off after so many steps; 0: never.
    action_mask=False: observations have none. all_observations, final_observations, returns, statistics: further arrays
    that are wished for. copy: reset() and step() return new arrays; with False the buffers themselves.

    The buffers are attributes: the same arrays for ever, which every step() writes, without copies, and with
    __dlpack__. Copy what must last. Not for two threads at once.
    """

    metadata: dict[str, Any] = {"render_modes": [], "name": "dealers_choice"}

    observations: NDArray[np.float32]
    """[num_envs, observation_size] of the player to act."""
    legal_mask: NDArray[np.uint64]
    """[num_envs] of the player to act; bit a: action a is legal."""
    action_mask: NDArray[np.bool_]
    """[num_envs, num_actions]: the same, an action each."""
    current_players: NDArray[np.int8]
    """[num_envs]: the seat to act."""
    rewards: NDArray[np.float32]
    """[num_envs, players] of the last step, in the game's unit."""
    actors: NDArray[np.int8]
    """[num_envs]: the seat that acted in the last step."""
    actor_rewards: NDArray[np.float32]
    """[num_envs] of the last step, of the seat that acted."""
    terminated: NDArray[np.bool_]
    """[num_envs]: the last step ended an episode; the next is dealt."""
    truncated: NDArray[np.bool_]
    """[num_envs]: the last step cut an episode off (max_steps); the next is dealt."""
    all_observations: NDArray[np.float32]
    """[num_envs, players, observation_size] of all seats. On wish."""
    final_observations: NDArray[np.float32]
    """[num_envs, players, observation_size] of all seats at the end of an episode, written only there. On wish."""
    returns: NDArray[np.float64]
    """[num_envs, players] of an episode, written only where one has ended or was cut off. On wish."""
    statistics: NDArray[np.float64]
    """[num_envs, players, names, 2]: numerators and denominators, summed over the hands of an episode, written only
    where one has ended or was cut off. On wish."""

    def __init__(
        self,
        spec: Union[str, Game],
        num_envs: int,
        threads: int = 1,
        *,
        max_steps: int = 0,
        action_mask: bool = True,
        all_observations: bool = False,
        final_observations: bool = False,
        returns: bool = False,
        statistics: bool = False,
        copy: bool = True,
    ):
        wished = {
            "action_mask": action_mask,
            "all_observations": all_observations,
            "final_observations": final_observations,
            "returns": returns,
            "statistics": statistics,
        }
        self.tables = Tables(spec, num_envs, threads, max_steps=max_steps, **wished)
        self._copy = copy
        self._has = {*_ALWAYS, *(name for name in wished if wished[name])}
        self._bind()

    def _bind(self) -> None:
        self.game = self.tables.game
        self.num_envs = self.tables.num_envs
        self.closed = False
        for name in self._has:
            setattr(self, name, getattr(self.tables, name))

    def __getattr__(self, name: str) -> Any:
        if name in ("single_observation_space", "single_action_space", "observation_space", "action_space"):
            self._make_spaces()
            return self.__dict__[name]
        if name in _ON_WISH:
            raise _NotAskedFor(f"there is no buffer '{name}'; ask for it: vector_env(..., {name}=True)")
        raise AttributeError(f"'VectorEnv' has no attribute '{name}'")

    # Made when asked for: the batched one is as large as an observation of all tables.
    def _make_spaces(self) -> None:
        from gymnasium.vector.utils import batch_space

        from ._spaces import action_space, observation_space

        self.single_observation_space = observation_space(self.game, "action_mask" in self._has)
        self.single_action_space = action_space(self.game)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    @property
    def hands_finished(self) -> int:
        """At all tables, since reset()."""
        return self.tables.hands_finished

    def __len__(self) -> int:
        return self.num_envs

    def reset(
        self, seed: Union[int, None] = None, *, options: Union[dict[str, Any], None] = None
    ) -> tuple[_Observations, dict[str, Any]]:
        """Deals every table anew. The same seed (0 to 2**64-1) deals the same cards; None: another one every time."""
        self._check_open()
        super().reset(seed=seed)
        self.tables.reset(int(self.np_random.integers(2**63)) if seed is None else seed)
        return self._seen(), {"current_players": self._out(self.current_players)}

    def step(self, actions: ArrayLike) -> _Result:
        """Plays an action at every table: integers [num_envs], best int32. Other threads of Python run meanwhile.

        Raises IllegalAction, before any table moves, when one of them is not legal.
        """
        self._check_open()
        self.tables.step(actions)
        infos = {name: self._out(getattr(self, name)) for name in ("rewards", "actors", "current_players")}
        if "final_observations" in self._has:
            self._add_final(infos)
        return self._seen(), self._out(self.actor_rewards), self._out(self.terminated), self._out(self.truncated), infos

    def random_actions(self) -> NDArray[np.int32]:
        """[num_envs]: a legal action for each table, uniform; follows from the seed. The same array every time."""
        return self.tables.random_actions()

    def save(self) -> bytes:
        """All that decides the future, as bytes."""
        return self.tables.save()

    def load(self, data: bytes) -> None:
        """Takes what save() of the same game, num_envs and max_steps gave, and fills the buffers.

        Raises CheckpointError, and changes nothing, on anything else.
        """
        self.tables.load(data)

    def _check_open(self) -> None:
        if self.closed:
            raise UsageError("the tables are closed")

    def _out(self, array: np.ndarray) -> np.ndarray:
        return array.copy() if self._copy else array

    def _seen(self) -> _Observations:
        seen = {"observation": self._out(self.observations)}
        if "action_mask" in self._has:
            seen["action_mask"] = self._out(self.action_mask.view(np.int8))
        return seen

    def _add_final(self, infos: dict[str, Any]) -> None:
        over = self.terminated | self.truncated
        if not over.any():
            return
        infos["final_obs"], infos["_final_obs"] = np.full(self.num_envs, None, object), over
        for table in np.flatnonzero(over):
            seen = {"observation": self.final_observations[table, self.actors[table]].copy()}
            if "action_mask" in self._has:
                seen["action_mask"] = np.zeros(self.game.num_actions, np.int8)
            infos["final_obs"][table] = seen

    # The arrays are views of the tables' memory, also in a copy.
    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in self._has}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        closed = self.closed
        self._bind()
        self.closed = closed

    def __repr__(self) -> str:
        return f"VectorEnv('{self.game.spec}', {self.num_envs})"


if hasattr(_Base, "metadata"):
    from gymnasium.vector import AutoresetMode

    VectorEnv.metadata = {**VectorEnv.metadata, "autoreset_mode": AutoresetMode.SAME_STEP}
