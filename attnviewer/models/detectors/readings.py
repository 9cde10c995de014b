"""The numbers that detectors need of a head, each computed once."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from attnviewer.compute import Array, Trace
from attnviewer.compute.head_statistics import HeadStatistics, head_statistics
from attnviewer.compute.row_statistics import row_statistics
from attnviewer.models.detectors.copy_suppression import mean_unembedding
from attnviewer.models.detectors.random_tokens import repeated_random_tokens
from attnviewer.models.detectors.separator import separators_of
from attnviewer.models.model import Model
from attnviewer.models.residual.frozen_norm import FrozenNorm
from attnviewer.models.residual.moved import moved
from attnviewer.models.trace import ModelTrace

AT_ONCE = 2**20
"""Maximum number of attention weights to read at once, if of more than one head."""


@dataclass(frozen=True, eq=False)
class ModelReading:
    """Numbers that the runs of a model share.

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
    def _random_attentions(self) -> dict[int, Trace]:
        return {}

    def random_attention(self, layer: int) -> Trace:
        """Return the attention of a layer over repeated random tokens."""
        if layer not in self._random_attentions:
            self._random_attentions[layer] = self.random.attention(layer)
        return self._random_attentions[layer]

    @cached_property
    def mean_unembedding(self) -> Array:
        """The mean of the unembedding over the vocabulary, (d_model,)."""
        return mean_unembedding(self.model)


@dataclass(frozen=True, eq=False)
class RunReading:
    """Numbers that the heads of a run share.

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
    """Numbers that the heads of a layer share.

    Parameters
    ----------
    whole : RunReading
        The run.
    layer : int
        The layer.
    trace : Trace
        Its attention.
    """

    whole: RunReading
    layer: int
    trace: Trace

    @cached_property
    def W_O(self) -> Array:
        """The output weights of all heads, (h·d_head, d_model)."""
        return self.whole.run.weights(self.layer)["W_O"]

    def blocks(self) -> Iterator["HeadsReading"]:
        """Yield all heads, as many at a time as are read at once."""
        count, n = len(self.whole.run.ids), self.whole.run.model.n_heads
        size = max(1, AT_ONCE // count**2)
        for first in range(0, n, size):
            yield HeadsReading(self, range(first, min(first + size, n)))


@dataclass(frozen=True, eq=False)
class HeadsReading:
    """The numbers that a detector reads of k consecutive heads of a layer.

    Parameters
    ----------
    inside : LayerReading
        Their layer.
    heads : range
        The heads.
    """

    inside: LayerReading
    heads: range

    @property
    def whole(self) -> RunReading:
        """The readings that the heads of the run share."""
        return self.inside.whole

    @property
    def ids(self) -> tuple[int, ...]:
        """The tokens."""
        return self.whole.run.ids

    @cached_property
    def weights(self) -> Array:
        """The attention weights, (k, n, n)."""
        return self._weights(self.inside.trace)

    @cached_property
    def statistics(self) -> HeadStatistics:
        """Means over the queries, arrays of (k,)."""
        return head_statistics(row_statistics(self.weights))

    @property
    def random_weights(self) -> Array:
        """The attention weights over repeated random tokens, (k, m, m)."""
        return self._weights(self.whole.shared.random_attention(self.inside.layer))

    def moved(self) -> Iterator[Array]:
        """Yield what each head moves from each key to the logits, (n, d_model).

        v_j W_O after the final norm as a linear map, in float64; without its bias, and
        b_O, which belong to no key.
        """
        inside, final_norm = self.inside, self.whole.final_norm
        for head in self.heads:
            rows = moved(self.whole.run, inside.trace, inside.W_O, head)
            if final_norm is not None:
                final_norm.scale(rows)
            yield rows

    def _weights(self, trace: Trace) -> Array:
        if len(self.heads) == self.whole.run.model.n_heads:
            return trace["weights"]
        return np.stack([trace.window("weights", head=head) for head in self.heads])
