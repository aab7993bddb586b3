"""Agents by spec and written in Python, and matches between them."""

import json
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import dealers_choice as dc


class Lowest:
    """The legal action with the lowest number."""

    def act(self, observation):
        return observation.legal_actions()[0]


class Seeded:
    """Any legal action, as its seed says; may bet amounts."""

    def reset(self, seat, seed):
        self.seat, self.rng = seat, np.random.default_rng(seed)

    def act(self, observation):
        assert observation.player == self.seat
        assert observation.data.dtype == np.float32
        if observation.amounts and self.rng.random() < 0.3:
            low, high, step = observation.amounts
            return dc.Decision.bet_to(int(self.rng.choice(np.arange(low, high + 1, step))))
        return self.rng.choice(observation.legal_actions())

    def policy(self, observation):
        legal = observation.legal_actions()
        return [1 / len(legal)] * len(legal)

    def value(self, observation):
        return -0.5

    def explain(self, observation):
        return "the dice say so"


def same(result):
    """All of a result but the time it took."""
    return json.dumps({key: value for key, value in result.items() if key != "seconds"})


def test_match_of_specs():
    result = dc.play_match("leduc", ["rule", "random"], deals=400, seed=1)
    assert result["agents"] == ["rule", "random"] and result["deals"] == 400
    assert result["mean"][0] > 0.2 and result["mean"][0] == pytest.approx(-result["mean"][1])
    assert result["ci95"][0] > 0 and not result["interrupted"]
    assert same(result) == same(dc.play_match("leduc", ["rule", "random"], 400, 1, threads=1))
    assert same(result) != same(dc.play_match("leduc", ["rule", "random"], 400, 2))
    single = dc.play_match("leduc", ["rule", "random"], 400, duplicate=False)
    assert single["episodes"] == 400 == result["episodes"] / 2


@pytest.mark.parametrize("game", ["leduc", "holdem[limit=no_limit]", "ofc", "seven_hand"])
def test_agents_written_in_python_play(game):
    by_class = dc.play_match(game, [Seeded, "random"], deals=40, seed=3)
    assert by_class["agents"] == ["Seeded", "random"]
    assert by_class["failures"] == [{**failure, "error": 0, "illegal": 0} for failure in by_class["failures"]]
    assert same(by_class) == same(dc.play_match(game, [Seeded, "random"], deals=40, seed=3, threads=1))
    assert same(by_class) == same(dc.play_match(game, [Seeded(), "random"], deals=40, seed=3))
    assert same(by_class) == same(dc.play_match(game, [lambda: Seeded(), "random"], 40, 3)).replace("<lambda>", "Seeded")
    # An agent against itself, the cards being dealt in both seatings.
    assert dc.play_match(game, [Seeded, Seeded], deals=20)["mean"] == [0, 0]


def test_objects_play_one_seat():
    player = Seeded()
    with pytest.raises(dc.UsageError, match="class instead"):
        dc.play_match("leduc", [player, player])
    agent = dc.make_agent(player, "leduc")
    with pytest.raises(dc.UsageError, match="class instead"):
        dc.play_match("leduc", [agent, player])
    assert same(dc.play_match("leduc", [agent, "rule"], 50)) == same(dc.play_match("leduc", [Seeded, "rule"], 50))


def test_failures_lose_the_hand_or_end_a_strict_match():
    class Faulty:
        good = 0  # decisions that it makes before it fails

        def act(self, observation):
            if type(self).good > 0:
                type(self).good -= 1
                return observation.legal_actions()[0]
            return self.fail()

    class Broken(Faulty):
        def fail(self):
            raise ValueError("no idea\nat all")

    class Illegal(Faulty):
        def fail(self):
            return 63

    class Text(Faulty):
        def fail(self):
            return "raise"

    for agent, kind, words in [
        (Broken, "error", "Broken: ValueError: no idea"),
        (Illegal, "illegal", "63"),
        (Text, "error", "'raise' is not a decision"),
    ]:
        agent.good = 1
        failures = dc.play_match("leduc", [agent, "rule"], deals=10, threads=1)["failures"]
        assert failures[0][kind] >= 19 - failures[0]["forfeited"] > 0
        assert words in failures[0]["first"][kind] and "at all" not in failures[0]["first"][kind]
        assert failures[1][kind] == 0
        with pytest.raises(dc.AgentFailure, match=words):
            dc.play_match("leduc", [agent, "rule"], deals=10, strict=True)
        # Stand-in moves are no result.
        with pytest.raises(dc.AgentFailure, match="made no playable decision; seat . of deal 0: .*" + words):
            dc.play_match("leduc", [agent, "rule"], deals=10)

    class Unmakeable:
        def __init__(self):
            raise RuntimeError("out of paper")

        def act(self, observation):
            return 0

    with pytest.raises(dc.UsageError, match="Unmakeable.*out of paper"):
        dc.play_match("leduc", [Unmakeable, "rule"])


