"""All steps of a document's inputs, however long they are."""

from collections.abc import Mapping

import numpy as np

from attnviewer.compute import (
    Array,
    IncrementalEngine,
    Spec,
    Trace,
    run,
    stores_weights,
)


def compute(spec: Spec, inputs: Mapping[str, Array]) -> Trace:
    """Compute every step, in the precision of the inputs.

    Of more weights than an `IncrementalEngine` stores, rows are computed when they are
    read.

    Parameters
    ----------
    spec : Spec
        The variant.
    inputs : mapping of str to ndarray
        The arrays of `spec.input_names`, which nobody else changes.
    """
    if stores_weights(spec, inputs):
        return run(spec, inputs)
    numbers = [a.dtype for a in inputs.values() if a.dtype != np.bool_]
    return IncrementalEngine(spec, inputs, np.result_type(*numbers)).trace()
