"""The weights of a model by part, read on access."""

from collections.abc import Collection, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array
from attnviewer.io import FileFormatError
from attnviewer.models.architecture import Architecture
from attnviewer.models.checkpoint import Checkpoint

AT_ONCE = 2**24
"""Numbers of a table to read at a time."""
_PREDICTING = ("ForCausalLM", "LMHeadModel", "ForConditionalGeneration")
"""Suffixes of transformers' class names of models that predict the next token."""
SHARED = frozenset(
    ("tokens", "places", "types", "embedding", "final", "unembedding", "logit_bias")
)
"""Parts shared by all layers, and norms of such parts."""


class Weights:
    """The weights of a checkpoint, each as a part of an architecture.

    Parameters
    ----------
    checkpoint : Checkpoint
        The tensors.
    architecture : Architecture
        Their names and shapes.

    Raises
    ------
    FileFormatError
        If a tensor is missing, of another shape or type, or would be ignored.
    """

    def __init__(self, checkpoint: Checkpoint, architecture: Architecture) -> None:
        self._checkpoint = checkpoint
        self._architecture = architecture
        self._shapes = architecture.shapes()
        self._prefix = self._found_prefix()
        self._unembedding = self._found_unembedding()
        self._check()

    def norm(self, norm: str) -> dict[str, Array]:
        """Return the parts of a norm outside the layers; {} without it."""
        return {
            part: self._read(part, 0)
            for part in (f"{norm}.weight", f"{norm}.bias")
            if part in self._architecture.names
        }

    def logits(self, rows: Array) -> Array:
        """Return the logits of hidden states, shape (n, n_tokens).

        Parameters
        ----------
        rows : ndarray, shape (n, d_model)
            The hidden states after the final norm.

        Raises
        ------
        ValueError
            If there is no unembedding table.
        """
        logits = np.empty((len(rows), self._architecture.n_tokens), np.float32)
        for some, table in self.blocks("unembedding"):
            logits[:, some] = rows @ table.T
        return logits

    @property
    def logit_bias(self) -> Array | None:
        """The numbers added to the logits, shape (1, n_tokens); None without them."""
        name = self._architecture.names.get("logit_bias")
        if name is None or name not in self._checkpoint:
            return None
        return self._read("logit_bias", 0)

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
            Which rows.
        table : ndarray of float32, shape (m, d_model)
            The rows.

        Raises
        ------
        ValueError
            If there is no unembedding table.
        """
        is_last = part == "unembedding"
        name = self._unembedding_name() if is_last else self._name(part, 0)
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
        return self._checkpoint.rows(self._unembedding_name(), ids)

    def rows(self, part: str, indices: NDArray[np.intp]) -> Array:
        """Return a copy of rows of a table, (n, d_model), reading only those."""
        return self._checkpoint.rows(self._name(part, 0), indices)

    def layer(self, layer: int, parts: Collection[str]) -> dict[str, Array]:
        """Return the weights of a layer by part, projections as (in, out).

        Parameters
        ----------
        layer : int
            The layer.
        parts : collection of str
            Prefixes of the wanted parts.
        """
        read = {
            part: self._read(part, layer)
            for part in self._architecture.names
            if part.startswith(tuple(parts))
        }
        return _split(read, self._architecture)

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
        width = self._architecture.d_model
        on_rows = np.zeros((len(on_logits), width), on_logits.dtype)
        for some, table in self.blocks("unembedding"):
            on_rows += on_logits[:, some] @ table
        return on_rows

    def _read(self, part: str, layer: int) -> Array:
        array = self._checkpoint.read(self._name(part, layer))
        return array.T if self._is_transposed(part) else array

    def _is_transposed(self, part: str) -> bool:
        if part == "unembedding":
            return True
        return part.startswith("W_") and not self._architecture.inputs_first

    def _name(self, part: str, layer: int) -> str:
        """Return the tensor name of a part in this checkpoint."""
        name = self._architecture.names[part].format(layer)
        if part not in ("unembedding", "logit_bias"):
            name = self._prefix + name
        if name in self._checkpoint:
            return name
        for new, old in self._architecture.other_names:
            other = name.removesuffix(new) + old
            if name.endswith(new) and other in self._checkpoint:
                return other
        return name

    def _found_prefix(self) -> str:
        tokens = self._architecture.names["tokens"]
        spelled = [tokens] + [
            tokens.removesuffix(new) + old
            for new, old in self._architecture.other_names
            if tokens.endswith(new)
        ]
        known = self._architecture.prefixes
        found = (p for p in known if any(p + s in self._checkpoint for s in spelled))
        return next(found, known[0])

    def _found_unembedding(self) -> str | None:
        own = self._architecture.names.get("unembedding")
        # A separate table counts even if it should be tied, as in transformers.
        if own is None or own in self._checkpoint:
            return own
        return self._name("tokens", 0) if self._architecture.tied else None

    def _unembedding_name(self) -> str:
        """Return the tensor name of the unembedding."""
        if self._unembedding is None:
            raise ValueError(
                "The model must predict tokens, by a table of its own or that of its "
                f"embeddings. Got {self._architecture.family} without one instead."
            )
        return self._unembedding

    def _must_have_unembedding(self) -> bool:
        """Return whether a separate table is there, or required."""
        if self._unembedding is not None:
            return self._unembedding == self._architecture.names["unembedding"]
        saved_as = self._checkpoint.config.get("architectures")
        return isinstance(saved_as, list) and any(
            str(name).endswith(_PREDICTING) for name in saved_as
        )

    def _check(self) -> None:
        """Check all tensors by their descriptions alone."""
        used = set()
        for part in self._architecture.names:
            if part == "unembedding" and not self._must_have_unembedding():
                continue
            if part == "logit_bias" and self._name(part, 0) not in self._checkpoint:
                continue
            layers = 1 if _is_shared(part) else self._architecture.n_layers
            for layer in range(layers):
                name = self._name(part, layer)
                self._check_tensor(part, name)
                used.add(name)
        self._check_all_used(used)

    def _check_tensor(self, part: str, name: str) -> None:
        if name not in self._checkpoint:
            raise FileFormatError(
                self._checkpoint.path,
                f"The tensor '{name}' of {self._architecture.family} is missing; "
                f"{len(self._checkpoint.names)} others are there.",
            )
        shape = self._shapes[part]
        expected = shape[::-1] if self._is_transposed(part) else shape
        if self._checkpoint.shape(name) != expected:
            raise FileFormatError(
                self._checkpoint.file_of(name),
                f"It must have the shape {expected}, as config.json has it. "
                f"Got {self._checkpoint.shape(name)} instead.",
                name,
            )
        self._checkpoint.check_type(name)

    def _check_all_used(self, used: Collection[str]) -> None:
        """Check that no tensor of a layer would be ignored."""
        layers = self._prefix + self._architecture.names["W_O"].partition("{}")[0]
        for name in self._checkpoint.names:
            if not name.startswith(layers) or name in used:
                continue
            if name.endswith(self._architecture.unused):
                continue
            raise FileFormatError(
                self._checkpoint.file_of(name),
                f"{self._architecture.family} with {self._architecture.n_layers} "
                "layers, as config.json has it, does not use this tensor: without it "
                "the results would be others.",
                name,
            )


def _is_shared(part: str) -> bool:
    return part.partition(".")[0] in SHARED


def _split(parts: dict[str, Array], architecture: Architecture) -> dict[str, Array]:
    """Split parts that are stored side by side."""
    queries = architecture.n_heads * architecture.d_head
    keys = architecture.n_kv_heads * architecture.d_head
    columns = {
        "Q": slice(0, queries),
        "K": slice(queries, queries + keys),
        "V": slice(queries + keys, queries + 2 * keys),
    }
    for kind in "Wb":
        joined = parts.pop(f"{kind}_QKV", None)
        if joined is not None:
            for name, own in columns.items():
                parts[f"{kind}_{name}"] = joined[..., own]
    return parts
