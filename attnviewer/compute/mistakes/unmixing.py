"""The weights that somebody mixed the values with, worked back from what came out."""

from collections.abc import Mapping

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.evaluation import Evaluation


def weights_mixed(right: Evaluation, mine: Mapping[str, Numbers]) -> Numbers | None:
    """Return the weights with which somebody's steps are sums of the right values.

    Parameters
    ----------
    right : Evaluation
        The right numbers.
    mine : mapping of str to ndarray
        Somebody's steps.

    Returns
    -------
    ndarray or None
        None where the steps after the weights do not determine them, as with more keys
        than columns of values.
    """
    values = right[right.plan.values]  # (..., g, n_k, d_v)
    if values.shape[-2] > values.shape[-1]:
        return None
    rows = _sums(right, mine)  # (..., h, n_q, d_v)
    if rows is None or rows.shape != right[right.plan.mixed].shape:
        return None
    shape = right["weights"].shape
    if len(shape) > 2 and values.ndim > 2:
        values = np.repeat(values, shape[-3] // values.shape[-3], axis=-3)
    solved = _solved(rows, values)
    return solved if solved is not None and solved.shape == shape else None


def _sums(right: Evaluation, mine: Mapping[str, Numbers]) -> Numbers | None:
    """Return somebody's sums of values, from the first later step that there is."""
    plan, spec = right.plan, right.plan.spec
    if plan.mixed in mine:
        return mine[plan.mixed]
    rows = mine.get("output")
    if rows is None or rows.shape != right["output"].shape or spec.output_gate:
        return None
    if spec.output_projection:
        before = plan.stages["output"].inputs[0]
        rows = mine.get(
            before, _solved(rows - right.inputs.get("b_O", 0), right["W_O"])
        )
    if rows is None or not spec.joins_heads:
        return rows
    *lead, n_q, width = rows.shape
    split = rows.reshape(*lead, n_q, spec.n_heads, width // spec.n_heads)
    return split.swapaxes(-2, -3)  # (..., h, n_q, d_v)


def _solved(sums: Numbers, rows: Numbers) -> Numbers | None:
    """Return x with x @ rows = sums, if the rows are independent; None otherwise."""
    if not (np.isfinite(sums).all() and np.isfinite(rows).all()):
        return None
    across = rows.swapaxes(-1, -2)
    try:
        solved = np.linalg.solve(rows @ across, (sums @ across).swapaxes(-1, -2))
    except ValueError:  # dependent rows, or shapes that a mistake has changed
        return None
    return solved.swapaxes(-1, -2)
