"""The vectors that a head writes where it attends to a single token."""

import numpy as np

from attnviewer.compute import Array, Trace
from attnviewer.models.head_slice import HeadSlice
from attnviewer.models.outputs import Outputs


def moved(run: Outputs, trace: Trace, W_O: Array, head: int) -> Array:
    """Return v_j W_O for each key j, shape (n, d_model) in float64.

    Parameters
    ----------
    run : ModelTrace
        The run.
    trace : Trace
        The attention of a layer.
    W_O : ndarray, shape (h·d_head, d_model)
        The output weights of the layer.
    head : int
        The head of queries; several may share their values.

    Raises
    ------
    IndexError
        If there is no such head.
    """
    part = HeadSlice.of(run, head)
    values = trace.window("V", head=head).astype(np.float64)  # (n, d_head)
    rows: Array = values @ W_O[part.queries].astype(np.float64)  # (n, d_model)
    return rows
