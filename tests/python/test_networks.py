"""Input features, and the shipped networks in PyTorch."""

import json
import pathlib

import numpy as np
import pytest

import dealers_choice as dc

NETWORKS = [name for name in dc.models() if not name.startswith(("solved_", "buckets_", "mixture_"))]


def positions(spec, count, seed=0):
    """Observations of seats to act, on the way through random games."""
    table, rng = dc.Env(spec), np.random.default_rng(seed)
    found = []
    while len(found) < count:
        if table.current_player < 0:
            table.reset(int(rng.integers(2**63)))
            continue
        found.append(table.observe(table.current_player))
        legal = found[-1].legal_actions()
        table.step(int(rng.choice(legal[1:] or legal)))  # folds seldom
    return found


def test_features():
    seen = positions("draw", 30)
    names = dc.feature_names("draw")
    assert names[0] == "category.NON" and "draw.best" in names
    one = dc.features("draw", seen[0])
    assert one.shape == (len(names),) and one.dtype == np.float32
    many = dc.features(dc.make_game("draw"), np.stack([each.data for each in seen]))
    assert many.shape == (30, len(names)) and np.array_equal(many[0], one)
    assert all(np.array_equal(row, dc.features("draw", each)) for row, each in zip(many, seen))
    assert many[:, names.index("hand.dealt")].min() >= 0 and len(np.unique(many[:, names.index("hand.dealt")])) > 5
    envs = dc.vector_env("draw", 4)
    envs.reset(1)
    assert dc.features("draw", envs.observations.reshape(2, 2, -1)).shape == (2, 2, len(names))
    category = dict(zip(names, one))
    hand = dc.named_parts(dc.make_game("draw"), seen[0])["hand"]
    code = dc.evaluate("standard_52", np.flatnonzero(hand).tolist(), "high").code
    assert [name for name in names if name.startswith("category.") and category[name]] == [f"category.{code}"]
    assert dc.feature_names("leduc") == [] and dc.features("leduc", positions("leduc", 1)[0]).shape == (0,)
    assert dc.features("leduc", np.stack([each.data for each in positions("leduc", 3)])).shape == (3, 0)


def test_features_refuse_what_is_no_observation():
    game = dc.make_game("draw")
    for call, words in [
        (lambda: dc.features("draw", np.zeros(3)), "3 numbers"),
        (lambda: dc.features("draw", np.float32(1)), "1 numbers"),
        (lambda: dc.features("draw", np.zeros(game.observation_size)), "observation"),
        (lambda: dc.features("drow", np.zeros(3)), "draw"),
        (lambda: dc.afterstates("draw", positions("draw", 1)[0]), "OFC and 7-Hand"),
    ]:
        with pytest.raises(dc.UsageError, match=words):
            call()


@pytest.mark.parametrize("spec", ["ofc", "ofc[players=3]", "seven_hand"])
def test_afterstates(spec):
    game, most = dc.make_game(spec), dc.num_afterstate_features(spec)
    table = dc.Env(spec)
    for seed in range(3):
        table.reset(seed)
        for _ in range(12):
            seat = table.current_player
            choices = dc.afterstates(game, table.observe(seat))
            assert len({choice["text"] for choice in choices}) == len(choices) >= 1
            for choice in choices:
                assert len(choice["rows"]) == (game.players - 1 if spec.startswith("ofc") else 1)
                assert all(0 <= feature < most for row in choice["rows"] for feature in row)
                assert all(len(set(row)) == len(row) > 10 for row in choice["rows"])
                trial = table.clone()
                for action in choice["actions"]:
                    if trial.current_player == seat:  # what is left of a turn may be forced
                        trial.step(action)
            for action in choices[seed % len(choices)]["actions"]:
                if table.current_player == seat:
                    table.step(action)
            if table.current_player < 0:
                break
    assert dc.num_afterstate_features("draw") == 0


