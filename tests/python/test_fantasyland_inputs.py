"""Networks of OFC that know what Fantasyland is worth."""

import numpy as np
import pytest

import dealers_choice as dc
from dealers_choice._fantasyland import FANTASYLAND_FEATURES, FantasylandInputs
from dealers_choice._weights import read_weights, write_weights

# By the number of Fantasyland cards and who deals: below 0, just below and at half a point, above the highest input.
WORTH = np.array([[0, 0], [-4, 3.5], [2.49, 6.5], [7.5, 11], [30.5, 47.4], [61, 46.5]])


def known_file(file, rules, chain_values=None):
    """The shipped network, with random weights for the inputs that it lacks."""
    metadata, tensors = read_weights(dc.models()["ofc"])
    width = tensors["sparse.weight"].shape[1]
    more = np.random.default_rng(0).normal(0, 0.2, (FANTASYLAND_FEATURES, width)).astype(np.float16)
    tensors["sparse.weight"] = np.concatenate([tensors["sparse.weight"], more])
    metadata["rules"] = dc.make_game(rules).rules
    if chain_values is not None:
        tensors["chain_values"] = chain_values
    write_weights(file, metadata, tensors)
    return str(file)


def by_cards():
    values = np.zeros((6, 6, 2))
    values[:, 0] = WORTH
    return values


def positions(spec, games):
    """Observations of seats to act in games of the agent `rule`, which comes to Fantasyland."""
    table, agents = dc.Env(spec), [dc.make_agent("rule", spec) for _ in range(dc.make_game(spec).players)]
    for seed in range(games):
        table.reset(seed)
        for seat, agent in enumerate(agents):
            agent.reset(seat, seed)
        while table.current_player >= 0:
            seat = table.current_player
            yield table.observe(seat)
            table.step(agents[seat].act(table.observe(seat)))


def is_valued(net, seen):
    """Complete boards are scored, not valued; a turn that has begun goes on as it was planned."""
    parts = dc.named_parts(net.game, seen)
    cards = int(parts["hand"].sum())
    return cards == (5 if parts["street"][0] else 3) and not parts["street"][-1]


@pytest.mark.parametrize(
    ("rules", "spec", "chain_values", "games", "levels"),
    [
        ("ofc_progressive", "ofc_progressive", by_cards(), 24, 2),
        ("ofc_progressive", "ofc_progressive[players=3]", by_cards(), 8, 1),
        ("ofc_progressive", "ofc_progressive[episode=hand]", by_cards(), 6, 0),
        ("ofc", "ofc", None, 16, 1),
        ("ofc[fantasyland.cards=16]", "ofc[fantasyland.cards=16]", by_cards(), 12, 1),
    ],
)
def test_values_are_those_of_the_agent(tmp_path, rules, spec, chain_values, games, levels):
    pytest.importorskip("torch")
    file = known_file(tmp_path / "known.safetensors", rules, chain_values)
    net, agent = dc.load_torch(file, spec), dc.make_agent(f"{file}[endgame=false]", spec)
    compared, against = 0, set()
    for seen in positions(spec, games):
        choices = net.choices(seen) if is_valued(net, seen) else []
        if not choices:
            continue
        agent.reset(seen.player, 0)
        assert choices[0]["value"] == pytest.approx(agent.value(seen), abs=1e-4)
        if len(choices) > 1 and choices[0]["value"] - choices[1]["value"] > 1e-3:
            assert int(agent.act(seen)) == choices[0]["actions"][0]
        against |= set(dc.named_parts(net.game, seen)["fantasyland"][1:].tolist()) - {0}
        compared += 1
    assert compared > 20 and len(against) >= levels


# Needs no PyTorch.
def test_features():
    first = dc.num_afterstate_features("ofc")
    for spec, worths in [
        ("ofc_progressive", {0: [2, 8, 31, 47], 1: [7, 11, 47, 47]}),
        ("ofc", {0: [2, 2, 2, 2], 1: [7, 7, 7, 7]}),
        ("ofc[fantasyland.cards=13]", {0: [0, 0, 0, 0], 1: [4, 4, 4, 4]}),
        ("ofc_progressive[episode=hand]", {0: [0, 0, 0, 0], 1: [0, 0, 0, 0]}),
    ]:
        inputs, dealers = FantasylandInputs(dc.make_game(spec), first), set()
        for seen in positions(spec, 1):
            (row,) = inputs.features(seen, by_cards())
            deals = int(dc.named_parts(dc.make_game(spec), seen)["dealer"][0])
            assert row[:4] == [first + 48 * front + worth for front, worth in enumerate(worths[deals])]
            dealers.add(deals)
        assert dealers == {0, 1}
    game = dc.make_game("ofc_progressive")
    inputs, opponents = FantasylandInputs(game, first), set()
    for seen in positions("ofc_progressive", 24):
        (row,) = inputs.features(seen, by_cards())
        cards = round(float(dc.named_parts(game, seen)["fantasyland"][1]) * 17)
        assert row[4:] == ([first + 192 + cards - 13] if cards else [])
        opponents.add(cards)
    assert len(opponents) > 2
    older = np.zeros((2, 2, 2))
    older[1, 0] = 20
    (row,) = inputs.features(next(positions("ofc_progressive", 1)), older)
    assert row == [first + 48 * front + 20 for front in range(4)]


def test_files_written_back_and_refused(tmp_path):
    torch = pytest.importorskip("torch")
    file = known_file(tmp_path / "known.safetensors", "ofc_progressive", by_cards())
    net = dc.load_torch(file)
    net.save(tmp_path / "same.safetensors")
    again = dc.load_torch(tmp_path / "same.safetensors")
    assert again.game.rules == net.game.rules and np.array_equal(again.others["chain_values"], by_cards())
    assert all(torch.equal(again.state_dict()[key], tensor) for key, tensor in net.state_dict().items())
    agents = [str(tmp_path / "same.safetensors"), file]
    assert dc.play_match(net.game, agents, deals=5, seed=1)["mean"] == [0, 0]
    for spec, words in [("ofc", "cards_after_kings: 15"), ("ofc_progressive[points.scoop=4]", "scoop: 3")]:
        with pytest.raises(dc.CheckpointError, match=words):
            dc.load_torch(file, spec)
    fresh = dc.AfterstateNetwork("ofc_progressive", (16, 8), knows_fantasyland=True)
    fresh.save(tmp_path / "fresh.safetensors")
    assert dc.load_torch(tmp_path / "fresh.safetensors").sparse.num_embeddings == net.sparse.num_embeddings
    assert dc.play_match("ofc", [str(tmp_path / "fresh.safetensors"), "random"], deals=2)["hands"] > 0
    with pytest.raises(dc.UsageError, match="no Fantasyland"):
        dc.AfterstateNetwork("seven_hand", knows_fantasyland=True)