def test_hearing():
    heard = {}

    class Ear(Lowest):
        def reset(self, seat, seed):
            self.seat = seat
            heard.setdefault(seat, []).append([])

        def hear(self, events):
            heard[self.seat][-1] += events

    dc.play_match("leduc", [Ear, "random"], deals=8)
    stories = heard[0] + heard[1]
    assert len(stories) == 16
    for story in stories:
        assert story[0]["event"] == "hand_begun" and story[-1]["event"] == "hand_ended"


def test_other_threads_run_during_a_match():
    ticks, done = [0], threading.Event()

    def tick():
        while not done.wait(0.001):
            ticks[0] += 1

    thread = threading.Thread(target=tick)
    thread.start()
    dc.play_match("ofc", ["rule", "rule"], deals=300, threads=1)
    done.set()
    thread.join()
    assert ticks[0] > 3


def test_interrupted_matches_end():
    # If the tests run in the background of a shell, all processes that they start ignore the signal.
    code = """
import signal
import dealers_choice as dc
signal.signal(signal.SIGINT, signal.default_int_handler)
print("go", flush=True)
try:
    dc.play_match("ofc", ["rule", "rule"], deals=10**8)
except KeyboardInterrupt:
    print("interrupted")
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "go\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        try:
            assert process.communicate(timeout=60)[0] == "interrupted\n"
        finally:
            process.kill()


def test_what_matches_refuse():
    for call, words in [
        (lambda: dc.play_match("leduc", ["rule"]), "1 agent given"),
        (lambda: dc.play_match("leduc", ["rule", "rul"]), "rule"),
        (lambda: dc.play_match("leduc", ["rule", 7]), "7 is not an agent"),
        (lambda: dc.play_match("leduc", ["rule", "rule"], deals=0), "0 deals"),
        (lambda: dc.play_match("leduc", ["rule", "rule"], move_time=-1), "move time"),
        (lambda: dc.make_agent(object(), "leduc"), "is not an agent"),
    ]:
        with pytest.raises(dc.UsageError, match=words):
            call()


@pytest.mark.parametrize("spec", ["rule", "default", "search[simulations=20]"])
def test_agents_by_spec(spec):
    agent, table = dc.make_agent(spec, "leduc"), dc.Env("leduc", keep_events=True)
    with pytest.raises(dc.UsageError, match="reset"):
        agent.act(table.observe(0))
    decisions = []
    for _ in range(2):
        table.reset(3)
        seat = table.current_player
        agent.reset(seat, 1)
        agent.hear(table)
        decisions.append(agent.act(table.observe(seat)))
        with pytest.raises(dc.UsageError, match="seat"):
            agent.act(table.observe(1 - seat))
    assert decisions[0] == decisions[1] and int(decisions[0]) in table.legal_actions()
    assert agent.spec == spec
    policy = agent.policy(table.observe(seat))
    assert policy is None or sum(policy) == pytest.approx(1) and len(policy) == len(table.legal_actions())
    with pytest.raises(dc.UsageError, match="7 of a game of 2"):
        agent.reset(7, 0)
    with pytest.raises(dc.UsageError, match="numbers"):
        agent.reset(0, 0)
        agent.act(dc.Env("kuhn").observe(0))
    with pytest.raises(dc.UsageError, match="kuhn"):
        agent.hear(dc.Env("kuhn"))


def test_agents_written_in_python_are_agents():
    agent, table = dc.make_agent(Seeded(), "leduc"), dc.Env("leduc")
    table.reset(0)
    seen = table.observe(table.current_player)
    agent.reset(seen.player, 5)
    assert int(agent.act(seen)) in seen.legal_actions()
    assert agent.policy(seen) == [0.5, 0.5] and agent.value(seen) == -0.5
    assert agent.explain(seen) == "the dice say so" and not agent.hears
    plain = dc.make_agent(Lowest, "leduc")
    plain.reset(seen.player, 0)
    assert plain.policy(seen) is None and plain.value(seen) is None and plain.explain(seen) == ""
