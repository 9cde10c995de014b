"""The outputs of all layers of a run for some tokens."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array
from attnviewer.compute.threads import one_blas_thread
from attnviewer.models.blocks import (
    FEED_PARTS,
    apply_norm,
    feed_forward_branch,
)
from attnviewer.models.outputs import Outputs
from attnviewer.models.parts import check_alone
from attnviewer.models.residual.frozen_norm import FrozenNorm
from attnviewer.models.residual.replaced_rows import with_replaced_rows


class LayerWrites(NamedTuple):
    """The outputs of a layer for m tokens, before its heads are multiplied by W_O.

    Parameters
    ----------
    concatenated : ndarray, shape (m, h·d_head)
        The outputs of its heads side by side.
    pins : ndarray, shape (m, d_model), or None
        What pins add to the output of its attention.
    mlp : ndarray, shape (m, d_model)
        The output of its feed-forward layer.
    norms : mapping of str to FrozenNorm or None
        Those after the branches, ``attention_output`` and ``feed_output``, and after
        the sums, ``attention_sum`` and ``feed_sum``.
    """

    concatenated: Array
    pins: Array | None
    mlp: Array
    norms: Mapping[str, FrozenNorm | None]

    @classmethod
    def of(cls, run: Outputs, layer: int, tokens: NDArray[np.intp]) -> "LayerWrites":
        """Return what a layer writes for tokens.

        Parameters
        ----------
        run : ModelTrace
            The run.
        layer : int
            The layer.
        tokens : ndarray of int, shape (m,)
            The positions of the tokens.
        """
        architecture = run.model.architecture
        parts = run.model.weights.layer(layer, ("attention_", *FEED_PARTS))
        trace = run.attention(layer)
        norms: dict[str, FrozenNorm | None] = {}

        def normed(rows: Array, norm: str) -> Array:
            norms[norm] = FrozenNorm.of(rows, norm, parts, architecture)
            return apply_norm(rows, norm, parts, architecture)

        rows, output = run.stream(layer)[tokens], trace["output"][tokens]
        rows = normed(rows + normed(output, "attention_output"), "attention_sum")
        rows = with_replaced_rows(rows, run, "after_attention", layer, tokens)
        read = run.stream(layer)[tokens] if architecture.parallel else rows
        inner = apply_norm(read, "feed_input", parts, architecture)
        experts = run.model.weights.read_expert(layer)
        mlp = feed_forward_branch(inner, parts, architecture, experts)
        mlp = with_replaced_rows(mlp, run, "feed_forward", layer, tokens)
        normed(rows + normed(mlp, "feed_output"), "feed_sum")
        pins = None
        if any(p.enabled and p.step == "output" for p in run.pins.get(layer, ())):
            pins = output - trace.computed("output")[tokens]
        return cls(trace["concatenated"][tokens], pins, mlp, norms)

    def at(self, some: slice) -> "LayerWrites":
        """Return what is written for some of the tokens."""
        return LayerWrites(
            self.concatenated[some],
            None if self.pins is None else self.pins[some],
            self.mlp[some],
            {n: norm and norm.at(some) for n, norm in self.norms.items()},
        )


def writes_below(
    run: Outputs, layer: int, tokens: NDArray[np.intp]
) -> list[LayerWrites]:
    """Return the vectors that each layer below one writes for tokens.

    Raises
    ------
    IndexError
        If there is no such layer.
    ValueError
        If a number up to there is not finite.
    """
    check_alone(run.model.architecture, "run that is split into what its parts write")
    run.stream(layer)
    with one_blas_thread():
        return [LayerWrites.of(run, below, tokens) for below in range(layer)]
