"""Numbers of the heads of a model, as a table."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from types import MappingProxyType
from typing import Any

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.arguments import check_name
from attnviewer.compute.html import MOST_ROWS
from attnviewer.compute.signatures import short_signature
from attnviewer.models.detectors.occurrences import checked_offsets, profile
from attnviewer.models.detectors.readings import (
    LayerReading,
    ModelReading,
    RunReading,
)
from attnviewer.models.detectors.repeated_tokens import has_repeated
from attnviewer.models.detectors.scores import ONE_SEQUENCE, block_scores, lacks
from attnviewer.models.detectors.table import DETECTORS
from attnviewer.models.head_row import HeadRow, WideHeadRow
from attnviewer.models.head_table_html import maps_html, rows_html
from attnviewer.models.optional_libraries import pandas_for, xarray_for
from attnviewer.models.parts import own_part
from attnviewer.models.run_maps import MOST_WORK, layer_work
from attnviewer.models.token_cells import Cell, cell_of
from attnviewer.models.trace import ModelTrace

_ALWAYS = HeadRow._fields[2:]


class HeadTable:
    """A row of numbers for each head, computed while it is iterated over.

    Made by `head_table`. Once all rows were computed they are kept.

    Attributes
    ----------
    columns : tuple of str
        The names of the columns, layer and head first.
    reasons : mapping of str to str
        Why columns are NaN throughout, by their names.
    notes : tuple of str
        The same as sentences that name the columns.
    """

    def __init__(
        self,
        runs: Sequence[ModelTrace],
        layers: Sequence[int],
        detectors: Sequence[str],
        cells: Sequence[tuple[int, int]],
        offsets: Sequence[int],
        needle: range | None,
    ) -> None:
        self._runs = runs
        self._layers = layers
        self._needle = needle
        self._cells = cells
        self._offsets = offsets
        self._detectors = (*_ALWAYS, *(n for n in detectors if n not in _ALWAYS))
        cell = ("cell",) if cells else ()
        profiled = map(offset_column, offsets)
        self.columns = ("layer", "head", *self._detectors, *cell, *profiled)
        self.reasons = MappingProxyType(dict(self._missing()))
        self.notes = tuple(self._sentences())
        self._rows: tuple[HeadRow, ...] | None = None

    def __iter__(self) -> Iterator[HeadRow]:
        if self._rows is not None:
            yield from self._rows
            return
        rows = []
        for row in self._computed():
            rows.append(row)
            yield row
        self._rows = tuple(rows)

    def __len__(self) -> int:
        return len(self._layers) * self._runs[0].model.n_heads

    @property
    def values(self) -> Array:
        """All numbers, shape (heads, columns), in float64."""
        return _array(self, len(self.columns))

    def to_pandas(self) -> Any:
        """Return a ``pandas.DataFrame``, indexed by layer and head.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        pandas = pandas_for("table of heads")
        values = self.values
        places = pandas.MultiIndex.from_arrays(
            values[:, :2].astype(int).T, names=self.columns[:2]
        )
        return pandas.DataFrame(values[:, 2:], places, list(self.columns[2:]))

    def to_xarray(self) -> Any:
        """Return an ``xarray.Dataset`` of a variable by layer × head for each column.

        Raises
        ------
        ImportError
            If xarray is not installed.
        """
        xarray = xarray_for("table of heads")
        shape = len(self._layers), -1, len(self.columns)
        values = self.values.reshape(shape)  # (layers, heads, columns)
        places = self.columns[:2]
        variables = {
            name: (places, values[:, :, column])
            for column, name in enumerate(self.columns[2:], 2)
        }
        layers, heads = list(self._layers), list(range(values.shape[1]))
        return xarray.Dataset(variables, coords={"layer": layers, "head": heads})

    def _repr_html_(self) -> str:
        if len(self) <= MOST_ROWS or self._is_large:
            shown = _array(islice(self, MOST_ROWS), len(self.columns))
            return rows_html(shown, self.columns, len(self), self.notes)
        values = self.values
        table = rows_html(values[:MOST_ROWS], self.columns, len(self), self.notes)
        shape = len(self._layers), -1, len(self.columns)
        return f"<div>{table}{maps_html(values.reshape(shape), self.columns)}</div>"

    @property
    def _is_large(self) -> bool:
        """Whether it would take long to compute all rows."""
        if self._rows is not None:
            return False
        layers = max(self._layers) + 1
        return sum(layers * layer_work(run) for run in self._runs) > MOST_WORK

    def __repr__(self) -> str:
        return f"<HeadTable: {len(self)} heads, {', '.join(self.columns[2:])}>"

    def __reduce__(self) -> tuple[object, ...]:
        # Anew from its runs: what was read of them is computed again.
        chosen = self._detectors, self._cells, self._offsets, self._needle
        return HeadTable, (self._runs, self._layers, *chosen)

    @cached_property
    def _readings(self) -> list[RunReading]:
        shared = ModelReading(self._runs[0].model)
        return [RunReading(run, shared, self._needle) for run in self._runs]

    @cached_property
    def _lacking(self) -> list[dict[str, str]]:
        """The reason why each run lacks a detector, by its name."""
        return [lacks(reading, self._detectors) for reading in self._readings]

    def _missing(self) -> Iterator[tuple[str, str]]:
        for name in self._detectors:
            if all(name in lacking for lacking in self._lacking):
                yield name, self._lacking[0][name]
        reason = ""
        if any(run.spec(0).context for run in self._runs):
            reason = ONE_SEQUENCE
        elif not any(has_repeated(run.ids) for run in self._runs):
            reason = "No token occurs twice."
        for offset in self._offsets if reason else ():
            yield offset_column(offset), reason

    def _sentences(self) -> Iterator[str]:
        for name in self._detectors:
            if name in self.reasons:
                yield f"{DETECTORS[name].title}: {self.reasons[name]}"
        for reason in {self.reasons.get(offset_column(k), "") for k in self._offsets}:
            if reason:
                yield f"Offsets from the previous occurrence: {reason}"

    def _computed(self) -> Iterator[HeadRow]:
        for layer in self._layers:
            runs = range(len(self._runs))
            numbers = np.array([self._heads(run, layer) for run in runs])
            for head, means in enumerate(_means(numbers)):
                if len(self.columns) == len(HeadRow._fields):
                    yield HeadRow(layer, head, *means)
                else:
                    yield WideHeadRow((layer, head, *means), self.columns)

    def _heads(self, run: int, layer: int) -> Array:
        """Return the numbers of the heads of a layer in a run, (h, columns − 2)."""
        whole, lacking = self._readings[run], self._lacking[run]
        reading = LayerReading(whole, layer, whole.run.attention(layer))
        blocks = []
        for heads in reading.blocks():
            parts = [block_scores(heads, self._detectors, lacking)]
            if self._cells:
                query, key = self._cells[run]
                parts.append(heads.weights[:, query, key, np.newaxis])
            if self._offsets:
                parts.append(
                    np.full((len(heads.heads), len(self._offsets)), np.nan)
                    if whole.run.spec(0).context
                    else profile(heads.weights, heads.ids, self._offsets)
                )
            blocks.append(np.concatenate(parts, axis=1))
        return np.concatenate(blocks)


