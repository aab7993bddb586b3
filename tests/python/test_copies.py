"""Everything of the package can be pickled and copied, and a copy goes on as the original does."""

import copy
import pickle

import numpy as np
import pytest

import dealers_choice as dc

WAYS = {"pickle": lambda thing: pickle.loads(pickle.dumps(thing)), "deepcopy": copy.deepcopy}


def going_on(legal):
    """Without the lowest action, where it has others: it folds in games with bets."""
    return legal[1:] or legal


class Listener:
    """Plays at random and hardly ever folds; remembers what it is told."""

    def __init__(self):
        self.heard = []

    def reset(self, seat, seed):
        self.rng, self.heard = np.random.default_rng(seed), []

    def act(self, observation):
        return int(self.rng.choice(going_on(observation.legal_actions())))

    def hear(self, events):
        self.heard += events


def beginning(spec, agent, decisions):
    """A table in the middle of a hand, and an agent that has decided there and is to act."""
    table, rng = dc.Env(spec), np.random.default_rng(3)
    for seed in range(500):
        table.reset(seed)
        agent.reset(0, 11)
        made = 0
        while table.current_player >= 0 and made < decisions:
            if agent.hears:
                agent.hear(table)
            if table.current_player == 0:
                table.step(agent.act(table.observe(0)))
                made += 1
            else:
                table.step(int(rng.choice(going_on(table.legal_actions()))))
        while table.current_player == 1:
            table.step(going_on(table.legal_actions())[0])
        if table.current_player == 0:
            return table
    raise AssertionError("the agent has never decided twice")


@pytest.mark.parametrize("way", WAYS)
def test_values(way):
    table = dc.Env("holdem[limit=no_limit]")
    table.reset(1)
    seen, again = table.observe(table.current_player), WAYS[way](table.observe(table.current_player))
    assert np.array_equal(again.data, seen.data) and again.data.dtype == np.float32
    for name in ("player", "legal_mask", "amounts"):
        assert getattr(again, name) == getattr(seen, name) is not None
    for decision in (dc.Decision(2), dc.Decision.bet_to(300)):
        assert WAYS[way](decision) == decision
        assert WAYS[way](decision).amount == decision.amount
    step = table.step(0)
    again = WAYS[way](step)
    assert (again.rewards, again.terminated, again.truncated, again.hands_finished) == (step.rewards, True, False, 1)
    part = table.game.observation_parts[-1]
    again = WAYS[way](part)
    for name in ("name", "offset", "shape", "low", "high", "meaning", "size"):
        assert getattr(again, name) == getattr(part, name)
    assert WAYS[way](table.game).spec == "holdem[limit=no_limit]"


@pytest.mark.parametrize("way", WAYS)
def test_cards(way):
    deck = WAYS[way](dc.Deck("standard_52[jokers=2]"))
    assert len(deck) == 54 and deck.cards[-1] == "X2"
    assert WAYS[way](dc.Ranking("ace_to_five")).low
    for evaluator in (dc.Evaluator(deck, "high[five_of_a_kind=true]"), dc.Evaluator("court_tarot_54")):
        again = WAYS[way](evaluator)
        assert len(again.deck) == len(evaluator.deck) and again.ranking.name == evaluator.ranking.name
        hand = evaluator.deck.cards[-5:]
        assert again.evaluate(hand).value == evaluator.evaluate(hand).value
        copied = WAYS[way](evaluator.evaluate(hand))
        assert copied.category == evaluator.evaluate(hand).category and copied.value == evaluator.evaluate(hand).value
        assert len(WAYS[way](again.deck)) == len(deck) and WAYS[way](again.ranking).name == evaluator.ranking.name


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "spec, agent",
    [("draw", "random"), ("holdem", "default"), ("ofc", "rule"), ("ofc", "random"), ("leduc", "search[simulations=20]")],
)
def test_agents_go_on(spec, agent, way):
    agent = dc.make_agent(agent, spec)
    fresh = WAYS[way](agent)
    with pytest.raises(dc.UsageError, match="no seat"):
        fresh.act(dc.Env(spec).observe(0))
    table = beginning(spec, agent, 2)
    again = WAYS[way](agent)
    twice = WAYS[way](again)
    assert again.spec == twice.spec == agent.spec
    seen = table.observe(0)
    for _ in range(20):  # the same random numbers come next
        decision = agent.act(seen)
        assert again.act(seen) == twice.act(seen) == decision
    assert again.policy(seen) == agent.policy(seen) and again.value(seen) == agent.value(seen)


