"""Attribution patching: activation patching to first order, from one gradient."""

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.signatures import short_signature
from attnviewer.models.activations import Kind, Site, activation
from attnviewer.models.gradients.gradients import Gradients
from attnviewer.models.grid import Grid
from attnviewer.models.patching.comparison import Change, Comparison, Positions
from attnviewer.models.patching.metrics import Metric
from attnviewer.models.trace import ModelTrace


@short_signature
def attribution_patching(
    clean: ModelTrace,
    corrupted: ModelTrace,
    sites: Kind = "heads",
    metric: Metric | None = None,
    positions: Positions | None = None,
) -> Grid:
    """Return what `patch` would return, estimated to first order from one gradient.

    With a the activation of a run and m the metric, each cell is
    Σ (a_clean − a_corrupted) · ∂m/∂a / (m(clean) − m(corrupted)), the gradient being
    that of the corrupted run. It takes one pass forward per run and one back, whatever
    the number of cells. It is wrong where the metric is far from linear in the
    activation: a query or key of a head whose softmax is saturated may seem to have no
    effect, and so may an activation whose direct and indirect effects cancel. It is
    better for heads than for the whole residual stream, which norms and later layers
    are far from linear in. Check what matters with `patch`.

    Parameters
    ----------
    clean, corrupted, sites, positions
        As for `patch`.
    metric : Logit, Probability or EmbeddingCosine, optional
        The metric; by default as for `patch`.

    Returns
    -------
    Grid
        With the rows, columns and scale of `patch`. The estimate of one token or head
        adds up to that of several.

    Raises
    ------
    TypeError
        If the metric is another one, which has no gradient.
    ValueError
        If the runs have different numbers of tokens, the model does not have the
        metric, or it is the same for both runs.

    References
    ----------
    Nanda, "Attribution Patching: Activation Patching At Industrial Scale", 2023;
    Kramár, Lieberum, Shah and Nanda, "AtP*: An efficient and scalable method for
    localizing LLM behaviour to components", 2024, arXiv:2403.00745 (where it goes
    wrong; its two remedies, QK fix and GradDrop, are not included).

    Examples
    --------
    >>> from attnviewer import models
    >>> model = models.load("gpt2")  # doctest: +SKIP
    >>> clean, corrupted = map(model.run, ("A cat sat", "A dog sat"))  # doctest: +SKIP
    >>> models.attribution_patching(clean, corrupted, "stream")  # doctest: +SKIP
    """
    comparison = Comparison.of(clean, corrupted, sites, metric, positions)
    gradients = Gradients(corrupted, comparison.metric)
    # From the last layer back, so that each is computed once.
    by_row = {
        site.layer: _products(clean, gradients, site)
        for site in map(comparison.site, reversed(range(clean.model.n_layers)))
    }

    def changes(layer: int) -> Change:
        def change(site: Site, token: int | None) -> float:
            own = by_row[layer] if site.head is None else by_row[layer][site.head]
            return float(own.sum() if token is None else own[token])

        return change

    return comparison.grid(changes, "share, estimated to first order,")


def _products(clean: ModelTrace, gradients: Gradients, site: Site) -> Array:
    """Return Σ (a_clean − a_corrupted) · ∂m/∂a over columns, (n,) or (h, n)."""
    ours, theirs = activation(clean, site), activation(gradients.run, site)
    # Equal numbers may be −inf, as scores are where a mask hides a key.
    difference = np.zeros(ours.shape)
    np.subtract(ours, theirs, out=difference, where=ours != theirs)
    products: Array = np.einsum("...i,...i->...", difference, gradients[site])
    return products
