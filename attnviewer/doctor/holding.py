"""Pins that reproduce random mistakes, such as dropout of weights."""

from collections.abc import Iterator

import numpy as np

from attnviewer.compute import Pin
from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes import Evaluation
from attnviewer.doctor.diagnosis import Diagnosis, Finding

MOST_PINS = 2**12
"""The most rows in which weights are pinned."""


def held_by_pins(diagnosis: Diagnosis, finding: Finding) -> tuple[Pin, ...]:
    """Return pins with which the right weights become those of a mistake.

    Parameters
    ----------
    diagnosis : Diagnosis
        What was found.
    finding : Finding
        A mistake that sets some weights to 0, and multiplies the others by a constant.

    Returns
    -------
    tuple of Pin
        Empty where the weights differ in another way, where those of several batch
        items do, or where there are too many.
    """
    right = Evaluation(diagnosis.plan, diagnosis.inputs)["weights"]
    theirs = Evaluation(finding.plan, diagnosis.inputs)["weights"]
    while right.ndim > 3 and right.shape[0] == 1:
        right, theirs = right[0], theirs[0]
    if right.ndim > 3 or right.shape != theirs.shape:
        return ()
    dropped = (theirs == 0) & (right != 0)  # (..., n_q, n_k)
    kept = (theirs != 0) & (right != 0)  # (..., n_q, n_k)
    if not dropped.any() or not kept.any():
        return ()
    factors = theirs[kept] / right[kept]
    factor = float(np.median(factors))
    if not np.allclose(factors, factor, rtol=1e-9, atol=0):
        return ()
    scaled = Pin("weights", slice(None), slice(None), factor, how="scale")
    pins = (scaled, *_zeros(dropped))
    return pins if len(pins) <= MOST_PINS else ()


def _zeros(dropped: Numbers) -> Iterator[Pin]:
    """Yield a pin for each row of each head in which weights are 0."""
    *lead, n_q, n_k = dropped.shape
    for number, matrix in enumerate(dropped.reshape(-1, n_q, n_k)):
        for row in np.flatnonzero(matrix.any(axis=-1)).tolist():
            keys = np.flatnonzero(matrix[row]).tolist()
            yield Pin("weights", row, keys, 0.0, head=number if lead else None)
