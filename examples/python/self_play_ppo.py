"""PPO by self-play in one file: one network has all seats of many tables, and plays as an agent in the end.

The tables are a gymnasium.vector.VectorEnv without copies. A decision's return is what its seat wins in the hand; what
is not finished when the weights change is finished with the new ones.

python examples/python/self_play_ppo.py [ITERATIONS [GAME]]
"""

import sys

import numpy as np
import torch

import dealers_choice as dc

TABLES, STEPS, EPOCHS, MINIBATCH = 256, 32, 3, 1024
RATE, CLIP, ENTROPY, VALUE = 2e-3, 0.2, 0.02, 0.5


def masked(logits, legal):
    return torch.distributions.Categorical(logits=logits.masked_fill(~legal, -1e9))


class Collector:
    """Plays all tables; decisions wait for the end of their hand."""

    def __init__(self, game, network):
        self.envs = dc.vector_env(game, TABLES, returns=True, copy=False)
        self.envs.reset(seed=0)
        self.network = network
        self.waiting = [[] for _ in range(TABLES)]

    @torch.no_grad()
    def collect(self):
        envs, finished = self.envs, []
        for _ in range(STEPS):
            inputs = self.network.inputs(envs.observations)
            legal = torch.from_numpy(envs.action_mask.copy())
            choice = masked(self.network(inputs)[0], legal)
            actions = choice.sample()
            chances = choice.log_prob(actions)
            for table, seat in enumerate(envs.current_players.tolist()):
                self.waiting[table].append((seat, inputs[table], legal[table], actions[table], chances[table]))
            envs.step(actions.numpy())
            for table in np.flatnonzero(envs.terminated):
                won = envs.returns[table].tolist()
                finished += [(*rest, won[seat]) for seat, *rest in self.waiting[table]]
                self.waiting[table] = []
        inputs, legal, actions, chances, won = zip(*finished)
        return *map(torch.stack, (inputs, legal, actions, chances)), torch.tensor(won, dtype=torch.float32)


def update(network, adam, inputs, legal, actions, chances, won):
    for _ in range(EPOCHS):
        for batch in torch.randperm(len(won)).split(MINIBATCH):
            logits, values = network(inputs[batch])
            choice = masked(logits, legal[batch])
            error = (won[batch] - values) / network.value_unit
            advantage = error.detach()
            advantage = (advantage - advantage.mean()) / (advantage.std(unbiased=False) + 1e-8)  # also of one
            ratio = (choice.log_prob(actions[batch]) - chances[batch]).exp()
            gain = torch.min(ratio * advantage, ratio.clamp(1 - CLIP, 1 + CLIP) * advantage)
            loss = -gain.mean() + VALUE * error.square().mean() - ENTROPY * choice.entropy().mean()
            adam.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            adam.step()


if __name__ == "__main__":
    iterations = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    game = sys.argv[2] if len(sys.argv) > 2 else "leduc"
    torch.manual_seed(0)
    network = dc.PolicyNetwork(game, hidden_sizes=(64, 64), value_unit=5.0)
    adam = torch.optim.Adam(network.parameters(), lr=RATE, eps=1e-5)
    collector = Collector(game, network)
    for iteration in range(iterations):
        adam.param_groups[0]["lr"] = RATE * (1 - iteration / iterations)
        update(network, adam, *collector.collect())
    print(f"{collector.envs.hands_finished} hands")
    network.save("self_play.safetensors")
    for other in ("random", "rule"):
        result = dc.play_match(game, ["self_play.safetensors", other], deals=2000, seed=1)
        print(f"self_play against {other}: {result['mean'][0]:+.3f} +- {result['ci95'][0]:.3f} {result['unit']}")
