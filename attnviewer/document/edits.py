"""Edits: every change of a document as data, so that it can be undone and described."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TypeAlias

from attnviewer.compute import Array, BoolArray, Spec
from attnviewer.document.drawing.recipe import Recipe
from attnviewer.document.region import Region
from attnviewer.document.token_grid import TokenGrid
from attnviewer.document.token_groups import TokenGroup
from attnviewer.document.training_record import TrainingRecord


class EditError(ValueError):
    """An edit that does not fit the document, with the reason as its message."""


class WidthError(EditError):
    """An edit that does not fit the widths, but would fit other dimensions."""


@dataclass(frozen=True, slots=True)
class Change:
    """The effect of an edit.

    Parameters
    ----------
    matrix : str or None
        The matrix whose cells changed; None when more than one matrix, the tokens,
        the spec or the texts may have changed.
    region : Region or None
        Its cells that changed; None together with `matrix`.
    revision : int
        The document's revision after the edit.
    """

    matrix: str | None
    region: Region | None
    revision: int


@dataclass(frozen=True, slots=True, eq=False)
class PastVariant:
    """The state of a variant when another one replaced it.

    Parameters
    ----------
    spec : Spec
        The spec, with its heads, biases and W_O.
    matrices : mapping of str to (ndarray, ndarray)
        The matrices that later variants needed in another form: as they were, and as
        they are now unless edited since.
    """

    spec: Spec
    matrices: Mapping[str, tuple[Array, Array]]


@dataclass(frozen=True, slots=True, eq=False)
class SetCells:
    """Write a block of values into a matrix.

    Parameters
    ----------
    label : str
        The edit's name in the undo history.
    matrix : str
        The matrix.
    row, column : int
        Where the block's upper left value is written.
    values : ndarray, shape (height, width)
        Finite numbers; −inf too in ``bias``; True and False in ``mask``.
    recipes : tuple of Recipe, optional
        The document's recipes afterwards; by default what `overwritten` leaves of them.
    training : tuple of TrainingRecord, optional
        How matrices were trained: one record, or none.
    """

    label: str
    matrix: str
    row: int
    column: int
    values: Array | BoolArray
    recipes: tuple[Recipe, ...] | None = None
    training: tuple[TrainingRecord, ...] | None = None

    @property
    def region(self) -> Region:
        """The cells that the edit writes."""
        height, width = self.values.shape
        return Region(self.row, self.column, height, width)


@dataclass(frozen=True, slots=True, eq=False)
class Replace:
    """Replace whole parts of a document, all at once.

    Parameters
    ----------
    label : str
        The edit's name in the undo history.
    spec : Spec, optional
        The variant.
    tokens : tuple of str, optional
        One per query token.
    matrices : mapping of str to ndarray or None
        The new matrices; None removes one.
    context_tokens : tuple of str, optional
        One per row of the second sequence.
    recipes : tuple of Recipe, optional
        How matrices were drawn; by default what `still_drawn` leaves of the recipes.
    past_variants : tuple of PastVariant, optional
        The variants that the document had before.
    title, notes : str, optional
        The document's title and notes.
    training : tuple of TrainingRecord, optional
        How matrices were trained: one record, or none.
    grid : tuple of TokenGrid, optional
        The grid that the tokens lie on: one, or none; by default it stays as long as
        there are as many tokens.
    groups, context_groups : tuple of TokenGroup, optional
        The groups of tokens, and of context tokens; by default those before, as far as
        their tokens are still there.
    """

    label: str
    spec: Spec | None = None
    tokens: tuple[str, ...] | None = None
    matrices: Mapping[str, Array | BoolArray | None] = field(default_factory=dict)
    context_tokens: tuple[str, ...] | None = None
    recipes: tuple[Recipe, ...] | None = None
    past_variants: tuple[PastVariant, ...] | None = None
    title: str | None = None
    notes: str | None = None
    training: tuple[TrainingRecord, ...] | None = None
    grid: tuple[TokenGrid, ...] | None = None
    groups: tuple[TokenGroup, ...] | None = None
    context_groups: tuple[TokenGroup, ...] | None = None

    @property
    def only_groups(self) -> bool:
        """Whether nothing but groups of tokens is replaced."""
        others = {f.name for f in fields(self)} - {"label", "groups", "context_groups"}
        return not any(getattr(self, name) not in (None, {}) for name in others)


Edit: TypeAlias = SetCells | Replace
