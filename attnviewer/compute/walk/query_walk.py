"""The walk through the computation for one query."""

from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property

import numpy as np

from attnviewer.compute.arguments import whole_number
from attnviewer.compute.arrays import Array
from attnviewer.compute.expression import (
    Cell,
    Difference,
    Exponential,
    Expression,
    Number,
    Product,
    Quotient,
    Sum,
)
from attnviewer.compute.formula import largest_terms
from attnviewer.compute.normalizers.softmax import Softmax
from attnviewer.compute.stages import Split
from attnviewer.compute.stages.offsets import at
from attnviewer.compute.trace import TERM_LIMIT, Trace
from attnviewer.compute.walk.exponentials import Exponentials
from attnviewer.compute.walk.moves import Kind, Move, Phase


class QueryWalk:
    """The computation for one query as the loop over the keys that it stands for.

    First the vectors of the query's token, from its embedding to its query, key and
    value, column by column; then the query's row of each step from the scores to what
    is normalised, key by key; then the normaliser, softmax by its maximum,
    exponentials and their sum; then the values, weighted and added key by key. Each
    move has the number of the loop beside that of the matrix form.

    Parameters
    ----------
    trace : Trace
        Every step.
    query : int
        The query, counted from zero.
    head : int
        Which head of the queries.
    shifted : bool
        Whether softmax takes the row's maximum off first. Without it, the loop
        shows what the plain formula does to large scores; the matrix form does not
        change.

    Attributes
    ----------
    phases : tuple of Phase
        What is computed, in order.
    head : int
        The head.

    Raises
    ------
    IndexError
        If there is no such query or head.
    """

    def __init__(
        self, trace: Trace, query: int, *, head: int = 0, shifted: bool = True
    ) -> None:
        whole_number("query", query)
        n_queries = trace.shape("scores")[-2]
        if not 0 <= query < n_queries:
            raise IndexError(
                f"The 'query' must be from 0 to {n_queries - 1}. Got {query} instead."
            )
        self._trace = trace
        self._query = query
        self.head = head
        self._normalize, self._mix = trace.pipeline.normalize, trace.pipeline.mix
        normalizer = self._normalize.normalizer
        self._softmax = normalizer if isinstance(normalizer, Softmax) else None
        self._shifted = shifted
        self.phases = tuple(self._list_phases())

    def __len__(self) -> int:
        return self.phases[-1].start + self.phases[-1].moves

    @cached_property
    def exponentials(self) -> Exponentials | None:
        """The exponentials of the query's row; None for another normaliser."""
        if self._softmax is None:
            return None
        (source,) = self._normalize.inputs
        return Exponentials(
            self.row(source),
            self._softmax.temperature,
            self._softmax.beside,
            self._shifted,
        )

    def move(self, number: int) -> Move:
        """Return a move by its number.

        Raises
        ------
        IndexError
            If there is no such move.
        """
        if not 0 <= number < len(self):
            raise IndexError(
                f"The 'number' must be from 0 to {len(self) - 1}. Got {number} instead."
            )
        phase, place = self.place(number)
        if phase.kind == "mix":
            assert place is not None
            return self._mixing(phase, place)
        if phase.kind in ("vector", "step") or self.exponentials is None:
            assert place is not None
            return self._explained(phase, place)
        return self._exponential(phase, place, self.exponentials)

    def place(self, number: int) -> tuple[Phase, int | None]:
        """Return the phase of a move, and the key or column that it is about."""
        at = bisect_right([phase.start for phase in self.phases], number) - 1
        phase = self.phases[at]
        whole = not (phase.per_key or phase.per_column)
        return phase, None if whole else number - phase.start

    def nearest(self, phase: Phase, place: int | None) -> int:
        """Return the move that does what one of another walk does, or comes nearest.

        Parameters
        ----------
        phase : Phase
            What the other move computes.
        place : int or None
            The key or column that it is about.
        """
        kind = phase.kind
        if kind == "maximum" and kind not in [own.kind for own in self.phases]:
            kind = "exponentials"
        same = max(self.phases, key=lambda o: (o.kind == kind, o.step == phase.step))
        return same.start + min(place or 0, same.moves - 1)

    def row(self, step: str) -> Array:
        """Return the row of a step that belongs to the query, shape (columns,)."""
        place = self._row_of(step)
        rows = slice(place, place + 1)
        row: Array = self._trace.window(step, rows, head=self.head)[0]
        return row

    def _list_phases(self) -> Iterator[Phase]:
        computed = [
            stage
            for stage in self._trace.stages.values()
            if stage.inputs and not isinstance(stage, Split)  # which moves no number
        ]
        first = computed.index(self._trace.pipeline.comparison)
        before = [
            stage.name
            for stage in computed
            if stage.axes == ("queries", "keys") and stage is not self._normalize
        ]
        vectors = [stage.name for stage in computed[:first]]
        kinds: list[tuple[Kind, str]] = [
            ("vector", name) for name in vectors if name not in before
        ]
        kinds += [("step", step) for step in before]
        weights = self._normalize.name
        if self._softmax is not None:
            if self._shifted:
                kinds.append(("maximum", before[-1]))
            kinds += [("exponentials", weights), ("sum", weights)]
        kinds += [("weights", weights), ("mix", self._mix.name)]
        start = 0
        for kind, step in kinds:
            moves = self._count(kind, step)
            yield Phase(kind, step, start, moves)
            start += moves

    def _count(self, kind: Kind, step: str) -> int:
        """Return how many moves a phase has."""
        if kind in ("maximum", "sum"):
            return 1
        return self._trace.shape(step if kind == "vector" else "scores")[-1]

    def _row_of(self, step: str) -> int:
        """Return which row of a step belongs to the query.

        A step with a row per key has that of the query's own token; where the keys
        are other tokens, that of the first.
        """
        if self._trace.stages[step].axes[0] != "keys":
            return self._query
        *lead, _, n_keys = self._trace.shape("scores")
        spec = self._trace.spec
        own = self._query + int(at(spec.query_offset, (0,) * len(lead)))
        return own if not spec.context and 0 <= own < n_keys else 0

    def _cell(self, step: str, column: int) -> Cell:
        index = self._trace.place(step, self.head)  # of the first batch item
        return Cell(step, (*index, self._row_of(step), column))

    def _explained(self, phase: Phase, place: int) -> Move:
        """Return the number of a step, computed from the formula of its cell."""
        cell = self._cell(phase.step, place)
        row = self.row(phase.step)[: place + 1]  # (place + 1,)
        formula = self._trace.explain(cell.step, cell.index)
        loop = row.copy()  # (place + 1,)
        if formula.steps:
            with np.errstate(over="ignore"):  # of single precision
                loop[place] = formula.steps[0].evaluate()
        written = formula.symbols, formula.steps, formula.note
        return Move(phase, place, cell, *written, loop, row)

    def _exponential(
        self, phase: Phase, key: int | None, exponentials: Exponentials
    ) -> Move:
        """Return a number of softmax."""
        source = self._normalize.inputs[0]
        written = self._softmax_numbers(phase.kind, key, exponentials, source)
        kind = exponentials.scores.dtype
        loops = {
            "maximum": np.array([exponentials.largest], kind),
            "exponentials": exponentials.numbers,
            "sum": np.array([exponentials.total], kind),
            "weights": exponentials.shares,
        }
        done = 1 if key is None else key + 1
        loop = loops[phase.kind][:done]  # (done,)
        matrix = self._matrix_form(phase.kind, exponentials)[:done]  # (done,)
        column = int(np.argmax(exponentials.scores)) if key is None else key
        step = source if phase.kind == "maximum" else phase.step
        cell = self._cell(step, column)
        note = ""
        if phase.kind == "sum" and not written:
            note = "Every exponential is 0. To get weights of 0, divide by 1 instead."
        if phase.kind == "exponentials" and key is not None:
            note = exponentials.note(key)
        return Move(phase, key, cell, "", written, note, loop, matrix)

    def _matrix_form(self, kind: Kind, exponentials: Exponentials) -> Array:
        """Return what NumPy makes of the row at once, with the maximum taken off."""
        if kind == "weights":
            return self.row("weights")
        largest = np.array([exponentials.largest], exponentials.scores.dtype)  # (1,)
        if kind == "maximum":
            return largest
        assert self._softmax is not None
        scores = exponentials.scores[np.newaxis]  # (1, n_k)
        shift = self._softmax.shift(scores)  # (1, 1)
        if not self._shifted:
            shift = np.zeros_like(shift)  # (1, 1)
        numbers = np.empty_like(scores)
        with np.errstate(all="ignore"):
            self._softmax.numerators(scores, shift, out=numbers)
            total = self._softmax.divide_by(
                shift, numbers.sum(axis=1, keepdims=True)
            )  # (1, 1)
        row: Array = (numbers if kind == "exponentials" else total)[0]
        return row

    def _softmax_numbers(
        self, kind: Kind, key: int | None, exponentials: Exponentials, source: str
    ) -> tuple[Expression, ...]:
        def score(key: int) -> Expression:
            value = float(exponentials.scores[key])
            number = Number(value, self._cell(source, key))
            if exponentials.temperature == 1.0:
                return number
            return Quotient(number, Number(exponentials.temperature))

        if kind == "exponentials":
            assert key is not None
            if not np.isfinite(exponentials.scores[key]):
                return ()
            exponent = score(key)
            if self._shifted:
                exponent = Difference(exponent, Number(exponentials.shift))
            return (Exponential(exponent),)
        if kind == "sum":
            beside = exponentials.numbers_beside
            terms = [*exponentials.numbers.tolist(), *beside.tolist()]
            if not any(terms):
                return ()
            kept, omitted, rest = largest_terms(np.array(terms), TERM_LIMIT)
            return (Sum(tuple(Number(terms[k]) for k in kept), omitted, rest),)
        if kind == "weights":
            assert key is not None
            number = Number(float(exponentials.numbers[key]))
            return (Quotient(number, Number(exponentials.total)),)
        return ()

    def _mixing(self, phase: Phase, key: int) -> Move:
        """Return the values up to a key, weighted and added."""
        values = self._mix.inputs[1]
        rows = slice(0, key + 1)
        row = self._trace.window(values, rows, head=self.head)  # (key + 1, d_v)
        shares = self.row("weights")
        if self.exponentials is not None:
            shares = self.exponentials.shares  # (n_k,)
        total = np.zeros(row.shape[1], row.dtype)  # (d_v,)
        before = total
        with np.errstate(all="ignore"):
            for weight, value in zip(shares, row, strict=False):
                before, total = total, total + weight * value
        weight_cell = self._cell("weights", key)
        *lead, _, _ = self._cell(values, 0).index
        value_cell = Cell(values, (*lead, key, 0))
        step = Sum(
            (
                Number(float(before[0])),
                Product(
                    Number(float(shares[key]), weight_cell),
                    Number(float(row[key, 0]), value_cell),
                ),
            )
        )
        whole = self.row(phase.step)  # (d_v,)
        cell = self._cell(phase.step, 0)
        finished = key == phase.moves - 1
        return Move(phase, key, cell, "", (step,), "", total, whole, finished)
