"""The layers of a checkpoint that turn hidden states into logits."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from attnviewer.compute import Array

Reads = Literal["each", "first", "last", "mean", "first and mean"]
"""Which hidden states a head reads, see `OutputHead`."""
Predicts = Literal["tokens", "labels", "independent labels", "numbers", "span"]
"""The subject of the logits of a head, see `OutputHead`."""
OUTPUT_PARTS = (
    *("W_head", "b_head", "head.weight", "head.bias"),
    *("decoder", "b_decoder"),
)
"""The parts of a head."""


@dataclass(frozen=True, slots=True)
class OutputHead:
    """A head: perhaps a dense layer, an activation and a norm, and then the decoder.

    Parameters
    ----------
    names : mapping of str to str
        The tensors by part: ``W_head`` and ``b_head`` of the dense layer,
        ``head.weight`` and ``head.bias`` of the norm, ``decoder`` with a row for each
        logit, and ``b_decoder``.
    reads : str
        ``each`` if every token has logits; otherwise the sequence has: those of the
        ``first`` token, of the ``last`` one that is not padding, of the ``mean`` over
        all, or of the ``first and mean`` of the patches side by side (DINOv2).
    predicts : str
        What the logits are of: ``tokens``; ``labels``, of which one is right;
        ``independent labels``, each of which may be; ``numbers``, which are no classes;
        or the start and the end of a ``span`` of the tokens.
    activation : str
        A name of `ACTIVATIONS`; "" without.
    labels : tuple of str
        The names of the logits; () of tokens.
    alone : bool
        Whether the only logit of a token has no axis of its own.
    padding : int or None
        The id of padding.
    end : int or None
        The id that ends a text, whose last token counts as the ``last`` one.
    n_before_patches : int
        How many tokens come before the patches: the first, and registers.

    References
    ----------
    Devlin et al. 2019, "BERT", sections 3 and 4, whose published code has them.
    """

    names: Mapping[str, str]
    reads: Reads = "each"
    predicts: Predicts = "labels"
    activation: str = ""
    labels: tuple[str, ...] = ()
    alone: bool = False
    padding: int | None = None
    end: int | None = None
    n_before_patches: int = 1

    @property
    def what(self) -> str:
        """Its prediction, in words."""
        if self.predicts in ("tokens", "span"):
            return {"tokens": "tokens", "span": "spans of tokens"}[self.predicts]
        if len(self.labels) == 1:
            return self.labels[0]
        kind = "numbers" if self.predicts == "numbers" else "labels"
        return f"{len(self.labels)} {kind}"

    def shapes(
        self, d_model: int, d_embedding: int, n_tokens: int
    ) -> dict[str, tuple[int, ...]]:
        """Return the shape of every part, weights as (in, out).

        Parameters
        ----------
        d_model, d_embedding, n_tokens : int
            Width of the hidden states and of the table of tokens, and its rows.
        """
        to_tokens = self.predicts == "tokens"
        wide = d_embedding if to_tokens else d_model
        n_logits = n_tokens if to_tokens else len(self.labels)
        read = 2 * wide if self.reads == "first and mean" else wide
        row = (wide,)
        own = (d_model, wide), row, row, row, (n_logits, read), (n_logits,)
        shapes: dict[str, tuple[int, ...]] = dict(zip(OUTPUT_PARTS, own, strict=True))
        return {part: shapes[part] for part in self.names}

    def read(self, states: Array, ids: tuple[int, ...]) -> Array:
        """Return what the head reads of hidden states, a row for each prediction.

        Parameters
        ----------
        states : ndarray, shape (n, d_model)
            The hidden states after the final norm.
        ids : tuple of int
            The ids of the tokens.
        """
        if self.reads == "first":
            return states[:1]  # (1, d_model)
        if self.reads == "last":
            ends = [n for n, id in enumerate(ids) if id == self.end]
            others = [n for n, id in enumerate(ids) if id != self.padding]
            return states[[(ends or others or [0])[-1]]]  # (1, d_model)
        if self.reads == "mean":
            mean: Array = states.mean(axis=0, keepdims=True)  # (1, d_model)
            return mean
        if self.reads == "first and mean":
            patches = states[self.n_before_patches :]  # (patches, d_model)
            both: Array = np.hstack([states[:1], patches.mean(axis=0, keepdims=True)])
            return both  # (1, 2 d_model)
        return states  # (n, d_model)
