"""Numbers of a model in labelled rows and columns, such as one for each head."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from html import escape
from typing import Any

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.arguments import real_array
from attnviewer.compute.html import table_html
from attnviewer.models.activations.site import Site
from attnviewer.models.grid_svg import grid_picture
from attnviewer.models.optional_libraries import pandas_for, xarray_for


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
    center : float
        The number that has no colour in pictures; colours tell what is above and below.

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
    center: float = 0.0

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
        pandas = pandas_for("grid")
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
        xarray = xarray_for("grid")
        labels = map(list, (self.row_labels, self.column_labels))
        return xarray.DataArray(
            self.values.copy(),
            dims=self.axes,
            coords=dict(zip(self.axes, labels, strict=True)),
            name=self.title,
        )

    def _repr_html_(self) -> str:
        labels = self.row_labels, self.column_labels
        table = table_html(self.values, *labels, coloured=False)
        picture = grid_picture(self.values, *labels, self.center)
        numbers = f"<summary>{escape(' × '.join(self.axes))}</summary>{table}"
        return (
            f"<div><b>{escape(self.title)}</b><div>{picture}</div>"
            f"<details>{numbers}</details></div>"
        )

    def __repr__(self) -> str:
        shape = " × ".join(map(str, self.values.shape))
        return f"<Grid '{self.title}': {shape}, {' × '.join(self.axes)}>"

    def __reduce__(self) -> tuple[object, ...]:
        # Made anew, as arrays of a pickle can be written to.
        return Grid, tuple(getattr(self, field.name) for field in fields(self))
