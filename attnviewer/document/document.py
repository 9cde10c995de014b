"""The document: the only owner of state."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike
from psygnal import Signal

from attnviewer.compute import (
    Array,
    Spec,
    Trace,
    check_inputs,
    check_matrix,
    check_size,
    run,
)
from attnviewer.document.edits import Change, Edit, EditError, Replace, SetCells
from attnviewer.document.recipe import Recipe


class Document:
    """Tokens, matrices and the spec, changed by `apply` alone.

    Parameters
    ----------
    title : str
        What the document is called.
    tokens : iterable of str
        One token per row of X.
    matrices : mapping of str to array-like
        The matrices by name, taken over as float64 copies. Names: ``X`` (n,
        d_model), ``W_Q``, ``W_K`` (d_model, h·d_k), ``W_V`` (d_model, h·d_v),
        ``W_O`` (h·d_v, any). Those that the spec does not use are kept for when
        it does.
    spec : Spec
        The attention variant; queries, keys and values must come from ``X``.
    recipe : Recipe, optional
        How matrices were drawn.
    notes : str
        What the document shows, in a few sentences.

    Attributes
    ----------
    changed : psygnal.Signal
        Emitted once per applied edit, with a `Change`.

    Raises
    ------
    EditError
        If the parts do not fit each other.
    """

    changed = Signal(Change)

    def __init__(
        self,
        title: str,
        tokens: Iterable[str],
        matrices: Mapping[str, ArrayLike],
        spec: Spec | None = None,
        *,
        recipe: Recipe | None = None,
        notes: str = "",
    ) -> None:
        self._title = title
        self._notes = notes
        self._recipe = recipe
        self._revision = 0
        self._tokens = tuple(tokens)
        self._spec = spec if spec is not None else Spec()
        self._matrices = {name: _own(array) for name, array in matrices.items()}
        _check_parts(self._tokens, self._matrices, self._spec)

    @property
    def title(self) -> str:
        """What the document is called."""
        return self._title

    @property
    def notes(self) -> str:
        """What the document shows, in a few sentences."""
        return self._notes

    @property
    def recipe(self) -> Recipe | None:
        """How matrices were drawn at first; edits since then are not in it."""
        return self._recipe

    @property
    def tokens(self) -> tuple[str, ...]:
        """One token per row of X."""
        return self._tokens

    @property
    def spec(self) -> Spec:
        """The attention variant."""
        return self._spec

    @property
    def revision(self) -> int:
        """How many edits were applied, undone and redone ones included."""
        return self._revision

    @property
    def matrices(self) -> Mapping[str, Array]:
        """All matrices by name, as read-only views that follow later edits."""
        return MappingProxyType(
            {name: _read_only(array) for name, array in self._matrices.items()}
        )

    def matrix(self, name: str) -> Array:
        """Return one matrix as a read-only view that follows later edits."""
        return _read_only(self._matrices[name])

    def inputs(self) -> dict[str, Array]:
        """Return copies of the matrices that the spec uses, safe to compute with."""
        return {name: self._matrices[name].copy() for name in self._spec.input_names}

    def compute(self) -> Trace:
        """Compute every step of the document as it is now."""
        return run(self._spec, self.inputs())

    def check(self, edit: Edit) -> None:
        """Raise `EditError` with the reason if `apply` would refuse the edit."""
        if isinstance(edit, SetCells):
            self._check_cells(edit)
        else:
            _check_parts(*self._replaced(edit))

    def apply(self, edit: Edit) -> Edit:
        """Change the document.

        Everything is checked before anything changes.

        Parameters
        ----------
        edit : SetCells or Replace
            The change.

        Returns
        -------
        SetCells or Replace
            The inverse edit: applied next, it restores the document bit for bit.

        Raises
        ------
        EditError
            If the edit does not fit; the document is then as before.
        """
        self.check(edit)
        if isinstance(edit, SetCells):
            inverse: Edit = self._write(edit)
            change = Change(edit.matrix, edit.region, self._revision + 1)
        else:
            inverse = self._replace(edit)
            change = Change(None, None, self._revision + 1)
        self._revision += 1
        self.changed.emit(change)
        return inverse

    def _write(self, edit: SetCells) -> SetCells:
        region = edit.region
        block = self._matrices[edit.matrix][
            region.row : region.row + region.height,
            region.column : region.column + region.width,
        ]  # (height, width)
        before = block.copy()
        block[...] = edit.values
        return SetCells(edit.label, edit.matrix, edit.row, edit.column, before)

    def _replace(self, edit: Replace) -> Replace:
        inverse = Replace(
            edit.label,
            self._spec if edit.spec is not None else None,
            self._tokens if edit.tokens is not None else None,
            {name: self._matrices.get(name) for name in edit.matrices},
        )
        tokens, matrices, spec = self._replaced(edit)
        self._tokens, self._matrices, self._spec = tokens, matrices, spec
        return inverse

    def _replaced(
        self, edit: Replace
    ) -> tuple[tuple[str, ...], dict[str, Array], Spec]:
        replaced = {name: _own(a) for name, a in edit.matrices.items() if a is not None}
        kept = {n: a for n, a in self._matrices.items() if n not in edit.matrices}
        return (
            self._tokens if edit.tokens is None else tuple(edit.tokens),
            kept | replaced,
            self._spec if edit.spec is None else edit.spec,
        )

    def _check_cells(self, edit: SetCells) -> None:
        if edit.matrix not in self._matrices:
            raise EditError(
                f"The 'matrix' must be one of {', '.join(self._matrices)}. "
                f"Got '{edit.matrix}' instead."
            )
        values = np.asarray(edit.values)
        if values.ndim != 2 or not np.issubdtype(values.dtype, np.floating):
            raise EditError(
                "The 'values' must be a matrix of floating-point numbers. "
                f"Got {values.dtype} of shape {values.shape} instead."
            )
        region = edit.region
        rows, columns = self._matrices[edit.matrix].shape
        if (
            min(region.row, region.column) < 0
            or min(region.height, region.width) < 1
            or region.row + region.height > rows
            or region.column + region.width > columns
        ):
            raise EditError(
                f"The cells must lie inside '{edit.matrix}' ({rows}, {columns}). Got "
                f"{values.shape} at [{region.row}, {region.column}] instead."
            )
        if not np.isfinite(values).all():
            raise EditError(
                f"The '{edit.matrix}' matrix must hold finite numbers. "
                f"Got {float(values[~np.isfinite(values)][0])} instead."
            )


def _check_parts(
    tokens: tuple[str, ...], matrices: Mapping[str, Array], spec: Spec
) -> None:
    if set(spec.sources) != {"X"}:
        raise EditError(
            "The 'spec' must take queries, keys and values from 'X'. "
            f"Got {', '.join(spec.sources)} instead."
        )
    try:
        for name, array in matrices.items():
            check_matrix(name, array)
        check_inputs(spec, matrices)
        check_size(spec, matrices)
    except ValueError as error:
        raise EditError(str(error)) from error
    rows = matrices["X"].shape[0]
    if len(tokens) != rows:
        raise EditError(
            f"The 'tokens' must be as many as the rows of 'X', {rows}. "
            f"Got {len(tokens)} instead."
        )


def _own(array: ArrayLike) -> Array:
    return np.array(array, dtype=np.float64, order="C")


def _read_only(array: Array) -> Array:
    view = array.view()
    view.flags.writeable = False
    return view
