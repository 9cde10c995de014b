"""The walk through the computation for one query."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import cached_property

import numpy as np

from attnviewer.compute.arguments import whole_number
from attnviewer.compute.arrays import Array
from attnviewer.compute.expression import Cell, Expression, Number, Product, Sum
from attnviewer.compute.normalizers import Normalizer
from attnviewer.compute.stages.offsets import at
from attnviewer.compute.trace import Trace
from attnviewer.compute.walk.exponentials import Exponentials
from attnviewer.compute.walk.lines import Lines, MatrixLines
from attnviewer.compute.walk.moves import OF_ROW, TOLERANCE, Kind, Move, Phase
from attnviewer.compute.walk.parts import name_of, parts_of, shift_of, without
from attnviewer.compute.walk.rule_row import RuleRow


class QueryWalk:
    """The computation for one query as an explicit loop over the keys.

    First the vectors of the query's token, from its embedding to its query, key and
    value, column by column; then the query's row of each step from the scores to what
    is normalised, key by key; then the parts of the normaliser's rule, as softmax's
    maximum, exponentials and their sum, and the weights; then the values, weighted and
    added key by key. Weights that another stage makes are one more step. Each move has
    the number of the loop and that of the matrix form.

    Parameters
    ----------
    trace : Trace
        Every step.
    query : int
        The query, counted from zero.
    head : int
        The head of the queries.
    shifted : bool
        Whether the row's maximum is subtracted from scores that become exponents.
        Without it, the loop shows what the plain formula does to large scores; the
        weights of the matrix form do not change.

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
        n_queries = trace.shape(trace.pipeline.scores)[-2]
        if not 0 <= query < n_queries:
            raise IndexError(
                f"The 'query' must be from 0 to {n_queries - 1}. Got {query} instead."
            )
        self._trace = trace
        self._query = query
        self.head = head
        self._pipeline = trace.pipeline
        self._normalize = self._pipeline.by_rule
        self._parts: Mapping[Expression, Kind] = {}
        self._shift: Expression | None = None
        self._shifted = True
        if self._normalize is not None:
            row = (*trace.matrix_index(self._pipeline.weights, head), query)
            self._normalizer = self._normalize.normalizer_at(trace, row)
            self._choose_rule(self._normalizer, shifted)
        self.phases = tuple(self._list_phases())

    def _choose_rule(self, normalizer: Normalizer, shifted: bool) -> None:
        """Take the normaliser's rule, with or without the maximum subtracted."""
        self._rule = normalizer.rule
        self._temperature = normalizer.temperature
        if normalizer.cancels_temperature:
            self._temperature = 1.0
        self._shift = shift_of(self._rule)
        self._shifted = shifted or self._shift is None
        if self._shift is not None and not shifted:
            self._rule = without(self._rule, self._shift)
        self._parts = parts_of(self._rule)

    def __len__(self) -> int:
        return self.phases[-1].start + self.phases[-1].moves

    @cached_property
    def exponentials(self) -> Exponentials | None:
        """The exponentials of the query's row; None where the rule has none."""
        shift = self._shift
        if shift is None:
            return None
        row = self._row
        kinds = {kind: row.loop(part) for part, kind in self._parts.items()}
        numbers = kinds["exponentials"]
        total = float(kinds.get("sum", numbers)[0])
        largest = float(row.loop(shift)[0])
        return Exponentials(row.scores, largest, self._shifted, numbers, total)

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
        phase, index = self.phase_at(number)
        if phase.kind == "mix":
            assert index is not None
            return self._mixing(phase, index)
        if phase.kind == "weights" and self._parts:
            assert index is not None
            return self._weight(phase, index)
        if phase.name:
            return self._part(phase, index)
        assert index is not None
        return self._explained(phase, index)

    def phase_at(self, number: int) -> tuple[Phase, int | None]:
        """Return the phase of a move, and its key or column."""
        at = bisect_right([phase.start for phase in self.phases], number) - 1
        phase = self.phases[at]
        whole = not (phase.per_key or phase.per_column)
        return phase, None if whole else number - phase.start

    def nearest(self, phase: Phase, index: int | None) -> int:
        """Return the move that corresponds most closely to one of another walk.

        Parameters
        ----------
        phase : Phase
            What the other move computes.
        index : int or None
            The key or column that it is about.
        """
        kind = phase.kind
        if kind == "maximum" and kind not in [own.kind for own in self.phases]:
            kind = "exponentials"

        def likeness(own: Phase) -> tuple[bool, ...]:
            return own.kind == kind, own.step == phase.step, not own.name

        same = max(self.phases, key=likeness)
        return same.start + min(index or 0, same.moves - 1)

    def loop_line(self, phase: Phase) -> str:
        """Return the line of the loop that a phase repeats; "" for a step."""
        return self._line(phase, Lines)

    def matrix_line(self, phase: Phase) -> str:
        """Return the same for whole matrices."""
        return self._line(phase, MatrixLines)

    def row(self, step: str) -> Array:
        """Return the row of a step that belongs to the query, shape (columns,)."""
        index = self._row_of(step)
        rows = slice(index, index + 1)
        row: Array = self._trace.window(step, rows, head=self.head)[0]
        return row

    def _list_phases(self) -> Iterator[Phase]:
        weights = self._pipeline.weights
        computed = [
            stage
            for stage in self._trace.stages.values()
            if stage.inputs and not stage.rearranges
        ]
        first = computed.index(self._pipeline.comparison)
        row_steps = [
            stage.name
            for stage in computed
            if stage.axes == ("queries", "keys") and stage.name != weights
        ]
        vectors = [stage.name for stage in computed[:first]]
        kinds: list[tuple[Kind, str, str]] = [
            ("vector", name, "") for name in vectors if name not in row_steps
        ]
        kinds += [("step", step, "") for step in row_steps]
        for part, kind in self._parts.items():
            step = self._source if kind in ("maximum", "winner") else weights
            kinds.append((kind, step, name_of(part, kind)))
        mix = self._pipeline.mix
        # With a mistake, the sum over the keys is not what the step holds.
        last: Kind = "vector" if mix.mistake else "mix"
        kinds += [("weights", weights, ""), (last, mix.name, "")]
        start = 0
        for kind, step, name in kinds:
            moves = self._count(kind, step)
            yield Phase(kind, step, start, moves, name)
            start += moves

    def _count(self, kind: Kind, step: str) -> int:
        """Return how many moves a phase has."""
        if kind in OF_ROW:
            return 1
        return self._trace.shape(step if kind == "vector" else self._pipeline.scores)[
            -1
        ]

    def _line(self, phase: Phase, lines: type[Lines]) -> str:
        if not phase.name and (phase.kind != "weights" or not self._parts):
            return ""
        written = lines(self._parts, self._source, self._temperature)
        if phase.name:
            return written.line(self._part_of(phase))
        return written.rule(self._rule)

    @property
    def _source(self) -> str:
        """The step that the normaliser's rule is applied to."""
        assert self._normalize is not None
        return self._normalize.inputs[0]

    def _part_of(self, phase: Phase) -> Expression:
        names = {name_of(part, kind): part for part, kind in self._parts.items()}
        return names[phase.name]

    def _row_of(self, step: str) -> int:
        """Return which row of a step belongs to the query.

        A step with a row per key has that of the query's own token; where the keys
        are other tokens, that of the first.
        """
        if self._trace.stages[step].axes[0] != "keys":
            return self._query
        *lead, _, n_keys = self._trace.shape(self._pipeline.scores)
        spec = self._trace.spec
        own = self._query + int(at(spec.query_offset, (0,) * len(lead)))
        return own if not spec.context and 0 <= own < n_keys else 0

    def _cell(self, step: str, column: int) -> Cell:
        index = self._trace.matrix_index(step, self.head)  # of the first batch item
        return Cell(step, (*index, self._row_of(step), column))

    def _explained(self, phase: Phase, index: int) -> Move:
        """Return a number of a step, computed from the formula of its cell."""
        cell = self._cell(phase.step, index)
        row = self.row(phase.step)[: index + 1]  # (position + 1,)
        formula = self._trace.explain(cell.step, cell.index)
        loop = row.copy()  # (position + 1,)
        if formula.steps:
            with np.errstate(over="ignore"):  # of single precision
                loop[index] = formula.steps[0].evaluate()
        written = formula.symbols, formula.steps, formula.note
        return Move(phase, index, cell, *written, loop, row)

    @cached_property
    def _row(self) -> RuleRow:
        """The normaliser's rule for the row that it normalises."""
        assert self._normalize is not None
        source, normalizer = self._source, self._normalizer
        scores = self.row(source)  # (n_k,)

        def score(key: int) -> Expression:
            number = Number(float(scores[key]), self._cell(source, key))
            return number if self._temperature == 1.0 else number / self._temperature

        tempered = scores / scores.dtype.type(self._temperature)  # (n_k,)
        return RuleRow(self._rule, tempered, score, signed=normalizer.signed)

    @cached_property
    def _weights(self) -> Array:
        """The weights of the loop, shape (n_k,).

        Where the rule yields no number, such as on overflow, those of the matrix form,
        unless the overflow comes from not subtracting the maximum.
        """
        own = self.row(self._pipeline.weights)  # (n_k,)
        if not self._parts:
            return own
        weights = self._row.weights()  # (n_k,)
        if not self._shifted:
            return weights
        same = TOLERANCE[str(own.dtype)]
        equal = np.isclose(weights, own, rtol=same, atol=same, equal_nan=True)
        for key in np.flatnonzero(~equal):
            cell = self._cell(self._pipeline.weights, int(key))
            if not self._trace.explain(cell.step, cell.index).steps:
                weights[key] = own[key]
        return weights

    def _part(self, phase: Phase, key: int | None) -> Move:
        """Return a number of a part of the rule."""
        part, row = self._part_of(phase), self._row
        done = 1 if key is None else key + 1
        loop, matrix = row.loop(part)[:done], row.arrays(part)[:done]  # (done,)
        column = int(np.argmax(row.scores)) if key is None else key
        steps, note = row.written_part(part, key), ""
        if phase.kind == "sum" and not steps:
            terms = "exponential" if self.exponentials else "term"
            note = f"Every {terms} is 0. To get weights of 0, divide by 1 instead."
        if phase.kind == "exponentials" and self.exponentials and key is not None:
            note = self.exponentials.note(key)
        cell = self._cell(phase.step, column)
        return Move(phase, key, cell, "", steps, note, loop, matrix)

    def _weight(self, phase: Phase, key: int) -> Move:
        """Return a weight, computed from the parts of the rule."""
        cell = self._cell(phase.step, key)
        loop = self._weights[: key + 1]  # (key + 1,)
        matrix = self.row(phase.step)[: key + 1]  # (key + 1,)
        formula = self._trace.explain(cell.step, cell.index)
        steps = self._row.written_weight(key)
        if not np.array_equal(loop[key], self._row.weights()[key], equal_nan=True):
            steps = ()  # the number does not come from the rule
        # The note of a weight that the explanation does not write out.
        note = formula.note if formula.steps or not steps else ""
        return Move(phase, key, cell, "", steps, note, loop, matrix)

    def _mixing(self, phase: Phase, key: int) -> Move:
        """Return the values up to a key, weighted and added."""
        values = self._pipeline.mix.inputs[1]
        rows = slice(0, key + 1)
        row = self._trace.window(values, rows, head=self.head)  # (key + 1, d_v)
        shares = self._weights  # (n_k,)
        total = np.zeros(row.shape[1], row.dtype)  # (d_v,)
        previous = total
        with np.errstate(all="ignore"):
            for weight, value in zip(shares, row, strict=False):
                previous, total = total, total + weight * value
        weight_cell = self._cell(self._pipeline.weights, key)
        *lead, _, _ = self._cell(values, 0).index
        value_cell = Cell(values, (*lead, key, 0))
        step = Sum(
            (
                Number(float(previous[0])),
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
