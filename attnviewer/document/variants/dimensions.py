"""The widths of a document's matrices, and what another choice of them does to each."""

from dataclasses import dataclass, fields, replace
from typing import Literal, Self, TypeAlias

import numpy as np

from attnviewer.compute import Array, Spec, check_size
from attnviewer.document.document import TABLE, Document
from attnviewer.document.edits import EditError, Replace
from attnviewer.document.variants.fitting import laid_over
from attnviewer.document.variants.rotary import check_rotary
from attnviewer.document.variants.variants import with_heads

Padding: TypeAlias = Literal["zeros", "random"]

_WIDTHS = "d_model", "d_context", "d_k", "d_v"
WIDEST = 2**14
"""The most that any dimension may be."""
MOST_NUMBERS = 2**26
"""The most numbers that a matrix may grow to."""


@dataclass(frozen=True, slots=True)
class Dimensions:
    """The widths that decide the shapes of all matrices.

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
    """

    d_model: int | None
    d_context: int | None
    d_k: int
    d_v: int
    n_heads: int
    n_kv_heads: int

    @classmethod
    def of(cls, document: Document) -> Self:
        """Read those of a document; without weights, d_k and d_v are d_model."""
        spec = document.spec
        widths = {name: matrix.shape[1] for name, matrix in document.matrices.items()}
        if spec.given:
            return cls(
                *(None, None),
                widths["K" if "K" in widths else "V"] // spec.kv_heads,
                widths["V"] // spec.kv_heads,
                *(spec.n_heads, spec.kv_heads),
            )
        return cls(
            widths["X"],
            widths["context"] if spec.context else None,
            widths["W_Q"] // spec.n_heads if "W_Q" in widths else widths["X"],
            widths["W_V"] // spec.kv_heads if "W_V" in widths else widths["X"],
            spec.n_heads,
            spec.kv_heads,
        )

    def differing(self, other: "Dimensions") -> list[str]:
        """Return the names of those that differ."""
        names = (field.name for field in fields(self))
        return [name for name in names if getattr(self, name) != getattr(other, name)]


@dataclass(frozen=True, slots=True)
class Effect:
    """What becomes of one matrix.

    Parameters
    ----------
    matrix : str
        Its name.
    before, after : tuple of two int
        Its shapes.
    cut, added : tuple of two int
        How many rows and columns go, and how many are new. Both may be: with fewer
        heads that are wider, say.
    lost : int
        How many of the numbers that go are not 0.
    """

    matrix: str
    before: tuple[int, int]
    after: tuple[int, int]
    cut: tuple[int, int]
    added: tuple[int, int]
    lost: int

    @property
    def changes(self) -> bool:
        """Whether anything becomes of it."""
        return any(self.cut) or any(self.added)


@dataclass(frozen=True, slots=True)
class _Axis:
    """Rows or columns: `blocks` heads of `width` each."""

    blocks: int
    width: int

    @property
    def length(self) -> int:
        return self.blocks * self.width

    def kept(self, other: "_Axis") -> int:
        return min(self.blocks, other.blocks) * min(self.width, other.width)


_Axes = tuple[_Axis, _Axis]


@dataclass(frozen=True, slots=True, eq=False)
class ResizePlan:
    """What other dimensions do to a document, before it is done.

    Parameters
    ----------
    effects : tuple of Effect
        What becomes of each matrix, in the order of the document.
    """

    effects: tuple[Effect, ...]
    _document: Document
    _spec: Spec
    _axes: dict[str, tuple[_Axes, _Axes]]
    _padding: Padding
    _seed: int

    def edit(self, label: str) -> Replace:
        """Return the edit that does it, all in one."""
        matrices = {
            effect.matrix: self._resized(effect.matrix)
            for effect in self.effects
            if effect.changes
        }
        return Replace(label, spec=self._spec, matrices=matrices)

    def _resized(self, name: str) -> Array:
        old, new = self._axes[name]
        rows, columns = (axis.length for axis in new)
        filled = (
            _drawn(name, rows, columns, self._seed)
            if self._padding == "random" and not name.startswith("b_")
            else np.zeros((rows, columns))
        )
        values = self._document.matrix(name).reshape(_blocks(old))
        blocks = laid_over(values, filled.reshape(_blocks(new)))
        return blocks.reshape(rows, columns)


def plan_dimensions(
    document: Document,
    dimensions: Dimensions,
    padding: Padding = "zeros",
    seed: int = 0,
) -> ResizePlan:
    """Find out what other dimensions do to each matrix of a document.

    Each head's block of columns is cut or padded at its end, and heads are dropped
    or added at the end, so that what stays of a head stays together. Matrices that
    the variant does not use follow as well. The columns of W_O and b_O and the table
    P follow d_model as long as they are as wide.

    Parameters
    ----------
    document : Document
        What is to be changed; nothing changes here.
    dimensions : Dimensions
        The new ones.
    padding : {"zeros", "random"}
        What new rows and columns hold: zeros, with which a wider head scores as
        before, but for the scale 1/√d_k; or normally distributed numbers, of
        variance 1 in sequences and P and of 1 / rows in weights. New places of
        biases are 0 either way.
    seed : int
        Of the random numbers: the same one gives every matrix the same numbers.

    Raises
    ------
    EditError
        If the dimensions are not possible.
    """
    spec = _spec_with(document, dimensions)
    d_k = dimensions.d_model if spec.variant == "simplified" else dimensions.d_k
    assert d_k is not None
    check_rotary(spec, d_k)
    try:
        check_size(spec, document.matrices)
    except ValueError as error:
        raise EditError(str(error)) from error
    now = Dimensions.of(document)
    axes: dict[str, tuple[_Axes, _Axes]] = {}
    for name, matrix in document.matrices.items():
        old, new = zip(
            *map(
                _follow,
                matrix.shape,
                _axes_of(name, now),
                _axes_of(name, dimensions),
            ),
            strict=True,
        )
        axes[name] = old, new
        rows, columns = (axis.length for axis in new)
        if rows * columns > max(MOST_NUMBERS, matrix.size):
            raise EditError(
                f"The '{name}' matrix must have at most {MOST_NUMBERS} numbers. "
                f"Got {rows} · {columns} = {rows * columns} instead."
            )
    effects = tuple(_effect(name, document.matrix(name), *axes[name]) for name in axes)
    return ResizePlan(effects, document, spec, axes, padding, seed)


