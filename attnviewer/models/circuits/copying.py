"""Copying scores: whether a head copies the tokens that it attends to."""

import numpy as np

from attnviewer.compute.signatures import short_signature
from attnviewer.compute.threads import one_blas_thread
from attnviewer.models.circuits.of_head import circuit
from attnviewer.models.circuits.vocabulary import embedded, unembedded
from attnviewer.models.model import Model


@short_signature
def copying_score(model: Model, layer: int, head: int) -> float:
    """Return how far a head raises the logits of the tokens that it attends to.

    Σ λ / Σ |λ| over the eigenvalues of W_E M W_U (n_tokens, n_tokens), with M the OV
    circuit of the head and W_E and W_U embedding and unembedding: 1 if all are
    positive, as where tokens raise their own logits, −1 if all are negative. They are
    computed as those of rightᵀ W_U W_E left, (d_head, d_head), summed over blocks of
    the vocabulary. The weights of norms are folded in, see `circuit`.

    It is about the direct path from the embedding through this head to the logits; what
    other heads and MLPs make of either end is left out.

    Parameters
    ----------
    model : Model
        A decoder.
    layer, head : int
        The head, counted from zero.

    Returns
    -------
    float
        From −1 to 1; NaN if all eigenvalues are zero.

    Raises
    ------
    IndexError
        If there is no such layer or head.
    ValueError
        If the model predicts no tokens, or a weight is not finite.

    References
    ----------
    Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits", section
    "Detecting Copying Behavior".

    Examples
    --------
    >>> from attnviewer import models
    >>> models.copying_score(models.load("gpt2"), 9, 6)  # doctest: +SKIP
    """
    own = circuit(model, layer, head, "OV")
    d_head = own.left.shape[1]
    twin = np.zeros((d_head, d_head))  # (d_head, d_head)
    blocks = zip(
        unembedded(model, own.right), embedded(model, own.left), strict=True
    )  # (m, d_head) each
    with one_blas_thread():
        for written, read in blocks:
            twin += written.T.astype(np.float64) @ read
        values = np.linalg.eigvals(twin)  # (d_head,)
    total = float(np.abs(values).sum())
    # The eigenvalues of a real matrix have a real sum.
    return float(values.sum().real) / total if total else np.nan
