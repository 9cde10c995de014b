"""The result of a survey: numbers of every head over many texts."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array
from attnviewer.compute.arguments import check_name, whole_number
from attnviewer.models.grid import Grid
from attnviewer.models.optional_libraries import pandas_for
from attnviewer.models.survey.columns import COLUMNS, rows

Indices = NDArray[np.int64]
Statistic = Literal["count", "mean", "spread", "minimum", "maximum"]


@dataclass(frozen=True, slots=True)
class Example:
    """A text in which a head has a high score.

    Parameters
    ----------
    value : float
        The score.
    index : int
        Which of the texts, counted from zero; empty ones do not count.
    text : str
        The text.
    """

    value: float
    index: int
    text: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Survey:
    """Statistics of every head of a model over many texts, made by `survey`.

    All arrays have the axes (metrics, layers, heads) and are read-only. Texts in which
    a metric is NaN do not count for it; where none counts, numbers are NaN.

    Parameters
    ----------
    model : str
        The model's name.
    fingerprint : str
        Identifies its checkpoint, see `Model.fingerprint`.
    metrics : tuple of str
        Names of `DETECTORS`.
    n_texts : int
        How many texts the model ran over.
    truncated : int
        How many of them had too many tokens, of which the last were cut off.
    skipped : int
        How many more texts have no token.
    count : ndarray of int64
        The number of texts that count.
    mean, spread, minimum : ndarray of float64
        Mean, standard deviation (divided by the count) and minimum over these texts.
    lowest : ndarray of int64
        Index of the text with the minimum, the first of several; −1 where none counts.
    highest : ndarray of int64, shape (metrics, layers, heads, k)
        Indices of the texts with the highest scores, the highest first and of equal
        ones the first text; −1 where there are fewer.
    highest_values : ndarray of float64, shape (metrics, layers, heads, k)
        Their scores.
    texts : mapping of int to str
        The texts that `lowest` and `highest` name, by index.
    """

    model: str
    fingerprint: str
    metrics: tuple[str, ...]
    n_texts: int
    truncated: int
    skipped: int
    count: Indices
    mean: Array
    spread: Array
    minimum: Array
    lowest: Indices
    highest: Indices
    highest_values: Array
    texts: Mapping[int, str]

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
        object.__setattr__(self, "texts", MappingProxyType(dict(self.texts)))

    @property
    def n_layers(self) -> int:
        """The number of layers of the model."""
        return int(self.count.shape[1])

    @property
    def n_heads(self) -> int:
        """The number of heads of each layer."""
        return int(self.count.shape[2])

    @property
    def maximum(self) -> Array:
        """The maxima, shape (metrics, layers, heads)."""
        return self.highest_values[..., 0]

    def grid(self, metric: str, of: Statistic = "mean") -> Grid:
        """Return a statistic of a metric as a table of layers × heads.

        Raises
        ------
        ValueError
            If the survey has no such metric, or there is no such statistic.
        """
        place = self._place(metric)
        check_name("of", of, get_args(Statistic))
        values = getattr(self, of)[place].astype(np.float64)  # (layers, heads)
        layers = [f"L{layer}" for layer in range(self.n_layers)]
        heads = [f"H{head}" for head in range(self.n_heads)]
        title = f"{metric}, {of} over {self.n_texts:,} texts"
        return Grid(values, layers, heads, title, axes=("layer", "head"))

    def examples(self, metric: str, layer: int, head: int) -> tuple[Example, ...]:
        """Return the texts in which a head has its highest scores, the highest first.

        Raises
        ------
        ValueError
            If the survey has no such metric.
        IndexError
            If there is no such layer or head.
        """
        place = self._place(metric)
        for name, number, count in (
            ("layer", layer, self.n_layers),
            ("head", head, self.n_heads),
        ):
            if not 0 <= whole_number(name, number) < count:
                raise IndexError(
                    f"The '{name}' must be from 0 to {count - 1}. Got {number} instead."
                )
        indices = self.highest[place, layer, head].tolist()
        values = self.highest_values[place, layer, head].tolist()
        return tuple(
            Example(value, index, self.texts[index])
            for value, index in zip(values, indices, strict=True)
            if index >= 0
        )

    def to_pandas(self) -> Any:
        """Return a ``pandas.DataFrame``, a row for each layer, head and metric.

        Its columns are count, mean, spread, minimum and maximum, with the index and the
        text of the extremes; ``frame["mean"].unstack("metric")`` has a column for each
        metric.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        pandas = pandas_for("survey")
        frame = pandas.DataFrame(list(rows(self)), columns=list(COLUMNS))
        return frame.set_index(list(COLUMNS[:3]))

    def save(self, path: str | Path) -> None:
        """Write the survey to a file, whose ending tells the format.

        Parameters
        ----------
        path : str or Path
            ``.npz`` holds everything and can be read back; ``.csv`` and ``.parquet``
            are the table of `to_pandas`.

        Raises
        ------
        ValueError
            If the ending is another one.
        ImportError
            If pyarrow, which writes Parquet, is not installed.
        FileError
            If the file cannot be written.
        """
        from attnviewer.models.survey.formats import write

        write(self, path)

    @staticmethod
    def load(path: str | Path) -> "Survey":
        """Return the survey of an ``.npz`` file; see `open_survey`."""
        from attnviewer.models.survey.npz_file import open_survey

        return open_survey(path)

    def _place(self, metric: str) -> int:
        check_name("metric", metric, self.metrics)
        return self.metrics.index(metric)

    def _repr_html_(self) -> str:
        tables = "".join(
            f"<details{' open' if number == 0 else ''}><summary>{escape(metric)}"
            f"</summary>{self.grid(metric)._repr_html_()}</details>"
            for number, metric in enumerate(self.metrics)
        )
        return f"<div>{escape(self._told())}{tables}</div>"

    def _told(self) -> str:
        cut = f", {self.truncated:,} of them truncated" if self.truncated else ""
        return f"{self.model}, {self.n_texts:,} texts{cut}"

    def __repr__(self) -> str:
        return f"<Survey of {self._told()}: {', '.join(self.metrics)}>"

    def __reduce__(self) -> tuple[object, ...]:
        # Made anew, as arrays of a pickle can be written to.
        parts = [getattr(self, field.name) for field in fields(self)]
        return Survey, (*parts[:-1], dict(self.texts))
