"""Exports a trained policy network to ONNX, and compares the two where onnxruntime is installed.

The model takes `inputs`, float32 [positions, observation and features], and gives `logits` [positions, actions] and
`value` [positions], in the game's unit: PolicyNetwork.inputs() in docs/weights.md.

python examples/python/onnx_export.py [MODEL [FILE.onnx]]     MODEL: a name of dealers_choice.models(), or a file
"""

import sys

import numpy as np
import torch

import dealers_choice as dc

name = sys.argv[1] if len(sys.argv) > 1 else "holdem"
file = sys.argv[2] if len(sys.argv) > 2 else f"{name}.onnx"

network = dc.load_torch(dc.models().get(name, name))
if not isinstance(network, dc.PolicyNetwork):
    sys.exit(f"{name} values afterstates: export its dense layers with their weights (docs/weights.md)")

# Positions on the way through random games.
envs = dc.vector_env(network.game, 64)
seen, _ = envs.reset(seed=1)
for _ in range(5):
    seen, *_ = envs.step(envs.random_actions())
inputs = network.inputs(seen["observation"])

torch.onnx.export(
    network.eval(),
    (inputs,),
    file,
    input_names=["inputs"],
    output_names=["logits", "value"],
    dynamic_shapes={"inputs": {0: torch.export.Dim("positions")}},
    dynamo=True,
    verbose=False,
)
print(f"wrote {file}: {inputs.shape[1]} inputs, {network.game.num_actions} actions of {network.game.name}")

try:
    import onnxruntime
except ModuleNotFoundError:
    print("onnxruntime is not installed: not compared")
    sys.exit()
session = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"])
with torch.no_grad():
    expected = network(inputs)
for rows in (64, 1, 7):
    found = session.run(["logits", "value"], {"inputs": inputs[:rows].numpy()})
    worst = max(np.abs(a[:rows].numpy() - b).max() for a, b in zip(expected, found))
    print(f"{rows} positions: the largest difference is {worst / network.value_unit:.1e} of the value's unit")