def dimensions_to_fit(
    document: Document, matrix: str, shape: tuple[int, int]
) -> Dimensions | None:
    """Return the dimensions with which a matrix has a shape.

    Parameters
    ----------
    document : Document
        What has the matrix.
    matrix : str
        The matrix.
    shape : tuple of two int
        The shape that it is to have.

    Returns
    -------
    Dimensions or None
        None if no width decides that shape, such as the number of tokens.
    """
    now = wanted = Dimensions.of(document)
    present = document.matrix(matrix).shape
    for axis, (before, after) in enumerate(zip(present, shape, strict=True)):
        if before == after:
            continue
        old = _axes_of(matrix, now)[axis]
        if old is None or old.length != before or after % old.blocks:
            return None
        new = _Axis(old.blocks, after // old.blocks)
        trials = (
            replace(wanted, **{name: new.width})
            for name in _WIDTHS
            if name in _names(now)
        )
        found = next((t for t in trials if _axes_of(matrix, t)[axis] == new), None)
        if found is None:
            return None
        wanted = found
    return wanted


def _spec_with(document: Document, dimensions: Dimensions) -> Spec:
    for name in _names(dimensions):
        value = getattr(dimensions, name)
        if not 1 <= value <= WIDEST:
            raise EditError(
                f"The '{name}' must be from 1 to {WIDEST}. Got {value} instead."
            )
    return with_heads(document.spec, dimensions.n_heads, dimensions.n_kv_heads)


def _names(dimensions: Dimensions) -> list[str]:
    names = [field.name for field in fields(dimensions)]
    return [name for name in names if getattr(dimensions, name) is not None]


def _axes_of(name: str, dimensions: Dimensions) -> tuple[_Axis | None, _Axis | None]:
    """Return the rows and columns that a matrix has; None for what is not said."""
    model = _Axis(1, dimensions.d_model) if dimensions.d_model else None
    context = _Axis(1, dimensions.d_context) if dimensions.d_context else None
    queries = _Axis(dimensions.n_heads, dimensions.d_k)
    keys = _Axis(dimensions.n_kv_heads, dimensions.d_k)
    values = _Axis(dimensions.n_kv_heads, dimensions.d_v)
    mixed = _Axis(dimensions.n_heads, dimensions.d_v)
    return {
        "X": (None, model),
        "Q": (None, queries),
        "K": (None, keys),
        "V": (None, values),
        "context": (None, context),
        TABLE: (None, model),
        "W_Q": (model, queries),
        "b_Q": (None, queries),
        "W_K": (context or model, keys),
        "b_K": (None, keys),
        "W_V": (context or model, values),
        "b_V": (None, values),
        "W_O": (mixed, model),
        "b_O": (None, model),
    }.get(name, (None, None))


def _follow(length: int, old: _Axis | None, new: _Axis | None) -> _Axes:
    """Return rows or columns as they are and as they will be."""
    if old is None or new is None or old.length != length:
        return _Axis(1, length), _Axis(1, length)
    return old, new


def _effect(name: str, values: Array, old: _Axes, new: _Axes) -> Effect:
    kept = [one.kept(other) for one, other in zip(old, new, strict=True)]
    before, after = ([axis.length for axis in axes] for axes in (old, new))
    blocks = values.reshape(_blocks(old))  # (blocks, width, blocks, width)
    inside = blocks[tuple(map(slice, _blocks(new)))]
    lost = 0
    if kept != before:
        lost = int(np.count_nonzero(values)) - int(np.count_nonzero(inside))
    rows, columns = (
        (b - k, a - k) for b, a, k in zip(before, after, kept, strict=True)
    )
    return Effect(
        name,
        (before[0], before[1]),
        (after[0], after[1]),
        cut=(rows[0], columns[0]),
        added=(rows[1], columns[1]),
        lost=lost,
    )


def _blocks(axes: _Axes) -> tuple[int, int, int, int]:
    rows, columns = axes
    return rows.blocks, rows.width, columns.blocks, columns.width


def _drawn(name: str, rows: int, columns: int, seed: int) -> Array:
    # By its name, so that its numbers do not depend on which others are there.
    generator = np.random.default_rng([seed, *name.encode()])
    spread = 1 / np.sqrt(rows) if name.startswith("W_") else 1.0
    drawn: Array = spread * generator.standard_normal((rows, columns))
    return drawn
