"""Activation patching between two sentences, place by place."""

from collections.abc import Iterator
from math import isfinite
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.arguments import check_name
from attnviewer.models.activations import KINDS, PER_HEAD, Kind, Site, activation
from attnviewer.models.activations.reading import shape_of
from attnviewer.models.activations.replacing import check_aligned
from attnviewer.models.grid import Grid
from attnviewer.models.patching.metrics import (
    Metric,
    default_metric,
    measure,
    metric_name,
)
from attnviewer.models.trace import ModelTrace

Positions: TypeAlias = Literal["all", "each"]
"""Whether all tokens are patched at once, or each by itself."""


class _Row(NamedTuple):
    """A row of the grid: its label, and the site and token of each cell.

    The token is None where all are patched.
    """

    label: str
    cells: list[tuple[Site, int | None]]


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
    check_name("sites", sites, KINDS)
    if positions is None:
        positions = "all" if sites in PER_HEAD else "each"
    check_name("positions", positions, get_args(Positions))
    check_aligned(corrupted, clean)
    metric = default_metric(clean) if metric is None else metric
    good, bad = measure(metric, clean), measure(metric, corrupted)
    if not isfinite(good - bad) or good == bad:
        raise ValueError(
            "The 'metric' must differ between the two runs to show what restores it. "
            f"Got {good:.6g} for the clean and {bad:.6g} for the corrupted one instead."
        )
    corrupted.stream(corrupted.model.n_layers)  # shared by all
    values, rows = [], []
    for layer in range(clean.model.n_layers):
        own = activation(clean, Site(sites, layer))
        for row in _rows(clean, sites, layer, positions):
            rows.append(row)
            values.append(
                [
                    (_patched(metric, corrupted, own, *cell) - bad) / (good - bad)
                    for cell in row.cells
                ]
            )
    each, per_head = positions == "each", sites in PER_HEAD
    columns = ["all tokens"]
    if each:
        columns = _tokens(clean, corrupted)
    elif per_head:
        columns = [f"H{site.head}" for site, _ in rows[0].cells]
    what = sites.replace("_", " ").capitalize()
    return Grid(
        np.array(values),
        [row.label for row in rows],
        columns,
        f"{what} patched: share of the {metric_name(metric)} restored, from {bad:.6g} "
        f"to {good:.6g}",
        [[site for site, _ in row.cells] for row in rows],
        (
            "head" if per_head and each else "layer",
            "head" if per_head and not each else "token",
        ),
    )


def _rows(
    run: ModelTrace, kind: Kind, layer: int, positions: Positions
) -> Iterator[_Row]:
    """Yield the rows of a layer."""
    whole, tokens = Site(kind, layer), range(len(run.ids))
    if kind not in PER_HEAD:
        chosen = tokens if positions == "each" else [None]
        yield _Row(f"L{layer}", [(whole, token) for token in chosen])
        return
    heads = [Site(kind, layer, head) for head in range(shape_of(run, whole)[0])]
    if positions == "all":
        yield _Row(f"L{layer}", [(site, None) for site in heads])
        return
    for site in heads:
        yield _Row(f"L{layer} H{site.head}", [(site, token) for token in tokens])


def _patched(
    metric: Metric, run: ModelTrace, layer: Array, site: Site, token: int | None
) -> float:
    """Return the metric with one activation replaced, given that of all heads."""
    own = layer if site.head is None else layer[site.head]
    return measure(metric, run.with_activations({site: own}, token))


def _tokens(clean: ModelTrace, corrupted: ModelTrace) -> list[str]:
    """Return labels of the tokens, both where they differ: ``3 cat/dog``."""
    pairs = zip(
        clean.model.readable(clean.tokens),
        corrupted.model.readable(corrupted.tokens),
        strict=True,
    )
    return [
        f"{position} {one if one == other else f'{one}/{other}'}"
        for position, (one, other) in enumerate(pairs)
    ]
