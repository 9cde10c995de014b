"""The weights of a model by part, read on access."""

from collections.abc import Collection, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array
from attnviewer.io import FileFormatError
from attnviewer.models.architecture import Architecture
from attnviewer.models.checkpoint import Checkpoint
from attnviewer.models.layers import layer_norm

AT_ONCE = 2**24
"""Numbers of a table to read at a time."""
_PREDICTING = ("ForCausalLM", "LMHeadModel")
"""Suffixes of transformers' class names of models that predict the next token."""
HEAD = frozenset(("W_head", "b_head", "head", "decoder", "b_decoder"))
"""Parts of a `PredictionHead`, and its norm."""
SHARED = HEAD | {"tokens", "places", "types", "embedding", "W_embedding"}
SHARED |= {"b_embedding", "projected", "final", "unembedding", "R", "R_norm"}
SHARED |= {"patches", "class", "distillation", "W_projection"}
"""Parts shared by all layers, and norms of such parts."""
_WITHOUT_PREFIX = HEAD | {"unembedding", "W_projection"}


class Weights:
    """The weights of a checkpoint, each as a part of an architecture.

    Parameters
    ----------
    checkpoint : Checkpoint
        The tensors.
    architecture : Architecture
        Their names and shapes.

    Attributes
    ----------
    has_head : bool
        Whether hidden states go through a `PredictionHead` before they are logits.

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
        self.has_head = self._found_head()
        self._check()

    def norm(self, norm: str) -> dict[str, Array]:
        """Return the parts of a norm outside the layers; {} without it."""
        return {
            part: self._read(part, 0)
            for part in (f"{norm}.weight", f"{norm}.bias")
            if part in self._architecture.names
        }

    def has(self, part: str) -> bool:
        """Return whether the checkpoint has a part that all layers share."""
        known = part in self._architecture.names
        return known and self._name(part, 0) in self._checkpoint

    @property
    def projection(self) -> Array | None:
        """What embeddings are multiplied by (CLIP), (d_model, d_projection)."""
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
        """Return the logits of hidden states, shape (n, n_tokens).

        Parameters
        ----------
        rows : ndarray, shape (n, d_model)
            The hidden states after the final norm, or what a head makes of them.

        Raises
        ------
        ValueError
            If there is no unembedding table.
        """
        logits = np.empty((len(rows), self._architecture.n_tokens), np.float32)
        for some, table in self.blocks(self._last_table):
            logits[:, some] = rows @ table.T
        if self.has_head and "b_decoder" in self._architecture.names:
            logits += self._read("b_decoder", 0)
        return logits

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
        if part == "tokens" and part not in self._architecture.names:
            raise ValueError(
                "The model must have token embeddings. "
                f"Got {self._architecture.family}, which reads pictures, instead."
            )
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
            if part.startswith(tuple(parts)) and self._has(part, layer)
        }
        return _normed(_split(read, self._architecture), self._architecture.epsilon)

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
        width = (
            self._shapes["decoder"][1] if self.has_head else self._architecture.d_model
        )
        on_rows = np.zeros((len(on_logits), width), on_logits.dtype)
        for some, table in self.blocks(self._last_table):
            on_rows += on_logits[:, some] @ table
        return on_rows

    @property
    def _last_table(self) -> str:
        return "decoder" if self.has_head else "unembedding"

    def _has(self, part: str, layer: int) -> bool:
        return (part, layer) not in self._architecture.absent

    def _read(self, part: str, layer: int) -> Array:
        array = self._checkpoint.read(self._name(part, layer))
        if self._is_transposed(part):
            array = array.T
        # A scale of a branch (LayerScale) is that of the columns of its last weights.
        scale = f"scale_{part[2:]}"
        known = scale in self._architecture.names
        return array * self._read(scale, layer) if known else array

    def _is_transposed(self, part: str) -> bool:
        if part == "unembedding":
            return True
        return part.startswith("W_") and not self._architecture.inputs_first

    def _name(self, part: str, layer: int) -> str:
        """Return the tensor name of a part in this checkpoint."""
        stored = self._architecture.layer_tensors
        number = layer if stored is None else stored[layer]
        name = self._architecture.names[part].format(number)
        if part.partition(".")[0] not in _WITHOUT_PREFIX:
            name = self._prefix + name
        if name in self._checkpoint:
            return name
        for new, old in self._architecture.other_names:
            other = name.removesuffix(new) + old
            if name.endswith(new) and other in self._checkpoint:
                return other
        return name

    def _found_prefix(self) -> str:
        names = self._architecture.names
        table = names.get("tokens") or names["places"]
        known = self._architecture.prefixes
        return next((p for p in known if p + table in self._checkpoint), known[0])

    def _found_unembedding(self) -> str | None:
        own = self._architecture.names.get("unembedding")
        # A separate table counts even if it should be tied, as in transformers.
        if own is None or own in self._checkpoint:
            return own
        return self._name("tokens", 0) if self._architecture.tied else None

    def _found_head(self) -> bool:
        """Return whether the checkpoint has a prediction head.

        A head that classifies texts may have the same dense layer: the bias of the
        tokens, or what the checkpoint was saved as, tells them apart.
        """
        if self._architecture.head_activation is None:
            return False
        own = "b_decoder" in self._architecture.names
        return (own and self._name("b_decoder", 0) in self._checkpoint) or (
            self._saved_as(("ForMaskedLM",))
        )

    def _table_name(self, part: str) -> str:
        """Return the tensor name of a table; of a tied decoder, that of the tokens."""
        name = self._name(part, 0)
        tied = part == "decoder" and self._architecture.tied
        return (
            self._name("tokens", 0) if tied and name not in self._checkpoint else name
        )

    def _unembedding_name(self) -> str:
        """Return the tensor name of the unembedding."""
        if self.has_head:
            raise ValueError(
                "The model must unembed its hidden states directly, without a dense "
                f"layer and a norm before. Got {self._architecture.family} with such a "
                "head instead."
            )
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
        return self._saved_as(_PREDICTING)

    def _saved_as(self, ends: tuple[str, ...]) -> bool:
        """Return whether the class that saved the checkpoint has a name so ending."""
        saved_as = self._checkpoint.config.get("architectures")
        return isinstance(saved_as, list) and any(
            str(name).endswith(ends) for name in saved_as
        )

    def _check(self) -> None:
        """Check all tensors by their descriptions alone."""
        used = set()
        for part in self._architecture.names:
            if part == "unembedding" and not self._must_have_unembedding():
                continue
            if part in self._architecture.optional and not self.has(part):
                continue
            if part.partition(".")[0] in HEAD and not self.has_head:
                continue
            layers = 1 if _is_shared(part) else self._architecture.n_layers
            for layer in range(layers):
                if not self._has(part, layer):
                    continue
                name = (
                    self._table_name(part) if layers == 1 else self._name(part, layer)
                )
                if name not in used:
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
                f"It must have the shape {expected}, as its configuration says. "
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
                "layers, as its configuration says, does not use this tensor: "
                "without it the results would be others.",
                name,
            )


def _is_shared(part: str) -> bool:
    return part.partition(".")[0] in SHARED


def _normed(parts: dict[str, Array], epsilon: float) -> dict[str, Array]:
    """Return parts with the table of relative positions after its norm, if any."""
    weight, bias = parts.pop("R_norm.weight", None), parts.pop("R_norm.bias", None)
    if weight is not None:
        parts["R"] = layer_norm(parts["R"], weight, bias, epsilon)
    return parts


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
        joined = parts.pop(f"{kind}_gate_up", None)
        if joined is not None:
            gate, up = np.split(joined, 2, axis=-1)
            parts |= {f"{kind}_gate": gate, f"{kind}_up": up}
    return parts
