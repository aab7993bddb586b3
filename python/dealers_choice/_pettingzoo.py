"""dealers_choice.env(): needs PettingZoo."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from ._core import Decision, Env, Game, UsageError, make_game
from ._spaces import info_of, observation_space, observe

_MODES = ["ansi", "human"]


class AecEnv(AECEnv):
    """One table as a PettingZoo environment of agents player_0, player_1, …: one a seat.

    An observation is {observation: float32 [observation_size], action_mask: int8 [num_actions]}; the mask is 0
    everywhere unless the agent is to act. Rewards are in the game's unit and come when a hand ends. All agents end
    together. What is not legal raises IllegalAction, and changes nothing.

    spec: a game. render_mode: "ansi" (render() returns text), "human" (it prints) or None. max_steps: an episode is
    cut off after so many steps; 0: never.

    Where any amount may be bet, infos of the agent to act has amounts, (low, high, step), and step_amount(total) bets
    one beside the actions.
    """

    metadata = {"render_modes": _MODES, "name": "dealers_choice", "is_parallelizable": False, "render_fps": 1}

    def __init__(self, spec: str | Game, render_mode: str | None = None, max_steps: int = 0):
        super().__init__()
        if render_mode is not None and render_mode not in _MODES:
            raise UsageError(f"render_mode {render_mode!r}; expected None or one of {', '.join(_MODES)}")
        self.game = make_game(spec)
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "name": f"dealers_choice/{self.game.name}"}
        self.table = Env(self.game, max_steps=max_steps)
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: observation_space(self.game) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.game.num_actions) for agent in self.possible_agents}
        self.agents: list[str] = []
        self._np_random: np.random.Generator | None = None

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals anew. The same seed deals the same cards; without one they follow from the last seed given."""
        if seed is not None or self._np_random is None:
            self._np_random, _ = seeding.np_random(seed)
        self.table.reset(int(self._np_random.integers(2**63)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._end_if_over()
        self._select()

    def step(self, action: int | Decision | None) -> None:
        """Plays an action of agent_selection. After the end every agent is stepped once more, with None."""
        if not self.agents:
            raise UsageError("no agent is left; call reset()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise UsageError("None ends an agent that is done; expected an action")
        rewards = self.table.step(action).rewards
        self._cumulative_rewards[agent] = 0.0
        for name, reward in zip(self.agents, rewards):
            self.rewards[name] = reward
            self._cumulative_rewards[name] += reward
        if self.table.current_player < 0:
            self._end_if_over()
        self._select()

    def step_amount(self, total: int) -> None:
        """Bets so that the player has put in this total, in chips, in the round of betting: any of infos' amounts."""
        self.step(Decision.bet_to(total))

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        return observe(self.table, self._seats[agent])

    def choices(self) -> list[dict[str, Any]]:
        """What may be chosen, in words: Env.choices()."""
        return self.table.choices()

    def render(self) -> str | None:
        """The table as the agent to act sees it; after the end as the first seat does."""
        if self.render_mode is None:
            raise UsageError(f"there is no render_mode; make the environment with one of {', '.join(_MODES)}")
        text = self.table.to_string(max(self.table.current_player, 0))
        if self.render_mode == "ansi":
            return text
        print(text, flush=True)
        return None

    def close(self) -> None:
        """There is nothing to close."""

    def __str__(self) -> str:
        return f"dealers_choice/{self.game.spec}"

    def _end_if_over(self) -> None:
        self.terminations = dict.fromkeys(self.agents, self.table.terminated)
        self.truncations = dict.fromkeys(self.agents, self.table.truncated)

    def _select(self) -> None:
        seat = self.table.current_player
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        if seat >= 0:
            self.agent_selection = self.possible_agents[seat]
            self.infos[self.agent_selection] = info_of(self.table)
        else:
            self.agent_selection = self.agents[0]
