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
from attnviewer.compute.positions.disentangled import Term
from attnviewer.compute.stages.base import Steps, Stored, grouped, number
from attnviewer.compute.stages.offsets import PerItem, at
from attnviewer.compute.stages.point_wise import PointWise
from attnviewer.compute.stages.shared_heads import (
    gather,
    share,
    shared_by,
    shared_index,
)
from attnviewer.compute.threads import product


class HasShapes(Protocol):
    """Anything that knows the shapes of steps."""

    def shape(self, step: str) -> Shape:
        """Return the shape of a step."""


class RelativeScore(Stored):
    """c2p, q_i · K_R[δ(i, j)]: content to position; p2c, k_j · Q_R[δ(i, j)].

    Parameters
    ----------
    contents, relative : str
        The steps that are compared: queries and the keys of relative positions, or
        keys and the queries of relative positions.
    term : str
        Which of the two, ``c2p`` or ``p2c``.
    scheme : Disentangled
        Which row belongs to which distance.
    counts : tuple of two int
        The numbers of queries and of keys.
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
        term: Term,
        scheme: Disentangled,
        counts: tuple[int, int],
        query_offset: PerItem,
    ) -> None:
        self.by_key = term == "p2c"
        super().__init__(
            term,
            (contents, relative),
            f"{grouped(contents)}{'ⱼ' if self.by_key else 'ᵢ'} · {relative}[δ(i, j)]",
            f"{grouped(contents)} · {relative}",
            ("queries", "keys"),
        )
        self.scheme = scheme
        self.counts = counts
        self.query_offset = query_offset

    def shape(self, *inputs: Shape) -> Shape:
        contents, relative = inputs
        heads = max(contents[-3:-2], relative[-3:-2])
        return *contents[:-3], *heads, *self.counts

    def forward(self, part: Part, *inputs: Array, out: Array | None = None) -> Array:
        contents, relative = inputs
        own = np.arange(self.counts[0])[part.rows]  # (rows,)
        if not self.by_key:
            contents = contents[..., part.rows, :]  # (…, h, rows, d)
        contents, relative = _alike(contents, relative)
        every = product(contents, relative.swapaxes(-1, -2))  # (…, h, rows or n_k, 2k)
        found = np.take_along_axis(every, self._indices(every, own), -1)
        if self.by_key:
            found = found.swapaxes(-1, -2)
        return part.all_rows.of(found)  # (…, h, rows, n_k)

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        contents, relative = inputs
        if self.by_key:
            gradient = gradient.swapaxes(-1, -2)  # (…, h, n_k, n_q)
        on_every = np.zeros((*gradient.shape[:-1], relative.shape[-2]), gradient.dtype)
        indices = self._indices(on_every, np.arange(self.counts[0]))
        for column in range(gradient.shape[-1]):
            # One column at a time, in which no row has an index twice.
            one = indices[..., column : column + 1]  # (…, h, rows, 1)
            more = gradient[..., column : column + 1]
            more = more + np.take_along_axis(on_every, one, -1)
            np.put_along_axis(on_every, one, more, -1)
        wide, same = _alike(contents, relative)
        return (
            _unshared(on_every @ same, contents.shape),  # (…, h, rows, d)
            _unshared(on_every.swapaxes(-1, -2) @ wide, relative.shape),  # (h, 2k, d)
        )

    def reach(self, dirty: Sequence[Dirty | None], shape: Shape) -> Dirty:
        contents, relative = dirty
        if relative is None and contents is not None and not self.by_key:
            return Dirty(rows=contents.rows)
        if relative is None and contents is None:
            return Dirty(rows=np.empty(0, np.intp))
        return EVERYTHING

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        contents, relative = self.inputs
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
        contents, relative = map(steps.shape, self.inputs)
        lead, (i, j) = index[:-2], index[-2:]
        distance = i + int(at(self.query_offset, lead)) - j
        row = int(self.scheme.rows(np.array(distance)))
        n_heads = max(contents[-3:-2], relative[-3:-2])
        own = j if self.by_key else i
        return (
            (*_lead_in(contents, lead, n_heads), own),
            (*_lead_in(relative, lead, n_heads), row),
        )

    def _indices(self, every: Array, queries: IndexArray) -> IndexArray:
        """Return δ(i, j) for the rows of `every`, broadcast to all but its columns."""
        places = queries[:, np.newaxis] + at(self.query_offset, ())  # (…, rows, 1)
        indices = self.scheme.rows(places - np.arange(self.counts[1]))  # (…, rows, n_k)
        if self.by_key:
            indices = indices.swapaxes(-1, -2)  # (…, n_k, rows)
        return np.broadcast_to(indices, (*every.shape[:-1], indices.shape[-1]))


class AddRelative(PointWise):
    """summed = scores + c2p + p2c.

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
            "summed",
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


def _alike(contents: Array, relative: Array) -> tuple[Array, Array]:
    """Return both with as many heads as the one that has more."""
    return (
        share(contents, (), shared_by(relative.shape, contents.shape) or 1),
        share(relative, (), shared_by(contents.shape, relative.shape) or 1),
    )


def _unshared(gradient: Array, shape: Shape) -> Array:
    """Sum a gradient over heads and batch items that share an input of a shape."""
    if len(shape) > 2 and gradient.shape[-3] != shape[-3]:
        gradient = gather(gradient, gradient.shape[-3] // shape[-3])
    return sum_to(gradient, shape)


def _lead_in(shape: Shape, lead: Index, n_heads: Shape) -> Index:
    """Return the index of batch item and head in a step that may have fewer of them."""
    own = lead[len(lead) + 2 - len(shape) :]
    return shared_index(own, n_heads[0] // shape[-3]) if n_heads else own
