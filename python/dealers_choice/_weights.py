"""Files of weights (safetensors): docs/weights.md."""

from __future__ import annotations

import json
import os
import pathlib
import struct
import tempfile
from typing import Union

import numpy as np

from ._core import CheckpointError, FileError, Game, make_game

_TYPES = {"F32": "<f4", "F64": "<f8", "I64": "<i8", "U8": "|u1", "F16": "<f2"}
_NAMES = {np.dtype(kind): name for name, kind in _TYPES.items()}

Path = Union[str, "os.PathLike[str]"]
Tensors = dict[str, np.ndarray]


def read_weights(file: Path) -> tuple[dict[str, str], Tensors]:
    """The metadata and the tensors of a file of weights.

    Raises FileError when it cannot be read, CheckpointError when it is malformed.
    """
    try:
        data = pathlib.Path(file).read_bytes()
    except OSError as error:
        raise FileError(f"cannot read {file}: {error.strerror}") from None
    try:
        (length,) = struct.unpack_from("<Q", data)
        header = json.loads(data[8 : 8 + length])
        metadata = header.pop("__metadata__", {})
        tensors = {}
        for name, entry in header.items():
            begin, end = (8 + length + offset for offset in entry["data_offsets"])
            numbers = np.frombuffer(data[begin:end], _TYPES[entry["dtype"]])
            tensors[name] = numbers.reshape(entry["shape"]).copy()
    except (struct.error, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CheckpointError(f"{file}: no safetensors file: {type(error).__name__}: {error}") from None
    return metadata, tensors


def write_weights(file: Path, metadata: dict[str, str], tensors: Tensors) -> None:
    """Writes a file of weights: float32, float64, int64 and uint8 tensors. Raises FileError when that fails."""
    header: dict[str, object] = {"__metadata__": {key: value for key, value in metadata.items() if key != "crc32c"}}
    blocks, offset = [], 0
    for name, tensor in sorted(tensors.items()):
        if tensor.dtype not in _NAMES:
            raise CheckpointError(f"{file}: tensor '{name}' is of {tensor.dtype}; expected one of {list(_TYPES)}")
        block = np.ascontiguousarray(tensor).astype(_TYPES[_NAMES[tensor.dtype]], copy=False).tobytes()
        header[name] = {
            "dtype": _NAMES[tensor.dtype],
            "shape": list(tensor.shape),
            "data_offsets": [offset, offset + len(block)],
        }
        blocks.append(block)
        offset += len(block)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    try:
        pathlib.Path(file).write_bytes(b"".join([struct.pack("<Q", len(text)), text, *blocks]))
    except OSError as error:
        raise FileError(f"cannot write {file}: {error.strerror}") from None


def game_of(file: Path, metadata: dict[str, str]) -> Game:
    """The game that the weights were trained for: by the rules in the file."""
    if "rules" not in metadata:
        raise CheckpointError(f"{file}: does not tell the rules it was trained for; give the game")
    with tempfile.TemporaryDirectory() as folder:
        rules = pathlib.Path(folder) / f"{pathlib.Path(file).stem}.yaml"
        rules.write_text(metadata["rules"], encoding="utf-8")
        return make_game(str(rules))
