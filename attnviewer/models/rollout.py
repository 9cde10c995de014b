"""Attention rollout: which tokens of the sentence reach a layer, by its weights."""

from attnviewer.compute.signatures import short_signature
from attnviewer.models.grid import Grid
from attnviewer.models.mixing import Of, layers_up_to, mixing, token_labels
from attnviewer.models.trace import ModelTrace


@short_signature
def rollout(run: ModelTrace, layer: int | None = None, of: Of = "weights") -> Grid:
    """Return how the tokens are mixed from the embeddings up to a layer.

    Ã_l ⋯ Ã_1 Ã_0 with Ã = (A + I) / 2, A the mean of the heads' weights in a layer and
    I the residual connection. Rows sum to 1.

    It leaves out the values and W_O (but see `of`), the feed-forward layers, the norms,
    which head a weight is from, and that the residual connection and the attention are
    rarely of the same length. In a decoder, the first tokens gain with each layer only
    because more tokens see them. Patch or ablate to see what a token changes.

    Parameters
    ----------
    run : ModelTrace
        The run.
    layer : int, optional
        The last layer, counted from zero; by default that of the model.
    of : str
        ``values`` takes for A_ij how much all heads together move from token j,
        ‖Σ_h A^h_ij v^h_j W_O^h‖ divided by the sum of its row, instead of the mean
        ``weights``.

    Returns
    -------
    Grid
        By token after the layer × token of the sentence.

    Raises
    ------
    IndexError
        If there is no such layer.
    ValueError
        If `of` is unknown, or a number up to the layer is not finite.

    References
    ----------
    Abnar and Zuidema 2020, "Quantifying Attention Flow in Transformers",
    arXiv:2005.00928; the lengths: Kobayashi et al. 2020, "Attention is Not Only a
    Weight", arXiv:2004.10102.

    Examples
    --------
    >>> from attnviewer import models
    >>> run = models.load("all-MiniLM-L6-v2").run("So tired.")  # doctest: +SKIP
    >>> models.rollout(run).to_pandas()  # doctest: +SKIP
    """
    first, *others = layers_up_to(run, layer)
    mixed = mixing(run, first, of)  # (n, n)
    for above in others:
        mixed = mixing(run, above, of) @ mixed
    labels, last = token_labels(run), others[-1] if others else first
    title = f"Attention rollout up to layer {last}"
    return Grid(mixed, labels, labels, title, axes=("token", "from token"))
