"""Fused layers of GPT-NeoX, BLOOM and Falcon, which hold one head after the other."""

import re
from collections.abc import Mapping

import numpy as np

from attnviewer.compute.arrays import Numbers

_FUSED = re.compile(r"((?:.*\.)?)query_key_value\.(weight|bias)", re.DOTALL)


def taken_apart(
    arrays: Mapping[str, Numbers],
    n_heads: int | None,
    n_kv_heads: int | None,
    notes: list[str],
) -> dict[str, Numbers]:
    """Return arrays with a layer ``query_key_value`` as three, and its output named.

    Each head's queries come before its keys and values; of heads that share keys, the
    queries of all do.

    Parameters
    ----------
    arrays : mapping of str to ndarray
        The arrays by their names.
    n_heads, n_kv_heads : int or None
        How many heads are meant.
    notes : list of str
        A sentence on what was recognised is appended.

    Raises
    ------
    ValueError
        If the rows of such a layer cannot be divided among the heads.
    """
    found = dict[str, Numbers]()
    blocks = {match[1] for name in arrays if (match := _FUSED.fullmatch(name))}
    for name, array in arrays.items():
        match = _FUSED.fullmatch(name)
        if match is None:
            found[_output(name, blocks)] = array
            continue
        block, kind = match.groups()
        groups = n_kv_heads or n_heads or 1
        each = (n_heads or 1) // groups
        for part, rows in zip(
            ("query", "key", "value"), _rows(name, array, groups, each), strict=True
        ):
            found[f"{block}{part}.{kind}"] = rows
        note = f"'{block}query_key_value' is read as queries, keys and values by head."
        if note not in notes:
            notes.append(note)
    return found


def _rows(name: str, array: Numbers, groups: int, each: int) -> list[Numbers]:
    """Return the rows of queries, of keys and of values."""
    heads = groups * (each + 2)
    if not array.ndim or not array.size or len(array) % heads:
        raise ValueError(
            f"The '{name}' must have rows for {groups * each} query heads and "
            f"{groups} key/value heads, of one width. "
            f"Got the shape {array.shape} instead."
        )
    width = len(array) // heads
    grouped = array.reshape(groups, each + 2, width, *array.shape[1:])
    parts = np.split(grouped, [each, each + 1], axis=1)
    return [part.reshape(-1, *array.shape[1:]) for part in parts]


def _output(name: str, blocks: set[str]) -> str:
    """Return a name, that of the output's projection instead of ``dense``."""
    block, dense, kind = name.rpartition("dense.")
    return f"{block}out_proj.{kind}" if dense and block in blocks else name
