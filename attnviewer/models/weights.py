"""The weights of a model by part, read on access."""

import math
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array
from attnviewer.io.safetensors import TensorFile
from attnviewer.io.strict_json import shortened
from attnviewer.models.architecture import Architecture
from attnviewer.models.checkpoint import Checkpoint
from attnviewer.models.expert_weights import read_expert
from attnviewer.models.fused_parts import split_parts
from attnviewer.models.layers import Expert, ReadExpert, layer_norm
from attnviewer.models.named_tensors import NamedTensors, is_shared

AT_ONCE = 2**24
"""Numbers of a table to read at a time."""


class _Mapped(NamedTuple):
    """Weights that are views of mapped files."""

    parts: dict[str, Array]
    files: list[TensorFile]


class Weights(NamedTensors):
    """The weights of a checkpoint, each as a part of an architecture.

    Parameters
    ----------
    checkpoint : Checkpoint
        The tensors.
    architecture : Architecture
        Their names and shapes.

    Attributes
    ----------
    checked : set of int
        The layers whose attention is known to have finite weights.

    Raises
    ------
    FileFormatError
        If a tensor is missing, of another shape or type, or would be ignored.
    """

    def __init__(self, checkpoint: Checkpoint, architecture: Architecture) -> None:
        super().__init__(checkpoint, architecture)
        self.checked: set[int] = set()
        self._mapped: dict[tuple[tuple[str, ...], int], _Mapped] = {}

    def norm(self, norm: str) -> dict[str, Array]:
        """Return the parts of a norm outside the layers; {} without it."""
        if norm in self._architecture.plain_norms:
            return self._plain((f"{norm}.",))
        return {
            part: self._read(part, 0)
            for part in (f"{norm}.weight", f"{norm}.bias")
            if part in self._architecture.names
        }

    @property
    def projection(self) -> Array | None:
        """The projection of embeddings (CLIP), (d_model, d_projection)."""
        return self.shared("W_projection") if self.has("W_projection") else None

    def shared(self, part: str) -> Array:
        """Return a part that all layers share, in the shape of its tensor."""
        return self._read(part, 0)

    def dense(self, name: str) -> dict[str, Array]:
        """Return a linear layer outside the layers as ``W`` and, if any, ``b``.

        {} without it.

        Parameters
        ----------
        name : str
            ``embedding`` or ``head``.
        """
        return {
            kind: self._read(part, 0)
            for kind in ("W", "b")
            if (part := f"{kind}_{name}") in self._architecture.names
        }

    def logits(self, rows: Array) -> Array:
        """Return the logits of hidden states, shape (n, n_logits).

        There is one for each token, or for each label of a head.

        Parameters
        ----------
        rows : ndarray, shape (n, d_model)
            The hidden states after the final norm, or what a head makes of them.

        Raises
        ------
        ValueError
            If there is no unembedding table.
        """
        logits = np.empty((len(rows), self._n_logits), np.float32)
        rows = self.projected_out(rows)  # (n, width of the table)
        for some, table in self._stored_blocks(self._last_table):
            logits[:, some] = rows @ table.T
        if "b_decoder" in self._architecture.names:
            logits += self._read("b_decoder", 0)
        return logits

    def projected_out(self, rows: Array) -> Array:
        """Return hidden states in the width of the unembedding, (n, token_width)."""
        projection = self._projection("W_unembedding")
        return rows if projection is None else rows @ projection

    def blocks(self, part: str) -> Iterator[tuple[slice, Array]]:
        """Yield the rows of a table block by block, a row (d_model,) for each token.

        Types that need widening are widened in these pieces.

        Parameters
        ----------
        part : str
            The table, such as ``tokens`` or ``unembedding``.

        Yields
        ------
        some : slice
            The rows.
        table : ndarray of float32, shape (m, d_model)
            The rows, with a projection between them and the stream.

        Raises
        ------
        ValueError
            If there is no unembedding table.
        """
        if part == "tokens" and part not in self._architecture.names:
            raise ValueError(
                "The model must have token embeddings. "
                f"Got {self._architecture.family}, which reads images, instead."
            )
        for some, table in self._stored_blocks(part):
            yield some, self._in_stream(part, table)

    def _stored_blocks(self, part: str) -> Iterator[tuple[slice, Array]]:
        """Yield the rows of a table as they are stored, (m, width of the table)."""
        is_last = part == "unembedding"
        name = self._unembedding_name() if is_last else self._table_name(part)
        n_rows, d_model = self._checkpoint.shape(name)
        at_once = max(1, AT_ONCE // d_model)
        for first in range(0, n_rows, at_once):
            some = slice(first, min(first + at_once, n_rows))
            yield some, self._checkpoint.rows(name, some)

    def unembedding(self, ids: Sequence[int]) -> Array:
        """Return the columns of the unembedding of some tokens, as rows (m, d_model).

        Only those are read.

        Parameters
        ----------
        ids : sequence of int
            The tokens.

        Raises
        ------
        ValueError
            If there is no unembedding table, or no such token.
        """
        rows = self._checkpoint.rows(self._unembedding_name(), ids)
        return self._in_stream("unembedding", rows)

    def rows(self, part: str, indices: NDArray[np.intp]) -> Array:
        """Return a copy of rows of a table, (n, d_model), reading only those."""
        return self._in_stream(
            part, self._checkpoint.rows(self._name(part, 0), indices)
        )

    def _in_stream(self, part: str, rows: Array) -> Array:
        """Return rows of a table as vectors of the stream, (m, d_model)."""
        if part == "tokens":
            projection = self._projection("W_tokens")
        else:
            back = self._projection("W_unembedding") if part == "unembedding" else None
            projection = None if back is None else back.T
        return rows if projection is None else rows @ projection

    def _projection(self, part: str) -> Array | None:
        named = part in self._architecture.names
        return self._read(part, 0) if named else None

    def read_expert(self, layer: int) -> ReadExpert | None:
        """Return what reads an expert of a layer; None for a model without experts."""
        if self._architecture.experts is None:
            return None

        def read(expert: int) -> Expert:
            name_of = partial(self._name, layer=layer)
            return read_expert(self._checkpoint, name_of, expert)

        return read

    def layer(self, layer: int, parts: Collection[str]) -> dict[str, Array]:
        """Return the weights of a layer by part, projections as (in, out).

        Parameters
        ----------
        layer : int
            The layer.
        parts : collection of str
            Prefixes of the wanted parts.
        """
        prefixes = tuple(parts)
        mapped = self._mapped.get((prefixes, layer))
        if mapped is not None:
            for file in mapped.files:
                file.check_unchanged()
            return mapped.parts | self._plain(prefixes)
        names = self._architecture.names
        chosen = [n for n in names if n.startswith(prefixes) and self._has(n, layer)]
        parts = {part: self._read(part, layer) for part in chosen}
        parts = split_parts(parts, self._architecture)
        parts = _normed(parts, self._architecture.epsilon)
        if all(map(self._checkpoint.is_mapped, parts.values())):
            tensors = (name for part in chosen for name in self._names(part, layer))
            files = self._checkpoint.files(tensors)
            self._mapped[prefixes, layer] = _Mapped(parts.copy(), files)
        return parts | self._plain(prefixes)

    def _plain(self, prefixes: tuple[str, ...]) -> dict[str, Array]:
        """Return the weights of norms that have none: all are 1."""
        weights = (f"{norm}.weight" for norm in self._architecture.plain_norms)
        plain = [name for name in weights if name.startswith(prefixes)]
        return {n: np.ones(self._architecture.d_model, np.float32) for n in plain}

    def not_finite(self, layer: int | None) -> str:
        """Return which tensor has numbers that are not finite, as a sentence.

        Parameters
        ----------
        layer : int or None
            The layer; None for what all layers share.

        Returns
        -------
        str
            With a space before; "" if all numbers are finite.
        """
        for part in self._architecture.names:
            if is_shared(part) != (layer is None) or not self._has(part, layer or 0):
                continue
            own = [self._table_name(part)] if layer is None else []
            for name in own or self._names(part, layer or 0):
                if name in self._checkpoint and not self._is_finite(name):
                    file = self._checkpoint.file_of(name)
                    return f" {file} has such numbers in {shortened(name)}."
        return ""

    def _is_finite(self, name: str) -> bool:
        rows, *others = self._checkpoint.shape(name) or (1,)
        at_once = max(1, AT_ONCE // math.prod(others))
        blocks = range(0, rows, at_once)
        return all(
            np.isfinite(self._checkpoint.rows(name, slice(n, n + at_once))).all()
            for n in blocks
        )

    def logits_backward(self, on_logits: Array) -> Array:
        """Return the gradient on hidden states, (n, d_model), given that on `logits`.

        Parameters
        ----------
        on_logits : ndarray, shape (n, n_tokens)
            The gradient of some number on the logits.

        Raises
        ------
        ValueError
            If there is no unembedding table.
        """
        width = self._architecture.token_width or self._architecture.d_model
        if self._architecture.head is not None:
            width = self._shapes["decoder"][1]
        on_rows = np.zeros((len(on_logits), width), on_logits.dtype)
        for some, table in self._stored_blocks(self._last_table):
            on_rows += on_logits[:, some] @ table
        return self._in_stream("unembedding", on_rows)

    @property
    def _last_table(self) -> str:
        return "unembedding" if self._architecture.head is None else "decoder"

    @property
    def _n_logits(self) -> int:
        is_headed = self._architecture.head is not None
        return self._shapes["decoder"][0] if is_headed else self._architecture.n_tokens


def _normed(parts: dict[str, Array], epsilon: float) -> dict[str, Array]:
    """Return parts with the table of relative positions after its norm, if any."""
    weight, bias = parts.pop("R_norm.weight", None), parts.pop("R_norm.bias", None)
    if weight is not None:
        parts["R"] = layer_norm(parts["R"], weight, bias, epsilon)
    return parts
