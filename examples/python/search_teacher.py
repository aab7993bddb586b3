"""Can search teach the OFC network? Values placements by search, fits the dense layers to them, and counts what that gains.

python examples/python/search_teacher.py [POSITIONS [SIMULATIONS [FILE.safetensors]]]

The gain is counted on positions that the fit has not seen: what search gives the fitted network's placement more than
the network's own, in points. FILE gets the fitted network, an agent for `dealer match`. 1,000 positions with 2,000
simulations take a few minutes.
"""

# %% Positions of the first three streets of self-play, each with the placements that search compared.
import re
import sys
from pathlib import Path

import numpy as np
import torch

import dealers_choice as dc

POSITIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
SIMULATIONS = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
FILE = Path(sys.argv[3] if len(sys.argv) > 3 else "taught.safetensors")
FOLDS, EPOCHS, BATCH, PULL = 5, 6, 64, 3.0  # PULL: towards the weights as they were
PLACED = (5, 7, 9)  # cards on the own board after streets 1 to 3

game = dc.make_game("ofc")
search = dc.make_agent(f"default[simulations={SIMULATIONS}]", game)
players = [dc.make_agent("default", game) for _ in range(2)]
network = dc.load_torch(dc.models()["ofc"], "ofc")


def searched(observation, seed):
    """(rows, values, standard errors) of the placements that search reports, or None."""
    placements = {" ".join(choice["text"].split()): choice["rows"][0] for choice in network.afterstates(observation)}
    if not placements or len(re.findall(r"[2-9TJQKA][cdhs]", next(iter(placements)).split("discard")[0])) not in PLACED:
        return None
    pattern = r"^ *([-+]?[\d.]+) \+- ([\d.]+) points  (.*?)  (?:foul [^(]*)?\(\d+ simulations\)"
    search.reset(observation.player, seed)
    lines = re.findall(pattern, search.explain(observation), re.M)
    found = [(placements[" ".join(text.split())], float(value), float(error)) for value, error, text in lines]
    return list(zip(*found)) if len(found) > 1 else None


positions, hands = [], 0
env = dc.Env(game)
while len(positions) < POSITIONS:
    env.reset(hands)
    for seat, player in enumerate(players):
        player.reset(seat, hands)
    turn = []  # actions of the turn in progress that are still to be played
    while not env.terminated and len(positions) < POSITIONS:
        observation = env.observe(env.current_player)
        if not turn:
            choices = network.afterstates(observation)
            turn = list(choices[0]["actions"]) if choices else [None]
            if choices and (position := searched(observation, hands)):
                positions.append(position)
        env.step(players[env.current_player].act(observation))
        turn.pop()
    hands += 1
print(f"{len(positions)} positions of {hands} hands")

# %% The fit: differences between placements, weighted by their errors. The sparse layer stays as it is.
with torch.no_grad():
    hidden = [
        torch.relu(torch.stack([network.sparse.weight[list(row)].sum(0) for row in rows]) + network.sparse_bias)
        for rows, _, _ in positions
    ]
values = [torch.tensor(v, dtype=torch.float32) for _, v, _ in positions]
errors = [torch.tensor(e, dtype=torch.float32) for _, _, e in positions]
layers = network.stacks[0]
start = {name: tensor.clone() for name, tensor in layers.state_dict().items()}


def points(inputs):
    for layer in layers[:-1]:
        inputs = torch.relu(layer(inputs))
    return 10 * layers[-1](inputs)[:, 0]


def fit(chosen):
    layers.load_state_dict(start)
    adam = torch.optim.Adam(layers.parameters(), lr=3e-4)
    for epoch in range(EPOCHS):
        adam.param_groups[0]["lr"] = 3e-4 * (1 - epoch / EPOCHS)
        for first in range(0, len(chosen), BATCH):
            loss = PULL / 2 * sum(((p - start[name]) ** 2).sum() for name, p in layers.named_parameters())
            batch = chosen[first : first + BATCH]
            for i in batch:
                given = points(hidden[i])
                off = (given - given[own[i]]) - (values[i] - values[i][own[i]])
                loss = loss + (off**2 / (errors[i] ** 2 + errors[i][own[i]] ** 2 + 0.09)).sum() / 2 / len(batch)
            adam.zero_grad()
            loss.backward()
            adam.step()


with torch.no_grad():
    own = [int(points(inputs).argmax()) for inputs in hidden]
gains = []
order = np.random.default_rng(1).permutation(len(positions))
for fold in range(FOLDS):
    fit([i for place, i in enumerate(order) if place % FOLDS != fold])
    with torch.no_grad():
        for i in order[fold::FOLDS]:
            gains.append(float(values[i][points(hidden[i]).argmax()] - values[i][own[i]]))
print(f"held-out gain: {np.mean(gains):+.4f} +- {1.96 * np.std(gains) / len(gains) ** 0.5:.4f} points a position")
fit(list(order))
network.save(FILE)
print(f"wrote {FILE}")