@short_signature
def head_table(
    runs: ModelTrace | Iterable[ModelTrace],
    layers: Iterable[int] | None = None,
    *,
    cell: Cell | None = None,
    occurrence_offsets: Iterable[int] | None = None,
    detectors: Iterable[str] | None = None,
    needle: range | None = None,
) -> HeadTable:
    """Return a row for each head, layer by layer, computed while it is read.

    Parameters
    ----------
    runs : ModelTrace or iterable of ModelTrace
        A run; of several ones of the same model, the means over those in which a number
        is not NaN.
    layers : iterable of int, optional
        The layers, counted from zero; all by default.
    cell : tuple of str or int, optional
        A query and a key, whose weight becomes the column ``cell``: texts of tokens,
        ``("it", "animal")``, of which the first occurrence counts, or positions.
    occurrence_offsets : iterable of int, optional
        The mean attention to the places at these offsets from the previous occurrence
        of a token, see `occurrence_profile`: columns such as ``occurrence_minus_1``,
        ``occurrence_0`` and ``occurrence_plus_1``.
    detectors : iterable of str, optional
        Further columns, names of `DETECTORS`; ``detectors=DETECTORS`` for all.
    needle : range, optional
        The positions of the passage for the detector ``retrieval``.

    Returns
    -------
    HeadTable
        An iterable of `HeadRow`; further columns are attributes of the rows, too.
        Columns that no run has are NaN, see `HeadTable.notes`.

    Raises
    ------
    IndexError
        If there is no such layer or position.
    ValueError
        If there is no run or the runs are of different models, a name or a token is
        unknown or ambiguous, the needle is not in the sentence, or, while it is read, a
        number of the model is not finite.

    Examples
    --------
    >>> from attnviewer import models
    >>> run = models.load("all-MiniLM-L6-v2").run("So tired.")  # doctest: +SKIP
    >>> min(models.head_table(run), key=lambda row: row.entropy)  # doctest: +SKIP
    >>> models.head_table(run, cell=("tired", "so")).to_pandas()  # doctest: +SKIP
    """
    given = (runs,) if isinstance(runs, ModelTrace) else tuple(runs)
    _check_runs(given)
    first = given[0]
    numbers = range(first.model.n_layers) if layers is None else layers
    chosen = tuple(numbers)
    for layer in chosen:
        first.spec(layer)  # raises if there is no such layer
    names = tuple(dict.fromkeys(detectors or ()))
    for name in names:
        check_name("detector", name, DETECTORS)
    if needle is not None:
        for run in given:
            _check_needle(needle, len(run.ids))
    if cell is not None and first.spec(0).context:
        raise ValueError(
            "The 'cell' must be left out for cross-attention, whose keys are other "
            "tokens than its queries. Got one instead."
        )
    cells = [] if cell is None else [cell_of(run, cell) for run in given]
    offsets = checked_offsets(() if occurrence_offsets is None else occurrence_offsets)
    return HeadTable(given, chosen, names, cells, offsets, needle)


