"""The forward pass of one more token, given the cache of those before."""

from dataclasses import replace

import numpy as np

from attnviewer.compute import Array
from attnviewer.models.blocks import embed
from attnviewer.models.generation.cache import Cache
from attnviewer.models.generation.continued_pins import row_pins
from attnviewer.models.outputs import Outputs
from attnviewer.models.trace import ModelTrace


class CachedPass(Outputs):
    """The computation of the layers for the last token of a sentence.

    Streams, hidden states and logits have this one row. Each layer appends its key and
    its value to the cache.

    Parameters
    ----------
    run : ModelTrace
        The run over the sentence with the new token, of which nothing is computed; with
        its changes, and pins as `grown` returns them. Replaced activations are of
        tokens before.
    cache : Cache
        The keys and values of the tokens before.
    """

    def __init__(self, run: ModelTrace, cache: Cache) -> None:
        beside = run.beside
        if beside is not None:
            beside = replace(beside, pins=row_pins(run.part("cross")))
        super().__init__(
            run.model, run.encoded, run.changes, pins=row_pins(run), beside=beside
        )
        self._cache = cache
        self._rows: list[Array] = []
        self.stream(self.model.n_layers)

    @property
    def streams(self) -> tuple[Array, ...]:
        """The row of each stream, from the embeddings on, (1, d_model) each."""
        return tuple(self._streams)

    @property
    def attention_rows(self) -> Array:
        """The weights of the token on all tokens so far, shape (layers, h, n)."""
        return np.stack(self._rows)

    def _embedded(self) -> Array:
        # All tokens: the position of one may depend on those before.
        rows = embed(self.model.weights, self.model.architecture, self.ids)
        return rows[-1:].copy()

    def _attention_output(self, layer: int, rows: Array) -> Array:
        cached = self._cache.layers[layer]
        x = self._normed(layer, rows)
        row, output = cached.attend(self.spec(layer), x, self.weights(layer))
        self._rows.append(row)
        return output