def test_afterstates_are_none_in_fantasyland():
    table, rng = dc.Env("ofc"), np.random.default_rng(1)
    agent = dc.make_agent("rule", "ofc")
    for seed in range(300):
        table.reset(seed)
        agent.reset(0, seed)
        while table.current_player >= 0:
            seen = table.observe(table.current_player)
            if int(dc.named_parts(table.game, seen)["hand"].sum()) > 5:
                assert dc.afterstates("ofc", seen) == []
                return
            agent.reset(seen.player, seed)
            table.step(agent.act(seen))
    raise AssertionError("nobody came to Fantasyland")


def network(name):
    pytest.importorskip("torch")
    return dc.load_torch(dc.models()[name])


@pytest.mark.parametrize("name", NETWORKS)
def test_shipped_networks_are_the_same_in_torch(name):
    net, file = network(name), dc.models()[name]
    worst = compared = 0
    if isinstance(net, dc.PolicyNetwork):
        plain = dc.make_agent(f"{file}[threshold=0]", net.game)
        threshold, net.threshold = net.threshold, 0
        assert threshold > 0
        agent = dc.make_agent(file, net.game)
        for seen in positions(net.game, 60):
            for one in (plain, agent):
                one.reset(seen.player, 0)
            policy, value = net.evaluate(seen)
            worst = max(worst, np.abs(policy[seen.legal_actions()] - plain.policy(seen)).max())
            worst = max(worst, abs(value - plain.value(seen)) / net.value_unit)
            if np.abs(policy - threshold).min() > 1e-5:
                net.threshold = threshold
                assert net.evaluate(seen)[0][seen.legal_actions()] == pytest.approx(agent.policy(seen), abs=1e-5)
                net.threshold, compared = 0, compared + 1
    else:
        spec = f"{file}[endgame=false]" if net.game.family == "ofc" else file
        agent = dc.make_agent(spec, net.game)
        for seen in positions(net.game, 200):
            choices, parts = net.choices(seen), dc.named_parts(net.game, seen)
            # Complete boards are scored, not valued; a turn that has begun goes on as it was planned.
            if not choices or (parts["street"][-1] if net.game.family == "ofc" else parts["picked"].any()):
                continue
            agent.reset(seen.player, 0)
            value = agent.value(seen)
            unit = 10 if net.game.family == "ofc" else 1
            worst, compared = max(worst, abs(choices[0]["value"] - value) / unit), compared + 1
            second = choices[1]["value"] if len(choices) > 1 else -np.inf
            if choices[0]["value"] - second > 1e-4:
                assert int(agent.act(seen)) == choices[0]["actions"][0]
    print(f"{name}: {worst:.1e}")
    assert worst < 1e-5 and compared > 20


def test_a_network_written_back_plays(tmp_path):
    torch = pytest.importorskip("torch")
    for name in ("draw", "seven_hand", "ofc"):
        net = network(name)
        net.save(tmp_path / "same.safetensors")
        again = dc.load_torch(tmp_path / "same.safetensors")
        assert again.game.rules == net.game.rules
        for key, tensor in net.state_dict().items():
            assert torch.equal(again.state_dict()[key], tensor)
        result = dc.play_match(net.game, [str(tmp_path / "same.safetensors"), dc.models()[name]], deals=10, seed=1)
        assert result["mean"] == [0, 0]
    torch.manual_seed(0)
    net = dc.PolicyNetwork("leduc", (16,), value_unit=2.5, threshold=0.1)
    file = tmp_path / "random.safetensors"
    net.save(file)
    agent = dc.make_agent(str(file), "leduc")
    for seen in positions("leduc", 20):
        agent.reset(seen.player, 0)
        policy, value = net.evaluate(seen)
        assert policy[seen.legal_actions()] == pytest.approx(agent.policy(seen), abs=1e-6)
        assert value == pytest.approx(agent.value(seen), abs=1e-6)
    metadata = dc.load_torch(file).metadata
    assert (metadata["value_unit"], metadata["threshold"], json.loads(metadata["facts"])) == ("2.5", "0.1", [])
    fresh = dc.AfterstateNetwork("ofc[players=3]", (32, 8))
    fresh.save(tmp_path / "fresh.safetensors")
    agents = [str(tmp_path / "fresh.safetensors"), "random", "random"]
    assert dc.play_match("ofc[players=3]", agents, deals=2)["hands"] > 0
    with pytest.raises(dc.UsageError, match="OFC and 7-Hand"):
        dc.AfterstateNetwork("draw")


