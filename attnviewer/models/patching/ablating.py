"""Heads whose output is taken away: at zero, at its mean, or that of other runs."""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias, get_args

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.arguments import check_name, whole_number
from attnviewer.compute.signatures import short_signature
from attnviewer.models.activations import Site, activation
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

To: TypeAlias = Literal["zero", "mean", "resample"]
"""The replacement of the output of a head."""
_NAMES: dict[To, str] = {
    "zero": "zero",
    "mean": "its mean",
    "resample": "that of other runs",
}
Over: TypeAlias = ModelTrace | str | Iterable[ModelTrace | str | Sequence[int]]
"""Runs, or sentences to run the model over."""


@short_signature
def ablate(
    run: ModelTrace,
    heads: Iterable[tuple[int, int]] | None = None,
    to: To = "zero",
    over: Over | None = None,
    metric: Metric | None = None,
) -> Grid:
    """Return a metric of a run with the output of one head at a time taken away.

    With z_h (n, d_head) the output of head h before W_O, z_h becomes z′_h, and the
    layers that follow are computed anew:

    - ``zero``: z′_h = 0;
    - ``mean``: each row of z′_h is the mean of z_h over all tokens, of the run itself
      or of the runs `over`, so that it depends on no token any more;
    - ``resample``: z′_h is that of a run `over`, token by token; of several runs, the
      metric is the mean over them.

    Parameters
    ----------
    run : ModelTrace
        The run; what is changed in it stays.
    heads : iterable of tuple of two int, optional
        Layer and head, counted from zero; by default all.
    to : str
        What replaces the output: ``zero``, ``mean`` or ``resample``.
    over : ModelTrace, str or iterable of these, optional
        Runs, or sentences for `Model.run`. For ``mean`` by default the run itself; for
        ``resample`` needed, each with as many tokens as the run.
    metric : callable, optional
        Returns a number of a run, such as `Logit`. By default the cosine with the
        run's sentence embedding, or for a decoder the logit of the token that the run
        predicts.

    Returns
    -------
    Grid
        The metric by layer × head; NaN for heads that were not asked for. The title has
        the metric of the run itself, which has no colour in pictures.

    Raises
    ------
    IndexError
        If there is no such head.
    ValueError
        If the model does not have the metric, or `over` does not fit.

    References
    ----------
    Wang et al., "Interpretability in the Wild", 2023, arXiv:2211.00593, section 2.2
    (mean ablation); Heimersheim and Nanda, "How to use and interpret activation
    patching", 2024, arXiv:2404.15255 (the choice among the three).

    Examples
    --------
    >>> from attnviewer import models
    >>> run = models.load("all-MiniLM-L6-v2").run("So tired.")  # doctest: +SKIP
    >>> models.ablate(run, [(3, 1)], to="mean")  # doctest: +SKIP
    """
    check_name("to", to, get_args(To))
    layers = _by_layer(run, heads)
    others = _runs(run, to, over)
    metric = default_metric(run) if metric is None else metric
    before = measure(metric, run)
    run.stream(run.model.n_layers)  # shared by all
    rows = sorted(layers)
    columns = sorted({head for some in layers.values() for head in some})
    values = np.full((len(rows), len(columns)), np.nan)
    for row, layer in enumerate(rows):
        outputs = head_outputs(run, layer, to, others)
        for head in layers[layer]:
            site = Site("heads", layer, head)
            values[row, columns.index(head)] = np.mean(
                [
                    measure(metric, run.with_activations({site: own[head]}))
                    for own in outputs
                ]
            )
    return Grid(
        values,
        [f"L{layer}" for layer in rows],
        [f"H{head}" for head in columns],
        f"{metric_name(metric)} with each head at {_NAMES[to]} ({before:.6g} without)",
        [[Site("heads", layer, head) for head in columns] for layer in rows],
        ("layer", "head"),
        before,
    )


def head_outputs(
    run: ModelTrace, layer: int, to: To, others: Sequence[ModelTrace] = ()
) -> list[Array]:
    """Return what replaces the outputs of a layer's heads, one or several to choose of.

    Parameters
    ----------
    run : ModelTrace
        The run.
    layer : int
        The layer.
    to : str
        As for `ablate`.
    others : sequence of ModelTrace
        The runs that outputs are taken from; the run itself without any.

    Returns
    -------
    list of ndarray, shape (h, n, d_head)

    Raises
    ------
    IndexError
        If there is no such layer.
    ValueError
        If a number up to there is not finite.
    """
    site = Site("heads", layer)
    shape = shape_of(run, site)
    if to == "zero":
        return [np.zeros(shape, np.float32)]
    found = [activation(other, site) for other in others or (run,)]  # (h, n, d_head)
    if to == "resample":
        return found
    together = np.concatenate(found, axis=1)  # (h, tokens, d_head)
    mean = together.mean(axis=1, keepdims=True, dtype=np.float64)  # (h, 1, d_head)
    return [np.broadcast_to(mean, shape)]


def _by_layer(
    run: ModelTrace, heads: Iterable[tuple[int, int]] | None
) -> dict[int, list[int]]:
    """Return the chosen heads of each layer."""
    counts = {"layer": run.model.n_layers, "head": run.model.n_heads}
    if heads is None:
        return {layer: list(range(counts["head"])) for layer in range(counts["layer"])}
    chosen: dict[int, list[int]] = {}
    for location in heads:
        for number, (name, count) in zip(location, counts.items(), strict=True):
            if not 0 <= whole_number(name, number) < count:
                raise IndexError(
                    f"The '{name}' of the 'heads' must be from 0 to {count - 1}. "
                    f"Got {number} instead."
                )
        layer, head = map(int, location)
        chosen.setdefault(layer, []).append(head)
    if not chosen:
        raise ValueError("The 'heads' must be at least one. Got none instead.")
    return chosen


def _runs(run: ModelTrace, to: To, over: Over | None) -> list[ModelTrace]:
    """Return the runs that outputs are taken from."""
    if over is None:
        if to == "resample":
            raise ValueError(
                "The 'over' must be runs or sentences to take the outputs from. "
                "Got None instead."
            )
        return []
    if to == "zero":
        raise ValueError(
            "The 'over' must be None where the outputs are replaced by zero. "
            f"Got {over!r} instead."
        )
    given = [over] if isinstance(over, ModelTrace | str) else list(over)
    if not given:
        raise ValueError("The 'over' must have at least one run. Got none instead.")
    runs = [g if isinstance(g, ModelTrace) else run.model.run(g) for g in given]
    for other in runs:
        wanted, found = _heads_of(run), _heads_of(other)
        if found != wanted:
            raise ValueError(
                f"The 'over' must be of a model with {wanted}. Got {found} instead."
            )
        if to == "resample":
            check_aligned(run, other)
    return runs


def _heads_of(run: ModelTrace) -> str:
    a = run.model.architecture
    return f"{a.n_layers} layers of {a.n_heads} heads of {a.d_head} columns"
