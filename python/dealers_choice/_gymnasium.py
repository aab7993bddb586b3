"""dealers_choice.gym_env(): needs Gymnasium."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Union

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ._core import Agent, Decision, Env, Game, IllegalAction, UsageError, games, make_agent, make_game
from ._spaces import action_space, info_of, observation_space, observe

_Seen = dict[str, np.ndarray]
_MODES = ["ansi", "human"]
_ILLEGAL = ["stand_in", "raise"]


class GymEnv(gymnasium.Env[_Seen, Union[int, Decision]]):
    """One seat of a table as a Gymnasium environment; agents play the others.

    An observation is {observation: float32 [observation_size], action_mask: int8 [num_actions]}. The reward of a step
    is what the seat has won or lost until it is to act again or the episode is over, in the game's unit. Episodes in
    which the seat has nothing to decide are passed over by reset().

    spec: a game. opponents: an agent for all other seats, or a list with one for each, in the order of the seats: specs
    ("rule"), or classes and objects with act(), see make_agent(). seat: 0 to players - 1, or None: drawn at every
    reset(); info has it. max_steps: an episode is cut off after so many decisions of all seats; 0: never.
    render_mode: "ansi" (render() returns text), "human" (every reset() and step() prints) or None.

    illegal: what an action that is not legal does. "stand_in": the first legal of fold, check, call and the action with
    the lowest number is played instead, and info has illegal=True. "raise": IllegalAction, and nothing changes.

    An action may also be Decision.bet_to(total) where info has amounts, (low, high, step).

    gymnasium.make("dealers_choice/NAME", **options) makes one, too. Can be pickled and copied in the middle of an
    episode: both then play on alike.
    """

    metadata = {"render_modes": _MODES, "render_fps": 1}

    def __init__(
        self,
        spec: str | Game,
        opponents: Any = "rule",
        seat: int | None = 0,
        *,
        illegal: str = "stand_in",
        render_mode: str | None = None,
        max_steps: int = 0,
    ):
        if render_mode is not None and render_mode not in _MODES:
            raise UsageError(f"render_mode {render_mode!r}; expected None or one of {', '.join(_MODES)}")
        if illegal not in _ILLEGAL:
            raise UsageError(f"illegal={illegal!r}; expected one of {', '.join(_ILLEGAL)}")
        self.game = make_game(spec)
        others = self.game.players - 1
        if seat is not None and not 0 <= seat <= others:
            raise UsageError(f"seat {seat} of '{self.game.spec}'; expected 0 to {others}, or None")
        if isinstance(opponents, Sequence) and not isinstance(opponents, str):
            if len(opponents) != others:
                raise UsageError(f"{len(opponents)} opponents; '{self.game.spec}' has {others} other seats")
            if len({id(agent) for agent in opponents if _is_object(agent)}) < sum(map(_is_object, opponents)):
                raise UsageError("an opponent is given twice; one object plays one seat: give its class instead")
        else:
            if others > 1 and _is_object(opponents):
                raise UsageError(f"one object plays one seat of {others}: give its class instead")
            opponents = [opponents] * others
        self._opponents: list[Agent] = [make_agent(agent, self.game) for agent in opponents]
        self._given_seat = seat
        self._illegal = illegal
        self.render_mode = render_mode
        self.table = Env(self.game, keep_events=any(agent.hears for agent in self._opponents), max_steps=max_steps)
        self.observation_space = observation_space(self.game)  # type: ignore[assignment]
        self.action_space = action_space(self.game)  # type: ignore[assignment]
        self.seat = 0 if seat is None else seat
        self._agents: dict[int, Agent] = {}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[_Seen, dict[str, Any]]:
        super().reset(seed=seed)
        if self._given_seat is None:
            self.seat = int(self.np_random.integers(self.game.players))
        others = [seat for seat in range(self.game.players) if seat != self.seat]
        self._agents = dict(zip(others, self._opponents))
        self._reward = 0.0
        # An episode in which nobody asks the seat anything is none to learn from.
        while True:
            self.table.reset(int(self.np_random.integers(2**63)))
            for seat, agent in self._agents.items():
                agent.reset(seat, int(self.np_random.integers(2**63)))
            self._play_others()
            if self.table.current_player >= 0:
                break
        return self._seen()

    def step(self, action: int | Decision) -> tuple[_Seen, float, bool, bool, dict[str, Any]]:
        if self.table.current_player < 0 or not self._agents:
            raise UsageError("the episode is over; call reset()")
        self._reward = 0.0
        illegal = False
        try:
            step = self.table.step(action)
        except IllegalAction:
            if self._illegal == "raise":
                raise
            illegal = True
            step = self.table.step(self.table.stand_in())
        self._reward += step.rewards[self.seat]
        self._play_others()
        observation, info = self._seen()
        if illegal:
            info["illegal"] = True
        return observation, self._reward, self.table.terminated, self.table.truncated, info

    def action_masks(self) -> NDArray[np.bool_]:
        """[num_actions]: what is legal, as sb3-contrib's MaskablePPO asks."""
        return observe(self.table, self.seat)["action_mask"].astype(bool)

    def render(self) -> str | None:  # type: ignore[override]
        """The table as the seat sees it."""
        if self.render_mode is None:
            raise UsageError(f"there is no render_mode; make the environment with one of {', '.join(_MODES)}")
        text = self.table.to_string(self.seat)
        if self.render_mode == "ansi":
            return text
        print(text, flush=True)
        return None

    def choices(self) -> list[dict[str, Any]]:
        """What may be chosen, in words: Env.choices()."""
        return self.table.choices()

    # A pickled table keeps the events of the hand in progress alone: those of hands before must be heard by then.
    def __getstate__(self) -> dict[str, Any]:
        for agent in self._agents.values():
            if agent.hears:
                agent.hear(self.table)
        return self.__dict__

    def _play_others(self) -> None:
        while self.table.current_player >= 0 and self.table.current_player != self.seat:
            seat = self.table.current_player
            agent = self._agents[seat]
            if agent.hears:
                agent.hear(self.table)
            self._reward += self.table.step(agent.act(self.table.observe(seat))).rewards[self.seat]
        if self.table.current_player < 0:
            for agent in self._agents.values():
                if agent.hears:
                    agent.hear(self.table)

    def _seen(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        if self.render_mode == "human":
            self.render()
        return observe(self.table, self.seat), {"seat": self.seat, **info_of(self.table)}


def register_games() -> None:
    """Makes every game known to gymnasium.make() as dealers_choice/NAME."""
    for name in games():
        if f"dealers_choice/{name}" not in gymnasium.registry:
            gymnasium.register(f"dealers_choice/{name}", "dealers_choice._gymnasium:GymEnv", kwargs={"spec": name})


def _is_object(agent: Any) -> bool:
    return not isinstance(agent, (str, type, Agent)) and hasattr(agent, "act")
