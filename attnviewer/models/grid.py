"""Numbers of a model in labelled rows and columns, such as one for each head."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from html import escape
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.arguments import real_array
from attnviewer.compute.html import table_html
from attnviewer.models.activations.site import Site


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Grid:
    """Numbers in labelled rows and columns.

    Parameters
    ----------
    values : array_like, shape (rows, columns)
        The numbers, kept as a read-only copy in float64.
    row_labels, column_labels : sequence of str
        The label of each row and column.
    title : str
        What the numbers are.
    sites : sequence of sequence of Site, optional
        The place in the model that each number belongs to.
    axes : tuple of two str
        What rows and columns are.

    Raises
    ------
    ValueError
        If the shapes do not match.

    Examples
    --------
    >>> from attnviewer.models.grid import Grid
    >>> Grid([[1, 2]], ["L0"], ["H0", "H1"], "Entropy", axes=("layer", "head"))
    <Grid 'Entropy': 1 × 2, layer × head>
    """

    values: Array
    row_labels: Sequence[str]
    column_labels: Sequence[str]
    title: str
    sites: Sequence[Sequence[Site]] | None = None
    axes: tuple[str, str] = ("row", "column")

    def __post_init__(self) -> None:
        values = np.array(real_array("'values' of a grid", self.values), np.float64)
        values.flags.writeable = False
        rows, columns = tuple(self.row_labels), tuple(self.column_labels)
        shape = len(rows), len(columns)
        if values.shape != shape:
            raise ValueError(
                f"The 'values' of a grid must have shape {shape}, as its labels have. "
                f"Got {values.shape} instead."
            )
        kept: dict[str, object] = {
            "values": values,
            "row_labels": rows,
            "column_labels": columns,
        }
        if self.sites is not None:
            sites = tuple(map(tuple, self.sites))
            if len(sites) != shape[0] or any(len(row) != shape[1] for row in sites):
                raise ValueError(
                    f"The 'sites' of a grid must have shape {shape}, one for each "
                    f"number. Got rows of {[len(row) for row in sites]} instead."
                )
            kept["sites"] = sites
        for name, value in kept.items():
            object.__setattr__(self, name, value)

    def to_pandas(self) -> Any:
        """Return a ``pandas.DataFrame`` with the labels as index and columns.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        pandas = _library("pandas")
        rows, columns = self.axes
        return pandas.DataFrame(
            self.values.copy(),
            index=pandas.Index(self.row_labels, name=rows),
            columns=pandas.Index(self.column_labels, name=columns),
        )

    def to_xarray(self) -> Any:
        """Return an ``xarray.DataArray`` with `axes` as dimensions, named by the title.

        Raises
        ------
        ImportError
            If xarray is not installed.
        """
        labels = map(list, (self.row_labels, self.column_labels))
        return _library("xarray").DataArray(
            self.values.copy(),
            dims=self.axes,
            coords=dict(zip(self.axes, labels, strict=True)),
            name=self.title,
        )

    def _repr_html_(self) -> str:
        table = table_html(self.values, self.row_labels, self.column_labels)
        return f"<div><b>{escape(self.title)}</b> {table}</div>"

    def __repr__(self) -> str:
        shape = " × ".join(map(str, self.values.shape))
        return f"<Grid '{self.title}': {shape}, {' × '.join(self.axes)}>"

    def __reduce__(self) -> tuple[object, ...]:
        # Made anew, as arrays of a pickle can be written to.
        return Grid, tuple(getattr(self, field.name) for field in fields(self))


def _library(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ImportError:
        raise ImportError(
            f"The grid needs {name} to be converted. Install it with: pip install "
            f"{name}"
        ) from None
