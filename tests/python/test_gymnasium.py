"""The Gymnasium environment: Gymnasium's own check, and that opponents play where they sit."""

import warnings

import numpy as np
import pytest

import dealers_choice as dc

pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402


def play(env, rng, seed):
    seen, info = env.reset(seed=seed)
    total, steps = 0.0, 0
    while True:
        seen, reward, terminated, truncated, info = env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
        total += reward
        steps += 1
        if terminated or truncated:
            return total, steps, terminated


class Listener:
    """Plays at random; writes down what it is told."""

    made = []

    def __init__(self):
        Listener.made.append(self)
        self.heard = []

    def reset(self, seat, seed):
        self.seat, self.rng, self.heard, self.told = seat, np.random.default_rng(seed), [], 0

    def act(self, observation):
        assert observation.player == self.seat
        assert len(self.heard) > self.told  # something has happened since the last decision
        self.told = len(self.heard)
        return int(self.rng.choice(observation.legal_actions()))

    def hear(self, events):
        self.heard += events


@pytest.mark.parametrize("spec", [*dc.games(), "holdem[limit=no_limit,players=4]"])
def test_gymnasium_check(spec):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", ".*(not registered|spec is None|render)")
        check_env(dc.gym_env(spec, opponents="random", render_mode="ansi"))


@pytest.mark.parametrize("seat", [0, 1, None])
@pytest.mark.parametrize("spec", ["leduc", "ofc", "stud"])
def test_reward_is_the_return_of_the_seat(spec, seat):
    env, rng = dc.gym_env(spec, "rule", seat), np.random.default_rng(1)
    seats = set()
    for seed in range(15):
        total, steps, terminated = play(env, rng, seed)
        assert terminated and steps > 0
        assert total == pytest.approx(env.table.returns()[env.seat])
        seats.add(env.seat)
    assert seats == ({0, 1} if seat is None else {seat})


def test_the_same_seed_is_the_same_game():
    runs = []
    for _ in range(2):
        env = dc.gym_env("draw", ["rule"], seat=None)
        runs.append([play(env, np.random.default_rng(7), seed) for seed in range(10)])
    assert runs[0] == runs[1]
    assert len(set(runs[0])) > 1


def test_opponents_written_in_python_hear_everything():
    Listener.made.clear()
    env = dc.gym_env("holdem[players=3,episode=match]", [Listener, "random"], seat=1, max_steps=300)
    rng = np.random.default_rng(2)
    for seed in range(3):
        play(env, rng, seed)
        (listener,) = Listener.made
        assert listener.seat == 0
        assert listener.heard == env.table.events(0)


def test_what_is_not_legal():
    env = dc.gym_env("leduc", "rule")
    seen, _ = env.reset(seed=0)
    illegal = int(np.flatnonzero(seen["action_mask"] == 0)[0])
    twin = env.table.clone()
    twin.step(twin.stand_in())
    _, _, _, _, info = env.step(illegal)
    assert info["illegal"] is True
    assert env.table.events(0)[: len(twin.events(0))] == twin.events(0)
    strict = dc.gym_env("leduc", "rule", illegal="raise")
    strict.reset(seed=0)
    with pytest.raises(dc.IllegalAction):
        strict.step(illegal)
    for call, words in [
        (lambda: dc.gym_env("leduc", seat=2), "expected 0 to 1"),
        (lambda: dc.gym_env("leduc", ["rule", "rule"]), "1 other seats"),
        (lambda: dc.gym_env("leduc", illegal="maybe"), "stand_in"),
        (lambda: dc.gym_env("leduc", "rulle"), "rule"),
        (lambda: dc.gym_env("leduc", render_mode="tv"), "ansi"),
        (lambda: dc.gym_env("holdem[players=3]", [Listener()] * 2), "class instead"),
        (lambda: dc.gym_env("holdem[players=3]", Listener()), "class instead"),
        (lambda: dc.gym_env("leduc").step(0), "reset"),
        (lambda: dc.gym_env("leduc").render(), "render_mode"),
    ]:
        with pytest.raises(dc.UsageError, match=words):
            call()


def test_amounts_and_rendering(capsys):
    env = dc.gym_env("holdem[limit=no_limit]", "rule:caller", render_mode="human")
    seen, info = env.reset(seed=4)
    assert "to act" in capsys.readouterr().out
    low, _, _ = info["amounts"]
    env.step(dc.Decision.bet_to(low))
    assert capsys.readouterr().out
    bets = [event for event in env.table.events(0) if event["event"] == "acted" and event["seat"] == 0]
    assert bets[0]["total"] == low
    assert env.choices() is not None
