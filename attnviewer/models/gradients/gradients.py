"""The gradient of a number of a run on its activations."""

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.numbers import check_numbers
from attnviewer.compute.threads import one_blas_thread
from attnviewer.models.activations import Kind, Site
from attnviewer.models.activations.reading import shape_of
from attnviewer.models.activations.replacing import in_order
from attnviewer.models.gradients.of_layer import layer_backward, norm_backward, through
from attnviewer.models.gradients.of_metric import on_hidden_states
from attnviewer.models.parts import check_alone
from attnviewer.models.patching.metrics import Metric, metric_name
from attnviewer.models.trace import ModelTrace


class Gradients:
    """The gradient of a metric of a run on its activations: ∂m/∂a for any site.

    ``gradients[site]`` has the shape of ``run.activation(site)``. A change δ of that
    activation alone changes the metric by Σ δ · ∂m/∂a to first order, with all that
    follows computed anew (as `with_activations` does). Where rows are replaced or cells
    are pinned, it is the gradient on the number that is read, and passes no further
    back.

    By backpropagation in float32, like the run: at each site, the error is about 2e-6
    of the largest gradient there (measured beside PyTorch in double precision, on
    MiniLM and tiny models). It takes as long as two or three forward passes. Computed
    on first access, from the last layer back to the one that is read. The gradients on
    the streams are kept, the others only of the layer that was read last.

    Parameters
    ----------
    run : ModelTrace
        The run.
    metric : Logit, Probability or EmbeddingCosine
        The metric; the reference of a cosine is a constant.

    Raises
    ------
    TypeError
        If the metric is another one.
    ValueError
        If the model does not have the metric, or a number of the run is not finite.
    IndexError
        If the run has no such position.

    References
    ----------
    Rumelhart, Hinton and Williams, "Learning representations by back-propagating
    errors", 1986; of layer norm, Ba et al. 2016, arXiv:1607.06450.

    Examples
    --------
    >>> from attnviewer import models
    >>> run = models.load("gpt2").run("A cat")  # doctest: +SKIP
    >>> gradients = models.Gradients(run, models.Logit(" sat"))  # doctest: +SKIP
    >>> gradients[models.Site("heads", layer=1)].shape  # doctest: +SKIP
    (12, 2, 64)
    """

    def __init__(self, run: ModelTrace, metric: Metric) -> None:
        check_alone(run.model.architecture, "run whose gradients are computed")
        self.run, self.metric = run, metric
        model = run.model
        with np.errstate(over="ignore", invalid="ignore"):
            on_last = norm_backward(
                on_hidden_states(run, metric),
                run.stream(model.n_layers),
                "final",
                model.weights.norm("final"),
                model.architecture,
            )  # (n, d_model)
        self._streams = [self._checked(Site("stream", model.n_layers), on_last)]
        self._last: tuple[int, dict[Kind, Array]] | None = None

    def __getitem__(self, site: Site) -> Array:
        """Return the gradient with respect to an activation, float32 and read-only.

        Raises
        ------
        TypeError
            If it is no site.
        IndexError
            If there is no such layer or head.
        ValueError
            If a gradient from the last layer back to there is not finite.
        """
        in_order([site])
        shape_of(self.run, site)
        if site.kind == "stream":
            return self._stream(site.layer)
        gradient = self._layer(site.layer)[site.kind]
        return gradient if site.head is None else gradient[site.head]

    def __reduce__(self) -> tuple[object, ...]:
        return Gradients, (self.run, self.metric)

    def __repr__(self) -> str:
        return f"<Gradients of the {metric_name(self.metric)}>"

    def _stream(self, layer: int) -> Array:
        """Return the gradient on the stream that enters a layer, (n, d_model)."""
        n_layers = self.run.model.n_layers
        while (known := n_layers + 1 - len(self._streams)) > layer:
            site = Site("stream", known - 1)
            gradient = self._layer(site.layer)["stream"]
            self._streams.append(self._checked(site, gradient))
        return self._streams[n_layers - layer]

    def _layer(self, layer: int) -> dict[Kind, Array]:
        """Return the gradients on the activations of a layer."""
        if self._last is None or self._last[0] != layer:
            after = Site("stream", layer + 1)
            on_next = through(self.run, after, self._stream(after.layer))
            with one_blas_thread(), np.errstate(all="ignore"):
                found = layer_backward(self.run, layer, on_next)
            for array in found.values():
                array.flags.writeable = False
            self._last = layer, found
        return self._last[1]

    @staticmethod
    def _checked(site: Site, gradient: Array) -> Array:
        check_numbers(f"gradient with respect to {site.name}", gradient)
        gradient.flags.writeable = False
        return gradient
