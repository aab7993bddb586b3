"""The AEC environment: PettingZoo's own tests, and that it plays the game that Env plays."""

import warnings

import numpy as np
import pytest

import dealers_choice as dc

pytest.importorskip("pettingzoo")
from pettingzoo.test import api_test, render_test, seed_test  # noqa: E402

GAMES = [*dc.games(), "holdem[limit=no_limit]", "ofc[players=3]"]


@pytest.mark.parametrize("spec", GAMES)
def test_pettingzoo_api(spec, capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Said of every environment whose observations are dicts with an action mask.
        warnings.filterwarnings("ignore", "Observation is not a NumPy array|Observation space for each agent probably")
        # An agent that is done has no legal action.
        warnings.filterwarnings("ignore", "Action mask numpy array is all zeros")
        api_test(dc.env(spec), num_cycles=1000)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("spec", GAMES)
def test_pettingzoo_seed(spec):
    seed_test(lambda: dc.env(spec), num_cycles=200)


@pytest.mark.parametrize("spec", GAMES)
def test_pettingzoo_render(spec):
    render_test(lambda **options: dc.env(spec, **options))


@pytest.mark.parametrize("spec", ["leduc", "ofc[players=3]", "stud"])
def test_rewards_add_up(spec):
    env, rng = dc.env(spec), np.random.default_rng(3)
    for seed in range(20):
        env.reset(seed=seed)
        table = env.table.clone()
        total = dict.fromkeys(env.agents, 0.0)
        for agent in env.agent_iter():
            seen, reward, terminated, truncated, _ = env.last()
            total[agent] += reward
            if terminated or truncated:
                assert terminated and not truncated and not seen["action_mask"].any()
                env.step(None)
                continue
            seat = env.possible_agents.index(agent)
            assert seat == table.current_player
            assert np.array_equal(seen["observation"], table.observe(seat).data)
            assert np.flatnonzero(seen["action_mask"]).tolist() == table.legal_actions()
            other = (seat + 1) % len(env.possible_agents)
            waiting = env.observe(env.possible_agents[other])
            assert np.array_equal(waiting["observation"], table.observe(other).data)
            assert not waiting["action_mask"].any()
            action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
            table.step(action)
            env.step(action)
        assert list(total.values()) == pytest.approx(table.returns())
        assert env.agents == []
        with pytest.raises(dc.UsageError, match="reset"):
            env.step(0)


def test_who_looks_and_what_it_is_called():
    env = dc.env("leduc", render_mode="ansi")
    assert env.metadata["name"] == "dealers_choice/leduc" and str(env) == "dealers_choice/leduc"
    env.reset(seed=1)
    looked = set()
    while env.table.current_player >= 0:
        seat = env.table.current_player
        looked.add(seat)
        assert env.agent_selection == f"player_{seat}"
        assert env.render() == env.table.to_string(seat)
        with pytest.raises(dc.UsageError, match="None ends an agent that is done"):
            env.step(None)
        env.step(env.table.legal_actions()[-1])
    assert looked == {0, 1}
    # After the end all are stepped once more, the first seat first.
    assert env.agent_selection == "player_0" and env.render() == env.table.to_string(0)


def test_seeds():
    env, other = dc.env("leduc"), dc.env("leduc")
    texts = []
    for one in (env, other):
        one.reset(seed=5)
        first = one.table.to_json(0)
        one.reset()
        texts.append((first, one.table.serialize()))
    assert texts[0] == texts[1]
    env.reset(seed=5)
    assert env.table.to_json(0) == texts[0][0]
    env.reset(seed=6)
    deals = set()
    for _ in range(20):
        env.reset()
        deals.add(env.table.serialize())
    assert len(deals) == 20


def test_amounts_and_what_is_refused():
    env = dc.env("holdem[limit=no_limit]", render_mode="ansi")
    with pytest.raises(dc.UsageError, match="reset"):
        env.step(0)
    env.reset(seed=1)
    agent = env.agent_selection
    low, high, step = env.infos[agent]["amounts"]
    assert all(not info for name, info in env.infos.items() if name != agent)
    before = env.table.serialize()
    with pytest.raises(dc.IllegalAction):
        env.step_amount(high + step)
    with pytest.raises(dc.IllegalAction):
        env.step(63)
    assert env.table.serialize() == before and env.agent_selection == agent
    env.step_amount(low + step)
    assert f"{low + step}" in env.render() and env.agent_selection != agent
    assert env.choices()[0]["text"]
    with pytest.raises(dc.UsageError, match="render_mode"):
        dc.env("leduc", render_mode="rgb")
    with pytest.raises(dc.UsageError, match="render_mode"):
        dc.env("leduc").render()


def test_truncation():
    env, rng = dc.env("ofc", max_steps=4), np.random.default_rng(0)
    env.reset(seed=0)
    steps = 0
    for agent in env.agent_iter():
        seen, _, terminated, truncated, _ = env.last()
        assert not terminated
        if truncated:
            env.step(None)
            continue
        env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
        steps += 1
    assert steps == 4
