"""Learns Leduc by self-play with NumPy alone, then plays the project's agents.

A table of logits, one row for each thing a player can have seen. Many tables are played at once by the current policy;
of every decision the mean of what it has won is kept, and logits move by how much better an action is than the policy
(neural replicator dynamics without the network, Hennes et al. 2020), while they shrink a little, which keeps the policy
mixed. What is played in the end is the mean of all policies, the later ones counting more.

python examples/python/leduc_learner.py [ITERATIONS]
"""

import sys

import numpy as np

import dealers_choice as dc

TABLES, STEPS, MOST_DECISIONS = 1024, 64, 16
RATE, SHRINK, FORGET, EXPLORE = 0.4, 0.01, 0.85, 0.05


def policy_of(logits, legal):
    weights = np.where(legal, np.exp(logits - logits.max(axis=-1, keepdims=True)), 0)
    return weights / weights.sum(axis=-1, keepdims=True)


class Learner:
    def __init__(self, spec):
        self.envs = dc.vector_env(spec, TABLES, copy=False)
        self.envs.reset(seed=0)
        self.rng = np.random.default_rng(0)
        self.rows = {}  # what has been seen -> row
        actions = self.envs.game.num_actions
        self.logits, self.legal = np.zeros((0, actions)), np.zeros((0, actions), bool)
        self.won, self.times, self.mean = np.zeros((3, 0, actions))
        self.learned = 0
        # The decisions of the hands in progress.
        self.made = np.zeros(TABLES, int)
        self.of_row, self.of_action, self.of_seat = np.zeros((3, TABLES, MOST_DECISIONS), int)

    def look_up(self):
        """The row of each table's player to act; new ones are added."""
        whole = np.dtype((np.void, self.envs.observations[0].nbytes))
        seen, first, where = np.unique(self.envs.observations.view(whole).ravel(), return_index=True, return_inverse=True)
        found = np.empty(len(seen), int)
        for i, key in enumerate(one.tobytes() for one in seen):
            if key not in self.rows:
                self.rows[key] = len(self.rows)
                for name in ("logits", "won", "times", "mean"):
                    setattr(self, name, np.vstack([getattr(self, name), np.zeros(self.logits.shape[1])]))
                self.legal = np.vstack([self.legal, self.envs.action_mask[first[i]]])
            found[i] = self.rows[key]
        return found[where]

    def play(self, steps):
        every = np.arange(TABLES)
        for _ in range(steps):
            rows = self.look_up()
            chances = policy_of(self.logits[rows], self.legal[rows])
            uniform = self.legal[rows] / self.legal[rows].sum(axis=1, keepdims=True)
            chances = (1 - EXPLORE) * chances + EXPLORE * uniform
            actions = (chances.cumsum(axis=1) < self.rng.random((TABLES, 1))).sum(axis=1)
            self.of_row[every, self.made], self.of_action[every, self.made] = rows, actions
            self.of_seat[every, self.made] = self.envs.current_players
            self.made += 1
            self.envs.step(actions.astype(np.int32))
            over = np.flatnonzero(self.envs.terminated)
            which, nth = np.nonzero(np.arange(MOST_DECISIONS) < self.made[over, None])
            at = over[which], nth
            np.add.at(self.won, (self.of_row[at], self.of_action[at]), self.envs.rewards[at[0], self.of_seat[at]])
            np.add.at(self.times, (self.of_row[at], self.of_action[at]), 1)
            self.made[over] = 0

    def learn(self):
        policy = policy_of(self.logits, self.legal)
        worth = self.won / np.maximum(self.times, 1)
        better = worth - (policy * worth).sum(axis=1, keepdims=True)
        self.logits = (1 - SHRINK) * self.logits + RATE * np.where(self.times > 0, better, 0)
        self.learned += 1
        self.mean += self.learned * policy_of(self.logits, self.legal)
        self.won *= FORGET
        self.times *= FORGET

    def agent(self):
        rows, policy = self.rows, self.mean / self.mean.sum(axis=1, keepdims=True)

        class Learned:
            def reset(self, seat, seed):
                self.rng = np.random.default_rng(seed)

            def act(self, observation):
                row = rows.get(observation.data.tobytes())
                legal = observation.legal_actions()
                return self.rng.choice(legal) if row is None else self.rng.choice(len(policy[row]), p=policy[row])

        return Learned


def train(iterations, spec="leduc"):
    learner = Learner(spec)
    for _ in range(iterations):
        learner.play(STEPS)
        learner.learn()
    return learner


if __name__ == "__main__":
    learner = train(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
    print(f"{learner.envs.hands_finished} hands, {len(learner.rows)} things seen")
    for other in ("random", "rule", "default"):
        result = dc.play_match("leduc", [learner.agent(), other], deals=5000, seed=1)
        print(f"learned against {other}: {result['mean'][0]:+.3f} +- {result['ci95'][0]:.3f} {result['unit']}")