# The points won from two opponents add up.
def test_a_network_of_two_plays_for_three():
    pytest.importorskip("torch")
    file, spec = dc.models()["ofc"], "ofc[players=3]"
    net, agent, compared = dc.load_torch(file, spec), dc.make_agent(f"{file}[endgame=false]", spec), 0
    for seen in positions(spec, 60):
        choices = net.choices(seen)
        if not choices or dc.named_parts(net.game, seen)["street"][-1]:
            continue
        agent.reset(seen.player, 0)
        assert choices[0]["value"] == pytest.approx(agent.value(seen), abs=1e-4)
        compared += 1
    assert compared > 10


# Some action is left, however high the threshold is.
def test_a_threshold_above_all_probabilities_leaves_the_likeliest(tmp_path):
    torch = pytest.importorskip("torch")
    torch.manual_seed(1)
    file = tmp_path / "high.safetensors"
    net = dc.PolicyNetwork("leduc", (16,), threshold=0.99)
    net.save(file)
    agent = dc.make_agent(str(file), "leduc")
    for seen in positions("leduc", 20):
        agent.reset(seen.player, 0)
        policy, _ = net.evaluate(seen)
        assert policy[seen.legal_actions()] == pytest.approx(agent.policy(seen), abs=1e-6)
        assert policy.max() == pytest.approx(1)


def test_the_foul_aversion_of_a_file_counts(tmp_path):
    plain, net = network("ofc"), network("ofc")
    net.others["caution"] = np.full(1, 20.0)
    file = tmp_path / "cautious.safetensors"
    net.save(file)
    again = dc.load_torch(file)
    agent = dc.make_agent(f"{file}[endgame=false]", net.game)
    compared = changed = 0
    for seen in positions(net.game, 80):
        choices = again.choices(seen)
        if len(choices) < 2 or dc.named_parts(net.game, seen)["street"][-1]:
            continue
        agent.reset(seen.player, 0)
        if choices[0]["value"] - choices[1]["value"] > 1e-4:
            assert int(agent.act(seen)) == choices[0]["actions"][0]
            compared += 1
            changed += choices[0]["text"] != plain.choices(seen)[0]["text"]
    assert compared > 10 and changed > 0


def test_files_that_hold_no_network(tmp_path):
    pytest.importorskip("torch")
    whole = pathlib.Path(dc.models()["draw"]).read_bytes()
    for data, words in [
        (b"", "no safetensors"),
        (whole[:100], "no safetensors"),
        (whole[:-100], "no safetensors"),
        (b"\2\0\0\0\0\0\0\0[]", "no safetensors"),
        (b"\2\0\0\0\0\0\0\0{}", "format 'None'"),
        (whole.replace(b"policy.1.bias", b"policy.7.bias"), "policy.1.bias"),
        (whole.replace(b"category.NON", b"category.YES"), "input features"),
    ]:
        file = tmp_path / "bad.safetensors"
        file.write_bytes(data)
        with pytest.raises(dc.CheckpointError, match=words):
            dc.load_torch(file)
    with pytest.raises(dc.FileError, match="none.safetensors"):
        dc.load_torch(tmp_path / "none.safetensors")
    with pytest.raises(dc.CheckpointError, match="tabular_policy"):
        dc.load_torch(dc.models()["solved_leduc"])
    with pytest.raises(dc.CheckpointError, match="poker"):
        dc.load_torch(dc.models()["draw"], "ofc")
    with pytest.raises(dc.CheckpointError, match="no network of"):
        dc.load_torch(dc.models()["holdem"], "holdem[limit=pot_limit]")
    with pytest.raises(dc.CheckpointError, match="no safetensors"):
        dc.load_torch(dc.models()["mixture_holdem_no_limit"])
