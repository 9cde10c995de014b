"""Scores of contents with relative positions (DeBERTa)."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from attnviewer.compute.arrays import (
    Array,
    Index,
    IndexArray,
    Part,
    Shape,
    sum_to,
)
from attnviewer.compute.changes import EVERYTHING, Dirty
from attnviewer.compute.expression import Cell, Sum
from attnviewer.compute.formula import Formula, dot_product
from attnviewer.compute.positions import Disentangled
from attnviewer.compute.stages.base import PointWise, Steps, Stored, grouped, number
from attnviewer.compute.stages.offsets import PerItem, at
from attnviewer.compute.stages.shared_heads import (
    gather,
    share,
    shared_by,
    shared_index,
)
from attnviewer.compute.threads import product

CONTENT_TO_POSITION, POSITION_TO_CONTENT = "content to position", "position to content"


class HasShapes(Protocol):
    """What knows the shapes of steps."""

    def shape(self, step: str) -> Shape:
        """Return the shape of a step."""


class RelativeScore(Stored):
    """Content to position: q_i · K_R[δ(i, j)]; position to content: k_j · Q_R[δ(i, j)].

    Parameters
    ----------
    contents, relative : str
        The steps that are compared: queries and the keys of relative positions, or
        keys and the queries of relative positions.
    queries, keys : str
        The steps whose rows are the queries and the keys.
    scheme : Disentangled
        Which row belongs to which distance.
    query_offset : int or tuple of int
        The position of the first query among the keys.

    References
    ----------
    He et al. 2021, "DeBERTa", arXiv:2006.03654, equation 4.
    """

    def __init__(
        self,
        contents: str,
        relative: str,
        *,
        queries: str,
        keys: str,
        scheme: Disentangled,
        query_offset: PerItem,
    ) -> None:
        self.by_key = contents == keys
        other = queries if self.by_key else keys
        row = "ⱼ" if self.by_key else "ᵢ"
        super().__init__(
            POSITION_TO_CONTENT if self.by_key else CONTENT_TO_POSITION,
            # The other side says how many queries and keys, and heads, there are.
            (contents, relative, other),
            f"{grouped(contents)}{row} · {relative}[δ(i, j)]",
            f"{grouped(contents)} · {relative}",
            ("queries", "keys"),
        )
        self.scheme = scheme
        self.query_offset = query_offset

    def shape(self, *inputs: Shape) -> Shape:
        queries, n_keys = self._sides(inputs[0], inputs[2])
        return *queries[:-1], n_keys

    def forward(self, part: Part, *inputs: Array, out: Array | None = None) -> Array:
        contents, relative, other = inputs
        queries, n_keys = self._sides(contents.shape, other.shape)
        own = np.arange(queries[-2])[part.rows]  # (rows,)
        if not self.by_key:
            contents = contents[..., part.rows, :]  # (…, h, rows, d)
        wide, every = (
            share(array, (), shared_by(queries, array.shape))
            for array in (contents, relative)
        )
        every = product(wide, every.swapaxes(-1, -2))  # (…, h, rows or n_k, 2k)
        found = np.take_along_axis(every, self._indices(every, own, n_keys), -1)
        if self.by_key:
            found = found.swapaxes(-1, -2)
        return part.all_rows.of(found)  # (…, h, rows, n_k)

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        contents, relative, other = inputs
        queries, n_keys = self._sides(contents.shape, other.shape)
        if self.by_key:
            gradient = gradient.swapaxes(-1, -2)  # (…, h, n_k, n_q)
        on_every = np.zeros((*gradient.shape[:-1], relative.shape[-2]), gradient.dtype)
        indices = self._indices(on_every, np.arange(queries[-2]), n_keys)
        for column in range(gradient.shape[-1]):
            # One column at a time, in which no row has an index twice.
            one = indices[..., column : column + 1]  # (…, h, rows, 1)
            more = gradient[..., column : column + 1]
            more = more + np.take_along_axis(on_every, one, -1)
            np.put_along_axis(on_every, one, more, -1)
        wide, same = (
            share(array, (), shared_by(queries, array.shape))
            for array in (contents, relative)
        )
        return (
            _unshared(on_every @ same, contents.shape),  # (…, h, rows, d)
            _unshared(on_every.swapaxes(-1, -2) @ wide, relative.shape),  # (h, 2k, d)
            None,
        )

    def reach(self, dirty: Sequence[Dirty | None], shape: Shape) -> Dirty:
        contents, relative, _ = dirty
        if relative is not None or (contents is not None and self.by_key):
            return EVERYTHING
        return (
            Dirty(rows=np.empty(0, np.intp))
            if contents is None
            else Dirty(contents.rows)
        )

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        contents, relative, _ = self.inputs
        own, position = self.compared(index, steps)
        written = dot_product(
            steps.row(contents, own),
            steps.row(relative, position),
            lambda c: Cell(contents, (*own, c)),
            lambda c: Cell(relative, (*position, c)),
            limit,
        )
        cell = Cell(self.name, index)
        symbols = (
            f"{grouped(contents)}{'ⱼ' if self.by_key else 'ᵢ'} · {relative}, row δ"
        )
        note = f"δ(i, j) = {position[-1]}, the row of R for this distance."
        return Formula(cell, steps.value(cell), symbols, written, note)

    def compared(self, index: Index, steps: HasShapes) -> tuple[Index, Index]:
        """Return the row of the contents and the relative row of a cell.

        Parameters
        ----------
        index : tuple of int
            The cell.
        steps : HasShapes
            The shapes of the inputs.
        """
        contents, relative, other = map(steps.shape, self.inputs)
        queries, _ = self._sides(contents, other)
        *lead, i, j = index
        distance = i + int(at(self.query_offset, tuple(lead))) - j
        row = int(self.scheme.rows(np.array(distance)))
        own = *_place(contents, lead, queries), j if self.by_key else i
        return own, (*_place(relative, lead, queries), row)

    def _sides(self, contents: Shape, other: Shape) -> tuple[Shape, int]:
        """Return the shape of the queries, and how many keys there are."""
        queries, keys = (other, contents) if self.by_key else (contents, other)
        return queries, keys[-2]

    def _indices(self, every: Array, queries: IndexArray, n_keys: int) -> IndexArray:
        """Return δ(i, j) for the rows of `every`, broadcast to all but its columns."""
        places = queries[:, np.newaxis] + at(self.query_offset, ())  # (…, rows, 1)
        indices = self.scheme.rows(places - np.arange(n_keys))  # (…, rows, n_k)
        if self.by_key:
            indices = indices.swapaxes(-1, -2)  # (…, n_k, rows)
        return np.broadcast_to(indices, (*every.shape[:-1], indices.shape[-1]))


class AddRelative(PointWise):
    """disentangled = scores + content to position + position to content.

    Parameters
    ----------
    source : str
        The scores of contents with contents.
    terms : tuple of str
        The steps that are added.

    References
    ----------
    He et al. 2021, "DeBERTa", arXiv:2006.03654, equation 4.
    """

    def __init__(self, source: str, terms: tuple[str, ...]) -> None:
        super().__init__(
            "disentangled",
            (source, *terms),
            " + ".join((source, *terms)),
            "+ relative positions",
            ("queries", "keys"),
        )

    def apply(self, scores: Array, part: Part, *others: Array) -> None:
        for term in others:
            scores += part.of(term)

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        return gradient, *(sum_to(gradient, term.shape) for term in inputs[1:])

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        terms = tuple(number(steps, name, index) for name in self.inputs)
        symbols = " + ".join(f"{grouped(name)}ᵢⱼ" for name in self.inputs)
        cell = Cell(self.name, index)
        return Formula(cell, steps.value(cell), symbols, (Sum(terms),))


def _unshared(gradient: Array, shape: Shape) -> Array:
    """Sum a gradient over heads and batch items that share an input of a shape."""
    if len(shape) > 2 and gradient.shape[-3] != shape[-3]:
        gradient = gather(gradient, gradient.shape[-3] // shape[-3])
    return sum_to(gradient, shape)


def _place(shape: Shape, lead: Sequence[int], queries: Shape) -> Index:
    """Return the index of batch item and head in a step that may have fewer of them."""
    own = tuple(lead[len(lead) + 2 - len(shape) :])
    return shared_index(own, shared_by(queries, shape))
