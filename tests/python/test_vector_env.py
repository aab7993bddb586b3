"""VectorEnv against single tables and as Gymnasium's, and what it refuses."""

import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest

import dealers_choice as dc


@pytest.mark.parametrize("spec", [*dc.games(), "holdem[limit=no_limit,players=6]", "ofc[players=3,episode=match]"])
def test_vector_env_deals_what_single_tables_deal(spec):
    tables, steps, seed = 5, 400, 11
    wished = dict.fromkeys(["all_observations", "final_observations", "returns", "statistics"], True)
    envs = dc.vector_env(spec, tables, **wished, copy=False)
    envs.reset(seed)
    game = envs.game
    singles = [dc.Env(spec) for _ in range(tables)]
    episodes = [0] * tables

    def deal(e):
        while True:  # an episode in which nobody decides anything is none to a VectorEnv
            singles[e].reset(dc.derive(dc.derive(seed, e), episodes[e]))
            if singles[e].current_player >= 0:
                return
            episodes[e] += 1

    for e in range(tables):
        deal(e)
    ended = 0
    for _ in range(steps):
        for e, single in enumerate(singles):
            seat = single.current_player
            seen = single.observe(seat)
            assert envs.current_players[e] == seat
            assert int(envs.legal_mask[e]) == seen.legal_mask == single.legal_mask
            assert np.flatnonzero(envs.action_mask[e]).tolist() == seen.legal_actions() == single.legal_actions()
            assert np.array_equal(envs.observations[e], seen.data)
            for other in range(game.players):
                assert np.array_equal(envs.all_observations[e, other], single.observe(other).data)
        actions = envs.random_actions().copy()
        acted = envs.current_players.copy()
        envs.step(actions)
        assert np.array_equal(envs.actors, acted)
        for e, single in enumerate(singles):
            step = single.step(int(actions[e]))
            assert envs.actor_rewards[e] == envs.rewards[e, acted[e]]
            assert envs.rewards[e].tolist() == pytest.approx(step.rewards)
            assert envs.terminated[e] == step.terminated == single.terminated
            assert not envs.truncated[e]
            if step.terminated:
                ended += 1
                assert envs.returns[e].tolist() == pytest.approx(single.returns())
                assert np.array_equal(envs.final_observations[e, 0], single.observe(0).data)
                episodes[e] += 1
                deal(e)
    assert ended > 0 or game.spec.startswith("ofc")
    assert envs.hands_finished > 0


def test_buffers_are_the_same_objects_without_copies():
    envs = dc.vector_env("leduc", 64)
    observations, mask = envs.observations, envs.legal_mask
    assert envs.observations is observations
    assert not observations.flags.owndata and observations.dtype == np.float32
    assert observations.shape == (64, envs.game.observation_size)
    assert mask.dtype == np.uint64 and envs.action_mask.dtype == np.bool_
    assert envs.rewards.shape == (64, 2) and envs.current_players.dtype == np.int8
    envs.reset(1)
    before = observations.copy()
    envs.step(envs.random_actions())
    assert not np.array_equal(observations, before)
    shared = np.from_dlpack(observations)
    assert np.shares_memory(shared, observations)
    del envs
    observations[:] = 7  # still theirs: an array outlives the tables
    assert shared[63, 0] == 7


@pytest.mark.parametrize("spec", ["ofc", "draw", "seven_hand", "leduc"])
def test_threads_change_nothing(spec):
    runs = [dc.vector_env(spec, 33, threads, returns=True) for threads in (1, 3)]
    for envs in runs:
        envs.reset(5)
    for _ in range(200):
        actions = runs[0].random_actions().copy()
        assert np.array_equal(actions, runs[1].random_actions())
        for envs in runs:
            envs.step(actions)
        assert np.array_equal(runs[0].observations, runs[1].observations)
        assert np.array_equal(runs[0].rewards, runs[1].rewards)
        assert np.array_equal(runs[0].returns, runs[1].returns)
    assert runs[0].rewards.shape == (33, 2)


def test_any_integers_are_actions():
    envs = [dc.vector_env("kuhn", 4) for _ in range(5)]
    for one in envs:
        one.reset(3)
    actions = envs[0].random_actions()
    envs[0].step(actions)
    envs[1].step(actions.astype(np.int64))
    envs[2].step(actions.tolist())
    envs[3].step(np.repeat(actions, 2)[::2])
    envs[4].step(actions.astype(np.uint8))
    for one in envs[1:]:
        assert np.array_equal(one.observations, envs[0].observations)


def test_vector_env_refuses_and_changes_nothing():
    envs = dc.vector_env("leduc", 3)
    with pytest.raises(dc.UsageError, match="reset"):
        envs.step([0, 0, 0])
    with pytest.raises(dc.UsageError, match="reset"):
        envs.random_actions()
    envs.reset(2)
    before = envs.observations.copy()
    good = envs.random_actions().copy()
    for bad, error, words in [
        ([good[0], good[1], 9], dc.IllegalAction, "9|legal"),
        ([good[0], good[1], 2**32 + int(good[2])], dc.IllegalAction, "legal"),
        ([good[0], good[1], -1], dc.IllegalAction, "legal"),
        ([0, 0], dc.UsageError, "2 actions"),
        ([[0, 0, 0]], dc.UsageError, "shape"),
        ([0.0, 1.0, 0.0], dc.UsageError, "float64"),
    ]:
        with pytest.raises(error, match=words):
            envs.step(bad)
        assert np.array_equal(envs.observations, before)
    with pytest.raises(dc.UsageError, match="returns=True"):
        envs.returns
    assert not hasattr(envs, "statistics") and not hasattr(envs, "anything")
    with pytest.raises(ValueError):
        dc.vector_env("leduc", 0)
    with pytest.raises(ValueError):
        dc.vector_env("leduc", 4, max_steps=-1)
    envs.step(good)


