"""One hand of any game, played at random: the table, what may be chosen, what comes of it.

python examples/python/random_play.py [GAME]
"""

import sys

import numpy as np

import dealers_choice as dc

table = dc.Env(sys.argv[1] if len(sys.argv) > 1 else "holdem[limit=no_limit]")
table.reset(seed=7)
rng = np.random.default_rng(7)

while not table.hand_over:
    seat = table.current_player
    choice = rng.choice(table.choices())
    decision = choice["action"]
    if decision is None:  # any amount of a range
        low, high, step = choice["amount"]
        decision = dc.Decision.bet_to(int(rng.choice(np.arange(low, high + 1, step))))
    print(f"seat {seat}: {table.decision_to_string(decision)}")
    table.step(decision)

print()
print(table.to_string(0))
print(f"won and lost: {table.returns()} {table.game.unit}")
