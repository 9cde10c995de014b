"""The dimensions of a document, and the shapes that follow from them."""

from dataclasses import dataclass, fields, replace
from typing import Self

from attnviewer.compute import Spec
from attnviewer.document.document import TABLE, Document
from attnviewer.document.matrices import BIAS, MASK, RELATIVE_BIAS, SINKS
from attnviewer.document.position_ids import POSITION_IDS

_WIDTHS = "d_model", "d_context", "d_k", "d_v"


@dataclass(frozen=True, slots=True)
class Dimensions:
    """The sizes that decide the shapes of all matrices.

    Parameters
    ----------
    d_model : int or None
        Columns of X; None where queries, keys and values are given.
    d_context : int or None
        Columns of the second sequence; None where there are no such embeddings.
    d_k, d_v : int
        Columns of one head's queries and keys, and of its values.
    n_heads, n_kv_heads : int
        Numbers of heads of queries, and of keys and values.
    n : int
        Tokens, which are the queries.
    n_k : int or None
        Tokens of the second sequence, which are the keys; None without it.
    """

    d_model: int | None
    d_context: int | None
    d_k: int
    d_v: int
    n_heads: int
    n_kv_heads: int
    n: int
    n_k: int | None

    @classmethod
    def of(cls, document: Document) -> Self:
        """Return a document's dimensions; without weights, d_k and d_v are d_model."""
        spec = document.spec
        widths = {name: matrix.shape[1] for name, matrix in document.matrices.items()}
        counts = len(document.tokens), len(document.context_tokens)
        tokens = counts if spec.context else (counts[0], None)
        if spec.given:
            return cls(
                *(None, None),
                widths["K" if "K" in widths else "V"] // spec.kv_heads,
                widths["V"] // spec.kv_heads,
                *(spec.n_heads, spec.kv_heads),
                *tokens,
            )
        return cls(
            widths["X"],
            widths["context"] if spec.context else None,
            widths["W_Q"] // spec.n_heads if "W_Q" in widths else widths["X"],
            widths["W_V"] // spec.kv_heads if "W_V" in widths else widths["X"],
            spec.n_heads,
            spec.kv_heads,
            *tokens,
        )

    def differing(self, other: "Dimensions") -> list[str]:
        """Return the names of the sizes that differ."""
        names = (field.name for field in fields(self))
        return [name for name in names if getattr(self, name) != getattr(other, name)]


@dataclass(frozen=True, slots=True)
class Axis:
    """Rows or columns: `blocks` heads of `width` each."""

    blocks: int
    width: int

    @property
    def length(self) -> int:
        """The number of rows or columns."""
        return self.blocks * self.width

    def kept(self, other: "Axis") -> int:
        """Return how many of them stay when this axis becomes another one."""
        return min(self.blocks, other.blocks) * min(self.width, other.width)


Axes = tuple[Axis, Axis]
"""The rows and the columns of a matrix."""


def dimensions_to_fit(
    document: Document, matrix: str, shape: tuple[int, int]
) -> Dimensions | None:
    """Return the dimensions with which a matrix has a shape.

    Parameters
    ----------
    document : Document
        The document.
    matrix : str
        The matrix.
    shape : tuple of two int
        The wanted shape.

    Returns
    -------
    Dimensions or None
        None if no width decides that shape but, say, the number of tokens.
    """
    now = wanted = Dimensions.of(document)
    present = document.matrix(matrix).shape
    for axis, (before, after) in enumerate(zip(present, shape, strict=True)):
        if before == after:
            continue
        old = axes_of(matrix, now, document.spec)[axis]
        if old is None or old.length != before or after % old.blocks:
            return None
        new = Axis(old.blocks, after // old.blocks)
        trials = (
            replace(wanted, **{name: new.width})
            for name in _WIDTHS
            if name in known_sizes(now)
        )
        fitting = (t for t in trials if axes_of(matrix, t, document.spec)[axis] == new)
        found = next(fitting, None)
        if found is None:
            return None
        wanted = found
    return wanted


def known_sizes(dimensions: Dimensions) -> list[str]:
    """Return the names of the sizes that a document has."""
    names = [field.name for field in fields(dimensions)]
    return [name for name in names if getattr(dimensions, name) is not None]


def axes_of(
    name: str, dimensions: Dimensions, spec: Spec
) -> tuple[Axis | None, Axis | None]:
    """Return the axes of a matrix; None for one that no dimension decides."""
    model = Axis(1, dimensions.d_model) if dimensions.d_model else None
    context = Axis(1, dimensions.d_context) if dimensions.d_context else None
    queries = Axis(dimensions.n_heads, dimensions.d_k)
    keys = Axis(dimensions.n_kv_heads, dimensions.d_k)
    values = Axis(dimensions.n_kv_heads, dimensions.d_v)
    mixed = Axis(dimensions.n_heads, dimensions.d_v)
    one_each = Axis(dimensions.n_heads, 1)
    asking = Axis(1, dimensions.n)
    seen = asking if dimensions.n_k is None else Axis(1, dimensions.n_k)
    return {
        "X": (asking, model),
        "Q": (asking, queries),
        "K": (seen, keys),
        "V": (seen, values),
        "S": (asking, Axis(dimensions.n_heads, seen.width)),
        BIAS: (asking, seen),
        MASK: (asking, seen),
        "context": (seen if dimensions.n_k is not None else None, context),
        TABLE: (None, model),
        POSITION_IDS: (seen, None),
        "R": (None, model),
        "W_QR": (model, queries),
        "b_QR": (None, queries),
        "W_KR": (model, keys),
        "b_KR": (None, keys),
        RELATIVE_BIAS: (None, one_each),
        "W_Q": (model, queries),
        "b_Q": (None, queries),
        "gain_Q": (None, queries),
        "shift_Q": (None, queries),
        "W_K": (context or model, keys),
        "b_K": (None, keys),
        "gain_K": (None, keys),
        "shift_K": (None, keys),
        "W_V": (context or model, values),
        "b_V": (None, values),
        "W_G": (model, one_each if spec.output_gate == "headwise" else mixed),
        "W_O": (mixed, model),
        "b_O": (None, model),
        SINKS: (None, one_each),
    }.get(name, (None, None))
