"""Activation patching between two sentences, place by place."""

from attnviewer.compute.signatures import short_signature
from attnviewer.models.activations import Kind, Site, activation
from attnviewer.models.grid import Grid
from attnviewer.models.patching.comparison import Change, Comparison, Positions
from attnviewer.models.patching.metrics import Metric, measure
from attnviewer.models.trace import ModelTrace


@short_signature
def patch(
    clean: ModelTrace,
    corrupted: ModelTrace,
    sites: Kind = "heads",
    metric: Metric | None = None,
    positions: Positions | None = None,
) -> Grid:
    """Return what activations of one run restore in another one: activation patching.

    With m the metric, and one activation of the corrupted run at a time replaced by
    that of the clean run, each cell is (m(patched) − m(corrupted)) / (m(clean) −
    m(corrupted)): 1 where the activation alone restores the clean metric, 0 where it
    changes nothing. It can be below 0 and above 1.

    Parameters
    ----------
    clean, corrupted : ModelTrace
        The runs, over as many tokens: token i of one stands for token i of the other.
    sites : str
        The kind of activation, see `Site`, such as ``heads``, ``weights``, ``values``,
        ``stream``, ``attention`` or ``feed_forward``. Of the stream, what enters each
        layer.
    metric : callable, optional
        Returns a number of a run, such as `Logit`. By default the cosine with the
        clean sentence embedding, or for a decoder the logit of the token that the
        clean run predicts.
    positions : str, optional
        ``all`` patches all tokens at once, ``each`` one at a time. By default ``all``
        for activations of heads and ``each`` for others.

    Returns
    -------
    Grid
        By layer × head, or by layer × token; of heads with ``each``, a row for each
        head. The title has the metric of both runs.

    Raises
    ------
    ValueError
        If the runs have different numbers of tokens, the model does not have the
        metric, or it is the same for both runs.

    References
    ----------
    Wang et al., "Interpretability in the Wild", 2023, arXiv:2211.00593;
    Zhang and Nanda, "Towards Best Practices of Activation Patching", 2024,
    arXiv:2309.16042 (the normalised metric, and the choice of it);
    Heimersheim and Nanda, "How to use and interpret activation patching", 2024,
    arXiv:2404.15255.

    Examples
    --------
    >>> from attnviewer import models
    >>> model = models.load("gpt2")  # doctest: +SKIP
    >>> clean, corrupted = map(model.run, ("A cat sat", "A dog sat"))  # doctest: +SKIP
    >>> models.patch(clean, corrupted, "stream")  # doctest: +SKIP
    """
    comparison = Comparison.of(clean, corrupted, sites, metric, positions)
    corrupted.stream(corrupted.model.n_layers)  # shared by all

    def changes(layer: int) -> Change:
        whole = activation(clean, comparison.site(layer))

        def change(site: Site, token: int | None) -> float:
            own = whole if site.head is None else whole[site.head]
            patched = corrupted.with_activations({site: own}, token)
            return measure(comparison.metric, patched) - comparison.bad

        return change

    return comparison.grid(changes)
