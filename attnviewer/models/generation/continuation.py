"""A decoder that goes on token by token."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array
from attnviewer.models.generation.cache import Cache
from attnviewer.models.generation.cached_pass import CachedPass
from attnviewer.models.generation.continued_pins import continued_run, longer_run
from attnviewer.models.generation.growing_rows import GrowingRows
from attnviewer.models.generation.sampling import Sampling
from attnviewer.models.next_token import NextToken, most_probable, probabilities
from attnviewer.models.tokenizing import Encoded
from attnviewer.models.trace import ModelTrace

ALTERNATIVES = 10
"""How many of the most probable tokens a step holds."""


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One generated token, and its attention.

    Parameters
    ----------
    token : NextToken
        The token, with its probability by the model: the softmax of the logits,
        whatever it was drawn by.
    alternatives : tuple of NextToken
        The most probable tokens at its position, most probable first.
    attention_rows : ndarray, shape (layers, h, n)
        The weights of the new token on all tokens so far, itself the last.
    cache_bytes : ndarray of int64, shape (layers, h_kv)
        The size of the KV cache with this token.
    cached : tuple of int
        How many tokens each layer has in the cache, this one the last.
    run : ModelTrace
        The run over the sentence so far, whose streams are known.
    """

    token: NextToken
    alternatives: tuple[NextToken, ...]
    attention_rows: Array = field(repr=False)
    cache_bytes: NDArray[np.int64] = field(repr=False)
    cached: tuple[int, ...] = field(repr=False)
    run: ModelTrace = field(repr=False)


class Continuation:
    """Continues a run of a decoder with a KV cache, with the changes of the run.

    Replaced weights and ablated heads act on each new token; activations that are set
    at given positions stay those of their tokens.

    Parameters
    ----------
    run : ModelTrace
        The run. Its layers are computed unless they are known.

    Attributes
    ----------
    run : ModelTrace
        The run over the sentence so far.
    notice : str
        Which settings of the checkpoint are not applied; "" if there are none.

    Raises
    ------
    ValueError
        If the model predicts no tokens, or a pin lets tokens attend to later ones.
    """

    def __init__(self, run: ModelTrace) -> None:
        check_continued(run)
        self._ends = run.model.end_tokens
        self.notice = run.model.unapplied_settings
        self._begin(continued_run(run))

    @property
    def cache_bytes(self) -> NDArray[np.int64]:
        """The size of the KV cache in bytes, shape (layers, h_kv)."""
        return self._cache.sizes

    @property
    def ended(self) -> str:
        """The reason why no token can follow; "" if one can."""
        run, model = self.run, self.run.model
        most = model.most_tokens
        if most is not None and len(run.ids) >= most:
            return f"The {most} positions of {model.name} are used up."
        return ""

    def stopped_by(self, step: Step) -> str:
        """Return why its newest step is the last, in one sentence; "" if it is not."""
        if step.token.id in self._ends:
            return f"The token {step.token.token} ends the text."
        return self.ended

    def advance(self, sampling: Sampling) -> Step:
        """Choose the next token and compute its row in each layer.

        Raises
        ------
        ValueError
            If the model has no position left, or a number is not finite.
        """
        if self.ended:
            raise ValueError(self.ended)
        run, model = self.run, self.run.model
        shares = probabilities(self._logits)  # (n_tokens,)
        chosen = sampling.choose(self._logits, len(run.ids))
        (name,) = model.names([chosen])
        encoded = Encoded((*run.ids, chosen), (*run.tokens, name))
        rows = self._append(encoded)
        return Step(
            NextToken(chosen, name, float(shares[chosen])),
            tuple(most_probable(shares, ALTERNATIVES, model.names)),
            rows,
            self.cache_bytes,
            self._cache.counts,
            self.run,
        )

    def _begin(self, run: ModelTrace) -> None:
        """Fill the cache with all tokens of a run."""
        self.run = run
        self._cache = Cache(run)
        layers = range(run.model.n_layers + 1)
        self._streams = [GrowingRows(run.stream(layer)) for layer in layers]
        self._logits = run.next_logits()  # (n_tokens,)

    def _append(self, encoded: Encoded) -> Array:
        """Compute the last token of a sentence; return its weights (layers, h, n)."""
        model, longer = self.run.model, longer_run(self.run, encoded)
        if model.architecture.changes_at(len(encoded.ids)):
            self._begin(longer)
            layers = range(model.n_layers)
            weights = (self.run.attention(layer)["weights"] for layer in layers)
            return np.stack([each[:, -1] for each in weights])
        new = CachedPass(longer, self._cache)
        for known, row in zip(self._streams, new.streams, strict=True):
            known.append(row)
        streams = tuple(known.rows for known in self._streams)
        self.run = longer_run(longer, encoded, streams)
        self._logits = new.logits[0]
        return new.attention_rows


def check_continued(run: ModelTrace) -> None:
    """Check that a run can be continued.

    Raises
    ------
    ValueError
        If the model predicts no tokens, or the run is that of cross-attention.
    """
    if run.model.kind != "decoder":
        raise ValueError(
            "The 'run' must be one of a decoder, as an encoder predicts no next "
            f"token. Got one of {run.model.name} instead."
        )
    if run.spec(0).context:
        raise ValueError(
            "The 'run' must be that of the decoder's self-attention. Got that of its "
            "cross-attention instead."
        )
