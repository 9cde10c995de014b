"""What detectors read of a head, each part computed once."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from attnviewer.compute import Array, Trace
from attnviewer.compute.head_statistics import HeadStatistics, head_statistics
from attnviewer.models.detectors.copy_suppression import mean_unembedding
from attnviewer.models.detectors.random_tokens import repeated_random_tokens
from attnviewer.models.detectors.separator import separators_of
from attnviewer.models.model import Model
from attnviewer.models.residual.frozen_norm import FrozenNorm
from attnviewer.models.residual.moved import moved
from attnviewer.models.trace import ModelTrace


@dataclass(frozen=True, eq=False)
class ModelReading:
    """What the runs of a model share.

    Parameters
    ----------
    model : Model
        The model.
    """

    model: Model

    @cached_property
    def random(self) -> ModelTrace:
        """A run over repeated random tokens."""
        return repeated_random_tokens(self.model)

    @cached_property
    def mean_unembedding(self) -> Array:
        """The mean of the unembedding over the vocabulary, (d_model,)."""
        return mean_unembedding(self.model)


@dataclass(frozen=True, eq=False)
class RunReading:
    """What the heads of a run share.

    Parameters
    ----------
    run : ModelTrace
        The run.
    shared : ModelReading
        Its model.
    needle : range, optional
        The positions of the passage that heads are to retrieve.
    """

    run: ModelTrace
    shared: ModelReading
    needle: range | None = None

    @cached_property
    def separators(self) -> tuple[int, ...]:
        """The positions of the separators."""
        return separators_of(self.run)

    @cached_property
    def unembedding(self) -> Array:
        """The unembedding of each token without the mean, (n, d_model) in float64."""
        own = self.run.model.weights.unembedding(self.run.ids)
        centred: Array = own.astype(np.float64) - self.shared.mean_unembedding
        return centred

    @cached_property
    def final_norm(self) -> FrozenNorm | None:
        """The final norm as a linear map."""
        model = self.run.model
        rows, parts = self.run.stream(model.n_layers), model.weights.norm("final")
        return FrozenNorm.of(rows, "final", parts, model.architecture)


@dataclass(frozen=True, eq=False)
class LayerReading:
    """What the heads of a layer share.

    Parameters
    ----------
    whole : RunReading
        The run.
    layer : int
        The layer.
    """

    whole: RunReading
    layer: int

    @cached_property
    def trace(self) -> Trace:
        """The attention of the layer."""
        return self.whole.run.attention(self.layer)

    @cached_property
    def random(self) -> Trace:
        """Its attention over repeated random tokens."""
        return self.whole.shared.random.attention(self.layer)

    @cached_property
    def W_O(self) -> Array:
        """The output weights of all heads, (h·d_head, d_model)."""
        return self.whole.run.weights(self.layer)["W_O"]


@dataclass(frozen=True, eq=False)
class HeadReading:
    """What a detector reads of a head.

    Parameters
    ----------
    inside : LayerReading
        Its layer.
    head : int
        The head.
    """

    inside: LayerReading
    head: int

    @property
    def whole(self) -> RunReading:
        """What the heads of the run share."""
        return self.inside.whole

    @property
    def ids(self) -> tuple[int, ...]:
        """The tokens."""
        return self.whole.run.ids

    @cached_property
    def weights(self) -> Array:
        """The attention weights, (n, n)."""
        return self.inside.trace.window("weights", head=self.head)

    @cached_property
    def statistics(self) -> HeadStatistics:
        """Means over the queries."""
        return head_statistics(self.inside.trace.statistics(head=self.head))

    @property
    def random_weights(self) -> Array:
        """The attention weights over repeated random tokens, (m, m)."""
        return self.inside.random.window("weights", head=self.head)

    @property
    def moved(self) -> Array:
        """What is moved from each key to the logits, (n, d_model) in float64.

        v_j W_O after the final norm as a linear map; without its bias, and b_O, which
        belong to no key.
        """
        inside = self.inside
        rows = moved(self.whole.run, inside.trace, inside.W_O, self.head)
        if self.whole.final_norm is not None:
            self.whole.final_norm.scale(rows)
        return rows
