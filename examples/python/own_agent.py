"""An agent of one's own in a match: Leduc by a heuristic, against the project's agents.

python examples/python/own_agent.py [DEALS]
"""

import sys

import numpy as np

import dealers_choice as dc

GAME = dc.make_game("leduc")
FOLD, CALL, RAISE = 0, 1, 2  # `dealer games leduc` lists them; Env.choices() says it in words


class Thumb:
    """Raises with a pair or a king, folds the jack to a bet, calls with the rest; bluffs now and then."""

    def reset(self, seat, seed):
        self.rng = np.random.default_rng(seed)

    def act(self, observation):
        parts = dc.named_parts(GAME, observation)
        rank = int(parts["hand"].argmax()) // 2  # 0 jack, 1 queen, 2 king
        board = int(parts["board"].argmax()) // 2 if parts["board"].any() else None
        mine, theirs = parts["paid"]
        if board == rank or rank == 2 or self.rng.random() < 0.1:
            wish = RAISE
        elif rank == 0 and theirs > mine:
            wish = FOLD
        else:
            wish = CALL
        legal = observation.legal_actions()
        return wish if wish in legal else CALL


if __name__ == "__main__":
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    for other in ("random", "rule", "default"):
        result = dc.play_match(GAME, [Thumb, other], deals=deals, seed=1)
        print(f"Thumb against {other}: {result['mean'][0]:+.3f} +- {result['ci95'][0]:.3f} {result['unit']}")
