"""The limit up to which an engine stores the weights."""

import math
from collections.abc import Mapping, Sequence

from attnviewer.compute.arrays import Array
from attnviewer.compute.spec import Spec

MOST_STORED = 7168**2
"""The most weights that are stored, as of 7,168 tokens; more are computed when read,
which takes less memory, and less time after edits, too (measured)."""


def are_stored(shape: Sequence[int]) -> bool:
    """Return whether an engine stores weights of a shape."""
    return math.prod(shape) <= MOST_STORED


def stores_weights(spec: Spec, inputs: Mapping[str, Array]) -> bool:
    """Return whether an engine stores the weights of a variant.

    Those of mistakes are stored, as they follow no rules that give single rows.

    Parameters
    ----------
    spec : Spec
        The variant.
    inputs : mapping of str to ndarray
        Its inputs.
    """
    (*lead, n_q, _), (*_, n_k, _), _ = (inputs[name].shape for name in spec.sources)
    return bool(spec.mistakes) or are_stored((*lead, spec.n_heads, n_q, n_k))
