"""From the hidden states of a sentence to its embedding."""

from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from attnviewer.compute import Array
from attnviewer.io import FileFormatError
from attnviewer.models.json_file import read_json

_TRANSFORMER, _POOLING, _NORMALIZE = "Transformer", "Pooling", "Normalize"


class Pooling(NamedTuple):
    """How a sentence's hidden states become one row.

    Parameters
    ----------
    first : bool
        The first token's, rather than the mean over all tokens.
    normalized : bool
        Divided by its length.
    """

    first: bool = False
    normalized: bool = False


class _Module(msgspec.Struct):
    type: str
    path: str = ""


class _PoolingFile(msgspec.Struct):
    pooling_mode_mean_tokens: bool = True
    pooling_mode_cls_token: bool = False


def read_pooling(folder: Path) -> Pooling | None:
    """Return how a checkpoint pools, as sentence-transformers' files tell.

    Parameters
    ----------
    folder : Path
        Where ``modules.json`` may be; without it the mean is taken.

    Returns
    -------
    Pooling or None
        None where it pools in a way that is not computed here.

    Raises
    ------
    FileError
        If a file cannot be read or understood.
    """
    modules = folder / "modules.json"
    if not modules.exists():
        return Pooling()
    steps = {
        module.type.rpartition(".")[2]: module
        for module in read_json(modules, list[_Module])
    }
    if not steps.keys() <= {_TRANSFORMER, _POOLING, _NORMALIZE}:
        return None
    told = _PoolingFile()
    place = steps.get(_POOLING)
    if place is not None:
        if Path(place.path).name != place.path:
            raise FileFormatError(
                modules, f"The path must be a folder beside it. Got '{place.path}'."
            )
        told = read_json(folder / place.path / "config.json", _PoolingFile)
    if told.pooling_mode_mean_tokens == told.pooling_mode_cls_token:
        return None
    return Pooling(told.pooling_mode_cls_token, _NORMALIZE in steps)


def pooled(states: Array, pooling: Pooling) -> Array:
    """Return the embedding of a sentence, shape (d_model,).

    Parameters
    ----------
    states : ndarray, shape (n, d_model)
        The hidden states after the last layer.
    pooling : Pooling
        How they become one row.
    """
    row: Array = states[0] if pooling.first else states.mean(axis=0)  # (d_model,)
    if pooling.normalized:
        row = row / max(float(np.linalg.norm(row)), 1e-12)
    return row
