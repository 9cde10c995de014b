"""The weights of experts, read one expert at a time."""

from collections.abc import Callable, Iterator

import numpy as np

from attnviewer.compute import Array
from attnviewer.io import FileFormatError
from attnviewer.models.checkpoint import Checkpoint
from attnviewer.models.layers import Expert, Linear
from attnviewer.models.mxfp4 import BLOCK, dequantised

PACKED = ("blocks", "scales")
"""Suffixes of the tensors that hold a matrix of all experts in MXFP4."""


def read_expert(
    checkpoint: Checkpoint, name_of: Callable[[str], str], expert: int
) -> Expert:
    """Return an expert of a layer, without reading the others.

    Parameters
    ----------
    checkpoint : Checkpoint
        The tensors.
    name_of : callable
        Returns the tensor name of a part.
    expert : int
        Which one.
    """
    gate_up, down = (
        Linear(
            _matrix(checkpoint, name_of(f"expert_W_{part}"), expert),
            checkpoint.rows(name_of(f"expert_b_{part}"), slice(expert, expert + 1))[0],
        )
        for part in ("gate_up", "down")
    )
    return Expert(gate_up, down)


def packed_names(checkpoint: Checkpoint, name: str) -> tuple[str, ...]:
    """Return the tensors that hold a matrix in MXFP4; () if it is stored as it is."""
    names = tuple(f"{name}_{suffix}" for suffix in PACKED)
    return names if name not in checkpoint and names[0] in checkpoint else ()


def check_packed(checkpoint: Checkpoint, name: str, shape: tuple[int, ...]) -> None:
    """Check the tensors of a matrix in MXFP4 by their descriptions.

    Parameters
    ----------
    checkpoint : Checkpoint
        The tensors.
    name : str
        The name that the matrix would have as it is.
    shape : tuple of three int
        Experts, inputs and outputs.

    Raises
    ------
    FileFormatError
        If one is missing, or of another shape or type.
    """
    experts, inputs, outputs = shape
    count = -(-inputs // BLOCK)
    for part, expected in zip(
        packed_names(checkpoint, name),
        _packed_shapes(experts, outputs, count),
        strict=True,
    ):
        if checkpoint.shape(part) != expected or inputs % BLOCK:
            raise FileFormatError(
                checkpoint.file_of(part),
                f"It must have the shape {expected}, for {inputs} inputs in blocks of "
                f"{BLOCK}. Got {checkpoint.shape(part)} instead.",
                part,
            )
        checkpoint.check_bytes(part)


def _packed_shapes(experts: int, outputs: int, count: int) -> Iterator[tuple[int, ...]]:
    yield experts, outputs, count, BLOCK // 2
    yield experts, outputs, count


def _matrix(checkpoint: Checkpoint, name: str, expert: int) -> Array:
    """Return a matrix of an expert in float32, (in, out)."""
    packed = packed_names(checkpoint, name)
    if not packed:
        matrix: Array = checkpoint.rows(name, slice(expert, expert + 1))[0]
        return matrix
    blocks, scales = (checkpoint.packed_row(part, expert) for part in packed)
    return dequantised(np.asarray(blocks), np.asarray(scales)).T  # (out, in) stored
