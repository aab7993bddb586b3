"""A network made in PyTorch that plays as an agent: learns by supervision what the solved Leduc agent does.

Positions come from games that the agent plays against a random one; the network learns its policy and the results. It
is written as a file of weights and then plays matches as any trained agent. `dealers_choice.load_torch(FILE)` loads a
trained network to begin with instead.

python examples/python/torch_network.py [HANDS [FILE.safetensors]]
"""

import sys

import numpy as np
import torch

import dealers_choice as dc

GAME = "leduc"


def play(hands):
    """What the teacher saw, its policy there, and what it won."""
    table, rng = dc.Env(GAME), np.random.default_rng(0)
    teacher = dc.make_agent("default", GAME)
    seen, policies, returns = [], [], []
    for hand in range(hands):
        table.reset(seed=hand)
        seat = hand % 2
        teacher.reset(seat, seed=hand)
        begun = len(seen)
        while table.current_player >= 0:
            if table.current_player != seat:
                table.step(int(rng.choice(table.legal_actions())))
                continue
            observation = table.observe(seat)
            policy = np.zeros(table.game.num_actions, np.float32)
            policy[observation.legal_actions()] = teacher.policy(observation)
            seen.append(observation.data.copy())
            policies.append(policy)
            table.step(teacher.act(observation))
        returns += [table.returns()[seat]] * (len(seen) - begun)
    return np.stack(seen), torch.tensor(np.stack(policies)), torch.tensor(returns, dtype=torch.float32)


def learn(network, inputs, policies, returns, epochs=300):
    adam = torch.optim.Adam(network.parameters(), lr=3e-3)
    for _ in range(epochs):
        logits, values = network(inputs)
        loss = torch.nn.functional.cross_entropy(logits, policies)
        loss = loss + torch.nn.functional.mse_loss(values, returns) / 100
        adam.zero_grad()
        loss.backward()
        adam.step()
    return loss.item()


if __name__ == "__main__":
    hands = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    file = sys.argv[2] if len(sys.argv) > 2 else "leduc_copy.safetensors"
    torch.manual_seed(0)
    network = dc.PolicyNetwork(GAME, hidden_sizes=(64, 64))
    seen, policies, returns = play(hands)
    print(f"{len(seen)} positions, loss {learn(network, network.inputs(seen), policies, returns):.3f}")
    network.save(file)
    for other in ("random", "default"):
        result = dc.play_match(GAME, [file, other], deals=2000, seed=1)
        print(f"{file} against {other}: {result['mean'][0]:+.3f} +- {result['ci95'][0]:.3f} {result['unit']}")