def test_save_and_load_go_on_alike():
    envs, other = dc.vector_env("draw", 8), dc.vector_env("draw", 8)
    envs.reset(9)
    for _ in range(50):
        envs.step(envs.random_actions())
    other.load(envs.save())
    for _ in range(50):
        assert np.array_equal(envs.observations, other.observations)
        actions = envs.random_actions().copy()
        envs.step(actions)
        other.step(actions)
    with pytest.raises(dc.CheckpointError):
        other.load(b"nonsense")


def test_another_thread_may_run_but_not_step():
    envs, stop = dc.vector_env("ofc", 4096), threading.Event()
    envs.reset(0)

    def step_on():
        while not stop.is_set():
            try:
                envs.step(envs.random_actions())
            except dc.UsageError:
                pass

    thread = threading.Thread(target=step_on)
    thread.start()
    try:
        with pytest.raises(dc.UsageError, match="another thread"):
            for _ in range(100_000):
                envs.save()
    finally:
        stop.set()
        thread.join()


def test_truncation():
    envs = dc.vector_env("ofc", 4, max_steps=3)
    envs.reset(0)
    cut = 0
    for _ in range(9):
        envs.step(envs.random_actions())
        cut += int(envs.truncated.sum())
    assert cut == 12


def test_what_gymnasium_expects():
    gymnasium = pytest.importorskip("gymnasium")
    envs = dc.vector_env("draw", 6, final_observations=True, max_steps=7)
    assert isinstance(envs, gymnasium.vector.VectorEnv) and envs.unwrapped is envs and envs.num_envs == len(envs) == 6
    assert envs.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.SAME_STEP
    assert envs.single_action_space.n == envs.game.num_actions and envs.action_space.shape == (6,)
    seen, infos = envs.reset(seed=2)
    before = seen["observation"].copy()
    ended = 0
    for _ in range(60):
        assert envs.observation_space.contains(seen)
        assert all(envs.single_observation_space.contains({k: v[e] for k, v in seen.items()}) for e in range(6))
        acted = infos["current_players"]
        result = envs.step(envs.random_actions())
        assert all(array.shape == (6,) for array in result[1:4])
        after, rewards, terminated, truncated, infos = result
        assert np.array_equal(before, seen["observation"])  # returned arrays are the caller's
        assert np.array_equal(infos["actors"], acted)
        assert np.array_equal(rewards, infos["rewards"][np.arange(6), acted])
        assert ("final_obs" in infos) == bool((terminated | truncated).any())
        for e in np.flatnonzero(terminated | truncated):
            last = infos["final_obs"][e]
            assert infos["_final_obs"][e] and envs.single_observation_space.contains(last)
            assert np.array_equal(last["observation"], envs.final_observations[e, acted[e]])
            ended += 1
        seen, before = after, after["observation"].copy()
    assert ended > 10
    envs.close()
    envs.close()
    for call in (lambda: envs.step([0] * 6), lambda: envs.reset(seed=1)):
        with pytest.raises(dc.UsageError, match="closed"):
            call()


def test_without_copies_and_without_a_mask():
    envs = dc.vector_env("leduc", 3, copy=False, action_mask=False)
    seen, _ = envs.reset(seed=1)
    assert list(seen) == ["observation"] and seen["observation"] is envs.observations
    _, rewards, terminated, _, infos = envs.step(envs.random_actions())
    assert rewards is envs.actor_rewards and terminated is envs.terminated and infos["rewards"] is envs.rewards
    with pytest.raises(dc.UsageError, match="action_mask=True"):
        envs.action_mask
    pytest.importorskip("gymnasium")
    assert envs.observation_space.contains(seen)


def test_seeds_of_reset():
    deals = [dc.vector_env("draw", 4).reset(seed)[0]["observation"].tolist() for seed in (3, 3, None, None)]
    assert deals[0] == deals[1] and len({str(deal) for deal in deals}) == 3
    envs = [dc.vector_env("draw", 4) for _ in range(2)]
    for one in envs:
        one.reset(seed=9)
    first, second = (one.reset()[0]["observation"].tolist() for one in envs)
    assert first == second != deals[0]


def test_wrappers_of_gymnasium():
    wrappers = pytest.importorskip("gymnasium.wrappers.vector")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        envs = wrappers.RecordEpisodeStatistics(dc.vector_env("leduc", 8))
        envs.reset(seed=1)
        lengths = []
        for _ in range(40):
            *_, terminated, _, infos = envs.step(envs.unwrapped.random_actions())
            if terminated.any():
                lengths += infos["episode"]["l"][terminated].tolist()
    assert len(lengths) == envs.unwrapped.hands_finished > 20 and min(lengths) >= 1


def test_it_works_without_gymnasium():
    code = """
import sys
sys.modules["gymnasium"] = None
import pickle
import dealers_choice as dc
envs = dc.vector_env("leduc", 3)
seen, infos = envs.reset()
seen, rewards, *_ = pickle.loads(pickle.dumps(envs)).step(envs.random_actions())
print(seen["action_mask"].shape, rewards.shape)
envs.close()
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "(3, 3) (3,)\n"
