"""The Gymnasium environments: Gymnasium's own check, and that opponents play where they sit."""

import subprocess
import sys
import warnings

import numpy as np
import pytest

import dealers_choice as dc

gymnasium = pytest.importorskip("gymnasium")
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


@pytest.mark.parametrize("game", [*dc.games(), "holdem[limit=no_limit,players=4]"])
def test_gymnasium_check(game):
    options = {"spec": game} if "[" in game else {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(f"dealers_choice/{game.split('[')[0]}", opponents="random", **options).unwrapped)


def test_gymnasium_makes_it_whatever_is_imported_first():
    for lines in ("import gymnasium, dealers_choice", "import dealers_choice, gymnasium", "import gymnasium"):
        name = "dealers_choice:dealers_choice/leduc" if lines == "import gymnasium" else "dealers_choice/leduc"
        code = f"{lines}; print(gymnasium.make('{name}', opponents='random', seat=1).reset(seed=1)[1])"
        assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "{'seat': 1}\n"
    many = gymnasium.make_vec("dealers_choice/leduc", 3, opponents="random")
    assert many.reset(seed=1)[0]["action_mask"].shape == (3, 3)


def test_games_are_registered_once():
    from dealers_choice._gymnasium import register_games

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        register_games()


def test_action_masks():
    env = gymnasium.make("dealers_choice/holdem")
    seen, _ = env.reset(seed=1)
    for _ in range(20):
        mask = env.get_wrapper_attr("action_masks")()
        assert mask.dtype == bool and mask.tolist() == seen["action_mask"].astype(bool).tolist() and mask.any()
        seen, _, terminated, _, _ = env.step(int(np.flatnonzero(mask)[-1]))
        if terminated:
            assert not env.get_wrapper_attr("action_masks")().any()
            seen, _ = env.reset()


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
