"""Masks of calls, as the keys that a query may see."""

from dataclasses import dataclass, field

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.doctor.reading.masks import HIDING
from attnviewer.recording.call import Call


@dataclass
class Masks:
    """The masks of a call, put together.

    Parameters
    ----------
    visible : list of ndarray of bool
        True where a query may look; each fits (batch, h, n_q, n_k).
    biases : list of ndarray
        What is added to the scores.
    """

    visible: list[Numbers] = field(default_factory=list)
    biases: list[Numbers] = field(default_factory=list)

    def add(self, mask: Numbers, *, hides: bool) -> None:
        """Take another mask.

        Parameters
        ----------
        mask : ndarray
            Booleans, or numbers that are added to the scores.
        hides : bool
            Whether True hides a key, rather than showing it.
        """
        if mask.dtype.kind == "b":
            self.visible.append(~mask if hides else mask)
            return
        hidden = _relative(mask) <= HIDING
        self.visible.append(~hidden)
        added = np.where(hidden, 0.0, mask)
        if added.any():
            self.biases.append(added)

    def tell(self, call: Call) -> None:
        """Put the mask, or that it is causal, into what was recorded of a call."""
        if self.biases:
            call.inputs["bias"] = sum(self.biases[1:], self.biases[0])
        together: Numbers = np.ones((1, 1), bool)
        for mask in self.visible:
            together = together & mask
        if not together.all() and not is_causal(together):
            call.inputs["mask"] = together
        if hides_what_follows(together):
            call.options["causal"] = True


def _relative(added: Numbers) -> Numbers:
    """Return what is added to scores, in rows that are hidden throughout to the least.

    A softmax tells the keys of such a row apart by these numbers, unless all are -inf.
    """
    largest = added.max(axis=-1, keepdims=True)  # (..., n_q, 1)
    throughout = (largest <= HIDING) & np.isfinite(largest)
    relative: Numbers = added - np.where(throughout, largest, 0)
    return relative


def added_to_half(mask: Numbers) -> Numbers:
    """Return a mask that rounds scores of float32 as it rounds those of float16.

    Where all keys of a query are hidden by the same number, the sum of it and a score
    keeps nothing of most scores. In float32 it would, unless the number is larger by
    as much as float32 is finer.

    Parameters
    ----------
    mask : ndarray
        What is added to the scores; other types than float16 remain as they are.
    """
    if mask.dtype != np.float16:
        return mask
    largest = mask.max(axis=-1, keepdims=True)  # (..., n_q, 1)
    throughout = (largest <= HIDING) & (largest == mask.min(axis=-1, keepdims=True))
    finer = np.finfo(np.float16).eps / np.finfo(np.float32).eps
    return mask.astype(np.float32) * np.where(throughout, finer, np.float32(1))


def hides_what_follows(mask: Numbers) -> bool:
    """Return whether no query sees a place after its own.

    Parameters
    ----------
    mask : ndarray of bool, shape (..., n_q, n_k)
        True where a query may look.
    """
    n_queries, n_keys = mask.shape[-2:]
    if n_queries != n_keys or n_keys == 1:
        return False
    return not mask[..., ~np.tri(n_keys, dtype=bool)].any()


def is_causal(mask: Numbers) -> bool:
    """Return whether each query sees its own place and those before, and no other.

    Parameters
    ----------
    mask : ndarray of bool, shape (..., n_q, n_k)
        True where a query may look.
    """
    n_queries, n_keys = mask.shape[-2:]
    if n_queries != n_keys or n_keys == 1:
        return False
    return bool((mask == np.tri(n_keys, dtype=bool)).all())
