"""Masks in the conventions of libraries, as the keys that a query may see."""

from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arrays import Numbers

HIDING = -1e3
"""A number that hides a key where it is added to its score, and all below it."""
PADDING = "key_padding_mask"
"""The mask of PyTorch's nn.MultiheadAttention in which True hides a key."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """The shapes that a mask has to fit.

    Parameters
    ----------
    batch : int or None
        Number of batch items; None without a batch.
    n_heads, n_queries, n_keys : int
        The shape of the scores.
    """

    batch: int | None
    n_heads: int
    n_queries: int
    n_keys: int


def read_mask(name: str, array: Numbers, notes: list[str]) -> tuple[str, Numbers]:
    """Return a mask as booleans, or as numbers that are added to the scores.

    Parameters
    ----------
    name : str
        Its name; in a `PADDING` mask 1 hides a key.
    array : ndarray
        Zeros and ones (1 for what a query may look at), or numbers to add to the
        scores.
    notes : list of str
        A sentence is appended where it is not zeros and ones.

    Returns
    -------
    kind : str
        ``mask`` or ``bias``.
    mask : ndarray
        Booleans, True where a query may look; or the numbers.
    """
    if name.lower() == PADDING:
        notes.append(
            f"'{name}' is read as in PyTorch's nn.MultiheadAttention: 1 hides a key."
        )
        return "mask", array == 0
    adds = (array == 0) | (array <= HIDING)
    if adds.all() and (array != 1).all() and (array <= HIDING).any():
        notes.append(
            f"'{name}' is read as numbers that are added to the scores: 0 lets a query "
            "look, and the others hide the key."
        )
        return "mask", array == 0
    if ((array == 0) | (array == 1)).all():
        if _hides_the_diagonal(array):
            notes.append(
                f"1 in '{name}' is read as what a query may look at, with which none "
                "sees itself. In PyTorch's nn.MultiheadAttention it hides: "
                "pass 1 - mask."
            )
        return "mask", array != 0
    notes.append(f"'{name}' is read as a bias, numbers that are added to the scores.")
    return "bias", array.astype(np.float64)


def _hides_the_diagonal(mask: Numbers) -> bool:
    """Return whether no query sees itself although some see others."""
    square = mask.ndim > 1 and mask.shape[-2] == mask.shape[-1] > 1
    return square and bool(mask.any() and not mask.diagonal(0, -2, -1).any())


def aligned(array: Numbers, sizes: Sizes) -> Numbers:
    """Return a mask or a bias with axes inserted so that it fits the scores.

    Parameters
    ----------
    array : ndarray
        Of shape (n_k,), (n_q, n_k), (h, n_q, n_k) or, with a batch, (batch, n_k),
        (batch, n_q, n_k), (batch·h, n_q, n_k), or (batch, h, n_q, n_k); a size may
        be 1.
    sizes : Sizes
        What it has to fit.
    """
    shape, batch = array.shape, sizes.batch
    matrix = sizes.n_queries, sizes.n_keys
    if batch is None:
        while array.ndim > 3 and len(array) == 1:
            array = array[0]
    elif shape == (batch, sizes.n_keys) and batch != sizes.n_queries:
        array = array[:, None, None]  # (batch, 1, 1, n_k)
    elif array.ndim == 3 and shape[0] == batch:
        array = array[:, None]  # (batch, 1, n_q, n_k)
    elif shape == (batch * sizes.n_heads, *matrix) and batch > 1:
        array = array.reshape(batch, sizes.n_heads, *matrix)
    return array
