"""Env, and what it refuses."""

import copy
import pickle

import numpy as np
import pytest

import dealers_choice as dc

GAMES = dc.games()


def play(table, rng, most=100_000):
    """Plays random actions to the end; yields (seat, action, step)."""
    for _ in range(most):
        seat = table.current_player
        if seat < 0:
            return
        action = int(rng.choice(table.legal_actions()))
        yield seat, action, table.step(action)
    raise AssertionError("the episode does not end")


@pytest.mark.parametrize("spec", GAMES)
def test_a_table_from_deal_to_end(spec):
    table, rng = dc.Env(spec), np.random.default_rng(4)
    table.reset(4)
    total = np.zeros(table.game.players)
    hands = 0
    for _, _, step in play(table, rng):
        total += step.rewards
        hands += step.hands_finished
    assert table.terminated and table.hand_over and table.current_player == -1
    assert table.legal_actions() == [] and table.choices() == []
    assert total.tolist() == pytest.approx(table.returns())
    assert hands == table.hands_finished > 0
    assert set(table.statistics(0)) == set(table.game.statistic_names)
    if table.game.zero_sum:
        assert total.sum() == pytest.approx(0)
    again = dc.Env(spec)
    again.reset(4)
    for _ in play(again, np.random.default_rng(4)):
        pass
    assert again.returns() == table.returns()


@pytest.mark.parametrize("spec", ["ofc", "holdem[limit=no_limit]", "stud", "seven_hand"])
def test_copies_play_on_alike(spec):
    table, rng = dc.Env(spec, max_steps=500), np.random.default_rng(0)
    table.reset(1)
    for _ in range(4):
        passive = [choice["action"] for choice in table.choices() if choice["kind"] in ("bring_in", "check", "call")]
        table.step(int(rng.choice(passive or table.legal_actions())))
    fresh = dc.Env(spec)
    fresh.deserialize(table.serialize())
    copies = [table.clone(), copy.copy(table), copy.deepcopy(table), pickle.loads(pickle.dumps(table)), fresh]
    assert copies[3].options == table.options == (False, False, 500)
    for other in copies:
        assert other.to_json(0) == table.to_json(0)
    action = table.legal_actions()[-1]
    step = table.step(action)
    for other in copies:
        assert other.current_player != -1
        assert other.step(action).rewards == step.rewards
        assert other.to_string(1) == table.to_string(1)
    with pytest.raises(dc.ParseError):
        fresh.deserialize(b"no position")
    assert fresh.to_json(0) == table.to_json(0)


def test_amounts():
    table = dc.Env("holdem[limit=no_limit]")
    table.reset(3)
    low, high, step = table.amounts
    assert low < high and step >= 1
    seat = table.current_player
    assert table.observe(seat).amounts == (low, high, step)
    assert table.observe(1 - seat).amounts is None
    decision = dc.Decision.bet_to(low + step)
    assert (decision.amount, decision.action) == (low + step, None)
    assert table.parse_decision(table.decision_to_string(decision)) == decision
    with pytest.raises(dc.IllegalAction):
        table.step(dc.Decision.bet_to(high + 1))
    with pytest.raises(dc.UsageError):
        int(decision)
    assert table.choices()[-1]["action"] is None and table.choices()[-1]["amount"] == (low, high, step)
    table.step(decision)
    assert table.to_json(seat)["table"]["players"][seat]["bet"] == low + step


def test_decisions():
    assert dc.Decision(3) == dc.Decision(np.int64(3)) != dc.Decision(4)
    assert int(dc.Decision(3)) == 3 and hash(dc.Decision(3)) == hash(dc.Decision(3))
    assert dc.Decision(3) != 3 and dc.Decision(3) is not None
    with pytest.raises(dc.UsageError, match="1.5"):
        dc.Decision(1.5)
    with pytest.raises(dc.IllegalAction, match="10000000000000000000000"):
        dc.Decision(10**22)
    with pytest.raises(dc.IllegalAction):
        dc.Decision(-1)


def test_events_with_cursors_and_viewers():
    table, rng = dc.Env("holdem[episode=match]", keep_events=True), np.random.default_rng(1)
    table.reset(8)
    heard, since = [], None
    for _ in range(60):
        if table.current_player < 0:
            break
        heard += table.events(0, since)
        since = table.cursor
        table.step(int(rng.choice(table.legal_actions())))
    heard += table.events(0, since)
    assert heard == table.events(0)
    assert heard[0]["event"] == "hand_begun"
    everything, outside = table.events(-2), table.events(-1)
    dealt = [event for event in everything if event["event"] == "dealt" and event["what"] == "down"]
    assert all(len(event["cards"]) == event["count"] for event in dealt)
    hidden = [event for event in outside if event["event"] == "dealt" and event["what"] == "down"]
    assert dealt and len(hidden) == len(dealt) and not any(event["cards"] for event in hidden)
    with pytest.raises(dc.UsageError):
        table.events(7)
    with pytest.raises(dc.UsageError):
        table.events(0, (1, 2))


def test_held_hands_and_samples():
    table, rng = dc.Env("draw[episode=match]", hold_hands=True), np.random.default_rng(2)
    table.reset(5)
    with pytest.raises(dc.UsageError):
        table.next_hand()
    for _ in play(table, rng):
        pass
    assert table.hand_over and not table.terminated
    table.next_hand()
    assert not table.hand_over
    seat = table.current_player
    seen, other = table.observe(seat), table.clone()
    other.sample_state(seen, 99)
    assert np.array_equal(other.observe(seat).data, seen.data)
    assert other.to_json(1 - seat) != table.to_json(1 - seat)


def test_named_parts():
    game = dc.make_game("ofc")
    table = dc.Env(game)
    table.reset(0)
    seen = table.observe(table.current_player)
    parts = dc.named_parts(game, seen)
    assert parts["rows"].shape == (2, 3, 52) and parts["hand"].sum() == 5
    assert np.concatenate([part.ravel() for part in parts.values()]).tolist() == seen.data.tolist()
    envs = dc.vector_env(game, 3)
    envs.reset(0)
    many = dc.named_parts(game, envs.observations)
    assert many["rows"].shape == (3, 2, 3, 52) and np.shares_memory(many["rows"], envs.observations)
    with pytest.raises(dc.UsageError, match="490"):
        dc.named_parts(game, np.zeros(3))
    with pytest.raises(ValueError):
        seen.data[0] = 1  # data of the table's, not the caller's


def test_games_and_errors():
    assert {"ofc", "draw", "leduc"} <= set(GAMES)
    game = dc.make_game("ofc[players=3]")
    assert (game.players, game.player_range, game.unit, game.zero_sum) == (3, (2, 3), "points", True)
    assert pickle.loads(pickle.dumps(game)).rules == game.rules
    assert game.card_texts([51]) == ["Ac"]
    with pytest.raises(dc.UsageError, match="did you mean 'leduc'"):
        dc.make_game("leduk")
    with pytest.raises(dc.ConfigError, match="playerz"):
        dc.Env("ofc[playerz=3]")
    with pytest.raises(ValueError):
        dc.make_game(3)
    assert issubclass(dc.UsageError, ValueError) and issubclass(dc.IllegalAction, dc.UsageError)
    assert issubclass(dc.FileError, OSError) and issubclass(dc.CheckpointError, dc.Error)
    table = dc.Env("kuhn")
    table.reset(0)
    with pytest.raises(dc.UsageError):
        table.observe(2)
    before = table.to_json(0)
    with pytest.raises(dc.IllegalAction, match="legal"):
        table.step(63)
    assert table.to_json(0) == before
