"""The classes that a model predicts, from their logits."""

from typing import NamedTuple

import numpy as np

from attnviewer.compute import Array
from attnviewer.models.layers.activations import logistic
from attnviewer.models.next_token import probabilities
from attnviewer.models.output_head import OutputHead


class PredictedClass(NamedTuple):
    """A class that a model predicts for a sequence or for one of its tokens.

    Parameters
    ----------
    id : int
        Its number.
    label : str
        Its name, as ``id2label`` of the configuration gives it.
    logit : float
        Its logit.
    probability : float
        Its probability; of a number that is no class (regression), NaN.
    """

    id: int
    label: str
    logit: float
    probability: float


def class_probabilities(head: OutputHead, logits: Array) -> Array:
    """Return the probabilities of logits in double precision, of the same shape.

    The softmax over the classes; over the tokens for the start and the end of a span;
    the logistic function of each where classes do not exclude each other; NaN for
    numbers that are no classes.

    Parameters
    ----------
    head : OutputHead
        What the logits are of.
    logits : ndarray, shape (n, n_classes)
        The logits.
    """
    if head.predicts == "numbers":
        return np.full(logits.shape, np.nan)
    if head.predicts == "independent labels":
        return logistic(logits.astype(np.float64))
    return probabilities(logits, axis=0 if head.predicts == "span" else -1)
