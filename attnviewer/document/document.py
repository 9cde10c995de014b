"""The document: the only owner of state."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from numpy.typing import ArrayLike
from psygnal import Signal

from attnviewer.compute import Array, Pin, Spec, Trace, stores_weights
from attnviewer.compute.arguments import check_key
from attnviewer.compute.arrays import read_only
from attnviewer.compute.signatures import short_signature
from attnviewer.document.checkpoint_location import CheckpointLocation
from attnviewer.document.computing import compute
from attnviewer.document.content import Content
from attnviewer.document.document_html import document_html
from attnviewer.document.drawing.recipe import Recipe, overwritten
from attnviewer.document.edits import Change, Edit, EditError, PastVariant, SetCells
from attnviewer.document.first_cell import FirstCell
from attnviewer.document.first_training import FirstTraining
from attnviewer.document.labels import Labels
from attnviewer.document.matrices import check_cells, own_copy
from attnviewer.document.rows import Rows, rows_of
from attnviewer.document.token_grid import TokenGrid
from attnviewer.document.token_groups import TokenGroup
from attnviewer.document.training_record import TrainingRecord, as_edited

TABLE = "P"
"""The position table; only the rows of present tokens are used."""


class Document:
    """Tokens, matrices and the spec, changed by `apply` alone.

    Parameters
    ----------
    title : str
        The title.
    tokens : iterable of str
        One token per row of X, or of Q where that is given.
    matrices : mapping of str to array-like
        The matrices by name, taken over as float64 copies. Names: ``X`` (n,
        d_model), ``context`` (n_k, any), ``W_Q`` (d_model, h·d_k), ``W_K`` (columns
        of keys' sequence, h_kv·d_k), ``W_V`` (the same, h_kv·d_v), ``W_G``
        (d_model, h·d_v or h), ``W_O`` (h·d_v, any), ``b_Q``, ``b_K``, ``b_V``, ``b_O``
        (1, columns of their W), ``gain_Q``, ``shift_Q`` (1, d_k or h·d_k) and those of
        K, ``P`` (at least n, d_model), ``R`` (relative positions, d_model), where those
        have weights of their own ``W_KR``, ``W_QR`` and their biases, of the shapes of
        ``W_K`` and ``W_Q``, ``bias`` (n, n_k; −inf allowed), ``mask`` (n, n_k; True
        where a query may look), ``sinks`` (1, h). Those that the spec does not use are
        kept for when it does. In place of the sequences, queries, keys and values
        themselves may be given: ``Q`` (n, h·d_k), ``K`` (n_k, h_kv·d_k) and ``V`` (n_k,
        h_kv·d_v); or scores ``S`` (n, h·n_k) and ``V``.
    spec : Spec
        The attention variant; queries come from ``X``, keys and values from ``X``
        or ``context``, unless all three are given.
    context_tokens : iterable of str
        One token per row of ``context``, if there is one; of ``K`` and ``V`` where
        they are given and the spec has a second sequence.
    recipes : iterable of Recipe
        How random matrices were drawn.
    past_variants : iterable of PastVariant
        The variants that the document had before.
    notes : str
        A few sentences on what the document shows.
    training : TrainingRecord, optional
        How matrices were trained.
    checkpoint : CheckpointLocation, optional
        Where in a model's checkpoint it comes from.
    grid : TokenGrid, optional
        The grid that the tokens lie on, such as the patches of a picture.
    groups, context_groups : iterable of TokenGroup
        Groups of neighbouring tokens, in order, such as the words of sub-tokens.

    Attributes
    ----------
    checkpoint : CheckpointLocation or None
        The same; relocating it later is not an edit.
    first_cell : FirstCell or None
        The weight to select first, if the document is about one; copies have none.
    first_training : FirstTraining or None
        The training to offer first, if the document is about one; copies have none.
    file : object
        What `attnviewer.io` knows of its file, see `tracked_file`; copies have none.
    link : object
        What `attnviewer.models` knows of its model, see `link_of`; copies have none.
    changed : psygnal.Signal
        Emitted once per applied edit, with a `Change`.

    Raises
    ------
    EditError
        If the parts do not fit each other, or a matrix is not an array of real numbers.
    """

    changed = Signal(Change)
    first_cell: FirstCell | None = None
    first_training: FirstTraining | None = None
    file: object = None
    link: object = None

    @short_signature
    def __init__(
        self,
        title: str,
        tokens: Iterable[str],
        matrices: Mapping[str, ArrayLike],
        spec: Spec | None = None,
        *,
        context_tokens: Iterable[str] = (),
        recipes: Iterable[Recipe] = (),
        past_variants: Iterable[PastVariant] = (),
        notes: str = "",
        training: TrainingRecord | None = None,
        checkpoint: CheckpointLocation | None = None,
        grid: TokenGrid | None = None,
        groups: Iterable[TokenGroup] = (),
        context_groups: Iterable[TokenGroup] = (),
    ) -> None:
        self.checkpoint = checkpoint
        self._revision = 0
        self._content = Content(
            tuple(tokens),
            tuple(context_tokens),
            {name: own_copy(name, array) for name, array in matrices.items()},
            spec if spec is not None else Spec(),
            tuple(recipes),
            tuple(past_variants),
            title,
            notes,
            as_edited(training),
            () if grid is None else (grid,),
            tuple(groups),
            tuple(context_groups),
        )
        self._content.check(self._content.matrices)

    def __getstate__(self) -> dict[str, object]:
        """Leave what belongs to the original alone out of copies and pickles."""
        others = ("changed", "first_cell", "first_training", "file", "link")
        return {n: part for n, part in vars(self).items() if n not in others}

    def __copy__(self) -> "Document":
        """Return an independent document."""
        copied = {name: array.copy() for name, array in self._content.matrices.items()}
        return self.with_matrices(copied)

    def __repr__(self) -> str:
        shapes = ", ".join(f"{n} {a.shape}" for n, a in self._content.matrices.items())
        return f"<Document {self.title!r}, {self.spec.variant}: {shapes}>"

    def _repr_html_(self) -> str:
        return document_html(
            self.title, self.notes, self.labels, self.matrices, self.compute
        )

    @property
    def title(self) -> str:
        """The title."""
        return self._content.title

    @property
    def notes(self) -> str:
        """A few sentences on what the document shows."""
        return self._content.notes

    @property
    def recipes(self) -> tuple[Recipe, ...]:
        """The recipes of matrices that were drawn, without later edits of their cells.

        Draws whose cells are gone, were moved or were all written over are forgotten.
        """
        return self._content.recipes

    @property
    def tokens(self) -> tuple[str, ...]:
        """One token per row of X, or of Q where that is given."""
        return self._content.tokens

    @property
    def context_tokens(self) -> tuple[str, ...]:
        """One token per row of the second sequence."""
        return self._content.context_tokens

    @property
    def groups(self) -> tuple[TokenGroup, ...]:
        """Groups of neighbouring tokens."""
        return self._content.groups

    @property
    def context_groups(self) -> tuple[TokenGroup, ...]:
        """Groups of neighbouring tokens of the second sequence."""
        return self._content.context_groups

    @property
    def key_groups(self) -> tuple[TokenGroup, ...]:
        """The groups of the keys: of the same tokens, or of a second sequence."""
        return self.context_groups if self.spec.context else self.groups

    @property
    def rows(self) -> Rows:
        """The matrices that have a row for each token, or each of the context."""
        return rows_of(self.spec, self._content.matrices)

    @property
    def labels(self) -> Labels:
        """The query and key tokens, and the grid that both lie on."""
        if self.spec.context:
            return Labels(self.tokens, self.context_tokens)
        return Labels(self.tokens, self.tokens, self.grid)

    @property
    def grid(self) -> TokenGrid | None:
        """The grid that the tokens lie on; None if they are a row of words."""
        return self._content.grid[0] if self._content.grid else None

    @property
    def spec(self) -> Spec:
        """The attention variant."""
        return self._content.spec

    @property
    def pins(self) -> tuple[Pin, ...]:
        """The pins of the spec, in the order in which they act."""
        return self.spec.pins

    @property
    def training(self) -> TrainingRecord | None:
        """The record of the last training run; None without one.

        It is kept when they are edited, and says so, see `TrainingRecord.edited`.
        Whatever replaces the whole document drops it, and undo restores it.
        """
        return self._content.training[0] if self._content.training else None

    @property
    def past_variants(self) -> tuple[PastVariant, ...]:
        """The variants that the document had before, each one once."""
        return self._content.past_variants

    @property
    def revision(self) -> int:
        """The number of edits that were applied, undone and redone ones included."""
        return self._revision

    @property
    def matrices(self) -> Mapping[str, Array]:
        """All matrices by name, as read-only views that follow later edits."""
        return MappingProxyType(
            {name: read_only(array) for name, array in self._content.matrices.items()}
        )

    def matrix(self, name: str) -> Array:
        """Return one matrix as a read-only view that follows later edits.

        Raises
        ------
        KeyError
            If the document has none of this name.
        """
        check_key("name", name, self._content.matrices)
        return read_only(self._content.matrices[name])

    def inputs(self) -> dict[str, Array]:
        """Return copies of the matrices that the spec uses, safe to compute with."""
        return {name: array.copy() for name, array in self.inputs_in_place().items()}

    def inputs_in_place(self) -> dict[str, Array]:
        """Return what `inputs` does as read-only views that follow later edits."""
        used = {name: self.matrix(name) for name in self.spec.input_names}
        if TABLE in used:
            used[TABLE] = used[TABLE][: len(self.tokens)]
        return used

    def compute(self) -> Trace:
        """Compute every step of the document as it is now.

        Of more weights than an `IncrementalEngine` stores, rows are computed when they
        are read.
        """
        in_place = self.inputs_in_place()
        # Of more weights, the engine makes the only copy of the large inputs.
        stored = stores_weights(self.spec, in_place)
        return compute(self.spec, self.inputs() if stored else in_place)

    def with_matrices(self, matrices: Mapping[str, Array]) -> "Document":
        """Return a copy of this document with other matrices.

        Parameters
        ----------
        matrices : mapping of str to ndarray
            All matrices, with unchanged shapes. For speed they are neither copied nor
            checked.
        """
        other = Document.__new__(Document)
        other.checkpoint = self.checkpoint
        other._revision = 0
        other._content = self._content._replace(matrices=dict(matrices))
        return other

    def check(self, edit: Edit) -> None:
        """Raise `EditError` with the reason if `apply` would refuse the edit."""
        if isinstance(edit, SetCells):
            self._check_cells(edit)
        else:
            self._content.replaced(edit).check(edit.matrices)

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
        inverse, change = self.apply_quietly(edit)
        self.changed.emit(change)
        return inverse

    def apply_quietly(self, edit: Edit) -> tuple[Edit, Change]:
        """Change the document as `apply` does, without emitting `changed`.

        Parameters
        ----------
        edit : SetCells or Replace
            The change.

        Returns
        -------
        tuple of (SetCells or Replace, Change)
            The inverse edit, and the `Change` for the caller to emit.

        Raises
        ------
        EditError
            If the edit does not fit; the document is then as before.
        """
        revision = self._revision + 1
        if isinstance(edit, SetCells):
            self._check_cells(edit)
            inverse: Edit = self._write(edit)
            change = Change(edit.matrix, edit.region, revision)
        else:
            replaced = self._content.replaced(edit)
            replaced.check(edit.matrices)
            inverse = self._content.inverse(edit)
            self._content = replaced
            change = Change(None, None, revision)
        self._revision = revision
        return inverse, change

    def _write(self, edit: SetCells) -> SetCells:
        region = edit.region
        matrix = self._content.matrices[edit.matrix]
        block = matrix[region.rows, region.columns]  # (height, width)
        before = block.copy()
        block[...] = edit.values
        known = self._content.recipes
        forgetting = overwritten(known, edit.matrix, region)
        remembered = forgetting if edit.recipes is None else edit.recipes
        self._content = self._content._replace(recipes=remembered)
        recipes = None if known == forgetting == remembered else known
        trained = None if edit.training is None else self._content.training
        if edit.training is not None:
            self._content = self._content._replace(training=edit.training)
        return replace(edit, values=before, recipes=recipes, training=trained)

    def _check_cells(self, edit: SetCells) -> None:
        matrices = self._content.matrices
        if edit.matrix not in matrices:
            raise EditError(
                f"The 'matrix' must be one of {', '.join(matrices)}. "
                f"Got '{edit.matrix}' instead."
            )
        check_cells(edit.matrix, edit.values, edit.row, edit.column)
        region = edit.region
        shape = matrices[edit.matrix].shape
        if not region.is_inside(shape):
            raise EditError(
                f"The cells must lie inside '{edit.matrix}' {shape}. Got "
                f"{edit.values.shape} at [{region.row}, {region.column}] instead."
            )
