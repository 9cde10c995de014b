"""Attention × gradient: what each weight contributes to a metric, to first order."""

from dataclasses import dataclass

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.signatures import short_signature
from attnviewer.models.activations import Site, activation
from attnviewer.models.gradients.gradients import Gradients
from attnviewer.models.grid import Grid
from attnviewer.models.mixing import token_labels
from attnviewer.models.patching.metrics import Metric, metric_name
from attnviewer.models.trace import ModelTrace


@dataclass(frozen=True, slots=True, eq=False)
class AttentionGradient:
    """Attention weights times the gradients with respect to them, A ⊙ ∂m/∂A.

    Parameters
    ----------
    gradients : Gradients
        The gradients of the metric m.
    totals : Grid
        Σᵢⱼ |A ⊙ ∂m/∂A| by layer × head.
    net : Grid
        Σᵢⱼ A ⊙ ∂m/∂A by layer × head. As z = A V, it equals Σ z · ∂m/∂z of the outputs
        z of the head: what switching it off takes from the metric, to first order. Its
        magnitude is the score of Michel et al. for one sentence.
    """

    gradients: Gradients
    totals: Grid
    net: Grid

    def weights(self, layer: int, head: int | None = None) -> Array:
        """Return A ⊙ ∂m/∂A, shape (n, n), or (h, n, n) without a head.

        Raises
        ------
        IndexError
            If there is no such layer or head.
        """
        return _products(self.gradients, Site("weights", layer, head))

    def by_token(self) -> Grid:
        """Return Σ A ⊙ ∂m/∂A over all heads of all layers, by query × key."""
        run, name = self.gradients.run, metric_name(self.gradients.metric)
        layers = reversed(range(run.model.n_layers))
        summed = [self.weights(layer).sum(axis=0) for layer in layers]  # each (n, n)
        labels, title = token_labels(run), f"Attention × gradient of the {name}"
        return Grid(sum(summed), labels, labels, title, axes=("query", "key"))

    def __repr__(self) -> str:
        shape = " × ".join(map(str, self.totals.values.shape))
        name = metric_name(self.gradients.metric)
        return f"<AttentionGradient of the {name}: {shape}, layer × head>"

    def _repr_html_(self) -> str:
        return self.totals._repr_html_()


@short_signature
def attention_gradient(run: ModelTrace, metric: Metric) -> AttentionGradient:
    """Return what each attention weight contributes to a metric, to first order.

    With A the attention weights of a head and m the metric, A ⊙ ∂m/∂A: a weight that is
    made smaller by a small share s lowers the metric by s times that. The other weights
    of its row stay, which then no longer add up to 1.

    Parameters
    ----------
    run : ModelTrace
        The run.
    metric : Logit, Probability or EmbeddingCosine
        The metric.

    Returns
    -------
    AttentionGradient
        For each layer and head, and summed up by layer × head.

    Raises
    ------
    TypeError
        If the metric is another one, which has no gradient.
    ValueError
        If the model does not have the metric, or a number is not finite.
    IndexError
        If the run has no such position.

    References
    ----------
    Michel, Levy and Neubig, "Are Sixteen Heads Really Better than One?", 2019,
    arXiv:1905.10650 (the magnitude of `net`); Chefer, Gur and Wolf, "Transformer
    Interpretability Beyond Attention Visualization", 2021, arXiv:2012.09838 (with
    relevances in place of A), and "Generic Attention-model Explainability", 2021,
    arXiv:2103.15679 (with A). The latter two keep the positive part only.

    Examples
    --------
    >>> from attnviewer import models
    >>> run = models.load("gpt2").run("A cat")  # doctest: +SKIP
    >>> found = models.attention_gradient(run, models.Logit(" sat"))  # doctest: +SKIP
    >>> found.totals  # doctest: +SKIP
    """
    gradients = Gradients(run, metric)
    n_layers, n_heads = run.model.n_layers, run.model.n_heads
    totals, net = np.empty((2, n_layers, n_heads))
    # From the last layer back, so that each is computed once.
    for layer in reversed(range(n_layers)):
        products = _products(gradients, Site("weights", layer))  # (h, n, n)
        totals[layer] = np.abs(products).sum(axis=(1, 2))
        net[layer] = products.sum(axis=(1, 2))
    name = metric_name(metric)

    def grid(values: Array, how: str) -> Grid:
        return Grid(
            values,
            [f"L{layer}" for layer in range(n_layers)],
            [f"H{head}" for head in range(n_heads)],
            f"Attention × gradient of the {name}, {how}",
            [
                [Site("weights", layer, head) for head in range(n_heads)]
                for layer in range(n_layers)
            ],
            ("layer", "head"),
        )

    return AttentionGradient(
        gradients,
        grid(totals, "summed up by magnitude"),
        grid(net, "summed up"),
    )


def _products(gradients: Gradients, site: Site) -> Array:
    """Return A ⊙ ∂m/∂A in double precision."""
    products: Array = np.multiply(
        activation(gradients.run, site), gradients[site], dtype=np.float64
    )
    return products
