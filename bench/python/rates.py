"""How much of the speed of C++ Python gets, in one run: python bench/python/rates.py VECTOR_RATE

VECTOR_RATE is the program dealer_vector_rate of the build. Python and the program take turns on the same work with the
same actions, one thread each; ratios are those of the medians of five. Then the decisions a second of the PettingZoo
environment, each with last() and step(), the actions drawn from the mask by NumPy.
"""

import os
import statistics
import subprocess
import sys
import time

import numpy as np

import dealers_choice as dc

TABLES, ROUNDS = 4096, 5
STEPS = {"ofc": 300, "draw": 300}


def vector_rate(spec, steps):
    envs = dc.vector_env(spec, TABLES, action_mask=False, copy=False)
    envs.reset(1)

    def play(count):
        for _ in range(count):
            envs.step(envs.random_actions())

    play(steps // 10)
    start = time.perf_counter()
    play(steps)
    return TABLES * steps / (time.perf_counter() - start), envs.hands_finished


def aec_rate(spec, seconds=2.0):
    env, rng = dc.env(spec), np.random.default_rng(0)
    env.reset(seed=0)
    start, steps = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.reset()
            continue
        legal = observation["action_mask"].nonzero()[0]
        env.step(legal[int(rng.random() * len(legal))])
        steps += 1
    return steps / (time.perf_counter() - start)


if len(sys.argv) != 2 or not os.access(sys.argv[1], os.X_OK):
    sys.exit("usage: rates.py VECTOR_RATE, the program dealer_vector_rate of the build")
for spec, steps in STEPS.items():
    python, native = [], []
    for _ in range(ROUNDS):
        rate, hands = vector_rate(spec, steps)
        python.append(rate)
        output = subprocess.run([sys.argv[1], spec, str(TABLES), str(steps)], check=True, capture_output=True, text=True)
        rate, native_hands = map(int, output.stdout.split())
        native.append(rate)
        if hands != native_hands:
            sys.exit(f"{spec}: Python has played {hands} hands and C++ {native_hands}")
    mine, theirs = statistics.median(python), statistics.median(native)
    print(f"vector_env {spec}: {mine:,.0f} decisions a second, C++ {theirs:,.0f}, ratio {mine / theirs:.3f}", flush=True)
for spec in ("ofc", "draw", "leduc"):
    rates = [aec_rate(spec) for _ in range(ROUNDS)]
    print(f"env {spec}: {statistics.median(rates):,.0f} steps a second, best {max(rates):,.0f}", flush=True)
