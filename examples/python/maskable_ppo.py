"""MaskablePPO of sb3-contrib learns Leduc against a random player, then plays matches.

python examples/python/maskable_ppo.py [STEPS]
"""

import sys

import gymnasium
import numpy as np
from sb3_contrib import MaskablePPO

import dealers_choice as dc

GAME = "leduc"


def agent_of(model):
    class Learned:
        def act(self, observation):
            mask = np.zeros(model.action_space.n, np.int8)
            mask[observation.legal_actions()] = 1
            seen = {"observation": observation.data, "action_mask": mask}
            return int(model.predict(seen, deterministic=False, action_masks=mask)[0])

    return Learned


if __name__ == "__main__":
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
    # The seat is drawn for every hand; what is legal comes from the environment's action_masks().
    env = gymnasium.make(f"dealers_choice/{GAME}", opponents="random", seat=None)
    model = MaskablePPO("MultiInputPolicy", env, n_steps=1024, batch_size=256, gamma=1, ent_coef=0.01, seed=0)
    model.learn(steps)
    for other in ("random", "rule"):
        result = dc.play_match(GAME, [agent_of(model), other], deals=500, seed=1)
        print(f"MaskablePPO against {other}: {result['mean'][0]:+.3f} +- {result['ci95'][0]:.3f} {result['unit']}")
