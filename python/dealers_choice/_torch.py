"""dealers_choice.load_torch(): the trained networks as PyTorch modules. Needs PyTorch."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Optional, Union

import numpy as np
import torch
from torch import Tensor, nn

from ._core import CheckpointError, Game, Observation, UsageError, afterstates, feature_names, make_game
from ._core import num_afterstate_features
from ._fantasyland import FANTASYLAND_FEATURES, FantasylandInputs, scoring
from ._weights import Path, Tensors, game_of, read_weights, write_weights

_POLICY = "dealer.policy_network.1"
# The number of outputs of networks that value afterstates, and the unit of the first and the fourth, in points.
_AFTERSTATES = {"dealer.ofc.afterstate_stakes.1": 4, "dealer.seven_hand.afterstate_values.1": 1}
_OFC_UNIT = 10.0
_TURNS = 5  # of a hand of OFC


def load_torch(file: Path, game: Union[str, Game, None] = None) -> Union[PolicyNetwork, AfterstateNetwork]:
    """The network of a file of weights (models() has those that come with the package) as a torch.nn.Module.

    game: another than the one whose rules the file has, but of as many inputs and actions; of the same scoring and
    Fantasyland for a network that knows what Fantasyland is worth. Raises FileError when the file cannot be read,
    CheckpointError when it holds no network, or one of another game.
    """
    metadata, tensors = read_weights(file)
    form = metadata.get("format")
    if form != _POLICY and form not in _AFTERSTATES:
        raise CheckpointError(f"{file}: of the format '{form}'; networks have {', '.join([_POLICY, *_AFTERSTATES])}")
    played = game_of(file, metadata) if game is None else make_game(game)
    if played.family != metadata.get("game"):
        raise CheckpointError(f"{file}: a network for '{metadata.get('game')}'; '{played.spec}' is '{played.family}'")
    network: Union[PolicyNetwork, AfterstateNetwork]
    if form == _POLICY:
        if json.loads(metadata["facts"]) != feature_names(played):
            raise CheckpointError(f"{file}: a network of other input features than those of '{played.spec}'")
        unit, threshold = float(metadata["value_unit"]), float(metadata.get("threshold", 0))
        network = PolicyNetwork(played, _widths(tensors, "policy"), value_unit=unit, threshold=threshold)
    else:
        stacks_from = int(metadata["stacks_from"]) if "stacks_from" in metadata else None
        first = "dense" if stacks_from is None else "stack.0.dense"
        knows = len(tensors.get("sparse.weight", ())) == num_afterstate_features(played) + FANTASYLAND_FEATURES
        knows = knows and played.family == "ofc"
        if knows and game is not None:
            _check_scoring(file, metadata, played, tensors)
        widths = _widths(tensors, first, hidden=1)
        network = AfterstateNetwork(played, widths, stacks_from=stacks_from, knows_fantasyland=knows)
    network.metadata = metadata
    try:
        network.set_tensors(tensors)
    except (KeyError, RuntimeError) as error:
        raise CheckpointError(f"{file}: no network of '{played.spec}': {error}") from None
    return network


class PolicyNetwork(nn.Module):
    """A network with a policy and a value: dense layers with ReLUs between them.

    forward() takes inputs(), float32 [..., observation_size + features], and returns the logits of all actions
    [..., num_actions] and the value for the observer [...], in the game's unit.

    game: whose actions and observations it has. value_unit: the value's output counts in so many of the game's unit.
    threshold: agents do not play actions that are less likely.
    """

    def __init__(
        self,
        game: Union[str, Game],
        hidden_sizes: Sequence[int] = (256, 256),
        *,
        value_unit: float = 1.0,
        threshold: float = 0.0,
    ):
        super().__init__()
        self.game = make_game(game)
        self.features = feature_names(self.game)
        self.value_unit = value_unit
        self.threshold = threshold
        self.metadata: dict[str, str] = {}
        sizes = [self.game.observation_size + len(self.features), *hidden_sizes, self.game.num_actions + 1]
        self.layers = nn.ModuleList(nn.Linear(*pair) for pair in zip(sizes, sizes[1:]))

    def inputs(self, observations: Union[Observation, np.ndarray]) -> Tensor:
        """What forward() takes: the observations of seats to act, one or an array of them, and their features."""
        from . import features

        data = observations.data if isinstance(observations, Observation) else np.asarray(observations, np.float32)
        return torch.from_numpy(np.concatenate([data, features(self.game, data)], axis=-1))

    def forward(self, inputs: Tensor) -> tuple[Tensor, Tensor]:
        for layer in self.layers[:-1]:
            inputs = torch.relu(layer(inputs))
        outputs = self.layers[-1](inputs)
        return outputs[..., :-1], outputs[..., -1] * self.value_unit

    @torch.no_grad()
    def evaluate(self, observation: Observation) -> tuple[np.ndarray, float]:
        """The probability of every action [num_actions], as agents play it, and the value."""
        logits, value = self(self.inputs(observation))
        legal = observation.legal_actions()
        policy = np.zeros(self.game.num_actions)
        policy[legal] = torch.softmax(logits[legal], -1).numpy()
        policy[policy < min(self.threshold, policy.max())] = 0
        return policy / policy.sum(), float(value)

    def set_tensors(self, tensors: Tensors) -> None:
        """Takes the tensors of a file: docs/weights.md."""
        self.load_state_dict(_dense_of(tensors, "policy", self.layers, "layers"))

    def save(self, file: Path) -> None:
        """Writes a file of weights: a trained agent, as any that `dealer train` has made."""
        settings = {"facts": json.dumps(self.features), "value_unit": repr(float(self.value_unit))}
        settings["threshold"] = repr(float(self.threshold))
        form = {"format": _POLICY, "game": self.game.family, "rules": self.game.rules}
        write_weights(file, {**self.metadata, **form, **settings}, _tensors_of(self.layers, "policy"))


class AfterstateNetwork(nn.Module):
    """A network that values the positions after a turn, in OFC and 7-Hand Poker: a sparse layer, then dense ones.

    forward() takes the rows of its method afterstates(), lists of the binary features that are 1, and returns their
    outputs, [rows, 1 or 4]: in 7-Hand Poker the value in points; in OFC the stake, the logits of a foul and of
    Fantasyland, and the other's share, stake and share in tens of points.

    stacks_from: in OFC, where every turn has dense layers of its own, the feature that is 1 after the first turn; those
    of the other four turns follow it. knows_fantasyland: in OFC, there are inputs for what Fantasyland is worth, by the
    tensor chain_values in `others`, and for the number of the opponent's Fantasyland cards.
    """

    def __init__(
        self,
        game: Union[str, Game],
        hidden_sizes: Sequence[int] = (256, 64, 32),
        *,
        stacks_from: Optional[int] = None,
        knows_fantasyland: bool = False,
    ):
        super().__init__()
        self.game = make_game(game)
        count = num_afterstate_features(self.game)
        if count == 0:
            raise UsageError(f"networks of '{self.game.spec}' do not value afterstates; those of OFC and 7-Hand Poker do")
        self.form = next(form for form in _AFTERSTATES if form.split(".")[1] == self.game.family)
        self.metadata: dict[str, str] = {}
        self._fantasyland: Optional[FantasylandInputs] = None
        if knows_fantasyland:
            if self.game.family != "ofc":
                raise UsageError(f"'{self.game.spec}' has no Fantasyland; OFC has")
            self._fantasyland = FantasylandInputs(self.game, count)
            count += FANTASYLAND_FEATURES
        self.sparse = nn.EmbeddingBag(count, hidden_sizes[0], mode="sum")
        self.sparse_bias = nn.Parameter(torch.zeros(hidden_sizes[0]))
        sizes = [*hidden_sizes, _AFTERSTATES[self.form]]
        self.stacks_from = stacks_from
        self.stacks = nn.ModuleList(
            nn.ModuleList(nn.Linear(*pair) for pair in zip(sizes, sizes[1:]))
            for _ in range(1 if stacks_from is None else _TURNS)
        )
        # In OFC: the value of Fantasyland, the boards that it is set against, and the points subtracted for fouls.
        self.others: Tensors = {}
        if self.game.family == "ofc":
            self.others = {"chain_values": np.zeros((6, 6, 2)), "boards": np.zeros((0, 13), np.uint8)}
            self.others["caution"] = np.zeros(1)

    def forward(self, rows: Sequence[Sequence[int]]) -> Tensor:
        offsets = torch.tensor(np.cumsum([0, *(len(row) for row in rows[:-1])]))
        active = torch.tensor([feature for row in rows for feature in row])
        first = torch.relu(self.sparse(active, offsets) + self.sparse_bias)
        chosen = torch.tensor([self._stack_of(row) for row in rows])
        outputs = torch.empty(len(rows), _AFTERSTATES[self.form])
        for number, stack in enumerate(self.stacks):
            hidden = first[chosen == number]
            for layer in stack[:-1]:
                hidden = torch.relu(layer(hidden))
            outputs[chosen == number] = stack[-1](hidden)
        return outputs

    def _stack_of(self, row: Sequence[int]) -> int:
        if self.stacks_from is None:
            return 0
        return next((feature - self.stacks_from for feature in row if 0 <= feature - self.stacks_from < _TURNS), 0)

    def _prefix(self, stack: int) -> str:
        return "dense" if self.stacks_from is None else f"stack.{stack}.dense"

    def afterstates(self, observation: Observation) -> list[dict[str, Any]]:
        """The choices of the turn, as dealers_choice.afterstates() gives them, the rows with all inputs of the network."""
        found = afterstates(self.game, observation)
        if found and self._fantasyland is not None:
            more = self._fantasyland.features(observation, self.others["chain_values"])
            for choice in found:
                choice["rows"] = [row + features for row, features in zip(choice["rows"], more)]
        return found

    @torch.no_grad()
    def choices(self, observation: Observation) -> list[dict[str, Any]]:
        """The choices of the turn, as afterstates() gives them, with their value in points, the best first.

        Agents play the first one; they leave to exact counting what it can decide: docs/weights.md.
        """
        found = self.afterstates(observation)
        if not found:
            return []
        outputs = self([row for choice in found for row in choice["rows"]]).reshape(len(found), -1, _AFTERSTATES[self.form])
        if self.game.family == "ofc":
            values = _OFC_UNIT * outputs[..., 0] - float(self.others["caution"][0]) * torch.sigmoid(outputs[..., 1])
            values = values.sum(-1)
            values = values - _OFC_UNIT * outputs[values.argmax(), :, 3].sum()
        else:
            values = outputs[:, 0, 0]
        for choice, value in zip(found, values.tolist()):
            choice["value"] = value
        return sorted(found, key=lambda choice: -choice["value"])

    def set_tensors(self, tensors: Tensors) -> None:
        """Takes the tensors of a file: docs/weights.md."""
        state = {}
        for i, stack in enumerate(self.stacks):
            state |= _dense_of(tensors, self._prefix(i), stack, f"stacks.{i}")
        sparse = tensors["sparse.weight"]
        if self.game.family == "ofc":  # agents play with weights of half precision
            sparse = sparse.astype(np.float16)
        state["sparse.weight"] = torch.from_numpy(sparse.astype(np.float32))
        state["sparse_bias"] = torch.from_numpy(tensors["sparse.bias"])
        self.load_state_dict(state)
        self.others = {name: tensors[name] for name in self.others}

    def save(self, file: Path) -> None:
        """Writes a file of weights: a trained agent, as any that `dealer train` has made."""
        form = {"format": self.form, "game": self.game.family, "rules": self.game.rules}
        sparse = {"sparse.weight": self.sparse.weight, "sparse.bias": self.sparse_bias}
        tensors = {name: tensor.detach().cpu().numpy() for name, tensor in sparse.items()}
        for i, stack in enumerate(self.stacks):
            tensors |= _tensors_of(stack, self._prefix(i))
        if self.stacks_from is not None:
            form["stacks_from"] = str(self.stacks_from)
        write_weights(file, {**self.metadata, **form}, {**tensors, **self.others})


def _check_scoring(file: Path, metadata: dict[str, str], game: Game, tensors: Tensors) -> None:
    """The values of Fantasyland in a file are those of its own rules; the program estimates them for others."""
    own = game_of(file, metadata) if "rules" in metadata else make_game("ofc")
    learned, played = scoring(own), scoring(game)
    differ = [key for key in played if played[key] != learned[key]]
    if differ and len(tensors.get("boards", ())):
        raise CheckpointError(
            f"{file}: its inputs are the values of Fantasyland under its own rules; expected "
            f"{', '.join(f'{key}: {learned[key]}' for key in differ[:3])}; "
            f"'{game.spec}' has {', '.join(played[key] for key in differ[:3])}"
        )


def _widths(tensors: Tensors, prefix: str, hidden: int = 0) -> list[int]:
    """Of the hidden layers: what all dense layers but the first take in, or all of them."""
    widths: list[int] = []
    while f"{prefix}.{len(widths)}.weight" in tensors:
        widths.append(tensors[f"{prefix}.{len(widths)}.weight"].shape[0])
    return widths if hidden else widths[1:]


# Files have the weights of a layer as [in, out], PyTorch as [out, in].
def _dense_of(tensors: Tensors, prefix: str, layers: nn.ModuleList, name: str) -> dict[str, Tensor]:
    state = {}
    for i in range(len(layers)):
        state[f"{name}.{i}.weight"] = torch.from_numpy(tensors[f"{prefix}.{i}.weight"].T.copy())
        state[f"{name}.{i}.bias"] = torch.from_numpy(tensors[f"{prefix}.{i}.bias"])
    return state


def _tensors_of(layers: nn.ModuleList, prefix: str) -> Tensors:
    tensors = {}
    for i, layer in enumerate(layers):
        tensors[f"{prefix}.{i}.weight"] = layer.get_parameter("weight").detach().cpu().numpy().T
        tensors[f"{prefix}.{i}.bias"] = layer.get_parameter("bias").detach().cpu().numpy()
    return tensors
