"""The projections: a matrix multiplied by a weight matrix."""

from collections.abc import Mapping, Sequence

import numpy as np

from attnviewer.compute.arrays import Array, Index, Part, Shape
from attnviewer.compute.changes import EVERYTHING, Dirty, union
from attnviewer.compute.expression import Cell, Sum
from attnviewer.compute.formula import Formula, dot_product
from attnviewer.compute.stages.base import Axis, Steps, Stored, grouped, number
from attnviewer.compute.threads import (
    Block2D,
    in_threads,
    one_blas_thread,
    product,
    shares,
)


class Project(Stored):
    """Q = X W_Q + b_Q and its like.

    With heads the product (…, n, h·d) becomes (…, h, n, d): head k owns the
    columns k·d to (k+1)·d (Vaswani et al. 2017, section 3.2.2).

    Parameters
    ----------
    name, source, weight : str
        The step, its source, and the matrix that multiplies it.
    bias : str, optional
        A row that is added to each row.
    n_heads : int or None
        How many heads share the columns of the weight; None for no head axis.
    rows : Axis
        What the rows stand for: queries, or keys with their values.
    per_head : bool
        Whether the source has a head axis, which then stays.
    """

    kind = "projection"
    stacks = True
    reads_rows = True

    def __init__(
        self,
        name: str,
        source: str,
        weight: str,
        bias: str | None = None,
        *,
        n_heads: int | None = None,
        rows: Axis,
        per_head: bool = False,
    ) -> None:
        added = f" + {bias}" if bias else ""
        super().__init__(
            name,
            (source, weight) if bias is None else (source, weight, bias),
            f"{grouped(source)} {weight}{added}",
            f"× {weight}{added}",
            (rows, "features"),
            per_head=per_head or n_heads is not None,
        )
        self.n_heads = n_heads

    def shape(self, *inputs: Shape) -> Shape:
        *batch, n, _ = inputs[0]
        width = inputs[1][-1]
        if self.n_heads is None:
            return *batch, n, width
        return *batch, self.n_heads, n, width // self.n_heads

    def forward(self, part: Part, *inputs: Array, out: Array | None = None) -> Array:
        source, weight, *bias = inputs  # (..., n, d_in), (d_in, h·d), (h·d,)
        lead, n_heads = part.lead, self.n_heads
        if n_heads is not None and len(lead) == source.ndim - 1:
            lead, width = lead[:-1], weight.shape[-1] // n_heads
            own = slice(part.lead[-1] * width, (part.lead[-1] + 1) * width)
            weight, bias = weight[:, own], [row[..., own] for row in bias]
            n_heads = None
        source = source[lead][..., part.rows, :]  # (..., rows, d_in)
        if out is not None:  # of the type of the result
            weight = weight.astype(out.dtype, copy=False)
            source = source.astype(out.dtype, copy=False)
        (projected,) = _projected([(source, weight, *bias)])  # (..., rows, h·d)
        return split_heads(projected, n_heads)[..., part.columns]

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        source, weight, *bias = inputs
        joined = gradient if self.n_heads is None else join_heads(gradient)
        stack = gradient.shape[: gradient.ndim - output.ndim]
        flat = joined.reshape(*stack, -1, joined.shape[-1])  # (…, rows of all, h·d)
        return (
            product(joined, weight.T),
            product(source.reshape(-1, source.shape[-1]).T, flat),
            *(flat.sum(axis=-2).reshape(*stack, *row.shape) for row in bias),
        )

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        row, column = index[:-1], index[-1]
        if self.n_heads is not None:
            width = steps.shape(self.inputs[1])[1] // self.n_heads
            row, column = (*index[:-3], index[-2]), index[-3] * width + column
        source, weight, *bias = self.inputs
        written, values = dot_product(
            steps.row(source, row),
            steps.column(weight, (column,)),
            lambda k: Cell(source, (*row, k)),
            lambda k: Cell(weight, (k, column)),
            limit,
        )
        symbols = f"{grouped(source)}ᵢ · {weight}, column j"
        for name in bias:
            # A bias is a row, be it given as (h·d,) or as (1, h·d).
            weight_index = (0, column) if len(steps.shape(name)) == 2 else (column,)
            last = number(steps, name, weight_index)
            written = Sum((*written.terms, last), written.omitted, written.remainder)
            values = Sum((*values.terms, last), values.omitted, values.remainder)
            symbols += f", + {name}ⱼ"
        cell = Cell(self.name, index)
        return Formula(cell, steps.value(cell), symbols, (written, values))

    def reach(self, dirty: Sequence[Dirty | None], shape: Shape) -> Dirty:
        source, weights = dirty[0], union(dirty[1:])
        if weights is None and source is not None:
            return Dirty(rows=source.rows, heads=source.heads)
        if source is not None or weights is None or weights.columns is None:
            return EVERYTHING
        if self.n_heads is None:
            return Dirty(columns=weights.columns)
        heads, features = np.divmod(weights.columns, shape[-1])
        return Dirty(columns=np.unique(features), heads=np.unique(heads))

    def update(self, inputs: Sequence[Array], output: Array, reached: Dirty) -> None:
        if reached.columns is None:
            super().update(inputs, output, reached)
            return
        source, weight, *bias = inputs
        every = [None] if reached.heads is None else reached.heads
        for head in every:
            first = 0 if head is None else head * output.shape[-1]
            columns = first + reached.columns  # (columns,)
            projected = product(source, weight[:, columns])  # (..., n, columns)
            for row in bias:
                projected += row[..., columns]
            block = output if head is None else output[..., head, :, :]
            block[..., reached.columns] = projected


