"""Tasks that `attnviewer.train` can teach a document."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from attnviewer.compute.arguments import check_name, real_array
from attnviewer.compute.numbers import check_numbers
from attnviewer.compute.signatures import short_signature
from attnviewer.training.losses import LOSSES
from attnviewer.training.tasks import Match, NextToken, Task, attending

__all__ = ["copy_previous", "match", "next_token", "repeated", "reverse", "same_token"]

LossName = Literal["mse", "cross_entropy"]


@short_signature
def match(
    step: Literal["output", "weights"], target: ArrayLike, loss: LossName = "mse"
) -> Task:
    """Return the task to make the output, or the weights, equal given numbers.

    Parameters
    ----------
    step : {"output", "weights"}
        The step.
    target : array_like
        What its numbers should be: of its shape, or (n_q, n_k) for the weights of every
        head.
    loss : {"mse", "cross_entropy"}
        ``mse``: the mean of (number − target)² over all numbers. ``cross_entropy``: of
        weights −Σⱼ target · log(weight), of the output
        −Σⱼ target · log softmax(output), the mean over all rows; no target may then be
        below 0.

    Raises
    ------
    TypeError, ValueError
        If the step or the loss is unknown, or the target holds anything but finite
        numbers. `train` raises if its shape does not fit; with cross-entropy of the
        weights also if a mask hides a key whose target is above 0, or weights may be
        negative.
    """
    check_name("step", step, ("output", "weights"))
    check_name("loss", loss, LOSSES)
    wanted = real_array("'target' parameter", target).astype(np.float64)
    check_numbers("'target' parameter", wanted)
    if loss == "cross_entropy" and (wanted < 0).any():
        raise ValueError(
            "The 'target' parameter must be at least 0 everywhere for a cross-entropy. "
            f"Got {wanted.min()} instead."
        )
    return Match(f"match the {step}", step, wanted, loss)


@short_signature
def copy_previous(loss: LossName = "cross_entropy") -> Task:
    """Return the task to attend to the token before, so that it is copied.

    The target of the weights, in every head, is 1 from each token to the one before it,
    and from the first to itself; else 0. The loss is that of `match`.

    It needs keys that are the document's own tokens, and every token must see the one
    before: `train` raises a ValueError of a second sequence, and if a mask hides a key
    that is asked for.
    """
    return _attend("copy_previous", loss)


@short_signature
def same_token(loss: LossName = "cross_entropy") -> Task:
    """Return the task to attend to the same token elsewhere.

    The target of the weights, in every head, is shared equally by the other occurrences
    of the query's token that the query sees; one that sees none attends to itself. Keys
    of a second sequence count with all occurrences, and nothing is asked of a query
    whose token is not among them. The loss is that of `match`.

    `train` raises a ValueError if nothing is asked of any query, and if a token that is
    to attend to itself does not see itself.
    """
    return _attend("same_token", loss)


@short_signature
def reverse(loss: LossName = "cross_entropy") -> Task:
    """Return the task to attend to the tokens in reverse.

    The target of the weights, in every head, is 1 from token i to token n − 1 − i,
    counted from zero; else 0. The loss is that of `match`.

    It needs keys that are the document's own tokens, and every token must see its
    counterpart: `train` raises a ValueError of a second sequence, and if a mask hides a
    key that is asked for.
    """
    return _attend("reverse", loss)


@short_signature
def repeated(loss: LossName = "cross_entropy") -> Task:
    """Return the task to find the tokens that occur more than once.

    The target of the weights, in every head and of every query, is shared equally by
    the occurrences, among those that the query sees, of tokens that occur more than
    once among the keys; a query that sees none attends to itself. Of keys of a second
    sequence nothing is then asked of it. The loss is that of `match`.

    `train` raises a ValueError if no token occurs more than once. Of random sequences
    (``batch=``) little can be learned: a score compares one query with one key, and
    neither tells which tokens the rest of the sequence holds.
    """
    return _attend("repeated", loss)


@short_signature
def next_token(readout: ArrayLike | None = None) -> Task:
    """Return the task to predict the next token from the output.

    The output of each token but the last, times the readout, gives a logit for each
    distinct token of the document, in the order in which they first occur. The loss is
    the cross-entropy of their softmax with the token that follows, the mean over these
    tokens. The readout is trained, too, where ``readout`` is among the free matrices.

    Parameters
    ----------
    readout : array_like, shape (columns of the output, distinct tokens), optional
        By default drawn from N(0, 1 / columns) with the seed of `train`.

    Raises
    ------
    TypeError, ValueError
        If it holds anything but finite numbers. `train` raises if its shape does not
        fit, or the document has only one distinct token.
    """
    title = "predict the next token"
    if readout is None:
        return NextToken(title, None)
    given = real_array("'readout' parameter", readout).astype(np.float64)
    check_numbers("'readout' parameter", given)
    return NextToken(title, given)


def _attend(name: str, loss: LossName) -> Task:
    check_name("loss", loss, LOSSES)
    return attending(name, loss)
