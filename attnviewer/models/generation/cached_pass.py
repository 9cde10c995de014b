"""The forward pass of one more token, given the cache of those before."""

import numpy as np

from attnviewer.compute import Array
from attnviewer.models.blocks import embed
from attnviewer.models.forward_pass import ForwardPass
from attnviewer.models.generation.cache import Cache
from attnviewer.models.outputs import Outputs
from attnviewer.models.tokenizing import Encoded


class CachedPass(Outputs):
    """What the layers compute for the last token of a sentence.

    Streams, hidden states and logits have this one row. Each layer appends its key and
    its value to the cache.

    Parameters
    ----------
    run : ForwardPass
        The run that is continued, with its changes.
    encoded : Encoded
        The sentence with the new token.
    cache : Cache
        The keys and values of the tokens before.
    """

    def __init__(self, run: ForwardPass, encoded: Encoded, cache: Cache) -> None:
        super().__init__(run.model, encoded, run.changes, beside=run.beside)
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

    def _attention_output(self, layer: int, x: Array) -> Array:
        cached = self._cache.layers[layer]
        row, output = cached.attend(self.spec(layer), x, self.weights(layer))
        self._rows.append(row)
        return output
