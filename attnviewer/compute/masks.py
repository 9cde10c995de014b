"""Which key a query may look at. True means "attend", as in ONNX and PyTorch's SDPA."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arrays import BoolArray


@dataclass(frozen=True, slots=True)
class Mask:
    """A named rule, and why it hides a key."""

    name: str
    title: str
    allowed: Callable[[int, int], BoolArray] | None
    reason: str = ""


def causal_mask(n_q: int, n_k: int) -> BoolArray:
    """Let each query see its own key and those before it.

    Parameters
    ----------
    n_q, n_k : int
        Number of queries and of keys.

    Returns
    -------
    ndarray of bool, shape (n_q, n_k)
        True where query i may attend to key j, that is j ≤ i (aligned at the
        top left when the counts differ, as PyTorch's ``is_causal`` has it).

    References
    ----------
    Vaswani et al. 2017, "Attention Is All You Need", section 3.2.3.
    """
    return np.tri(n_q, n_k, dtype=np.bool_)  # (n_q, n_k)


MASKS: dict[str, Mask] = {
    mask.name: mask
    for mask in (
        Mask("none", "None", None),
        Mask("causal", "Causal", causal_mask, "the key comes after the query"),
    )
}