def project_together(
    stages: Sequence[Project], steps: Mapping[str, Array]
) -> dict[str, Array]:
    """Return projections by name, none of which is the source of another.

    Threads share the work of all of them, and meet once.

    Parameters
    ----------
    stages : sequence of Project
        The projections.
    steps : mapping of str to ndarray
        Their inputs.
    """
    factors = [tuple(steps[name] for name in stage.inputs) for stage in stages]
    return {
        stage.name: split_heads(projected, stage.n_heads)
        for stage, projected in zip(stages, _projected(factors), strict=True)
    }


def _projected(factors: Sequence[tuple[Array, ...]]) -> list[Array]:
    """Return x W, or x W + b, of each of some inputs, shape (..., n, d_out).

    Stored by columns: each head is then contiguous, for which BLAS takes half the time
    for the scores, and less for this product (measured).
    """
    sides = [(weight.T, source.swapaxes(-1, -2)) for source, weight, *_ in factors]
    wholes = []
    for left, right in sides:
        shape = (*right.shape[:-2], len(left), right.shape[-1])
        wholes.append(np.empty(shape, np.result_type(left, right)))  # (..., d_out, n)
    work = sum(len(left) * right.size for left, right in sides)

    def multiply(block: tuple[int, Block2D]) -> None:
        at, (rows, columns) = block
        left, right = sides[at]
        own = wholes[at][..., rows, columns]
        np.matmul(left[rows], right[..., columns], out=own)
        for bias in factors[at][2:]:
            own += bias.reshape(-1, 1)[rows]

    with one_blas_thread(work):
        blocks = [
            (at, share)
            for at, whole in enumerate(wholes)
            for share in shares(whole.shape[-2], whole.shape[-1], work)
        ]
        in_threads(multiply, blocks)
    return [whole.swapaxes(-1, -2) for whole in wholes]


def split_heads(array: Array, n_heads: int | None) -> Array:
    """Return (..., n, h·d) as (..., h, n, d); None leaves it as it is."""
    if n_heads is None:
        return array
    *lead, n, columns = array.shape
    heads = array.reshape(*lead, n, n_heads, columns // n_heads)  # (..., n, h, d)
    return heads.swapaxes(-2, -3)  # (..., h, n, d)


def join_heads(array: Array) -> Array:
    """Return (..., h, n, d) as (..., n, h·d)."""
    *lead, n_heads, n, d = array.shape
    return array.swapaxes(-2, -3).reshape(*lead, n, n_heads * d)
