"""Pooling of a sentence's hidden states into its embedding."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array
from attnviewer.io import FileFormatError
from attnviewer.io.stamp import Stamp
from attnviewer.io.strict_json import shortened
from attnviewer.models.json_file import read_json
from attnviewer.models.shards import is_plain

_TRANSFORMER, _POOLING, _NORMALIZE = "Transformer", "Pooling", "Normalize"


class Pooling(NamedTuple):
    """The pooling of a sentence's hidden states to one row.

    Parameters
    ----------
    first : bool
        Whether the first token is taken rather than the mean over all tokens.
    normalized : bool
        Whether the embedding is scaled to unit length.
    ends : bool
        Whether the token that ends the text is taken rather than either.
    end_token : int or None
        Its id, of which the first counts, or else the first token; None for the
        largest id of the text.
    """

    first: bool = False
    normalized: bool = False
    ends: bool = False
    end_token: int | None = None

    def tokens(self, ids: Sequence[int]) -> NDArray[np.intp]:
        """Return the positions of the tokens whose mean is taken, shape (m,).

        Parameters
        ----------
        ids : sequence of int
            The ids of all tokens.
        """
        if self.ends:
            found = (
                np.array(ids)
                if self.end_token is None
                else (np.array(ids) == self.end_token)
            )
            return np.array([found.argmax()])
        return np.arange(1 if self.first else len(ids))


class _Module(msgspec.Struct):
    type: str
    path: str = ""


class _PoolingFile(msgspec.Struct):
    pooling_mode: str | list[str] | None = None
    pooling_mode_mean_tokens: bool = True
    pooling_mode_cls_token: bool = False
    pooling_mode_max_tokens: bool = False
    pooling_mode_mean_sqrt_len_tokens: bool = False
    pooling_mode_weightedmean_tokens: bool = False
    pooling_mode_lasttoken: bool = False

    def is_first(self) -> bool | None:
        """Return whether the first token is taken rather than the mean."""
        modes = self.pooling_mode
        if modes is None:  # several modes are concatenated
            fields = msgspec.structs.asdict(self)
            modes = [name for name, value in fields.items() if value is True]
        elif isinstance(modes, str):
            modes = [modes]
        return _IS_FIRST.get(modes[0]) if len(modes) == 1 else None


_IS_FIRST = {
    "mean": False,
    "pooling_mode_mean_tokens": False,
    "cls": True,
    "pooling_mode_cls_token": True,
}


def read_pooling(folder: Path, usual: Pooling | None = None) -> Pooling | None:
    """Return how a checkpoint pools, from sentence-transformers' files.

    Parameters
    ----------
    folder : Path
        The checkpoint's folder.
    usual : Pooling
        What is done without ``modules.json``; the mean is taken by default.

    Returns
    -------
    Pooling or None
        None if its pooling is unsupported, or its file is missing.

    Raises
    ------
    FileError
        If a file cannot be read or understood.
    """
    modules = folder / "modules.json"
    if not modules.exists():
        return usual or Pooling()
    steps = {
        module.type.rpartition(".")[2]: module
        for module in read_json(modules, list[_Module])
    }
    if not steps.keys() <= {_TRANSFORMER, _POOLING, _NORMALIZE}:
        return None
    settings = _PoolingFile()
    module = steps.get(_POOLING)
    if module is not None:
        if not is_plain(module.path):
            raise FileFormatError(
                modules,
                "The path must be that of a folder beside it. "
                f"Got '{shortened(module.path)}' instead.",
            )
        file = folder / module.path / "config.json"
        if Stamp.of(file) is None:
            return None  # users often download a model's files without its folders
        settings = read_json(file, _PoolingFile)
    first = settings.is_first()
    return None if first is None else Pooling(first, _NORMALIZE in steps)


def supported(pooling: Pooling | None, kind: str, family: str) -> Pooling:
    """Return how a model embeds a sentence.

    Parameters
    ----------
    pooling : Pooling or None
        What `read_pooling` found.
    kind, family : str
        The model's kind, and its family for messages.

    Raises
    ------
    ValueError
        If the model is a decoder, or its pooling is unsupported.
    """
    if kind != "encoder":
        raise ValueError(
            "The model must be an encoder to embed a sentence. "
            f"Got {family} instead, a decoder."
        )
    if pooling is None:
        raise ValueError(
            "The pooling of the model must be the mean or the first token, as the "
            "folders say that modules.json names. Got another way, or no file "
            "that says it, instead."
        )
    return pooling


def pooled(states: Array, pooling: Pooling, ids: Sequence[int]) -> Array:
    """Return the embedding of a sentence, shape (d_model,).

    Parameters
    ----------
    states : ndarray, shape (n, d_model)
        The hidden states after the last layer.
    pooling : Pooling
        How they become one row.
    ids : sequence of int
        The ids of the tokens.
    """
    row: Array = states[pooling.tokens(ids)].mean(axis=0)  # (d_model,)
    if pooling.normalized:
        row = row / max(float(np.linalg.norm(row)), 1e-12)
    return row
