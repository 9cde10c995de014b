"""All steps of a document's inputs, however long they are."""

import math
from collections.abc import Mapping

import numpy as np

from attnviewer.compute import Array, IncrementalEngine, Spec, Trace, run
from attnviewer.compute.engine import engine
from attnviewer.document.labels import Labels


def compute(spec: Spec, inputs: Mapping[str, Array], labels: Labels) -> Trace:
    """Compute every step, in the precision of the inputs.

    Of more weights than an `IncrementalEngine` stores, rows are computed when they are
    read.

    Parameters
    ----------
    spec : Spec
        The variant.
    inputs : mapping of str to ndarray
        The arrays of `spec.input_names`, which nobody else changes.
    labels : Labels
        The tokens.
    """
    n_scores = spec.n_heads * math.prod(map(len, labels))
    if n_scores > engine.MOST_STORED:
        numbers = [a.dtype for a in inputs.values() if a.dtype != np.bool_]
        return IncrementalEngine(spec, inputs, np.result_type(*numbers)).trace()
    return run(spec, inputs)
