"""Changes of a document's dimensions, and their effect on each matrix."""

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array, Pin, Spec, check_size
from attnviewer.document.document import TABLE, Document
from attnviewer.document.edits import EditError, Replace
from attnviewer.document.matrices import BIAS, MASK, is_row
from attnviewer.document.moved_pins import pins_after
from attnviewer.document.position_ids import POSITION_IDS, position_ids_after
from attnviewer.document.rearranging import NEW, at_most
from attnviewer.document.sequences import next_names
from attnviewer.document.variants.dimensions import (
    Axes,
    Axis,
    Dimensions,
    axes_of,
    known_sizes,
)
from attnviewer.document.variants.overlap import copy_overlap
from attnviewer.document.variants.rotary import check_rotary
from attnviewer.document.variants.variants import with_heads

Padding: TypeAlias = Literal["zeros", "random"]

WIDEST = 2**14
"""The largest value of any dimension."""
MOST_NUMBERS = 2**26
"""Maximum size of a grown matrix, in numbers."""


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of new dimensions on one matrix.

    Parameters
    ----------
    matrix : str
        Its name.
    before, after : tuple of two int
        Its shapes.
    cut, added : tuple of two int
        How many rows and columns are removed, and how many are new. Both can happen, as
        with fewer but wider heads.
    lost : int
        How many of the removed numbers are not 0; in the mask, how many of the removed
        cells hide a key.
    """

    matrix: str
    before: tuple[int, int]
    after: tuple[int, int]
    cut: tuple[int, int]
    added: tuple[int, int]
    lost: int

    @property
    def changes(self) -> bool:
        """Whether the matrix changes."""
        return any(self.cut) or any(self.added)


@dataclass(frozen=True, slots=True, eq=False)
class ResizePlan:
    """A change of dimensions that has not been applied yet.

    Parameters
    ----------
    effects : tuple of Effect
        The effect on each matrix, in the order of the document.
    """

    effects: tuple[Effect, ...]
    _document: Document
    _dimensions: Dimensions
    _spec: Spec
    _axes: dict[str, tuple[Axes, Axes]]
    _padding: Padding
    _seed: int

    def edit(self, label: str) -> Replace:
        """Return the whole change as one edit."""
        matrices = {
            effect.matrix: self._resized(effect.matrix)
            for effect in self.effects
            if effect.changes
        }
        document, wanted = self._document, self._dimensions
        context_tokens = None
        if wanted.n_k is not None:
            context_tokens = _named(document.context_tokens, wanted.n_k)
        return Replace(
            label,
            spec=replace(self._spec, pins=self._pins()),
            tokens=_named(document.tokens, wanted.n),
            matrices=matrices,
            context_tokens=context_tokens,
        )

    def _pins(self) -> tuple[Pin, ...]:
        """Return the pins of the tokens that remain."""
        document, wanted = self._document, self._dimensions
        tokens = _kept(len(document.tokens), wanted.n)
        if wanted.n_k is None:
            return pins_after(document, [({"tokens", "queries", "keys"}, tokens)])
        keys = _kept(len(document.context_tokens), wanted.n_k)
        return pins_after(document, [({"tokens", "queries"}, tokens), ({"keys"}, keys)])

    def _resized(self, name: str) -> Array:
        old, new = self._axes[name]
        rows, columns = (axis.length for axis in new)
        values = self._document.matrix(name).reshape(_blocks(old))
        filled: Array = np.full((rows, columns), name == MASK, values.dtype)
        if name == POSITION_IDS:
            ids = self._document.matrix(name)
            return position_ids_after(ids, _kept(len(ids), rows))
        if self._padding == "random" and may_be_drawn(name):
            filled = _drawn(name, rows, columns, self._seed)
        blocks = copy_overlap(values, filled.reshape(_blocks(new)))
        return blocks.reshape(rows, columns)


def plan_dimensions(
    document: Document,
    dimensions: Dimensions,
    padding: Padding = "zeros",
    seed: int = 0,
) -> ResizePlan:
    """Plan a change of a document's dimensions.

    Each head's block of columns is cut or padded at its end, and heads are dropped
    or added at the end, so that the rest of a head stays together. Matrices that the
    variant does not use are resized too. The columns of W_O and b_O and the table P
    follow d_model as long as they have that width. Tokens are added and removed at the
    end of their sequence, with the results of `insert_tokens` and `remove_tokens`.

    Parameters
    ----------
    document : Document
        The document; it is not changed here.
    dimensions : Dimensions
        The new ones.
    padding : {"zeros", "random"}
        The content of new rows and columns: zeros, with which a wider head scores as
        before except for the scale 1/√d_k; or normally distributed numbers, with
        variance 1 in sequences and P and 1 / rows in weights. New biases and sinks are
        0 either way, and the mask hides nothing of a new token.
    seed : int
        The seed of the random numbers.

    Raises
    ------
    EditError
        If the dimensions are not possible.
    """
    spec = _spec_with(document, dimensions)
    d_k = dimensions.d_model if spec.variant == "simplified" else dimensions.d_k
    assert d_k is not None
    check_rotary(spec, d_k)
    now = Dimensions.of(document)
    axes: dict[str, tuple[Axes, Axes]] = {}
    for name, matrix in document.matrices.items():
        old, new = zip(
            *map(
                _follow,
                matrix.shape,
                axes_of(name, now, document.spec),
                axes_of(name, dimensions, spec),
            ),
            strict=True,
        )
        if name == TABLE:  # it belongs to positions, not to tokens, and is never cut
            new = Axis(1, max(len(matrix), dimensions.n)), new[1]
        axes[name] = old, new
        rows, columns = (axis.length for axis in new)
        if rows * columns > max(MOST_NUMBERS, matrix.size):
            raise EditError(
                f"The '{name}' matrix must have at most {MOST_NUMBERS} numbers. "
                f"Got {rows} · {columns} = {rows * columns} instead."
            )
    # Broadcast views of one number, as only the shapes count.
    views = {
        name: np.broadcast_to(0.0, [axis.length for axis in new])
        for name, (_, new) in axes.items()
    }
    try:
        check_size(spec, views)
    except ValueError as error:
        raise EditError(str(error)) from error
    effects = tuple(_effect(name, document.matrix(name), *axes[name]) for name in axes)
    return ResizePlan(effects, document, dimensions, spec, axes, padding, seed)


def may_be_drawn(matrix: str) -> bool:
    """Return whether new cells of a matrix can be random; those of biases are 0."""
    return matrix not in (BIAS, MASK, POSITION_IDS) and not is_row(matrix)


def _spec_with(document: Document, dimensions: Dimensions) -> Spec:
    for name in known_sizes(dimensions):
        value = getattr(dimensions, name)
        if not 1 <= value <= WIDEST:
            raise EditError(
                f"The '{name}' must be from 1 to {WIDEST}. Got {value} instead."
            )
    spec = with_heads(document.spec, dimensions.n_heads, dimensions.n_kv_heads)
    if spec.key_lengths is None:
        return spec
    keys = dimensions.n if dimensions.n_k is None else dimensions.n_k
    return replace(spec, key_lengths=at_most(spec.key_lengths, keys))


def _follow(length: int, old: Axis | None, new: Axis | None) -> Axes:
    """Return the old and the new axis."""
    if old is not None and new is not None and old.width == length < old.length:
        return Axis(1, old.width), Axis(1, new.width)  # one block, shared by all heads
    if old is None or new is None or old.length != length:
        return Axis(1, length), Axis(1, length)
    return old, new


def _effect(name: str, values: Array, old: Axes, new: Axes) -> Effect:
    kept = [one.kept(other) for one, other in zip(old, new, strict=True)]
    before, after = ([axis.length for axis in axes] for axes in (old, new))
    blocks = values.reshape(_blocks(old))  # (blocks, width, blocks, width)
    inside = blocks[tuple(map(slice, _blocks(new)))]
    lost = 0
    if kept != before:
        lost = int(np.count_nonzero(values)) - int(np.count_nonzero(inside))
        if name == MASK:
            lost = values.size - inside.size - lost  # hidden ones among the removed
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


def _named(tokens: tuple[str, ...], count: int) -> tuple[str, ...]:
    return (*tokens[:count], *next_names(tokens, count - len(tokens)))


def _kept(before: int, after: int) -> NDArray[np.intp]:
    """Return where each token was before, `NEW` for those at the end."""
    positions = np.arange(after)
    return np.where(positions < before, positions, NEW)


def _blocks(axes: Axes) -> tuple[int, int, int, int]:
    rows, columns = axes
    return rows.blocks, rows.width, columns.blocks, columns.width


def _drawn(name: str, rows: int, columns: int, seed: int) -> Array:
    # Seeded by name, so that the numbers do not depend on the other matrices.
    generator = np.random.default_rng([seed, *name.encode()])
    spread = 1 / np.sqrt(rows) if name.startswith("W_") else 1.0
    drawn: Array = spread * generator.standard_normal((rows, columns))
    return drawn