def _check_runs(runs: Sequence[ModelTrace]) -> None:
    if not runs:
        raise ValueError("The 'runs' must be at least one run. Got none instead.")
    for run in runs:
        if not isinstance(run, ModelTrace):
            raise TypeError(f"The 'runs' must be runs of a model. Got {run!r} instead.")
    names = {}
    for model in (run.model for run in runs):
        # A folder may have several checkpoints, and a checkpoint several stacks.
        part = own_part(model.architecture)
        stack = model.source, model.tower, part
        one = len(model.parts) == 1
        names[stack] = model.name if one else f"{model.name} ({part})"
    if len(names) > 1:
        raise ValueError(
            "The 'runs' must be of the same model. "
            f"Got {' and '.join(names.values())} instead."
        )


def _check_needle(needle: range, count: int) -> None:
    if not (len(needle) and needle.step == 1 and needle.start >= 0) or (
        needle.stop >= count
    ):
        raise ValueError(
            "The 'needle' must be a range of positions with a token after it, within 0 "
            f"to {count - 1}. Got {needle} instead."
        )


def offset_column(offset: int) -> str:
    """Return the name of the column of an offset: ``occurrence_plus_1``."""
    sign = "minus_" if offset < 0 else "plus_" if offset else ""
    return f"occurrence_{sign}{abs(offset)}"


def _means(numbers: Array) -> list[list[float]]:
    """Return the means over runs without their NaNs; NaN if there is nothing else.

    Parameters
    ----------
    numbers : ndarray, shape (runs, h, columns)
    """
    counts = ~np.isnan(numbers)  # (runs, h, columns)
    sums = np.where(counts, numbers, 0).sum(axis=0)  # (h, columns)
    with np.errstate(invalid="ignore"):
        means: list[list[float]] = (sums / counts.sum(axis=0)).tolist()
    return means


def _array(rows: Iterable[HeadRow], columns: int) -> Array:
    return np.array([tuple(row) for row in rows], np.float64).reshape(-1, columns)
