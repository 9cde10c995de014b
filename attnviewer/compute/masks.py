"""Which key a query may look at. True means "attend", as in ONNX and PyTorch's SDPA."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute.arrays import BoolArray

Places: TypeAlias = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Mask:
    """A named rule, and why it hides a key.

    Parameters
    ----------
    name, title : str
        For programs and for people.
    allows : callable or None
        Whether queries may attend to keys, given arrays of their places that
        broadcast together; None lets every query attend to every key.
    reason : str
        Why a key is hidden.
    """

    name: str
    title: str
    allows: Callable[[Places, Places], BoolArray] | None
    reason: str = ""


def causal(queries: Places, keys: Places) -> BoolArray:
    """Let each query see its own key and those before it.

    Aligned at the top left where there are more keys than queries or fewer, as
    PyTorch's ``is_causal`` has it.

    References
    ----------
    Vaswani et al. 2017, "Attention Is All You Need", section 3.2.3.
    """
    return keys <= queries


MASKS: dict[str, Mask] = {
    mask.name: mask
    for mask in (
        Mask("none", "None", None),
        Mask("causal", "Causal", causal, "the key comes after the query"),
    )
}
