"""The numbers that may change, as one vector."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import EllipsisType
from typing import TypeAlias

import numpy as np

from attnviewer.compute import Array, BoolArray, IndexArray, Spec, Trace
from attnviewer.compute.arguments import check_name, real_number, whole_number
from attnviewer.compute.arrays import ALL
from attnviewer.compute.gradients import backward_of_each
from attnviewer.document import MASK, Document, Replace
from attnviewer.goal_seek.quantities import Slope, on_steps

TEMPERATURE = "temperature"
"""The free number that is an option of the variant rather than a matrix."""
LARGE = 2**16
"""Number of scores above which gradients are computed cell by cell."""
TOGETHER = 2**22
"""The most scores of which gradients are held at once."""
COLDEST = 1e-3
"""The least share of its value that the temperature keeps: it stays above 0."""

Positions: TypeAlias = int | slice | Sequence[int] | EllipsisType
Free: TypeAlias = str | tuple[str, Positions] | tuple[str, Positions, Positions]
"""A whole matrix, some of its rows, or some rows and columns; or ``temperature``."""
Limits: TypeAlias = float | Mapping[str, float] | None


@dataclass(frozen=True, slots=True, eq=False)
class FreeNumbers:
    """The free cells of matrices, and the temperature if it is free.

    Attributes
    ----------
    cells : dict of str to ndarray of intp
        Of each free matrix its free cells, counted row by row, sorted.
    has_temperature : bool
        Whether the temperature is free; its number comes last.
    lows, highs : ndarray, shape (size,)
        The least and the most that each number may change by.
    """

    cells: Mapping[str, IndexArray]
    has_temperature: bool
    lows: Array
    highs: Array

    @property
    def size(self) -> int:
        """The number of free numbers."""
        return self.lows.size

    @property
    def names(self) -> tuple[str, ...]:
        """The free matrices, and the temperature if it is free."""
        return (*self.cells, TEMPERATURE) if self.has_temperature else (*self.cells,)

    def only(self, chosen: BoolArray) -> "FreeNumbers":
        """Return the same with fewer free numbers, those where `chosen` is true."""
        cells, first = {}, 0
        for name, own in self.cells.items():
            kept = own[chosen[first : first + own.size]]
            first += own.size
            if kept.size:
                cells[name] = kept
        last = self.has_temperature and bool(chosen[-1])
        return FreeNumbers(cells, last, self.lows[chosen], self.highs[chosen])

    def parts(self, vectors: Array) -> dict[str, Array]:
        """Return the numbers of vectors (…, size) by the names that they belong to."""
        parts, first = {}, 0
        for name, cells in self.cells.items():
            parts[name] = vectors[..., first : first + cells.size]
            first += cells.size
        if self.has_temperature:
            parts[TEMPERATURE] = vectors[..., first:]
        return parts

    def changed(self, document: Document, vector: Array) -> Document:
        """Return a copy of a document with its free numbers changed by a vector."""
        parts = self.parts(vector)
        matrices = dict(document.matrices)
        for name, cells in self.cells.items():
            matrices[name] = matrices[name].copy()
            matrices[name].flat[cells] += parts[name]
        other = document.with_matrices(matrices)
        if self.has_temperature:
            temperature = document.spec.temperature + float(parts[TEMPERATURE][0])
            spec = replace(document.spec, temperature=temperature)
            other.apply_quietly(Replace(TEMPERATURE, spec=spec))
        return other

    def moved(
        self, spec: Spec, inputs: Mapping[str, Array], vector: Array
    ) -> tuple[Spec, dict[str, Array]]:
        """Return a variant and its inputs with the free numbers changed by a vector.

        Raises
        ------
        ValueError
            If they are no longer numbers to compute with.
        """
        parts, moved = self.parts(vector), dict(inputs)
        for name, cells in self.cells.items():
            array = inputs[name].copy()
            numbers = array.reshape(-1)  # (numbers of the input,), a view
            places = _places(cells, numbers.size)
            numbers[places] += parts[name]
            if not np.isfinite(numbers[places]).all():
                raise ValueError(f"The changed '{name}' must be finite numbers.")
            moved[name] = array
        if self.has_temperature:
            temperature = spec.temperature + float(parts[TEMPERATURE][0])
            spec = replace(spec, temperature=temperature)
        return spec, moved

    def room(self, changes: Array, step: Array) -> float:
        """Return the share of a step, at most 1, that leaves half of the temperature.

        A whole step might go to, or below, a temperature of 0.
        """
        if not self.has_temperature or step[-1] >= 0:
            return 1.0
        spare = (changes[-1] - self.lows[-1]) / 2
        return float(min(1.0, max(spare, 0.0) / -step[-1]))

    def gradients(self, trace: Trace, slopes: Sequence[Sequence[Slope]]) -> Array:
        """Return the gradients on the free numbers, given those on steps.

        Parameters
        ----------
        trace : Trace
            The computation.
        slopes : sequence of sequences of Slope
            Of each number, its derivatives.

        Returns
        -------
        ndarray, shape (len(slopes), size)
        """
        of_cells = all(isinstance(slope, float) for own in slopes for *_, slope in own)
        scores = math.prod(trace.shape(trace.pipeline.weights))
        if of_cells and scores > LARGE and not self.has_temperature:
            return np.array([self._of_cells(trace, own) for own in slopes])
        most = max(1, TOGETHER // scores)
        parts = [
            self._passed_back(trace, slopes[first : first + most])
            for first in range(0, len(slopes), most)
        ]
        return np.concatenate(parts)

    def _of_cells(self, trace: Trace, slopes: Sequence[Slope]) -> Array:
        """Return a gradient, shape (size,), at the cost of one row for each cell.

        One backward pass for all cells would compute every row.
        """
        total = np.zeros(self.size)
        for step, index, slope in slopes:
            on_inputs = trace.gradient(step, index)
            parts = [on_inputs[name].flat[cells] for name, cells in self.cells.items()]
            total += slope * np.concatenate(parts)
        return total

    def _passed_back(self, trace: Trace, slopes: Sequence[Sequence[Slope]]) -> Array:
        """Return gradients by one backward pass, shape (len(slopes), size)."""
        names = {step for own in slopes for step, _, _ in own}
        on = on_steps(slopes, {step: trace.shape(step) for step in names})
        cooled = _cooled(trace)
        stages = tuple(trace.stages.values())
        with np.errstate(all="ignore"):
            passed = backward_of_each(stages, trace, on, also=cooled)
        gradients = np.zeros((len(slopes), self.size))
        for name, part in self.parts(gradients).items():
            if name == TEMPERATURE:
                for source in cooled:
                    on_scores = passed.get(source, 0.0) - on.get(source, 0.0)
                    part[:, 0] += _on_temperature(trace, source, on_scores)
            elif name in passed:
                every = passed[name].reshape(len(slopes), -1)
                part[:] = every[:, _places(self.cells[name], every.shape[1])]
        return gradients


def _places(cells: IndexArray, count: int) -> IndexArray | slice:
    """Return cells of an input with `count` of them; as a slice if they are all."""
    return ALL if cells.size == count else cells


def _cooled(trace: Trace) -> tuple[str, ...]:
    """Return the steps whose scores normalisers divide by the temperature."""
    stages = trace.pipeline.normalizing
    cooled = (s.inputs[0] for s in stages if not s.normalizer.cancels_temperature)
    return tuple(dict.fromkeys(cooled))


def _on_temperature(trace: Trace, source: str, on_scores: Array | float) -> Array:
    """Return the derivatives with respect to the temperature T, shape (count,).

    A normaliser sees s / T, so each is −Σ g · s / T with the gradient g that passed it
    to the scores s.
    """
    scores = trace[source]
    axes = tuple(range(1, scores.ndim + 1))
    terms = on_scores * scores[np.newaxis]  # (count, ..., n_q, n_k)
    moved: Array = terms.sum(axis=axes, where=np.isfinite(scores))  # (count,)
    return -moved / trace.spec.temperature


def free_numbers(
    document: Document, free: Iterable[Free], limits: Limits = None
) -> FreeNumbers:
    """Return the free numbers of a document.

    Raises
    ------
    TypeError, ValueError
        If there is no such matrix, row or column, or a limit is negative or NaN.
    """
    if isinstance(free, str) or not isinstance(free, Iterable):
        raise TypeError(
            "The 'free' parameter must be a sequence of names and (name, rows, "
            f"columns). Got {free!r} instead."
        )
    inputs = document.inputs()
    known = [name for name in inputs if name != MASK]
    chosen: dict[str, Array] = {}
    has_temperature = False
    for entry in free:
        name, rows, columns = _entry(entry)
        check_name("free", name, [*known, TEMPERATURE])
        if name == TEMPERATURE:
            if entry != TEMPERATURE:
                raise ValueError(
                    "The 'free' parameter must hold 'temperature' without rows and "
                    f"columns. Got {entry!r} instead."
                )
            has_temperature = True
            continue
        matrix = inputs[name]
        mine = chosen.setdefault(name, np.zeros(matrix.shape, dtype=bool))
        cells = np.ix_(
            _positions("rows", name, rows, matrix.shape[0]),
            _positions("columns", name, columns, matrix.shape[1]),
        )
        # A −∞ in the bias hides a key, whatever finite number is added to it.
        mine[cells] = np.isfinite(matrix[cells])
    # The rows of the position table that are not used come after those that are.
    cells_of = {name: np.flatnonzero(mine) for name, mine in chosen.items()}
    if not has_temperature and not any(cells.size for cells in cells_of.values()):
        raise ValueError(
            "The 'free' parameter must name numbers that may change. Got none instead."
        )
    counts = {name: cells.size for name, cells in cells_of.items()}
    if has_temperature:
        counts[TEMPERATURE] = 1
    bounds = _limits(limits, counts)
    sizes = {name: np.abs(inputs[name].flat[cells]) for name, cells in cells_of.items()}
    if has_temperature:
        sizes[TEMPERATURE] = np.array([document.spec.temperature])
    highs = np.concatenate(
        [_rounded_down(bounds[name], size) for name, size in sizes.items()]
    )
    lows = -highs
    if has_temperature:
        coldest = (COLDEST - 1) * document.spec.temperature
        lows[-1] = max(lows[-1], coldest)
    return FreeNumbers(cells_of, has_temperature, lows, highs)


def _entry(entry: Free) -> tuple[str, Positions, Positions]:
    if isinstance(entry, str):
        return entry, ..., ...
    if isinstance(entry, tuple) and len(entry) in (2, 3) and isinstance(entry[0], str):
        name, rows, *columns = entry
        return name, rows, columns[0] if columns else ...
    raise TypeError(
        "The 'free' parameter must hold names and (name, rows, columns). "
        f"Got {entry!r} instead."
    )


def _positions(what: str, name: str, chosen: Positions, count: int) -> IndexArray:
    """Return the rows or columns that are chosen."""
    must = f"The {what} of '{name}' must be from 0 to {count - 1}."
    if chosen is ...:
        return np.arange(count)
    if isinstance(chosen, slice):
        found = np.arange(count)[chosen]
        if not found.size:
            raise ValueError(f"{must} Got {chosen} instead, which holds none of them.")
        return found
    listed = [chosen] if isinstance(chosen, int | np.integer) else list(chosen)
    numbers = [whole_number(what, number) for number in listed]
    for number in numbers:
        if not 0 <= number < count:
            raise ValueError(f"{must} Got {number} instead.")
    return np.array(numbers, dtype=np.intp)


def _limits(limits: Limits, names: Iterable[str]) -> dict[str, float]:
    """Return the most that the numbers of each name may change by."""
    names = list(names)
    if limits is None:
        return dict.fromkeys(names, math.inf)
    if not isinstance(limits, Mapping):
        return dict.fromkeys(names, _limit("limits", limits))
    for name in limits:
        check_name("limits", name, names)
    return {
        name: _limit(f"limits of {name}", limits[name]) if name in limits else math.inf
        for name in names
    }


def _rounded_down(limit: float, sizes: Array) -> Array:
    """Return limits that hold for the rounded sums of changes and numbers."""
    rounding = np.spacing(sizes + limit) if np.isfinite(limit) else 0.0
    within: Array = np.maximum(np.full(sizes.shape, limit) - rounding, 0.0)
    return within


def _limit(what: str, value: object) -> float:
    number = real_number(what, value)
    if not number >= 0:
        raise ValueError(
            f"The '{what}' parameter must be at least 0. Got {number} instead."
        )
    return number