def test_an_agent_that_failed_can_be_copied():
    agent = dc.make_agent("default", "leduc")
    table = dc.Env("leduc")
    table.reset(1)
    seen = table.observe(table.current_player)
    agent.reset(seen.player, 1)
    with pytest.raises(dc.UsageError, match="numbers"):
        agent.act(dc.Env("kuhn").observe(0))
    assert pickle.loads(pickle.dumps(agent)).act(seen) == agent.act(seen)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("source", [Listener, Listener()])
def test_agents_written_in_python_go_on(source, way):
    agent = dc.make_agent(source, "draw")
    table = beginning("draw", agent, 2)
    again, other = WAYS[way]((agent, table))
    seen = table.observe(0)
    for one, at in ((agent, table), (again, other)):
        one.hear(at)
    assert [agent.act(seen) for _ in range(10)] == [again.act(seen) for _ in range(10)]


@pytest.mark.parametrize("way", WAYS)
def test_vector_env_goes_on(way):
    envs = dc.vector_env("draw", 7, threads=2, max_steps=9, returns=True, copy=False)
    fresh = WAYS[way](envs)
    with pytest.raises(dc.UsageError, match="reset"):
        fresh.step([0] * 7)
    envs.reset(5)
    for _ in range(20):
        envs.step(envs.random_actions())
    again = WAYS[way](envs)
    assert again.observations is again.tables.observations and not np.shares_memory(again.rewards, envs.rewards)
    for name in ("rewards", "returns", "truncated", "actors", "action_mask"):
        assert np.array_equal(getattr(again, name), getattr(envs, name))
    for _ in range(30):
        assert np.array_equal(again.observations, envs.observations)
        actions = envs.random_actions().copy()
        assert np.array_equal(again.random_actions(), actions)
        ours, theirs = envs.step(actions), again.step(actions)
        assert ours[0]["observation"] is envs.observations and theirs[0]["observation"] is again.observations
        assert all(np.array_equal(a, b) for a, b in zip(ours[1:4], theirs[1:4]))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("opponents", ["random", "default", Listener])
def test_gym_env_goes_on(opponents, way):
    pytest.importorskip("gymnasium")
    env = dc.gym_env("holdem[episode=match,match_hands=4]" if opponents is Listener else "holdem", opponents, seat=None)
    rng, compared = np.random.default_rng(0), 0
    for seed in range(20):
        seen, _ = env.reset(seed=seed)
        over = steps = 0
        while not over:
            if steps == 2:
                break
            seen, _, over, _, _ = env.step(int(rng.choice(going_on(np.flatnonzero(seen["action_mask"]).tolist()))))
            steps += 1
        if over:
            continue
        again = WAYS[way](env)
        while not over:
            action = int(rng.choice(going_on(np.flatnonzero(seen["action_mask"]).tolist())))
            seen, reward, over, _, info = env.step(action)
            other, their_reward, their_over, _, their_info = again.step(action)
            assert (reward, over, info) == (their_reward, their_over, their_info)
            assert np.array_equal(seen["observation"], other["observation"])
            compared += 1
        assert env.reset()[1] == again.reset()[1]  # the same random numbers come next
    assert compared > 8


# Also where a hand is over that nobody has been told of: its events are not in the pickled table.
def test_listening_opponents_of_a_copy_hear_every_event_once():
    pytest.importorskip("gymnasium")
    listener = Listener()
    env = dc.gym_env("holdem[episode=match]", listener, seat=1, max_steps=60)
    seen, _ = env.reset(seed=4)
    rng = np.random.default_rng(1)
    copies, over = [], False
    while not over:
        copies.append(pickle.loads(pickle.dumps(env)))
        action = int(rng.choice(going_on(np.flatnonzero(seen["action_mask"]).tolist())))
        seen, _, terminated, truncated, _ = env.step(action)
        over = terminated or truncated
        for again in copies:
            again.step(action)
    assert len(copies) > 20 and env.table.hands_finished >= 4
    heard = listener.heard
    assert heard == env.table.events(0)
    for again in copies:
        (copied,) = again._agents.values()
        assert copied.__reduce__()[1][2][0].heard == heard
